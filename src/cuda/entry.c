/* Finding entry points by name, and those that do nothing. */
#include "cuda/core.h"
#include "cuda/foreign.h"
#include "cuda/reasons.h"

#include <string.h>

/* ---- entry points that are IGNORED or UNSUPPORTED in api.def ----
 * They look at no argument, so one signature fits all: the ABI lets a caller pass more. */

#define IGNORED(name, since)                                                                       \
    CUresult name(void);                                                                           \
    CUresult name(void) {                                                                          \
        return CUDA_SUCCESS;                                                                       \
    }
#define UNSUPPORTED(name, since, reason)                                                           \
    CUresult name(void);                                                                           \
    CUresult name(void) {                                                                          \
        return core_unsupported(#name ": " REASON_##reason);                                       \
    }
/* A second name is a jump to the first one. */
#if defined(__x86_64__)
#define JUMP "jmp "
#elif defined(__aarch64__)
#define JUMP "b "
#endif
#define ALIAS(name, since, target)                                                                 \
    __asm__(".text\n.globl " #name "\n.type " #name ", @function\n" #name ": " JUMP #target "\n"); \
    CUresult name(void);
#include "cuda/api.def"

/* ---- the table ---- */

typedef void (*EntryFunction)(void);
typedef struct EntryPoint {
    const char *name;
    int since;
    bool there;
    EntryFunction function;
} EntryPoint;

static const EntryPoint entry_points[] = {
#define CALL(name, since, parameters) {#name, since, true, (EntryFunction)name},
#define IGNORED(name, since) {#name, since, true, (EntryFunction)name},
#define UNSUPPORTED(name, since, reason) {#name, since, false, (EntryFunction)name},
#define ALIAS(name, since, target) {#name, since, true, (EntryFunction)name},
#include "cuda/api.def"
};
enum { ENTRY_POINTS = sizeof entry_points / sizeof entry_points[0] };

/* Whether a name is `plain`, perhaps with _v2 and the like, and _ptds or _ptsz if `thread`. */
static bool is_named(const char *name, const char *plain, bool thread) {
    size_t length = strlen(plain);
    if (strncmp(name, plain, length) != 0)
        return false;
    name += length;
    if (name[0] == '_' && name[1] == 'v' && name[2] >= '1' && name[2] <= '9' &&
        (name[3] == 0 || name[3] == '_'))
        name += 3;
    return thread ? strcmp(name, "_ptds") == 0 || strcmp(name, "_ptsz") == 0 : *name == 0;
}

/* The newest of a name's ABIs that a program built with CUDA `version` may know. An unsupported one
 * is found, too: it reports itself when it is called. */
static const EntryPoint *newest(const char *plain, int version, bool thread) {
    const EntryPoint *best = NULL;
    for (int i = 0; i < ENTRY_POINTS; i++) {
        const EntryPoint *one = &entry_points[i];
        if (one->since <= version && is_named(one->name, plain, thread) &&
            (!best || one->since >= best->since))
            best = one;
    }
    return best;
}

enum { FIND_LEGACY = 1, FIND_PER_THREAD = 2 };
enum { FOUND, SYMBOL_NOT_FOUND, VERSION_NOT_SUFFICIENT };

CUresult cuGetProcAddress_v2(const char *symbol, void **function, int version, uint64_t flags,
                             int *status) {
    if (!symbol || !function || (flags & ~(uint64_t)(FIND_LEGACY | FIND_PER_THREAD)))
        return CUDA_ERROR_INVALID_VALUE;
    const EntryPoint *found = flags & FIND_PER_THREAD ? newest(symbol, version, true) : NULL;
    if (!found)
        found = newest(symbol, version, false);
    bool exists = found || newest(symbol, DRIVER_VERSION, false);
    *function = NULL;
    if (found)
        memcpy(function, &found->function, sizeof *function);
    if (status)
        *status = found ? FOUND : exists ? VERSION_NOT_SUFFICIENT : SYMBOL_NOT_FOUND;
    return found || status ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuGetProcAddress(const char *symbol, void **function, int version, uint64_t flags) {
    return cuGetProcAddress_v2(symbol, function, version, flags, NULL);
}

/* These tables are not documented. NVIDIA's CUDA runtime asks for them, and NVIDIA's compilers. */
CUresult cuGetExportTable(const void **table, const CUuuid *id) {
    (void)id;
    foreign_call(__builtin_return_address(0));
    if (table)
        *table = NULL;
    return CUDA_ERROR_NOT_SUPPORTED;
}
