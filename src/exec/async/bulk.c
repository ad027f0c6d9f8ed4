/* Bulk copies (PTX ISA 9.7.9.25.5, cp.async.bulk without tensors): a thread has a range of bytes moved
 * between global memory, the block's shared memory and that of other blocks of its cluster, or combined
 * with what is there (cp.reduce.async.bulk). They are done when they are issued: see
 * docs/decisions/0016-asynchronous-copies.md. What waits for an mbarrier is told at once; bulk groups are
 * complete when they are committed. */
#include "exec/calls/calls.h"
#include "exec/decode/operands.h"
#include "exec/run/watch.h"

#include <string.h>

enum { CHUNK = 16 /* bytes: addresses and sizes are multiples */ };

/* A register or constant of the copy, with the offset of an address. */
typedef struct Part {
    uint32_t at; /* NO_OPERAND: none */
    uint8_t class;
    int64_t offset;
} Part;

typedef struct Bulk {
    Part to, from, bytes, mbarrier, blocks, mask;
    bool reads_global, writes_global;
    Func func; /* FUNC_NONE: a copy */
    Type type;
} Bulk;

/* What one lane asks for. */
typedef struct Request {
    uint32_t lane;
    uint64_t to, from, mbarrier;
    uint32_t bytes;
} Request;

static uint64_t value_of(const Warp *warp, Part part, uint32_t lane) {
    if (part.at == NO_OPERAND)
        return 0;
    if (part.class == 2)
        return reg64(warp, part.at)[lane] + (uint64_t)part.offset;
    return (uint32_t)(reg32(warp, part.at)[lane] + (uint32_t)part.offset);
}

static Step check(Warp *warp, const Code *code, const Bulk *bulk, const Request *request) {
    uint64_t wrong = request->to % CHUNK ? request->to : request->from;
    bool global = request->to % CHUNK ? bulk->writes_global : bulk->reads_global;
    if (wrong % CHUNK)
        return memory_fault(warp, code, FAULT_MISALIGNED, request->lane,
                            global ? SPACE_GLOBAL : SPACE_SHARED, wrong,
                            "bulk copy %s an address that is no multiple of 16",
                            request->to % CHUNK ? "to" : "from");
    if (request->bytes % CHUNK)
        return warp_fault(warp, code, FAULT_MISALIGNED, request->lane, 0,
                          "bulk copy of %u bytes: the size must be a multiple of 16",
                          request->bytes);
    return STEP_NEXT;
}

/* .cp_mask: bit i says whether byte i of every 16 is written. */
static void copy_masked(uint8_t *to, const uint8_t *from, uint32_t bytes, uint32_t mask) {
    for (uint32_t i = 0; i < bytes; i++)
        if (mask >> i % CHUNK & 1)
            to[i] = from[i];
}

static void move(const Warp *warp, const Bulk *bulk, const Request *request, uint8_t *to,
                 const uint8_t *from) {
    if (bulk->func != FUNC_NONE)
        atomic_range(bulk->func, bulk->type, bulk->writes_global && bulk->type != TYPE_F32, to,
                     from, request->bytes); /* whose subnormals stay (tests/async) */
    else if (bulk->mask.at != NO_OPERAND)
        copy_masked(to, from, request->bytes, (uint32_t)value_of(warp, bulk->mask, request->lane));
    else
        memmove(to, from, request->bytes);
}

/* To the same place in the shared memory of every block whose bit is set, each with its mbarrier. */
static Step multicast(Warp *warp, const Code *code, const Bulk *bulk, const Request *request,
                      const uint8_t *from) {
    uint32_t blocks = (uint32_t)value_of(warp, bulk->blocks, request->lane) & 0xffff;
    for (uint32_t rank = 0; blocks >> rank; rank++) {
        if (!(blocks >> rank & 1))
            continue;
        uint8_t *to = shared_range(warp, code, request->lane,
                                   cluster_address(warp, request->to, rank), request->bytes, true);
        if (!to)
            return STEP_FAULT;
        memcpy(to, from, request->bytes);
        if (mbarrier_complete(warp, code, request->lane,
                              cluster_address(warp, request->mbarrier, rank),
                              request->bytes) != STEP_NEXT)
            return STEP_FAULT;
    }
    return STEP_NEXT;
}

static Step move_one(Warp *warp, const Code *code, const Bulk *bulk, const Request *request) {
    uint32_t lane = request->lane, bytes = request->bytes;
    if (check(warp, code, bulk, request) != STEP_NEXT ||
        (!bulk->reads_global && !bulk->writes_global &&
         cluster_needed(warp, code, lane) != STEP_NEXT))
        return STEP_FAULT;
    const uint8_t *from = bulk->reads_global
                              ? global_range(warp, code, lane, request->from, bytes, false)
                              : shared_range(warp, code, lane, request->from, bytes, false);
    if (!from)
        return STEP_FAULT;
    if (bulk->blocks.at != NO_OPERAND)
        return multicast(warp, code, bulk, request, from);
    uint8_t *to = bulk->writes_global ? global_range(warp, code, lane, request->to, bytes, true)
                                      : shared_range(warp, code, lane, request->to, bytes, true);
    if (!to)
        return STEP_FAULT;
    move(warp, bulk, request, to, from);
    if (bulk->mbarrier.at == NO_OPERAND)
        return STEP_NEXT;
    return mbarrier_complete(warp, code, lane, request->mbarrier, bytes);
}

