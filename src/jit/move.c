/* Moving the elements of an access whose lanes lie as is known: in one piece where they lie in a row, once
 * where they lie at one place, in a few pieces where parts of the warp do, and else lane by lane. */
#include "jit/jit.h"

/* The warp as runs of lanes: in each they lie `step` bytes apart. */
typedef struct Runs {
    uint32_t lanes; /* of a run: 32, 16, 8, 4; 0: there are no such */
    bool same;      /* step is 0; else that of the elements */
} Runs;

static bool all_runs(const AccessShape *shape, uint32_t lanes, int64_t step) {
    for (uint32_t l = 0; l < WARP_LANES; l++) {
        uint32_t first = l / lanes * lanes;
        if (shape->place[l] != shape->place[first] + (int64_t)(l - first) * step)
            return false;
    }
    return true;
}

static Runs find_runs(const AccessShape *shape, uint32_t width) {
    for (uint32_t lanes = WARP_LANES; lanes >= 4; lanes /= 2) {
        if (all_runs(shape, lanes, width))
            return (Runs){lanes, false};
        if (all_runs(shape, lanes, 0))
            return (Runs){lanes, true};
    }
    return (Runs){0, false};
}

static LLVMTypeRef element_type(const Build *build, const Elements *elements) {
    return elements->bytes == 1   ? build->i8
           : elements->bytes == 2 ? build->i16
           : elements->bytes == 4 ? build->i32
                                  : build->i64;
}

static uint64_t place_of(const Code *code, const AccessShape *shape, uint32_t lane,
                         uint32_t element) {
    const Elements *elements = code->more;
    return (uint64_t)shape->place[lane] + element * elements->bytes;
}

/* ---- loads ---- */

/* Vectors of equal length, one behind the other: 32 lanes in the end. */
static LLVMValueRef join(Build *build, LLVMValueRef parts[], uint32_t count, uint32_t lanes) {
    for (; count > 1; count /= 2, lanes *= 2) {
        LLVMValueRef index[WARP_LANES];
        for (uint32_t i = 0; i < 2 * lanes; i++)
            index[i] = const32(build, i);
        LLVMValueRef order = LLVMConstVector(index, 2 * lanes);
        for (uint32_t i = 0; i < count / 2; i++)
            parts[i] = LLVMBuildShuffleVector(build->at, parts[2 * i], parts[2 * i + 1], order, "");
    }
    return parts[0];
}

static LLVMValueRef load_runs(Build *build, const Code *code, const AccessShape *shape, Runs runs,
                              LLVMValueRef address, uint32_t element) {
    const Elements *elements = code->more;
    LLVMTypeRef type = element_type(build, elements);
    LLVMValueRef parts[WARP_LANES];
    uint32_t count = WARP_LANES / runs.lanes;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t place = place_of(code, shape, i * runs.lanes, element);
        LLVMTypeRef part = runs.same ? type : LLVMVectorType(type, runs.lanes);
        parts[i] = load_at(build, part, address, place, elements->bytes);
    }
    if (!runs.same)
        return join(build, parts, count, runs.lanes);
    if (count == 1)
        return splat(build, parts[0]);
    LLVMValueRef all = LLVMGetUndef(LLVMVectorType(type, count)), index[WARP_LANES];
    for (uint32_t i = 0; i < count; i++)
        all = LLVMBuildInsertElement(build->at, all, parts[i], const32(build, i), "");
    for (uint32_t l = 0; l < WARP_LANES; l++)
        index[l] = const32(build, l / runs.lanes);
    return LLVMBuildShuffleVector(build->at, all, LLVMGetUndef(LLVMTypeOf(all)),
                                  LLVMConstVector(index, WARP_LANES), "");
}

static LLVMValueRef load_lanes(Build *build, const Code *code, const AccessShape *shape,
                               LLVMValueRef address, uint32_t element) {
    const Elements *elements = code->more;
    LLVMTypeRef type = element_type(build, elements);
    LLVMValueRef all = LLVMGetUndef(vector_of(type));
    for (uint32_t l = 0; l < WARP_LANES; l++) {
        uint64_t place = place_of(code, shape, l, element);
        LLVMValueRef one = load_at(build, type, address, place, elements->bytes);
        all = LLVMBuildInsertElement(build->at, all, one, const32(build, l), "");
    }
    return all;
}

