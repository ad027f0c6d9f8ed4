/* Launch.sanitizer: what is told while a launch runs. */
#include "exec/run/watch.h"
#include "exec/access/load_store.h"
#include "exec/run/unset.h"

#include <string.h>

/* ---- launches and blocks ---- */

/* Where a variable is; in a function that is called it is elsewhere each time, unless it is shared. */
static Extent extent_of(const Program *program, const Routine *routine, const Variable *array) {
    if (array->space == SPACE_SHARED)
        return (Extent){shared_address(&program->shared, array), array->bytes};
    return routine->function->is_entry ? (Extent){array->offset, array->bytes} : (Extent){0};
}

/* Registers that something reads, and whether an instruction writes one of them. */
typedef struct Readers {
    bool *read; /* [registers] */
    bool awaited;
} Readers;

static void note_read(void *context, uint32_t reg, bool defined) {
    Readers *readers = context;
    if (!defined)
        readers->read[reg] = true;
}

static void note_awaited(void *context, uint32_t reg, bool defined) {
    Readers *readers = context;
    readers->awaited |= defined && readers->read[reg];
}

static void find_observing(Arena *arena, Program *program, const Routine *routine) {
    const Function *function = routine->function;
    Readers readers = {.read = NEW_ARRAY(arena, bool, function->regs.count + 1)};
    for (uint32_t i = 0; i < function->insns.count; i++)
        insn_registers(&function->insns.at[i], note_read, &readers);
    for (uint32_t i = 0; i < function->insns.count; i++) {
        const Insn *insn = &function->insns.at[i];
        readers.awaited = false;
        if (op_access(insn->op) == OP_ACCESS_ATOMIC)
            insn_registers(insn, note_awaited, &readers);
        program->observes[routine->first_code + i] = readers.awaited;
    }
}

void watch_prepare(Arena *arena, Program *program) {
    if (program->arrays)
        return;
    program->observes = NEW_ARRAY(arena, bool, program->code_count + 1);
    program->arrays = NEW_ARRAY(arena, Extent, program->code_count + 1);
    program->array_of = NEW_ARRAY(arena, const Variable *, program->code_count + 1);
    for (uint32_t r = 0; r < program->routine_count; r++) {
        const Routine *routine = &program->routines[r];
        const Variable **found = function_arrays(arena, routine->function);
        find_observing(arena, program, routine);
        for (uint32_t i = 0; i < routine->function->insns.count; i++)
            if (found[i]) {
                program->array_of[routine->first_code + i] = found[i];
                program->arrays[routine->first_code + i] = extent_of(program, routine, found[i]);
            }
    }
}

void watch_launch(const Run *run) {
    const Launch *launch = run->launch;
    if (!launch->sanitizer)
        return;
    const WatchedLaunch watched = {
        .number = run->number,
        .blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2],
        .threads = launch->block[0] * launch->block[1] * launch->block[2],
        .cluster_size = run->cluster_size,
        .stream = launch->stream};
    sanitize_launch_begin(launch->sanitizer, &watched);
}

void watch_ended(const Run *run) {
    if (run->launch->sanitizer)
        sanitize_launch_end(run->launch->sanitizer);
}

void watch_begin(Cta *cta, uint64_t cluster) {
    const Launch *launch = cta->worker->launch;
    const Program *program = cta->program;
    cta->watched = NULL;
    if (!launch->sanitizer)
        return;
    const BlockShape shape = {.number = cta->linear,
                              .cluster = cluster,
                              .rank = cta->rank,
                              .threads = launch->block[0] * launch->block[1] * launch->block[2],
                              .shared = cta->shared,
                              .shared_first = program->shared.first,
                              .shared_base = program->shared.base,
                              .shared_end = cta->shared_end,
                              .local_bytes = program->stack_bytes,
                              .local_stride = program->stack_stride};
    cta->watched = sanitize_block_begin(launch->sanitizer, &shape);
}

void watch_end(Cta *cta) {
    if (cta->watched)
        sanitize_block_end(cta->watched);
    cta->watched = NULL;
}

/* ---- how far an order reaches ---- */

static bool has_word(const Insn *insn, const char *word) {
    const char *at = insn->text.at, *end = at + insn->text.length;
    const char *blank = memchr(at, ' ', insn->text.length);
    return memmem(at, (size_t)((blank ? blank : end) - at), word, strlen(word)) != NULL;
}

/* What is not said is .gpu of an atomic, as of `membar.gl`. */
static Scope scope_of(const Insn *insn) {
    return has_word(insn, ".sys")       ? SCOPE_SYS
           : has_word(insn, ".gpu")     ? SCOPE_GPU
           : has_word(insn, ".cta")     ? SCOPE_CTA
           : has_word(insn, ".cluster") ? SCOPE_CLUSTER
                                        : SCOPE_GPU;
}

/* ---- accesses ---- */

