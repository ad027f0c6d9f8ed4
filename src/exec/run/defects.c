/* What a launch's Sanitizer has found becomes rows of the profile: numbers of instructions, blocks and
 * threads become places, and a text that says what is wrong. */
#include "exec/run/message.h"
#include "exec/run/prepared.h"
#include "exec/run/watch.h"

#include <string.h>

static void three(const uint32_t shape[3], uint64_t number, uint32_t out[3]) {
    out[0] = (uint32_t)(number % shape[0]);
    out[1] = (uint32_t)(number / shape[0] % shape[1]);
    out[2] = (uint32_t)(number / shape[0] / shape[1]);
}

static const Insn *insn_of(const Run *run, const Witness *witness) {
    return witness->insn < run->program->code_count ? run->program->code[witness->insn].insn : NULL;
}

static const char *verb(uint8_t ways) {
    return ways == ACCESS_READS ? "read" : ways == ACCESS_WRITES ? "write" : "atomic operation";
}

/* ---- which memory ---- */

static SiteSpace space_of(Space space) {
    switch (space) {
    case SPACE_SHARED:
        return SITE_SHARED;
    case SPACE_LOCAL:
        return SITE_LOCAL;
    case SPACE_GLOBAL:
        return SITE_GLOBAL;
    case SPACE_CONST:
        return SITE_CONST;
    default:
        return SITE_GENERIC;
    }
}

/* Shared memory has the addresses that the profile has, from the block's beginning on. */
static uint64_t address_of(const Run *run, const FoundDefect *found) {
    return found->space == SPACE_SHARED ? found->address - run->program->shared.base
                                        : found->address;
}

static const char *variable_name(Arena *arena, const Variable *variable) {
    return name_last(name_demangled(arena, variable->name, false));
}

/* The variable of shared memory that has the byte; NULL: none. */
static const Variable *shared_at(const Run *run, uint64_t address) {
    const Function *kernel = run->program->function;
    for (uint32_t i = 0; i < kernel->shared.count; i++) {
        const Variable *variable = kernel->shared.at[i];
        uint64_t first = shared_address(&run->program->shared, variable);
        if (address >= first && (variable->bytes == 0 || address - first < variable->bytes))
            return variable;
    }
    return NULL;
}

/* The variable or allocation that a defect is about; for an overrun the one that was meant. */
static const char *name_of(Arena *arena, const Run *run, const FoundDefect *found) {
    const Program *program = run->program;
    const uint32_t accesses = found->kind == DEFECT_uninitialised && found->other.insn != NONE
                                  ? found->other.insn
                                  : found->by.insn;
    const Variable *meant = accesses < program->code_count ? program->array_of[accesses] : NULL;
    if (found->kind == DEFECT_outside_array && meant)
        return variable_name(arena, meant);
    if (found->space == SPACE_SHARED) {
        const Variable *variable = shared_at(run, found->address);
        return variable ? variable_name(arena, variable) : NULL;
    }
    if (found->space == SPACE_LOCAL)
        return meant && meant->space == SPACE_LOCAL ? variable_name(arena, meant) : NULL;
    const MemoryBlock *block = found->space == SPACE_GLOBAL && found->bytes
                                   ? memory_find(run->launch->memory, found->address, NULL)
                                   : NULL;
    return block ? block->name : NULL;
}

/* Where it lies in what it is about, and what is there. */
static void put_address(Message *message, Arena *arena, const Run *run, const FoundDefect *found) {
    unsigned long long address = address_of(run, found);
    if (!found->bytes)
        return;
    if (found->space != SPACE_SHARED && found->space != SPACE_LOCAL)
        message_put(message, "\n  address 0x%llx", address);
    else
        message_put(message, "\n  address %llu in %s memory", address, space_name(found->space));
    if (found->space == SPACE_SHARED) {
        const Variable *there = shared_at(run, found->address);
        if (there)
            message_put(message, "\n  in      %s at byte %llu", variable_name(arena, there),
                        (unsigned long long)(found->address -
                                             shared_address(&run->program->shared, there)));
    } else if (found->space != SPACE_LOCAL) {
        const MemoryBlock *block = memory_find(run->launch->memory, found->address, NULL);
        if (block)
            message_put(message, "\n  in      %s (%llu bytes) at byte %llu", block->name,
                        (unsigned long long)block->bytes,
                        (unsigned long long)(found->address - block->address));
    }
}

/* ---- what is wrong, in a line ---- */

static void put_array(Message *message, Arena *arena, const Run *run, const FoundDefect *found) {
    const Variable *array = run->program->array_of[found->by.insn];
    const Extent *extent = &run->program->arrays[found->by.insn];
    const char *name = array ? variable_name(arena, array) : "?";
    unsigned long long bytes = found->number[0];
    message_put(message, "%s of %u bytes outside of the array %s (%llu bytes), ", verb(found->ways),
                found->bytes, name, bytes);
    if (found->address < extent->first)
        message_put(message, "%llu bytes before it",
                    (unsigned long long)(extent->first - found->address));
    else if (found->address - extent->first < bytes)
        message_put(message, "over its end");
    else
        message_put(message, "%llu bytes behind its end",
                    (unsigned long long)(found->address - extent->first - bytes));
}

static const char *value_use(const FoundDefect *found) {
    static const char *const uses[] = {"", ", which decides a branch", ", which decides an address",
                                       ", which is stored"};
    return uses[found->number[0]];
}

