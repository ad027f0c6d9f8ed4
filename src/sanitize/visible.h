/* visible.h: ranges of addresses: the memory that the host sees, too. Private to sanitize. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct VisibleRange {
    uint64_t first, end;
} VisibleRange;
/* Sorted; no two overlap. All zero: there are none. */
typedef struct Visible {
    VisibleRange *at; /* whoever has it frees it */
    uint32_t count, room;
    VisibleRange last; /* where the latest question was: a range, or what lies between two */
    bool last_is;
} Visible;

void visible_add(Visible *visible, uint64_t first,
                 uint64_t end); /* in the place of what meets it */
void visible_remove(Visible *visible, uint64_t first, uint64_t end); /* what meets it */
bool visible_holds(Visible *visible, uint64_t address);
/* The first range that ends behind the address; count: there is none. */
uint32_t visible_behind(const Visible *visible, uint64_t address);