static LLVMValueRef extend(Build *build, const Elements *elements, uint8_t class,
                           LLVMValueRef value) {
    LLVMTypeRef type = class_type(build, class);
    switch (elements->move) {
    case MOVE_S8:
    case MOVE_S16:
    case MOVE_S8_WIDE:
    case MOVE_S16_WIDE:
    case MOVE_S32_WIDE:
        return LLVMBuildSExt(build->at, value, type, "");
    case MOVE_U8:
    case MOVE_U16:
    case MOVE_U8_WIDE:
    case MOVE_U16_WIDE:
    case MOVE_U32_WIDE:
        return LLVMBuildZExt(build->at, value, type, "");
    default:
        return value;
    }
}

void move_load(Build *build, const Code *code, const AccessShape *shape, LLVMValueRef address) {
    const Elements *elements = code->more;
    uint32_t count = elements->count;
    LLVMValueRef values[8];
    Runs runs = find_runs(shape, elements->width);
    bool in_row = runs.lanes == WARP_LANES && !runs.same;
    if (in_row && count > 1) { /* vectors of all lanes in a row: one load, taken apart */
        LLVMTypeRef type = LLVMVectorType(element_type(build, elements), WARP_LANES * count);
        LLVMValueRef all = load_at(build, type, address, 0, elements->bytes);
        for (uint32_t i = 0; i < count; i++)
            values[i] = take_lanes(build, all, i, count, WARP_LANES);
    } else {
        bool by_runs = runs.lanes && (runs.same || count == 1);
        for (uint32_t i = 0; i < count; i++)
            values[i] = by_runs ? load_runs(build, code, shape, runs, address, i)
                                : load_lanes(build, code, shape, address, i);
    }
    for (uint32_t i = 0; i < count; i++)
        register_write(build, elements->cell[i].offset, elements->cell[i].class,
                       extend(build, elements, elements->cell[i].class, values[i]));
}

/* ---- stores: where lanes write to one place, the last one counts ---- */

static void store_runs(Build *build, const Code *code, const AccessShape *shape, Runs runs,
                       LLVMValueRef address, uint32_t element, LLVMValueRef value) {
    const Elements *elements = code->more;
    for (uint32_t first = 0; first < WARP_LANES; first += runs.lanes) {
        uint64_t place = place_of(code, shape, first, element);
        LLVMValueRef part = value;
        if (runs.same)
            part = LLVMBuildExtractElement(build->at, value, const32(build, first + runs.lanes - 1),
                                           "");
        else if (runs.lanes < WARP_LANES)
            part = take_lanes(build, value, first, 1, runs.lanes);
        store_at(build, part, address, place, elements->bytes);
    }
}

static void store_lanes(Build *build, const Code *code, const AccessShape *shape,
                        LLVMValueRef address, uint32_t element, LLVMValueRef value) {
    const Elements *elements = code->more;
    for (uint32_t l = 0; l < WARP_LANES; l++) {
        LLVMValueRef one = LLVMBuildExtractElement(build->at, value, const32(build, l), "");
        store_at(build, one, address, place_of(code, shape, l, element), elements->bytes);
    }
}

/* A row of lanes: whole lines, mostly. */
static void store_row(Build *build, const Code *code, LLVMValueRef address, LLVMValueRef value) {
    const Elements *elements = code->more;
    LLVMValueRef past = stream_wanted(build, code, address);
    LLVMBasicBlockRef stream = past ? new_block(build, "") : NULL;
    LLVMBasicBlockRef plain = past ? new_block(build, "") : NULL;
    LLVMBasicBlockRef go_on = past ? new_block(build, "") : NULL;
    if (past) {
        LLVMBuildCondBr(build->at, past, stream, plain);
        LLVMPositionBuilderAtEnd(build->at, stream);
        stream_store(build, value, address);
        LLVMBuildBr(build->at, go_on);
        LLVMPositionBuilderAtEnd(build->at, plain);
    }
    store_at(build, value, address, 0, elements->bytes);
    if (past) {
        LLVMBuildBr(build->at, go_on);
        LLVMPositionBuilderAtEnd(build->at, go_on);
    }
}

void move_store(Build *build, const Code *code, const AccessShape *shape, LLVMValueRef address) {
    const Elements *elements = code->more;
    Runs runs = find_runs(shape, elements->width);
    bool by_runs = runs.lanes && (runs.same || elements->count == 1);
    for (uint32_t i = 0; i < elements->count; i++) {
        const Cell *cell = &elements->cell[i];
        LLVMValueRef value = register_read(build, cell->offset, cell->class);
        if (elements->bytes < (cell->class == CLASS_64 ? 8 : 4))
            value = LLVMBuildTrunc(build->at, value, vector_of(element_type(build, elements)), "");
        if (by_runs && runs.lanes == WARP_LANES && !runs.same)
            store_row(build, code, address, value);
        else if (by_runs)
            store_runs(build, code, shape, runs, address, i, value);
        else
            store_lanes(build, code, shape, address, i, value);
    }
}
