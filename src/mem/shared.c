/* What one access of a warp to shared memory costs, by its kind. */
#include "mem/lanes.h"
#include "mem/near.h"

#include <assert.h>

static SharedCost store_cost(const Access *access) {
    return groups_cost(access->address, access->mask, access->width,
                       groups_by_width(access->width));
}

/* Lanes 8i … 8i+7 name the eight 16-byte rows of matrix i; other lanes' addresses are not used. */
static SharedCost matrix_cost(const Access *access) {
    Groups groups = {access->matrices, 8};
    uint32_t lanes = access->matrices * 8;
    uint32_t mask = lanes == 32 ? access->mask : access->mask & ((UINT32_C(1) << lanes) - 1);
    SharedCost cost = groups_cost(access->address, mask, 16, groups);
    cost.ideal = access->matrices;
    return cost;
}

SharedCost mem_near(const Access *access, uint32_t wavefronts) {
    return (SharedCost){.wavefronts = wavefronts,
                        .ideal = store_ideal(access->mask, access->width),
                        .conflicts = wavefronts - 1};
}

SharedCost mem_shared(const Access *access) {
    assert(access->width <= 16);
    if (!access->mask)
        return (SharedCost){0};
    bool plain = access->kind == ACCESS_LOAD || access->kind == ACCESS_STORE;
    if (access->uniform && plain && access->width <= BANK_BYTES)
        return mem_near(access, 1);
    switch (access->kind) {
    case ACCESS_LOAD:
        return load_cost(access->address, access->mask, access->width);
    case ACCESS_STORE:
        return store_cost(access);
    case ACCESS_LDMATRIX:
    case ACCESS_STMATRIX:
        return matrix_cost(access);
    case ACCESS_CP_ASYNC_CA:
    case ACCESS_CP_ASYNC_CG:
        return cp_async_cost(access);
    default:
        return atomic_cost(access);
    }
}
