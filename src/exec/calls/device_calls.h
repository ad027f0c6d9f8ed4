/* What the files of the CUDA device runtime share: device_calls.c (launches, streams, events, errors),
 * device_copies.c, device_questions.c. A call takes its arguments from the Caller and returns a
 * cudaError_t or, where device_calls.def says so, its value. */
#ifndef EXEC_DEVICE_CALLS_H
#define EXEC_DEVICE_CALLS_H

#include "exec/calls/child.h"

/* Of cudaError_t, driver_types.h. */
enum {
    SUCCESS = 0,
    INVALID_VALUE = 1,
    OUT_OF_MEMORY = 2,
    INVALID_CONFIGURATION = 9,
    INVALID_FUNCTION = 98,
    INVALID_DEVICE = 101,
    INVALID_HANDLE = 400,
    NOT_SUPPORTED = 801
};
enum { STREAM_NULL = 0, STREAM_PER_THREAD = 2, STREAM_TAIL = 3, STREAM_FORGET = 4 };
enum { STREAM_NON_BLOCKING = 1, EVENT_DISABLE_TIMING = 2 };

/* One lane that calls. */
typedef struct Caller {
    Warp *warp;
    const Code *code;
    const Call *call;
    Children *children;
    uint32_t lane;
    bool faulted; /* and the worker has the fault */
} Caller;

typedef uint64_t (*CallFunction)(Caller *caller);
#define PREFIX "__cudaCDP2"
struct DeviceCall {
    const char *name; /* with PREFIX; for people it is cudaNAME */
    CallFunction function;
    enum { RESULT_ERROR, RESULT_VALUE } result;
};

/* ---- caller.c ---- */

uint64_t caller_argument(const Caller *caller, uint32_t index);
uint32_t caller_argument32(const Caller *caller, uint32_t index);
/* The call cannot be made: a fault of the kernel, at this address. */
uint64_t caller_fault(Caller *caller, uint64_t address, const char *what);
/* Writes what the index-th argument points to. */
uint64_t caller_answer(Caller *caller, uint32_t index, const void *value, uint32_t bytes);
bool caller_has_stream(const Caller *caller, uint64_t stream);
/* NULL: there is no kernel at this address. */
const Function *caller_kernel_at(const Caller *caller, uint64_t address);

/* ---- device_copies.c ---- */

uint64_t device_copy(Caller *caller);
uint64_t device_copy_2d(Caller *caller);
uint64_t device_copy_3d(Caller *caller);
uint64_t device_set(Caller *caller);
uint64_t device_set_2d(Caller *caller);
uint64_t device_set_3d(Caller *caller);
uint64_t device_allocate(Caller *caller);
uint64_t device_release(Caller *caller);

/* ---- device_questions.c ---- */

uint64_t device_get_device(Caller *caller);
uint64_t device_count_devices(Caller *caller);
uint64_t device_get_attribute(Caller *caller);
uint64_t device_get_limit(Caller *caller);
uint64_t device_get_zero(Caller *caller);
uint64_t device_get_version(Caller *caller);
uint64_t device_get_function_attributes(Caller *caller);
uint64_t device_get_occupancy(Caller *caller);

#endif
