/* What a kernel did wrong, as a message that names everything needed to find it: the kernel, the
 * source line, the block and thread, the address and the nearest allocation. */
#include "exec/calls/calls.h"
#include "exec/run/message.h"
#include "exec/run/worker.h"

/* Through which calls the lanes came there, the innermost first. */
static void put_calls(Message *message, const Warp *warp) {
    enum { SHOWN = 4 };
    const Activation *at = warp->current ? warp->current->activation : NULL;
    Arena *arena = arena_new();
    for (uint32_t i = 0; at && i < SHOWN; i++, at = at->parent) {
        const Insn *insn = at->call->insn;
        const Module *module = at->routine->function->module;
        const char *file = module->name;
        uint32_t line = insn->line;
        if (insn->location != NO_LOCATION) {
            const SourceLocation *place = &module->locations.at[insn->location];
            file = module_file(module, place->file) ? module_file(module, place->file) : "?";
            line = place->line;
        }
        message_put(message, "\n  in      %s, called at %s:%u",
                    name_demangled(arena, at->routine->function->name, true), file, line);
    }
    if (at)
        message_put(message, "\n  ...     and %u calls further out", at->depth);
    arena_free(arena);
}

/* What was there before; false: nothing. */
static bool put_freed(Message *message, const Launch *launch, uint64_t address) {
    uint64_t bytes, offset;
    const char *name = memory_freed(launch->memory, address, &bytes, &offset);
    if (!name)
        return false;
    message_put(message, "\n  freed   %s (%llu bytes), which was allocated here: its byte %llu",
                name, (unsigned long long)bytes, (unsigned long long)offset);
    Arena *arena = arena_new();
    const char *by = launch->released_by ? launch->released_by(arena, address - offset) : NULL;
    if (by)
        message_put(message, "\n  by      %s", by);
    arena_free(arena);
    return true;
}

/* Memory that was freed, or the host's; false: it is neither. */
static bool put_other(Message *message, const Launch *launch, uint64_t address) {
    if (put_freed(message, launch, address))
        return true;
    bool host = memory_is_host(launch->memory, address);
    if (host)
        message_put(message,
                    "\n  in      host memory that CUDA does not know: allocate it with cudaMalloc, "
                    "cudaMallocManaged or cudaMallocHost, or register it");
    return host;
}

static void put_global(Message *message, const Warp *warp, uint64_t address) {
    const Launch *launch = warp->worker->launch;
    const MemoryBlock *nearest = NULL;
    const MemoryBlock *block = memory_find(launch->memory, address, &nearest);
    if ((!block && put_other(message, launch, address)) || !nearest)
        return;
    unsigned long long bytes = nearest->bytes;
    if (block)
        message_put(message, "\n  in      %s (%llu bytes) at byte %llu", nearest->name, bytes,
                    (unsigned long long)(address - nearest->address));
    else if (address < nearest->address)
        message_put(message, "\n  nearest %s (%llu bytes): %llu bytes before it", nearest->name,
                    bytes, (unsigned long long)(nearest->address - address));
    else
        message_put(message, "\n  nearest %s (%llu bytes): %llu bytes behind its end",
                    nearest->name, bytes,
                    (unsigned long long)(address - nearest->address - nearest->bytes));
}

static void put_shared(Message *message, const Warp *warp, uint64_t address) {
    const Program *program = warp->worker->program;
    const Function *function = program->function;
    Arena *arena = arena_new();
    message_put(message, "\n  block has %u bytes of shared memory",
                warp->cta->shared_end - program->shared.base);
    for (uint32_t i = 0; i < function->shared.count; i++) {
        const Variable *variable = function->shared.at[i];
        uint64_t first = shared_address(&program->shared, variable);
        uint64_t bytes = variable->bytes ? variable->bytes : warp->cta->shared_end - first;
        message_put(message, "\n  %s %s: %llu bytes at %llu",
                    address >= first && address < first + bytes ? "in" : "has",
                    name_demangled(arena, variable->name, true), (unsigned long long)bytes,
                    (unsigned long long)(first - program->shared.base));
    }
    arena_free(arena);
}