/* Follows values that nobody has written. */
static void tell(Warp *warp, const Code *code, const WatchedAccess *told) {
    if (sanitize_access(told))
        unset_loaded(warp, code, told);
    else if (told->ways == ACCESS_WRITES && unset_any(warp))
        unset_stored(warp, code, told);
}

static Agent agent_of(const Warp *warp, const Code *code, uint32_t lanes) {
    return (Agent){.block = warp->cta->watched,
                   .warp = warp->number,
                   .lanes = lanes,
                   .insn = code ? (uint32_t)(code - warp->worker->program->code) : NONE};
}

static uint8_t ways_of(OpAccess access, bool object, bool writes) {
    bool both = access == OP_ACCESS_ATOMIC || access == OP_ACCESS_REDUCTION || object;
    return both ? ACCESS_READS | ACCESS_WRITES : writes ? ACCESS_WRITES : ACCESS_READS;
}

typedef struct Stored {
    const Warp *warp;
    const Code *code;
} Stored;

/* Elements that ptxas leaves out are those of loads. */
static void stored_value(const void *context, uint32_t lane, uint8_t *bytes) {
    const Stored *stored = context;
    const Elements *elements = stored->code->more;
    for (uint32_t i = 0; i < elements->count; i++) {
        const Cell *cell = &elements->cell[i];
        const uint8_t *from = stored->warp->registers + cell->offset;
        const uint32_t pitch = cell->class == 3 ? 16 : cell->class == 2 ? 8 : 4;
        memcpy(bytes + (size_t)i * elements->bytes, from + (size_t)pitch * lane, elements->bytes);
    }
}

/* Of the array that the instruction is for, in that space; no bytes: not known. */
static Extent array_extent(const Warp *warp, const Code *code, Space space) {
    const Program *program = warp->worker->program;
    const uint32_t number = (uint32_t)(code - program->code);
    const Variable *array = program->array_of[number];
    Extent extent = array && array->space == space ? program->arrays[number] : (Extent){0};
    if (array && space == SPACE_SHARED && array->bytes == 0)
        extent.bytes = warp->cta->shared_end - extent.first;
    return extent;
}

void watch_access(Warp *warp, const Code *code, const Touch *touch, Space space, uint32_t mask,
                  uint32_t width, bool writes) {
    const Insn *insn = code->insn;
    OpAccess access = op_access(insn->op);
    bool object = op_has(insn->op, TRAIT_MBARRIER);
    const uint8_t ways = ways_of(access, object, writes);
    const Extent extent = touch->remote ? (Extent){0} : array_extent(warp, code, space);
    const Stored stored = {warp, code};
    const bool plain = access == OP_ACCESS_STORE && op_has(insn->op, TRAIT_ELEMENTS);
    const WatchedAccess told = {
        .by = agent_of(warp, code, mask),
        .ways = ways,
        .atomic = ways == (ACCESS_READS | ACCESS_WRITES),
        .returns = warp->worker->program->observes[code - warp->worker->program->code],
        .async = op_has(insn->op, TRAIT_ASYNC),
        .object = object,
        .follows = !writes && unset_follow(warp, code),
        .tile = access == OP_ACCESS_LDMATRIX || access == OP_ACCESS_STMATRIX ||
                op_has(insn->op, TRAIT_TILE),
        .order = (Order)insn->mods.order,
        .scope = insn->mods.order == ORDER_WEAK && ways != (ACCESS_READS | ACCESS_WRITES)
                     ? SCOPE_CTA
                     : scope_of(insn),
        .space = space,
        .remote = touch->remote,
        .width = width,
        .array_first = extent.first,
        .array_end = extent.first + extent.bytes,
        .address = touch->address,
        .host = touch->host,
        .place = touch->place,
        .value = plain ? stored_value : NULL,
        .context = &stored};
    tell(warp, code, &told);
}

void watch_plain(Warp *warp, const Code *code, const uint64_t address[WARP_LANES], uintptr_t host,
                 uint32_t mask, bool writes) {
    const Elements *elements = code->more;
    const Extent extent = array_extent(warp, code, code->space);
    const Order order = (Order)code->insn->mods.order;
    const Stored stored = {warp, code};
    const WatchedAccess told = {.by = agent_of(warp, code, mask),
                                .ways = writes ? ACCESS_WRITES : ACCESS_READS,
                                .follows = !writes && unset_follow(warp, code),
                                .order = order,
                                .scope = order == ORDER_WEAK ? SCOPE_CTA : scope_of(code->insn),
                                .space = code->space,
                                .width = elements->width,
                                .array_first = extent.first,
                                .array_end = extent.first + extent.bytes,
                                .address = address,
                                .host = host,
                                .place = address,
                                .value = writes ? stored_value : NULL,
                                .context = &stored};
    tell(warp, code, &told);
}

