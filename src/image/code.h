/* code: what the x86-64 machine code of an executable or library refers to. Nothing is decoded: an
 * instruction with an address in it is found by its pattern, at any byte. What only looks like one would
 * have to point at the very start of a function or a name; who asks checks more than one reference.
 * Where functions begin and end is in the tables for unwinding, which stay when symbols are stripped. */
#pragma once

#include "image/image.h"

typedef struct CodeFunction {
    uint64_t start, end;
} CodeFunction;

typedef struct CodeSlot { /* of the global offset table */
    uint64_t address, value;
} CodeSlot;

typedef struct Code {
    Arena *arena;
    ElfSection text;
    bool is_fixed; /* linked to run at its addresses: constants may be addresses */
    VEC(ElfSection) sections;
    VEC(CodeFunction) functions; /* by address */
    VEC(CodeSlot) slots;         /* by address */
} Code;

typedef struct CodeReference {
    uint64_t at, target; /* of a call: a function's start, or 0 for one elsewhere */
    bool is_call;        /* or a jump to a function's start; else an address is taken */
} CodeReference;

/* false: not x86-64, or without tables for unwinding. */
bool code_open(Arena *arena, const Elf *elf, Code *code);
/* The function whose code has this address, or NULL. */
const CodeFunction *code_function(const Code *code, uint64_t address);
bool code_is_start(const Code *code, uint64_t address);
/* The next reference at or behind *at and before `end`; *at is then behind it. */
bool code_next(const Code *code, uint64_t end, uint64_t *at, CodeReference *reference);
/* Whether a function calls another one. */
bool code_calls(const Code *code, const CodeFunction *function, uint64_t target);
/* The text in read-only data at an address; empty: there is none. */
Str code_string(const Code *code, uint64_t address);
