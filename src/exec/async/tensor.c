/* cp.async.bulk.tensor and cp.reduce.async.bulk.tensor: boxes of tensors between global and shared memory
 * (PTX ISA 9.7.9.27). As other asynchronous copies they are done when they are issued, and their
 * mbarrier learns of it at once (async.c); a group of them has nothing left to wait for. Which maps and
 * coordinates are an illegal instruction is in docs/tma.md. */
#include "exec/async/tensor_map.h"
#include "exec/calls/calls.h"
#include "exec/decode/operands.h"
#include "exec/run/watch.h"

#include <string.h>

enum { MAP_ALIGN = 64, SHARED_ALIGN = 128, PIECE = 16 };

/* The operands: vectors of registers, and what is added to an address. */
typedef struct TensorOp {
    uint32_t map, shared, mbarrier;
    int64_t map_offset, shared_offset, mbarrier_offset;
    uint8_t shared_class, mbarrier_class;
    uint32_t rank;
    uint32_t at[TENSOR_RANK_MOST];
    uint32_t offset[TENSOR_RANK_MOST - 2]; /* im2col */
    uint32_t offset_count;
    uint32_t blocks; /* .multicast::cluster: mask of ranks; NO_OPERAND */
    bool stores;     /* to global memory, or changes it */
    bool copies;     /* is no prefetch */
} TensorOp;

/* One lane's copy. */
typedef struct Transfer {
    Warp *warp;
    const Code *code;
    uint32_t lane;
    TensorMap map;
    TensorBox box;
    uint64_t map_at;
    uint64_t first, end; /* global memory that was found to be allocated */
    uint64_t inside;     /* bytes of the box that exist there */
    uint64_t sectors;    /* that the copy moves; 0: not known */
    uint32_t copies;     /* of the box in shared memory: multicast */
    bool read_only;
} Transfer;

/* ---- the map ---- */

/* The bytes of a map at a generic address; NULL: they are not in global, constant or parameter memory. */
static const uint8_t *map_bytes(const Warp *warp, uint32_t lane, uint64_t address) {
    const Program *program = warp->worker->program;
    uint64_t offset = address - WINDOW_OF(address), bytes = 0;
    if (WINDOW_OF(address) == WINDOW_PARAM) {
        uint64_t size = program->function->param_bytes;
        bool there = offset <= size && size - offset >= TENSOR_MAP_BYTES;
        return there ? (const uint8_t *)warp->worker->launch->params + offset : NULL;
    }
    if (WINDOW_OF(address))
        return NULL;
    const uint8_t *at = lane_memory(warp, lane, address, &bytes);
    return bytes >= TENSOR_MAP_BYTES ? at : NULL;
}

static Step bad_map(const Transfer *transfer, const char *why) {
    return warp_fault(transfer->warp, transfer->code, FAULT_BAD_OBJECT, transfer->lane,
                      transfer->map_at, "0x%llx is no tensor map for this instruction: %s",
                      (unsigned long long)transfer->map_at, why);
}

static Step read_map(Transfer *transfer) {
    const TensorOp *op = transfer->code->more;
    const uint8_t *bytes = map_bytes(transfer->warp, transfer->lane, transfer->map_at);
    if (!bytes)
        return bad_map(transfer, "it is not in global, constant or parameter memory");
    if (transfer->map_at % MAP_ALIGN)
        return bad_map(transfer, "its address is not a multiple of 64");
    memcpy(&transfer->map, bytes, sizeof transfer->map);
    const char *wrong = tensor_map_wrong(&transfer->map);
    if (wrong)
        return bad_map(transfer, wrong);
    if (transfer->map.rank != op->rank)
        return bad_map(transfer, "its tensor has another number of dimensions");
    if (transfer->map.im2col != ((transfer->code->mods.flags & MOD_IM2COL) != 0))
        return bad_map(transfer,
                       transfer->map.im2col ? "it is one for .im2col" : "it is one for .tile");
    if (transfer->map.im2col && transfer->map.interleave)
        return warp_fault(transfer->warp, transfer->code, FAULT_UNSUPPORTED, transfer->lane,
                          transfer->map_at, "im2col of interleaved tensors is not supported");
    return STEP_NEXT;
}

