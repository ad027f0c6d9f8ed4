/* Numbers as printf writes them: integers, %f, %e and %g, with flags - and 0. Floods of printf are mostly this, and the C library
 * takes several times as long. */
#include "exec/calls/printf.h"

#include <math.h>
#include <string.h>

/* The letters of a number, from the last on: they begin at `at`. */
typedef struct Letters {
    char at[NUMBER_MOST];
    size_t first;
} Letters;

static void put(Letters *letters, char letter) {
    letters->at[--letters->first] = letter;
}

static void put_decimal(Letters *letters, uint64_t value) {
    do
        put(letters, (char)('0' + value % 10));
    while (value /= 10);
}

/* As many digits, with zeros before them. */
static uint64_t put_digits(Letters *letters, uint64_t value, int count) {
    for (int i = 0; i < count; i++, value /= 10)
        put(letters, (char)('0' + value % 10));
    return value;
}

static void put_power(Letters *letters, uint64_t value, uint32_t shift, const char *digits) {
    do
        put(letters, digits[value & ((1u << shift) - 1)]);
    while (value >>= shift);
}

/* Pads to the width, and puts the sign where it belongs. */
static size_t finish(char *out, Letters *letters, const Conversion *conversion, bool negative) {
    const bool left = strchr(conversion->flags, '-'), zeros = strchr(conversion->flags, '0');
    const size_t width = conversion->width > 0 ? (size_t)conversion->width : 0;
    size_t length = NUMBER_MOST - letters->first + negative;
    for (; zeros && !left && length < width; length++)
        put(letters, '0');
    if (negative)
        put(letters, '-');
    for (; !left && length < width; length++)
        put(letters, ' ');
    const size_t written = NUMBER_MOST - letters->first;
    memcpy(out, letters->at + letters->first, written);
    if (length < width)
        memset(out + written, ' ', width - written);
    return length < width ? width : length;
}

/* Flags and a width that are done here, with room for a number of 64 bits and a fraction. */
static bool is_plain(const Conversion *conversion) {
    return conversion->width < NUMBER_MOST && !strpbrk(conversion->flags, "+ #");
}

size_t number_print_integer(char *out, const Conversion *conversion, uint64_t magnitude,
                            bool negative) {
    Letters letters = {.first = NUMBER_MOST};
    if (!is_plain(conversion) || conversion->precision >= 0)
        return 0;
    if (conversion->letter == 'x')
        put_power(&letters, magnitude, 4, "0123456789abcdef");
    else if (conversion->letter == 'X')
        put_power(&letters, magnitude, 4, "0123456789ABCDEF");
    else if (conversion->letter == 'o')
        put_power(&letters, magnitude, 3, "01234567");
    else
        put_decimal(&letters, magnitude);
    return finish(out, &letters, conversion, negative);
}

/* A double is digits times a power of two: times ten for each place of the fraction they are an integer of 128 bits,
 * of which what is below one is rounded to the nearest, halves to even. */
size_t number_print_fixed(char *out, const Conversion *conversion, double value) {
    enum { DIGITS = 52, BIAS = 1075, PLACES = 9 };
    static const uint64_t tens[] = {1,      10,      100,      1000,      10000,
                                    100000, 1000000, 10000000, 100000000, 1000000000};
    const int places = conversion->precision < 0 ? 6 : conversion->precision;
    Letters letters = {.first = NUMBER_MOST};
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t exponent = bits >> DIGITS & 0x7ff;
    if (!is_plain(conversion) || conversion->letter != 'f' || places > PLACES || exponent >= BIAS)
        return 0; /* infinities, too, and numbers from 2^53 on */
    const uint64_t fraction = bits & ((UINT64_C(1) << DIGITS) - 1);
    const uint64_t digits = exponent ? fraction | UINT64_C(1) << DIGITS : fraction;
    const uint32_t below = BIAS - (exponent ? exponent : 1); /* 1 and more: binary places */
    __extension__ unsigned __int128 scaled = (unsigned __int128)digits * tens[places];
    uint64_t whole = 0;
    if (below < 128) {
        __extension__ const unsigned __int128 half = (unsigned __int128)1 << (below - 1);
        __extension__ const unsigned __int128 rest = scaled & (half * 2 - 1);
        scaled >>= below;
        if (scaled > UINT64_MAX)
            return 0;
        whole = (uint64_t)scaled;
        whole += rest > half || (rest == half && whole & 1);
    }
    whole = put_digits(&letters, whole, places);
    if (places)
        put(&letters, '.');
    put_decimal(&letters, whole);
    return finish(out, &letters, conversion, bits >> 63);
}