static void put_title(Message *message, Arena *arena, const Run *run, const FoundDefect *found) {
    switch (found->kind) {
    case DEFECT_outside_array:
        put_array(message, arena, run, found);
        break;
    case DEFECT_divergent_barrier:
        message_put(message, "%s: lanes 0x%08llx come behind lanes 0x%08llx",
                    defect_title(found->kind), (unsigned long long)found->number[0],
                    (unsigned long long)found->number[1]);
        break;
    case DEFECT_barrier_counts:
        message_put(message, "%s: %llu here, %llu before (0: all)", defect_title(found->kind),
                    (unsigned long long)found->number[0], (unsigned long long)found->number[1]);
        break;
    case DEFECT_absent_lanes:
        message_put(message, "%s: lanes 0x%08llx execute it with the mask 0x%08llx",
                    defect_title(found->kind), (unsigned long long)found->number[0],
                    (unsigned long long)found->number[1]);
        break;
    case DEFECT_outside_malloc:
        message_put(message, "%s of %u bytes in the heap outside of what malloc gave",
                    verb(found->ways), found->bytes);
        if (found->number[0] || found->other.insn != NONE)
            message_put(message, ", %llu bytes behind the end of %llu bytes",
                        (unsigned long long)found->number[1], (unsigned long long)found->number[0]);
        break;
    default:
        message_put(message, "%s%s", defect_title(found->kind),
                    found->kind == DEFECT_uninitialised ? value_use(found) : "");
        if (found->bytes)
            message_put(message, ", %s of %u bytes in %s memory", verb(found->ways), found->bytes,
                        space_name(found->space));
    }
}

/* ---- rows ---- */

/* Of the second place. */
static const char *other_title(DefectKind kind) {
    switch (kind) {
    case DEFECT_uninitialised:
        return "where it was read";
    case DEFECT_outside_malloc:
        return "where malloc gave it";
    case DEFECT_freed_memory:
        return "where it was freed";
    default:
        return "other   access";
    }
}

static const char *message_of(Arena *arena, const Run *run, const FoundDefect *found,
                              const Defect *row) {
    enum { ROOM = 2048 };
    char *text = NEW_ARRAY(arena, char, ROOM);
    Message message = {text, ROOM};
    const Function *kernel = run->kernel;
    put_title(&message, arena, run, found);
    message_put(&message, "\n  kernel  %s", name_demangled(arena, kernel->name, true));
    const Insn *insn = insn_of(run, &found->by), *other = insn_of(run, &found->other);
    if (insn)
        message_place(&message, kernel, insn);
    message_thread(&message, row->block, row->thread);
    put_address(&message, arena, run, found);
    if (other) {
        message_put(&message, "\n  %s", other_title(found->kind));
        message_place(&message, kernel, other);
        message_thread(&message, row->other_block, row->other_thread);
    }
    return text;
}

const char *prepared_place(Arena *arena, const PreparedKernel *prepared, uint32_t insn) {
    enum { ROOM = 1024 };
    const Program *program = prepared->program;
    char *text = NEW_ARRAY(arena, char, ROOM);
    Message message = {text, ROOM};
    if (insn < program->code_count && program->code[insn].insn)
        message_place(&message, prepared->kernel, program->code[insn].insn);
    return text;
}

static void record(Rows *rows, const Run *run, uint32_t launch, const FoundDefect *found) {
    Arena *arena = arena_new();
    const Launch *from = run->launch;
    const Insn *insn = insn_of(run, &found->by), *other = insn_of(run, &found->other);
    Defect row = {.kind = found->kind,
                  .kernel = rows->kernel,
                  .launch = launch,
                  .location = insn ? rows_place(rows, run->kernel, insn) : NONE,
                  .other_location = other ? rows_place(rows, run->kernel, other) : NONE,
                  .space = space_of(found->space),
                  .address = found->bytes ? address_of(run, found) : 0,
                  .bytes = found->bytes,
                  .variable = name_of(arena, run, found),
                  .count = found->count,
                  .benign = found->benign};
    three(from->grid, found->by.block, row.block);
    three(from->block, found->by.thread, row.thread);
    if (other) {
        three(from->grid, found->other.block, row.other_block);
        three(from->block, found->other.thread, row.other_thread);
    }
    row.message = message_of(arena, run, found, &row);
    profile_defect(rows->profile, from->scratch ? from->scratch : rows->profile->arena, &row);
    arena_free(arena);
}

void fault_defect(const Run *run, LaunchResult *result) {
    const Launch *launch = run->launch;
    const bool none = result->status != LAUNCH_FAULT || result->fault.kind == FAULT_DEFECT;
    uint32_t count;
    if (!launch->sanitizer || !sanitize_stopped(launch->sanitizer) || !none)
        return;
    const FoundDefect *found = sanitize_defects(launch->sanitizer, &count);
    while (found->benign)
        found++;
    Arena *arena = arena_new();
    Defect row = {0};
    three(launch->grid, found->by.block, row.block);
    three(launch->block, found->by.thread, row.thread);
    three(launch->grid, found->other.block, row.other_block);
    three(launch->block, found->other.thread, row.other_thread);
    result->status = LAUNCH_FAULT;
    result->fault = (Fault){.kind = FAULT_DEFECT,
                            .insn = insn_of(run, &found->by),
                            .address = found->bytes ? address_of(run, found) : 0};
    memcpy(result->fault.block, row.block, sizeof row.block);
    memcpy(result->fault.thread, row.thread, sizeof row.thread);
    snprintf(result->fault.message, sizeof result->fault.message, "%s",
             message_of(arena, run, found, &row));
    arena_free(arena);
}

void record_defects(Rows *rows, const Run *run, uint32_t launch) {
    uint32_t count;
    if (!run->launch->sanitizer)
        return;
    const FoundDefect *found = sanitize_defects(run->launch->sanitizer, &count);
    for (uint32_t i = 0; i < count; i++)
        record(rows, run, launch, &found[i]);
}
