/* Fat binaries and ELF files that the test composes byte by byte: every packing, wrappers, cubins
 * with PTX, executables; and each of them cut short or broken at every byte. */
#include "image/image.h"

#include <elf.h>
#include <lz4.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define SourceLocation CmockaSourceLocation /* cmocka.h has one of its own */
#include <cmocka.h>
#undef SourceLocation

static const char ptx[] = ".version 8.0\n.target sm_75\n.address_size 64\n"
                          ".visible .entry first()\n{\n\tret;\n}\n"
                          ".visible .entry second()\n{\n\tret;\n}\n";

/* ---- composing ---- */

typedef struct Bytes {
    uint8_t at[16384];
    size_t count;
} Bytes;

static size_t put(Bytes *bytes, const void *data, size_t count) {
    size_t at = bytes->count;
    assert_true(count <= sizeof bytes->at - at);
    memcpy(bytes->at + at, data, count);
    bytes->count += count;
    return at;
}

static void put_number(Bytes *bytes, uint64_t value, size_t count) {
    put(bytes, &value, count);
}

static void pad(Bytes *bytes, size_t alignment) {
    while (bytes->count % alignment)
        put_number(bytes, 0, 1);
}

enum { LZ4_FLAG = 0x2000, ZSTD_FLAG = 0x8000, ARCH_FLAG = 0x100000, FAMILY_FLAG = 0x200000 };

static void put_entry(Bytes *bytes, unsigned kind, unsigned arch, unsigned flags, const char *data,
                      size_t length, const char *options) {
    char packed[4096];
    size_t stored = length, option_bytes = (strlen(options) + 8 + 7) / 8 * 8;
    if (flags & ZSTD_FLAG)
        stored = ZSTD_compress(packed, sizeof packed, data, length, 3);
    else if (flags & LZ4_FLAG)
        stored = (size_t)LZ4_compress_default(data, packed, (int)length, sizeof packed);
    else
        memcpy(packed, data, length);
    bool is_packed = flags & (ZSTD_FLAG | LZ4_FLAG);
    put_number(bytes, kind, 2);
    put_number(bytes, 0x0101, 2);
    put_number(bytes, 64 + option_bytes, 4);
    put_number(bytes, (stored + 7) / 8 * 8, 8);
    put_number(bytes, is_packed ? stored : 0, 4);
    put_number(bytes, 64, 4); /* the options follow the header */
    put_number(bytes, 0, 2);
    put_number(bytes, 8, 2);
    put_number(bytes, arch, 4);
    put_number(bytes, 0, 8);
    put_number(bytes, flags | 0x11, 8);
    put_number(bytes, 0, 8);
    put_number(bytes, is_packed ? length : 0, 8);
    put_number(bytes, 72, 4);
    put_number(bytes, strlen(options), 4);
    put(bytes, options, strlen(options));
    pad(bytes, 8);
    put(bytes, packed, stored);
    pad(bytes, 8);
}

static size_t begin_fatbin(Bytes *bytes) {
    size_t at = bytes->count;
    put_number(bytes, FATBIN_MAGIC, 4);
    put_number(bytes, 1, 2);
    put_number(bytes, FATBIN_HEADER_BYTES, 2);
    put_number(bytes, 0, 8);
    return at;
}

static void end_fatbin(Bytes *bytes, size_t at) {
    uint64_t size = bytes->count - at - FATBIN_HEADER_BYTES;
    memcpy(bytes->at + at + 8, &size, sizeof size);
}

static void put_ptx(Bytes *bytes, unsigned arch, unsigned flags) {
    put_entry(bytes, FAT_PTX, arch, flags, ptx, strlen(ptx), "");
}

typedef struct Section {
    const char *name;
    uint32_t type, link;
    const void *data;
    size_t size;
} Section;

