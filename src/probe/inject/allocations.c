/* The program's allocations, in the order of their addresses. */
#include "probe/inject/inject.h"

#include <string.h>

/* The first that ends behind the address. */
static uint32_t place_of(const Probe *probe, uint64_t address) {
    uint32_t from = 0, to = probe->allocations.count;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        const Allocated *at = &probe->allocations.at[middle];
        if (at->address + at->bytes <= address)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

void allocation_add(Probe *probe, uint64_t address, uint64_t bytes) {
    uint32_t at = place_of(probe, address);
    if (bytes == 0)
        return;
    vec_add(probe->arena, &probe->allocations);
    Allocated *all = probe->allocations.at;
    memmove(&all[at + 1], &all[at], (probe->allocations.count - 1 - at) * sizeof *all);
    all[at] = (Allocated){address, bytes};
}

void allocation_remove(Probe *probe, uint64_t address) {
    uint32_t at = place_of(probe, address);
    Allocated *all = probe->allocations.at;
    if (at == probe->allocations.count || all[at].address != address)
        return;
    probe->allocations.count--;
    memmove(&all[at], &all[at + 1], (probe->allocations.count - at) * sizeof *all);
}

const Allocated *allocation_find(const Probe *probe, uint64_t address) {
    uint32_t at = place_of(probe, address);
    const Allocated *found = at < probe->allocations.count ? &probe->allocations.at[at] : NULL;
    return found && found->address <= address ? found : NULL;
}
