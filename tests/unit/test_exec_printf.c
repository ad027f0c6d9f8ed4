/* Numbers of kernels' printf, as the C library writes them: printf_number.c against snprintf. */
#include "exec/calls/printf.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static uint64_t drawn(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

static const struct {
    const char *flags;
    int width, precision;
} forms[] = {{"", -1, -1}, {"", 12, -1}, {"-", 12, -1}, {"0", 12, -1}, {"-0", 12, -1},
             {"", 3, -1},  {"", 0, -1},  {"", -1, 0},   {"", -1, 1},   {"", 9, 3},
             {"0", 9, 3},  {"", -1, 9},  {"-", 30, 9},  {"", -1, 16},  {"", 24, 14}};

static void compare(const char *text, size_t length, const char *expected) {
    if (length == 0)
        return; /* the C library's */
    assert_int_equal(length, strlen(expected));
    assert_memory_equal(text, expected, length);
}

static void test_integers(void **state) {
    (void)state;
    uint64_t seed = 71;
    for (int i = 0; i < 200000; i++) {
        char format[32], expected[256], text[NUMBER_MOST];
        const char letter = "diuxXo"[i % 6];
        const uint64_t bits = drawn(&seed) >> drawn(&seed) % 64;
        const bool negative = i % 6 < 2 && (int64_t)bits < 0;
        Conversion one = {.width = forms[i % 7].width, .precision = -1, .letter = letter};
        memcpy(one.flags, forms[i % 7].flags, strlen(forms[i % 7].flags));
        if (one.width >= 0)
            snprintf(format, sizeof format, "%%%s%dll%c", one.flags, one.width, letter);
        else
            snprintf(format, sizeof format, "%%%sll%c", one.flags, letter);
        snprintf(expected, sizeof expected, format, (long long)bits);
        size_t length = number_print_integer(text, &one, negative ? 0 - bits : bits, negative);
        assert_true(length > 0);
        compare(text, length, expected);
    }
}

/* Of all magnitudes; halves of the last place, which go to the even digit; what is next to them. */
static double number(int i, uint64_t *seed) {
    static const double edges[] = {0.0,
                                   -0.0,
                                   0.5,
                                   1.5,
                                   2.5,
                                   0.125,
                                   0.375,
                                   0.0000005,
                                   999999.5,
                                   9.9999995,
                                   4503599627370495.5,
                                   9007199254740991.0,
                                   9007199254740992.0,
                                   1e300,
                                   5e-324,
                                   INFINITY,
                                   -INFINITY,
                                   NAN,
                                   0.1,
                                   1e15};
    const int count = sizeof edges / sizeof *edges;
    uint64_t bits = drawn(seed);
    double value;
    if (i < count)
        return edges[i];
    if (i % 4 == 0) /* any double */
        memcpy(&value, &bits, sizeof value);
    else if (i % 4 == 1)
        value = (double)(int64_t)(bits >> 34) / 1024; /* often a tie */
    else if (i % 4 == 2)
        value = (double)(float)((double)(int64_t)bits * 1e-17);
    else
        value = ldexp((double)(int64_t)(bits >> 11), -(int)(bits % 80));
    return i % 3 ? value : nextafter(value, 0);
}

typedef size_t Print(char *out, const Conversion *conversion, double value);

/* Returns of how many numbers it printed itself. */
static int compare_doubles(Print *print, const char *letters, int count) {
    uint64_t seed = 17;
    int printed = 0;
    for (int i = 0; i < count; i++) {
        char format[32], expected[512], text[NUMBER_MOST];
        const int form = i % (int)(sizeof forms / sizeof *forms);
        Conversion one = {.width = forms[form].width,
                          .precision = forms[form].precision,
                          .letter = letters[(size_t)i / 13 % strlen(letters)]};
        memcpy(one.flags, forms[form].flags, strlen(forms[form].flags));
        char width[16] = "", precision[16] = "";
        if (one.width >= 0)
            snprintf(width, sizeof width, "%d", one.width);
        if (one.precision >= 0)
            snprintf(precision, sizeof precision, ".%d", one.precision);
        snprintf(format, sizeof format, "%%%s%s%s%c", one.flags, width, precision, one.letter);
        const double value = number(i, &seed);
        snprintf(expected, sizeof expected, format, value);
        size_t length = print(text, &one, value);
        printed += length > 0;
        compare(text, length, expected);
    }
    return printed;
}

static void test_fractions(void **state) {
    (void)state;
    assert_true(compare_doubles(number_print_fixed, "f", 400000) > 200000);
}

static void test_exponents(void **state) {
    (void)state;
    assert_true(compare_doubles(number_print_general, "geGE", 400000) > 290000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_integers),
                                       cmocka_unit_test(test_fractions),
                                       cmocka_unit_test(test_exponents)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
