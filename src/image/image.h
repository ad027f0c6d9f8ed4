/* image: the PTX inside fat binaries, cubins, executables and libraries, or their machine code where there is none.
 *
 *   executable --object_open--> Object with Fatbins --fatbin_choose--> PTX text
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

#include "isa/isa.h"
#include "ptx/ptx.h"

/* ---- elf.c: 64-bit little-endian ELF files ---- */

typedef struct Elf {
    const uint8_t *data;
    size_t size;
    uint64_t sections; /* offset of the section headers */
    uint32_t section_count;
    uint32_t names; /* section with the names; 0 = none */
    uint16_t machine, type;
    uint32_t flags;
    uint8_t abi; /* version of it */
} Elf;

typedef struct ElfSection {
    Str name;
    const uint8_t *data; /* NULL where it takes no bytes of the file */
    uint64_t size;
    uint64_t address, flags;
    uint32_t type, link, entry_size;
} ElfSection;

typedef struct ElfSymbol {
    Str name;
    uint64_t value, size;
    bool is_function, is_defined;
    bool is_object;   /* a variable */
    bool is_entry;    /* of a cubin: a kernel … */
    bool is_managed;  /* … or a managed variable */
    uint32_t section; /* that it lies in */
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
    uint32_t kind; /* FatKind, or one that we do not know */
    Arch arch;
    uint16_t major, minor; /* of the PTX ISA, for PTX */
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

typedef struct PtxText {
    const char *name; /* for messages and the profile */
    const char *text; /* NUL-terminated */
    size_t length;
    PtxOrigin origin;
    const void *cubin; /* that it lies in; NULL: in none */
    size_t cubin_bytes;
    Str section; /* of that cubin */
} PtxText;

/* size: bytes that may be read. Reports the first malformed entry and returns false. */
bool fatbin_read(Arena *arena, const char *name, const void *data, size_t size, Fatbin *fatbin,
                 Diags *diags);
/* The PTX of an entry: the entry's own, or for a cubin what -lineinfo and -G put into its section
 * .nv_debug_ptx_txt; of origin without name and place, with a name where one was recorded. false: malformed (diags got an error) or none (it did
 * not). */
bool fatbin_ptx(Arena *arena, const Fatbin *fatbin, const FatEntry *entry, PtxText *text,
                Diags *diags);
/* What an entry that is a cubin has (cubin_declare). */
bool fatbin_declare(Arena *arena, const Fatbin *fatbin, const FatEntry *entry, PtxText *text,
                    Diags *diags);
/* Those that change what ptxas makes, in full, with a blank between; NULL: none. text: of a FatEntry, or of a cubin's note. */
const char *ptxas_options(Arena *arena, Str text);
/* false: it holds nothing but cubins without a function, as nvcc links into every program. */
bool fatbin_has_functions(Arena *arena, const Fatbin *fatbin);
/* The first of `words` that its machine code holds, as in the name of a function; NULL: none. */
const char *fatbin_mentions(Arena *arena, const Fatbin *fatbin, const char *const *words,
                            uint32_t count);
/* The same as fatbin_ptx for a bare cubin: the text of that number. One that was linked has a text of each file, in sections
 * .nv_debug_ptx_txt.NUMBER. */
bool cubin_ptx(Arena *arena, const void *cubin, size_t size, uint32_t number, PtxText *text);
/* Puts .loc into the PTX of a cubin, as its tables of lines say. Other PTX stays as it is. */
void cubin_lines(Arena *arena, PtxText *text);
/* What a bare cubin is for; false: it does not say. */
bool cubin_arch(const void *cubin, size_t size, Arch *arch);

/* ---- cubin.c, declare.c: machine code without PTX ---- */

/* PTX that declares what a cubin has: its kernels with their parameters by size, with bodies that only name what is theirs, and
 * its variables. It is not executed: the origin leads to the cubin, which must outlive it. arch: what it is for. false: malformed; diags
 * says what. */
bool cubin_declare(Arena *arena, const char *name, const void *cubin, size_t size, Arch arch,
                   PtxText *text, Diags *diags);

/* What a function of a cubin takes of the GPU; false: it does not say. */
typedef struct CubinResources {
    uint32_t registers, stack_bytes; /* per thread */
} CubinResources;
bool cubin_resources(const void *cubin, size_t size, const char *function,
                     CubinResources *resources);
/* The numbers of the symbols of a kernel and of all functions that are no kernels, "12,14"; NULL: there is no such kernel.
 * *kernels: how many there are. */
const char *cubin_functions(Arena *arena, const void *cubin, size_t size, const char *kernel,
                            uint32_t *kernels);

/* ---- choose.c: which PTX of several ---- */

/* For which GPU, and which PTX. */
typedef struct ArchChoice {
    const Gpu *gpu;
    Arch forced; /* take this one, if the GPU can run it; number 0: as the driver does */
} ArchChoice;

/* Chooses the PTX to run: that of the machine code which the GPU would take, beside it or inside it. If that has none, or there is no
 * such code, the highest that the GPU can run, with a note; if there is no PTX, the machine code (cubin_declare). false: the fat
 * binary is malformed (diags has an error), or has nothing to run (diags has none). */
bool fatbin_choose(Arena *arena, const Fatbin *fatbin, const ArchChoice *choice, PtxText *text,
                   Diags *diags);
/* What the PTX of an entry is for, or that in its machine code; number 0: it has none. */
Arch entry_ptx_arch(Arena *arena, const Fatbin *fatbin, const FatEntry *entry, Diags *diags);

/* ---- refuse.c: why none is run ---- */

/* The end of a message: "", or that the user can choose this GPU, in a program's options or, in a Python process of its
 * own, by the environment. */
const char *gpu_advice(Arena *arena, const char *before, const Gpu *gpu);

/* An error that says what these fat binaries of `name` have, why none can be chosen, and what to do. */
void fatbins_refuse(const char *name, const Fatbin *fatbins, uint32_t count,
                    const ArchChoice *choice, Diags *diags);
/* The GPU can run what the text's .target says; else diags. */
bool ptx_fits(const char *name, const char *text, size_t length, const Gpu *gpu, Diags *diags);

/* ---- image.c: what a program hands over ---- */

#define IMAGE_NO_LIMIT SIZE_MAX /* size of an image in memory that comes without one */

typedef struct PtxTexts {
    VEC(PtxText) list;
} PtxTexts;

/* Neither a fat binary nor a cubin: then it is taken for PTX. */
bool image_is_text(const void *image, size_t size);
/* The PTX of a module: from a wrapper, a fat binary, a cubin or PTX text, told apart by the first
 * bytes; several texts of relocatable device code are linked. false: diags says what was found
 * instead and how to rebuild. Wrappers point into memory, so only images of this process
 * (IMAGE_NO_LIMIT) may be wrappers. */
bool image_ptx(Arena *arena, const char *name, const void *image, size_t size,
               const ArchChoice *choice, PtxTexts *texts, Diags *diags);

/* Makes one text of those that are relocatable. */
void texts_link(Arena *arena, PtxTexts *texts);
/* Gives each the functions of NVIDIA's device runtime that it calls (ptx_provide). */
void texts_provide(Arena *arena, PtxTexts *texts);

/* ---- linked.c: a CUDA runtime inside an executable or library ---- */

typedef struct RuntimeEntry {
    Str name;
    uint64_t address, size;
} RuntimeEntry;

typedef struct LinkedRuntime {
    VEC(RuntimeEntry) entries; /* where several have one name, any of them may be called so */
    /* names of entry points that the object calls and that were not found */
    VEC(const char *) missing;
} LinkedRuntime;

/* Where its entry points are. false: there is none, or it cannot be found, which `missing` says. */
bool linked_runtime(Arena *arena, const Elf *elf, LinkedRuntime *runtime);
const char *linked_missing(Arena *arena, const LinkedRuntime *runtime); /* "a, b" */

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
    const char *missing;    /* calls of a runtime that is linked in and stripped; "": none */
    bool is_dynamic;        /* has an interpreter or is a library: a preload library gets in */
    VEC(Fatbin) fatbins;    /* those with entries */
} Object;

/* Reads an ELF executable or library. false: diags says why (not ELF, malformed). */
bool object_open(Arena *arena, const char *path, Object *object, Diags *diags);
bool object_read(Arena *arena, const char *path, const void *data, size_t size, Object *object,
                 Diags *diags);
/* Whether `warplens run` can run this program; else diags says what was found and what to do. */
bool object_runnable(const Object *object, const ArchChoice *choice, Diags *diags);
/* The PTX texts of all its fat binaries. */
bool object_ptx(Arena *arena, const Object *object, const ArchChoice *choice, PtxTexts *texts,
                Diags *diags);
/* The PTX texts of a file: an executable or library, a fat binary, a cubin, or PTX. */
bool file_ptx(Arena *arena, const char *path, const ArchChoice *choice, PtxTexts *texts,
              Diags *diags);
bool object_is_elf(const char *path); /* looks at the first bytes alone */
