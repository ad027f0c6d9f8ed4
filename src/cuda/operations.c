/* --sanitize races: operations of streams that access the same bytes though nothing orders them. What orders them is in precedence.c. */
#include "base/rescue.h"
#include "cuda/allocation.h"
#include "cuda/defects.h"
#include "cuda/device.h"
#include "cuda/graph.h"
#include "cuda/handle.h"
#include "cuda/library.h"
#include "cuda/owner.h"
#include "cuda/precedence.h"
#include "cuda/record.h"
#include "cuda/state.h"
#include "cuda/stream.h"
#include "cuda/work.h"

#include <stdlib.h>
#include <string.h>

/* What was enqueued: for who races with it. */
typedef struct Operation {
    int node;
    const Kernel *kernel; /* NULL: it is none */
    const PreparedKernel *prepared;
    uint32_t device;
    uint64_t stream; /* its id; 0: a default stream */
    bool graph;
    Callers by;
} Operation;

static Precedence *all(void) {
    Precedence *precedence = &core_get()->precedence;
    return precedence->on ? precedence : NULL;
}

static Sanitizer *sanitizer(void) {
    return core_get()->sanitizer;
}

/* ---- what was found ---- */

static const char *name_of(Arena *arena, const Operation *operation) {
    switch (operation->node) {
    case NODE_KERNEL:
        return arena_printf(arena, "kernel %s",
                            name_demangled(arena, operation->kernel->name, false));
    case NODE_MEMCPY:
        return "a copy";
    case NODE_MEMSET:
        return "a memset";
    case NODE_MEM_ALLOC:
        return "an allocation";
    case NODE_MEM_FREE:
        return "a free";
    default:
        return "a write of a value";
    }
}

static const char *does(const Operation *operation, bool writes) {
    return operation->node == NODE_MEM_ALLOC  ? "allocates"
           : operation->node == NODE_MEM_FREE ? "frees"
           : writes                           ? "writes"
                                              : "reads";
}

static const char *stream_of_it(Arena *arena, const Operation *operation) {
    const char *graph = operation->graph ? ", by a graph" : "";
    return operation->stream
               ? arena_printf(arena, "stream %llu%s", (unsigned long long)operation->stream, graph)
               : arena_printf(arena, "the default stream%s", graph);
}

/* The kernel may have been unloaded since. */
static const char *place_of(Arena *arena, const Operation *operation, uint32_t insn) {
    bool there = operation->kernel && IS(operation->kernel, TAG_KERNEL) && insn != NONE &&
                 operation->kernel->prepared &&
                 operation->kernel->prepared[operation->device] == operation->prepared;
    return there ? prepared_place(arena, operation->prepared, insn) : "";
}

static const char *block_of(Arena *arena, uint64_t address) {
    const MemoryBlock *block = memory_find(core_memory(), address, NULL);
    return block ? arena_printf(arena, "\n  in      %s (%llu bytes) at byte %llu", block->name,
                                (unsigned long long)block->bytes,
                                (unsigned long long)(address - block->address))
                 : "";
}

static const char *text_of(Arena *arena, const StreamRace *race) {
    const Operation *by = race->what, *other = race->other;
    return arena_printf(
        arena,
        "%s %s what %s %s, and nothing orders them%s\n  address 0x%llx%s\n  on      %s\n"
        "  other   %s, on %s%s%s",
        name_of(arena, by), does(by, race->writes), name_of(arena, other),
        does(other, race->other_writes), place_of(arena, by, race->insn),
        (unsigned long long)race->address, block_of(arena, race->address), stream_of_it(arena, by),
        name_of(arena, other), stream_of_it(arena, other), place_of(arena, other, race->other_insn),
        race->several ? "\n          or other lines of it" : "");
}

static void tell(const StreamRace *race) {
    const Operation *by = race->what, *other = race->other;
    const uint32_t key[] = {race->insn, race->other_insn, race->writes, race->other_writes};
    Arena *arena = arena_new();
    const DefectPair pair = {by->by, other->by, by->kernel, other->kernel,
                             words_hash(key, sizeof key, 0)};
    defect_note_pair(DEFECT_stream_race, &pair, text_of(arena, race), race->count);
    arena_free(arena);
}