/* ---- the box ---- */

/* "(29, 1, -2)" */
static const char *box_text(const Transfer *transfer, char *text, size_t room) {
    size_t used = 0;
    for (uint32_t i = 0; i < transfer->map.rank && used < room; i++)
        used +=
            (size_t)snprintf(text + used, room - used, "%s%d", i ? ", " : "(", transfer->box.at[i]);
    if (used < room)
        snprintf(text + used, room - used, ")");
    return text;
}

/* "92 x 3 x 5" */
static const char *extent_text(const TensorMap *map, char *text, size_t room) {
    size_t used = 0;
    for (uint32_t i = 0; i < map->rank && used < room; i++)
        used += (size_t)snprintf(text + used, room - used, "%s%llu", i ? " x " : "",
                                 (unsigned long long)map->last[i] + 1);
    return text;
}

static Step bad_box(const Transfer *transfer, const char *why) {
    char box[80], extent[80];
    return warp_fault(transfer->warp, transfer->code, FAULT_MISALIGNED, transfer->lane,
                      transfer->map.address, "box at %s of a tensor of %s elements: %s",
                      box_text(transfer, box, sizeof box),
                      extent_text(&transfer->map, extent, sizeof extent), why);
}

/* Each of these is an illegal instruction on a GPU: measured. */
static Step check_box(const Transfer *transfer) {
    const TensorMap *map = &transfer->map;
    const TensorOp *op = transfer->code->more;
    const int32_t *at = transfer->box.at;
    int64_t byte = (int64_t)at[0] * tensor_type_bytes((TensorType)map->type);
    if (!map->interleave && byte % PIECE)
        return bad_box(transfer, "it does not begin at a multiple of 16 bytes in dimension 0");
    for (uint32_t i = 0; op->stores && i < map->rank; i++)
        if (at[i] < 0)
            return bad_box(transfer, "a box that is stored must not begin before the tensor");
    for (uint32_t i = 1; map->im2col && i + 1 < map->rank; i++) {
        if (op->stores && (map->lower[i - 1] < 0 || map->upper[i - 1] > 0))
            return bad_box(transfer, "a bounding box that is stored to must lie in the tensor");
        if (at[i] < map->lower[i - 1] || at[i] > (int64_t)map->last[i] + map->upper[i - 1])
            return bad_box(transfer, "it does not begin in the bounding box of its map");
    }
    return STEP_NEXT;
}

/* ---- memory ---- */

static Step outside(const Transfer *transfer, TensorRow *row) {
    char box[80], extent[80];
    const TensorOp *op = transfer->code->more;
    while (row->count > 1 && row->global >= transfer->first &&
           row->global + row->inside <= transfer->end) {
        row->global += row->apart;
        row->count--;
    }
    FaultKind kind = transfer->read_only     ? FAULT_READ_ONLY
                     : transfer->map.address ? FAULT_OUT_OF_BOUNDS
                                             : FAULT_NULL;
    return memory_fault(
        transfer->warp, transfer->code, kind, transfer->lane, SPACE_GLOBAL, row->global,
        "%s %s of %u bytes, in the box at %s of a tensor of %s elements",
        kind == FAULT_READ_ONLY ? "constant memory:" : "out-of-bounds",
        op->stores ? "write" : "read", row->inside, box_text(transfer, box, sizeof box),
        extent_text(&transfer->map, extent, sizeof extent));
}

/* The row's bytes in global memory are allocated. A store writes whole pieces of 16 bytes, also where
 * the tensor ends within one; here not beyond the allocation. */
