/* What people try first, and why nothing helps where nothing does. */
#include "fix/search.h"

#include <stdlib.h>
#include <string.h>

/* ---- remedies ---- */

/* Is it worth a line: a remedy that is not as good as the best layout? */
static bool falls_short(const ArrayFix *fix, const Remedy *remedy) {
    uint64_t least = fix->count ? fix->best[0].wavefronts : fix->ideal;
    return !remedy->possible || remedy->wavefronts > least;
}

/* After every row: an element, 16 bytes (which keep vectors aligned), half a line, a line - the padding
 * that was right when GPUs had 16 banks, and what looks like a round number. */
void search_remedies(const Search *search) {
    ArrayFix *fix = search->fix;
    const uint32_t pads[REMEDIES] = {fix->element, 16, LINE_BYTES / 2, LINE_BYTES};
    for (uint32_t i = 0; fix->row && i < REMEDIES; i++) {
        Remedy remedy = {.layout = {.kind = LAYOUT_PADDED, .pitch = fix->row, .pad = pads[i]}};
        if (pads[i] % fix->element || (i > 0 && pads[i] == pads[i - 1]))
            continue;
        remedy.possible = layout_bytes(&remedy.layout, fix->bytes) <= search->room &&
                          candidate_price(search, &remedy.layout, UINT64_MAX, &remedy.wavefronts);
        if (falls_short(fix, &remedy))
            fix->remedies[fix->remedy_count++] = remedy;
    }
}

/* ---- why ---- */

/* What an access would cost if each of its words could be put where it is best for this access alone: no
 * layout makes it cheaper. */
static uint64_t least_cost(const Use *use) {
    uint64_t address[WARP_LANES] = {0}, units[WARP_LANES];
    uint32_t width = use->site->width < BANK_BYTES ? BANK_BYTES : use->site->width, count = 0;
    for (uint32_t l = 0; l < WARP_LANES; l++) {
        uint64_t at = use->pattern->base + (uint64_t)use->pattern->delta[l], unit = 0;
        if (!(use->pattern->mask >> l & 1))
            continue;
        while (unit < count && units[unit] != at / width)
            unit++;
        if (unit == count)
            units[count++] = at / width;
        address[l] = unit * width + at % width;
    }
    Access access = {.kind = (AccessKind)use->site->access,
                     .space = SPACE_SHARED,
                     .width = use->site->width,
                     .mask = use->pattern->mask,
                     .matrices = use->site->matrices,
                     .no_change = use->pattern->no_change,
                     .address = address,
                     .source = (const uint64_t *)use->pattern->source};
    return mem_shared(&access).wavefronts;
}

static int by_delta(const void *left, const void *right) {
    const AccessPattern *const *a = left, *const *b = right;
    return memcmp((*a)->delta, (*b)->delta, WARP_LANES * sizeof *(*a)->delta);
}

/* Strided accesses are of code's making; of the others, code alone makes few kinds, each at many places. */
bool search_depends_on_data(const Search *search) {
    enum { KINDS = 16 };
    const AccessPattern **odd =
        NEW_ARRAY(search->arena, const AccessPattern *, search->uses.count + 1);
    uint32_t count = 0, kinds = 1;
    for (uint32_t i = 0; i < search->uses.count; i++)
        if (!search->uses.at[i].pattern->affine)
            odd[count++] = search->uses.at[i].pattern;
    qsort(odd, count, sizeof *odd, by_delta);
    for (uint32_t i = 1; i < count; i++)
        kinds += by_delta(&odd[i - 1], &odd[i]) != 0;
    return kinds > KINDS && kinds * 4 > search->uses.count;
}

FixVerdict search_verdict(const Search *search) {
    const ArrayFix *fix = search->fix;
    uint64_t least = 0;
    for (uint32_t i = 0; i < search->uses.count; i++)
        least += least_cost(&search->uses.at[i]) * search->uses.at[i].count;
    if (least >= fix->wavefronts || (fix->wavefronts - least) * 10 < fix->wavefronts - fix->ideal)
        return FIX_WORDS;
    return search->by_data ? FIX_DATA : FIX_NONE;
}