static void tell_host(const StreamRace *race, const Callers *by) {
    const Operation *other = race->other;
    const uint32_t key[] = {race->other_insn, race->writes, race->other_writes};
    Arena *arena = arena_new();
    const DefectPair pair = {*by, other->by, NULL, other->kernel, words_hash(key, sizeof key, 0)};
    const char *what = arena_printf(
        arena,
        "the host %s what %s %s, and has not waited for it\n  address 0x%llx%s\n"
        "  other   %s, on %s%s%s",
        race->writes ? "writes" : "reads", name_of(arena, other), does(other, race->other_writes),
        (unsigned long long)race->address, block_of(arena, race->address), name_of(arena, other),
        stream_of_it(arena, other), place_of(arena, other, race->other_insn),
        race->several ? "\n          or other lines of it" : "");
    defect_note_pair(DEFECT_host_race, &pair, what, 1);
    arena_free(arena);
}

/* ---- operations ---- */

static Operation *note(const Work *work) {
    Precedence *precedence = all();
    Operation *made = NEW(precedence->arena, Operation);
    const bool kernel = work->kind->node == NODE_KERNEL;
    *made = (Operation){.node = work->kind->node,
                        .kernel = kernel ? work->kernel.kernel : NULL,
                        .device = kernel ? (uint32_t)work->kernel.context->device->ordinal : 0,
                        .stream = precedence->stream_id,
                        .graph = precedence->graphs > 0,
                        .by = owner_callers()};
    return made;
}

static bool accesses(const Work *work) {
    const int node = work->kind->node;
    return node == NODE_KERNEL || node == NODE_MEMCPY || node == NODE_MEMSET ||
           node == NODE_MEM_ALLOC || node == NODE_MEM_FREE || node == NODE_BATCH_MEM_OP;
}

/* Work that says what it accesses, or does it while it runs. */
static CUresult run_told(const Work *work) {
    AllocationRecord found;
    Operation *operation = note(work);
    uint32_t races;
    const bool memory = work->kind->node == NODE_MEM_ALLOC || work->kind->node == NODE_MEM_FREE;
    sanitize_operation_begin(sanitizer(), all()->at, operation);
    if (work->kind->node == NODE_BATCH_MEM_OP) /* whoever polls the value knows it */
        sanitize_operation_talks(sanitizer());
    if (memory && allocated_find(work->memory.address, &found)) {
        if (work->kind->node == NODE_MEM_FREE)
            sanitize_operation_frees(sanitizer(), found.address, found.bytes);
        else
            sanitize_operation_makes(sanitizer(), found.address, found.bytes);
    }
    CUresult result = work->kind->run(work);
    if (operation->kernel && operation->kernel->prepared)
        operation->prepared = operation->kernel->prepared[operation->device];
    const StreamRace *found_races = sanitize_operation_end(sanitizer(), &races);
    for (uint32_t i = 0; i < races; i++)
        tell(&found_races[i]);
    return result;
}

/* The order of what others will do depends on it, or what it does is not seen. */
static CUresult run_other(const Work *work) {
    Precedence *precedence = all();
    CUevent event = work->event;
    if (work->kind->node == NODE_WAIT_EVENT && event->reached)
        sanitize_reached_join(precedence->at, event->reached);
    if (work->kind->node == NODE_EVENT_RECORD && IS(event, TAG_EVENT)) {
        sanitize_reached_free(event->reached);
        event->reached = sanitize_reached_new(NONE);
        sanitize_reached_join(event->reached, precedence->at);
    }
    CUresult result = work->kind->run(work);
    if (work->kind->node == NODE_HOST) /* of a graph */
        precedence_host_reaches(precedence->at);
    return result;
}

static CUresult run_one(const Work *work) {
    return accesses(work) ? run_told(work) : run_other(work);
}

