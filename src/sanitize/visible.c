/* Memory that the host sees as well as the device: which it is. See visible.h. */
#include "sanitize/visible.h"

#include <stdlib.h>
#include <string.h>

uint32_t visible_behind(const Visible *visible, uint64_t address) {
    uint32_t first = 0, end = visible->count;
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2;
        if (visible->at[middle].end <= address)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

bool visible_holds(Visible *visible, uint64_t address) {
    if (!visible->count)
        return false;
    if (address - visible->last.first < visible->last.end - visible->last.first)
        return visible->last_is;
    const uint32_t i = visible_behind(visible, address);
    visible->last_is = i < visible->count && visible->at[i].first <= address;
    visible->last = visible->last_is
                        ? visible->at[i]
                        : (VisibleRange){i ? visible->at[i - 1].end : 0,
                                         i < visible->count ? visible->at[i].first : UINT64_MAX};
    return visible->last_is;
}

void visible_remove(Visible *visible, uint64_t first, uint64_t end) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < visible->count; i++)
        if (visible->at[i].end <= first || visible->at[i].first >= end)
            visible->at[kept++] = visible->at[i];
    visible->count = kept;
    visible->last = (VisibleRange){0, 0};
}

void visible_add(Visible *visible, uint64_t first, uint64_t end) {
    visible_remove(visible, first, end);
    if (visible->count == visible->room) {
        const uint32_t room = visible->room ? 2 * visible->room : 16;
        VisibleRange *more = realloc(visible->at, room * sizeof *more);
        if (!more)
            return; /* nothing is said of it */
        visible->at = more;
        visible->room = room;
    }
    const uint32_t i = visible_behind(visible, first);
    memmove(&visible->at[i + 1], &visible->at[i], (visible->count - i) * sizeof *visible->at);
    visible->at[i] = (VisibleRange){first, end};
    visible->count++;
}
