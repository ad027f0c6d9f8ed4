/* Stores of whole lines past the caches. A store to a line that is in no cache waits until the processor has read it, for
 * nothing where all of it is written. Processors see that coming where lines follow each other, not where they lie far apart: the
 * columns of tiles of a matrix, say. Which it is shows while the code runs: a line is written past the caches if the store wrote
 * elsewhere before, to an array that the caches do not hold.
 *
 * Such stores come into memory in no order with others. Nobody sees that but who waits for a value, so only kernels have them
 * whose blocks cannot wait for each other. */
#include "jit/jit.h"

#include <stddef.h>

enum {
    OWN_LINE = 64,             /* bytes, of this processor */
    NEAR_BYTES = 4096,         /* from the last one, in which processors look ahead */
    LARGE_BYTES = 32 * 1048576 /* more than the caches of most processors */
};

/* Of an instruction: other blocks notice nothing of its order among others, nor does it wait for them. */
static bool is_unordered(const Build *build, uint32_t number) {
    const Code *code = &build->program->code[number];
    const OpAccess access = op_access(code->insn->op);
    if (code->control != CONTROL_NONE)
        return code->control != CONTROL_CALL;
    if (code->insn->op == OP_bar_sync)
        return true;
    if (access == OP_ACCESS_LOAD || access == OP_ACCESS_STORE)
        return code->mods.order == ORDER_WEAK;
    return build->task->kinds[number] != KIND_CALL && build->task->kinds[number] != KIND_ACCESS;
}

bool stream_allowed(const Build *build) {
#ifdef __aarch64__
    bool all = false; /* what it would gain there, nobody has measured */
#else
    bool all = true;
#endif
    for (uint32_t i = 0; i < build->program->code_count; i++)
        all &= is_unordered(build, i);
    return all;
}

LLVMValueRef stream_wanted(Build *build, const Code *code, LLVMValueRef address) {
    const Elements *elements = code->more;
    LLVMBuilderRef at = build->at;
    if (!build->streams || code->space != SPACE_GLOBAL ||
        elements->bytes * WARP_LANES % OWN_LINE != 0)
        return NULL;
    const uint64_t row = code->site * sizeof(LastHit);
    LLVMValueRef bytes = load_at(build, build->i64, build->hits, row + offsetof(LastHit, bytes), 8);
    LLVMValueRef last = load_at(build, build->i64, build->hits, row + offsetof(LastHit, stored), 8);
    store_at(build, address, build->hits, row + offsetof(LastHit, stored), 8);
    LLVMValueRef moved = LLVMBuildSub(at, address, last, "");
    moved = LLVMBuildAdd(at, moved, const64(build, NEAR_BYTES), "");
    LLVMValueRef far = LLVMBuildICmp(at, LLVMIntUGT, moved, const64(build, 2 * NEAR_BYTES), "");
    LLVMValueRef large = LLVMBuildICmp(at, LLVMIntUGE, bytes, const64(build, LARGE_BYTES), "");
    LLVMValueRef odd = LLVMBuildAnd(at, address, const64(build, OWN_LINE - 1), "");
    LLVMValueRef begins = LLVMBuildICmp(at, LLVMIntEQ, odd, const64(build, 0), "");
    return LLVMBuildAnd(at, LLVMBuildAnd(at, far, large, ""), begins, "");
}

void stream_store(Build *build, LLVMValueRef value, LLVMValueRef address) {
    LLVMTypeRef type = LLVMPointerType(LLVMTypeOf(value), 0);
    LLVMValueRef store =
        LLVMBuildStore(build->at, value, LLVMBuildIntToPtr(build->at, address, type, ""));
    LLVMMetadataRef one = LLVMValueAsMetadata(const32(build, 1));
    LLVMMetadataRef node = LLVMMDNodeInContext2(build->context, &one, 1);
    LLVMSetAlignment(store, OWN_LINE);
    LLVMSetMetadata(store, LLVMGetMDKindIDInContext(build->context, "nontemporal", 11),
                    LLVMMetadataAsValue(build->context, node));
}
