/* defects: what --sanitize finds in the program itself. */
#pragma once

#include "cuda/library.h"
#include "cuda/owner.h"

/* ---- defects_end.c ---- */

struct DefectPair {
    Callers by, other;                   /* other: none, mostly */
    const Kernel *kernel, *other_kernel; /* that they launch; NULL: none */
    uint64_t key;
};
struct NotedDefect {
    NotedDefect *next;
    DefectKind kind;
    DefectPair pair;
    const char *what; /* its first lines */
    uint64_t count;   /* 0: taken back */
};
void defects_end(Core *core); /* of the process: tells what was noted, and what is left */

/* ---- host_memory.c: --sanitize memory ---- */

/* Of one side of a copy, which may be the host's: tells what is wrong with it. false: it cannot be copied. */
bool host_memory_check(const void *memory, uint64_t bytes, bool writes);
