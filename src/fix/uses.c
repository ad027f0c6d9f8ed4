/* The evidence of an array: the accesses to it, as few as may be, and the pitches of rows that they
 * suggest. */
#include "fix/search.h"

#include <stdlib.h>
#include <string.h>

/* ---- accesses ---- */

static int compare(uint64_t a, uint64_t b) {
    return a < b ? -1 : a > b;
}

/* Zero for accesses that cost the same whatever the layout. */
static int compare_uses(const void *left, const void *right) {
    const Use *a = left, *b = right;
    const uint64_t keys[2][8] = {
        {a->site->access, a->site->width, a->site->matrices, a->site->merged_element,
         a->site->merged_used, a->pattern->mask, a->pattern->base, a->pattern->no_change},
        {b->site->access, b->site->width, b->site->matrices, b->site->merged_element,
         b->site->merged_used, b->pattern->mask, b->pattern->base, b->pattern->no_change}};
    for (uint32_t i = 0; i < 8; i++)
        if (keys[0][i] != keys[1][i])
            return compare(keys[0][i], keys[1][i]);
    if (!a->pattern->source != !b->pattern->source)
        return a->pattern->source ? 1 : -1;
    size_t size = WARP_LANES * sizeof *a->pattern->delta;
    int order = memcmp(a->pattern->delta, b->pattern->delta, size);
    return order || !a->pattern->source ? order
                                        : memcmp(a->pattern->source, b->pattern->source, size);
}

void uses_find(Search *search, uint32_t variable) {
    const FixScope *scope = search->scope;
    const Profile *profile = scope->profile;
    bool *chosen = NEW_ARRAY(search->arena, bool, profile->launches.count);
    for (uint32_t i = 0; i < scope->count; i++)
        chosen[scope->launches[i]] = true;
    for (uint32_t i = 0; i < profile->patterns.count; i++) {
        const AccessPattern *pattern = &profile->patterns.at[i];
        if (pattern->space == SITE_SHARED && pattern->variable == variable &&
            chosen[pattern->launch])
            *vec_add(search->arena, &search->uses) =
                (Use){pattern, &profile->sites.at[pattern->site], pattern->count};
    }
    if (search->uses.count == 0)
        return;
    qsort(search->uses.at, search->uses.count, sizeof *search->uses.at, compare_uses);
    uint32_t kept = 0;
    for (uint32_t i = 1; i < search->uses.count; i++) {
        if (compare_uses(&search->uses.at[kept], &search->uses.at[i]) == 0)
            search->uses.at[kept].count += search->uses.at[i].count;
        else
            search->uses.at[++kept] = search->uses.at[i];
    }
    search->uses.count = kept + 1;
}

/* ---- sums ---- */

typedef struct Loss {
    Use use;
    uint64_t excess;
} Loss;

static int by_excess(const void *left, const void *right) {
    const Loss *a = left, *b = right;
    int order = compare(b->excess, a->excess);
    return order ? order : compare_uses(&a->use, &b->use);
}

void uses_sum(Search *search) {
    const Layout plain = {.kind = LAYOUT_PLAIN};
    ArrayFix *fix = search->fix;
    Loss *losses = NEW_ARRAY(search->arena, Loss, search->uses.count + 1);
    for (uint32_t i = 0; i < search->uses.count; i++) {
        const Use *use = &search->uses.at[i];
        SharedCost cost = {0};
        fix_price(use, search->variable->offset, &plain, &cost);
        fix->wavefronts += cost.wavefronts * use->count;
        fix->ideal += cost.ideal * use->count;
        fix->requests += use->count;
        if (!use->site->merged_used && use->site->width > fix->whole)
            fix->whole = use->site->width;
        losses[i] = (Loss){
            *use, cost.wavefronts > cost.ideal ? (cost.wavefronts - cost.ideal) * use->count : 0};
    }
    fix->patterns = search->uses.count;
    qsort(losses, search->uses.count, sizeof *losses, by_excess);
    for (uint32_t i = 0; i < search->uses.count; i++)
        search->uses.at[i] = losses[i].use;
}

/* ---- pitches ---- */

static void add_pitch(Search *search, uint64_t pitch) {
    const ArrayFix *fix = search->fix;
    Pitches *pitches = &search->pitches;
    if (pitch <= fix->element || pitch % fix->element || pitch * 2 > fix->bytes ||
        pitches->count == PITCHES)
        return;
    for (uint32_t i = 0; i < pitches->count; i++)
        if (pitches->at[i] == pitch)
            return;
    pitches->at[pitches->count++] = (uint32_t)pitch;
}

/* Down a column, or along a diagonal. */
static void add_step(Search *search, uint64_t step) {
    uint32_t element = search->fix->element;
    add_pitch(search, step);
    add_pitch(search, step + element);
    if (step > element)
        add_pitch(search, step - element);
}