/* 0: bytes that are left out have not been measured. */
static uint64_t sectors_of(const Bulk *bulk, const Request *request) {
    CopyWay way = COPY_STORE;
    if (bulk->mask.at != NO_OPERAND)
        return 0;
    if (bulk->reads_global)
        way = bulk->blocks.at == NO_OPERAND ? COPY_LOAD : COPY_MULTICAST;
    else if (!bulk->writes_global && bulk->func == FUNC_NONE)
        way = COPY_SEND;
    return mem_copy_sectors(way, request->from, request->to, request->bytes);
}

static void count(Warp *warp, const Code *code, const Bulk *bulk, const Request *request) {
    uint64_t blocks = 1;
    if (bulk->blocks.at != NO_OPERAND)
        blocks = (uint64_t)__builtin_popcountll(value_of(warp, bulk->blocks, request->lane));
    bool global = bulk->reads_global || bulk->writes_global;
    traffic_count(warp, code,
                  &(Traffic){.bytes = request->bytes,
                             .global = global ? request->bytes : 0,
                             .sectors = sectors_of(bulk, request),
                             .shared = global ? blocks * request->bytes : 2 * request->bytes});
    if (bulk->reads_global)
        traffic_touch(warp, code, request->from, request->bytes, false);
    if (bulk->writes_global && bulk->func != FUNC_NONE)
        traffic_touch(warp, code, request->to, request->bytes, false);
    if (bulk->writes_global)
        traffic_touch(warp, code, request->to, request->bytes, true);
}

static Step exec_bulk(Warp *warp, const Code *code, uint32_t mask) {
    const Bulk *bulk = code->more;
    for_lanes(lane, mask) {
        Request request = {.lane = lane,
                           .to = value_of(warp, bulk->to, lane),
                           .from = value_of(warp, bulk->from, lane),
                           .mbarrier = value_of(warp, bulk->mbarrier, lane),
                           .bytes = (uint32_t)value_of(warp, bulk->bytes, lane)};
        if (move_one(warp, code, bulk, &request) != STEP_NEXT)
            return STEP_FAULT;
        count(warp, code, bulk, &request);
    }
    return STEP_NEXT;
}

/* ---- decoding ---- */

static Part part_of(Decoding *decoding, const Insn *insn, uint32_t number) {
    const Operand *operand = &insn->operands[number];
    Part part = {.at = NO_OPERAND};
    part.at = decode_operand(decoding, operand, &part.class);
    if (operand->kind == OPERAND_ADDRESS && operand->reg != NO_REG)
        part.offset = operand->offset;
    return part;
}

/* Commits and waits: `b` is how many of the newest groups are not awaited. */
static Step exec_bulk_group(Warp *warp, const Code *code, uint32_t mask) {
    const bool commits = code->insn->op == OP_bulk_commit;
    if (watched(warp))
        watch_event(warp, code, commits ? EVENT_BULK_COMMIT : EVENT_BULK_WAIT, mask,
                    (code->insn->mods.flags & MOD_READ) != 0, code->b);
    return STEP_NEXT;
}

bool bulk_decode(Decoding *decoding, const Insn *insn, Code *code) {
    static const Part none = {.at = NO_OPERAND};
    Op op = insn->op;
    if (op == OP_bulk_prefetch) {
        code->full = code->some = exec_pass;
        return true;
    }
    if (op == OP_bulk_commit || op == OP_bulk_wait) {
        code->full = code->some = exec_bulk_group;
        code->b = op == OP_bulk_wait ? (uint32_t)insn->operands[0].bits : 0;
        return true;
    }
    bool masked = op == OP_bulk_store_masked || op == OP_bulk_store_masked_hint;
    bool reduces = op == OP_bulk_add || op == OP_bulk_add_far;
    Bulk *bulk = NEW(decoding->arena, Bulk);
    bulk->to = part_of(decoding, insn, 0);
    bulk->from = part_of(decoding, insn, 1);
    bulk->bytes = part_of(decoding, insn, 2);
    bulk->mbarrier = bulk->blocks = bulk->mask = none;
    bulk->reads_global = op == OP_bulk_load || op == OP_bulk_multicast;
    bulk->writes_global = op == OP_bulk_store || masked || op == OP_bulk_add;
    if (!bulk->writes_global)
        bulk->mbarrier = part_of(decoding, insn, 3);
    if (op == OP_bulk_multicast)
        bulk->blocks = part_of(decoding, insn, 4);
    if (masked)
        bulk->mask = part_of(decoding, insn, insn->operand_count - 1u);
    if (reduces) {
        bulk->func = (Func)insn->mods.func;
        bulk->type = (Type)insn->mods.type;
    }
    code->more = bulk;
    code->full = code->some = exec_bulk;
    return true;
}
