/* Types, constants and small idioms of LLVM's builder. Addresses are 64-bit integers until they are used,
 * so that the same calls serve LLVM with typed pointers (14) and without (15 and later). */
#include "jit/jit.h"

LLVMTypeRef vector_of(LLVMTypeRef element) {
    return LLVMVectorType(element, WARP_LANES);
}

LLVMTypeRef class_type(const Build *build, uint8_t class) {
    return class == CLASS_PRED ? build->i32
           : class == CLASS_32 ? vector_of(build->i32)
                               : vector_of(build->i64);
}

LLVMValueRef const32(const Build *build, uint64_t value) {
    return LLVMConstInt(build->i32, value & UINT32_MAX, false);
}

LLVMValueRef const64(const Build *build, uint64_t value) {
    return LLVMConstInt(build->i64, value, false);
}

LLVMValueRef splat(Build *build, LLVMValueRef scalar) {
    if (LLVMIsConstant(scalar)) {
        LLVMValueRef all[WARP_LANES];
        for (uint32_t l = 0; l < WARP_LANES; l++)
            all[l] = scalar;
        return LLVMConstVector(all, WARP_LANES);
    }
    LLVMTypeRef type = vector_of(LLVMTypeOf(scalar));
    LLVMValueRef one =
        LLVMBuildInsertElement(build->at, LLVMGetUndef(type), scalar, const32(build, 0), "");
    LLVMValueRef zeros = LLVMConstNull(vector_of(build->i32));
    return LLVMBuildShuffleVector(build->at, one, LLVMGetUndef(type), zeros, "");
}

LLVMValueRef lanes_constant(LLVMTypeRef element, const uint64_t values[WARP_LANES]) {
    LLVMValueRef all[WARP_LANES];
    for (uint32_t l = 0; l < WARP_LANES; l++)
        all[l] = LLVMConstInt(element, values[l], false);
    return LLVMConstVector(all, WARP_LANES);
}

LLVMValueRef lanes_of_bits(LLVMValueRef numbers) {
    LLVMValueRef bits = LLVMIsAZExtInst(numbers) ? LLVMGetOperand(numbers, 0) : NULL;
    const bool is = bits && LLVMGetIntTypeWidth(LLVMGetElementType(LLVMTypeOf(bits))) == 1;
    return is ? bits : NULL;
}

static LLVMValueRef pointer_to(Build *build, LLVMTypeRef type, LLVMValueRef address,
                               uint64_t offset) {
    if (offset)
        address = LLVMBuildAdd(build->at, address, const64(build, offset), "");
    return LLVMBuildIntToPtr(build->at, address, LLVMPointerType(type, 0), "");
}

LLVMValueRef load_at(Build *build, LLVMTypeRef type, LLVMValueRef address, uint64_t offset,
                     uint32_t align) {
    LLVMValueRef value =
        LLVMBuildLoad2(build->at, type, pointer_to(build, type, address, offset), "");
    LLVMSetAlignment(value, align);
    return value;
}

void store_at(Build *build, LLVMValueRef value, LLVMValueRef address, uint64_t offset,
              uint32_t align) {
    LLVMValueRef pointer = pointer_to(build, LLVMTypeOf(value), address, offset);
    LLVMSetAlignment(LLVMBuildStore(build->at, value, pointer), align);
}

LLVMBasicBlockRef new_block(Build *build, const char *name) {
    return LLVMAppendBasicBlockInContext(build->context, build->function, name);
}

void branch_rarely(Build *build, LLVMValueRef condition, LLVMBasicBlockRef rare,
                   LLVMBasicBlockRef often) {
    LLVMValueRef branch = LLVMBuildCondBr(build->at, condition, rare, often);
    LLVMMetadataRef weights[3] = {
        LLVMMDStringInContext2(build->context, "branch_weights", 14),
        LLVMValueAsMetadata(const32(build, 1)),
        LLVMValueAsMetadata(const32(build, 1 << 20)),
    };
    LLVMMetadataRef node = LLVMMDNodeInContext2(build->context, weights, 3);
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(build->context, "prof", 4),
                    LLVMMetadataAsValue(build->context, node));
}

LLVMValueRef take_lanes(Build *build, LLVMValueRef vector, uint32_t first, uint32_t stride,
                        uint32_t count) {
    LLVMValueRef index[WARP_LANES];
    for (uint32_t i = 0; i < count; i++)
        index[i] = const32(build, first + i * stride);
    return LLVMBuildShuffleVector(build->at, vector, LLVMGetUndef(LLVMTypeOf(vector)),
                                  LLVMConstVector(index, count), "");
}

const char *called_name(LLVMValueRef call) {
    size_t length;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
}
