/* The table of entry points, and those that are not implemented. */
#include "cuda/runtime/calls.h"

#pragma GCC visibility push(default)
#define CALL(name)
#define CALL_12_13(name)
#define MISSING(name) cudaError name(void);
#include "cuda/runtime/calls.def"
#undef MISSING

/* Called with arguments, which it ignores: the ABI lets a function do that. */
#define MISSING(name)                                                                              \
    cudaError name(void) {                                                                         \
        return rt_missing(#name);                                                                  \
    }
#include "cuda/runtime/calls.def"
#undef CALL
#undef CALL_12_13
#undef MISSING
#pragma GCC visibility pop

typedef void (*Entry)(void);

const RuntimeCall runtime_calls[] = {
#define CALL(name) {#name, (Entry)name, (Entry)name},
#define CALL_12_13(name) {#name, (Entry)name##_12, (Entry)name##_13},
#define MISSING(name) {#name, (Entry)name, (Entry)name},
#include "cuda/runtime/calls.def"
#undef CALL
#undef CALL_12_13
#undef MISSING
};

const uint32_t runtime_call_count = sizeof runtime_calls / sizeof *runtime_calls;
