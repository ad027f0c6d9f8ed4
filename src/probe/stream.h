/* stream: what the library in the program tells warplens of modules and counted launches, as payloads of RECORD_PROBE (wire.h). */
#pragma once

#include "probe/device/table.h"
#include "wire/bytes.h"

/* A module's machine code, which lies in a file of the session's folder. */
typedef struct ProbeModule {
    uint64_t hash;
    const char *path;
} ProbeModule;

typedef struct ProbeSlot {
    ProbeKey key;
    uint32_t function; /* of the launch's functions; NONE: the pc lies in none that is known */
    uint64_t offset;   /* of the instruction in it, else its pc */
    uint64_t sums[PROBE_SUMS];
} ProbeSlot;

typedef struct ProbeAllocation {
    uint64_t address, bytes;
} ProbeAllocation;

/* How long a launch took that was left as it is. */
typedef struct ProbeTime {
    uint64_t module;
    const char *kernel;
    uint32_t grid[3], block[3];
    double seconds;
    bool left; /* it would have been counted */
} ProbeTime;

typedef struct ProbeLaunch {
    uint64_t module; /* its hash */
    const char *kernel;
    const char *gpu;                              /* as its driver calls it */
    uint32_t device, capability, multiprocessors; /* 90: 9.0 */
    uint32_t grid[3], block[3];
    uint32_t registers; /* of a thread; 0: not known */
    uint32_t dynamic_shared;
    uint32_t block_mask; /* blocks were sampled whose number has none of these bits */
    bool sampled;
    uint32_t together;           /* launches by one CUDA graph whose sums these are; else 1 */
    uint64_t lost;               /* executions that were not counted */
    double seconds;              /* with counting */
    const char *failed;          /* why it has no counts, or not all; NULL: it has */
    VEC(const char *) functions; /* the kernel first, then those that it may call */
    VEC(ProbeSlot) slots;
    VEC(ProbeSample) samples;
    VEC(ProbeAllocation) allocations; /* by address: those that samples lie in */
} ProbeLaunch;

void probe_put_module(Output *out, const ProbeModule *module);
void probe_put_time(Output *out, const ProbeTime *time);
void probe_put_launch(Output *out, const ProbeLaunch *launch);

typedef enum ProbeMessageKind {
    PROBE_MESSAGE_MODULE,
    PROBE_MESSAGE_LAUNCH,
    PROBE_MESSAGE_TIME,
} ProbeMessageKind;
typedef struct ProbeMessage {
    ProbeMessageKind kind;
    ProbeModule module;
    ProbeLaunch launch;
    ProbeTime time;
} ProbeMessage;
/* false: it is malformed. Texts and rows are in the arena. */
bool probe_get(Arena *arena, const void *data, size_t size, ProbeMessage *message);
