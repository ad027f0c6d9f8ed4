/* A function of one lane, widened: each instruction of its one basic block becomes the same one over
 * vectors of 32. Functions with branches, memory or calls of anything but a few intrinsics are not
 * widened; the interpreter's function is called for them. */
#include "jit/jit.h"

#include <string.h>

enum { VALUES_MOST = 256 };

/* Intrinsics that mean the same for vectors. Further operands than the first `vectors` are flags. */
static const struct Known {
    const char *name;
    uint32_t vectors;
} known[] = {
    {"llvm.fma.", 3},      {"llvm.fabs.", 1},       {"llvm.copysign.", 2}, {"llvm.sqrt.", 1},
    {"llvm.rint.", 1},     {"llvm.trunc.", 1},      {"llvm.floor.", 1},    {"llvm.ceil.", 1},
    {"llvm.ctpop.", 1},    {"llvm.ctlz.", 1},       {"llvm.cttz.", 1},     {"llvm.abs.", 1},
    {"llvm.bswap.", 1},    {"llvm.bitreverse.", 1}, {"llvm.fshl.", 3},     {"llvm.fshr.", 3},
    {"llvm.smax.", 2},     {"llvm.smin.", 2},       {"llvm.umax.", 2},     {"llvm.umin.", 2},
    {"llvm.sadd.sat.", 2}, {"llvm.ssub.sat.", 2},   {"llvm.uadd.sat.", 2}, {"llvm.usub.sat.", 2}};

static const struct Known *find_known(LLVMValueRef call) {
    const char *name = called_name(call);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strncmp(name, known[i].name, strlen(known[i].name)) == 0)
            return &known[i];
    }
    return NULL;
}

static bool is_widenable(LLVMValueRef insn) {
    switch (LLVMGetInstructionOpcode(insn)) {
    case LLVMAdd:
    case LLVMFAdd:
    case LLVMSub:
    case LLVMFSub:
    case LLVMMul:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMFNeg:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMFPToUI:
    case LLVMFPToSI:
    case LLVMUIToFP:
    case LLVMSIToFP:
    case LLVMFPTrunc:
    case LLVMFPExt:
    case LLVMBitCast:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMSelect:
    case LLVMFreeze:
    case LLVMRet:
        return true;
    case LLVMCall:
        return find_known(insn) != NULL;
    default:
        return false;
    }
}

bool lane_is_widenable(LLVMValueRef lane) {
    if (LLVMCountBasicBlocks(lane) != 1)
        return false;
    uint32_t count = LLVMCountParams(lane);
    LLVMBasicBlockRef body = LLVMGetEntryBasicBlock(lane);
    for (LLVMValueRef insn = LLVMGetFirstInstruction(body); insn;
         insn = LLVMGetNextInstruction(insn)) {
        if (++count > VALUES_MOST || !is_widenable(insn))
            return false;
    }
    return true;
}

/* Scalar values and what became of them. */
typedef struct Widening {
    Build *build;
    LLVMValueRef from[VALUES_MOST], to[VALUES_MOST];
    uint32_t count;
} Widening;

static void put(Widening *widening, LLVMValueRef from, LLVMValueRef to) {
    widening->from[widening->count] = from;
    widening->to[widening->count++] = to;
}

static LLVMValueRef get(Widening *widening, LLVMValueRef insn, uint32_t operand) {
    LLVMValueRef value = LLVMGetOperand(insn, operand);
    for (uint32_t i = widening->count; i-- > 0;) {
        if (widening->from[i] == value)
            return widening->to[i];
    }
    return splat(widening->build, value); /* a constant */
}

static LLVMValueRef widen_call(Widening *widening, LLVMValueRef insn) {
    const struct Known *intrinsic = find_known(insn);
    Build *build = widening->build;
    LLVMValueRef arguments[4];
    uint32_t count = LLVMGetNumArgOperands(insn);
    for (uint32_t i = 0; i < count; i++)
        arguments[i] = i < intrinsic->vectors ? get(widening, insn, i) : LLVMGetOperand(insn, i);
    LLVMTypeRef type = vector_of(LLVMTypeOf(insn));
    uint32_t id = LLVMGetIntrinsicID(LLVMGetCalledValue(insn));
    LLVMValueRef callee = LLVMGetIntrinsicDeclaration(build->module, id, &type, 1);
    LLVMTypeRef signature = LLVMIntrinsicGetType(build->context, id, &type, 1);
    return LLVMBuildCall2(build->at, signature, callee, arguments, count, "");
}

