/* Arguments as text: what they put where, and how they say that they cannot be used. */
#include "session/element.h"
#include "session/session.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SourceLocation CmockaSourceLocation /* cmocka.h has one of its own */
#include <cmocka.h>

static const char text[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                           ".entry k(.param .u64 array, .param .u64 inside, .param .f32 factor,\n"
                           "         .param .align 4 .b8 pair[8])\n{ ret; }\n";

typedef struct Fixture {
    Arena *arena;
    Diags *diags;
    Inputs inputs;
    Session *session;
    const Function *kernel;
} Fixture;

static Fixture begin(void) {
    Fixture it = {.arena = arena_new()};
    it.diags = diags_new(it.arena);
    assert_true(inputs_add(it.arena, &it.inputs, "test.ptx", text, strlen(text),
                           gpu_named(str_of("h100")), it.diags));
    return it;
}

static void load(Fixture *it) {
    it->session = session_new(it->arena, gpu_named(str_of("h100")), &it->inputs, it->diags);
    it->kernel = session_kernel(it->session, 0, "k", it->diags)->function;
}

static void end(Fixture *it) {
    session_free(it->session);
    arena_free(it->arena);
}

static void values_are_where_the_kernel_reads_them(void **state) {
    (void)state;
    static const char *const texts[] = {"i32[8]=iota", "@0+8", "f32=1.5", "bytes=0102030405060708"};
    Fixture it = begin();
    load(&it);
    const Arguments *arguments =
        arguments_make(it.arena, it.kernel, texts, 4, false, it.session->memory, it.diags);
    assert_non_null(arguments);
    uint64_t at, inside;
    float factor;
    memcpy(&at, arguments->params + it.kernel->params.at[0]->offset, 8);
    memcpy(&inside, arguments->params + it.kernel->params.at[1]->offset, 8);
    memcpy(&factor, arguments->params + it.kernel->params.at[2]->offset, 4);
    assert_true(inside == at + 8 && factor == 1.5f);
    assert_int_equal(arguments->params[it.kernel->params.at[3]->offset + 7], 8);
    assert_int_equal(((int32_t *)memory_host(it.session->memory, inside))[0], 2);
    end(&it);
}

static void errors_name_no_option(void **state) {
    (void)state;
    static const struct {
        uint32_t index;
        const char *text, *why;
    } cases[] = {
        {0, "i32[", "expected TYPE[COUNT]"},
        {0, "i32[0]", "a number of elements"},
        {0, "i32[4]=x", "cannot fill"},
        {0, "i33[4]", "unknown type"},
        {0, "u32[99999999999999999]", "no memory for this array"},
        {0, "f64[1]=none.npy", "none.npy: No such"},
        {0, "@0", "not the number of an earlier"},
        {1, "@0+8", "not the number of an earlier"},
        {1, "@", "the number of an earlier array"},
        {2, "i32=1", "is an integer, the parameter a"},
        {2, "f64=1", "another size"},
        {2, "f32=x", "not one of this type"},
        {3, "bytes=0", "pairs of hexadecimal"},
        {3, "bytes=00", "another size"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Fixture it = begin();
        load(&it);
        Arguments *arguments = arguments_new(it.arena, it.kernel);
        assert_false(arguments_set(it.arena, arguments, cases[i].index, cases[i].text,
                                   it.session->memory, it.diags));
        char *said = NULL;
        size_t size;
        FILE *out = open_memstream(&said, &size);
        diags_print(it.diags, out, false);
        fclose(out);
        if (!strstr(said, cases[i].why) || strstr(said, "--"))
            fail_msg("%s: %s", cases[i].text, said);
        free(said);
        end(&it);
    }
}

static void arrays_go_to_files_and_are_compared(void **state) {
    (void)state;
    char path[] = "/tmp/array-XXXXXX.npy";
    Fixture it = begin();
    Comparison found;
    load(&it);
    Memory *memory = it.session->memory;
    Arguments *arguments = arguments_new(it.arena, it.kernel);
    close(mkstemps(path, 4));
    assert_true(arguments_set(it.arena, arguments, 0, "f32[16]=random:3", memory, it.diags));
    assert_true(arguments_dump(arguments, 0, memory, path, it.diags));
    assert_true(arguments_compare(it.arena, arguments, 0, memory, path, 0, 0, &found, it.diags));
    assert_true(found.count == 16 && found.differ == 0);
    ((float *)memory_host(memory, arguments->list[0].address))[5] += 1;
    assert_true(arguments_compare(it.arena, arguments, 0, memory, path, 0, 0.5, &found, it.diags));
    assert_true(found.differ == 1 && found.first == 5 && found.got > found.expected);
    assert_true(arguments_compare(it.arena, arguments, 0, memory, path, 0, 2, &found, it.diags));
    assert_int_equal(found.differ, 0);
    assert_true(arguments_set(it.arena, arguments, 0, "u8[16]", memory, it.diags));
    assert_false(arguments_compare(it.arena, arguments, 0, memory, path, 0, 0, &found, it.diags));
    assert_false(arguments_dump(arguments, 2, memory, path, it.diags));
    unlink(path);
    end(&it);
}

/* The top bits of splitmix64, as many as the type holds, exactly. */
static void random_floats_are_top_bits(void **state) {
    (void)state;
    static const struct {
        Type type;
        int bits;
    } floats[] = {{TYPE_F64, 53}, {TYPE_F32, 24}, {TYPE_F16, 11}, {TYPE_BF16, 8}};
    enum { COUNT = 4096 };
    static double values[COUNT];
    Arena *arena = arena_new();
    for (size_t t = 0; t < sizeof floats / sizeof *floats; t++) {
        const Type type = floats[t].type;
        uint64_t seed = 7;
        assert_true(array_fill(arena, values, type, COUNT, "random:7", "", diags_new(arena)));
        for (uint32_t i = 0; i < COUNT; i++) {
            double top = (double)(random_next(&seed) >> (64 - floats[t].bits));
            double expected = ldexp(top, -floats[t].bits);
            double is = element_value(type, (char *)values + i * type_bytes(type));
            if (is != expected)
                fail_msg("%s: element %u is %a, and should be %a", type_name(type), i, is,
                         expected);
        }
    }
    arena_free(arena);
}

/* Each element as a number, of every width: the top bits of splitmix64, 0, 1, 2 …, or one value, up to the end and not behind it. */
static void integers_are_filled(void **state) {
    (void)state;
    static const struct {
        Type type;
        const char *value;
        uint64_t bits;
    } rows[] = {{TYPE_U8, "0xa5", 0xa5},
                {TYPE_S16, "-2", 0xfffe},
                {TYPE_B32, "0x12345678", 0x12345678},
                {TYPE_F32, "1.5", 0x3fc00000},
                {TYPE_U64, "0x123456789abcdef0", 0x123456789abcdef0}};
    enum { COUNT = 40011, END = 0x77 };
    static uint8_t values[8 * COUNT + 1];
    Arena *arena = arena_new();
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const Type type = rows[r].type;
        const uint32_t bytes = type_bytes(type);
        for (uint32_t how = type_is_float(type) ? 2 : 0; how < 3; how++) {
            const char *fill = how == 0 ? "random:0x99" : how == 1 ? "iota" : rows[r].value;
            uint64_t seed = 0x99;
            values[bytes * COUNT] = END;
            assert_true(array_fill(arena, values, type, COUNT, fill, "", diags_new(arena)));
            assert_int_equal(values[bytes * COUNT], END);
            for (uint64_t i = 0; i < COUNT; i++) {
                const uint64_t number = random_next(&seed) >> (64 - 8 * bytes);
                const uint64_t expected = how == 0 ? number : how == 1 ? i : rows[r].bits;
                if (memcmp(values + i * bytes, &expected, bytes) != 0)
                    fail_msg("%s, %s: element %u", type_name(type), fill, (uint32_t)i);
            }
        }
    }
    arena_free(arena);
}

/* As IEEE 754 rounds them: to nearest even, once. */
static void values_have_their_bits(void **state) {
    (void)state;
    static const struct {
        Type type;
        const char *text;
        uint64_t bits;
    } rows[] = {
        {TYPE_F16, "0", 0},
        {TYPE_F16, "-0", 0x8000},
        {TYPE_F16, "1", 0x3c00},
        {TYPE_F16, "-2.5", 0xc100},
        {TYPE_F16, "65504", 0x7bff},
        {TYPE_F16, "65519.99", 0x7bff},
        {TYPE_F16, "65520", 0x7c00},
        {TYPE_F16, "-1e30", 0xfc00},
        {TYPE_F16, "inf", 0x7c00},
        {TYPE_F16, "-inf", 0xfc00},
        {TYPE_F16, "nan", 0x7fff},
        {TYPE_F16, "6.103515625e-05", 0x0400},        /* the least normal one */
        {TYPE_F16, "6.1005353927612305e-05", 0x0400}, /* rounds up to it */
        {TYPE_F16, "5.960464477539063e-08", 0x0001},
        {TYPE_F16, "2.9802322387695312e-08", 0x0000}, /* half of it: to even */
        {TYPE_F16, "2.98023224e-08", 0x0001},
        {TYPE_F16, "1e-300", 0},
        {TYPE_F16, "1.00048828125", 0x3c00},      /* between two: to even */
        {TYPE_F16, "1.0004882812500002", 0x3c01}, /* above it, by less than a float tells */
        {TYPE_F16, "2047.5", 0x6800},             /* carries */
        {TYPE_BF16, "1", 0x3f80},
        {TYPE_BF16, "-3.140625", 0xc049},
        {TYPE_BF16, "1.00390625", 0x3f80},
        {TYPE_BF16, "1.0039062500000002", 0x3f81},
        {TYPE_BF16, "3.3895313892515355e38", 0x7f7f},
        {TYPE_BF16, "3.4e38", 0x7f80},
        {TYPE_BF16, "1e300", 0x7f80},
        {TYPE_BF16, "1e-40", 0x0001},
        {TYPE_BF16, "nan", 0x7fff},
        {TYPE_F32, "1.0000000596046448",
         0x3f800001}, /* above the middle, which a double takes it for */
        {TYPE_F32, "1.000000059604644775390625", 0x3f800000},
        {TYPE_F32, "1e39", 0x7f800000},
        {TYPE_F64, "0.1", 0x3fb999999999999a},
        {TYPE_U8, "255", 255},
        {TYPE_S8, "-128", 0x80},
        {TYPE_S16, "0x7fff", 0x7fff},
        {TYPE_B16, "-1", 0xffff},
        {TYPE_B16, "65535", 0xffff},
        {TYPE_U64, "18446744073709551615", UINT64_MAX},
        {TYPE_S64, "-9223372036854775808", UINT64_C(1) << 63},
    };
    static const struct {
        Type type;
        const char *text;
    } wrong[] = {{TYPE_U8, "256"},
                 {TYPE_U8, "-1"},
                 {TYPE_S8, "128"},
                 {TYPE_S8, "-129"},
                 {TYPE_U32, ""},
                 {TYPE_U32, "1.5"},
                 {TYPE_U32, "x"},
                 {TYPE_U64, " -5"},
                 {TYPE_U64, "-1"},
                 {TYPE_F32, ""},
                 {TYPE_F32, "1x"},
                 {TYPE_F32, " 1"},
                 {TYPE_F16, "one"},
                 {TYPE_B16, "-32769"},
                 {TYPE_B16, "65536"},
                 {TYPE_U64, "18446744073709551616"},
                 {TYPE_S64, "-9223372036854775809"}};
    uint64_t bits;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bits = 0;
        if (!element_parse(rows[i].type, rows[i].text, &bits) || bits != rows[i].bits)
            fail_msg("%s %s: %llx", type_name(rows[i].type), rows[i].text,
                     (unsigned long long)bits);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (element_parse(wrong[i].type, wrong[i].text, &bits))
            fail_msg("%s takes '%s'", type_name(wrong[i].type), wrong[i].text);
}

static void tolerance_is_of_finite_numbers(void **state) {
    (void)state;
    static const struct {
        Type type;
        const char *a, *b;
        double rtol, atol;
        bool agree;
    } rows[] = {
        {TYPE_F32, "1", "1", 0, 0, true},          {TYPE_F32, "1", "1.001", 0, 0, false},
        {TYPE_F32, "1", "1.001", 1e-2, 0, true},   {TYPE_F32, "0", "1e-9", 1e-2, 0, false},
        {TYPE_F32, "0", "1e-9", 0, 1e-8, true},    {TYPE_F32, "5", "inf", 1e-2, 0, false},
        {TYPE_F32, "inf", "5", 1e-2, 1, false},    {TYPE_F64, "-inf", "inf", 1e-2, 1, false},
        {TYPE_F64, "inf", "inf", 1e-2, 1, true},   {TYPE_F64, "nan", "-nan", 0, 0, true},
        {TYPE_F64, "nan", "1", 1, 1, false},       {TYPE_F16, "6e-8", "0", 0, 1e-6, true},
        {TYPE_F16, "-inf", "-65504", 1, 0, false}, {TYPE_BF16, "-2", "-2.015625", 1e-2, 0, true},
        {TYPE_S32, "1", "2", 1, 1, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t a = 0, b = 0;
        assert_true(element_parse(rows[i].type, rows[i].a, &a));
        assert_true(element_parse(rows[i].type, rows[i].b, &b));
        if (elements_agree(rows[i].type, &a, &b, rows[i].rtol, rows[i].atol) != rows[i].agree)
            fail_msg("%s: %s and %s", type_name(rows[i].type), rows[i].a, rows[i].b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_where_the_kernel_reads_them),
        cmocka_unit_test(errors_name_no_option),
        cmocka_unit_test(arrays_go_to_files_and_are_compared),
        cmocka_unit_test(random_floats_are_top_bits),
        cmocka_unit_test(integers_are_filled),
        cmocka_unit_test(values_have_their_bits),
        cmocka_unit_test(tolerance_is_of_finite_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
