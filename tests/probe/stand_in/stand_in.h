/* stand_in: a GPU for the tests of the library that is loaded into programs: sanitizer.c. */
#pragma once

#include "probe/device/sums.h"
#include "probe/device/table.h"
#include "probe/inject/sanitizer.h"

typedef struct StandInCode {
    const char *kernel;
    uint64_t pc, size;
    const char *cubin; /* any bytes: without an ELF file there is no listing */
    size_t cubin_size;
    uint32_t number; /* of the function: those of one name are told apart by it */
} StandInCode;

typedef struct StandInAccess {
    uint32_t inst, mask;
    ProbeKey key;
    RuleSums sums;
    Lanes64 address;
} StandInAccess;

/* Where this thread loads and launches from now on: each place has a module of its own, two have a context together. */
void stand_in_go(uint32_t place);
enum { STAND_IN_PLACES = 16 };

void stand_in_load(const StandInCode *code);
void stand_in_allocated(uint64_t address, uint64_t bytes);
void stand_in_launch(uint32_t blocks, uint32_t threads, const StandInAccess *accesses,
                     uint32_t count);
/* A CUDA graph whose nodes all launch that. */
void stand_in_graph(uint32_t nodes, uint32_t blocks, uint32_t threads,
                    const StandInAccess *accesses, uint32_t count);
