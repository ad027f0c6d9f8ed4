/* image: the PTX inside fat binaries, cubins, executables and libraries.
 *
 *   executable --object_open--> Object --object_fatbin--> Fatbin --fatbin_ptx--> PTX text
 *   what a program hands to cuModuleLoadData or __cudaRegisterFatBinary --image_ptx--> PTX texts
 *
 * A fat binary is a header and entries back to back; an entry is PTX, a cubin (machine code in an
 * ELF file) or LTO-IR for one architecture, packed with zstd, LZ4 or not at all. The layout is
 * NVIDIA's (fatbinary_section.h for the wrapper); the entries' fields were found by comparing the
 * output of nvcc under every option that changes them.
 *
 * Invariants
 *   - Total: any bytes give a result or a diagnostic. Nothing outside `size` bytes is read.
 *   - Lazy: entries are listed without unpacking; fatbin_ptx unpacks one.
 *   - Nothing is copied that need not be: what is read must outlive what is returned.
 *
 * What it does not do: parse PTX, disassemble machine code, load anything. */
#pragma once

#include "base/base.h"

/* ---- elf.c: 64-bit little-endian ELF files ---- */

typedef struct Elf {
    const uint8_t *data;
    size_t size;
    uint64_t sections; /* offset of the section headers */
    uint32_t section_count;
    uint32_t names; /* section with the names; 0 = none */
    uint16_t machine, type;
} Elf;

typedef struct ElfSection {
    Str name;
    const uint8_t *data; /* NULL where it takes no bytes of the file */
    uint64_t size;
    uint64_t address;
    uint32_t type, link, entry_size;
} ElfSection;

typedef struct ElfSymbol {
    Str name;
    uint64_t value, size;
    bool is_function, is_defined;
} ElfSymbol;

bool elf_open(Elf *elf, const void *data, size_t size); /* false: no such file, or cut short */
/* Bytes of an ELF file in memory, read off its headers: for images that come without a size. */
size_t elf_size(const void *data);
bool elf_section(const Elf *elf, uint32_t index, ElfSection *section);
bool elf_section_named(const Elf *elf, const char *name, ElfSection *section);
bool elf_section_typed(const Elf *elf, uint32_t type, ElfSection *section);
uint64_t elf_symbol_count(const ElfSection *table);
bool elf_symbol(const Elf *elf, const ElfSection *table, uint64_t index, ElfSymbol *symbol);

/* ---- fatbin.c: one fat binary ---- */

enum { FATBIN_HEADER_BYTES = 16 };
#define FATBIN_MAGIC UINT32_C(0xba55ed50)
#define WRAPPER_MAGIC UINT32_C(0x466243b1)

typedef enum FatKind { FAT_PTX = 1, FAT_CUBIN = 2, FAT_LTO = 8 } FatKind;
typedef enum FatPacking { FAT_PLAIN, FAT_ZSTD, FAT_LZ4 } FatPacking;

typedef struct FatEntry {
    uint32_t kind;         /* FatKind, or one that we do not know */
    uint32_t arch;         /* 75, 90, 120 */
    char variant;          /* 'a' of sm_90a, 'f' of sm_100f, else 0 */
    uint16_t major, minor; /* of the PTX ISA, for PTX */
    bool relocatable;      /* compiled with -rdc=true: to be linked with others */
    bool debug;
    Str options; /* for ptxas, as text */
    Str source;  /* name of the source file, where recorded */
    FatPacking packing;
    const uint8_t *payload;
    uint64_t stored;   /* bytes of payload */
    uint64_t unpacked; /* bytes after unpacking */
} FatEntry;

typedef struct Fatbin {
    const char *name; /* for messages */
    VEC(FatEntry) entries;
    uint64_t bytes; /* with its header */
} Fatbin;

/* Which PTX of several: the highest architecture that the GPU can run, plain ones before those of
 * one architecture alone (sm_90a); where all are newer than the GPU, the lowest of them, since the
 * machine code beside it shows that the program is meant for older GPUs, too. */
typedef struct ArchChoice {
    uint32_t gpu;    /* 90 */
    uint32_t forced; /* take this one; 0 = choose */
    char forced_variant;
} ArchChoice;

