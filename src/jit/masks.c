/* Conditions of lanes: as vectors of bits, which compare and choose, and as masks, which predicates are. On x86-64 one is the
 * other, cast: there are instructions for it. ARM's vectors have none, and LLVM goes from lane to lane there; so sums take their
 * place, and the vector that a mask was made of is remembered. */
#include "jit/jit.h"

#ifdef __aarch64__
enum { CASTS = false };
#else
enum { CASTS = true };
#endif

enum { BYTES = 16 }; /* of a vector of ARM's */

void masks_forget(Build *build) {
    build->masks.count = 0;
}

/* Lane l has bit l of it. */
static LLVMValueRef bits_of_mask(Build *build, LLVMValueRef mask) {
    uint64_t bit[WARP_LANES];
    for (uint32_t l = 0; l < WARP_LANES; l++)
        bit[l] = UINT64_C(1) << l;
    LLVMValueRef own =
        LLVMBuildAnd(build->at, splat(build, mask), lanes_constant(build->i32, bit), "");
    return LLVMBuildICmp(build->at, LLVMIntNE, own, LLVMConstNull(LLVMTypeOf(own)), "");
}

LLVMValueRef lanes_of_mask(Build *build, LLVMValueRef mask) {
    if (CASTS || LLVMIsConstant(mask))
        return LLVMBuildBitCast(build->at, mask, vector_of(build->i1), "");
    for (uint32_t i = build->masks.count; i-- > 0;) {
        if (build->masks.at[i].mask == mask)
            return build->masks.at[i].lanes;
    }
    return bits_of_mask(build, mask);
}

/* Sums of two neighbours each: of one vector's bytes, then of the other's. */
static LLVMValueRef add_pairs(Build *build, LLVMValueRef a, LLVMValueRef b) {
    static const char name[] = "llvm.aarch64.neon.addp";
    LLVMTypeRef type = LLVMTypeOf(a);
    const unsigned id = LLVMLookupIntrinsicID(name, sizeof name - 1);
    LLVMValueRef arguments[2] = {a, b};
    return LLVMBuildCall2(build->at, LLVMIntrinsicGetType(build->context, id, &type, 1),
                          LLVMGetIntrinsicDeclaration(build->module, id, &type, 1), arguments, 2,
                          "");
}

/* A byte for each lane, of its one bit; the bytes of eight lanes are added up to one. */
static LLVMValueRef sum_of_bits(Build *build, LLVMValueRef lanes) {
    uint64_t bit[WARP_LANES];
    for (uint32_t l = 0; l < WARP_LANES; l++)
        bit[l] = UINT64_C(1) << l % 8;
    LLVMValueRef bytes = LLVMBuildSExt(build->at, lanes, vector_of(build->i8), "");
    bytes = LLVMBuildAnd(build->at, bytes, lanes_constant(build->i8, bit), "");
    LLVMValueRef sum = add_pairs(build, take_lanes(build, bytes, 0, 1, BYTES),
                                 take_lanes(build, bytes, BYTES, 1, BYTES));
    sum = add_pairs(build, sum, sum);
    sum = add_pairs(build, sum, sum);
    sum = LLVMBuildBitCast(build->at, sum, LLVMVectorType(build->i32, BYTES / 4), "");
    return LLVMBuildExtractElement(build->at, sum, const32(build, 0), "");
}

LLVMValueRef mask_of_lanes(Build *build, LLVMValueRef lanes) {
    if (CASTS || LLVMIsConstant(lanes))
        return LLVMBuildBitCast(build->at, lanes, build->i32, "");
    LLVMValueRef mask = sum_of_bits(build, lanes);
    *vec_add(build->arena, &build->masks) = (KnownMask){mask, lanes};
    return mask;
}

LLVMValueRef any_bit(Build *build, LLVMValueRef bits) {
    if (CASTS) {
        LLVMTypeRef type = LLVMIntTypeInContext(build->context, 4);
        LLVMValueRef some =
            LLVMBuildICmp(build->at, LLVMIntNE, bits, LLVMConstNull(LLVMTypeOf(bits)), "");
        some = LLVMBuildBitCast(build->at, some, type, "");
        return LLVMBuildICmp(build->at, LLVMIntNE, some, LLVMConstNull(type), "");
    }
    static const char name[] = "llvm.vector.reduce.umax";
    LLVMTypeRef type = LLVMVectorType(build->i32, 8);
    const unsigned id = LLVMLookupIntrinsicID(name, sizeof name - 1);
    LLVMValueRef argument = LLVMBuildBitCast(build->at, bits, type, "");
    LLVMValueRef most =
        LLVMBuildCall2(build->at, LLVMIntrinsicGetType(build->context, id, &type, 1),
                       LLVMGetIntrinsicDeclaration(build->module, id, &type, 1), &argument, 1, "");
    return LLVMBuildICmp(build->at, LLVMIntNE, most, const32(build, 0), "");
}
