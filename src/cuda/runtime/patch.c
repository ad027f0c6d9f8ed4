/* Replacing a CUDA runtime that is linked into a program or library: each of its entry points begins
 * with a jump to ours from then on. This happens before the object's constructors run (loader.c), which
 * register its kernels.
 *
 * A jump to anywhere takes 14 bytes, more than the shortest entry point has; so 5 bytes jump to a
 * page close by that jumps on. */
#include "cuda/foreign.h"
#include "cuda/runtime/calls.h"
#include "cuda/runtime/loader.h"
#include "image/image.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined __x86_64__
enum { NEAR_JUMP_BYTES = 5, FAR_JUMP_BYTES = 14 };
#define REACH_BYTES (UINT64_C(1) << 31) /* of a near jump */
#elif defined __aarch64__
enum { NEAR_JUMP_BYTES = 4, FAR_JUMP_BYTES = 16 };
#define REACH_BYTES (UINT64_C(1) << 27) /* of a near jump */
#else
#error "patching is written for x86-64 and AArch64"
#endif

typedef struct Patcher {
    LoadedObject *object;
    size_t jump_count;
} Patcher;

/* ---- jumps ---- */

static void write_far_jump(uint8_t *at, void (*to)(void)) {
    uint64_t address = (uint64_t)(uintptr_t)to;
#if defined __x86_64__
    static const uint8_t code[] = {0xff, 0x25, 0, 0, 0, 0}; /* jmp *0(%rip) */
#else
    static const uint32_t code[] = {0x58000050, 0xd61f0200}; /* ldr x16, .+8; br x16 */
#endif
    memcpy(at, code, sizeof code);
    memcpy(at + sizeof code, &address, sizeof address);
}

/* What jumps to `to` where it stands at `at`. */
static void near_jump(const uint8_t *at, const uint8_t *to, uint8_t code[NEAR_JUMP_BYTES]) {
#if defined __x86_64__
    int32_t distance = (int32_t)(to - (at + NEAR_JUMP_BYTES));
    code[0] = 0xe9; /* jmp rel32 */
    memcpy(code + 1, &distance, sizeof distance);
#else
    uint32_t jump = 0x14000000u | ((uint32_t)((to - at) / 4) & 0x03ffffffu); /* b */
    memcpy(code, &jump, sizeof jump);
#endif
}

static void write_near_jump(uint8_t *at, const uint8_t *to) {
    near_jump(at, to, at);
    __builtin___clear_cache((char *)at, (char *)at + NEAR_JUMP_BYTES);
}

static uint8_t *reserve_at(uintptr_t at, size_t bytes) {
    void *got = mmap((void *)at, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (got != (void *)at && got != MAP_FAILED)
        munmap(got, bytes);
    return got == (void *)at ? got : NULL;
}

/* Room for a jump to every entry point, as close to the object as addresses are free: behind it, or, since libraries often lie below
 * those that came earlier, before it. The object itself must be within reach, too. */
static uint8_t *reserve_jumps(const LoadedObject *object) {
    enum { STEP = 1 << 16, NEAR = 1 << 26 };
    size_t bytes = runtime_call_count * FAR_JUMP_BYTES, span = object->end - object->base;
    uintptr_t end = (object->end + STEP - 1) & ~(uintptr_t)(STEP - 1),
              begin = (object->base - bytes) & ~(uintptr_t)(STEP - 1);
    for (uint64_t offset = 0; offset + span + bytes + STEP < REACH_BYTES;
         offset += offset < NEAR ? STEP : NEAR / 4) {
        uint8_t *got = reserve_at(end + offset, bytes);
        if (!got && offset < begin)
            got = reserve_at(begin - offset, bytes);
        if (got)
            return got;
    }
    return NULL;
}

bool set_protection(const void *at, size_t bytes, int protection) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = (uintptr_t)at & ~(page - 1);
    return mprotect((void *)first, (uintptr_t)at + bytes - first, protection) == 0;
}

