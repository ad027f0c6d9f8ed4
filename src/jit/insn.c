/* One instruction: inlined from its function of one lane, or a call of the interpreter's function. */
#include "jit/jit.h"

#include <llvm/Config/llvm-config.h>
#include <stddef.h>

/* ---- predicates ---- */

/* The i-th operand that is read, a predicate. */
static LLVMValueRef read_predicate(Build *build, const Code *code, uint32_t offset, uint32_t i) {
    LLVMValueRef value = register_read(build, offset, CLASS_PRED);
    return code->negated >> i & 1 ? LLVMBuildNot(build->at, value, "") : value;
}

LLVMValueRef insn_guard(Build *build, const Code *code) {
    if (code->guard == NO_OPERAND)
        return build->mask;
    LLVMValueRef guard = register_read(build, code->guard, CLASS_PRED);
    if (code->guard_flip)
        guard = LLVMBuildNot(build->at, guard, "");
    return build->mask ? LLVMBuildAnd(build->at, guard, build->mask, "") : guard;
}

/* ---- results: of the lanes for which the guard holds ---- */

static void write(Build *build, const Code *code, uint32_t offset, uint8_t class,
                  LLVMValueRef value) {
    LLVMValueRef guard = insn_guard(build, code);
    if (offset == NO_OPERAND)
        return;
    if (guard && class == CLASS_PRED) {
        LLVMValueRef old = register_read(build, offset, class);
        LLVMValueRef changed = LLVMBuildXor(build->at, old, value, "");
        value = LLVMBuildXor(build->at, old, LLVMBuildAnd(build->at, changed, guard, ""), "");
    } else if (guard) {
        LLVMValueRef old = register_read(build, offset, class);
        value = LLVMBuildSelect(build->at, lanes_of_mask(build, guard), value, old, "");
    }
    register_write(build, offset, class, value);
}

/* ---- functions of one lane ---- */

static uint8_t operand_class(const Code *code, uint32_t i) {
    return i == 0 ? code->a_class : i == 1 ? code->b_class : i == 2 ? code->c_class : CLASS_32;
}

/* The operand as a vector of the parameter's type. */
static LLVMValueRef argument(Build *build, const Code *code, uint32_t i, LLVMTypeRef type) {
    const uint32_t offsets[] = {code->a, code->b, code->c, code->e};
    uint8_t class = operand_class(code, i);
    if (class == CLASS_PRED) {
        LLVMValueRef mask = read_predicate(build, code, offsets[i], i);
        return LLVMBuildZExt(build->at, lanes_of_mask(build, mask), vector_of(type), "");
    }
    LLVMValueRef value = register_read(build, offsets[i], class);
    if (type == build->i16 || type == build->i8)
        return LLVMBuildTrunc(build->at, value, vector_of(type), "");
    return LLVMBuildBitCast(build->at, value, vector_of(type), "");
}

/* A register of 8 or 16 bits lies zero-extended in 32. */
static LLVMValueRef as_register(Build *build, uint8_t class, LLVMValueRef value) {
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(value));
    if (class == CLASS_PRED) {
        LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(value)), bits = lanes_of_bits(value);
        return mask_of_lanes(build,
                             bits ? bits : LLVMBuildICmp(build->at, LLVMIntNE, value, zero, ""));
    }
    if (element == build->i16 || element == build->i8)
        return LLVMBuildZExt(build->at, value, class_type(build, class), "");
    return LLVMBuildBitCast(build->at, value, class_type(build, class), "");
}

static uint32_t type_bits(LLVMTypeRef type) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMFloatTypeKind:
        return 32;
    case LLVMDoubleTypeKind:
        return 64;
    default:
        return LLVMGetIntTypeWidth(type);
    }
}

/* The type fits registers of the class. */
static bool fits(LLVMTypeRef type, uint8_t class) {
    uint32_t bits = type_bits(type);
    return class == CLASS_64 ? bits == 64 : class != CLASS_128 && bits <= 32;
}

static LLVMValueRef lane_function(const Build *build, const char *name) {
    LLVMValueRef lane = LLVMGetNamedFunction(build->lanes, name);
    return lane && lane_is_widenable(lane) ? lane : NULL;
}

