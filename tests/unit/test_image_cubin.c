/* What is declared of a cubin without PTX, and that none of its bytes is believed: every file that is cut short, and many with
 * changed bytes, give a text or an error. The cubin is composed here, as nvcc 13.0 makes them for
 *
 *   __constant__ int table[2] = {1, 2}; __device__ int word = 7; __device__ int *place = &word; __device__ int zero[4];
 *   __global__ void __launch_bounds__(256) k(int *, T, char)      T: 16 bytes, __align__(64)      shared memory: 1040 - 1024 */
#include "image/image.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define SourceLocation CmockaSourceLocation /* cmocka.h has one of its own */
#include <cmocka.h>
#undef SourceLocation

enum { NAMES = 1, STRINGS, SYMBOLS, INFO, KERNEL, TEXT, CONSTANT, INIT, RELA, GLOBAL, SHARED, ALL };

typedef struct Cubin {
    uint8_t bytes[4096];
    size_t count;
} Cubin;

static size_t put(Cubin *cubin, const void *data, size_t size) {
    const size_t at = cubin->count;
    assert_true(at + size <= sizeof cubin->bytes);
    memcpy(cubin->bytes + at, data, size);
    cubin->count += size;
    return at;
}

static const char strings[] =
    "\0_Z1kPi1Tc\0table\0word\0place\0zero\0vprintf"; /* at 1, 11, 17, 22, 28, 33 */
static const char names[] = "\0.symtab\0.strtab\0.nv.info\0.nv.info._Z1kPi1Tc\0.text._Z1kPi1Tc\0"
                            ".nv.constant3\0.nv.global.init\0.rela.nv.global.init\0.nv.global\0"
                            ".nv.shared._Z1kPi1Tc";

static uint32_t name_at(const char *name) {
    for (size_t at = 1; at < sizeof names; at += strlen(names + at) + 1)
        if (strcmp(names + at, name) == 0)
            return (uint32_t)at;
    fail_msg("there is no section %s", name);
    return 0;
}

static Elf64_Sym symbol(uint32_t name, int type, uint8_t other, uint16_t section, uint64_t value,
                        uint64_t size) {
    return (Elf64_Sym){.st_name = name,
                       .st_info = (unsigned char)ELF64_ST_INFO(STB_GLOBAL, type),
                       .st_other = other,
                       .st_shndx = section,
                       .st_value = value,
                       .st_size = size};
}

static void add(Cubin *cubin, Elf64_Shdr *header, const char *name, uint32_t type, const void *data,
                size_t size) {
    while (cubin->count % 8)
        cubin->count++;
    *header = (Elf64_Shdr){.sh_name = name ? name_at(name) : 0, .sh_type = type, .sh_size = size};
    header->sh_offset = type == SHT_NOBITS ? cubin->count : put(cubin, data, size);
}

