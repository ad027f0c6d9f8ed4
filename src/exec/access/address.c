/* Addresses themselves: conversions between the generic space and the others, the question where one
 * lies, and hints about what lies there, which have no effect here. */
#include "exec/access/load_store.h"
#include "exec/calls/calls.h"
#include "exec/lanes/lanes.h"
#include "exec/run/worker.h"
#include "exec/tier/tier.h"

#include <string.h>

static uint64_t window_base(Space space) {
    return space == SPACE_SHARED  ? WINDOW_SHARED
           : space == SPACE_LOCAL ? WINDOW_LOCAL
           : space == SPACE_PARAM ? WINDOW_PARAM
                                  : 0;
}

uint64_t memory_addend(const Code *code) {
    uint64_t base = window_base((Space)code->mods.space);
    return code->mods.flags & MOD_TO ? 0 - base : base;
}

static Step exec_cvta(Warp *warp, const Code *code, uint32_t mask) {
    uint64_t base = memory_addend(code);
    const uint64_t *from = reg64(warp, code->a);
    uint64_t *to = reg64(warp, code->d);
    for_lanes(lane, mask) to[lane] = from[lane] + base;
    return STEP_NEXT;
}

static Step exec_isspacep(Warp *warp, const Code *code, uint32_t mask) {
    uint64_t base = window_base((Space)code->mods.space);
    bool constant = code->mods.space == SPACE_CONST;
    bool own = code->mods.space == SPACE_SHARED && !(code->mods.flags & MOD_CLUSTER);
    uint32_t yes = 0;
    for_lanes(lane, mask) {
        uint64_t address = reg64(warp, code->a)[lane];
        bool in = WINDOW_OF(address) == base && !(own && cluster_remote(warp, address));
        if (in && base == 0) { /* global and constant memory are told apart by the allocation */
            const MemoryBlock *block = memory_find(warp->worker->launch->memory, address, NULL);
            in = constant == (block && block->read_only);
        }
        yes |= (uint32_t)in << lane;
    }
    write_pred(warp, code->d, mask, yes);
    return STEP_NEXT;
}

/* Cache policies are opaque and without effect here. */
static Step exec_policy(Warp *warp, const Code *code, uint32_t mask) {
    for_lanes(lane, mask) reg64(warp, code->d)[lane] = 0;
    return STEP_NEXT;
}

CodeKind memory_kind(const Code *code) {
    return code->some == exec_param  ? KIND_PARAM
           : code->some == exec_cvta ? KIND_ADDRESS
           : code->full == exec_pass ? KIND_NOTHING
                                     : KIND_CALL;
}

/* The address of a space that the generic one has at the same place. */
static Execute copy_of(const Code *code) {
    Execute full, some;
    return ops_lookup(OP_mov, code, &full, &some) ? full : exec_cvta;
}

bool address_decode(Decoding *decoding, const Insn *insn, Code *code) {
    (void)decoding;
    switch (insn->op) {
    case OP_prefetch:
    case OP_applypriority:
    case OP_discard: /* what is discarded may be anything: what it was, too */
        code->full = code->some = exec_pass;
        return true;
    case OP_createpolicy_fractional:
    case OP_createpolicy_range:
    case OP_createpolicy_cvt:
        code->full = code->some = exec_policy;
        return true;
    case OP_cvta:
    case OP_cvta_to:
        code->full = code->some = exec_cvta;
        if (insn->op == OP_cvta_to)
            code->mods.flags |= MOD_TO;
        if (memory_addend(code) == 0)
            code->full = copy_of(code);
        return insn->mods.type == TYPE_U64;
    case OP_isspacep:
        code->full = code->some = exec_isspacep;
        return true;
    default:
        return false;
    }
}