/* An ELF file with these sections behind the empty one; the names come last. */
static void put_elf(Bytes *bytes, uint16_t machine, const Section *sections, size_t count) {
    Elf64_Ehdr header = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                         .e_type = ET_DYN,
                         .e_machine = machine,
                         .e_shentsize = sizeof(Elf64_Shdr),
                         .e_shnum = (uint16_t)(count + 2),
                         .e_shstrndx = (uint16_t)(count + 1)};
    Elf64_Shdr headers[16] = {0};
    Bytes names = {.count = 1};
    size_t start = put(bytes, &header, sizeof header);
    for (size_t i = 0; i <= count; i++) {
        Section names_section = {".shstrtab", SHT_STRTAB, 0, names.at, 0};
        const Section *section = i < count ? &sections[i] : &names_section;
        headers[i + 1] = (Elf64_Shdr){
            .sh_type = section->type,
            .sh_link = section->link,
            .sh_name = (uint32_t)put(&names, section->name, strlen(section->name) + 1)};
        pad(bytes, 8);
        headers[i + 1].sh_offset = bytes->count - start;
        headers[i + 1].sh_size = i < count ? section->size : names.count;
        put(bytes, section->data, headers[i + 1].sh_size);
    }
    pad(bytes, 8);
    header.e_shoff = bytes->count - start;
    memcpy(bytes->at + start, &header, sizeof header);
    put(bytes, headers, (count + 2) * sizeof *headers);
}

static void put_cubin(Bytes *bytes, const char *text) { /* its lines, each ended by a NUL */
    char lines[sizeof ptx];
    size_t length = strlen(text);
    assert_true(length < sizeof lines);
    memcpy(lines, text, length + 1);
    for (char *at = lines; (at = strchr(at, '\n')); at++)
        *at = 0;
    const Section section = {".nv_debug_ptx_txt", SHT_PROGBITS, 0, lines, length};
    put_elf(bytes, 190, &section, 1);
}

/* A table of lines as DWARF 2 has it; the program's first instruction sets the address, for the relocation. */
static size_t put_line_table(Bytes *bytes, const char *files, size_t file_bytes,
                             const char *program, size_t length) {
    static const char opcodes[] = {1, 1, (char)-5, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1};
    size_t start = bytes->count;
    put_number(bytes, 6 + sizeof opcodes + file_bytes + length, 4);
    put_number(bytes, 2, 2);
    put_number(bytes, sizeof opcodes + file_bytes, 4);
    put(bytes, opcodes, sizeof opcodes);
    put(bytes, files, file_bytes);
    return put(bytes, program, length) - start + 3;
}

/* A kernel's PTX without .loc, and the two tables that say where its machine code comes from. */
static void put_cubin_with_lines(Bytes *bytes) {
    static const char text[] = ".version 9.0\0.target sm_90\0.address_size 64\0"
                               ".visible .entry k(.param .u64 p)\0{\0.reg .b64 %rd<2>;\0"
                               "ld.param.u64 %rd1, [p];\0st.global.u64 [%rd1],\0%rd1;\0ret;\0}\0";
#define AT_0 "\0\x09\x02\0\0\0\0\0\0\0\0"
#define END "\x02\x10\0\x01\x01"
    static const char of_ptx[] = /* 0: line 4, 16: 7, 32: 8, 48: 9, which goes on 8, 64: 10 */
        AT_0 "\x03\x03\x01\xf2\xf0\xf0\xf0" END;
    static const char of_source[] = /* 0: x.cu:3, 16: 5, 32: 6, and in it y.cuh:20; 64: x.cu:7 */
        AT_0 "\x03\x02\x01\xf1\xf0\x04\x02\0\x03\x90\x03\x05\x03\x0e\x01"
             "\x04\x01\0\x03\x90\0\0\x03\x73\x02\x20\x01" END;
    Bytes ptx_table = {0}, source_table = {0};
    static const char no_files[] = "\0", files[] = "/src\0\0x.cu\0\x01\0\0/inc/y.cuh\0\0\0\0";
    uint64_t relocated[2][3] = {{0, UINT64_C(1) << 32 | 2, 0}, {0, UINT64_C(1) << 32 | 2, 0}};
    relocated[0][0] =
        put_line_table(&ptx_table, no_files, sizeof no_files, of_ptx, sizeof of_ptx - 1);
    relocated[1][0] =
        put_line_table(&source_table, files, sizeof files, of_source, sizeof of_source - 1);
    const Section sections[] = {
        {".nv_debug_ptx_txt", SHT_PROGBITS, 0, text, sizeof text - 1},
        {".nv_debug_line_sass", SHT_PROGBITS, 0, ptx_table.at, ptx_table.count},
        {".rela.nv_debug_line_sass", SHT_RELA, 0, relocated[0], sizeof relocated[0]},
        {".debug_line", SHT_PROGBITS, 0, source_table.at, source_table.count},
        {".rela.debug_line", SHT_RELA, 0, relocated[1], sizeof relocated[1]},
        {".debug_str", SHT_PROGBITS, 0, "main\0_Z1fv", 11},
    };
    put_elf(bytes, 190, sections, sizeof sections / sizeof *sections);
}

