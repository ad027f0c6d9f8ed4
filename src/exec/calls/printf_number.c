/* Numbers as printf writes them: integers and %f, with flags - and 0. Floods of printf are mostly this, and the C library
 * takes several times as long. */
#include "exec/calls/printf.h"

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