static LLVMTypeRef result_type(LLVMValueRef lane) {
    return LLVMGetReturnType(LLVMGlobalGetValueType(lane));
}

static bool lane_fits(const Code *code, LLVMValueRef lane) {
    uint32_t count = LLVMCountParams(lane);
    bool good = count <= 4 && (code->d == NO_OPERAND || fits(result_type(lane), code->d_class));
    for (uint32_t i = 0; i < count; i++)
        good &= fits(LLVMTypeOf(LLVMGetParam(lane, i)), operand_class(code, i));
    return good;
}

/* p = t op c, q = !t op c: setp (PTX ISA 9.7.6.2). */
static void write_comparison(Build *build, const Code *code, LLVMValueRef t) {
    LLVMValueRef p = t, q = LLVMBuildNot(build->at, t, "");
    if (code->mods.func != FUNC_NONE && code->c != NO_OPERAND) { /* testp has another func */
        LLVMValueRef c = read_predicate(build, code, code->c, 2);
        LLVMOpcode opcode = code->mods.func == FUNC_AND  ? LLVMAnd
                            : code->mods.func == FUNC_OR ? LLVMOr
                                                         : LLVMXor;
        p = LLVMBuildBinOp(build->at, opcode, p, c, "");
        q = LLVMBuildBinOp(build->at, opcode, q, c, "");
    }
    write(build, code, code->d, CLASS_PRED, p);
    write(build, code, code->d2, CLASS_PRED, q);
}

static void inline_lane(Build *build, const Code *code, LLVMValueRef lane) {
    LLVMValueRef arguments[4];
    for (uint32_t i = 0; i < LLVMCountParams(lane); i++)
        arguments[i] = argument(build, code, i, LLVMTypeOf(LLVMGetParam(lane, i)));
    LLVMValueRef value = lane_widen(build, lane, arguments);
    bool compares = code->d_class == CLASS_PRED;
    if (code->d == NO_OPERAND && code->d2 == NO_OPERAND)
        return;
    value = as_register(build, code->d_class, value);
    if (compares)
        write_comparison(build, code, value);
    else
        write(build, code, code->d, code->d_class, value);
}

/* The vector whose lanes a shuffle takes; NULL: it is no shuffle of one vector. */
static LLVMValueRef shuffled(LLVMValueRef value) {
    if (!LLVMIsAShuffleVectorInst(value) || !LLVMIsUndef(LLVMGetOperand(value, 1)) ||
        LLVMGetNumMaskElements(value) != WARP_LANES)
        return NULL;
    return LLVMGetOperand(value, 0);
}

/* The 64 bits whose lower half this is. */
static LLVMValueRef half_of(LLVMValueRef value) {
    return LLVMIsATruncInst(value) ? LLVMGetOperand(value, 0) : NULL;
}

/* Both halves of one value, shuffled alike, are that value shuffled; NULL: they are no such halves. */
static LLVMValueRef join_shuffled(Build *build, const LLVMValueRef both[2]) {
    LLVMValueRef low = shuffled(both[0]), high = shuffled(both[1]);
    LLVMValueRef from = low ? half_of(low) : NULL, above = high ? half_of(high) : NULL;
    if (!from || !above || LLVMTypeOf(from) != vector_of(build->i64) ||
        !LLVMIsABinaryOperator(above) || LLVMGetInstructionOpcode(above) != LLVMLShr ||
        LLVMGetOperand(above, 0) != from ||
        LLVMGetOperand(above, 1) != splat(build, const64(build, 32)))
        return NULL;
    uint64_t source[WARP_LANES];
    for (uint32_t l = 0; l < WARP_LANES; l++) {
        source[l] = (uint64_t)LLVMGetMaskValue(both[0], l);
        if (LLVMGetMaskValue(both[1], l) != (int)source[l])
            return NULL;
    }
    return LLVMBuildShuffleVector(build->at, from, LLVMGetUndef(LLVMTypeOf(from)),
                                  lanes_constant(build->i32, source), "");
}