/* From the beginning of a run of neighbouring lanes to that of the next: rows of blocks that are narrower
 * than a warp, whatever their width. */
static void add_run_steps(Search *search, const AccessPattern *pattern, uint32_t width) {
    int64_t start = pattern->delta[0];
    for (uint32_t l = 1; l < WARP_LANES; l++) {
        bool next = pattern->delta[l] == pattern->delta[l - 1] + (int64_t)width;
        if ((pattern->mask >> (l - 1) & 3) != 3 || next)
            continue;
        add_pitch(search, (uint64_t)llabs(pattern->delta[l] - start));
        start = pattern->delta[l];
    }
}

static void add_lane_steps(Search *search, const AccessPattern *pattern, uint32_t apart) {
    for (uint32_t l = apart; l < WARP_LANES; l++) {
        uint32_t both = 1u << l | 1u << (l - apart);
        if ((pattern->mask & both) == both)
            add_step(search, (uint64_t)llabs(pattern->delta[l] - pattern->delta[l - apart]));
    }
}

/* The step that most pairs of neighbouring lanes are apart by: blocks that are 16 wide step back once. */
static uint64_t common_step(const AccessPattern *pattern) {
    uint64_t steps[WARP_LANES], best = 0;
    uint32_t count = 0, most = 0;
    for (uint32_t l = 1; l < WARP_LANES; l++)
        if ((pattern->mask >> (l - 1) & 3) == 3)
            steps[count++] = (uint64_t)llabs(pattern->delta[l] - pattern->delta[l - 1]);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t same = 0;
        for (uint32_t j = 0; j < count; j++)
            same += steps[j] == steps[i];
        if (same > most) {
            most = same;
            best = steps[i];
        }
    }
    return best;
}

/* The step that loses most: of the first use whose lanes are further apart than what each asks for. */
static uint32_t find_row(const Search *search) {
    const ArrayFix *fix = search->fix;
    for (uint32_t i = 0; i < search->uses.count; i++) {
        const Use *use = &search->uses.at[i];
        uint32_t width = use->site->width > fix->element ? use->site->width : fix->element;
        uint64_t step = common_step(use->pattern);
        if (step > width && step % fix->element == 0 && step * 2 <= fix->bytes)
            return (uint32_t)step;
    }
    return 0;
}

void uses_pitches(Search *search) {
    search->fix->row = find_row(search);
    add_pitch(search, search->fix->row);
    for (uint64_t pitch = LINE_BYTES; pitch * 2 <= search->fix->bytes; pitch *= 2)
        add_pitch(search, pitch);
    for (uint64_t pitch = 2 * search->fix->element; pitch < LINE_BYTES; pitch *= 2)
        add_pitch(search, pitch);
    for (uint32_t i = 0; i < search->uses.count; i++)
        add_run_steps(search, search->uses.at[i].pattern, search->uses.at[i].site->width);
    for (uint32_t i = 0; i < search->uses.count; i++) {
        add_lane_steps(search, search->uses.at[i].pattern, 1);
        add_lane_steps(search, search->uses.at[i].pattern, WARP_LANES / 2);
    }
    /* From one execution to the next: rows that warps or turns of a loop step by, planes. */
    for (uint32_t i = 1; i < search->uses.count; i++)
        add_pitch(search, (uint64_t)llabs((int64_t)search->uses.at[i].pattern->base -
                                          (int64_t)search->uses.at[i - 1].pattern->base));
}

/* ---- trees ---- */

/* Elements from each active lane to the next, where that is the same for all, of which there are two at least; else 0. */
static uint64_t even_step(const AccessPattern *pattern, uint32_t element) {
    int64_t step = 0;
    uint32_t last = WARP_LANES;
    for (uint32_t l = 0; l < WARP_LANES; l++) {
        if (!(pattern->mask >> l & 1))
            continue;
        int64_t one = last == WARP_LANES ? 0 : pattern->delta[l] - pattern->delta[last];
        bool follows = last == WARP_LANES || l == last + 1;
        if (!follows || (step && one != step) || (last != WARP_LANES && one <= 0))
            return 0;
        step = one;
        last = l;
    }
    return step > 0 && step % element == 0 ? (uint64_t)step / element : 0;
}

void uses_tree(Search *search) {
    enum { STEPS = 32, FEWEST = 3 };
    uint32_t seen = 0, run = 0;
    for (uint32_t i = 0; i < search->uses.count; i++) {
        uint64_t step = even_step(search->uses.at[i].pattern, search->fix->element);
        if (step > 1 && (step & (step - 1)) == 0 && step < (UINT64_C(1) << (STEPS - 1)))
            seen |= 1u << __builtin_ctzll(step);
    }
    while (run < STEPS - 2 && seen >> (run + 1) & 1)
        run++;
    if (run < FEWEST)
        return;
    search->fix->tree_first = 2;
    search->fix->tree_last = 1u << run;
}