/* The lanes that a choice by a predicate is about: a function of one lane compares the predicate, a number to it, with 0. *flip: it
 * chooses the other way round. NULL: it is about something else. */
static LLVMValueRef find_chosen(Widening *widening, LLVMValueRef condition, bool *flip) {
    if (!LLVMIsAICmpInst(condition) || !LLVMIsConstant(LLVMGetOperand(condition, 1)) ||
        !LLVMIsNull(LLVMGetOperand(condition, 1)))
        return NULL;
    const LLVMIntPredicate how = LLVMGetICmpPredicate(condition);
    *flip = how == LLVMIntEQ;
    return *flip || how == LLVMIntNE ? lanes_of_bits(get(widening, condition, 0)) : NULL;
}

/* Of two integers by bits that all are one or none: of a predicate these are made with two instructions for a vector, where to make
 * a number of it, compare that and widen the result takes six. */
static LLVMValueRef choose_by_bits(Build *build, LLVMValueRef bits, LLVMValueRef yes,
                                   LLVMValueRef no) {
    LLVMTypeRef type = LLVMTypeOf(yes);
    LLVMValueRef mask = LLVMBuildSExt(build->at, bits, type, "");
    LLVMValueRef one = LLVMBuildAnd(build->at, yes, mask, "");
    LLVMValueRef other = LLVMBuildAnd(build->at, no, LLVMBuildNot(build->at, mask, ""), "");
    return LLVMBuildOr(build->at, one, other, "");
}

static LLVMValueRef widen_choice(Widening *widening, LLVMValueRef insn, LLVMValueRef condition) {
    LLVMValueRef yes = get(widening, insn, 1), no = get(widening, insn, 2);
    LLVMTypeRef element = LLVMTypeOf(insn);
    Build *build = widening->build;
    bool flip;
    LLVMValueRef bits = find_chosen(widening, LLVMGetOperand(insn, 0), &flip);
    if (!bits || (element != build->i32 && element != build->i64))
        return LLVMBuildSelect(build->at, condition, yes, no, "");
    return flip ? choose_by_bits(build, bits, no, yes) : choose_by_bits(build, bits, yes, no);
}

static LLVMValueRef widen_insn(Widening *widening, LLVMValueRef insn) {
    LLVMBuilderRef at = widening->build->at;
    LLVMOpcode opcode = LLVMGetInstructionOpcode(insn);
    LLVMValueRef a = opcode == LLVMCall ? NULL : get(widening, insn, 0);
    switch (opcode) {
    case LLVMCall:
        return widen_call(widening, insn);
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMFPToUI:
    case LLVMFPToSI:
    case LLVMUIToFP:
    case LLVMSIToFP:
    case LLVMFPTrunc:
    case LLVMFPExt:
    case LLVMBitCast:
        return LLVMBuildCast(at, opcode, a, vector_of(LLVMTypeOf(insn)), "");
    case LLVMFNeg:
        return LLVMBuildFNeg(at, a, "");
    case LLVMFreeze:
        return LLVMBuildFreeze(at, a, "");
    case LLVMICmp:
        return LLVMBuildICmp(at, LLVMGetICmpPredicate(insn), a, get(widening, insn, 1), "");
    case LLVMFCmp:
        return LLVMBuildFCmp(at, LLVMGetFCmpPredicate(insn), a, get(widening, insn, 1), "");
    case LLVMSelect:
        return widen_choice(widening, insn, a);
    default:
        return LLVMBuildBinOp(at, opcode, a, get(widening, insn, 1), "");
    }
}

/* The instruction at the end that chooses, in place of a result that is a NaN, another; NULL: there is none. */
static LLVMValueRef find_choice(LLVMValueRef last) {
    LLVMValueRef choice = LLVMGetNumOperands(last) ? LLVMGetOperand(last, 0) : NULL;
    return choice && nan_choice(choice) && !LLVMIsConstant(LLVMGetOperand(choice, 1)) ? choice
                                                                                      : NULL;
}

