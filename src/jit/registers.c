/* The registers of a warp in straight code: values that were read or written, and what memory lacks. */
#include "jit/jit.h"

#include <string.h>

static uint32_t class_align(uint8_t class) {
    return class == CLASS_PRED ? 4 : 64;
}

/* What lane 0 has, for all. */
static LLVMValueRef read_same(Build *build, uint32_t offset, uint8_t class) {
    LLVMTypeRef type = class == CLASS_64 ? build->i64 : build->i32;
    LLVMValueRef one = load_at(build, type, build->registers, offset, 4);
    return class == CLASS_PRED ? one : splat(build, one);
}

/* Registers that are filled before a warp runs: constants, and what is one value in all lanes. */
static LLVMValueRef read_fill(Build *build, const Fill *fill) {
    bool wide = fill->class == CLASS_64;
    bool constant = fill->kind == FILL_VALUE && !fill->is_place;
    if (constant && fill->class == CLASS_PRED)
        return const32(build, fill->value ? UINT32_MAX : 0);
    if (constant)
        return splat(build, wide ? const64(build, fill->value) : const32(build, fill->value));
    return read_same(build, fill->offset, fill->class);
}

/* All lanes had one value in it where the basic block began, and it was not written since. */
static bool is_same(const Build *build, uint32_t offset, uint8_t class) {
    return (class == CLASS_32 || class == CLASS_64) && !build->mask && !build->called &&
           build->written[offset / 4] != build->number + 1 &&
           same_before(build->task, build->number, offset);
}

static void keep(Build *build, uint32_t offset, uint8_t class, LLVMValueRef value, bool dirty) {
    CachedRegister *cached = &build->cached[offset / 4];
    if (!cached->value)
        build->offset[build->offset_count++] = offset;
    *cached = (CachedRegister){value, dirty, class};
}

LLVMValueRef register_read(Build *build, uint32_t offset, uint8_t class) {
    CachedRegister *cached = &build->cached[offset / 4];
    if (cached->value)
        return cached->value;
    const Fill *fill = build->fill_at[offset / 4];
    LLVMValueRef value = fill && fill_is_same(fill) ? read_fill(build, fill)
                         : is_same(build, offset, class)
                             ? read_same(build, offset, class)
                             : load_at(build, class_type(build, class), build->registers, offset,
                                       class_align(class));
    keep(build, offset, class, value, false);
    return value;
}

void register_write(Build *build, uint32_t offset, uint8_t class, LLVMValueRef value) {
    build->written[offset / 4] = build->number + 1;
    keep(build, offset, class, value, true);
}

/* The value as memory is to have it, made anew where that is less work than to keep it. */
static LLVMValueRef right_value(Build *build, LLVMValueRef value) {
    value = nan_right(build, value);
    return LLVMTypeOf(value) == build->i32 ? value : places_again(build, value);
}

/* needed: [register_bytes / 4]; NULL: all are. */
static void store_dirty(Build *build, const bool *needed) {
    for (uint32_t i = 0; i < build->offset_count; i++) {
        CachedRegister *cached = &build->cached[build->offset[i] / 4];
        if (cached->dirty && (!needed || needed[build->offset[i] / 4]))
            store_at(build, right_value(build, cached->value), build->registers, build->offset[i],
                     class_align(cached->class));
    }
}

void registers_flush(Build *build) {
    store_dirty(build, NULL);
    for (uint32_t i = 0; i < build->offset_count; i++)
        build->cached[build->offset[i] / 4].dirty = false;
}

static void look_at(bool *read, uint32_t offset) {
    if (offset != NO_OPERAND)
        read[offset / 4] = true;
}

/* The registers that the instruction reads; false: nobody says which. */
static bool find_reads(const Build *build, uint32_t number, bool *read) {
    const Code *code = &build->program->code[number];
    const Elements *elements = code->more;
    const uint32_t named[] = {code->guard, code->a, code->b, code->c, code->e};
    const CodeKind kind = (CodeKind)build->task->kinds[number];
    const bool stores = op_access(code->insn->op) == OP_ACCESS_STORE;
    if (kind == KIND_CALL && code->insn->op != OP_bar_sync && code->control == CONTROL_NONE)
        return false;
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        look_at(read, named[i]);
    for (uint32_t i = 0; kind == KIND_LANE && code->d != NO_OPERAND && i < code->count; i++)
        look_at(read, code->vector[i]);
    for (uint32_t i = 0; kind == KIND_PARAM && i < elements->count; i++)
        look_at(read, code->vector[i]);
    for (uint32_t i = 0; kind == KIND_ACCESS && stores && i < elements->count; i++)
        look_at(read, elements->cell[i].sink ? NO_OPERAND : elements->cell[i].offset);
    return true;
}

static void forget_read(void *context, uint32_t number, uint32_t offset) {
    bool *read = context;
    (void)number;
    read[offset / 4] = false;
}

static void keep_read(void *context, uint32_t number, uint32_t offset) {
    bool *read = context;
    (void)number;
    read[offset / 4] = true;
}

/* Of the registers that have values, those that something from instruction `number` on may read, [register_bytes / 4]; NULL:
 * any may be. What an instruction writes for some of the lanes only, it keeps in the others. */
static const bool *find_needed(Build *build, uint32_t number) {
    const uint32_t block = build->program->block_of[number];
    const Block *all = &build->program->blocks[block];
    const size_t cells = build->program->register_bytes / 4 + 1;
    bool *needed = build->needed;
    memset(needed, 0, cells * sizeof *needed);
    for (uint32_t i = 0; i < build->offset_count; i++) {
        const uint32_t offset = build->offset[i];
        needed[offset / 4] = live_behind(build->task, block, offset);
    }
    for (uint32_t i = all->first + all->count; i-- > number;) {
        const bool whole = !build->mask && build->program->code[i].guard == NO_OPERAND;
        code_writes(build->task, i, whole ? forget_read : keep_read, needed);
        if (!find_reads(build, i, needed))
            return NULL;
    }
    return needed;
}

void registers_pause(Build *build, uint32_t number) {
    const bool *needed = find_needed(build, number + 1);
    for (uint32_t i = 0; i < build->offset_count && needed; i++)
        build->cached[build->offset[i] / 4].dirty &= needed[build->offset[i] / 4];
}

void registers_store_needed(Build *build, uint32_t number) {
    store_dirty(build, find_needed(build, number));
}

void registers_leave(Build *build, uint32_t block) {
    for (uint32_t i = 0; i < build->offset_count; i++) {
        CachedRegister *cached = &build->cached[build->offset[i] / 4];
        cached->dirty &= live_behind(build->task, block, build->offset[i]);
    }
    store_dirty(build, NULL);
    registers_forget(build, true);
}

void registers_forget(Build *build, bool constants_too) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < build->offset_count; i++) {
        CachedRegister *cached = &build->cached[build->offset[i] / 4];
        if (!constants_too && LLVMIsConstant(cached->value))
            build->offset[kept++] = build->offset[i];
        else
            *cached = (CachedRegister){0};
    }
    build->offset_count = kept;
}
