/* NaNs that nobody sees yet. A result in single precision that is a NaN is always the same one (ops_float.h), which costs more
 * than the sum itself. Arithmetic and comparisons do the same with any NaN; so straight code goes on with the value as the
 * processor gave it, and makes the NaN right where it is stored or its bits are used. */
#include "jit/jit.h"

#include <string.h>

/* The NaN that canonical_f32 (ops_float.h) gives, as a constant of the type; NULL: the type is another. */
static LLVMValueRef canonical_nan(Build *build, LLVMTypeRef type) {
    LLVMTypeRef single = LLVMFloatTypeInContext(build->context);
    LLVMValueRef bits = const32(build, 0x7fffffff);
    return type == single              ? LLVMConstBitCast(bits, type)
           : type == vector_of(single) ? LLVMConstBitCast(splat(build, bits), type)
                                       : NULL;
}

LLVMValueRef nan_choice(LLVMValueRef value) {
    if (!LLVMIsASelectInst(value))
        return NULL;
    LLVMValueRef unordered = LLVMGetOperand(value, 0), given = LLVMGetOperand(value, 2);
    const bool is = LLVMIsAFCmpInst(unordered) && LLVMGetFCmpPredicate(unordered) == LLVMRealUNO &&
                    LLVMGetOperand(unordered, 0) == given &&
                    LLVMIsNull(LLVMGetOperand(unordered, 1));
    return is ? given : NULL;
}

/* What canonical_f32 was given, if the value, as whatever type, is what that gives, of one lane or of 32; else NULL. */
static LLVMValueRef before_canonical(Build *build, LLVMValueRef value) {
    while (LLVMIsABitCastInst(value))
        value = LLVMGetOperand(value, 0);
    LLVMValueRef given = nan_choice(value);
    return given && LLVMGetOperand(value, 1) == canonical_nan(build, LLVMTypeOf(value)) ? given
                                                                                        : NULL;
}

static bool calls_arithmetic(LLVMValueRef call) {
    static const char *const functions[] = {"llvm.fma.", "llvm.fabs.", "llvm.sqrt."};
    const char *name = called_name(call);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strncmp(name, functions[i], strlen(functions[i])) == 0)
            return true;
    }
    return false;
}

/* Of a NaN it makes a NaN, whichever it is. */
static bool is_arithmetic(LLVMValueRef insn) {
    switch (LLVMGetInstructionOpcode(insn)) {
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMFNeg:
        return true;
    case LLVMCall:
        return calls_arithmetic(insn);
    default:
        return false;
    }
}

/* Nothing that the function gives depends on which NaN the value is, where it is one. */
bool nan_is_any(Build *build, LLVMValueRef value) {
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        const bool same = LLVMGetInstructionOpcode(user) == LLVMFCmp ||
                          before_canonical(build, user) == value ||
                          (is_arithmetic(user) && nan_is_any(build, user));
        if (!same)
            return false;
    }
    return true;
}

/* A register keeps the one NaN that is right. Straight code that goes on with its value asks for that only where it is
 * seen, so that a chain of sums is one of sums alone. */
LLVMValueRef nan_any(Build *build, LLVMValueRef value) {
    LLVMValueRef given = before_canonical(build, value);
    return given && LLVMTypeOf(given) == LLVMTypeOf(value) ? given : value;
}

LLVMValueRef nan_right(Build *build, LLVMValueRef value) {
    LLVMValueRef given = before_canonical(build, value);
    if (!given)
        return value;
    LLVMTypeRef type = LLVMTypeOf(given);
    LLVMValueRef is = LLVMBuildFCmp(build->at, LLVMRealUNO, given, LLVMConstNull(type), "");
    LLVMValueRef right = LLVMBuildSelect(build->at, is, canonical_nan(build, type), given, "");
    return LLVMBuildBitCast(build->at, right, LLVMTypeOf(value), "");
}