/* mov {a, b}, c and mov c, {a, b}: elements of 32 bits in 64. */
static void inline_pair(Build *build, const Code *code, const char *name) {
    LLVMValueRef lane = lane_function(build, name);
    bool packs = LLVMCountParams(lane) == 2;
    if (packs) {
        LLVMValueRef both[2];
        for (uint32_t i = 0; i < 2; i++)
            both[i] = register_read(build, code->vector[i], CLASS_32);
        LLVMValueRef joined = join_shuffled(build, both);
        write(build, code, code->d, CLASS_64, joined ? joined : lane_widen(build, lane, both));
        return;
    }
    LLVMValueRef from = register_read(build, code->a, CLASS_64);
    LLVMValueRef high = lane_function(build, "unpack_high_lane");
    LLVMValueRef values[2] = {lane_widen(build, lane, &from), lane_widen(build, high, &from)};
    for (uint32_t i = 0; i < 2; i++)
        write(build, code, code->vector[i], CLASS_32, values[i]);
}

static void inline_word(Build *build, const Code *code) {
    LLVMValueRef a = read_predicate(build, code, code->a, 0), value = a;
    if (code->insn->op == OP_not_pred)
        value = LLVMBuildNot(build->at, a, "");
    else if (code->insn->op != OP_mov) {
        LLVMOpcode opcode = code->insn->op == OP_and_pred  ? LLVMAnd
                            : code->insn->op == OP_or_pred ? LLVMOr
                                                           : LLVMXor;
        value = LLVMBuildBinOp(build->at, opcode, a, read_predicate(build, code, code->b, 1), "");
    }
    write(build, code, code->d, CLASS_PRED, value);
}

/* ---- parameters, addresses ---- */

static bool params_fit(const Code *code) {
    const Elements *elements = code->more;
    bool good = true;
    for (uint32_t i = 0; i < elements->count; i++)
        good &= elements->cell[i].sink || elements->cell[i].class < CLASS_128;
    return good;
}

static void inline_params(Build *build, const Code *code) {
    const Elements *elements = code->more;
    for (uint32_t i = 0; i < elements->count; i++) {
        const Cell *cell = &elements->cell[i];
        if (cell->sink)
            continue;
        LLVMValueRef value = register_read(build, code->vector[i], cell->class);
        if (cell->class == CLASS_32 && cell->keep != FULL_MASK)
            value = LLVMBuildAnd(build->at, value, splat(build, const32(build, cell->keep)), "");
        write(build, code, cell->offset, cell->class, value);
    }
}

static void inline_address(Build *build, const Code *code) {
    LLVMValueRef value = register_read(build, code->a, CLASS_64);
    LLVMValueRef addend = splat(build, const64(build, build->task->addend(code)));
    write(build, code, code->d, CLASS_64, LLVMBuildAdd(build->at, value, addend, ""));
}

/* ---- shfl.sync between all lanes, from lanes that are known ---- */

/* The value of a register that is the same constant in all lanes. */
static bool known_value(Build *build, uint32_t offset, uint32_t *value) {
    LLVMValueRef vector = register_read(build, offset, CLASS_32);
    if (!LLVMIsConstant(vector))
        return false;
    *value = 0;
    if (LLVMIsNull(vector))
        return true;
    if (!LLVMIsAConstantDataVector(vector))
        return false;
#if LLVM_VERSION_MAJOR >= 15
    LLVMValueRef first = LLVMGetAggregateElement(vector, 0);
#else
    LLVMValueRef first = LLVMGetElementAsConstant(vector, 0);
#endif
    *value = (uint32_t)LLVMConstIntGetZExtValue(first);
    return vector == splat(build, first);
}

static bool inline_shuffle(Build *build, const Code *code) {
    uint32_t b, c, members;
    uint8_t lanes[WARP_LANES];
    if (build->mask || code->guard != NO_OPERAND || !known_value(build, code->b, &b) ||
        !known_value(build, code->c, &c) || !known_value(build, code->e, &members) ||
        members != FULL_MASK)
        return false;
    build->task->shuffle(code, b, c, lanes);
    uint64_t source[WARP_LANES];
    uint32_t inside = 0;
    for (uint32_t l = 0; l < WARP_LANES; l++) {
        source[l] = lanes[l] & 31;
        inside |= (uint32_t)(lanes[l] >> 5) << l;
    }
    LLVMValueRef from = register_read(build, code->a, CLASS_32);
    LLVMValueRef order = lanes_constant(build->i32, source);
    LLVMValueRef undefined = LLVMGetUndef(LLVMTypeOf(from));
    write(build, code, code->d, CLASS_32,
          LLVMBuildShuffleVector(build->at, from, undefined, order, ""));
    write(build, code, code->d2, CLASS_PRED, const32(build, inside));
    return true;
}