static void compose(Cubin *cubin) {
    enum { ENTRY = 0x10 };
    static const uint8_t info[] = {4, 0x2f, 8, 0, 1, 0, 0, 0, 24, 0, 0, 0,
                                   4, 0x12, 8, 0, 1, 0, 0, 0, 40, 0, 0, 0};
    static const uint8_t kernel[] = {
        4, 0x17, 12,   0, 0, 0,    0, 0, 2,    0,    0x40, 0,
        0, 0xf0, 0x05, 0, /* char at 0x40 */
        4, 0x17, 12,   0, 0, 0,    0, 0, 1,    0,    0x30, 0,
        0, 0xf0, 0x41, 0, /* 16 bytes at 0x30 */
        4, 0x45, 12,   0, 0, 0,    0, 0, 0,    0,    0,    0,
        8, 0,    0,    0,                                     /* 8 bytes at 0 */
        3, 0x1b, 255,  0, 2, 0x4c, 1, 0, 1,    0x3e, 0,    0, /* others */
        4, 0x0a, 8,    0, 0, 0,    0, 0, 0x10, 2,    0x41, 0, /* they begin at 0x210 */
        4, 0x05, 12,   0, 0, 1,    0, 0, 1,    0,    0,    0,
        1, 0,    0,    0};
    static const uint8_t table[] = {1, 0, 0, 0, 2, 0, 0, 0}, code[16] = {0};
    static const uint8_t init[] = {7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    const Elf64_Sym symbols[] = {
        {0},
        symbol(1, STT_FUNC, ENTRY, TEXT, 0, 16),
        symbol(11, STT_OBJECT, 0, CONSTANT, 0, 8),
        symbol(17, STT_OBJECT, 0, INIT, 0, 4),
        symbol(22, STT_OBJECT, 0, INIT, 8, 8),
        symbol(28, STT_OBJECT, 0, GLOBAL, 0, 16),
        symbol(33, STT_FUNC, 0, SHN_UNDEF, 0, 0),
    };
    const Elf64_Rela rela = {.r_offset = 8, .r_info = ELF64_R_INFO(3, 4), .r_addend = 0};
    Elf64_Ehdr header = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                         .e_type = ET_EXEC,
                         .e_machine = 190,
                         .e_flags = 90,
                         .e_shentsize = sizeof(Elf64_Shdr),
                         .e_shnum = ALL,
                         .e_shstrndx = NAMES};
    Elf64_Shdr headers[ALL] = {0};
    put(cubin, &header, sizeof header);
    add(cubin, &headers[NAMES], NULL, SHT_STRTAB, names, sizeof names);
    add(cubin, &headers[STRINGS], ".strtab", SHT_STRTAB, strings, sizeof strings);
    add(cubin, &headers[SYMBOLS], ".symtab", SHT_SYMTAB, symbols, sizeof symbols);
    headers[SYMBOLS].sh_link = STRINGS;
    add(cubin, &headers[INFO], ".nv.info", SHT_LOPROC, info, sizeof info);
    add(cubin, &headers[KERNEL], ".nv.info._Z1kPi1Tc", SHT_LOPROC, kernel, sizeof kernel);
    add(cubin, &headers[TEXT], ".text._Z1kPi1Tc", SHT_PROGBITS, code, sizeof code);
    add(cubin, &headers[CONSTANT], ".nv.constant3", SHT_PROGBITS, table, sizeof table);
    add(cubin, &headers[INIT], ".nv.global.init", SHT_PROGBITS, init, sizeof init);
    add(cubin, &headers[RELA], ".rela.nv.global.init", SHT_RELA, &rela, sizeof rela);
    add(cubin, &headers[GLOBAL], ".nv.global", SHT_NOBITS, NULL, 16);
    add(cubin, &headers[SHARED], ".nv.shared._Z1kPi1Tc", SHT_NOBITS, NULL, 1040);
    while (cubin->count % 8)
        cubin->count++;
    header.e_shoff = put(cubin, headers, sizeof headers);
    memcpy(cubin->bytes, &header, sizeof header);
}

static void what_it_has_is_declared(void **state) {
    (void)state;
    static const char wanted[] =
        "// There is no PTX: this declares what the machine code has.\n"
        ".version 9.0\n.target sm_90\n.address_size 64\n\n"
        ".visible .const .align 256 .b8 table[8] = {1,0,0,0,2};\n"
        ".visible .global .align 16 .b8 word[4] = {7};\n"
        ".extern .global .align 16 .b64 place[1];\n"
        ".visible .global .align 16 .b8 zero[16];\n"
        ".visible .global .align 16 .b64 place[1] = {generic(word)+0};\n"
        ".extern .func (.param .b32 result) vprintf (.param .b64 p0, .param .b64 p1);\n\n"
        ".visible .entry _Z1kPi1Tc(\n\t.param .b64 _Z1kPi1Tc_param_0,\n"
        "\t.param .align 64 .b8 _Z1kPi1Tc_param_1[16],\n\t.param .b8 _Z1kPi1Tc_param_2\n)\n"
        ".maxntid 256, 1, 1\n.explicitcluster\n{\n\t.shared .align 16 .b8 static_shared[16];\n"
        "\t.extern .shared .align 16 .b8 dynamic_shared[];\n\ttrap;\n}\n";
    Cubin cubin = {.count = 0};
    compose(&cubin);
    Arena *arena = arena_new();
    Diags *diags = diags_new(arena);
    PtxText text = {0};
    CubinResources resources;
    assert_true(cubin_declare(arena, "x", cubin.bytes, cubin.count, (Arch){90, 0}, &text, diags));
    assert_string_equal(text.text, wanted);
    assert_ptr_equal(text.origin.cubin, cubin.bytes);
    assert_non_null(ptx_parse(arena, "x", text.text, text.length, NULL, diags));
    assert_true(cubin_resources(cubin.bytes, cubin.count, "_Z1kPi1Tc", &resources));
    assert_int_equal(resources.registers, 24);
    assert_int_equal(resources.stack_bytes, 40);
    uint32_t kernels;
    assert_string_equal(cubin_functions(arena, cubin.bytes, cubin.count, "_Z1kPi1Tc", &kernels),
                        "1");
    assert_int_equal(kernels, 1);
    arena_free(arena);
}

