/* The table of entry points, and those that are not implemented. */
#include "cuda/runtime/calls.h"
#include "cuda/reasons.h"

/* Called with arguments, which it ignores: the ABI lets a function do that. */
#pragma GCC visibility push(default)
#define MISSING(name, reason)                                                                      \
    cudaError name(void);                                                                          \
    cudaError name(void) {                                                                         \
        return rt_missing(#name ": " REASON_##reason);                                             \
    }
#include "cuda/runtime/calls.def"
#pragma GCC visibility pop

typedef void (*Entry)(void);

const RuntimeCall runtime_calls[] = {
#define CALL_OF(type, name, parameters) {#name, (Entry)name, (Entry)name},
#define CALL_12_13(name, parameters_12, parameters_13) {#name, (Entry)name##_12, (Entry)name##_13},
#include "cuda/runtime/calls.def"
};

const uint32_t runtime_call_count = sizeof runtime_calls / sizeof *runtime_calls;