/* It may wait for what other threads do, and tell them to go on, and to destroy its stream. */
static CUresult run_host(CUstream stream, const Work *work) {
    Reached *until = sanitize_reached_new(NONE);
    lock_take(&all()->lock);
    sanitize_reached_join(until, precedence_arrive(stream));
    lock_give(&all()->lock);
    host_guard_lift();
    CUresult result = work->kind->run(work);
    lock_take(&all()->lock);
    precedence_host_reaches(until);
    host_guard_drop(tell_host);
    lock_give(&all()->lock);
    sanitize_reached_free(until);
    return result;
}

static bool is_default(const struct Stream *stream) {
    const Device *device = stream->context->device;
    return stream == &device->streams[0] || stream == &device->streams[1];
}

CUresult operations_enqueue(CUstream stream, const Work *work) {
    Precedence *precedence = all();
    if (work->kind->node == NODE_HOST)
        return run_host(stream, work);
    lock_take(&precedence->lock);
    precedence->at = precedence_arrive(stream);
    precedence->stream = stream->order;
    precedence->stream->branches_used = 0;
    precedence->stream_id = is_default(stream) ? 0 : stream->id;
    host_guard_lift();
    CUresult result = run_one(work);
    if (work->kind->node == NODE_KERNEL && core_get()->settings.blocking)
        precedence_host_reaches(precedence->at);
    precedence->at = NULL;
    host_guard_drop(tell_host);
    lock_give(&precedence->lock);
    return result;
}

/* ---- graphs: a node comes behind those it depends on ---- */

struct GraphOrder {
    Reached *outside, **nodes; /* [nodes] */
    uint32_t *line;            /* [nodes]; NONE: another node has it now */
};

static uint32_t branch_new(Precedence *precedence) {
    struct StreamOrder *order = precedence->stream;
    if (order->branches_used == order->branches.count)
        *vec_add(core_get()->arena, &order->branches) = sanitize_line_new(sanitizer());
    return order->branches.at[order->branches_used++];
}

GraphOrder *operations_graph_begin(CUgraph graph) {
    Precedence *precedence = all();
    if (!precedence || !precedence->at)
        return NULL;
    GraphOrder *order = calloc(1, sizeof *order);
    if (!order)
        out_of_memory();
    order->nodes = calloc(graph->nodes.count + 1, sizeof *order->nodes);
    order->line = calloc(graph->nodes.count + 1, sizeof *order->line);
    if (!order->nodes || !order->line)
        out_of_memory();
    order->outside = precedence->at;
    precedence->graphs++;
    return order;
}

CUresult operations_node(GraphOrder *order, const struct GraphNode *node) {
    Precedence *precedence = all();
    uint32_t line = NONE;
    for (uint32_t d = 0; d < node->before.count && line == NONE; d++) {
        line = order->line[node->before.at[d].from];
        order->line[node->before.at[d].from] = NONE;
    }
    order->line[node->index] = line == NONE ? branch_new(precedence) : line;
    Reached *at = order->nodes[node->index] = sanitize_reached_new(order->line[node->index]);
    sanitize_reached_join(at, order->outside);
    for (uint32_t d = 0; d < node->before.count; d++)
        if (order->nodes[node->before.at[d].from])
            sanitize_reached_join(at, order->nodes[node->before.at[d].from]);
    precedence->at = at;
    CUresult result = node->disabled ? CUDA_SUCCESS : run_one(&node->work);
    precedence->at = order->outside;
    return result;
}

void operations_graph_end(GraphOrder *order, CUgraph graph) {
    Precedence *precedence = all();
    precedence->graphs--;
    for (uint32_t i = 0; i < graph->nodes.count; i++) {
        if (order->nodes[i])
            sanitize_reached_join(order->outside, order->nodes[i]);
        sanitize_reached_free(order->nodes[i]);
    }
    free(order->nodes);
    free(order->line);
    free(order);
}

/* ---- what else is told ---- */

void operations_access(const void *memory, uint64_t bytes, bool writes) {
    AllocationRecord found;
    if (all() && bytes && allocated_find((CUdeviceptr)(uintptr_t)memory, &found))
        sanitize_operation_accesses(sanitizer(), (uint64_t)(uintptr_t)memory, bytes, writes);
}
