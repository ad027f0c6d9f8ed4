/* Calls, executed. Lanes that call together share an Activation: where they return to, where their
 * frame lies, what was saved for them. Paths of one activation meet each other as paths of the kernel
 * do; lanes return one path at a time and reconverge behind the call (diverge.c). */
#include "exec/calls/calls.h"
#include "exec/run/worker.h"

#include <string.h>

/* ---- activations ---- */

/* From the worker's free ones: classes by powers of two from 64 bytes on. */
static Activation *activation_new(Worker *worker, uint32_t saved_bytes) {
    uint32_t class = 0;
    while (UINT64_C(64) << class < saved_bytes)
        class ++;
    Activation *activation = worker->activations[class];
    if (activation) {
        worker->activations[class] = activation->parent;
        return activation;
    }
    activation = NEW(worker->arena, Activation);
    activation->size_class = class;
    activation->saved = arena_alloc_aligned(worker->arena, (size_t)64 << class, 64);
    return activation;
}

static void activation_free(Worker *worker, Activation *activation) {
    activation->parent = worker->activations[activation->size_class];
    worker->activations[activation->size_class] = activation;
}

void call_forget(Warp *warp, Activation *activation, uint32_t lanes) {
    while (activation) {
        Activation *parent = activation->parent;
        activation->lanes &= ~lanes;
        if (activation->lanes == 0)
            activation_free(warp->worker, activation);
        activation = parent;
    }
}

/* ---- registers ---- */

/* Lanes of `mask` of a vector of registers get those of `from`. */
static void copy_vector(Warp *warp, uint32_t to, const uint8_t *from, uint8_t class,
                        uint32_t mask) {
    if (class == 0) {
        uint32_t value;
        memcpy(&value, from, sizeof value);
        write_pred(warp, to, mask, value);
        return;
    }
    uint32_t bytes = 2u << class;
    uint8_t *at = warp->registers + to;
    if (mask == FULL_MASK) {
        memcpy(at, from, bytes * WARP_LANES);
        return;
    }
    for_lanes(lane, mask) memcpy(at + lane * bytes, from + lane * bytes, bytes);
}

static void save(const Warp *warp, const Call *call, uint8_t *to) {
    for (uint32_t i = 0; i < call->saved.count; i++) {
        const SavedRegister *saved = &call->saved.at[i];
        memcpy(to, warp->registers + saved->at, saved->bytes);
        to += saved->bytes;
    }
}

static void restore(Warp *warp, const Call *call, const uint8_t *from, uint32_t mask) {
    for (uint32_t i = 0; i < call->saved.count; i++) {
        const SavedRegister *saved = &call->saved.at[i];
        copy_vector(warp, saved->at, from, saved->class, mask);
        from += saved->bytes;
    }
}

/* ---- arguments and results ---- */

enum { STAGED = 64 /* MAX_OPERANDS of ptx/parser.h */ };

/* Values on their way from one function to the other. Both may use the same registers (recursion),
 * so all leave before any arrives. */
typedef struct Parcel {
    _Alignas(64) uint8_t lanes[16 * WARP_LANES];
} Parcel;

static uint8_t *frame_bytes(const Warp *warp, uint32_t frame, uint32_t at, uint32_t lane) {
    return warp->local + (size_t)lane * warp->worker->program->stack_stride + frame + at;
}

static void pass(Warp *warp, const ParamPlace *from, uint32_t from_frame, const ParamPlace *to,
                 uint32_t to_frame, const uint8_t *source, uint32_t mask) {
    uint32_t bytes = from->bytes < to->bytes ? from->bytes : to->bytes;
    if (!from->in_frame && !to->in_frame) {
        copy_vector(warp, to->at, source, to->class, mask);
        return;
    }
    for_lanes(lane, mask) {
        const uint8_t *at = from->in_frame ? frame_bytes(warp, from_frame, from->at, lane)
                                           : source + (size_t)lane * (2u << from->class);
        uint8_t *goal = to->in_frame ? frame_bytes(warp, to_frame, to->at, lane)
                                     : warp->registers + to->at + (size_t)lane * (2u << to->class);
        memcpy(goal, at, bytes);
    }
}

static bool is_passed(const ParamPlace *from, const ParamPlace *to) {
    return from->at != NO_OPERAND && to->at != NO_OPERAND;
}

/* One value, of which nothing else depends. */
static void pass_one(Warp *warp, const ParamPlace *from, uint32_t from_frame, const ParamPlace *to,
                     uint32_t to_frame, uint32_t mask) {
    if (is_passed(from, to))
        pass(warp, from, from_frame, to, to_frame,
             from->in_frame ? NULL : warp->registers + from->at, mask);
}

