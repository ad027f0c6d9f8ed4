/* JSON values as text, as jansson writes them (JSON_INDENT(1), JSON_REAL_PRECISION(6)), and several times as fast: a report of
 * 100,000 launches is half a gigabyte of small integers. What is seldom (strings with escapes, reals) is left to jansson. It goes as
 * deep as the documents that we make. */
#include "report/json_text.h"

#include <stdbool.h>
#include <string.h>

enum { FORMAT = JSON_REAL_PRECISION(6) | JSON_ENCODE_ANY };

static int put(const char *text, size_t size, void *out) {
    return fwrite_unlocked(text, 1, size, out) == size ? 0 : -1;
}

static void put_integer(json_int_t value, FILE *out) {
    enum { DIGITS_MOST = 20 };
    char text[DIGITS_MOST], *at = text + DIGITS_MOST;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do
        *--at = (char)('0' + rest % 10);
    while (rest /= 10);
    if (value < 0)
        *--at = '-';
    put(at, (size_t)(text + DIGITS_MOST - at), out);
}

static bool is_plain(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < ' ' || text[i] == '"' || text[i] == '\\')
            return false;
    return true;
}

static void put_plain(const char *text, size_t length, FILE *out) {
    putc_unlocked('"', out);
    put(text, length, out);
    putc_unlocked('"', out);
}

static void put_string(const json_t *string, FILE *out) {
    const char *text = json_string_value(string);
    size_t length = json_string_length(string);
    if (is_plain(text, length))
        put_plain(text, length, out);
    else
        json_dump_callback(string, put, out, FORMAT);
}

/* Names of members are our own, or as plain. */
static void put_name(const char *name, FILE *out) {
    json_t *string = is_plain(name, strlen(name)) ? NULL : json_string(name);
    if (string)
        json_dump_callback(string, put, out, FORMAT);
    else
        put_plain(name, strlen(name), out);
    json_decref(string);
    put(": ", 2, out);
}

static void put_line(uint32_t depth, FILE *out) {
    putc_unlocked('\n', out);
    for (uint32_t i = 0; i < depth; i++)
        putc_unlocked(' ', out);
}

static void put_object(json_t *object, uint32_t depth, FILE *out) {
    const char *name;
    json_t *member;
    char before = '{';
    json_object_foreach(object, name, member) {
        putc_unlocked(before, out);
        put_line(depth + 1, out);
        put_name(name, out);
        json_text(member, depth + 1, out);
        before = ',';
    }
    if (before == '{')
        putc_unlocked(before, out);
    else
        put_line(depth, out);
    putc_unlocked('}', out);
}

static void put_array(const json_t *array, uint32_t depth, FILE *out) {
    size_t count = json_array_size(array);
    putc_unlocked('[', out);
    for (size_t i = 0; i < count; i++) {
        if (i)
            putc_unlocked(',', out);
        put_line(depth + 1, out);
        json_text(json_array_get(array, i), depth + 1, out);
    }
    if (count)
        put_line(depth, out);
    putc_unlocked(']', out);
}

void json_text(json_t *value, uint32_t depth, FILE *out) {
    if (json_is_object(value))
        put_object(value, depth, out);
    else if (json_is_array(value))
        put_array(value, depth, out);
    else if (json_is_integer(value))
        put_integer(json_integer_value(value), out);
    else if (json_is_string(value))
        put_string(value, out);
    else
        json_dump_callback(value, put, out, FORMAT);
}