/* ---- reading ---- */

typedef struct Reading {
    Arena *arena;
    Diags *diags;
    Fatbin fatbin;
} Reading;

static Reading begin(void) {
    Reading reading = {.arena = arena_new()};
    reading.diags = diags_new(reading.arena);
    return reading;
}

static void assert_message(const Diags *diags, const char *part) {
    assert_true(diags->errors > 0);
    if (!strstr(diags->list.at[0].message, part))
        fail_msg("'%s' is not in: %s", part, diags->list.at[0].message);
}

static void every_packing_gives_the_same_text(void **state) {
    (void)state;
    const unsigned flags[] = {0, ZSTD_FLAG, LZ4_FLAG};
    Bytes bytes = {0};
    size_t at = begin_fatbin(&bytes);
    for (unsigned i = 0; i < 3; i++)
        put_entry(&bytes, FAT_PTX, 75, flags[i], ptx, strlen(ptx), i ? "--compile-only  " : "");
    end_fatbin(&bytes, at);
    Reading r = begin();
    assert_true(fatbin_read(r.arena, "x", bytes.at, bytes.count, &r.fatbin, r.diags));
    assert_int_equal(r.fatbin.entries.count, 3);
    assert_int_equal(r.fatbin.bytes, bytes.count);
    for (unsigned i = 0; i < 3; i++) {
        const FatEntry *entry = &r.fatbin.entries.at[i];
        PtxText text = {0};
        assert_true(fatbin_ptx(r.arena, &r.fatbin, entry, &text, r.diags));
        assert_int_equal(text.length, strlen(ptx));
        assert_string_equal(text.text, ptx);
        assert_int_equal(text.origin.relocatable, i > 0);
        assert_int_equal(entry->packing, (i == 1 ? FAT_ZSTD : i == 2 ? FAT_LZ4 : FAT_PLAIN));
        assert_int_equal(entry->major, 8);
    }
    arena_free(r.arena);
}

/* Those that change the machine code, in full; never a file's name. */
static void options_of_ptxas(void **state) {
    (void)state;
    static const struct {
        const char *text, *kept;
    } cases[] = {
        {"", NULL},
        {" --generate-line-info  --compile-only ", NULL},
        {" -maxrregcount=24 --generate-line-info ", "--maxrregcount=24"},
        {"--maxrregcount 32 -v -O1", "--maxrregcount=32 --opt-level=1"},
        {"-O 2 --opt-level=3", "--opt-level=2 --opt-level=3"},
        {" -g --dont-merge-basicblocks --return-at-end ",
         "--device-debug --dont-merge-basicblocks --return-at-end"},
        {"-dlcm=cg -o /tmp/x -optf words -maxrregcountry=1 -Ofast", "--def-load-cache=cg"},
        {"-lineinfo -maxrregcount", NULL},
    };
    Arena *arena = arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *kept = ptxas_options(arena, str_of(cases[i].text));
        if (!kept != !cases[i].kept || (kept && strcmp(kept, cases[i].kept) != 0))
            fail_msg("'%s': %s", cases[i].text, kept ? kept : "none");
    }
    arena_free(arena);
}