/* ---- %e and %g ---- */

enum { SIGNIFICANT_MOST = 17, TEN_EXACT = 27 /* the largest power that 64 binary digits hold */ };

/* value * 10^power, to 2^-62 of it; 0: the power is beyond what two factors give. */
static long double scaled_by(long double value, int power) {
    static const long double tens[] = {1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,
                                       1e7L,  1e8L,  1e9L,  1e10L, 1e11L, 1e12L, 1e13L,
                                       1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L,
                                       1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};
    const int size = power < 0 ? -power : power;
    if (size > 2 * TEN_EXACT)
        return 0;
    const long double one = tens[size < TEN_EXACT ? size : TEN_EXACT];
    const long double other = tens[size < TEN_EXACT ? 0 : size - TEN_EXACT];
    return power < 0 ? value / one / other : value * one * other;
}

/* A number rounded to some digits: digits * 10^(exponent - significant + 1). */
typedef struct Decimal {
    uint64_t digits;
    int exponent;
} Decimal;

/* false: it is so close to a tie, or so large or small, that the C library is to say. */
static bool round_to(double magnitude, int significant, Decimal *decimal) {
    static const double LOG10_2 = 0.30102999566398119521;
    int binary;
    const long double all = scaled_by(1, significant);
    *decimal = (Decimal){0};
    if (magnitude == 0)
        return true;
    frexp(magnitude, &binary);
    int exponent = (int)floor((binary - 1) * LOG10_2); /* or one more */
    long double scaled = scaled_by(magnitude, significant - 1 - exponent);
    if (scaled >= all)
        scaled = scaled_by(magnitude, significant - 1 - ++exponent);
    if (scaled * 11 < all) /* at least a tenth of all, but for what was rounded */
        return false;
    const uint64_t whole = (uint64_t)scaled;
    const long double past_half = scaled - (long double)whole - 0.5L;
    if (fabsl(past_half) <= scaled * 0x1p-62L)
        return false;
    decimal->digits = whole + (past_half > 0);
    decimal->exponent = exponent;
    if ((long double)decimal->digits == all) {
        decimal->digits /= 10;
        decimal->exponent++;
    }
    return true;
}

/* e+05, from its end. */
static void put_exponent(Letters *letters, int exponent, char letter) {
    const uint64_t size = (uint64_t)(exponent < 0 ? -exponent : exponent);
    put_decimal(letters, size);
    if (size < 10)
        put(letters, '0');
    put(letters, exponent < 0 ? '-' : '+');
    put(letters, letter);
}

size_t number_print_general(char *out, const Conversion *conversion, double value) {
    const bool general = conversion->letter == 'g' || conversion->letter == 'G';
    const bool upper = conversion->letter == 'E' || conversion->letter == 'G';
    const int precision = conversion->precision < 0 ? 6 : conversion->precision;
    const int significant = general ? (precision ? precision : 1) : precision + 1;
    Letters letters = {.first = NUMBER_MOST};
    Decimal decimal;
    if (!is_plain(conversion) || !(general || strchr("eE", conversion->letter)) ||
        significant > SIGNIFICANT_MOST || !isfinite(value) ||
        !round_to(fabs(value), significant, &decimal))
        return 0;
    int places = significant - 1; /* of the fraction */
    if (general && decimal.exponent >= -4 && decimal.exponent < significant)
        places -= decimal.exponent;
    else
        put_exponent(&letters, decimal.exponent, upper ? 'E' : 'e');
    for (; general && places > 0 && decimal.digits % 10 == 0; places--)
        decimal.digits /= 10;
    const uint64_t whole = put_digits(&letters, decimal.digits, places);
    if (places > 0)
        put(&letters, '.');
    put_decimal(&letters, whole);
    return finish(out, &letters, conversion, signbit(value));
}