/* In memory of its own size, so that what is read behind it is found. */
static bool declares(const uint8_t *bytes, size_t size) {
    Arena *arena = arena_new();
    Diags *diags = diags_new(arena);
    PtxText text = {0};
    CubinResources resources;
    uint32_t kernels;
    uint8_t *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    const bool good = cubin_declare(arena, "x", copy, size, (Arch){90, 0}, &text, diags);
    assert_true(good == (text.text != NULL));
    assert_true(good || diags->errors > 0);
    cubin_resources(copy, size, "_Z1kPi1Tc", &resources);
    cubin_functions(arena, copy, size, "_Z1kPi1Tc", &kernels);
    free(copy);
    arena_free(arena);
    return good;
}

static void bytes_are_not_believed(void **state) {
    (void)state;
    Cubin cubin = {.count = 0};
    compose(&cubin);
    for (size_t size = 0; size < cubin.count; size++)
        assert_false(declares(cubin.bytes, size));
    uint32_t refused = 0;
    for (size_t at = 0; at < cubin.count; at++) {
        for (int value = 0; value < 3; value++) {
            Cubin changed = cubin;
            changed.bytes[at] = (uint8_t)(value == 0 ? 0xff : changed.bytes[at] + 2 * value - 3);
            refused += !declares(changed.bytes, changed.count);
        }
    }
    assert_true(refused > 100);
}

/* The byte at an offset of a section, changed: the error. */
static void assert_refused(const char *part, const uint8_t *mark, size_t length, size_t offset,
                           uint8_t value) {
    Cubin cubin = {.count = 0};
    compose(&cubin);
    uint8_t *at = memmem(cubin.bytes, cubin.count, mark, length);
    assert_non_null(at);
    at[offset] = value;
    Arena *arena = arena_new();
    Diags *diags = diags_new(arena);
    PtxText text = {0};
    assert_false(cubin_declare(arena, "x", cubin.bytes, cubin.count, (Arch){90, 0}, &text, diags));
    if (!strstr(diags->list.at[0].message, part))
        fail_msg("'%s' is not in: %s", part, diags->list.at[0].message);
    arena_free(arena);
}

static void what_is_wrong_is_said(void **state) {
    (void)state;
    static const uint8_t second[] = {4, 0x17, 12, 0, 0, 0, 0, 0, 1, 0, 0x30};
    static const uint8_t shape[] = {4, 0x05, 12, 0}, place[] = {4, 0x0a, 8, 0};
    assert_refused("a parameter is cut short", second, sizeof second, 2, 4);
    assert_refused("a parameter is there twice", second, sizeof second, 8, 2);
    assert_refused("a parameter lies beyond what a kernel may have", second, sizeof second, 11,
                   0x80);
    assert_refused("lies where none can lie, at byte 49", second, sizeof second, 10, 0x31);
    assert_refused("begin at byte 0x310 of their bank, not at 0x210", place, sizeof place, 9, 3);
    assert_refused("an attribute is cut short", shape, sizeof shape, 2, 200);
    assert_refused("a shape is cut short or too large", shape, sizeof shape, 7, 9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_it_has_is_declared),
        cmocka_unit_test(bytes_are_not_believed),
        cmocka_unit_test(what_is_wrong_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
