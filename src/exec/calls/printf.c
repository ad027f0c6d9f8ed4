/* printf of kernels: vprintf(format, arguments), where the compiler has put the arguments into a local
 * array, each at its natural alignment, as the C language passes them to a function without a prototype
 * (CUDA C++ Programming Guide, "Formatted Output"). The host's own snprintf prints each of them that
 * printf_number.c does not. */
#include "exec/calls/printf.h"
#include "base/rescue.h"
#include "exec/calls/calls.h"
#include "exec/run/worker.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH_MOST = 65535 /* of one conversion; a kernel's bug should not ask for gigabytes */ };

typedef struct Text {
    char *at;
    size_t length, room;
    bool failed; /* out of memory: what follows is dropped */
} Text;

static void text_add(Text *text, const char *from, size_t length) {
    if (text->room - text->length < length + 1) {
        size_t larger = 2 * text->room + length + 64;
        char *moved = realloc(text->at, larger);
        text->failed |= !moved;
        if (!moved)
            return;
        text->at = moved;
        text->room = larger;
    }
    memcpy(text->at + text->length, from, length);
    text->length += length;
}

/* The arguments of one lane. */
typedef struct Arguments {
    const Warp *warp;
    uint32_t lane;
    uint64_t address, offset;
    uint32_t count;
} Arguments;

/* The next one, of 4 or 8 bytes; 0 where the array ends. */
static uint64_t next_argument(Arguments *arguments, uint32_t bytes) {
    uint64_t value = 0, room;
    arguments->offset = (arguments->offset + bytes - 1) & ~(uint64_t)(bytes - 1);
    const uint8_t *at = lane_memory(arguments->warp, arguments->lane,
                                    arguments->address + arguments->offset, &room);
    if (at && room >= bytes)
        memcpy(&value, at, bytes);
    arguments->offset += bytes;
    arguments->count++;
    return value;
}

static int number_or_star(const char **at, const char *end, Arguments *arguments) {
    int value = 0;
    if (*at < end && **at == '*') {
        ++*at;
        value = (int)(uint32_t)next_argument(arguments, 4);
    }
    while (*at < end && **at >= '0' && **at <= '9' && value <= WIDTH_MOST)
        value = value * 10 + (*(*at)++ - '0');
    return value;
}

static int limited(int value) {
    return value > WIDTH_MOST ? WIDTH_MOST : value;
}

static const char *parse_conversion(const char *at, const char *end, Arguments *arguments,
                                    Conversion *conversion) {
    *conversion = (Conversion){.width = -1, .precision = -1};
    size_t flags = 0;
    for (; at < end && strchr("-+ #0", *at); at++)
        if (!memchr(conversion->flags, *at, flags))
            conversion->flags[flags++] = *at;
    if (at < end && (*at == '*' || (*at >= '1' && *at <= '9')))
        conversion->width = number_or_star(&at, end, arguments);
    if (conversion->width < -1 || (conversion->width == -1 && at[-1] == '*')) {
        conversion->width = conversion->width < -WIDTH_MOST ? WIDTH_MOST : -conversion->width;
        if (!memchr(conversion->flags, '-', flags))
            conversion->flags[flags++] = '-';
    }
    if (at < end && *at == '.') {
        at++;
        conversion->precision = number_or_star(&at, end, arguments);
    }
    conversion->width = limited(conversion->width);
    conversion->precision = limited(conversion->precision);
    for (; at < end && strchr("hlqjzt", *at); at++) {
        conversion->wide |= *at != 'h';
        conversion->quarter |= conversion->half && *at == 'h';
        conversion->half |= *at == 'h';
    }
    conversion->letter = at < end ? *at++ : 0;
    return at;
}

/* snprintf's format for it: `length` before the letter. */
static void format_of(const Conversion *conversion, const char *length, char format[48]) {
    char width[16] = "", precision[16] = "";
    if (conversion->width >= 0)
        snprintf(width, sizeof width, "%d", conversion->width);
    if (conversion->precision >= 0)
        snprintf(precision, sizeof precision, ".%d", conversion->precision);
    snprintf(format, 48, "%%%s%s%s%s%c", conversion->flags, width, precision, length,
             conversion->letter);
}

#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static void print_long(Text *text, const Conversion *conversion, long long value) {
    char format[48], out[WIDTH_MOST + 64];
    format_of(conversion, "ll", format);
    text_add(text, out, (size_t)snprintf(out, sizeof out, format, value));
}

static void print_integer(Text *text, const Conversion *conversion, Arguments *arguments) {
    char number[NUMBER_MOST];
    bool is_signed = conversion->letter == 'd' || conversion->letter == 'i';
    uint64_t bits = next_argument(arguments, conversion->wide ? 8 : 4);
    uint32_t unused = conversion->wide ? 0 : conversion->quarter ? 56 : conversion->half ? 48 : 32;
    bits = is_signed ? (uint64_t)((int64_t)(bits << unused) >> unused) : bits << unused >> unused;
    const bool negative = is_signed && (int64_t)bits < 0;
    size_t length = number_print_integer(number, conversion, negative ? 0 - bits : bits, negative);
    if (length)
        text_add(text, number, length);
    else
        print_long(text, conversion, (long long)bits);
}

