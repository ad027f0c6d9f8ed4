#include "sanitize/race_shadow.h"

#include <stdlib.h>
#include <string.h>

enum {
    LIST_MOST = 96,       /* accesses that one cell remembers */
    SWEEP_FIRST = 1 << 20 /* segments */
};

static void *grown(void *at, size_t bytes) {
    void *larger = realloc(at, bytes);
    if (!larger)
        out_of_memory();
    return larger;
}

void shadow_init(Shadow *shadow) {
    *shadow = (Shadow){.era = 1, .segment_count = 1, .list_count = 1, .sweep_at = SWEEP_FIRST};
}

static void free_lists(Shadow *shadow) {
    for (uint32_t i = 1; i < shadow->list_count; i++)
        free(shadow->lists[i].at);
    free(shadow->lists);
    shadow->lists = NULL;
    shadow->list_count = 1;
    shadow->list_capacity = shadow->list_free = 0;
}

static void free_pages(Shadow *shadow) {
    for (uint32_t i = 0; i < shadow->page_size; i++)
        if (shadow->pages[i]) {
            free(shadow->pages[i]->cells);
            free(shadow->pages[i]);
        }
    free(shadow->pages);
    shadow->pages = NULL;
    shadow->page_size = shadow->page_count = 0;
    memset(shadow->recent, 0, sizeof shadow->recent);
}

void shadow_free(Shadow *shadow) {
    free_lists(shadow);
    free_pages(shadow);
    free(shadow->segments);
    *shadow = (Shadow){0};
}

void shadow_forget_all(Shadow *shadow) {
    free_lists(shadow);
    shadow->segment_count = 1;
    shadow->segment_free = shadow->segments_live = 0;
    shadow->sweep_at = SWEEP_FIRST;
    shadow->era++;
}

/* ---- pages ---- */

