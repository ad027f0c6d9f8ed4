/* mov: a register, immediate, special register or address into a register (to the executor they
 * are all vectors of lanes); and packing and unpacking (PTX ISA 9.7.9.4): code->vector has the
 * elements, the first one lowest. */
#include "exec/lanes/ops_lanes.h"

#define MOVE(type)                                                                                 \
    ALWAYS_INLINE Step move_##type(Warp *warp, const Code *code, uint32_t mask, bool all) {        \
        const in_##type in = open_##type(warp, code, code->a, 0);                                  \
        out_##type out = begin_##type(warp, code->d);                                              \
        LANES for (uint32_t l = 0; l < WARP_LANES; l++)                                            \
            put_##type(&out, l, all || (mask & lane_bit[l]), get_##type(in, l));                   \
        return STEP_NEXT;                                                                          \
    }                                                                                              \
    static Step move_##type##_full(Warp *warp, const Code *code, uint32_t mask) {                  \
        (void)mask;                                                                                \
        return move_##type(warp, code, FULL_MASK, true);                                           \
    }                                                                                              \
    static Step move_##type##_some(Warp *warp, const Code *code, uint32_t mask) {                  \
        return move_##type(warp, code, mask, false);                                               \
    }
MOVE(b16)
MOVE(b32)
MOVE(b64)

static Step move_pred(Warp *warp, const Code *code, uint32_t mask) {
    write_pred(warp, code->d, mask, read_pred(warp, code, code->a, 0));
    return STEP_NEXT;
}

static Step move_b128(Warp *warp, const Code *code, uint32_t mask) {
    const uint64_t *from = reg64(warp, code->a);
    uint64_t *to = reg64(warp, code->d);
    for (uint32_t i = 0; i < 2 * WARP_LANES; i++)
        if (mask >> i / 2 & 1)
            to[i] = from[i];
    return STEP_NEXT;
}

/* Elements of 32 bits in 64, by far the most frequent. */

static Step pack_b64(Warp *warp, const Code *code, uint32_t mask) {
    const uint32_t *low = reg32(warp, code->vector[0]), *high = reg32(warp, code->vector[1]);
    uint64_t *to = reg64(warp, code->d);
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) {
        uint64_t value = pack_b64_lane(low[l], high[l]);
        to[l] = mask & lane_bit[l] ? value : to[l];
    }
    return STEP_NEXT;
}

static void unpack_word(const Warp *warp, uint32_t element, uint32_t source, bool high,
                        uint32_t mask) {
    const uint64_t *from = reg64(warp, source);
    uint32_t *to = reg32(warp, element);
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) {
        uint32_t value = high ? unpack_high_lane(from[l]) : unpack_low_lane(from[l]);
        to[l] = mask & lane_bit[l] ? value : to[l];
    }
}

static Step unpack_b64(Warp *warp, const Code *code, uint32_t mask) {
    for (uint32_t i = 0; i < 2; i++)
        if (code->vector[i] != NO_OPERAND)
            unpack_word(warp, code->vector[i], code->a, i == 1, mask);
    return STEP_NEXT;
}

/* The other ones, a lane at a time. A scalar of 128 bits is two words of 64. */

static uint64_t element_mask(uint32_t bits) {
    return bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static Step pack_any(Warp *warp, const Code *code, uint32_t mask) {
    const uint32_t total = 8 * type_bytes(code->mods.type), bits = total / code->count;
    for_lanes(l, mask) {
        uint64_t value[2] = {0, 0};
        for (uint32_t i = 0; i < code->count; i++) {
            uint32_t offset = code->vector[i];
            uint64_t element = bits == 64 ? reg64(warp, offset)[l] : reg32(warp, offset)[l];
            value[i * bits / 64] |= (element & element_mask(bits)) << i * bits % 64;
        }
        if (total == 128)
            for (uint32_t i = 0; i < 2; i++)
                reg64(warp, code->d)[2 * l + i] = value[i];
        else if (total == 64)
            reg64(warp, code->d)[l] = value[0];
        else
            reg32(warp, code->d)[l] = (uint32_t)value[0];
    }
    return STEP_NEXT;
}

static Step unpack_any(Warp *warp, const Code *code, uint32_t mask) {
    const uint32_t total = 8 * type_bytes(code->mods.type), bits = total / code->count;
    for_lanes(l, mask) {
        uint64_t value[2] = {0, 0};
        if (total == 128)
            for (uint32_t i = 0; i < 2; i++)
                value[i] = reg64(warp, code->a)[2 * l + i];
        else
            value[0] = total == 64 ? reg64(warp, code->a)[l] : reg32(warp, code->a)[l];
        for (uint32_t i = 0; i < code->count; i++) {
            uint32_t offset = code->vector[i];
            uint64_t element = value[i * bits / 64] >> i * bits % 64 & element_mask(bits);
            if (offset == NO_OPERAND)
                continue;
            if (bits == 64)
                reg64(warp, offset)[l] = element;
            else
                reg32(warp, offset)[l] = (uint32_t)element;
        }
    }
    return STEP_NEXT;
}

Pair AT_LEVEL(ops_mov)(Op op, const Code *code) {
    (void)op;
    const uint32_t bytes = type_bytes(code->mods.type);
    if (code->count) {
        bool pack = code->insn->operands[0].kind != OPERAND_VECTOR;
        bool words = bytes == 8 && code->count == 2;
        Execute execute = pack ? words ? pack_b64 : pack_any : words ? unpack_b64 : unpack_any;
        const char *lane = !words ? NULL : pack ? "pack_b64_lane" : "unpack_low_lane";
        return (Pair){execute, execute, lane};
    }
    if (code->mods.type == TYPE_PRED)
        return (Pair){move_pred, move_pred, NULL};
    if (bytes == 16)
        return (Pair){move_b128, move_b128, NULL};
    if (bytes == 8)
        return (Pair){move_b64_full, move_b64_some, "copy_64_lane"};
    if (bytes == 4)
        return (Pair){move_b32_full, move_b32_some, "extend_u32_11_lane"};
    return (Pair){move_b16_full, move_b16_some, "extend_u16_11_lane"};
}
