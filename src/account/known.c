/* What loads and stores of all lanes at runs of addresses cost, found once and remembered (known_cost). All
 * that the cost depends on is in the row: the key's kind, space and width, and where the runs lie. */
#include "account/account.h"

enum { KEY_STORE = 1, KEY_SHARED = 2, KEY_WIDTH_SHIFT = 8 };

uint32_t cost_key(AccessKind kind, Space space, uint32_t width) {
    return width << KEY_WIDTH_SHIFT | (space == SPACE_SHARED ? KEY_SHARED : 0) |
           (kind == ACCESS_STORE ? KEY_STORE : 0);
}

void known_fill(KnownCost *known, uint64_t kind, const AddressRuns *runs, uint64_t offset) {
    uint32_t key = (uint32_t)kind;
    uint64_t address[WARP_LANES];
    Access access = {.kind = key & KEY_STORE ? ACCESS_STORE : ACCESS_LOAD,
                     .space = key & KEY_SHARED ? SPACE_SHARED : SPACE_GLOBAL,
                     .width = key >> KEY_WIDTH_SHIFT,
                     .mask = FULL_MASK,
                     .address = address};
    Pattern pattern = runs->pattern;
    pattern.base[0] += offset;
    pattern.base[1] += offset;
    pattern_addresses(&pattern, address);
    *known = (KnownCost){
        .kind = kind, .apart = runs->apart, .stride = {pattern.stride[0], pattern.stride[1]}};
    access_cost(&known->cost, &access, &pattern);
}