static void redirect(Patcher *patcher, uint8_t *function, void (*to)(void)) {
    LoadedObject *object = patcher->object;
    if (!object->jumps)
        object->jumps = reserve_jumps(object);
    if (!object->jumps)
        return;
    if (!object->first)
        object->first = function;
    uint8_t *jump = object->jumps + patcher->jump_count++ * FAR_JUMP_BYTES;
    write_far_jump(jump, to);
    if (set_protection(function, NEAR_JUMP_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC)) {
        write_near_jump(function, jump);
        set_protection(function, NEAR_JUMP_BYTES, PROT_READ | PROT_EXEC);
    }
}

bool patch_function(uint8_t *function, void (*to)(void)) {
    LoadedObject here = {.base = (uintptr_t)function, .end = (uintptr_t)function};
    uint8_t *jump = reserve_jumps(&here), code[sizeof(uint64_t)];
    uint64_t whole;
    bool writable =
        jump && set_protection(function, sizeof code, PROT_READ | PROT_WRITE | PROT_EXEC);
    if (writable) {
        write_far_jump(jump, to);
        set_protection(jump, FAR_JUMP_BYTES, PROT_READ | PROT_EXEC);
        memcpy(code, function, sizeof code);
        near_jump(function, jump, code);
        memcpy(&whole, code, sizeof whole);
        __atomic_store_n((uint64_t *)(void *)function, whole, __ATOMIC_RELEASE);
        __builtin___clear_cache((char *)function, (char *)function + sizeof code);
        set_protection(function, sizeof code, PROT_READ | PROT_EXEC);
    } else if (jump) {
        munmap(jump, runtime_call_count * FAR_JUMP_BYTES);
    }
    return writable;
}

void unpatch_object(LoadedObject *object) {
    foreign_forget(object->base);
    if (object->jumps)
        munmap(object->jumps, runtime_call_count * FAR_JUMP_BYTES);
    object->jumps = NULL;
    object->first = NULL;
}

bool is_unpatched(const LoadedObject *object) {
    uint8_t code[NEAR_JUMP_BYTES];
    if (!object->first)
        return false;
    near_jump(object->first, object->jumps, code);
    return memcmp(object->first, code, sizeof code) != 0;
}

/* ---- entry points ---- */

static int by_name(const void *key, const void *item) {
    const Str *name = key;
    const char *other = ((const RuntimeCall *)item)->name;
    int order = strncmp(name->at, other, name->length);
    return order ? order : other[name->length] ? -1 : 0;
}

static const RuntimeCall *call_named(Str name) {
    return bsearch(&name, runtime_calls, runtime_call_count, sizeof *runtime_calls, by_name);
}

/* The object cannot be asked: it may not be relocated yet. cudaThreadExit went with CUDA 13. */
static bool is_runtime_12(const LinkedRuntime *runtime) {
    for (uint32_t i = 0; i < runtime->entries.count; i++)
        if (str_is(runtime->entries.at[i].name, "cudaThreadExit"))
            return true;
    return false;
}

static void patch_runtime(Patcher *patcher, const LinkedRuntime *runtime) {
    LoadedObject *object = patcher->object;
    bool is_12 = is_runtime_12(runtime);
    for (uint32_t i = 0; i < runtime->entries.count; i++) {
        const RuntimeEntry *entry = &runtime->entries.at[i];
        const RuntimeCall *call = call_named(entry->name);
        if (call && entry->size >= NEAR_JUMP_BYTES && patcher->jump_count < runtime_call_count)
            redirect(patcher, (uint8_t *)(object->base + entry->address),
                     is_12 ? call->in_12 : call->in_13);
    }
    if (object->jumps)
        set_protection(object->jumps, runtime_call_count * FAR_JUMP_BYTES, PROT_READ | PROT_EXEC);
}

void patch_object(LoadedObject *object, const Elf *elf) {
    Arena *arena = arena_new();
    Patcher patcher = {.object = object};
    LinkedRuntime runtime;
    if (linked_runtime(arena, elf, &runtime))
        patch_runtime(&patcher, &runtime);
    if (runtime.missing.count)
        foreign_note(object->base, object->end, object->path, linked_missing(arena, &runtime));
    arena_free(arena);
}