/* size: bytes that may be read. Reports the first malformed entry and returns false. */
bool fatbin_read(Arena *arena, const char *name, const void *data, size_t size, Fatbin *fatbin,
                 Diags *diags);
/* The PTX of an entry, NUL-terminated: the entry's own, or for a cubin what -lineinfo and -G put
 * into its section .nv_debug_ptx_txt. NULL: malformed (diags got an error) or none (it did not). */
char *fatbin_ptx(Arena *arena, const Fatbin *fatbin, const FatEntry *entry, size_t *length,
                 Diags *diags);
/* The same for a bare cubin. */
char *cubin_ptx(Arena *arena, const void *cubin, size_t size, size_t *length);
/* The PTX to run: that of the entry which is chosen, or, where there are cubins alone, of one that
 * has it; `from` is that entry. NULL as above. */
char *fatbin_chosen_ptx(Arena *arena, const Fatbin *fatbin, const ArchChoice *choice,
                        const FatEntry **from, size_t *length, Diags *diags);
/* "sm_75, sm_90a": the architectures of the entries of a kind. */
char *fatbin_archs(Arena *arena, const Fatbin *fatbin, uint32_t kind);

const FatEntry *fatbin_choose(const Fatbin *fatbin, const ArchChoice *choice);
bool arch_parse(const char *text, uint32_t *arch, char *variant); /* compute_90a, sm_90a, 90a */

/* ---- image.c: what a program hands over ---- */

#define IMAGE_NO_LIMIT SIZE_MAX /* size of an image in memory that comes without one */

typedef struct PtxText {
    const char *name; /* for messages and the profile */
    const char *text; /* NUL-terminated */
    size_t length;
    uint32_t arch; /* 0: the image was plain PTX */
    char variant;
    bool relocatable;
} PtxText;

typedef struct PtxTexts {
    VEC(PtxText) list;
} PtxTexts;

/* The PTX of a module: from a wrapper, a fat binary, a cubin or PTX text, told apart by the first
 * bytes; several texts of relocatable device code are linked. false: diags says what was found
 * instead and how to rebuild. Wrappers point into memory, so only images of this process
 * (IMAGE_NO_LIMIT) may be wrappers. */
bool image_ptx(Arena *arena, const char *name, const void *image, size_t size,
               const ArchChoice *choice, PtxTexts *texts, Diags *diags);

/* Makes one text of those that are relocatable. */
void texts_link(Arena *arena, PtxTexts *texts);

/* ---- object.c: executables and libraries ---- */

typedef enum RuntimeKind {
    RUNTIME_NONE,   /* host code alone, or the driver API */
    RUNTIME_STATIC, /* the CUDA runtime is linked in: nvcc's default */
    RUNTIME_SHARED  /* libcudart.so.N is needed */
} RuntimeKind;

typedef struct Object {
    const char *path;
    Elf elf;
    RuntimeKind runtime;
    uint32_t runtime_major; /* N of libcudart.so.N; 0 = unknown */
    bool has_symbols;       /* .symtab is there: a static runtime can be replaced */
    bool is_dynamic;        /* has an interpreter or is a library: a preload library gets in */
    VEC(Fatbin) fatbins;    /* those with entries */
    uint32_t ptx_count, cubin_count, lto_count;
} Object;

/* Reads an ELF executable or library. false: diags says why (not ELF, malformed). */
bool object_open(Arena *arena, const char *path, Object *object, Diags *diags);
bool object_read(Arena *arena, const char *path, const void *data, size_t size, Object *object,
                 Diags *diags);
/* Whether `warplens run` can run this program; else diags says what was found and what to do. */
bool object_runnable(const Object *object, Diags *diags);
/* The PTX texts of all its fat binaries. */
bool object_ptx(Arena *arena, const Object *object, const ArchChoice *choice, PtxTexts *texts,
                Diags *diags);
/* The PTX texts of a file: an executable or library, a fat binary, a cubin, or PTX. */
bool file_ptx(Arena *arena, const char *path, const ArchChoice *choice, PtxTexts *texts,
              Diags *diags);
bool object_is_elf(const char *path); /* looks at the first bytes alone */