static Step check_row(Transfer *transfer, TensorRow *row) {
    const TensorOp *op = transfer->code->more;
    uint64_t end = row->global + (row->count - 1) * row->apart + row->inside;
    if (row->global < transfer->first || end > transfer->end) {
        const MemoryBlock *block =
            memory_find(transfer->warp->worker->launch->memory, row->global, NULL);
        if (block)
            launch_reads(transfer->warp->worker->launch, block);
        transfer->first = block ? block->address : 0;
        transfer->end = block ? block->address + block->bytes : 0;
        transfer->read_only = block && block->read_only && op->stores;
        if (row->global < transfer->first || end > transfer->end)
            return outside(transfer, row);
    }
    const StoredArrays *stored = transfer->warp->worker->run->stored;
    if (stored && stored_has(stored, row->global, end - row->global))
        return memory_fault(transfer->warp, transfer->code, FAULT_UNSUPPORTED, transfer->lane,
                            SPACE_GLOBAL, row->global,
                            "box of a tensor in an array that is stored otherwise");
    if (transfer->read_only)
        return outside(transfer, row);
    if (!op->stores)
        return STEP_NEXT;
    uint64_t room = transfer->end - row->global;
    row->inside = (row->inside + PIECE - 1) / PIECE * PIECE;
    row->inside = row->inside > room ? (uint32_t)room : row->inside;
    return STEP_NEXT;
}

/* Host memory of the box in shared memory of the cluster; NULL: a fault. */
static uint8_t *shared_box(const Transfer *transfer, uint64_t address) {
    const TensorOp *op = transfer->code->more;
    if (address % SHARED_ALIGN == 0)
        return shared_range(transfer->warp, transfer->code, transfer->lane, address,
                            tensor_box_room(&transfer->map), !op->stores);
    memory_fault(transfer->warp, transfer->code, FAULT_MISALIGNED, transfer->lane, SPACE_SHARED,
                 address, "box in shared memory that does not begin at a multiple of 128 bytes");
    return NULL;
}

/* ---- copying ---- */

static void touch_row(const Transfer *transfer, uint64_t address, uint32_t bytes) {
    const TensorOp *op = transfer->code->more;
    if (!op->stores || transfer->code->mods.func != FUNC_NONE)
        traffic_touch(transfer->warp, transfer->code, address, bytes, false);
    if (op->stores)
        traffic_touch(transfer->warp, transfer->code, address, bytes, true);
    if (watched(transfer->warp))
        watch_range(transfer->warp, transfer->code, transfer->lane, SPACE_GLOBAL, address,
                    (const uint8_t *)(uintptr_t)address, bytes, op->stores);
}

/* Rows of a recorded block are part of the footprint. */
static void touch_rows(Transfer *transfer, const TensorRow *row) {
    transfer->inside += (uint64_t)row->count * row->inside;
    const Warp *warp = transfer->warp;
    if (warp->counting != COUNT_AND_RECORD && !warp->worker->launch->observer && !watched(warp))
        return;
    for (uint32_t i = 0; i < row->count; i++)
        touch_row(transfer, row->global + i * row->apart, row->inside);
}

static void cost_rows(Transfer *transfer, const TensorRow *rows, uint32_t box) {
    const TensorOp *op = transfer->code->more;
    TensorWay way = op->stores                 ? TENSOR_STORES
                    : op->blocks != NO_OPERAND ? TENSOR_MULTICASTS
                                               : TENSOR_LOADS;
    if (transfer->warp->counting != COUNT_NOTHING &&
        tensor_sectors_known(&transfer->map, op->stores))
        transfer->sectors += tensor_row_sectors(&transfer->map, rows, box, way);
}

static Step load_box(Transfer *transfer, uint8_t *place, uint32_t address) {
    TensorWalk walk;
    TensorRow row;
    tensor_walk_begin(&walk, &transfer->map, &transfer->box);
    while (tensor_walk_next(&walk, &row)) {
        if (row.inside && check_row(transfer, &row) != STEP_NEXT)
            return STEP_FAULT;
        touch_rows(transfer, &row);
        cost_rows(transfer, &row, address);
        tensor_row_load(&transfer->map, &row, place, address);
    }
    return STEP_NEXT;
}

static Step store_row(Transfer *transfer, TensorRow row, const uint8_t *place, uint32_t address,
                      Type type) {
    Func func = (Func)transfer->code->mods.func;
    if (check_row(transfer, &row) != STEP_NEXT)
        return STEP_FAULT;
    touch_rows(transfer, &row);
    cost_rows(transfer, &row, address);
    if (func == FUNC_NONE)
        tensor_row_store(&transfer->map, &row, place, address);
    else
        tensor_row_reduce(&transfer->map, &row, place, address, type, func);
    return STEP_NEXT;
}

