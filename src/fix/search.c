/* The search: each kind of layout in turn, each priced over all recorded accesses to the array.
 *
 *   padding     every multiple of an element below 64 words, after every pitch
 *   two of them a second padding after a multiple of that pitch: planes, and scans of large arrays
 *   swizzles    CuTe's family
 *   XOR maps    all that are linear over GF(2): xor.c
 *   transposed  rows of every pitch */
#include "fix/search.h"

enum { SWIZZLE_BITS = 5, SWIZZLE_SHIFT_MOST = 10, FIRST_PADDINGS = 12 };

/* ---- kinds ---- */

static void try_pitch(const Search *search, uint32_t pitch, Candidate *best) {
    uint32_t element = search->fix->element;
    for (uint32_t pad = element; pad <= PADDING_MOST; pad += element)
        candidate_try(search, &(Layout){.kind = LAYOUT_PADDED, .pitch = pitch, .pad = pad}, best);
}

static void try_paddings(const Search *search, Candidate *best) {
    for (uint32_t p = 0; p < search->pitches.count; p++)
        try_pitch(search, search->pitches.at[p], best);
}

static void try_second(const Search *search, const Layout *first, Candidate *best) {
    uint32_t element = search->fix->element;
    for (uint32_t p = 0; p < search->pitches.count; p++) {
        Layout layout = *first;
        layout.pitch2 = search->pitches.at[p];
        if (layout.pitch2 <= first->pitch || layout.pitch2 % first->pitch)
            continue;
        for (layout.pad2 = element; layout.pad2 <= PADDING_MOST; layout.pad2 += element)
            candidate_try(search, &layout, best);
    }
}

/* A second padding for the pitches that are cheapest with one. */
static void try_two_paddings(const Search *search, Candidate *best) {
    Candidate firsts[FIRST_PADDINGS];
    uint32_t count = 0;
    for (uint32_t p = 0; p < search->pitches.count; p++) {
        Candidate one = {.wavefronts = search->fix->wavefronts};
        try_pitch(search, search->pitches.at[p], &one);
        if (one.layout.kind == LAYOUT_PLAIN ||
            (count == FIRST_PADDINGS && !candidate_cheaper(&one, &firsts[count - 1])))
            continue;
        uint32_t at = count < FIRST_PADDINGS ? count++ : count - 1;
        for (; at > 0 && candidate_cheaper(&one, &firsts[at - 1]); at--)
            firsts[at] = firsts[at - 1];
        firsts[at] = one;
    }
    for (uint32_t i = 0; i < count; i++)
        try_second(search, &firsts[i].layout, best);
}

static void try_swizzles(const Search *search, Candidate *best) {
    for (uint32_t base = BASE_LEAST; base <= BASE_MOST; base++)
        for (uint32_t bits = 1; bits <= SWIZZLE_BITS; bits++)
            for (uint32_t shift = bits; shift <= SWIZZLE_SHIFT_MOST; shift++)
                if (search->fix->bytes >> (base + shift))
                    candidate_try(
                        search,
                        &(Layout){
                            .kind = LAYOUT_SWIZZLED, .bits = bits, .base = base, .shift = shift},
                        best);
}

/* Rows of `pitch` bytes, as many as there are in `group`, by columns of `element` bytes. */
static void try_group(const Search *search, uint64_t group, uint32_t pitch, uint32_t element,
                      Candidate *best) {
    if (group <= UINT32_MAX && search->fix->bytes % group == 0 && group % pitch == 0 &&
        pitch % element == 0 && group > pitch && pitch > element)
        candidate_try(search,
                      &(Layout){.kind = LAYOUT_TRANSPOSED,
                                .pitch = pitch,
                                .rows = (uint32_t)(group / pitch),
                                .element = element},
                      best);
}

/* Of an array [z][y][x]: x or yx first, and zy or z behind; within each z; y first and z behind. */
static void try_rows(const Search *search, uint32_t pitch, Candidate *best) {
    const Pitches *pitches = &search->pitches;
    uint64_t bytes = search->fix->bytes;
    try_group(search, bytes, pitch, search->fix->element, best);
    for (uint32_t q = 0; q < pitches->count; q++) {
        try_group(search, pitches->at[q], pitch, search->fix->element, best);
        try_group(search, bytes, pitch, pitches->at[q], best);
    }
}

static void try_transposed(const Search *search, Candidate *best) {
    for (uint32_t p = 0; p < search->pitches.count; p++)
        try_rows(search, search->pitches.at[p], best);
}

/* ---- the best of them ---- */

/* What a layout has to stay below. It saves a tenth of the excess, or it is not worth the trouble; half of
 * it where addresses depend on data, since other data will not be served as well. */
static uint64_t limit_of(const Search *search) {
    uint64_t excess = search->fix->wavefronts - search->fix->ideal;
    uint64_t part = search->by_data ? 2 : 10;
    return search->fix->wavefronts - (excess + part - 1) / part + 1;
}

