/* work: what a stream does.
 *
 * Invariant: everything that a stream does is a Work: run at once, or, while the stream captures, added to
 * a graph. A graph is a list of Works in an order that obeys its edges. */
#pragma once

#include "cuda/library.h"

/* ---- work.c ---- */

typedef struct Work Work;
typedef struct KernelWork {
    Kernel *kernel;
    CUcontext context;                      /* where it runs */
    uint32_t grid[3], block[3], cluster[3]; /* cluster: zeros without */
    uint32_t dynamic_shared;
    bool cooperative;
    uint8_t *params;
    uint32_t param_bytes;
} KernelWork;

typedef struct SetWork {
    CUdeviceptr to;
    size_t pitch, width, height; /* width: elements */
    uint32_t value, element;     /* bytes of an element: 1, 2, 4 */
} SetWork;

/* Bodies of a conditional node, and where its condition lies in the device's memory. */
typedef struct ConditionalWork {
    CUdeviceptr condition;
    int type;
    uint32_t count;
    CUgraph *bodies;
} ConditionalWork;

/* Waits, writes and barriers, one after the other. */
typedef struct BatchWork {
    uint32_t count;
    const CUstreamBatchMemOpParams *operations;
} BatchWork;

typedef struct WorkKind {
    int node; /* NODE_…: its type in a graph */
    CUresult (*run)(const Work *work);
    bool (*waits)(
        const Work *work); /* whether it may wait for what is done later; NULL: it never does */
} WorkKind;
extern const WorkKind work_kernel, work_copy, work_set, work_host, work_record, work_wait,
    work_graph, work_empty, work_allocate, work_free, work_conditional, work_batch;

struct Work {
    const WorkKind *kind;
    union {
        KernelWork kernel;
        CUDA_MEMCPY3D copy;
        SetWork set;
        struct {
            CUhostFn function;
            void *data;
            size_t bytes;    /* of data, which a graph copies; 0: it is the program's */
            bool of_program; /* the function is: it may wait for anything */
        } host;
        CUevent event;
        CUgraph graph;
        ConditionalWork conditional;
        BatchWork batch;
        struct {
            CUdeviceptr address;
            uint64_t bytes; /* ALLOCATE */
        } memory;           /* FREE, ALLOCATE */
    };
};

/* What every call that enqueues something ends with: does the work, or records it if the stream is
 * capturing. The work's params are copied where they have to last. */
CUresult work_enqueue(CUstream stream, const Work *work);

/* ---- copy.c ---- */

CUresult copy_check(const CUDA_MEMCPY3D *copy);
/* Bytes from a row to the next. Without a pitch rows lie one behind the other, from the beginning of memory on
 * (measured on an H200). */
static inline size_t copy_pitch(size_t pitch, size_t x, const CUDA_MEMCPY3D *copy) {
    return pitch ? pitch : x + copy->WidthInBytes;
}
CUresult set_check(const SetWork *set);

/* ---- launch.c ---- */

/* Checks the configuration as a launch call does and packs the parameters; the caller frees
 * work->params. */
CUresult kernel_work(Kernel *kernel, const CUlaunchConfig *config, bool cooperative, void **params,
                     void **extra, KernelWork *work);
/* attributes.c: into the work; and what is to be done when it is enqueued */
/* Completes the cluster's size of the work by what its kernel requires. A size that the kernel requires may be given
 * again, and no other. */
CUresult launch_cluster_check(KernelWork *work);
CUresult launch_attributes_read(const CUlaunchConfig *config, KernelWork *work);
CUresult launch_attributes_record(const CUlaunchConfig *config);

/* ---- batch.c ---- */

/* The operations stay the caller's. */
CUresult batch_work(const CUDA_BATCH_MEM_OP_NODE_PARAMS *params, Work *work);
