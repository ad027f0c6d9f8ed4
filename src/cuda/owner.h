/* owner: whose code lies at an address of this process. */
#pragma once

#include "base/base.h"

/* The code outside of this library that has led to the call, the innermost first; NULL behind the last. */
enum { CALLERS = 4 };
typedef struct Callers {
    const void *code[CALLERS];
} Callers;

/* The file name of the object that it lies in. */
const char *owner_name(Arena *arena, const void *address);
/* The innermost code on the thread's stack that is not this library's: the program's; NULL: there is none. */
const void *owner_caller(void);
Callers owner_callers(void);
/* Of code that has faulted, from its place on, without the C library's; ours: code of warplens called it. */
Callers owner_callers_at(const void *code, bool *ours);
/* Where code is, for a person: file and line where there are debug information and addr2line. */
typedef struct CodePlace {
    const char *text; /* "/a/k.cu:7, in main"; NULL: in no file of code */
    const char *file; /* NULL: not known */
    uint32_t line;
} CodePlace;
CodePlace owner_place(Arena *arena, const void *code);
/* The innermost that is not in a header of the toolkit, which has wrappers, nor the host's function of that name for a kernel (without
 * template arguments and parameters; NULL: none is launched). */
CodePlace owner_place_of(Arena *arena, const Callers *callers, const char *kernel);
