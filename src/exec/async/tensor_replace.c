/* tensormap.replace and tensormap.cp_fenceproxy (PTX ISA 9.7.9.28, 9.7.13.15): kernels that change a field
 * of a tensor map, in shared or global memory, and copy it to where copies read it. A map is looked at
 * as a whole only when it is used: between two changes it may be anything. */
#include "exec/async/tensor_map.h"
#include "exec/decode/operands.h"
#include "exec/run/warp.h"

#include <string.h>

enum { MAP_ALIGN = 64 };

typedef struct FieldChange {
    uint32_t ord;      /* dimension */
    uint32_t value;    /* register; NO_OPERAND: constant */
    uint32_t constant; /* of .elemtype and the like */
    uint32_t from;     /* tensormap.cp_fenceproxy: the map in shared memory */
    uint8_t value_class, from_class;
    int64_t from_offset;
} FieldChange;

/* Host memory of a map; NULL: a fault. */
static uint8_t *place_of(Warp *warp, const Code *code, Space space, uint32_t lane, uint64_t address,
                         bool writes) {
    if (space == SPACE_GENERIC) {
        space = WINDOW_OF(address) == WINDOW_SHARED ? SPACE_SHARED : SPACE_GLOBAL;
        address -= space == SPACE_SHARED ? WINDOW_SHARED : 0;
    }
    if (address % MAP_ALIGN) {
        memory_fault(warp, code, FAULT_MISALIGNED, lane, space, address,
                     "tensor map at an address that is no multiple of %d", MAP_ALIGN);
        return NULL;
    }
    return space == SPACE_SHARED
               ? shared_range(warp, code, lane, address, TENSOR_MAP_BYTES, writes)
               : global_range(warp, code, lane, address, TENSOR_MAP_BYTES, writes);
}

static uint64_t address_in(const Warp *warp, uint32_t offset, uint8_t class, uint32_t lane) {
    return class == 2 ? reg64(warp, offset)[lane] : reg32(warp, offset)[lane];
}

/* Fields are numbered as a GPU has them: the rank and extents less 1, strides without their lowest four
 * bits. */
static void change(TensorMap *map, Op op, uint32_t ord, uint64_t value) {
    switch (op) {
    case OP_tensormap_address:
        map->address = value;
        break;
    case OP_tensormap_rank:
        map->rank = value < TENSOR_RANK_MOST ? (uint8_t)(value + 1) : 0;
        break;
    case OP_tensormap_box:
        map->box[ord] = value > UINT16_MAX ? 0 : (uint16_t)value;
        break;
    case OP_tensormap_extent:
        map->last[ord] = (uint32_t)value - 1;
        break;
    case OP_tensormap_stride:
        map->stride[ord] = value & ~UINT64_C(15);
        break;
    case OP_tensormap_step:
        map->step[ord] = value > UINT8_MAX ? 0 : (uint8_t)value;
        break;
    case OP_tensormap_type:
        map->type = (uint8_t)value;
        break;
    case OP_tensormap_interleave:
        map->interleave = (uint8_t)value;
        break;
    case OP_tensormap_swizzle:
        map->swizzle = (uint8_t)value;
        break;
    default:
        map->nan_fill = value != 0;
        break;
    }
}

/* A kernel may write all fields of a map itself: it begins as zeroes. */
static bool is_blank(const uint8_t *map) {
    static const uint8_t zeroes[TENSOR_MAP_BYTES];
    return memcmp(map, zeroes, sizeof zeroes) == 0;
}

static Step exec_replace(Warp *warp, const Code *code, uint32_t mask) {
    const FieldChange *what = code->more;
    Space space = (Space)code->mods.space;
    for_lanes(lane, mask) {
        TensorMap map;
        uint64_t address = address_in(warp, code->a, code->a_class, lane) + (uint64_t)code->offset;
        uint8_t *at = place_of(warp, code, space, lane, address, true);
        if (!at)
            return STEP_FAULT;
        memcpy(&map, at, sizeof map);
        if (is_blank(at))
            map.mark = TENSOR_MAP_MARK;
        if (map.mark != TENSOR_MAP_MARK)
            return warp_fault(warp, code, FAULT_BAD_OBJECT, lane, address,
                              "0x%llx is no tensor map: it was not made by cuTensorMapEncode…, and "
                              "is not all zeroes",
                              (unsigned long long)address);
        uint64_t value = what->value == NO_OPERAND
                             ? what->constant
                             : address_in(warp, what->value, what->value_class, lane);
        change(&map, code->insn->op, what->ord, value);
        memcpy(at, &map, sizeof map);
    }
    return STEP_NEXT;
}

/* All lanes together copy one map. */
static Step exec_copy(Warp *warp, const Code *code, uint32_t mask) {
    const FieldChange *what = code->more;
    uint32_t lane = (uint32_t)__builtin_ctz(mask);
    uint64_t to = address_in(warp, code->a, code->a_class, lane) + (uint64_t)code->offset;
    uint64_t from =
        address_in(warp, what->from, what->from_class, lane) + (uint64_t)what->from_offset;
    const uint8_t *source = place_of(warp, code, SPACE_SHARED, lane, from, false);
    uint8_t *target = source ? place_of(warp, code, SPACE_GLOBAL, lane, to, true) : NULL;
    if (!target)
        return STEP_FAULT;
    memcpy(target, source, TENSOR_MAP_BYTES);
    return STEP_NEXT;
}

/* ---- decoding ---- */

static int64_t offset_in(const Operand *address) {
    return address->reg == NO_REG ? 0 : address->offset;
}

/* Behind the address: [ord] value. Constants are in their bounds (ptx/check.c). */
static void decode_behind(Decoding *decoding, const Insn *insn, FieldChange *change) {
    const Operand *last = &insn->operands[insn->operand_count - 1];
    if (insn->operand_count == 3)
        change->ord = (uint32_t)insn->operands[1].bits;
    bool constant = insn->op == OP_tensormap_type || insn->op == OP_tensormap_interleave ||
                    insn->op == OP_tensormap_swizzle || insn->op == OP_tensormap_fill;
    if (constant)
        change->constant = (uint32_t)last->bits;
    else
        change->value = decode_operand(decoding, last, &change->value_class);
}

bool tensormap_decode(Decoding *decoding, const Insn *insn, Code *code) {
    const Operand *address = &insn->operands[0], *from = &insn->operands[1];
    FieldChange *what = NEW(decoding->arena, FieldChange);
    what->value = NO_OPERAND;
    code->a = decode_operand(decoding, address, &code->a_class);
    code->offset = offset_in(address);
    code->more = what;
    if (insn->op == OP_tensormap_copy) {
        what->from = decode_operand(decoding, from, &what->from_class);
        what->from_offset = offset_in(from);
        code->full = code->some = exec_copy;
        return true;
    }
    code->full = code->some = exec_replace;
    decode_behind(decoding, insn, what);
    return true;
}