/* Bytes of a vector of registers; 16 lanes of 4 bytes hold a predicate's word, too. */
static void collect(const Warp *warp, const ParamPlace *from, Parcel *parcel) {
    if (!from->in_frame && from->at != NO_OPERAND)
        memcpy(parcel->lanes, warp->registers + from->at,
               from->class ? (2u << from->class) * WARP_LANES : 4);
}

/* A callee through a pointer takes and gives what the call passes and expects. */
static bool agrees(const ParamPlace *places, uint32_t count, const ParamPlace *given,
                   uint32_t given_count) {
    if (count != given_count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (places[i].bytes != given[i].bytes)
            return false;
    return true;
}

uint64_t call_argument(const Warp *warp, const Call *call, uint32_t index, uint32_t lane) {
    uint64_t value = 0;
    if (index >= call->argument_count)
        return 0;
    const ParamPlace *place = &call->arguments[index];
    if (place->in_frame)
        memcpy(&value, frame_bytes(warp, warp->current->frame, place->at, lane),
               place->bytes < 8 ? place->bytes : 8);
    else
        memcpy(&value, warp->registers + place->at + (size_t)lane * (2u << place->class),
               2u << place->class);
    return value;
}

void call_argument_bytes(const Warp *warp, const Call *call, uint32_t index, uint32_t lane,
                         void *to, uint32_t bytes) {
    memset(to, 0, bytes);
    if (index >= call->argument_count || !call->arguments[index].in_frame)
        return;
    const ParamPlace *place = &call->arguments[index];
    memcpy(to, frame_bytes(warp, warp->current->frame, place->at, lane),
           place->bytes < bytes ? place->bytes : bytes);
}

void call_set_result(const Warp *warp, const Call *call, uint32_t lane, uint64_t value) {
    const ParamPlace *place = call->results;
    if (call->result_count == 0 || place->at == NO_OPERAND)
        return;
    if (place->in_frame)
        memcpy(frame_bytes(warp, warp->current->frame, place->at, lane), &value,
               place->bytes < 8 ? place->bytes : 8);
    else
        memcpy(warp->registers + place->at + (size_t)lane * (2u << place->class), &value,
               2u << place->class);
}

/* ---- calling ---- */

/* Where the callee's frame would have to end. */
static uint32_t stack_limit(const Warp *warp, uint32_t mask) {
    const Program *program = warp->worker->program;
    uint32_t limit = program->stack_bytes;
    if (program->alloca_at == NO_OPERAND)
        return limit;
    const uint32_t *lowest = reg32(warp, program->alloca_at);
    for_lanes(lane, mask) limit = lowest[lane] < limit ? lowest[lane] : limit;
    return limit;
}

static void pass_arguments(Warp *warp, const Call *call, const Routine *callee, uint32_t from_frame,
                           uint32_t to_frame, uint32_t mask) {
    if (call->saved.count == 0) {
        for (uint32_t i = 0; i < call->argument_count; i++)
            pass_one(warp, &call->arguments[i], from_frame, &callee->params[i], to_frame, mask);
        return;
    }
    Parcel parcels[STAGED];
    for (uint32_t i = 0; i < call->argument_count; i++)
        collect(warp, &call->arguments[i], &parcels[i]);
    for (uint32_t i = 0; i < call->argument_count; i++)
        if (is_passed(&call->arguments[i], &callee->params[i]))
            pass(warp, &call->arguments[i], from_frame, &callee->params[i], to_frame,
                 parcels[i].lanes, mask);
}

static Step enter(Warp *warp, Path *path, const Code *code, const Routine *callee) {
    const Program *program = warp->worker->program;
    const Call *call = code->more;
    uint32_t frame = path->frame + call->caller->frame_bytes, end = frame + callee->frame_bytes;
    uint32_t depth = path->activation ? path->activation->depth + 1 : 1;
    if (end > stack_limit(warp, path->mask))
        return warp_fault(warp, code, FAULT_STACK_OVERFLOW, (uint32_t)__builtin_ctz(path->mask), 0,
                          "stack overflow: call number %u in a row needs %u bytes of stack; a "
                          "thread has %u",
                          depth, end, program->stack_bytes);
    Activation *activation = activation_new(warp->worker, call->saved_bytes);
    activation->parent = path->activation;
    activation->call = code;
    activation->routine = callee;
    activation->lanes = path->mask;
    activation->frame = frame;
    activation->caller_frame = path->frame;
    activation->depth = depth;
    activation->order = path->order;
    save(warp, call, activation->saved);
    pass_arguments(warp, call, callee, path->frame, frame, path->mask);
    warp->stack_used = end > warp->stack_used ? end : warp->stack_used;
    path->activation = activation;
    path->frame = frame;
    warp->lasting = 0; /* registers are saved and handed over, on the way back as well */
    path_enter(warp, path, callee->first_block);
    return STEP_NEXT;
}

static uint64_t target_of(const Warp *warp, const Code *code, uint32_t lane) {
    return code->a_class == 2 ? reg64(warp, code->a)[lane] : reg32(warp, code->a)[lane];
}

/* Lanes that call the same function as the first one go; the others come back to the instruction. */
static Step enter_indirectly(Warp *warp, Path *path, const Code *code) {
    const Call *call = code->more;
    uint32_t first = (uint32_t)__builtin_ctz(path->mask), same = 0;
    uint64_t target = target_of(warp, code, first);
    for_lanes(lane, path->mask) same |= (uint32_t)(target_of(warp, code, lane) == target) << lane;
    const Routine *callee = program_routine_at(warp->worker->program, target);
    if (!callee)
        return warp_fault(
            warp, code, target ? FAULT_BAD_CALL : FAULT_NULL, first, target, "call through %s",
            target ? "what is no pointer to a function of this module" : "a null pointer");
    if (!agrees(callee->params, callee->function->params.count, call->arguments,
                call->argument_count) ||
        !agrees(callee->results, callee->function->results.count, call->results,
                call->result_count))
        return warp_fault(warp, code, FAULT_BAD_CALL, first, target,
                          "call of %s with other parameters than it has", callee->function->name);
    if (same != path->mask)
        path_split(warp, path, path->mask & ~same);
    return enter(warp, path, code, callee);
}

Step call_enter(Warp *warp, Path *path, const Code *code) {
    const Call *call = code->more;
    if (call->callee)
        return enter(warp, path, code, call->callee);
    return enter_indirectly(warp, path, code);
}

/* ---- returning ---- */

static void pass_results(Warp *warp, const Activation *activation, uint32_t mask) {
    const Call *call = activation->call->more;
    const ParamPlace *from = activation->routine->results;
    if (call->saved.count == 0) {
        for (uint32_t i = 0; i < call->result_count; i++)
            pass_one(warp, &from[i], activation->frame, &call->results[i], activation->caller_frame,
                     mask);
        return;
    }
    Parcel parcels[STAGED];
    for (uint32_t i = 0; i < call->result_count; i++)
        collect(warp, &from[i], &parcels[i]);
    restore(warp, call, activation->saved, mask);
    for (uint32_t i = 0; i < call->result_count; i++)
        if (is_passed(&from[i], &call->results[i]))
            pass(warp, &from[i], activation->frame, &call->results[i], activation->caller_frame,
                 parcels[i].lanes, mask);
}

bool call_return(Warp *warp, Path *path) {
    const Program *program = warp->worker->program;
    while (path->activation) {
        Activation *activation = path->activation;
        uint32_t at = (uint32_t)(activation->call - program->code);
        pass_results(warp, activation, path->mask);
        warp->lasting = 0;
        path->activation = activation->parent;
        path->frame = activation->caller_frame;
        activation->lanes &= ~path->mask;
        if (activation->lanes == 0)
            activation_free(warp->worker, activation);
        uint32_t next = program->blocks[program->block_of[at]].successor[0];
        if (next != NO_INDEX) {
            path_enter(warp, path, next);
            return true;
        }
    }
    return false;
}

/* ---- memory of a lane ---- */

uint8_t *lane_memory(const Warp *warp, uint32_t lane, uint64_t address, uint64_t *bytes) {
    const Program *program = warp->worker->program;
    uint64_t offset = address - WINDOW_OF(address);
    switch (WINDOW_OF(address)) {
    case WINDOW_LOCAL:
        if (offset >= program->stack_bytes)
            return NULL;
        *bytes = program->stack_bytes - offset;
        return warp->local + (size_t)lane * program->stack_stride + offset;
    case WINDOW_SHARED:
        if (offset < program->shared.first || offset >= warp->cta->shared_end)
            return NULL;
        *bytes = warp->cta->shared_end - offset;
        return warp->cta->shared + offset;
    case 0: {
        const Memory *memory = warp->worker->launch->memory;
        const MemoryBlock *block = memory_find(memory, address, NULL);
        if (!block)
            return NULL;
        launch_reads(warp->worker->launch, block);
        *bytes = block->address + block->bytes - address;
        return memory_host(memory, address);
    }
    default:
        return NULL;
    }
}
