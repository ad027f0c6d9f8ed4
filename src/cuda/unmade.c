/* --counts-only: what kernels were to compute and did not, since some of their blocks stood for all.
 *
 * Whole allocations are kept, by the launch that wrote to them. A kernel that ran and read from one, and a copy that takes from one,
 * are faults: what follows from their values is not what the program computes. What fills an allocation as a whole ends it; so
 * does its release. Memory that the host reads without asking is never left so: such a kernel runs in all blocks. */
#include "cuda/unmade.h"
#include "cuda/library.h"
#include "cuda/state.h"
#include "wire/wire.h"

#include <stdlib.h>
#include <string.h>

struct Unmade {
    Unmade *next;
    uint64_t address, bytes;
    const char *kernel;
    uint64_t launch; /* the kernel's, from 1 */
};

/* ---- the list ---- */

static void drop(Unmade **list) {
    while (*list) {
        Unmade *one = *list;
        *list = one->next;
        free(one);
    }
}

static const Unmade *find(uint64_t address, uint64_t bytes) {
    for (const Unmade *one = core_get()->unmade; one; one = one->next)
        if (address < one->address + one->bytes && one->address < address + bytes)
            return one;
    return NULL;
}

void unmade_forget(uint64_t address, uint64_t bytes) {
    Core *core = core_get();
    core_lock();
    for (Unmade **at = &core->unmade; *at;) {
        Unmade *one = *at;
        bool all = address <= one->address && one->address + one->bytes <= address + bytes;
        if (!all) {
            at = &one->next;
            continue;
        }
        *at = one->next;
        free(one);
    }
    core_unlock();
}

static void fault(const Unmade *unmade, const char *who, uint64_t address) {
    Arena *arena = arena_new();
    const char *text =
        arena_printf(arena,
                     "%s reads at 0x%llx what %s was to compute (its launch %llu), of which only "
                     "the counts were "
                     "wanted (--counts-only)",
                     who, (unsigned long long)address, name_demangled(arena, unmade->kernel, true),
                     (unsigned long long)unmade->launch);
    core_fault(text, CUDA_ERROR_ILLEGAL_ADDRESS);
    arena_free(arena);
}

bool unmade_read(const char *who, uint64_t address, uint64_t bytes) {
    if (!core_get()->unmade)
        return false;
    core_lock();
    const Unmade *unmade = find(address, bytes);
    if (unmade)
        fault(unmade, who, address);
    core_unlock();
    return unmade;
}

/* ---- a launch ---- */

bool unmade_written(UnmadeLaunch *watched, const MemoryBlock *block) {
    for (const Unmade *one = watched->written; one; one = one->next)
        if (one->address == block->address)
            return true;
    Unmade *one = malloc(sizeof *one);
    if (!one)
        return false;
    *one = (Unmade){.next = watched->written,
                    .address = block->address,
                    .bytes = block->bytes,
                    .kernel = watched->kernel->name,
                    .launch = watched->kernel->launches};
    watched->written = one;
    return true;
}

void unmade_begin(UnmadeLaunch *watched, const Kernel *kernel, Launch *launch) {
    *watched = (UnmadeLaunch){.kernel = kernel};
    launch->counts_only = launch->counting && kernel->counts_only;
    if (!core_get()->unmade || launch->reads)
        return;
    uint32_t count = memory_count(launch->memory);
    watched->reads = (ReadSet){calloc(count + 1, 1), count};
    if (watched->reads.has)
        launch->reads = &watched->reads;
}

/* A kernel whose blocks all ran. */
static void check_reads(const UnmadeLaunch *watched, const Launch *launch) {
    const ReadSet *reads = launch->reads;
    if (!reads)
        return;
    Arena *arena = arena_new();
    const char *name = name_demangled(arena, watched->kernel->name, true);
    bool told = false;
    for (uint32_t i = 0; !told && i < reads->count; i++) {
        const MemoryBlock *block = reads->has[i] ? memory_at(launch->memory, i) : NULL;
        told = block && block->bytes && unmade_read(name, block->address, block->bytes);
    }
    arena_free(arena);
}

void unmade_end(UnmadeLaunch *watched, Launch *launch, const LaunchResult *result) {
    Core *core = core_get();
    Unmade *written = watched->written;
    if (launch->counts_only && result->representatives) {
        core_lock();
        for (Unmade *one; (one = written);) {
            written = one->next;
            one->next = core->unmade;
            core->unmade = one;
        }
        core_unlock();
    } else {
        if (launch->counts_only && result->executed_because)
            core_message_once(watched->kernel->name, "counts only: all blocks of %s ran: %s",
                              name_demangled(core->arena, watched->kernel->name, true),
                              result->executed_because);
        check_reads(watched, launch);
    }
    drop(&written);
    if (launch->reads == &watched->reads)
        launch->reads = NULL;
    free(watched->reads.has);
}
