/* Which devices a program sees: those of the machine (`--devices`), or what CUDA_VISIBLE_DEVICES takes of
 * them, in its order. What each of them owns begins here. */
#include "cuda/context.h"
#include "cuda/device.h"
#include "cuda/handle.h"
#include "cuda/pool.h"
#include "cuda/state.h"
#include "cuda/stream.h"

#include <stdlib.h>
#include <string.h>

void device_pci_id(uint32_t physical, char id[PCI_ID_BYTES]) {
    snprintf(id, PCI_ID_BYTES, "0000:%02x:00.0", (physical + 1) & 0xff);
}

/* Made of the GPU's name and the number: the same from run to run. */
void device_uuid(const Gpu *gpu, uint32_t physical, uint8_t uuid[UUID_BYTES]) {
    const char *name = gpu->name;
    uint64_t hash[2] = {bytes_hash(name, strlen(name), 1 + 2 * physical),
                        bytes_hash(name, strlen(name), 2 + 2 * physical)};
    memcpy(uuid, hash, sizeof hash);
}

/* ---- CUDA_VISIBLE_DEVICES (what it means in each case was measured on two H200s) ---- */

static uint8_t hex_of(char digit) {
    return (uint8_t)(digit <= '9' ? digit - '0' : (digit | 32) - 'a' + 10);
}

/* Whether the text, up to a comma, is the beginning of a device's UUID, "GPU-54d1af07-6d31…". */
static bool begins_uuid(const char *text, const Gpu *gpu, uint32_t physical) {
    uint8_t uuid[UUID_BYTES];
    uint32_t digits = 0;
    device_uuid(gpu, physical, uuid);
    for (text += strlen("GPU-"); *text && *text != ','; text++) {
        if (*text == '-')
            continue;
        uint8_t byte = digits < 2 * UUID_BYTES ? uuid[digits / 2] : 0;
        uint8_t wanted = digits % 2 ? byte & 15 : byte >> 4;
        if (!strchr("0123456789abcdefABCDEF", *text) || hex_of(*text) != wanted)
            return false;
        digits++;
    }
    return digits > 0;
}

/* The machine's device that an item of the list names; NONE: it ends the list. `uuids`: the first item was one, and
 * the two kinds do not mix. */
static uint32_t device_named(const char *item, const Settings *settings, bool uuids) {
    uint32_t count = settings->devices;
    if (uuids) {
        uint32_t found = NONE, fitting = 0;
        for (uint32_t i = 0; i < count && strncmp(item, "GPU-", 4) == 0; i++) {
            if (!begins_uuid(item, settings->gpu, i))
                continue;
            found = i;
            fitting++;
        }
        return fitting == 1 ? found : NONE;
    }
    char *end;
    long number = strtol(item, &end, 10);
    return end != item && number >= 0 && number < (long)count ? (uint32_t)number : NONE;
}

static CUresult choose(const char *visible, const Settings *settings, uint32_t chosen[DEVICES_MOST],
                       uint32_t *chosen_count) {
    bool uuids = strncmp(visible, "GPU-", 4) == 0;
    while (visible) {
        uint32_t device = device_named(visible, settings, uuids);
        if (device == NONE)
            break;
        for (uint32_t i = 0; i < *chosen_count; i++) {
            if (chosen[i] != device)
                continue;
            *chosen_count = 0;
            return CUDA_ERROR_INVALID_DEVICE; /* named twice */
        }
        chosen[(*chosen_count)++] = device;
        visible = strchr(visible, ',');
        visible += visible != NULL;
    }
    return *chosen_count ? CUDA_SUCCESS : CUDA_ERROR_NO_DEVICE;
}

/* ---- what they own ---- */

/* What an H200 has (tests/cuda_runtime/measured/facts.txt). */
void context_init(CUcontext context, Device *device, const Gpu *gpu, unsigned flags, uint64_t id) {
    *context = (struct Context){.tag = TAG_CONTEXT,
                                .device = device,
                                .primary = context->primary,
                                .references = context->references,
                                .flags = flags,
                                .id = id};
    size_t *limits = context->limits;
    limits[LIMIT_STACK] = 1024;
    limits[LIMIT_PRINTF] = (size_t)gpu->sms << 16;
    limits[LIMIT_HEAP] = 8u << 20;
    limits[LIMIT_DEPTH] = 2;
    limits[LIMIT_PENDING] = 2048;
    limits[LIMIT_FETCH] = 64;
    limits[LIMIT_PERSISTING] = gpu_persisting_l2(gpu) / 10 * 3;
    limits[LIMIT_SHARED] = gpu->shared_per_block_optin;
}

static void make(Core *core, Device *device, CUdevice ordinal, uint32_t physical) {
    device->ordinal = ordinal;
    device->physical = physical;
    pool_init(&device->pool, device);
    device->pool.next = core->pools;
    core->pools = &device->pool;
    device->current_pool = &device->pool;
    device->primary.primary = true;
    context_init(&device->primary, device, core->settings.gpu, 0, ++core->numbers);
    for (uint32_t i = 0; i < 2; i++)
        device->streams[i] =
            (struct Stream){.tag = TAG_STREAM, .id = ++core->numbers, .context = &device->primary};
}

/* One is made even if none is visible: calls that ask before they are refused find a context. */
void devices_make(Core *core, const char *visible) {
    uint32_t chosen[DEVICES_MOST], there = core->settings.devices;
    for (uint32_t i = 0; i < there; i++)
        chosen[i] = i;
    core->device_count = visible ? 0 : there;
    if (visible)
        core->devices_error = choose(visible, &core->settings, chosen, &core->device_count);
    make(core, &core->devices[0], 0, chosen[0]);
    for (uint32_t i = 1; i < core->device_count; i++)
        make(core, &core->devices[i], (CUdevice)i, chosen[i]);
}
