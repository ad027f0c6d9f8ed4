/* The search: every padding below 64 words after every pitch that the accesses suggest, every swizzle of
 * CuTe's family that fits the array, and the transposed array, each priced over all recorded accesses to
 * it. */
#include "fix/fix.h"

#include <stdlib.h>

enum {
    PITCHES = 24,
    PADDING_MOST = 63 * BANK_BYTES,
    SWIZZLE_BITS = 5,
    SWIZZLE_BASE_LEAST = 2,
    SWIZZLE_BASE_MOST = 4,
    SWIZZLE_SHIFT_MOST = 10
};

typedef struct Search {
    const Profile *profile;
    const ProfKernel *kernel;
    const SharedVariable *variable;
    ArrayFix *fix;
    VEC(Use) uses;
    uint32_t pitches[PITCHES], pitch_count;
    uint32_t rows[PITCHES], row_count; /* those that lanes step by: rows, if columns are read */
} Search;

/* ---- the accesses, and the pitches that they suggest ---- */

static void add(uint32_t list[PITCHES], uint32_t *count, uint64_t pitch) {
    for (uint32_t i = 0; i < *count; i++)
        if (list[i] == pitch)
            return;
    if (*count < PITCHES)
        list[(*count)++] = (uint32_t)pitch;
}

static bool is_pitch(const Search *search, uint64_t pitch) {
    return pitch > search->fix->element && pitch % search->fix->element == 0 &&
           pitch * 2 <= search->fix->bytes;
}

static void add_pitch(Search *search, uint64_t pitch) {
    if (is_pitch(search, pitch))
        add(search->pitches, &search->pitch_count, pitch);
}

/* A step down a column, or along a diagonal. */
static void add_step(Search *search, uint64_t step, bool neighbours) {
    add_pitch(search, step);
    if (neighbours && is_pitch(search, step))
        add(search->rows, &search->row_count, step);
    add_pitch(search, step + search->fix->element);
    if (step > search->fix->element)
        add_pitch(search, step - search->fix->element);
}

/* Rows are as far apart as neighbouring lanes, or lanes half a warp apart, are. */
static void find_pitches(Search *search) {
    static const uint32_t apart[2] = {1, WARP_LANES / 2};
    for (uint32_t i = 0; i < search->uses.count; i++) {
        const AccessPattern *pattern = search->uses.at[i].pattern;
        for (uint32_t a = 0; a < 2; a++) {
            for (uint32_t l = apart[a]; l < WARP_LANES; l++) {
                uint32_t both = 1u << l | 1u << (l - apart[a]);
                if ((pattern->mask & both) == both)
                    add_step(search,
                             (uint64_t)llabs(pattern->delta[l] - pattern->delta[l - apart[a]]),
                             a == 0);
            }
        }
    }
    add_pitch(search, LINE_BYTES);
}

static void find_uses(Search *search, Arena *arena, uint32_t launch, uint32_t variable) {
    for (uint32_t i = 0; i < search->profile->patterns.count; i++) {
        const AccessPattern *pattern = &search->profile->patterns.at[i];
        if (pattern->launch == launch && pattern->space == SITE_SHARED &&
            pattern->variable == variable)
            *vec_add(arena, &search->uses) =
                (Use){pattern, &search->profile->sites.at[pattern->site]};
    }
}

/* ---- candidates ---- */

/* false: not possible, or dearer than `most`. */
static bool price(const Search *search, const Layout *layout, uint64_t most, uint64_t *wavefronts) {
    *wavefronts = 0;
    for (uint32_t i = 0; i < search->uses.count; i++) {
        SharedCost cost;
        if (!fix_price(&search->uses.at[i], search->variable->offset, layout, &cost))
            return false;
        *wavefronts += cost.wavefronts * search->uses.at[i].pattern->count;
        if (*wavefronts > most)
            return false;
    }
    return true;
}

static bool cheaper(const Candidate *a, const Candidate *b) {
    if (a->wavefronts != b->wavefronts)
        return a->wavefronts < b->wavefronts;
    return a->bytes < b->bytes;
}

static void try(const Search *search, const Layout *layout, Candidate *best) {
    Candidate tried = {*layout, 0, layout_bytes(layout, search->fix->bytes)};
    if (price(search, layout, best->wavefronts, &tried.wavefronts) && cheaper(&tried, best))
        *best = tried;
}

