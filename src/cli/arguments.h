/* arguments: what the user gives for a kernel's parameters, as text, and the memory behind it.
 *
 *   argument = type "=" value                      a scalar:  i32=1024  f32=1.5  u64=0x10
 *            | type "[" count "]" [ "=" fill ]     an array:  f32[1024]=random:1
 *            | "@" argument [ "+" bytes ]          a pointer into an earlier array:  @1+4096
 *            | "bytes=" hex digits                 a struct, byte by byte:  bytes=0100000002000000
 *            | "bytes=@" file                      a struct from a file
 *   fill     = value | "iota" | "random:" seed | file ".npy"
 *   type     = u8 … u64, s8 … s64 (or i8 … i64), b8 … b64, f16, bf16, f32, f64 */
#pragma once

#include "exec/exec.h"

typedef struct Argument {
    const char *text; /* as given */
    bool array;
    Type type;        /* of the scalar or the elements; TYPE_NONE: pointer or bytes */
    uint64_t count;   /* elements of an array */
    uint64_t address; /* of an array */
    uint64_t bytes;   /* of the parameter */
    const void *value;
} Argument;

typedef struct Arguments {
    VEC(Argument) list;
    const void *params; /* kernel->param_bytes, filled */
} Arguments;

/* Parses `count` texts against the kernel's parameters, allocates and fills arrays.
 * NULL: diags, which then lists the kernel's parameters. */
Arguments *arguments_make(Arena *arena, const Function *kernel, const char *const *texts,
                          uint32_t count, Memory *memory, Diags *diags);
/* "0 u64  unsigned char const*" … one line per parameter, for messages. */
const char *arguments_expected(Arena *arena, const Function *kernel);

/* After the launch: "2=out.npy". false: diags. */
bool arguments_dump(const Arguments *arguments, const Memory *memory, const char *what,
                    Diags *diags);
/* "2=expected.npy": *differs counts the elements outside |a - b| <= atol + rtol * |b|; *first is the
 * first of them. false: diags. */
typedef struct Comparison {
    uint64_t count, differ, first;
    double got, expected; /* there */
} Comparison;
bool arguments_compare(Arena *arena, const Arguments *arguments, const Memory *memory,
                       const char *what, double rtol, double atol, Comparison *comparison,
                       Diags *diags);