/* "code=90": machine code without PTX; "code=90:80": with PTX for sm_80; "ptx=90a". */
static void put_described(Bytes *bytes, const char *text) {
    bool is_code = strncmp(text, "code=", 5) == 0;
    char *end;
    unsigned arch = (unsigned)strtoul(text + (is_code ? 5 : 4), &end, 10);
    unsigned flags = *end == 'a' ? ARCH_FLAG : *end == 'f' ? FAMILY_FLAG : 0;
    const char *inside = is_code ? strchr(text, ':') : text + 3; /* before what .target says */
    char module[64];
    if (inside)
        snprintf(module, sizeof module, ".version 8.0\n.target sm_%s\n", inside + 1);
    const Section note = {".note.nv.cuinfo", SHT_NOTE, 0, ptx, 32};
    Bytes cubin = {0};
    if (is_code && inside)
        put_cubin(&cubin, module);
    else if (is_code)
        put_elf(&cubin, 190, &note, 1);
    if (is_code)
        put_entry(bytes, FAT_CUBIN, arch, flags, (const char *)cubin.at, cubin.count, "");
    else
        put_entry(bytes, FAT_PTX, arch, flags, module, strlen(module), "");
}

/* What is chosen of the entries in a line: "sm_80 for sm_90", of which the first is the PTX. */
static void assert_chosen(const char *gpu, const char *forced, const char *line,
                          const char *wanted) {
    Bytes bytes = {0};
    char words[256], *rest = words;
    size_t at = begin_fatbin(&bytes);
    snprintf(words, sizeof words, "%s", line);
    for (const char *word; (word = strsep(&rest, " "));)
        put_described(&bytes, word);
    end_fatbin(&bytes, at);
    Reading r = begin();
    assert_true(fatbin_read(r.arena, "x", bytes.at, bytes.count, &r.fatbin, r.diags));
    ArchChoice choice = {.gpu = gpu_named(str_of(gpu))};
    if (forced)
        assert_true(arch_parse(str_of(forced), &choice.forced));
    PtxText text;
    Arch arch;
    Place place;
    const char *got = "none";
    if (fatbin_choose(r.arena, &r.fatbin, &choice, &text, r.diags)) {
        assert_true(ptx_target("x", text.text, text.length, &arch, &place));
        got = arch_name(r.arena, "sm", arch);
        if (text.origin.machine)
            got = arena_printf(r.arena, "%s %s %s", got, text.origin.nearest ? "near" : "for",
                               text.origin.machine);
    }
    if (strcmp(got, wanted) != 0)
        fail_msg("%s of '%s': %s, not %s", gpu, line, got, wanted);
    assert_int_equal(r.diags->errors, 0);
    arena_free(r.arena);
}