static uint32_t hash_of(uintptr_t first) {
    return (uint32_t)((first >> SHADOW_SHIFT) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

static ShadowPage **find(const Shadow *shadow, uintptr_t first) {
    uint32_t at = hash_of(first);
    for (;; at++) {
        ShadowPage **page = &shadow->pages[at & (shadow->page_size - 1)];
        if (!*page || (*page)->first == first)
            return page;
    }
}

static void grow_pages(Shadow *shadow) {
    Shadow larger = {.page_size = shadow->page_size ? 2 * shadow->page_size : 256};
    larger.pages = calloc(larger.page_size, sizeof *larger.pages);
    if (!larger.pages)
        out_of_memory();
    for (uint32_t i = 0; i < shadow->page_size; i++)
        if (shadow->pages[i])
            *find(&larger, shadow->pages[i]->first) = shadow->pages[i];
    free(shadow->pages);
    shadow->pages = larger.pages;
    shadow->page_size = larger.page_size;
}

static ShadowCell *new_cells(uint32_t shift) {
    ShadowCell *cells = calloc(SHADOW_PAGE >> shift, sizeof *cells);
    if (!cells)
        out_of_memory();
    return cells;
}

static uint32_t cells_of_row(const ShadowPage *page, uint32_t row, ShadowCell **first) {
    const uint32_t count = ROW_BYTES_ALL >> page->shift;
    *first = &page->cells[row * count];
    return count;
}

/* to: an empty cell. */
static void copy_cell(Shadow *shadow, ShadowCell *to, ShadowCell from) {
    *to = from;
    if (!(from.rest & STAMP_LIST))
        return;
    to->rest = 0;
    const uint32_t count = shadow->lists[from.rest & ~STAMP_LIST].count;
    for (uint32_t i = 0; i < count; i++)
        rest_add(shadow, to, 0, shadow->lists[from.rest & ~STAMP_LIST].at[i]);
}

/* Each cell becomes several that know the same. */
static void split(Shadow *shadow, ShadowPage *page, uint32_t shift) {
    ShadowCell *cells = new_cells(shift);
    const uint32_t parts = 1u << (page->shift - shift);
    for (uint32_t i = 0; i < (uint32_t)SHADOW_PAGE >> page->shift; i++) {
        if (!(page->apart >> ((i << page->shift) >> ROW_SHIFT) & 1))
            continue;
        cells[i * parts] = page->cells[i];
        for (uint32_t part = 1; part < parts; part++)
            copy_cell(shadow, &cells[i * parts + part], page->cells[i]);
    }
    free(page->cells);
    page->cells = cells;
    page->shift = (uint8_t)shift;
}

/* Of cells that no element of the row is smaller than: one of the row's entries, in one of them. */
static void spread(Shadow *shadow, ShadowCell *cell, uint32_t byte, ListEntry entry) {
    const Segment *segment = &shadow->segments[entry.segment];
    const int32_t ahead = (int32_t)(byte / segment->element) - entry.first;
    const int32_t lane = ahead / entry.step;
    if (ahead % entry.step || lane < 0 || lane > 31 || !(entry.lanes >> lane & 1))
        return;
    const uint32_t stamp = entry.segment << STAMP_LANE_BITS | (uint32_t)lane;
    if (segment->writes && !segment->strong)
        cell->write = stamp;
    else
        rest_add(shadow, cell, stamp, (ListEntry){entry.segment, 1u << lane, 0, 0});
}

static uint32_t smallest_element(const Shadow *shadow, const ShadowCell *row, const Rest *rest) {
    uint32_t smallest = row->write ? 4 : 1u << SHADOW_MOST;
    for (uint32_t i = 0; i < rest->count; i++) {
        const uint32_t element = shadow->segments[rest->at[i].segment].element;
        smallest = element < smallest ? element : smallest;
    }
    return smallest;
}

static void take_apart(Shadow *shadow, ShadowPage *page, uint32_t row) {
    const ShadowCell whole = page->rows[row];
    ShadowCell *cells;
    Rest rest;
    rest_of(shadow, &whole, &rest);
    if (whole.rest && !(whole.rest & STAMP_LIST))
        rest.one = (ListEntry){rest.one.segment, UINT32_MAX, 0, 1};
    const uint32_t most = (uint32_t)__builtin_ctz(smallest_element(shadow, &whole, &rest));
    if (page->shift > most)
        split(shadow, page, most);
    const uint32_t count = cells_of_row(page, row, &cells);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t byte = i << page->shift;
        cells[i] = (ShadowCell){whole.write ? whole.write | byte / 4 : 0, 0};
        for (uint32_t e = 0; e < rest.count; e++)
            spread(shadow, &cells[i], byte, rest.at[e]);
    }
    rest_clear(shadow, &page->rows[row]);
    page->rows[row].write = 0;
    page->apart |= 1u << row;
}

static uint32_t shift_of(uintptr_t address, uint32_t bytes) {
    return (uint32_t)__builtin_ctzll(address | bytes | 1u << SHADOW_MOST);
}

static ShadowPage *page_at(Shadow *shadow, uintptr_t first) {
    if (2 * (shadow->page_count + 1) > shadow->page_size)
        grow_pages(shadow);
    ShadowPage **place = find(shadow, first);
    if (!*place) {
        *place = calloc(1, sizeof **place);
        if (!*place)
            out_of_memory();
        (*place)->first = first;
        shadow->page_count++;
    }
    return *place;
}

ShadowPage *shadow_page(Shadow *shadow, uintptr_t address) {
    const uintptr_t first = address & ~(uintptr_t)(SHADOW_PAGE - 1);
    ShadowPage **recent = &shadow->recent[hash_of(first) >> (32 - RECENT_BITS)];
    if (!*recent || (*recent)->first != first)
        *recent = page_at(shadow, first);
    ShadowPage *page = *recent;
    if (page->era != shadow->era) { /* lists of other eras are gone */
        page->era = shadow->era;
        page->apart = 0;
        memset(page->rows, 0, sizeof page->rows);
        memset(page->said, 0, sizeof page->said);
    }
    return page;
}

ShadowPage *shadow_cells(Shadow *shadow, uintptr_t address, uint32_t bytes) {
    ShadowPage *page = shadow_page(shadow, address);
    const uint32_t shift = shift_of(address, bytes);
    if (!page->apart && page->shift > shift) { /* no cell is of any meaning */
        free(page->cells);
        page->cells = NULL;
    }
    if (!page->cells) {
        page->shift = (uint8_t)shift;
        page->cells = new_cells(shift);
    }
    if (page->shift > shift)
        split(shadow, page, shift);
    const uint32_t first = (uint32_t)(address - page->first) >> ROW_SHIFT;
    const uint32_t last = (uint32_t)(address - page->first + bytes - 1) >> ROW_SHIFT;
    for (uint32_t row = first; row <= last; row++)
        if (!(page->apart >> row & 1))
            take_apart(shadow, page, row);
    return page;
}

ShadowCell *shadow_row(Shadow *shadow, ShadowPage *page, uint32_t row) {
    ShadowCell *cells;
    const uint32_t count = page->apart >> row & 1 ? cells_of_row(page, row, &cells) : 0;
    for (uint32_t i = 0; i < count; i++)
        rest_clear(shadow, &cells[i]);
    page->apart &= ~(1u << row);
    rest_clear(shadow, &page->rows[row]);
    page->rows[row].write = 0;
    return &page->rows[row];
}

static void forget_in_page(Shadow *shadow, uintptr_t first, uintptr_t end) {
    while (first < end) {
        const uintptr_t row_end = (first | (ROW_BYTES_ALL - 1)) + 1;
        const uintptr_t until = row_end < end ? row_end : end;
        ShadowPage *page = shadow_page(shadow, first);
        page->said[(first - page->first) >> ROW_SHIFT] = 0;
        if (until - first == ROW_BYTES_ALL) {
            shadow_row(shadow, page, (uint32_t)(first - page->first) >> ROW_SHIFT);
        } else {
            page = shadow_cells(shadow, first, (uint32_t)(until - first));
            for (uintptr_t at = first; at < until; at += (uintptr_t)1 << page->shift) {
                ShadowCell *cell = &page->cells[(at - page->first) >> page->shift];
                rest_clear(shadow, cell);
                cell->write = 0;
            }
        }
        first = until;
    }
}

void shadow_forget(Shadow *shadow, uintptr_t first, uintptr_t end) {
    while (first < end && shadow->page_size) {
        const uintptr_t page_first = first & ~(uintptr_t)(SHADOW_PAGE - 1);
        const uintptr_t until = page_first + SHADOW_PAGE < end ? page_first + SHADOW_PAGE : end;
        const ShadowPage *page = *find(shadow, page_first);
        if (page && page->era == shadow->era)
            forget_in_page(shadow, first, until);
        first = until;
    }
}

/* ---- segments ---- */

uint32_t segment_new(Shadow *shadow) {
    uint32_t number = shadow->segment_free;
    shadow->segments_live++;
    if (number) {
        shadow->segment_free = shadow->segments[number].next;
        return number;
    }
    if (shadow->segment_count >= shadow->segment_capacity) {
        shadow->segment_capacity = shadow->segment_capacity ? 2 * shadow->segment_capacity : 1024;
        shadow->segments =
            grown(shadow->segments, shadow->segment_capacity * sizeof *shadow->segments);
    }
    return shadow->segment_count++;
}

static void mark(Shadow *shadow, const ShadowCell *cell) {
    Rest rest;
    if (cell->write)
        shadow->segments[(cell->write & ~(uint32_t)STAMP_GROUP) >> STAMP_LANE_BITS].live = true;
    rest_of(shadow, cell, &rest);
    for (uint32_t i = 0; i < rest.count; i++)
        shadow->segments[rest.at[i].segment].live = true;
}

static void mark_page(Shadow *shadow, const ShadowPage *page) {
    for (uint32_t row = 0; row < PAGE_ROWS; row++) {
        ShadowCell *cells;
        const uint32_t count = page->apart >> row & 1 ? cells_of_row(page, row, &cells) : 0;
        mark(shadow, &page->rows[row]);
        for (uint32_t i = 0; i < count; i++)
            mark(shadow, &cells[i]);
    }
}

void segments_sweep(Shadow *shadow) {
    for (uint32_t i = 0; i < shadow->page_size; i++)
        if (shadow->pages[i] && shadow->pages[i]->era == shadow->era)
            mark_page(shadow, shadow->pages[i]);
    shadow->segment_free = shadow->segments_live = 0;
    for (uint32_t i = 1; i < shadow->segment_count; i++) {
        Segment *segment = &shadow->segments[i];
        if (segment->live) {
            shadow->segments_live++;
        } else {
            segment->next = shadow->segment_free;
            shadow->segment_free = i;
        }
        segment->live = false;
    }
    shadow->sweep_at =
        2 * shadow->segments_live > SWEEP_FIRST ? 2 * shadow->segments_live : SWEEP_FIRST;
}

/* ---- lists ---- */

static uint32_t segment_of(uint32_t stamp) {
    return (stamp & ~(uint32_t)STAMP_GROUP) >> STAMP_LANE_BITS;
}

static ListEntry entry_of(const Shadow *shadow, uint32_t stamp) {
    const uint32_t segment = segment_of(stamp);
    const uint32_t lanes =
        stamp & STAMP_GROUP ? shadow->segments[segment].lanes : 1u << (stamp & 31);
    return (ListEntry){segment, lanes, 0, 0};
}

void rest_of(const Shadow *shadow, const ShadowCell *cell, Rest *rest) {
    rest->count = cell->rest != 0;
    rest->at = &rest->one;
    if (cell->rest & STAMP_LIST) {
        const AccessList *list = &shadow->lists[cell->rest & ~STAMP_LIST];
        rest->at = list->at;
        rest->count = list->count;
    } else if (cell->rest) {
        rest->one = entry_of(shadow, cell->rest);
    }
}

void rest_clear(Shadow *shadow, ShadowCell *cell) {
    if (cell->rest & STAMP_LIST) {
        AccessList *list = &shadow->lists[cell->rest & ~STAMP_LIST];
        list->count = 0;
        list->like = 0;
        list->next = shadow->list_free;
        shadow->list_free = cell->rest & ~STAMP_LIST;
    }
    cell->rest = 0;
}

static uint32_t list_new(Shadow *shadow) {
    const uint32_t number = shadow->list_free;
    if (number) {
        shadow->list_free = shadow->lists[number].next;
        return number;
    }
    if (shadow->list_count >= shadow->list_capacity) {
        shadow->list_capacity = shadow->list_capacity ? 2 * shadow->list_capacity : 256;
        shadow->lists = grown(shadow->lists, shadow->list_capacity * sizeof *shadow->lists);
    }
    shadow->lists[shadow->list_count] = (AccessList){0};
    return shadow->list_count++;
}

static bool list_add(AccessList *list, ListEntry entry) {
    for (uint32_t i = list->count; i-- > 0;)
        if (list->at[i].segment == entry.segment && list->at[i].first == entry.first &&
            list->at[i].step == entry.step) {
            list->at[i].lanes |= entry.lanes;
            return true;
        }
    if (list->count == LIST_MOST)
        return false;
    if (list->count == list->capacity) {
        list->capacity += 2 + list->capacity / 2;
        list->at = grown(list->at, list->capacity * sizeof *list->at);
    }
    list->at[list->count++] = entry;
    return true;
}

bool rest_add(Shadow *shadow, ShadowCell *cell, uint32_t stamp, ListEntry entry) {
    if (!cell->rest && stamp) {
        cell->rest = stamp;
        return true;
    }
    if (!(cell->rest & STAMP_LIST)) {
        const uint32_t list = list_new(shadow);
        if (cell->rest)
            list_add(&shadow->lists[list], entry_of(shadow, cell->rest));
        cell->rest = STAMP_LIST | list;
    }
    return list_add(&shadow->lists[cell->rest & ~STAMP_LIST], entry);
}
