/* context: what a program chose for a device. */
#pragma once

#include "cuda/core.h"

/* ---- context.c ---- */

enum {
    LIMIT_STACK,
    LIMIT_PRINTF,
    LIMIT_HEAP,
    LIMIT_DEPTH,
    LIMIT_PENDING,
    LIMIT_FETCH,
    LIMIT_PERSISTING,
    LIMIT_SHARED,
    LIMITS = 10
};
struct Context {
    uint32_t tag;
    Device *device;
    uint32_t peers; /* devices whose memory its kernels may access, a bit for each */
    bool primary;
    uint32_t references; /* primary: how often it is retained */
    unsigned flags;
    size_t limits[LIMITS];
    int cache_config;
    unsigned long long id;
    CUgreenCtx green; /* whose context it is; NULL: nobody's */
};
/* Of the current context. */
Device *device_current(void);
/* Whether the handle is one of ours; NULL stands for the current context. */
bool context_valid(CUcontext context);
/* It is one of CUfunc_cache. */
static inline bool cache_config_valid(int config) {
    return config >= 0 && config <= 3;
}