/* ---- which way ---- */

bool insn_inline(Build *build, const Code *code, uint32_t number) {
    const CompileTask *task = build->task;
    switch ((CodeKind)task->kinds[number]) {
    case KIND_NOTHING:
        return true;
    case KIND_WORD:
        inline_word(build, code);
        return true;
    case KIND_LANE: {
        LLVMValueRef lane = lane_function(build, task->lanes[number]);
        if (lane && code->insn->op == OP_mov && code->count) {
            inline_pair(build, code, task->lanes[number]);
            return true;
        }
        if (!lane || !lane_fits(code, lane))
            return false;
        inline_lane(build, code, lane);
        return true;
    }
    case KIND_PARAM:
        if (!params_fit(code))
            return false;
        inline_params(build, code);
        return true;
    case KIND_ADDRESS:
        inline_address(build, code);
        return true;
    case KIND_SHUFFLE:
        return inline_shuffle(build, code);
    default:
        return false;
    }
}

/* ---- calls, and ways out ---- */

void leave(Build *build, Left reason, uint32_t number) {
    LLVMBuildRet(build->at, const64(build, (uint64_t)reason << 32 | number));
}

/* Code.full or .some of an instruction, read where the program has it: its address is one of this process only. */
static LLVMValueRef function_at(Build *build, LLVMValueRef code, size_t field) {
    return load_at(build, build->i64, code, field, 8);
}

static LLVMValueRef call(Build *build, LLVMValueRef code, LLVMValueRef function,
                         LLVMValueRef mask) {
    LLVMTypeRef types[3] = {build->i64, build->i64, build->i32};
    LLVMTypeRef type = LLVMFunctionType(build->i32, types, 3, false);
    LLVMValueRef arguments[3] = {build->warp, code, mask};
    function = LLVMBuildIntToPtr(build->at, function, LLVMPointerType(type, 0), "");
    return LLVMBuildCall2(build->at, type, function, arguments, 3, "");
}

void insn_call(Build *build, const Code *code, uint32_t number) {
    LLVMValueRef guard = insn_guard(build, code);
    LLVMBasicBlockRef go_on = new_block(build, "");
    registers_flush(build);
    build->called |= code->insn->op != OP_bar_sync; /* which writes no register */
    registers_forget(build, code->insn->op != OP_bar_sync);
    LLVMValueRef mask = const32(build, FULL_MASK), place = build->code;
    place = LLVMBuildAdd(build->at, place, const64(build, number * sizeof(Code)), "");
    LLVMValueRef function = function_at(build, place, offsetof(Code, full));
    if (guard) {
        LLVMBasicBlockRef some = new_block(build, "");
        LLVMValueRef none = LLVMBuildICmp(build->at, LLVMIntEQ, guard, const32(build, 0), "");
        LLVMBuildCondBr(build->at, none, go_on, some);
        LLVMPositionBuilderAtEnd(build->at, some);
        LLVMValueRef all = LLVMBuildICmp(build->at, LLVMIntEQ, guard, mask, "");
        mask = guard;
        LLVMValueRef other = function_at(build, place, offsetof(Code, some));
        function = LLVMBuildSelect(build->at, all, function, other, "");
    }
    LLVMValueRef step = call(build, place, function, mask);
    LLVMBasicBlockRef out = new_block(build, "");
    LLVMValueRef stops = LLVMBuildICmp(build->at, LLVMIntNE, step, const32(build, STEP_NEXT), "");
    branch_rarely(build, stops, out, go_on);
    LLVMPositionBuilderAtEnd(build->at, out);
    LLVMValueRef reason = LLVMBuildZExt(build->at, step, build->i64, "");
    reason = LLVMBuildShl(build->at, reason, const64(build, 32), "");
    reason =
        LLVMBuildAdd(build->at, reason, const64(build, (uint64_t)LEFT_STEP << 32 | number), "");
    LLVMBuildRet(build->at, reason);
    LLVMPositionBuilderAtEnd(build->at, go_on);
}