/* It is used for what is chosen then, and for nothing else. */
static bool is_rare(LLVMValueRef insn, LLVMValueRef choice) {
    bool rare = choice && insn != choice && LLVMGetFirstUse(insn);
    for (LLVMUseRef use = LLVMGetFirstUse(insn); use && rare; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        rare = user == choice ? LLVMGetOperand(choice, 0) != insn : is_rare(user, choice);
    }
    return rare && LLVMGetOperand(choice, 2) != insn;
}

/* Whether the value is a NaN in any lane: two lanes are compared at once. */
static LLVMValueRef any_is_nan(Build *build, LLVMValueRef value) {
    LLVMBuilderRef at = build->at;
    const bool wide =
        LLVMGetElementType(LLVMTypeOf(value)) == LLVMDoubleTypeInContext(build->context);
    const uint32_t lanes = wide ? 4 : 8; /* in 256 bits */
    LLVMValueRef all = NULL;
    for (uint32_t first = 0; first < WARP_LANES; first += 2 * lanes) {
        LLVMValueRef is = LLVMBuildFCmp(at, LLVMRealUNO, take_lanes(build, value, first, 1, lanes),
                                        take_lanes(build, value, first + lanes, 1, lanes), "");
        is = LLVMBuildSExt(at, is, LLVMVectorType(wide ? build->i64 : build->i32, lanes), "");
        all = all ? LLVMBuildOr(at, all, is, "") : is;
    }
    return any_bit(build, LLVMBuildBitCast(at, all, LLVMVectorType(build->i64, 4), ""));
}

/* The choice, and what is needed for it alone, in a place of their own that is entered where a lane has a NaN. */
static LLVMValueRef choose_rarely(Widening *widening, LLVMValueRef choice) {
    Build *build = widening->build;
    LLVMValueRef value = get(widening, choice, 2);
    LLVMBasicBlockRef rare = new_block(build, ""), go_on = new_block(build, "");
    branch_rarely(build, any_is_nan(build, value), rare, go_on);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(build->at);
    LLVMPositionBuilderAtEnd(build->at, rare);
    for (LLVMValueRef insn = LLVMGetFirstInstruction(LLVMGetInstructionParent(choice)); insn;
         insn = LLVMGetNextInstruction(insn)) {
        if (is_rare(insn, choice))
            put(widening, insn, widen_insn(widening, insn));
    }
    LLVMValueRef chosen = widen_insn(widening, choice);
    LLVMBuildBr(build->at, go_on);
    LLVMPositionBuilderAtEnd(build->at, go_on);
    LLVMValueRef result = LLVMBuildPhi(build->at, LLVMTypeOf(value), "");
    LLVMValueRef values[2] = {value, chosen};
    LLVMBasicBlockRef from[2] = {before, rare};
    LLVMAddIncoming(result, values, from, 2);
    return result;
}

LLVMValueRef lane_widen(Build *build, LLVMValueRef lane, LLVMValueRef arguments[]) {
    Widening widening = {.build = build};
    for (uint32_t i = 0; i < LLVMCountParams(lane); i++) {
        LLVMValueRef parameter = LLVMGetParam(lane, i);
        put(&widening, parameter,
            nan_is_any(build, parameter) ? nan_any(build, arguments[i]) : arguments[i]);
    }
    LLVMBasicBlockRef body = LLVMGetEntryBasicBlock(lane);
    LLVMValueRef choice = find_choice(LLVMGetLastInstruction(body));
    for (LLVMValueRef insn = LLVMGetFirstInstruction(body); insn;
         insn = LLVMGetNextInstruction(insn)) {
        if (LLVMGetInstructionOpcode(insn) == LLVMRet)
            return get(&widening, insn, 0);
        if (insn == choice)
            put(&widening, insn, choose_rarely(&widening, insn));
        else if (!is_rare(insn, choice))
            put(&widening, insn, widen_insn(&widening, insn));
    }
    return NULL;
}