/* Where an address of the space lies, and what is near it. */
static void put_address(Message *message, const Warp *warp, FaultKind kind, Space space,
                        uint64_t address) {
    const Program *program = warp->worker->program;
    switch (space) {
    case SPACE_SHARED:
        message_put(message, "\n  address %lld in shared memory",
                    (long long)(address - program->shared.base));
        put_shared(message, warp, address);
        return;
    case SPACE_LOCAL:
        message_put(message, "\n  address 0x%llx in local memory", (unsigned long long)address);
        message_put(message, "\n  a thread has %u bytes of local memory", program->stack_bytes);
        return;
    case SPACE_PARAM:
        message_put(message, "\n  address %llu in the kernel's parameters",
                    (unsigned long long)address);
        message_put(message, "\n  the kernel has %u bytes of parameters",
                    program->function->param_bytes);
        return;
    default:
        message_put(message, "\n  address 0x%llx", (unsigned long long)address);
        if (kind != FAULT_NULL)
            put_global(message, warp, address);
    }
}

/* Who launched the kernel, if that was another one: the line that was not inlined. */
static void put_launcher(Message *message, const Child *child) {
    const Module *module = child->by->module;
    const char *file = module->name;
    uint32_t line = child->insn->line, location = child->insn->location;
    while (location != NO_LOCATION) {
        const SourceLocation *place = &module->locations.at[location];
        file = module_file(module, place->file) ? module_file(module, place->file) : "?";
        line = place->line;
        location = place->inlined_at;
    }
    Arena *arena = arena_new();
    const uint32_t *block = child->by_block, *thread = child->by_thread;
    message_put(message,
                "\n  launched by %s at %s:%u, block (%u,%u,%u), thread (%u,%u,%u); depth %u",
                name_demangled(arena, child->by->name, true), file, line, block[0], block[1],
                block[2], thread[0], thread[1], thread[2], child->depth);
    arena_free(arena);
}

/* What, kernel, place, block and thread. */
static Message report(Warp *warp, const Code *code, FaultKind kind, uint32_t lane, uint64_t address,
                      const char *format, va_list arguments) {
    const Launch *launch = warp->worker->launch;
    const Function *kernel = warp->worker->run->kernel;
    const Cta *cta = warp->cta;
    Fault *fault = &warp->worker->fault;
    uint32_t thread = warp->number * WARP_LANES + lane;
    *fault =
        (Fault){.kind = kind,
                .insn = code->insn,
                .block = {cta->index[0], cta->index[1], cta->index[2]},
                .thread = {thread % launch->block[0], thread / launch->block[0] % launch->block[1],
                           thread / launch->block[0] / launch->block[1]},
                .address = address};
    Message message = {fault->message, sizeof fault->message};
    message_list(&message, format, arguments);
    Arena *arena = arena_new();
    message_put(&message, "\n  kernel  %s", name_demangled(arena, kernel->name, true));
    arena_free(arena);
    message_place(&message, kernel, code->insn);
    put_calls(&message, warp);
    message_thread(&message, fault->block, fault->thread);
    if (launch->child)
        put_launcher(&message, launch->child);
    return message;
}

Step warp_fault(Warp *warp, const Code *code, FaultKind kind, uint32_t lane, uint64_t address,
                const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    report(warp, code, kind, lane, address, format, arguments);
    va_end(arguments);
    return STEP_FAULT;
}

Step memory_fault(Warp *warp, const Code *code, FaultKind kind, uint32_t lane, Space space,
                  uint64_t address, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    Message message = report(warp, code, kind, lane, address, format, arguments);
    va_end(arguments);
    put_address(&message, warp, kind, space, address);
    return STEP_FAULT;
}