static Step store_box(Transfer *transfer, const uint8_t *place, uint32_t address, Type type) {
    TensorWalk walk;
    TensorRow row;
    tensor_walk_begin(&walk, &transfer->map, &transfer->box);
    while (tensor_walk_next(&walk, &row)) {
        TensorRow one = row;
        one.count = 1;
        for (uint32_t i = 0; row.inside && i < row.count; i++) {
            if (store_row(transfer, one, place, address, type) != STEP_NEXT)
                return STEP_FAULT;
            one.global += row.apart;
            one.shared += row.pitch;
        }
    }
    return STEP_NEXT;
}

/* The type whose atomics do the reduction; TYPE_NONE: there is no such reduction (measured: an illegal
 * instruction). */
static Type reduced_type(TensorType type, Func func) {
    bool adds = func == FUNC_ADD, extremes = func == FUNC_MIN || func == FUNC_MAX;
    bool counts = func == FUNC_INC || func == FUNC_DEC;
    switch (type) {
    case TENSOR_U32:
        return TYPE_U32;
    case TENSOR_S32:
        return counts ? TYPE_NONE : TYPE_S32;
    case TENSOR_U64:
        return counts ? TYPE_NONE : TYPE_U64;
    case TENSOR_S64:
        return extremes ? TYPE_S64 : TYPE_NONE;
    case TENSOR_F16:
        return adds || extremes ? TYPE_F16 : TYPE_NONE;
    case TENSOR_BF16:
        return adds || extremes ? TYPE_BF16 : TYPE_NONE;
    case TENSOR_F32:
    case TENSOR_F32_FTZ:
    case TENSOR_TF32:
    case TENSOR_TF32_FTZ:
        return adds ? TYPE_F32 : TYPE_NONE;
    case TENSOR_F64:
        return adds ? TYPE_F64 : TYPE_NONE;
    default:
        return TYPE_NONE;
    }
}

/* ---- one lane ---- */

static Step load(Transfer *transfer, uint64_t shared, uint64_t mbarrier) {
    uint8_t *place = shared_box(transfer, shared);
    transfer->copies++;
    transfer->inside = transfer->sectors = 0; /* global memory is read once for all of them */
    if (!place || load_box(transfer, place, (uint32_t)shared) != STEP_NEXT)
        return STEP_FAULT;
    return mbarrier_complete(transfer->warp, transfer->code, transfer->lane, mbarrier,
                             tensor_box_bytes(&transfer->map));
}

/* To the same place of each block of the mask, whose own mbarrier learns of it. */
static Step load_all(Transfer *transfer, uint64_t shared, uint64_t mbarrier) {
    const TensorOp *op = transfer->code->more;
    if (op->blocks == NO_OPERAND)
        return load(transfer, shared, mbarrier);
    uint32_t blocks = reg32(transfer->warp, op->blocks)[transfer->lane] & 0xffff;
    for_lanes(rank, blocks) {
        if (load(transfer, cluster_address(transfer->warp, shared, rank),
                 cluster_address(transfer->warp, mbarrier, rank)) != STEP_NEXT)
            return STEP_FAULT;
    }
    return STEP_NEXT;
}

static Step store(Transfer *transfer, uint64_t shared) {
    Func func = (Func)transfer->code->mods.func;
    Type type = func ? reduced_type((TensorType)transfer->map.type, func) : TYPE_NONE;
    if (func && type == TYPE_NONE)
        return bad_map(transfer, "there is no such reduction of its elements");
    const uint8_t *place = shared_box(transfer, shared);
    transfer->copies++;
    return place ? store_box(transfer, place, (uint32_t)shared, type) : STEP_FAULT;
}

static Step begin(Transfer *transfer) {
    const TensorOp *op = transfer->code->more;
    for (uint32_t i = 0; i < op->rank; i++)
        transfer->box.at[i] = (int32_t)reg32(transfer->warp, op->at[i])[transfer->lane];
    for (uint32_t i = 0; i < op->offset_count; i++)
        transfer->box.offset[i] = (uint16_t)reg32(transfer->warp, op->offset[i])[transfer->lane];
    return read_map(transfer) == STEP_NEXT ? check_box(transfer) : STEP_FAULT;
}