static void add_best(ArrayFix *fix, const Candidate *found) {
    uint32_t at = fix->count++;
    for (; at > 0 && candidate_cheaper(found, &fix->best[at - 1]); at--)
        fix->best[at] = fix->best[at - 1];
    fix->best[at] = *found;
}

/* Those of the same kind that cost as much: with rows of another pitch, they may be easier to write. */
static void find_others(Search *search, const Candidate *found) {
    enum { OTHERS = 3 };
    bool padded = found->layout.kind == LAYOUT_PADDED;
    void (*const try)(const Search *, uint32_t, Candidate *) = padded ? try_pitch : try_rows;
    Candidate others[OTHERS];
    uint32_t count = 0;
    if (found->layout.kind != LAYOUT_TRANSPOSED && (!padded || found->layout.pitch2))
        return;
    for (uint32_t p = 0; p < search->pitches.count; p++) {
        Candidate one = {.wavefronts = found->wavefronts + 1, .also = true};
        if (search->pitches.at[p] != found->layout.pitch)
            try(search, search->pitches.at[p], &one);
        if (one.layout.kind == LAYOUT_PLAIN ||
            (count == OTHERS && one.bytes >= others[OTHERS - 1].bytes))
            continue;
        one.also = true;
        uint32_t at = count < OTHERS ? count++ : OTHERS - 1;
        for (; at > 0 && one.bytes < others[at - 1].bytes; at--)
            others[at] = others[at - 1];
        others[at] = one;
    }
    for (uint32_t i = 0; i < count; i++)
        add_best(search->fix, &others[i]);
}

/* Wavefronts of the best candidate, or of the array as it is. */
static uint64_t fewest(const ArrayFix *fix) {
    uint64_t least = fix->wavefronts;
    for (uint32_t i = 0; i < fix->count; i++)
        least = fix->best[i].wavefronts < least ? fix->best[i].wavefronts : least;
    return least;
}

static bool is_found(const ArrayFix *fix, LayoutKind kind, uint32_t pitch) {
    for (uint32_t i = 0; i < fix->count; i++) {
        const Layout *layout = &fix->best[i].layout;
        if (layout->kind == kind && layout->pitch == pitch && !layout->pitch2)
            return true;
    }
    return false;
}

/* Padding after the rows that lanes walk along is an extent and no more, so that it may cost less as a whole than what saves some
 * wavefronts more: one that saves most of them is a candidate, too. */
static void find_rows(Search *search) {
    const ArrayFix *fix = search->fix;
    const uint64_t least = fewest(fix);
    Candidate rows = {.wavefronts = least + (fix->wavefronts - least) / 4 + 1};
    if (!fix->row || fix->row % fix->element || fix->count == 0 || fix->count == CANDIDATES ||
        is_found(fix, LAYOUT_PADDED, fix->row))
        return;
    try_pitch(search, fix->row, &rows);
    rows.also = true;
    if (rows.layout.kind == LAYOUT_PADDED)
        add_best(search->fix, &rows);
}

/* Padding that keeps the vectors that threads load and store aligned: what does not makes the compiler take their elements one by one. */
static void find_vectors(Search *search) {
    const ArrayFix *fix = search->fix;
    const uint64_t least = fewest(fix);
    uint32_t width = fix->element;
    bool found = false;
    for (uint32_t i = 0; i < search->uses.count; i++)
        width = search->uses.at[i].site->width > width ? search->uses.at[i].site->width : width;
    for (uint32_t i = 0; i < fix->count; i++)
        found |= fix->best[i].layout.kind == LAYOUT_PADDED &&
                 fix->best[i].layout.pad % width == 0 && !fix->best[i].layout.pitch2;
    if (found || width == fix->element || fix->count == 0 || fix->count == CANDIDATES)
        return;
    Candidate vectors = {.wavefronts = least + (fix->wavefronts - least) / 2 + 1};
    for (uint32_t p = 0; p < search->pitches.count; p++)
        for (uint32_t pad = width; search->pitches.at[p] % width == 0 && pad <= PADDING_MOST;
             pad += width)
            candidate_try(
                search,
                &(Layout){.kind = LAYOUT_PADDED, .pitch = search->pitches.at[p], .pad = pad},
                &vectors);
    vectors.also = true;
    if (vectors.layout.kind == LAYOUT_PADDED)
        add_best(search->fix, &vectors);
}

/* An array of structures as one array for each member, which is written without arithmetic: a candidate, too, where it saves a half of
 * what the best one does. */
static void find_members(Search *search) {
    enum { MEMBERS_MOST = 64 };
    const ArrayFix *fix = search->fix;
    const uint64_t least = fewest(fix);
    const uint32_t pitch = fix->row;
    Candidate members = {.wavefronts = least + (fix->wavefronts - least) / 2 + 1, .also = true};
    if (!pitch || pitch > MEMBERS_MOST || fix->count == 0 || fix->count == CANDIDATES ||
        is_found(fix, LAYOUT_TRANSPOSED, pitch))
        return;
    try_group(search, fix->bytes, pitch, fix->element, &members);
    members.also = true;
    if (members.layout.kind == LAYOUT_TRANSPOSED)
        add_best(search->fix, &members);
}

