/* The accesses of a batch: all are at places that its check knows, beside the base that lane 0 has. */
#include "exec/access/load_store.h"
#include "exec/tier/tier.h"

Access batch_access(const CompiledCode *compiled, const Code *code, const Batch *batch,
                    uint64_t base, uint64_t address[WARP_LANES]) {
    const Elements *elements = code->more;
    const AccessShape *shape = &compiled->shapes[compiled->checks[batch->check].access];
    uint64_t first =
        base + (uint64_t)code->offset + elements->skip + (uint64_t)(int64_t)elements->count_skip;
    for (uint32_t l = 0; l < WARP_LANES; l++)
        address[l] = first + (uint64_t)shape->place[l];
    return (Access){.kind = code->insn->op == OP_st ? ACCESS_STORE : ACCESS_LOAD,
                    .space = code->space,
                    .width = elements->count_width,
                    .mask = FULL_MASK,
                    .address = address};
}