static void choices_are_those_of_an_h200(void **state) {
    (void)state;
    /* as it chose when it was asked: docs/decisions/0029 */
    const struct {
        const char *entries, *chosen;
    } rows[] = {
        {"code=80 ptx=80", "sm_80"},
        {"code=90:90 code=90a:90a", "sm_90a for sm_90a"},
        {"code=90a:90a code=90:90", "sm_90a for sm_90a"},
        {"ptx=90 ptx=90a", "sm_90a"},
        {"ptx=90a ptx=90", "sm_90a"},
        {"ptx=80 code=90:90", "sm_90 for sm_90"},
        {"code=90:90 ptx=120", "sm_90 for sm_90"},
        {"ptx=120", "none"},
        {"ptx=80 ptx=90 ptx=120", "sm_90"},
        {"code=80:80", "none"},
        {"ptx=80 ptx=75", "sm_80"},
        {"code=90:90 ptx=90a", "sm_90 for sm_90"},
        {"code=80 ptx=90a", "sm_90a"},
        {"code=90a:90a ptx=80", "sm_90a for sm_90a"},
        {"ptx=100f", "none"},
        {"ptx=80 ptx=90a", "sm_90a"},
        {"code=75 code=80 ptx=75 ptx=120", "sm_75"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_chosen("h200", NULL, rows[i].entries, rows[i].chosen);
}

static void machine_code_without_ptx_takes_the_nearest(void **state) {
    (void)state;
    assert_chosen("h100", NULL, "code=90 ptx=90 ptx=80", "sm_90 for sm_90");
    assert_chosen("h100", NULL, "code=90:80 ptx=90", "sm_80 for sm_90");
    assert_chosen("h100", NULL, "code=90 ptx=80 ptx=75", "sm_80 near sm_90");
    assert_chosen("h100", NULL, "code=90 ptx=120", "sm_90 for sm_90"); /* itself */
    assert_chosen("h100", NULL, "code=80 code=90 code=90a", "sm_90a for sm_90a");
    assert_chosen("h100", NULL, "code=80 ptx=120", "none");
    assert_chosen("h100", "compute_80", "code=90 code=80", "none");
    assert_chosen("rtx3090", NULL, "code=75:75 code=80:80 code=89:89 code=90:90",
                  "sm_80 for sm_80");
    assert_chosen("v100", NULL, "code=75:75 ptx=75", "none");
    assert_chosen("b200", NULL, "code=90a:90a ptx=90 code=100f:100f", "sm_100f for sm_100f");
    assert_chosen("b200", NULL, "ptx=90 ptx=100f ptx=100", "sm_100f");
}

static void what_is_forced_is_taken_or_nothing(void **state) {
    (void)state;
    const char *all = "code=75:75 code=80:80 code=90:90 ptx=120 code=120:120";
    assert_chosen("h100", "compute_75", all, "sm_75");
    assert_chosen("h100", "compute_80", all, "sm_80");
    assert_chosen("h100", "compute_90", all, "sm_90");
    assert_chosen("h100", "compute_90a", all, "none");
    assert_chosen("h100", "compute_120", all, "none");
    assert_chosen("rtx5090", "compute_120", all, "sm_120");
    assert_chosen("h100", "compute_61", all, "none");
}

static void a_static_library_is_named(void **state) {
    (void)state;
    static const char code[] = "_Z11gemv_kernel16cublasGemvParams";
    Bytes bytes = {0};
    size_t at = begin_fatbin(&bytes);
    put_entry(&bytes, FAT_CUBIN, 80, 0, code, sizeof code, "");
    end_fatbin(&bytes, at);
    Reading r = begin();
    PtxTexts texts = {0};
    const ArchChoice choice = {.gpu = gpu_named(STR("h100"))};
    assert_false(image_ptx(r.arena, "x", bytes.at, bytes.count, &choice, &texts, r.diags));
    assert_message(r.diags, "x: has kernels of libcublas linked in, of which h100 (sm_90) runs "
                            "none: they are machine code for sm_80; link the shared library "
                            "(-lcublas, not -lcublas_static)");
    arena_free(r.arena);
    r = begin();
    assert_false(
        image_ptx(r.arena, "libcublasLt.so.13", bytes.at, bytes.count, &choice, &texts, r.diags));
    assert_message(r.diags, "libcublasLt.so.13: its kernels are machine code for sm_80, of which "
                            "h100 (sm_90) runs none; under 'warplens run'");
    arena_free(r.arena);
}

static void pytorchs_operators_are_named(void **state) {
    (void)state;
    Bytes bytes = {0};
    size_t at = begin_fatbin(&bytes);
    put_entry(&bytes, FAT_CUBIN, 80, 0, "machine code", 12, "");
    end_fatbin(&bytes, at);
    Reading r = begin();
    PtxTexts texts = {0};
    const ArchChoice choice = {.gpu = gpu_named(STR("h100"))};
    assert_false(
        image_ptx(r.arena, "libtorch_cuda.so", bytes.at, bytes.count, &choice, &texts, r.diags));
    assert_message(
        r.diags,
        "libtorch_cuda.so: has PyTorch's operators, of which h100 (sm_90) runs none: they are "
        "machine code "
        "for sm_80; with 'import warplens' before 'import torch' they are done on the host");
    arena_free(r.arena);
}

static void a_refusal_says_what_there_is(void **state) {
    (void)state;
    Bytes bytes = {0};
    size_t at = begin_fatbin(&bytes);
    put_described(&bytes, "code=80");
    put_described(&bytes, "code=100:100");
    put_described(&bytes, "ptx=120");
    end_fatbin(&bytes, at);
    Reading r = begin();
    PtxTexts texts = {0};
    const ArchChoice choice = {.gpu = gpu_named(STR("h100"))};
    assert_false(image_ptx(r.arena, "x", bytes.at, bytes.count, &choice, &texts, r.diags));
    assert_message(
        r.diags,
        "x: has neither PTX nor machine code that h100 (sm_90) runs, only PTX for compute_100, "
        "compute_120 and machine code for sm_80, sm_100; rebuild with nvcc -lineinfo "
        "-arch=sm_90 (CMake: CUDA_ARCHITECTURES 90), or choose a GPU that does, as with "
        "--gpu a100");
    const char later[] = ".version 8.8\n.target sm_120\n";
    Diags *diags = diags_new(r.arena);
    assert_false(image_ptx(r.arena, "x.ptx", later, strlen(later), &choice, &texts, diags));
    assert_message(diags,
                   "h100 (sm_90) does not run PTX for sm_120; choose a GPU that does, as with "
                   "--gpu rtx5090");
    assert_int_equal(diags->list.at[0].place.line, 2);
    arena_free(r.arena);
}

typedef struct Wrapper {
    uint32_t magic, version;
    const void *data;
    const void *const *fatbins;
} Wrapper;

static void images_are_told_apart(void **state) {
    (void)state;
    Bytes linked = {0}, one = {0}, two = {0}, cubin = {0};
    size_t at = begin_fatbin(&linked);
    put_entry(&linked, FAT_CUBIN, 75, 0, "machine code", 12, "");
    end_fatbin(&linked, at);
    at = begin_fatbin(&one);
    put_ptx(&one, 75, ZSTD_FLAG);
    end_fatbin(&one, at);
    at = begin_fatbin(&two);
    put_cubin(&cubin, ptx);
    put_entry(&two, FAT_CUBIN, 90, ZSTD_FLAG, (const char *)cubin.at, cubin.count, "");
    end_fatbin(&two, at);
    const void *const objects[] = {one.at, two.at, NULL};
    const Wrapper plain = {WRAPPER_MAGIC, 1, one.at, NULL};
    const Wrapper relocatable = {WRAPPER_MAGIC, 2, linked.at, objects};
    const struct {
        const void *image;
        unsigned texts;
    } images[] = {{&plain, 1}, {&relocatable, 2}, {one.at, 1}, {cubin.at, 1}, {ptx, 1}};
    const ArchChoice choice = {.gpu = gpu_named(STR("h100"))};
    Reading r = begin();
    for (size_t i = 0; i < sizeof images / sizeof *images; i++) {
        PtxTexts texts = {0};
        assert_true(
            image_ptx(r.arena, "x", images[i].image, IMAGE_NO_LIMIT, &choice, &texts, r.diags));
        assert_int_equal(texts.list.count, images[i].texts);
        for (uint32_t k = 0; k < texts.list.count; k++)
            assert_string_equal(texts.list.at[k].text, ptx);
    }
    PtxTexts texts = {0};
    Diags *diags = diags_new(r.arena);
    assert_false(image_ptx(r.arena, "prog", linked.at, IMAGE_NO_LIMIT, &choice, &texts, diags));
    assert_message(diags,
                   "has neither PTX nor machine code that h100 (sm_90) runs, only machine code for "
                   "sm_75; rebuild with");
    arena_free(r.arena);
}

/* ---- executables ---- */

typedef enum ProgramKind { PROGRAM_PLAIN, PROGRAM_STATIC, PROGRAM_STRIPPED, PROGRAM_SHARED } Kind;

/* What nvcc links into a program without kernels. */
enum { EMPTY_CUBIN = 100 };

static void put_code(Bytes *fatbins, unsigned entry_kind) {
    const Section note = {".note.nv.cuinfo", SHT_NOTE, 0, ptx, 32};
    Bytes cubin = {0};
    if (entry_kind != EMPTY_CUBIN) {
        put_entry(fatbins, entry_kind, 75, ZSTD_FLAG, ptx, strlen(ptx), "");
        return;
    }
    put_elf(&cubin, 190, &note, 1);
    put_entry(fatbins, FAT_CUBIN, 75, ZSTD_FLAG, (const char *)cubin.at, cubin.count, "");
}

static void put_program(Bytes *bytes, Kind kind, unsigned entry_kind) {
    Bytes fatbins = {0};
    for (int i = 0; i < 2; i++) { /* two, and padding between them */
        size_t at = begin_fatbin(&fatbins);
        put_code(&fatbins, entry_kind);
        end_fatbin(&fatbins, at);
        put_number(&fatbins, 0, 8);
    }
    const char strings[] = "\0libcudart.so.13\0libm.so.6\0__cudaRegisterFatBinary";
    const Elf64_Dyn dynamic[] = {
        {.d_tag = DT_NEEDED, .d_un.d_val = kind == PROGRAM_SHARED ? 1 : 17}, {.d_tag = DT_NULL}};
    const Elf64_Sym symbols[] = {
        {0}, {.st_name = 27, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), .st_shndx = 1}};
    const Section sections[] = {{".nv_fatbin", SHT_PROGBITS, 0, fatbins.at, fatbins.count},
                                {".dynstr", SHT_STRTAB, 0, strings, sizeof strings},
                                {".dynamic", SHT_DYNAMIC, 2, dynamic, sizeof dynamic},
                                {".symtab", SHT_SYMTAB, 2, symbols, sizeof symbols}};
    const char names[] = "libcuda.so.1\0cudaGetDeviceCount"; /* of a runtime, but no code */
    const Section rodata = {".rodata", SHT_PROGBITS, 0, names, sizeof names};
    Section all[4];
    memcpy(all, sections, sizeof all);
    if (kind == PROGRAM_STRIPPED)
        all[3] = rodata;
#ifdef __x86_64__
    uint16_t machine = EM_X86_64;
#else
    uint16_t machine = EM_AARCH64;
#endif
    put_elf(bytes, machine, kind == PROGRAM_PLAIN ? all + 1 : all,
            kind == PROGRAM_PLAIN    ? 0
            : kind == PROGRAM_SHARED ? 3
                                     : 4);
}

static void executables_are_inspected(void **state) {
    (void)state;
    const struct {
        Kind kind;
        unsigned entries;
        RuntimeKind runtime;
        const char *message; /* NULL: runs */
    } cases[] = {
        {PROGRAM_STATIC, FAT_PTX, RUNTIME_STATIC, NULL},
        {PROGRAM_SHARED, FAT_PTX, RUNTIME_SHARED, NULL},
        {PROGRAM_STRIPPED, FAT_PTX, RUNTIME_NONE, "calls cannot be found: all of them"},
        {PROGRAM_STATIC, FAT_CUBIN, RUNTIME_STATIC, "only machine code for sm_75; rebuild"},
        {PROGRAM_STATIC, FAT_LTO, RUNTIME_STATIC, "only LTO-IR; rebuild"},
        {PROGRAM_STATIC, EMPTY_CUBIN, RUNTIME_STATIC, NULL},
        {PROGRAM_PLAIN, FAT_PTX, RUNTIME_NONE, "statically linked"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Reading r = begin();
        Bytes bytes = {0};
        Object object;
        put_program(&bytes, cases[i].kind, cases[i].entries);
        assert_true(object_read(r.arena, "prog", bytes.at, bytes.count, &object, r.diags));
        assert_int_equal(object.runtime, cases[i].runtime);
        assert_int_equal(object.runtime_major, cases[i].kind == PROGRAM_SHARED ? 13 : 0);
        assert_int_equal(object.fatbins.count, cases[i].kind == PROGRAM_PLAIN ? 0 : 2);
        const ArchChoice choice = {.gpu = gpu_named(STR("h100"))};
        assert_int_equal(object_runnable(&object, &choice, r.diags), cases[i].message == NULL);
        if (cases[i].message)
            assert_message(r.diags, cases[i].message);
        if (cases[i].entries == FAT_PTX && object.fatbins.count) {
            PtxTexts texts = {0};
            assert_true(object_ptx(r.arena, &object, &choice, &texts, r.diags));
            assert_int_equal(texts.list.count, 2);
            assert_string_equal(texts.list.at[1].text, ptx);
        }
        arena_free(r.arena);
    }
}

/* ---- broken ones ---- */

static void malformed_input_is_reported(void **state) {
    (void)state;
    Bytes bytes = {0};
    size_t at = begin_fatbin(&bytes);
    put_ptx(&bytes, 75, ZSTD_FLAG);
    end_fatbin(&bytes, at);
    const struct {
        size_t offset;
        uint8_t value;
        const char *message;
    } cases[] = {
        {0, 0, "not a fat binary"},
        {9, 0xff, "cut short"},
        {20, 1, "entry 1 of the fat binary, at byte 16, is malformed"},
        {25, 0xff, "entry 1 of the fat binary"},
        {72, 1, "cannot be unpacked (zstd)"},
        {78, 1, "cannot be unpacked (zstd)"},
        {16 + 72, 0, "cannot be unpacked (zstd)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Reading r = begin();
        Bytes broken = bytes;
        PtxText text;
        broken.at[cases[i].offset] = cases[i].value;
        if (fatbin_read(r.arena, "x", broken.at, broken.count, &r.fatbin, r.diags))
            assert_false(fatbin_ptx(r.arena, &r.fatbin, &r.fatbin.entries.at[0], &text, r.diags));
        assert_message(r.diags, cases[i].message);
        arena_free(r.arena);
    }
}

/* Reads a copy that ends where the bytes end, so that AddressSanitizer sees a step too far. */
static void read_all(const uint8_t *data, size_t size) {
    Reading r = begin();
    const ArchChoice choice = {.gpu = gpu_named(STR("h100"))};
    PtxTexts texts = {0};
    Object object;
    uint8_t *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, data, size);
    image_ptx(r.arena, "x", copy, size, &choice, &texts, r.diags);
    if (object_read(r.arena, "x", copy, size, &object, r.diags)) {
        object_runnable(&object, &choice, r.diags);
        object_ptx(r.arena, &object, &choice, &texts, r.diags);
    }
    arena_free(r.arena);
    free(copy);
}

static void any_cut_and_any_broken_byte_is_survived(void **state) {
    (void)state;
    Bytes bytes = {0}, fatbin = {0}, cubin = {0};
    put_program(&bytes, PROGRAM_STATIC, FAT_PTX);
    put_cubin_with_lines(&cubin);
    size_t at = begin_fatbin(&fatbin);
    put_ptx(&fatbin, 75, LZ4_FLAG);
    end_fatbin(&fatbin, at);
    const Bytes *whole[] = {&bytes, &fatbin, &cubin};
    for (int i = 0; i < 3; i++) {
        for (size_t size = 0; size < whole[i]->count; size++)
            read_all(whole[i]->at, size);
        for (size_t at_byte = 0; at_byte < whole[i]->count; at_byte++) {
            Bytes broken = *whole[i];
            broken.at[at_byte] ^= 0x81;
            read_all(broken.at, broken.count);
        }
    }
}

static void lines_of_machine_code_are_those_of_its_ptx(void **state) {
    (void)state;
    Bytes bytes = {0};
    PtxText text = {0};
    Arena *arena = arena_new();
    put_cubin_with_lines(&bytes);
    assert_true(cubin_ptx(arena, bytes.at, bytes.count, 0, &text));
    cubin_lines(arena, &text);
    assert_string_equal(
        text.text,
        ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
        ".reg .b64 %rd<2>;\n.loc 1 5 0 ld.param.u64 %rd1, [p];\n"
        ".loc 1 6 0 .loc 2 20 0, function_name $warplens_names+5, inlined_at 1 6 0 "
        "st.global.u64 [%rd1],\n%rd1;\n.loc 1 7 0 ret;\n}\n"
        ".file 1 \"/src/x.cu\"\n.file 2 \"/inc/y.cuh\"\n"
        ".section .debug_str\n{\n$warplens_names:\n.b8 109,97,105,110,0,95,90,49,102,118,0\n}\n");
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_machine_code_are_those_of_its_ptx),
        cmocka_unit_test(every_packing_gives_the_same_text),
        cmocka_unit_test(options_of_ptxas),
        cmocka_unit_test(choices_are_those_of_an_h200),
        cmocka_unit_test(machine_code_without_ptx_takes_the_nearest),
        cmocka_unit_test(what_is_forced_is_taken_or_nothing),
        cmocka_unit_test(a_static_library_is_named),
        cmocka_unit_test(pytorchs_operators_are_named),
        cmocka_unit_test(a_refusal_says_what_there_is),
        cmocka_unit_test(images_are_told_apart),
        cmocka_unit_test(executables_are_inspected),
        cmocka_unit_test(malformed_input_is_reported),
        cmocka_unit_test(any_cut_and_any_broken_byte_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