/* The general kinds have to beat the plain ones, which are easier to write. */
static void find_fix(Search *search) {
    static void (*const kinds[][2])(const Search *, Candidate *) = {
        {try_paddings, try_two_paddings}, {try_swizzles, search_xors}, {try_transposed, NULL}};
    for (uint32_t k = 0; k < 3; k++) {
        Candidate found = {.wavefronts = limit_of(search)};
        for (uint32_t i = 0; i < 2 && kinds[k][i]; i++) {
            Candidate better = {.wavefronts = found.wavefronts};
            if (i > 0 && found.wavefronts <= search->fix->ideal)
                break;
            kinds[k][i](search, &better);
            if (better.wavefronts < found.wavefronts) {
                add_best(search->fix, &better);
                find_others(search, &better);
                found = better;
            }
        }
    }
    find_rows(search);
    find_members(search);
    find_vectors(search);
}

/* ---- arrays ---- */

/* Shared memory of a block: of the variables, and of the dynamic array where launches have one. */
typedef struct Room {
    const Gpu *gpu;
    const ProfKernel *kernel;
    uint64_t fixed, dynamic;
    uint32_t threads, registers;
} Room;

static Room room_of(const FixScope *scope, const ProfKernel *kernel) {
    const LaunchRecord *first = &scope->profile->launches.at[scope->launches[0]];
    Room room = {.gpu = first->gpu ? gpu_named(str_of(first->gpu)) : NULL,
                 .kernel = kernel,
                 .registers = kernel->registers};
    if (!room.gpu)
        room.gpu = gpu_at(0);
    for (uint32_t v = 0; v < kernel->shared.count; v++) {
        const SharedVariable *variable = &kernel->shared.at[v];
        uint64_t end = (uint64_t)variable->offset + variable->bytes;
        room.fixed = end > room.fixed ? end : room.fixed;
    }
    for (uint32_t i = 0; i < scope->count; i++) {
        const LaunchRecord *launch = &scope->profile->launches.at[scope->launches[i]];
        uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
        room.dynamic =
            launch->dynamic_shared > room.dynamic ? launch->dynamic_shared : room.dynamic;
        room.threads = threads > room.threads ? threads : room.threads;
    }
    return room;
}

/* Static arrays have less room than dynamic ones: what they need beyond 48 KB does not compile. */
static uint64_t spare_of(const Room *room, bool dynamic) {
    uint64_t all = room->gpu->shared_per_block_optin, fixed = room->gpu->shared_per_block;
    uint64_t taken = room->fixed + room->dynamic;
    uint64_t left = all > taken ? all - taken : 0;
    uint64_t left_fixed = fixed > room->fixed ? fixed - room->fixed : 0;
    return dynamic || left < left_fixed ? left : left_fixed;
}

static uint32_t blocks_with(const Room *room, const ArrayFix *fix, uint64_t bytes) {
    return gpu_blocks_per_sm(room->gpu, room->threads,
                             room->fixed + room->dynamic + bytes - fix->bytes, room->registers);
}

static void find_array(Search *search, const Room *room) {
    ArrayFix *fix = search->fix;
    const SharedVariable *variable = search->variable;
    fix->bytes = variable->dynamic ? room->dynamic : variable->bytes;
    fix->element = variable->element_bytes ? variable->element_bytes : BANK_BYTES;
    fix->declared = array_element(search->arena, search->scope->profile, room->kernel,
                                  fix->variable, fix->bytes);
    fix->spare = spare_of(room, variable->dynamic);
    search->room = fix->bytes + fix->spare;
    uses_sum(search);
    fix->blocks_per_sm = blocks_with(room, fix, fix->bytes);
    fix->verdict = FIX_IDEAL;
    if (fix->wavefronts <= fix->ideal)
        return;
    uses_pitches(search);
    uses_tree(search);
    search->by_data = search_depends_on_data(search);
    find_fix(search);
    for (uint32_t i = 0; i < fix->count; i++)
        fix->best[i].blocks_per_sm = blocks_with(room, fix, fix->best[i].bytes);
    search_remedies(search);
    fix->verdict = fix->count ? FIX_FOUND : search_verdict(search);
}

ArrayFix *fix_arrays(Arena *arena, const FixScope *scope, uint32_t *count) {
    const LaunchRecord *first = &scope->profile->launches.at[scope->launches[0]];
    const ProfKernel *kernel = &scope->profile->kernels.at[first->kernel];
    ArrayFix *fixes = NEW_ARRAY(arena, ArrayFix, kernel->shared.count + 1);
    Room room = room_of(scope, kernel);
    *count = 0;
    for (uint32_t v = 0; v < kernel->shared.count; v++) {
        Search search = {.arena = arena,
                         .scope = scope,
                         .variable = &kernel->shared.at[v],
                         .fix = &fixes[*count]};
        uses_find(&search, v);
        if (search.uses.count == 0)
            continue;
        search.fix->variable = v;
        (*count)++;
        find_array(&search, &room);
    }
    return fixes;
}
