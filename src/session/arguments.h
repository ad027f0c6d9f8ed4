/* arguments: what is given for a kernel's parameters, as text, and the memory behind it.
 *
 *   argument = type "=" value                      a scalar:  i32=1024  f32=1.5  u64=0x10
 *            | type "[" count "]" [ "=" fill ]     an array:  f32[1024]=random:1
 *            | "@" argument [ "+" bytes ]          a pointer into an earlier array:  @1+4096
 *            | "bytes=" hex digits                 a struct, byte by byte:  bytes=0100000002000000
 *            | "bytes=@" file                      a struct from a file
 *   fill     = value | "unset" | "iota" | "random:" seed | file ".npy"
 *   type     = u8 … u64, s8 … s64 (or i8 … i64), b8 … b64, f16, bf16, f32, f64 */
#pragma once

#include "exec/exec.h"

typedef struct Argument {
    const char *text; /* as given; NULL: none was */
    bool array;
    /* … whose elements nobody has written: zero, and a defect to read (--sanitize init) */
    bool unset;
    Type type;        /* of the scalar or the elements; TYPE_NONE: pointer or bytes */
    uint64_t count;   /* elements of an array */
    uint64_t address; /* of an array */
    uint64_t bytes;   /* of the parameter */
    const void *value;
    const char *fill; /* of an array that is not filled yet; NULL: there is none, or it is */
} Argument;

typedef struct Arguments {
    const Function *kernel;
    Argument *list;  /* [kernel->params.count] */
    uint8_t *params; /* kernel->param_bytes, filled */
    bool later;      /* arrays are filled by arguments_fill */
} Arguments;

/* The C types of a kernel's parameters, as its mangled name has them; NULL where that says nothing. [kernel->params.count] */
const char *const *arguments_declared(Arena *arena, const Function *kernel);

Arguments *arguments_new(Arena *arena, const Function *kernel);
/* Reads one of them, allocates and fills an array. false: diags. */
bool arguments_set(Arena *arena, Arguments *arguments, uint32_t index, const char *text,
                   Memory *memory, Diags *diags);
/* The parameter's bytes as they are. */
void arguments_put(Arguments *arguments, uint32_t index, const void *value);
/* Reads all. later: arrays are filled by arguments_fill. NULL: diags, which then lists the kernel's parameters. */
Arguments *arguments_make(Arena *arena, const Function *kernel, const char *const *texts,
                          uint32_t count, bool later, Memory *memory, Diags *diags);
/* Fills the arrays that are not. false: diags. */
bool arguments_fill(Arena *arena, Arguments *arguments, Memory *memory, Diags *diags);

/* After the launch: the array of an argument to a .npy file. false: diags. */
bool arguments_dump(const Arguments *arguments, uint32_t index, const Memory *memory,
                    const char *path, Diags *diags);
/* The same array and what a .npy file expects: *differ counts the elements outside
 * |a - b| <= atol + rtol * |b|; *first is the first of them. false: diags. */
typedef struct Comparison {
    uint64_t count, differ, first;
    double got, expected; /* there */
} Comparison;
bool arguments_compare(Arena *arena, const Arguments *arguments, uint32_t index,
                       const Memory *memory, const char *path, double rtol, double atol,
                       Comparison *comparison, Diags *diags);
