/* st.async and red.async (PTX ISA 9.7.9.12, 9.7.13.7): a thread writes up to 16 bytes to the shared memory
 * of its cluster, or combines a value with what is there, and an mbarrier of the same block counts the
 * bytes. Done when issued, as all asynchronous copies are (bulk.c). */
#include "exec/decode/operands.h"
#include "exec/run/warp.h"

#include <string.h>

typedef struct AsyncStore {
    uint32_t bytes, count; /* of an element; elements */
    uint32_t value[4];     /* registers */
    uint8_t class;
    uint32_t mbarrier;
    uint8_t mbarrier_class;
    int64_t mbarrier_offset;
    Func func; /* red.async; FUNC_NONE: a store */
    Type type;
} AsyncStore;

/* Without a space, addresses are generic and must lie in the window of shared memory. */
static Step to_shared(Warp *warp, const Code *code, uint32_t mask, Touch *touch) {
    uint32_t now = mask;
    if (code->space != SPACE_GENERIC)
        return STEP_NEXT;
    if (touch_split(touch, &now) == SPACE_SHARED && now == mask)
        return STEP_NEXT;
    uint32_t lane = (uint32_t)__builtin_ctz(mask);
    return memory_fault(warp, code, FAULT_OUT_OF_BOUNDS, lane, SPACE_GLOBAL, touch->address[lane],
                        "asynchronous store outside of shared memory");
}

static void gather(const Warp *warp, const AsyncStore *store, uint32_t lane, uint8_t *value) {
    for (uint32_t i = 0; i < store->count; i++) {
        const void *from = store->class == 2 ? (const void *)&reg64(warp, store->value[i])[lane]
                                             : (const void *)&reg32(warp, store->value[i])[lane];
        memcpy(value + (size_t)i * store->bytes, from, store->bytes);
    }
}

static Step store_one(Warp *warp, const Code *code, uint32_t lane, uint64_t address,
                      uint64_t mbarrier) {
    const AsyncStore *store = code->more;
    uint32_t width = store->bytes * store->count;
    uint8_t value[16] = {0};
    if (address % width)
        return memory_fault(warp, code, FAULT_MISALIGNED, lane, SPACE_SHARED, address,
                            "misaligned asynchronous store of %u bytes", width);
    uint8_t *to = shared_range(warp, code, lane, address, width, true);
    if (!to)
        return STEP_FAULT;
    gather(warp, store, lane, value);
    if (store->func == FUNC_NONE)
        memcpy(to, value, width);
    else
        atomic_range(store->func, store->type, false, to, value, width);
    return mbarrier_complete(warp, code, lane, mbarrier, width);
}

static Step exec_async_store(Warp *warp, const Code *code, uint32_t mask) {
    const AsyncStore *store = code->more;
    Touch to, mbarrier;
    touch_addresses(&to, warp, code->a, code->a_class, code->offset, mask);
    touch_addresses(&mbarrier, warp, store->mbarrier, store->mbarrier_class, store->mbarrier_offset,
                    mask);
    if (cluster_needed(warp, code, (uint32_t)__builtin_ctz(mask)) != STEP_NEXT ||
        to_shared(warp, code, mask, &to) != STEP_NEXT ||
        to_shared(warp, code, mask, &mbarrier) != STEP_NEXT)
        return STEP_FAULT;
    for_lanes(lane, mask) {
        if (store_one(warp, code, lane, to.address[lane], mbarrier.address[lane]) != STEP_NEXT)
            return STEP_FAULT;
    }
    uint32_t lanes = (uint32_t)__builtin_popcount(mask);
    uint64_t bytes = (uint64_t)lanes * store->bytes * store->count;
    traffic_count(warp, code, &(Traffic){.lanes = lanes, .bytes = bytes, .shared = bytes});
    return STEP_NEXT;
}

bool async_store_decode(Decoding *decoding, const Insn *insn, Code *code) {
    AsyncStore *store = NEW(decoding->arena, AsyncStore);
    const Operand *to = &insn->operands[0], *value = &insn->operands[1];
    const Operand *mbarrier = &insn->operands[2];
    store->type = (Type)insn->mods.type;
    store->bytes = type_bytes(store->type);
    store->func = insn->op == OP_red_async ? (Func)insn->mods.func : FUNC_NONE;
    store->count = value->kind == OPERAND_VECTOR ? value->count : 1;
    for (uint32_t i = 0; i < store->count; i++) {
        const Operand *element = value->kind == OPERAND_VECTOR ? &value->elements[i] : value;
        store->value[i] = decode_operand(decoding, element, &store->class);
    }
    store->mbarrier = decode_operand(decoding, mbarrier, &store->mbarrier_class);
    store->mbarrier_offset = mbarrier->reg == NO_REG ? 0 : mbarrier->offset;
    code->a = decode_operand(decoding, to, &code->a_class);
    code->offset = to->reg == NO_REG ? 0 : to->offset;
    code->space = (uint8_t)insn->mods.space;
    code->more = store;
    code->full = code->some = exec_async_store;
    return true;
}
