/* Messages of the library in the program, written and read. Both ends are of one build: numbers in the machine's order. */
#include "probe/stream.h"

#include "mem/mem.h"

#include <string.h>

enum { FUNCTION_BYTES_MOST = 1 << 28 };

/* ---- written ---- */

void probe_put_module(Output *out, const ProbeModule *module) {
    output_number(out, PROBE_MESSAGE_MODULE);
    output_number(out, module->hash);
    output_text(out, module->path);
}

static void put_shape(Output *out, const uint32_t grid[3], const uint32_t block[3]) {
    for (uint32_t i = 0; i < 3; i++) {
        output_number(out, grid[i]);
        output_number(out, block[i]);
    }
}

void probe_put_time(Output *out, const ProbeTime *time) {
    output_number(out, PROBE_MESSAGE_TIME);
    output_number(out, time->module);
    output_text(out, time->kernel);
    put_shape(out, time->grid, time->block);
    output_bytes(out, &time->seconds, sizeof time->seconds);
    output_number(out, time->left);
}

static void put_slot(Output *out, const ProbeSlot *slot) {
    output_bytes(out, &slot->key, sizeof slot->key);
    output_number(out, slot->function);
    output_number(out, slot->offset);
    for (uint32_t i = 0; i < PROBE_SUMS; i++)
        output_number(out, slot->sums[i]);
}

static void put_sample(Output *out, const ProbeSample *sample) {
    output_number(out, sample->slot);
    output_number(out, sample->mask);
    output_number(out, sample->block);
    output_number(out, sample->source);
    for_lanes(lane, sample->mask) output_number(out, sample->address[lane]);
}

void probe_put_launch(Output *out, const ProbeLaunch *launch) {
    output_number(out, PROBE_MESSAGE_LAUNCH);
    output_number(out, launch->module);
    output_text(out, launch->kernel);
    output_text(out, launch->gpu);
    output_number(out, launch->device);
    output_number(out, launch->capability);
    output_number(out, launch->multiprocessors);
    put_shape(out, launch->grid, launch->block);
    output_number(out, launch->registers);
    output_number(out, launch->dynamic_shared);
    output_number(out, launch->block_mask);
    output_number(out, launch->sampled);
    output_number(out, launch->together);
    output_number(out, launch->lost);
    output_bytes(out, &launch->seconds, sizeof launch->seconds);
    output_text(out, launch->failed ? launch->failed : "");
    output_number(out, launch->functions.count);
    for (uint32_t i = 0; i < launch->functions.count; i++)
        output_text(out, launch->functions.at[i]);
    output_number(out, launch->slots.count);
    for (uint32_t i = 0; i < launch->slots.count; i++)
        put_slot(out, &launch->slots.at[i]);
    output_number(out, launch->samples.count);
    for (uint32_t i = 0; i < launch->samples.count; i++)
        put_sample(out, &launch->samples.at[i]);
    output_number(out, launch->allocations.count);
    for (uint32_t i = 0; i < launch->allocations.count; i++) {
        output_number(out, launch->allocations.at[i].address);
        output_number(out, launch->allocations.at[i].bytes);
    }
}

/* ---- read ---- */

static void get_bytes(Input *in, void *to, size_t size) {
    in->bad |= (size_t)(in->end - in->at) < size;
    if (in->bad)
        return;
    memcpy(to, in->at, size);
    in->at += size;
}

static void get_shape(Input *in, uint32_t grid[3], uint32_t block[3]) {
    for (uint32_t i = 0; i < 3; i++) {
        grid[i] = input_small(in);
        block[i] = input_small(in);
    }
}

static void get_time(Arena *arena, Input *in, ProbeTime *time) {
    time->module = input_number(in);
    time->kernel = input_text(in, arena);
    get_shape(in, time->grid, time->block);
    time->seconds = input_real(in);
    time->left = input_small(in);
}

static ProbeSlot get_slot(Input *in, uint32_t functions) {
    ProbeSlot slot = {0};
    get_bytes(in, &slot.key, sizeof slot.key);
    slot.function = input_small(in);
    slot.offset = input_number(in);
    in->bad |=
        slot.function != NONE && (slot.function >= functions || slot.offset >= FUNCTION_BYTES_MOST);
    for (uint32_t i = 0; i < PROBE_SUMS; i++)
        slot.sums[i] = input_number(in);
    return slot;
}

static ProbeSample get_sample(Input *in, uint32_t slots) {
    ProbeSample sample = {.slot = input_small(in), .mask = input_small(in)};
    sample.block = input_small(in);
    sample.source = input_small(in);
    in->bad |= sample.slot >= slots || sample.mask == 0;
    for_lanes(lane, sample.mask) sample.address[lane] = input_number(in);
    return sample;
}

static void get_launch(Arena *arena, Input *in, ProbeLaunch *launch) {
    launch->module = input_number(in);
    launch->kernel = input_text(in, arena);
    launch->gpu = input_text(in, arena);
    launch->device = input_small(in);
    launch->capability = input_small(in);
    launch->multiprocessors = input_small(in);
    get_shape(in, launch->grid, launch->block);
    launch->registers = input_small(in);
    launch->dynamic_shared = input_small(in);
    launch->block_mask = input_small(in);
    launch->sampled = input_small(in);
    launch->together = input_small(in);
    launch->lost = input_number(in);
    launch->seconds = input_real(in);
    const char *failed = input_text(in, arena);
    launch->failed = *failed ? failed : NULL;
    for (uint32_t count = input_count(in); count > 0 && !in->bad; count--)
        *vec_add(arena, &launch->functions) = input_text(in, arena);
    for (uint32_t count = input_count(in); count > 0 && !in->bad; count--)
        *vec_add(arena, &launch->slots) = get_slot(in, launch->functions.count);
    for (uint32_t count = input_count(in); count > 0 && !in->bad; count--)
        *vec_add(arena, &launch->samples) = get_sample(in, launch->slots.count);
    for (uint32_t count = input_count(in); count > 0 && !in->bad; count--) {
        ProbeAllocation *allocation = vec_add(arena, &launch->allocations);
        allocation->address = input_number(in);
        allocation->bytes = input_number(in);
    }
}

bool probe_get(Arena *arena, const void *data, size_t size, ProbeMessage *message) {
    Input in = {.at = data, .end = (const uint8_t *)data + size};
    *message = (ProbeMessage){.kind = (ProbeMessageKind)input_small(&in)};
    switch (message->kind) {
    case PROBE_MESSAGE_MODULE:
        message->module.hash = input_number(&in);
        message->module.path = input_text(&in, arena);
        break;
    case PROBE_MESSAGE_LAUNCH:
        get_launch(arena, &in, &message->launch);
        break;
    case PROBE_MESSAGE_TIME:
        get_time(arena, &in, &message->time);
        break;
    default:
        in.bad = true;
    }
    return !in.bad && in.at == in.end;
}
