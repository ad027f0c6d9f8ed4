/* child.h: work that kernels of a launch ask for: see child.c. Private to the layer. */
#pragma once

#include "exec/calls/calls.h"
#include "exec/run/warp.h"

typedef enum ChildWorkKind { CHILD_KERNEL, CHILD_COPY, CHILD_SET } ChildWorkKind;

/* Bytes of `height` rows in each of `depth` slices, `pitch` from row to row. */
typedef struct ChildBytes {
    uint64_t to, from, to_pitch, from_pitch, to_slice, from_slice;
    uint64_t width, height, depth;
    uint8_t value; /* of CHILD_SET */
} ChildBytes;

typedef struct ChildWork ChildWork;
struct ChildWork {
    ChildWork *next;
    ChildWorkKind kind;
    bool tail;         /* when the launching grid and its other work are done */
    uint64_t block;    /* that asked, and which of its requests it is: the order */
    uint32_t sequence; /* of that block's requests */
    Child child;
    ChildBytes bytes;
    uint64_t buffer; /* of a launch to come: where the kernel writes the parameters */
    uint32_t param_bytes;
    uint8_t params[];
};

enum { HANDLE_STREAM = 1, HANDLE_EVENT };

/* pending, host: of Family. */
Children *children_new(const Launch *first, uint32_t pending, const DeviceHost *host);
void children_free(Children *children);
/* A grid with these children has run and is in that row of the profile (NONE: in none). What is to be
 * launched next; NULL: nothing is left. Copies that come before it are done. */
const Child *children_next(Children *children, uint32_t row);
const DeviceHost *children_host(const Children *children);
/* A launch to come, with a buffer for its parameters; NULL: there is no memory for it. */
ChildWork *child_open(Children *children, uint32_t param_bytes);
/* The launch whose parameters were written to the buffer, which is gone then; NULL: there is none. */
ChildWork *child_close(Children *children, uint64_t buffer);
ChildWork *child_work(ChildWorkKind kind, uint32_t param_bytes); /* one without a buffer */
void child_discard(ChildWork *work);                             /* NULL is allowed */
/* The block has asked for it. Errors of CUDA: too much is pending, or it is nested too deeply. */
uint32_t child_add(Children *children, Cta *cta, ChildWork *work);
uint64_t child_handle(Children *children, uint8_t kind);
bool child_has_handle(Children *children, uint64_t handle, uint8_t kind);
bool child_drop_handle(Children *children, uint64_t handle, uint8_t kind);
/* Where a text lies in the device's memory; 0: nowhere. */
uint64_t child_text(Children *children, const char *text);

/* ---- device_calls.c ---- */

/* The function of the CUDA device runtime of that name; NULL: there is none. */
const DeviceCall *device_call_named(const char *name);
const char *device_call_name(uint32_t index); /* of each; NULL: there are no more */
Step exec_device_call(Warp *warp, const Code *code, uint32_t mask);