void watch_run(Warp *warp, const Code *code, const Pattern *pattern, uint64_t offset,
               uintptr_t host, bool writes) {
    const Elements *elements = code->more;
    const Extent extent = array_extent(warp, code, code->space);
    const Stored stored = {warp, code};
    const WatchedRun told = {.by = agent_of(warp, code, FULL_MASK),
                             .ways = writes ? ACCESS_WRITES : ACCESS_READS,
                             .space = code->space,
                             .width = elements->width,
                             .array_first = extent.first,
                             .array_end = extent.first + extent.bytes,
                             .pattern = pattern,
                             .offset = offset,
                             .host = host,
                             .value = writes ? stored_value : NULL,
                             .context = &stored};
    if (code->insn->mods.order == ORDER_WEAK && !(writes && unset_any(warp)) && sanitize_run(&told))
        return;
    uint64_t address[WARP_LANES];
    pattern_addresses(pattern, address);
    for (uint32_t l = 0; l < WARP_LANES; l++)
        address[l] += offset;
    watch_plain(warp, code, address, host, FULL_MASK, writes);
}

void watch_range(const Warp *warp, const Code *code, uint32_t lane, Space space, uint64_t address,
                 const uint8_t *place, uint64_t bytes, bool writes) {
    const WatchedRange told = {.by = agent_of(warp, code, 1u << lane),
                               .ways = writes ? ACCESS_WRITES : ACCESS_READS,
                               .space = space,
                               .address = address,
                               .bytes = bytes,
                               .host = (uintptr_t)place,
                               .group = has_word(code->insn, ".bulk_group")};
    sanitize_range(&told);
}

void watch_allocated(const Warp *warp, const Code *code, uint32_t lane, uint64_t address,
                     uint64_t bytes) {
    const Agent by = agent_of(warp, code, 1u << lane);
    const MemoryBlock *block = memory_find(warp->worker->launch->memory, address, NULL);
    const WatchedHeap heap = {block->address, block->address + block->bytes};
    sanitize_heap_allocated(&by, &heap, address, bytes);
}

void watch_released(const Warp *warp, const Code *code, uint32_t lane, uint64_t address) {
    const Agent by = agent_of(warp, code, 1u << lane);
    sanitize_heap_released(&by, address);
}

void watch_written(const Warp *warp, uint32_t lane, uint64_t address, uint64_t bytes) {
    uint64_t window = WINDOW_OF(address);
    Space space = window == WINDOW_SHARED  ? SPACE_SHARED
                  : window == WINDOW_LOCAL ? SPACE_LOCAL
                                           : SPACE_GLOBAL;
    const WatchedRange told = {.by = agent_of(warp, NULL, 1u << lane),
                               .ways = ACCESS_WRITES,
                               .space = space,
                               .address = space == SPACE_GLOBAL ? address : address - window,
                               .bytes = bytes,
                               .host = (uintptr_t)warp->cta->shared + (address - window)};
    sanitize_range(&told);
}

/* ---- meetings ---- */

/* bar.sync is barrier.sync.aligned. */
static bool is_aligned(const Insn *insn) {
    bool bar = insn->text.length > 4 && memcmp(insn->text.at, "bar.", 4) == 0;
    return !insn->machine && (bar || insn->mods.flags & MOD_ALIGNED);
}

void watch_event(const Warp *warp, const Code *code, EventKind kind, uint32_t lanes,
                 uint32_t number, uint32_t count) {
    const WatchedEvent told = {.kind = kind,
                               .by = agent_of(warp, code, lanes),
                               .order = code ? (Order)code->mods.order : ORDER_WEAK,
                               .scope = kind == EVENT_FENCE ? scope_of(code->insn) : SCOPE_CTA,
                               .waits = code && op_has(code->insn->op, TRAIT_WAITS),
                               .orders = code && op_has(code->insn->op, TRAIT_BARRIER),
                               .aligned = code && is_aligned(code->insn),
                               .live = warp->live,
                               .number = number,
                               .count = count};
    sanitize_event(&told);
}

void watch_mbarrier(const Warp *warp, const Code *code, EventKind kind, uint32_t lane,
                    const uint8_t *place, uint32_t count) {
    const WatchedEvent told = {.kind = kind,
                               .by = agent_of(warp, code, 1u << lane),
                               .order = (Order)code->mods.order,
                               .scope = scope_of(code->insn),
                               .count = count,
                               .host = (uintptr_t)place};
    sanitize_event(&told);
}

void watch_release(const Cta *cta, uint32_t barrier) {
    const WatchedEvent told = {
        .kind = EVENT_RELEASE, .by = {.block = cta->watched, .insn = NONE}, .number = barrier};
    sanitize_event(&told);
}

void watch_cluster_release(const Cta *cta) {
    const WatchedEvent told = {.kind = EVENT_CLUSTER_RELEASE,
                               .by = {.block = cta->watched, .insn = NONE}};
    sanitize_event(&told);
}

/* Of what other workers see, the processor keeps the order. Fences between proxies order what one thread does through both of
 * them, which is in order here anyway. */
Step exec_memory_fence(Warp *warp, const Code *code, uint32_t mask) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (watched(warp) && !has_word(code->insn, ".proxy"))
        watch_event(warp, code, EVENT_FENCE, mask, 0, 0);
    return STEP_NEXT;
}