static void try_paddings(const Search *search, Candidate *best) {
    for (uint32_t p = 0; p < search->pitch_count; p++)
        for (uint32_t pad = search->fix->element; pad <= PADDING_MOST; pad += search->fix->element)
            try(search, &(Layout){.kind = LAYOUT_PADDED, .pitch = search->pitches[p], .pad = pad},
                best);
}

static void try_swizzles(const Search *search, Candidate *best) {
    for (uint32_t base = SWIZZLE_BASE_LEAST; base <= SWIZZLE_BASE_MOST; base++)
        for (uint32_t bits = 1; bits <= SWIZZLE_BITS; bits++)
            for (uint32_t shift = bits; shift <= SWIZZLE_SHIFT_MOST; shift++)
                if (search->fix->bytes % (1u << (base + bits)) == 0 &&
                    search->fix->bytes >> (base + shift))
                    try(search,
                        &(Layout){
                            .kind = LAYOUT_SWIZZLED, .bits = bits, .base = base, .shift = shift},
                        best);
}

static void try_transposed(const Search *search, Candidate *best) {
    for (uint32_t p = 0; p < search->row_count; p++) {
        uint32_t pitch = search->rows[p];
        if (search->fix->bytes % pitch == 0)
            try(search,
                &(Layout){.kind = LAYOUT_TRANSPOSED,
                          .pitch = pitch,
                          .rows = (uint32_t)(search->fix->bytes / pitch),
                          .element = search->fix->element},
                best);
    }
}

/* A tenth of the excess, at least, or it is noise in addresses that depend on data. */
static bool helps(const ArrayFix *fix, const Candidate *found) {
    return found->wavefronts < fix->wavefronts &&
           (fix->wavefronts - found->wavefronts) * 10 >= fix->wavefronts - fix->ideal;
}

static void add_best(ArrayFix *fix, const Candidate *found) {
    if (!helps(fix, found))
        return;
    uint32_t at = fix->count++;
    for (; at > 0 && cheaper(found, &fix->best[at - 1]); at--)
        fix->best[at] = fix->best[at - 1];
    fix->best[at] = *found;
}

static void find_fix(Search *search) {
    void (*const kinds[])(const Search *, Candidate *) = {try_paddings, try_swizzles,
                                                          try_transposed};
    for (uint32_t k = 0; k < 3; k++) {
        Candidate best = {.wavefronts = search->fix->wavefronts, .bytes = 0};
        kinds[k](search, &best);
        add_best(search->fix, &best);
    }
}

/* ---- arrays ---- */

static void sum_uses(Search *search) {
    const Layout plain = {.kind = LAYOUT_PLAIN};
    ArrayFix *fix = search->fix;
    for (uint32_t i = 0; i < search->uses.count; i++) {
        const Use *use = &search->uses.at[i];
        SharedCost cost;
        if (!fix_price(use, search->variable->offset, &plain, &cost))
            continue;
        fix->wavefronts += cost.wavefronts * use->pattern->count;
        fix->ideal += cost.ideal * use->pattern->count;
        fix->requests += use->pattern->count;
    }
}

ArrayFix *fix_arrays(Arena *arena, const Profile *profile, uint32_t launch, uint32_t *count) {
    const LaunchRecord *record = &profile->launches.at[launch];
    const ProfKernel *kernel = &profile->kernels.at[record->kernel];
    ArrayFix *fixes = NEW_ARRAY(arena, ArrayFix, kernel->shared.count + 1);
    *count = 0;
    for (uint32_t v = 0; v < kernel->shared.count; v++) {
        const SharedVariable *variable = &kernel->shared.at[v];
        ArrayFix *fix = &fixes[*count];
        Search search = {.profile = profile, .kernel = kernel, .variable = variable, .fix = fix};
        find_uses(&search, arena, launch, v);
        if (search.uses.count == 0)
            continue;
        (*count)++;
        fix->variable = v;
        fix->bytes = variable->dynamic ? record->dynamic_shared : variable->bytes;
        fix->element = variable->element_bytes ? variable->element_bytes : BANK_BYTES;
        sum_uses(&search);
        if (fix->wavefronts <= fix->ideal)
            continue;
        find_pitches(&search);
        find_fix(&search);
    }
    return fixes;
}
