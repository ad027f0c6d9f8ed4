/* What a kernel did wrong, as a message that names everything needed to find it: the kernel, the
 * source line, the block and thread, the address and the nearest allocation. */
#include "exec/warp.h"

#include <stdarg.h>

/* Where the next piece of the message goes. */
typedef struct Message {
    char *at;
    size_t room;
} Message;

static void put(Message *message, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put_list(Message *message, const char *format, va_list arguments) {
    int length = vsnprintf(message->at, message->room, format, arguments);
    size_t moved = length < 0 ? 0 : (size_t)length;
    if (moved >= message->room)
        moved = message->room - 1;
    message->at += moved;
    message->room -= moved;
}

static void put(Message *message, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    put_list(message, format, arguments);
    va_end(arguments);
}

static void put_place(Message *message, const Function *function, const Insn *insn) {
    const Module *module = function->module;
    uint32_t location = insn->location;
    bool first = true;
    while (location != NO_LOCATION) {
        const SourceLocation *place = &module->locations.at[location];
        const char *file = module_file(module, place->file);
        put(message, "\n  %s %s:%u", first ? "at     " : "inlined at", file ? file : "?",
            place->line);
        first = false;
        location = place->inlined_at;
    }
    put(message, "\n  %s %s:%u: " STR_FMT, first ? "at     " : "PTX    ", module->name, insn->line,
        STR_ARG(insn->text));
}

static void put_global(Message *message, const Warp *warp, uint64_t address) {
    const MemoryBlock *nearest = NULL;
    const MemoryBlock *block = memory_find(warp->worker->launch->memory, address, &nearest);
    if (!nearest)
        return;
    unsigned long long bytes = nearest->bytes;
    if (block)
        put(message, "\n  in      %s (%llu bytes) at byte %llu", nearest->name, bytes,
            (unsigned long long)(address - nearest->address));
    else if (address < nearest->address)
        put(message, "\n  nearest %s (%llu bytes): %llu bytes before it", nearest->name, bytes,
            (unsigned long long)(nearest->address - address));
    else
        put(message, "\n  nearest %s (%llu bytes): %llu bytes behind its end", nearest->name, bytes,
            (unsigned long long)(address - nearest->address - nearest->bytes));
}

static void put_shared(Message *message, const Warp *warp, uint64_t address) {
    const Program *program = warp->worker->program;
    const Function *function = program->function;
    put(message, "\n  block has %u bytes of shared memory",
        warp->cta->shared_end - program->shared_base);
    for (uint32_t i = 0; i < function->shared.count; i++) {
        const Variable *variable = function->shared.at[i];
        uint64_t first = decode_variable(program, variable);
        uint64_t bytes = variable->bytes ? variable->bytes : warp->cta->shared_end - first;
        put(message, "\n  %s %s: %llu bytes at %llu",
            address >= first && address < first + bytes ? "in" : "has", variable->name,
            (unsigned long long)bytes, (unsigned long long)(first - program->shared_base));
    }
}

static void put_address(Message *message, const Warp *warp, const Code *code, FaultKind kind,
                        uint64_t address) {
    bool has_address = kind == FAULT_OUT_OF_BOUNDS || kind == FAULT_MISALIGNED ||
                       kind == FAULT_NULL || kind == FAULT_READ_ONLY;
    if (!has_address)
        return;
    bool shared = code->space == SPACE_SHARED;
    uint64_t base = shared ? warp->worker->program->shared_base : 0;
    if (shared)
        put(message, "\n  address %lld in shared memory", (long long)(address - base));
    else
        put(message, "\n  address 0x%llx", (unsigned long long)address);
    if (shared)
        put_shared(message, warp, address);
    else if (code->space == SPACE_GLOBAL || code->space == SPACE_GENERIC ||
             code->space == SPACE_CONST)
        put_global(message, warp, address);
    else if (code->space == SPACE_LOCAL)
        put(message, "\n  a thread has %u bytes of local memory",
            warp->worker->program->local_bytes);
}

Step warp_fault(Warp *warp, const Code *code, FaultKind kind, uint32_t lane, uint64_t address,
                const char *format, ...) {
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
    Arena *arena = arena_new();
    va_list arguments;
    va_start(arguments, format);
    put_list(&message, format, arguments);
    va_end(arguments);
    put(&message, "\n  kernel  %s", name_demangled(arena, kernel->name, true));
    arena_free(arena);
    put_place(&message, kernel, code->insn);
    put(&message, "\n  block   (%u,%u,%u), thread (%u,%u,%u)", fault->block[0], fault->block[1],
        fault->block[2], fault->thread[0], fault->thread[1], fault->thread[2]);
    put_address(&message, warp, code, kind, address);
    return STEP_FAULT;
}
