/* How the lanes of a value lie to each other, where straight code knows: from a check that it has passed, since the value
 * is the same in all lanes, or a sum of such. So of addresses that a loop moves on by what all lanes add, only lane 0's is
 * computed, and none is looked at again. */
#include "jit/jit.h"

#include <llvm/Config/llvm-config.h>
#include <string.h>

enum { DEPTH_MOST = 8 }; /* of sums that are followed */

static LLVMValueRef element_of(LLVMValueRef constant) {
#if LLVM_VERSION_MAJOR >= 15
    return LLVMGetAggregateElement(constant, 0);
#else
    return LLVMGetElementAsConstant(constant, 0);
#endif
}

/* The scalar that all lanes have; NULL: they may differ. */
static LLVMValueRef same_in_all(Build *build, LLVMValueRef value) {
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(value));
    if (LLVMIsNull(value))
        return LLVMConstNull(element);
    if (LLVMIsAConstantDataVector(value)) {
        LLVMValueRef first = element_of(value);
        return splat(build, first) == value ? first : NULL;
    }
    if (!LLVMIsAShuffleVectorInst(value) || !LLVMIsAInsertElementInst(LLVMGetOperand(value, 0)) ||
        LLVMGetNumMaskElements(value) != WARP_LANES)
        return NULL;
    LLVMValueRef insert = LLVMGetOperand(value, 0);
    bool same = LLVMIsNull(LLVMGetOperand(insert, 2));
    for (unsigned i = 0; i < WARP_LANES; i++)
        same &= LLVMGetMaskValue(value, i) == 0;
    return same ? LLVMGetOperand(insert, 1) : NULL;
}

static const KnownPlaces *find(const Build *build, LLVMValueRef value) {
    for (uint32_t i = build->known.count; i-- > 0;) {
        if (build->known.at[i].value == value)
            return &build->known.at[i];
    }
    return NULL;
}

static bool is_sum(LLVMValueRef value) {
    return LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMAdd;
}

static bool places_within(Build *build, LLVMValueRef value, uint32_t depth,
                          uint64_t places[WARP_LANES]) {
    const KnownPlaces *known = find(build, value);
    if (known) {
        memcpy(places, known->places, sizeof known->places);
        return true;
    }
    if (same_in_all(build, value)) {
        memset(places, 0, WARP_LANES * sizeof *places);
        return true;
    }
    uint64_t more[WARP_LANES];
    if (depth == 0 || !is_sum(value) ||
        !places_within(build, LLVMGetOperand(value, 0), depth - 1, places) ||
        !places_within(build, LLVMGetOperand(value, 1), depth - 1, more))
        return false;
    for (uint32_t l = 0; l < WARP_LANES; l++)
        places[l] += more[l];
    return true;
}

void places_cut(const Build *build, LLVMTypeRef element, uint64_t places[WARP_LANES]) {
    for (uint32_t l = 0; l < WARP_LANES; l++)
        places[l] &= element == build->i32 ? UINT32_MAX : UINT64_MAX;
}

bool places_known(Build *build, LLVMValueRef value, uint64_t places[WARP_LANES]) {
    return places_within(build, value, DEPTH_MOST, places);
}

LLVMValueRef places_reduce(Build *build, LLVMValueRef value, uint64_t places[WARP_LANES]) {
    uint64_t part[WARP_LANES];
    for (uint32_t depth = DEPTH_MOST; depth > 0 && is_sum(value); depth--) {
        LLVMValueRef a = LLVMGetOperand(value, 0), b = LLVMGetOperand(value, 1);
        const bool first = places_known(build, a, part);
        if (!first && !places_known(build, b, part))
            break;
        for (uint32_t l = 0; l < WARP_LANES; l++)
            places[l] -= part[l];
        value = first ? b : a;
    }
    return value;
}

void places_learn(Build *build, LLVMValueRef value, LLVMValueRef lane0,
                  const uint64_t places[WARP_LANES]) {
    KnownPlaces *known = vec_add(build->arena, &build->known);
    *known = (KnownPlaces){.value = value, .lane0 = lane0};
    memcpy(known->places, places, sizeof known->places);
}

static LLVMValueRef lane0_within(Build *build, LLVMValueRef value, uint32_t depth) {
    const KnownPlaces *known = find(build, value);
    LLVMValueRef same = known ? known->lane0 : same_in_all(build, value);
    if (same)
        return same;
    if (depth == 0 || !is_sum(value))
        return LLVMBuildExtractElement(build->at, value, const32(build, 0), "");
    return LLVMBuildAdd(build->at, lane0_within(build, LLVMGetOperand(value, 0), depth - 1),
                        lane0_within(build, LLVMGetOperand(value, 1), depth - 1), "");
}

LLVMValueRef places_lane0(Build *build, LLVMValueRef value) {
    uint64_t places[WARP_LANES];
    const bool known = places_known(build, value, places);
    return lane0_within(build, value, known ? DEPTH_MOST : 1);
}

/* The same sum once more, here: not where it is needed for nothing else. */
static LLVMValueRef sum_again(Build *build, LLVMValueRef value, uint32_t depth) {
    if (depth == 0 || !is_sum(value))
        return value;
    return LLVMBuildAdd(build->at, sum_again(build, LLVMGetOperand(value, 0), depth - 1),
                        sum_again(build, LLVMGetOperand(value, 1), depth - 1), "");
}

LLVMValueRef places_again(Build *build, LLVMValueRef value) {
    uint64_t places[WARP_LANES];
    if (!is_sum(value) || !places_known(build, value, places))
        return value;
    if (build->failing) /* what was to be checked with it is not known */
        return sum_again(build, value, DEPTH_MOST);
    LLVMValueRef a = LLVMGetOperand(value, 0), b = LLVMGetOperand(value, 1);
    if (!is_sum(a) && !is_sum(b))
        return value;
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(value));
    places_cut(build, element, places);
    LLVMValueRef lane0 = splat(build, places_lane0(build, value));
    return LLVMBuildAdd(build->at, lane0, lanes_constant(element, places), "");
}

void places_forget(Build *build) {
    build->known.count = 0;
}