static void print_double(Text *text, const Conversion *conversion, double value) {
    char format[48], out[WIDTH_MOST + 400]; /* the largest double has 309 digits */
    format_of(conversion, "", format);
    text_add(text, out, (size_t)snprintf(out, sizeof out, format, value));
}

static void print_float(Text *text, const Conversion *conversion, Arguments *arguments) {
    char number[NUMBER_MOST];
    uint64_t bits = next_argument(arguments, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    size_t length = conversion->letter == 'f' ? number_print_fixed(number, conversion, value)
                                              : number_print_general(number, conversion, value);
    if (length)
        text_add(text, number, length);
    else
        print_double(text, conversion, value);
}

static void print_string(Text *text, const Conversion *conversion, Arguments *arguments) {
    uint64_t address = next_argument(arguments, 8);
    size_t length = 6;
    const char *string = "(null)";
    if (address)
        string = lane_string(arguments->warp, arguments->lane, address, &length);
    if (conversion->precision >= 0 && (size_t)conversion->precision < length)
        length = (size_t)conversion->precision;
    size_t width = conversion->width > 0 ? (size_t)conversion->width : 0;
    bool left = strchr(conversion->flags, '-') != NULL;
    for (size_t i = length; !left && i < width; i++)
        text_add(text, " ", 1);
    text_add(text, string, length);
    for (size_t i = length; left && i < width; i++)
        text_add(text, " ", 1);
}

static void print_letter(Text *text, const Conversion *conversion, Arguments *arguments) {
    char format[48], out[WIDTH_MOST + 64];
    const char letter = (char)next_argument(arguments, 4);
    if (conversion->width < 0) {
        text_add(text, &letter, 1);
        return;
    }
    format_of(conversion, "", format);
    text_add(text, out, (size_t)snprintf(out, sizeof out, format, letter));
}

static void print_pointer(Text *text, const Conversion *conversion, Arguments *arguments) {
    char format[48], out[WIDTH_MOST + 64];
    void *pointer = (void *)(uintptr_t)next_argument(arguments, 8);
    format_of(conversion, "", format);
    text_add(text, out, (size_t)snprintf(out, sizeof out, format, pointer));
}

/* "%" [flags] [width] ["." precision] [length] letter; what is no conversion is printed as it is. */
static const char *print_conversion(Text *text, const char *at, const char *end,
                                    Arguments *arguments) {
    Conversion conversion;
    const char *start = at;
    at = parse_conversion(at + 1, end, arguments, &conversion);
    if (!conversion.letter)
        text_add(text, start, (size_t)(at - start));
    else if (conversion.letter == '%')
        text_add(text, "%", 1);
    else if (strchr("diuxXo", conversion.letter))
        print_integer(text, &conversion, arguments);
    else if (strchr("fFeEgGaA", conversion.letter))
        print_float(text, &conversion, arguments);
    else if (conversion.letter == 's')
        print_string(text, &conversion, arguments);
    else if (conversion.letter == 'c')
        print_letter(text, &conversion, arguments);
    else if (conversion.letter == 'p')
        print_pointer(text, &conversion, arguments);
    else
        text_add(text, start, (size_t)(at - start));
    return at;
}

/* What printf returns: the number of arguments; -1 where there is no format. */
static int32_t print_lane(const Warp *warp, Text *text, uint32_t lane, uint64_t format,
                          uint64_t arguments_at) {
    Arguments arguments = {.warp = warp, .lane = lane, .address = arguments_at};
    size_t length;
    if (!format)
        return -1;
    const char *at = lane_string(warp, lane, format, &length), *end = at + length;
    while (at < end) {
        const char *percent = memchr(at, '%', (size_t)(end - at));
        size_t plain = percent ? (size_t)(percent - at) : (size_t)(end - at);
        text_add(text, at, plain);
        at += plain;
        if (percent)
            at = print_conversion(text, at, end, &arguments);
    }
    return (int32_t)arguments.count;
}

Step exec_vprintf(Warp *warp, const Code *code, uint32_t mask) {
    const Call *call = code->more;
    const Launch *launch = warp->worker->launch;
    Text text = {0};
    for_lanes(lane, mask) {
        int32_t count = print_lane(warp, &text, lane, call_argument(warp, call, 0, lane),
                                   call_argument(warp, call, 1, lane));
        call_set_result(warp, call, lane, (uint32_t)count);
    }
    if (launch->print && text.length) {
        lock_take(&warp->worker->run->print_lock);
        launch->print(launch->print_context, text.at, text.length);
        lock_give(&warp->worker->run->print_lock);
    }
    free(text.at);
    return STEP_NEXT;
}
