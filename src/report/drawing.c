/* One access of a warp drawn: which lane has which bank and word in which wavefront, and why. */
#include "report/drawing.h"

#include <inttypes.h>
#include <string.h>

/* ---- the grid ---- */

uint64_t drawing_word(const Drawing *drawing, uint64_t address) {
    return address / (drawing->sectors ? BANK_BYTES : drawing->bank_bytes);
}

uint32_t drawing_words(const Drawing *drawing) {
    uint32_t bytes = drawing->sectors ? BANK_BYTES : drawing->bank_bytes;
    return drawing->picture.width <= bytes ? 1 : drawing->picture.width / bytes;
}

/* The lines that are touched, in order; global addresses are relative, so they may lie below 0. */
static uint32_t touched_lines(const Picture *picture, int64_t lines[WARP_LANES]) {
    uint32_t count = 0;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        int64_t line = (int64_t)picture->address[lane] >> 7;
        uint32_t at = 0;
        if (!(picture->mask >> lane & 1))
            continue;
        while (at < count && lines[at] < line)
            at++;
        if (at < count && lines[at] == line)
            continue;
        memmove(&lines[at + 1], &lines[at], (count - at) * sizeof *lines);
        lines[at] = line;
        count++;
    }
    return count;
}

static void add_lane(const Drawing *drawing, Grid *grid, uint32_t row, uint32_t lane) {
    uint64_t first = drawing_word(drawing, drawing->picture.address[lane]);
    for (uint64_t word = first; word < first + drawing_words(drawing); word++) {
        grid->at[row].lanes[word % BANKS] |= UINT32_C(1) << lane;
        grid->at[row].word[word % BANKS] = word;
    }
}

static Grid bank_grid(Arena *arena, const Drawing *drawing) {
    const Schedule *schedule = &drawing->picture.schedule;
    Grid grid = {NEW_ARRAY(arena, GridRow, schedule->wavefronts + 1), schedule->wavefronts};
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        if (schedule->lanes >> lane & 1) {
            grid.at[schedule->wavefront[lane]].group = schedule->group[lane];
            add_lane(drawing, &grid, schedule->wavefront[lane], lane);
        }
    return grid;
}

static Grid line_grid(Arena *arena, const Drawing *drawing) {
    int64_t lines[WARP_LANES + 1];
    const Picture *picture = &drawing->picture;
    uint32_t count = touched_lines(picture, lines);
    Grid grid = {NEW_ARRAY(arena, GridRow, count + 1), count};
    for (uint32_t row = 0; row < count; row++) {
        grid.at[row].line = (uint64_t)lines[row];
        for (uint32_t lane = 0; lane < WARP_LANES; lane++)
            if (picture->mask >> lane & 1 && (int64_t)picture->address[lane] >> 7 == lines[row])
                add_lane(drawing, &grid, row, lane);
    }
    return grid;
}

Grid drawing_grid(Arena *arena, const Drawing *drawing) {
    return drawing->sectors ? line_grid(arena, drawing) : bank_grid(arena, drawing);
}

/* ---- words ---- */

const char *drawing_lanes(Arena *arena, uint32_t mask) {
    const char *text = "";
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        uint32_t last = lane;
        if (!(mask >> lane & 1))
            continue;
        while (last + 1 < WARP_LANES && mask >> (last + 1) & 1)
            last++;
        text = arena_printf(arena, "%s%s%" PRIu32, text, *text ? ", " : "", lane);
        if (last > lane)
            text = arena_printf(arena, "%s-%" PRIu32, text, last);
        lane = last;
    }
    return text;
}

static const char *counted(Arena *arena, uint32_t number, const char *unit) {
    return arena_printf(arena, "%" PRIu32 " %s%s", number, unit, number == 1 ? "" : "s");
}

const char *drawing_what(Arena *arena, const Drawing *drawing) {
    static const char *const names[ACCESS_KIND_COUNT] = {
        [ACCESS_LOAD] = "a load",
        [ACCESS_STORE] = "a store",
        [ACCESS_ATOMIC] = "an atomic of the hardware",
        [ACCESS_ATOMIC_POPC] = "an atomic increment",
        [ACCESS_ATOMIC_CAS] = "a compare-and-swap",
        [ACCESS_ATOMIC_LOOP32] = "an atomic that is a loop around a compare-and-swap",
        [ACCESS_ATOMIC_LOOP64] = "an atomic that is a loop around a compare-and-swap",
        [ACCESS_LDMATRIX] = "ldmatrix, rows",
        [ACCESS_STMATRIX] = "stmatrix, rows",
        [ACCESS_CP_ASYNC_CA] = "cp.async.ca",
        [ACCESS_CP_ASYNC_CG] = "cp.async.cg",
        [ACCESS_ATOMIC_CAST] = "a try of a compare-and-swap",
    };
    const Picture *picture = &drawing->picture;
    const char *lanes =
        picture->mask == FULL_MASK
            ? "32 lanes"
            : arena_printf(arena, "lane%s %s", picture->mask & (picture->mask - 1) ? "s" : "",
                           drawing_lanes(arena, picture->mask));
    bool atomic = picture->kind >= ACCESS_ATOMIC && picture->kind <= ACCESS_ATOMIC_LOOP64;
    const char *name = drawing->sectors && atomic ? "an atomic" : names[picture->kind];
    return arena_printf(arena, "%s of %s a lane, %s", name, counted(arena, picture->width, "byte"),
                        picture->mask ? lanes : "no lane active");
}