static uint64_t address_in(const Transfer *transfer, uint32_t at, uint8_t class, int64_t offset) {
    uint64_t base = class == 2 ? reg64(transfer->warp, at)[transfer->lane]
                               : reg32(transfer->warp, at)[transfer->lane];
    return base + (uint64_t)offset;
}

static Step copy(Transfer *transfer) {
    const TensorOp *op = transfer->code->more;
    uint64_t shared = address_in(transfer, op->shared, op->shared_class, op->shared_offset);
    Step step =
        op->stores
            ? store(transfer, shared)
            : load_all(transfer, shared,
                       address_in(transfer, op->mbarrier, op->mbarrier_class, op->mbarrier_offset));
    if (step != STEP_NEXT)
        return step;
    uint32_t bytes = tensor_box_bytes(&transfer->map);
    traffic_count(transfer->warp, transfer->code,
                  &(Traffic){.bytes = bytes,
                             .global = transfer->inside,
                             .sectors = transfer->sectors,
                             .shared = (uint64_t)transfer->copies * bytes});
    return STEP_NEXT;
}

static Step exec_tensor(Warp *warp, const Code *code, uint32_t mask) {
    const TensorOp *op = code->more;
    for_lanes(lane, mask) {
        Transfer transfer = {.warp = warp, .code = code, .lane = lane};
        transfer.map_at = reg64(warp, op->map)[lane] + (uint64_t)op->map_offset;
        if (begin(&transfer) != STEP_NEXT || (op->copies && copy(&transfer) != STEP_NEXT))
            return STEP_FAULT;
    }
    return STEP_NEXT;
}

/* ---- decoding ---- */

static int64_t offset_in(const Operand *address) {
    return address->reg == NO_REG ? 0 : address->offset;
}

static void decode_map(Decoding *decoding, const Operand *operand, TensorOp *op) {
    uint8_t class;
    op->rank = operand->count;
    op->map = decode_operand(decoding, operand, &class);
    op->map_offset = offset_in(operand);
    for (uint32_t i = 0; i < operand->count; i++)
        op->at[i] = decode_operand(decoding, &operand->elements[i], &class);
}

static void decode_offsets(Decoding *decoding, const Operand *operand, TensorOp *op) {
    uint8_t class;
    op->offset_count = operand->kind == OPERAND_VECTOR ? operand->count : 1;
    for (uint32_t i = 0; i < op->offset_count; i++)
        op->offset[i] = decode_operand(
            decoding, operand->kind == OPERAND_VECTOR ? &operand->elements[i] : operand, &class);
}

bool tensor_decode(Decoding *decoding, const Insn *insn, Code *code) {
    uint8_t class;
    TensorOp *op = NEW(decoding->arena, TensorOp);
    const Operand *next = insn->operands;
    bool multicast = insn->op == OP_tensor_load_multicast || insn->op == OP_tensor_im2col_multicast;
    op->stores = insn->op == OP_tensor_store || insn->op == OP_tensor_reduce;
    op->copies = insn->op != OP_tensor_prefetch && insn->op != OP_tensor_prefetch_im2col;
    op->blocks = NO_OPERAND;
    const Operand *shared = op->stores ? &next[1] : op->copies ? next++ : NULL;
    decode_map(decoding, next++, op);
    if (shared) {
        op->shared = decode_operand(decoding, shared, &op->shared_class);
        op->shared_offset = offset_in(shared);
    }
    if (op->copies && !op->stores) {
        op->mbarrier = decode_operand(decoding, next, &op->mbarrier_class);
        op->mbarrier_offset = offset_in(next++);
    }
    if (insn->mods.flags & MOD_IM2COL && !op->stores)
        decode_offsets(decoding, next++, op);
    if (multicast)
        op->blocks = decode_operand(decoding, next, &class);
    code->more = op;
    code->full = code->some = exec_tensor;
    return true;
}
