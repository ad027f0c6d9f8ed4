/* ptx: PTX text to Module. Lexer, parser, and the check of operands against ops.def.
 *
 *   Module  = ".version" N.N  ".target" names  [".address_size" N]  { directive }
 *   (the grammar rule of each construct stands above its parse function)
 *
 * Invariants
 *   - Total: any bytes give a Module or diagnostics, never a crash, never unbounded recursion or
 *     memory.
 *   - Several errors are reported per run; after one in a statement the parser goes on behind the
 *     next ';'.
 *   - What is parsed for a kernel is what it needs (its body, and what that names); how much that is
 *     does not depend on how much else there is in the text.
 *
 * What it does not do: execute, read files. */
#pragma once

#include "ir/ir.h"

/* text must be NUL-terminated at text[length] and outlive the module. Module's functions have their
 * blocks. `only`: NULL, or a kernel, which is parsed with what it needs. NULL where diags got an error.
 * Warnings: a .version or .target newer than known. */
Module *ptx_parse(Arena *arena, const char *name, const char *text, size_t length, const char *only,
                  Diags *diags);

typedef struct PtxEntry {
    const char *name; /* mangled */
    uint32_t line;
} PtxEntry;
/* Where each statement of a text lies: found once, for all kernels that are taken from it. `text` as
 * above. The index changes when it is used: one thread at a time. */
typedef struct PtxIndex PtxIndex;
PtxIndex *ptx_index(Arena *arena, const char *name, const char *text, size_t length);
/* Its modules have that origin; without this, none. */
void ptx_index_originate(PtxIndex *index, PtxOrigin origin);
/* Its variables with their values, and no bodies. */
Module *ptx_parse_variables(Arena *arena, PtxIndex *index, Diags *diags);
/* A kernel, with what it needs. Variables are there without their values; addresses of functions are the
 * same in all modules of an index. */
Module *ptx_parse_kernel(Arena *arena, PtxIndex *index, const char *kernel, Diags *diags);

/* The text with the bodies that the kernel needs, NUL-terminated, each line where it was: what ptxas makes of it
 * is what it makes of the kernel in the whole. The whole itself where it was compiled for a debugger. */
char *ptx_slice(Arena *arena, const PtxIndex *index, const char *kernel, size_t *length);
/* The same for several kernels. */
char *ptx_slice_of(Arena *arena, const PtxIndex *index, const char *const *kernels, uint32_t count,
                   size_t *length);

size_t ptx_index_length(const PtxIndex *index); /* of the whole text, in bytes */
/* Whether a function that is no kernel has a body. */
bool ptx_index_has_functions(const PtxIndex *index);
/* What was asked of compilers about its kernels so far, as who asks reckons it: 0 at first, for all threads. */
_Atomic uint64_t *ptx_index_tally(const PtxIndex *index);

/* Whether what follows a line or comment is of an asm statement of the source, which LLVM writes comments around. before: whether this
 * one is. The .loc in there are not the source's lines. */
bool ptx_in_assembly(Str comment, bool before);

/* The architecture of the .target, and its place in the text that `name` names. false: there is none. */
bool ptx_target(const char *name, const char *text, size_t length, Arch *arch, Place *place);
/* Its .entry names, in the order of the text: for lists and kernel-name matching. */
const PtxEntry *ptx_index_entries(const PtxIndex *index, uint32_t *count);

/* One text among those that a kernel is looked for in. */
typedef struct PtxInput {
    const char *name; /* of the file, for messages */
    const char *text;
    size_t length;
    const PtxEntry *entries;
    uint32_t entry_count;
} PtxInput;
/* The input and the mangled name of the kernel that `wanted` names: mangled or demangled, with or
 * without its parameter list, whole or by a part that only one kernel has; NULL wanted: the only
 * kernel there is. false: diags lists the candidates. */
bool ptx_select(Arena *arena, const PtxInput *inputs, uint32_t count, const char *wanted,
                uint32_t *input, const char **name, Diags *diags);

typedef struct PtxUnit {
    const char *text;
    size_t length;
} PtxUnit;
/* Does it begin as every module does, with .version? */
bool ptx_is_module(const char *text, size_t length);
/* Is it NVIDIA's (libcudadevrt), which programs that launch kernels from the device bring along? */
bool ptx_is_device_runtime(const PtxUnit *unit);
/* One text of several, which call each other's functions and use each other's variables: those of
 * relocatable device code. Errors are found when it is parsed. */
char *ptx_link(Arena *arena, const PtxUnit *units, uint32_t count, size_t *length);
/* The text; with functions of NVIDIA's device runtime at its end, if it calls those that are PTX here and has them not. */
const char *ptx_provide(Arena *arena, const char *text, size_t *length);
