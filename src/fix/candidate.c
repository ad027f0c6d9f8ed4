/* A layout priced over all recorded accesses to the array, and the better of two. */
#include "fix/search.h"

enum { USES_ENOUGH = 1024 };

static bool price_every(const Search *search, uint32_t step, const Layout *layout, uint64_t most,
                        uint64_t *wavefronts) {
    *wavefronts = 0;
    for (uint32_t i = 0; i < search->uses.count; i += step) {
        SharedCost cost;
        if (!fix_price(&search->uses.at[i], search->variable->offset, layout, &cost))
            return false;
        *wavefronts += cost.wavefronts * search->uses.at[i].count;
        if (*wavefronts > most)
            return false;
    }
    return true;
}

/* Where addresses depend on data there may be a million uses: what saves nothing in a part of them is not
 * tried on all. */
static bool is_hopeful(const Search *search, const Layout *layout) {
    static const Layout plain = {.kind = LAYOUT_PLAIN};
    uint32_t step = search->uses.count / USES_ENOUGH;
    uint64_t now, then;
    return step < 2 || (price_every(search, step, &plain, UINT64_MAX, &now) &&
                        price_every(search, step, layout, now - now / 50, &then));
}

bool candidate_price(const Search *search, const Layout *layout, uint64_t most,
                     uint64_t *wavefronts) {
    return price_every(search, 1, layout, most, wavefronts);
}

bool candidate_cheaper(const Candidate *a, const Candidate *b) {
    if (a->wavefronts != b->wavefronts)
        return a->wavefronts < b->wavefronts;
    return a->bytes < b->bytes;
}

void candidate_try(const Search *search, const Layout *layout, Candidate *best) {
    Candidate tried = {.layout = *layout, .bytes = layout_bytes(layout, search->fix->bytes)};
    if (tried.bytes <= search->room && is_hopeful(search, layout) &&
        candidate_price(search, layout, best->wavefronts, &tried.wavefronts) &&
        candidate_cheaper(&tried, best))
        *best = tried;
}
