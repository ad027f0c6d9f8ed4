/* JSON as text: byte for byte what jansson would write, for every kind of value at every depth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/base.h"
#include "report/json_text.h"

#include <stdlib.h>
#include <string.h>

enum { LIKE_JANSSON = JSON_INDENT(1) | JSON_REAL_PRECISION(6) | JSON_ENCODE_ANY };

static char *text_of(json_t *value, uint32_t depth) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    json_text(value, depth, out);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(strlen(text), size);
    return text;
}

/* Drops the value. */
static void assert_like_jansson(json_t *value) {
    char *ours = text_of(value, 0), *theirs = json_dumps(value, LIKE_JANSSON);
    assert_non_null(theirs);
    assert_string_equal(ours, theirs);
    free(ours);
    free(theirs);
    json_decref(value);
}

static void test_scalars(void **state) {
    static const json_int_t integers[] = {0, 1, -1, 9, 10, -10, 99, 100, INT64_MAX, INT64_MIN};
    static const double reals[] = {0.0, -0.0, 1.0, 0.1, 1e300, -2.5e-9, 123456.789, 1e15};
    (void)state;
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
        assert_like_jansson(json_integer(integers[i]));
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        assert_like_jansson(json_real(reals[i]));
    assert_like_jansson(json_true());
    assert_like_jansson(json_false());
    assert_like_jansson(json_null());
}

/* Each byte that has a meaning in JSON, alone and within others; texts beyond ASCII. */
static void test_strings(void **state) {
    static const char *const texts[] = {"", "a", "/", "\x7f", "π", "\xf0\x9f\x98\x80", "a\"b\\c"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_like_jansson(json_string(texts[i]));
    for (int byte = 0; byte < 128; byte++) {
        const char text[] = {'<', (char)byte, '>'};
        assert_like_jansson(json_stringn(text + 1, 1));
        assert_like_jansson(json_stringn(text, sizeof text));
        if (byte)
            assert_like_jansson(json_pack("{s%:i}", text, sizeof text, byte));
    }
}

static void test_nested(void **state) {
    (void)state;
    assert_like_jansson(json_array());
    assert_like_jansson(json_object());
    assert_like_jansson(json_pack("[[],{},[[]],[{}],{s:[]},{s:{}}]", "a", "b"));
    assert_like_jansson(
        json_pack("{s:i,s:[i,f,s],s:{s:n,s:b}}", "z", 1, "a", 2, 0.5, "\n", "m", "none", "b", 1));
}

/* What is a part of another value has its lines moved in, but not the first. */
static void test_depth(void **state) {
    (void)state;
    json_t *value = json_pack("{s:[i,i],s:{}}", "a", 1, 2, "b");
    char *text = text_of(value, 2);
    assert_string_equal(text, "{\n   \"a\": [\n    1,\n    2\n   ],\n   \"b\": {}\n  }");
    free(text);
    json_decref(value);
}

/* A stream that takes no more: nothing is lost silently, since the stream says so. */
static void test_full(void **state) {
    (void)state;
    char room[4];
    FILE *out = fmemopen(room, sizeof room, "w");
    json_t *value = json_pack("[s,i,s]", "a text that is longer", 5, "\n\n\n\n\n\n\n\n");
    assert_non_null(out);
    setbuf(out, NULL);
    json_text(value, 0, out);
    assert_true(ferror(out) != 0);
    fclose(out);
    json_decref(value);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scalars), cmocka_unit_test(test_strings),
        cmocka_unit_test(test_nested), cmocka_unit_test(test_depth), cmocka_unit_test(test_full)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