const char *drawing_verdict(Arena *arena, const Drawing *drawing) {
    const Picture *picture = &drawing->picture;
    const char *unit = drawing->sectors ? "sector" : "wavefront";
    const char *cost = counted(arena, picture->cost, unit);
    if (picture->cost <= picture->ideal)
        return arena_printf(arena, "%s: as few as can be", cost);
    if (drawing->sectors)
        return arena_printf(arena, "%s where %" PRIu32 " would do", cost, picture->ideal);
    return arena_printf(arena, "%s where %" PRIu32 " would do: %s-way", cost, picture->ideal,
                        words_ratio_bare(arena, picture->cost, picture->ideal));
}

/* ---- notes ---- */

/* Lane groups of a load with an active lane, before merging. */
static uint32_t groups_before(const Picture *picture) {
    uint32_t lanes = picture->width <= 4 ? 32 : picture->width == 8 ? 16 : 8, groups = 0;
    for (uint32_t first = 0; first < WARP_LANES; first += lanes)
        groups += lanes == WARP_LANES
                      ? picture->mask != 0
                      : (picture->mask >> first & ((UINT32_C(1) << lanes) - 1)) != 0;
    return groups;
}

static const char *group_note(Arena *arena, const Drawing *drawing) {
    const Picture *picture = &drawing->picture;
    uint32_t groups = picture->schedule.groups;
    bool load = picture->kind == ACCESS_LOAD && drawing->bank_bytes == BANK_BYTES;
    if (load && picture->width >= 8 && groups < groups_before(picture))
        return arena_printf(arena,
                            "lanes that read the same are merged (the pair rule): %" PRIu32
                            " lane group%s instead of %" PRIu32,
                            groups, groups == 1 ? "" : "s", groups_before(picture));
    if (picture->kind == ACCESS_CP_ASYNC_CG)
        return "a wavefront moves 32-byte sectors of one kind: of the same lines of source and "
               "destination, alike in halves and flip (docs/memory-model.md)";
    if (groups < 2)
        return NULL;
    if (picture->kind == ACCESS_LDMATRIX || picture->kind == ACCESS_STMATRIX)
        return arena_printf(arena, "%" PRIu32 " matrices, one after the other: each has 8 rows",
                            groups);
    return arena_printf(arena, "%" PRIu32 " lane groups, one after the other", groups);
}

static void round_notes(Arena *arena, const Picture *picture, Words *notes) {
    const Schedule *schedule = &picture->schedule;
    if (schedule->passes > 1)
        *vec_add(arena, &notes->list) =
            "a compare-and-swap goes through each of these wavefronts twice";
    if (!schedule->swaps)
        return;
    *vec_add(arena, &notes->list) = arena_printf(
        arena, "the first of %s: its load; %s for the compare-and-swap follow%s",
        counted(arena, picture->rounds, "round"), counted(arena, schedule->swaps, "wavefront"),
        schedule->left
            ? arena_printf(arena, ", then lanes %s go again", drawing_lanes(arena, schedule->left))
            : "");
}

Words drawing_notes(Arena *arena, const Drawing *drawing) {
    Words notes = {{0}};
    for (uint32_t i = 0; i < drawing->note_count; i++)
        *vec_add(arena, &notes.list) = drawing->notes[i];
    if (drawing->sectors)
        return notes;
    const char *groups = group_note(arena, drawing);
    if (groups)
        *vec_add(arena, &notes.list) = groups;
    round_notes(arena, &drawing->picture, &notes);
    return notes;
}

/* ---- why ---- */

static const char *shared_what(const Picture *picture) {
    switch (picture->kind) {
    case ACCESS_CP_ASYNC_CG:
        return "same sectors";
    case ACCESS_LDMATRIX:
    case ACCESS_STMATRIX:
        return "same row";
    default:
        return picture->width > 4 ? "same words" : "same word";
    }
}

static const char *taken_what(const Picture *picture, uint32_t lane, uint32_t with) {
    uint64_t unit = picture->width > 4 ? picture->width : 4;
    uint64_t here = picture->address[lane] / unit, there = picture->address[with] / unit;
    switch (picture->kind) {
    case ACCESS_CP_ASYNC_CA:
        return (here - there) % (LINE_BYTES / unit) ? "same bank of the source"
                                                    : "same bank of the destination";
    default:
        return here == there ? "same word" : "same bank";
    }
}

const char *drawing_why(Arena *arena, const Drawing *drawing, uint32_t lane) {
    const Picture *picture = &drawing->picture;
    uint32_t with = picture->schedule.with[lane];
    switch (picture->schedule.served[lane]) {
    case SERVED_WITH:
        return arena_printf(arena, "with lane %" PRIu32 ": %s", with, shared_what(picture));
    case SERVED_AFTER:
        return arena_printf(arena, "after lane %" PRIu32 ": %s", with,
                            taken_what(picture, lane, with));
    case SERVED_NOT:
        return picture->kind == ACCESS_CP_ASYNC_CG
                   ? arena_printf(arena, "overwritten by lane %" PRIu32, with)
                   : "names no row";
    default:
        return "";
    }
}
