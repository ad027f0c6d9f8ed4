/* cp.async: copies from global to shared memory (PTX ISA 9.7.9.25.3). The copy is done when it is
 * issued, which every program that waits as it must cannot tell from later; commit and wait then
 * have nothing left to do. */
#include "exec/decode/operands.h"
#include "exec/run/watch.h"

#include <string.h>

typedef struct Copy {
    uint32_t bytes;        /* 4, 8, 16 */
    uint32_t source_bytes; /* register: bytes to read, the rest is zero; NO_OPERAND: all */
    uint32_t ignore;       /* predicate: reads nothing; NO_OPERAND */
    uint32_t ignore_flip;
    AccessKind kind;
    uint32_t from;
    uint8_t from_class;
    int64_t from_offset;
} Copy;

static uint32_t bytes_read(const Warp *warp, const Copy *copy, uint32_t lane) {
    if (copy->ignore != NO_OPERAND) {
        uint32_t ignored = *reg32(warp, copy->ignore) ^ copy->ignore_flip;
        return ignored >> lane & 1 ? 0 : copy->bytes;
    }
    if (copy->source_bytes == NO_OPERAND)
        return copy->bytes;
    uint32_t bytes = reg32(warp, copy->source_bytes)[lane];
    return bytes < copy->bytes ? bytes : copy->bytes;
}

/* Of some lanes fewer bytes are read: the rest becomes zero. */
static void copy_padded(const Warp *warp, const Copy *copy, const Touch *to, const Touch *from,
                        uint32_t mask) {
    for_lanes(lane, mask) {
        uint8_t piece[16] = {0};
        uint32_t bytes = bytes_read(warp, copy, lane);
        if (bytes)
            memcpy(piece, touch_place(from, lane), bytes);
        memcpy(touch_place(to, lane), piece, copy->bytes);
    }
}

/* Lane by lane, as lanes may overwrite what others wrote. */
static void copy_whole(const Touch *to, const Touch *from, uint32_t mask, uint32_t bytes) {
    for_lanes(lane, mask) {
        uint8_t *place = touch_place(to, lane);
        const uint8_t *source = touch_place(from, lane);
        if (bytes == 16)
            memcpy(place, source, 16);
        else
            memcpy(place, source, bytes == 8 ? 8 : 4);
    }
}

static Step exec_cp_async(Warp *warp, const Code *code, uint32_t mask) {
    const Copy *copy = code->more;
    Touch to, from;
    touch_addresses(&to, warp, code->a, code->a_class, code->offset, mask);
    touch_addresses(&from, warp, copy->from, copy->from_class, copy->from_offset, mask);
    uint32_t reading = 0, whole = 0;
    for_lanes(lane, mask) {
        uint32_t bytes = bytes_read(warp, copy, lane);
        reading |= (uint32_t)(bytes != 0) << lane;
        whole |= (uint32_t)(bytes == copy->bytes) << lane;
    }
    if (touch_check(&to, warp, code, SPACE_SHARED, mask, copy->bytes, true) != STEP_NEXT)
        return STEP_FAULT;
    if (reading &&
        touch_check(&from, warp, code, SPACE_GLOBAL, reading, copy->bytes, false) != STEP_NEXT)
        return STEP_FAULT;
    if (whole == mask)
        copy_whole(&to, &from, mask, copy->bytes);
    else
        copy_padded(warp, copy, &to, &from, mask);
    Access access = {.kind = copy->kind,
                     .space = SPACE_SHARED,
                     .width = copy->bytes,
                     .mask = mask,
                     .address = to.address,
                     .source = from.address,
                     .idle = mask & ~reading};
    access_count(warp, code, &access, NULL);
    return STEP_NEXT;
}

/* Commits and waits: `b` is how many of the newest groups are not awaited. */
static Step exec_group(Warp *warp, const Code *code, uint32_t mask) {
    bool commits = code->insn->op == OP_cp_async_commit;
    if (watched(warp))
        watch_event(warp, code, commits ? EVENT_COPY_COMMIT : EVENT_COPY_WAIT, mask,
                    code->insn->op == OP_cp_async_wait_all, code->b);
    return STEP_NEXT;
}

/* Behind the number of bytes: source bytes or the predicate ignore-src, then a cache policy. */
static void decode_tail(Decoding *decoding, const Insn *insn, Copy *copy) {
    uint32_t last = insn->operand_count;
    if (insn->mods.flags & MOD_CACHE_HINT)
        last--;
    copy->source_bytes = copy->ignore = NO_OPERAND;
    if (last < 4)
        return;
    const Operand *operand = &insn->operands[3];
    uint8_t class = 1;
    if (operand->kind == OPERAND_IMM) {
        copy->source_bytes = decode_value(decoding, 1, operand->bits);
        return;
    }
    uint32_t at = decode_operand(decoding, operand, &class);
    if (class == 0) {
        copy->ignore = at;
        copy->ignore_flip = operand->negated ? FULL_MASK : 0;
    } else {
        copy->source_bytes = at;
    }
}

bool async_decode(Decoding *decoding, const Insn *insn, Code *code) {
    if (insn->op != OP_cp_async) {
        code->full = code->some = exec_group;
        code->b = insn->op == OP_cp_async_wait ? (uint32_t)insn->operands[0].bits : 0;
        return true;
    }
    Copy *copy = NEW(decoding->arena, Copy);
    const Operand *to = &insn->operands[0], *from = &insn->operands[1];
    copy->bytes = (uint32_t)insn->operands[2].bits;
    copy->kind = decoding->program->lowered[code->site].kind;
    copy->from = decode_operand(decoding, from, &copy->from_class);
    copy->from_offset = from->reg == NO_REG ? 0 : from->offset;
    code->more = copy;
    code->a = decode_operand(decoding, to, &code->a_class);
    code->offset = to->reg == NO_REG ? 0 : to->offset;
    code->full = code->some = exec_cp_async;
    decode_tail(decoding, insn, copy);
    return true;
}
