/* What a matrix product computes, by the shape that its spelling names: ".m16n8k16" in PTX; "HMMA.16816", "DMMA.8x8x4" and
 * "HGMMA.64x128x16" in machine code (PTX ISA, "Matrix multiply-accumulate"; nvdisasm spells shapes so). */
#include "isa/isa.h"

#include <string.h>

/* Digits at *at; 0: there are none. */
static uint32_t number_at(Str text, size_t *at, size_t digits_most) {
    uint32_t value = 0;
    for (size_t i = 0; i < digits_most && *at < text.length; i++, ++*at) {
        const char digit = text.at[*at];
        if (digit < '0' || digit > '9')
            break;
        value = 10 * value + (uint32_t)(digit - '0');
    }
    return value;
}

static bool take(Str text, size_t *at, char letter) {
    const bool is = *at < text.length && text.at[*at] == letter;
    *at += is;
    return is;
}

/* "m16n8k16", "64x128x16". */
static uint64_t product_at(Str text, size_t at, const char letters[3]) {
    if (letters[0] && !take(text, &at, letters[0]))
        return 0;
    const uint64_t m = number_at(text, &at, 3);
    if (!m || !take(text, &at, letters[1]))
        return 0;
    const uint64_t n = number_at(text, &at, 3);
    return n && take(text, &at, letters[2]) ? m * n * number_at(text, &at, 3) : 0;
}

/* "16816": 16, 8 and 16; "884": 8, 8 and 4. */
static uint64_t packed_at(Str text, size_t at) {
    const bool long_rows = at < text.length && text.at[at] == '1';
    const uint64_t m = number_at(text, &at, long_rows ? 2 : 1), n = number_at(text, &at, 1);
    return (m == 16 || m == 8) && n == 8 ? m * n * number_at(text, &at, 3) : 0;
}

uint64_t matrix_operations(Str text) {
    static const char ptx[3] = {'m', 'n', 'k'}, machine[3] = {0, 'x', 'x'};
    const char *blank = memchr(text.at, ' ', text.length);
    const Str name = {text.at, blank ? (size_t)(blank - text.at) : text.length};
    for (size_t i = 0; i + 1 < name.length; i++) {
        if (name.at[i] != '.')
            continue;
        uint64_t product = product_at(name, i + 1, ptx);
        product = product ? product : product_at(name, i + 1, machine);
        product = product ? product : packed_at(name, i + 1);
        if (product)
            return 2 * product;
    }
    return 0;
}
