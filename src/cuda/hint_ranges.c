/* Ranges of managed memory for which a program has given hints (hints.c), by address. Ranges are apart, and memory
 * without hints is in none. */
#include "cuda/allocation.h"
#include "cuda/state.h"

#include <stdlib.h>

static HintRange *insert(HintRange **at, uint64_t address, uint64_t end, Hint hint) {
    HintRange *made = malloc(sizeof *made);
    if (!made)
        out_of_memory();
    *made = (HintRange){address, end, hint, *at};
    return *at = made;
}

static void split(uint64_t address) {
    HintRange **at = &core_get()->hints;
    while (*at && (*at)->end <= address)
        at = &(*at)->next;
    if (!*at || (*at)->address >= address)
        return;
    insert(&(*at)->next, address, (*at)->end, (*at)->hint);
    (*at)->end = address;
}

/* The first range from address on. */
static HintRange **first_from(uint64_t address) {
    HintRange **at = &core_get()->hints;
    while (*at && (*at)->address < address)
        at = &(*at)->next;
    return at;
}

void hints_forget(uint64_t address, uint64_t bytes) {
    if (!core_get()->hints)
        return;
    split(address);
    split(address + bytes);
    for (HintRange **at = first_from(address); *at && (*at)->end <= address + bytes;) {
        HintRange *gone = *at;
        *at = gone->next;
        free(gone);
    }
}

HintRange *hints_cover(uint64_t address, uint64_t end) {
    split(address);
    split(end);
    HintRange **first = first_from(address), **at = first;
    for (uint64_t from = address; from < end; at = &(*at)->next) {
        if (!*at || (*at)->address > from)
            insert(at, from, *at && (*at)->address < end ? (*at)->address : end, (Hint){0});
        from = (*at)->end;
    }
    return *first;
}
