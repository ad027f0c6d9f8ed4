/* objects: what the handles of the driver API point to, and how work is done on them. For the files
 * of this layer alone.
 *
 * Invariants
 *   - Each object begins with a tag; a handle whose object has another one is refused.
 *   - Objects of which programs make many (streams, events) are kept for the next one of their kind
 *     when they are destroyed, so that a stale handle is read as such and not as something else.
 *   - Everything that a stream does is a Work: run at once, or, while the stream captures, added to
 *     a graph. A graph is a list of Works in an order that obeys its edges. */
#pragma once

#include "cuda/core.h"
#include "exec/texture/texture.h"
#include "ptx/ptx.h"

#include <signal.h>

enum ObjectTag {
    TAG_NONE, /* destroyed */
    TAG_LOST, /* gone with its context */
    TAG_LOST_STREAM,
    TAG_CONTEXT = 0x77630001,
    TAG_LIBRARY,
    TAG_KERNEL,
    TAG_STREAM,
    TAG_EVENT,
    TAG_POOL,
    TAG_GRAPH,
    TAG_NODE,
    TAG_EXEC,
    TAG_USER_OBJECT,
    TAG_LINK,
    TAG_ARRAY,
    TAG_MIPMAPPED,
    TAG_PHYSICAL,
    TAG_GREEN,
    TAG_RESOURCE
};
#define IS(handle, wanted) ((handle) && (handle)->tag == (wanted))
/* The error for a handle that names no living object (measured on an H200). */
static inline CUresult handle_error(const void *handle) {
    uint32_t tag = handle ? *(const uint32_t *)handle : TAG_NONE;
    return tag == TAG_LOST          ? CUDA_ERROR_CONTEXT_IS_DESTROYED
           : tag == TAG_LOST_STREAM ? CUDA_ERROR_INVALID_CONTEXT
                                    : CUDA_ERROR_INVALID_HANDLE;
}

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

/* ---- library.c: PTX texts to kernels and variables ---- */

/* One PTX text of a library. Its variables are placed when a kernel or a variable of the library is
 * asked for; each kernel's body is parsed when that one is. */
typedef struct Unit {
    PtxText ptx;
    PtxIndex *index;
    Module *variables;                  /* NULL: not parsed yet */
    LoadedModule *loaded[DEVICES_MOST]; /* NULL: its variables have no places there */
    LoadedModule *managed;              /* where the managed ones are; NULL: nowhere yet */
} Unit;

typedef struct Kernel Kernel;
typedef struct Library Library;
typedef struct OldLaunch OldLaunch;
struct Library {
    uint32_t tag;
    CUcontext context; /* of a module: with which it goes; NULL: a library */
    Arena *arena;      /* of all below, but for the kernels themselves */
    Diags *diags;
    VEC(Unit) units;
    Kernel **kernels; /* one for each .entry of the units, in their order */
    uint32_t kernel_count;
    Map *by_name;                      /* to the first kernel of that name */
    bool placed[DEVICES_MOST], failed; /* the variables have addresses; or cannot get any */
    Library *next;
};
/* A context goes: its modules go with it, and libraries lose what they have in it. */
void libraries_leave(CUcontext context);

/* What a thread of it takes of the GPU: estimated from the PTX, until a program asks. */
typedef struct KernelResources {
    uint32_t registers, local_bytes;
    bool asked; /* as ptxas says; or nobody can say */
} KernelResources;

typedef struct CountedLaunch CountedLaunch;

/* It stays, without its tag, when its library goes: graphs and programs may still name it. */
struct Kernel {
    uint32_t tag;
    uint32_t unit;
    Library *library;
    const char *name;
    const Function *function;  /* what is executed of it; NULL: not parsed yet */
    PreparedKernel **prepared; /* [devices], once it is parsed; NULL: not launched there yet */
    bool failed;               /* to be parsed or prepared: told once */
    bool selected;             /* --kernel: profiled; known once it is parsed */
    bool counts_only;          /* --counts-only, likewise */
    bool may_wait;             /* for a store of the host, or of another launch */
    bool decided;              /* whether function is its PTX or its machine code */
    uint64_t launches;
    CountedLaunch *counted; /* with --once: those that others may repeat */
    KernelResources resources;
    Relayout *relayouts;      /* that WARPLENS_LAYOUTS asks for */
    uint64_t evidence_period; /* likewise; 0: as usual */
    OldLaunch *old;           /* launch_old.c; NULL: nothing was set */
    uint32_t relayout_count;
    int max_dynamic_shared, carveout, cache_config;
    int cluster[FUNC_ATTRIBUTE_MAX - FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET]; /* attributes */
};
/* ---- kernel_facts.c ---- */

void kernel_settle(Kernel *kernel);
/* As on the GPU where there is a ptxas, which takes a tenth of a second the first time. */
const KernelResources *kernel_resources(Kernel *kernel);

/* ---- kernel_machine.c ---- */

/* Before its first launch that is recorded: others may have prepared its PTX, which is forgotten if its machine code is asked
 * for. */
void kernel_decide(Kernel *kernel);
/* At its first launch that is recorded: what is executed from now on is its machine code, if that was asked for and can be;
 * *why says why not. false: then nothing is to be. Takes as long as ptxas. */
bool kernel_take_machine_code(Kernel *kernel, const char **why);

/* ---- once.c ---- */

/* The launch that this one repeats; NULL: none is known. */
const CountedLaunch *once_find(const Kernel *kernel, const Launch *launch);
/* Before a launch that is counted, and that then tells what it reads; NULL: it cannot be remembered. */
CountedLaunch *once_begin(const Kernel *kernel, Launch *launch);
/* It has run, as the recorder's launch of that number: others may repeat it. */
void once_end(Kernel *kernel, CountedLaunch *counted, Memory *memory, uint64_t number);
void once_drop(CountedLaunch *counted); /* it is not to be repeated; NULL is allowed */
uint64_t once_number(const CountedLaunch *counted);

/* ---- hint_ranges.c: what is said about managed memory; under the core's lock ---- */

typedef struct Hint {
    CUmemLocation preferred, prefetched;
    uint32_t accessed; /* bits of devices */
    bool read_mostly, by_host;
} Hint;
typedef struct HintRange HintRange;
struct HintRange {
    uint64_t address, end;
    Hint hint;
    HintRange *next; /* behind it */
};
/* Ranges that are just the bytes from address to end: the first of them. */
HintRange *hints_cover(uint64_t address, uint64_t end);
void hints_forget(uint64_t address, uint64_t bytes);

/* ---- unmade.c: --counts-only ---- */

/* Memory whose values were not computed. */
typedef struct Unmade Unmade;
typedef struct Orders Orders;
/* A launch, while it runs. */
typedef struct UnmadeLaunch {
    const Kernel *kernel;
    Unmade *written; /* by blocks that stood for all */
    ReadSet reads;
} UnmadeLaunch;
/* Before a launch and after it; watched stays where it is between them. */
void unmade_begin(UnmadeLaunch *watched, const Kernel *kernel, Launch *launch);
bool unmade_written(UnmadeLaunch *watched, const MemoryBlock *block); /* false: no memory */
void unmade_end(UnmadeLaunch *watched, Launch *launch, const LaunchResult *result);
/* Whether the bytes were not computed; then who reads them has faulted. */
bool unmade_read(const char *who, uint64_t address, uint64_t bytes);
void unmade_forget(uint64_t address, uint64_t bytes); /* they are written, or released */

/* ---- placed.c ---- */

CUresult kernel_parse(Kernel *kernel);
/* Takes back what placing a library on a device gave it: it is placed anew when it is used again. Managed
 * variables are the process's: they keep their places and values. No kernel runs. */
void library_displace(Library *library, const Device *device);
void library_clear(Library *library); /* on all devices, and its managed variables: it goes */
/* Gives its variables places on a device, if they have none; false: that cannot be done. */
bool library_place(Library *library, const Device *device);
/* Where a library's variable lies; CUDA_ERROR_NOT_FOUND. */
CUresult library_variable(CUlibrary library, const char *name, bool managed, CUdeviceptr *address,
                          size_t *bytes);

/* ---- link.c ---- */

/* What a compiler would have to say to a program that gave it options: nothing, and at once. */
void jit_answer(unsigned count, const int *options, void **values);

/* ---- sources.c ---- */

/* The texts that source_note has kept, for files that the profile has got since the last time. */
void sources_fill(Core *core, Profile *profile);

/* ---- layouts.c ---- */

void kernel_find_layouts(Kernel *kernel);

/* ---- results.c: what a program has computed, for a comparison with another run of it ---- */

uint64_t words_hash(const void *data, size_t size, uint64_t hash);
void results_copy(Core *core, const CUDA_MEMCPY3D *copy);          /* that left the device */
void results_memory(Core *core, uint64_t address, uint64_t bytes); /* before it is released */
void results_end(Core *core); /* of the process: memory that was not released */

/* ---- orders.c ---- */

void orders_launched(Core *core, const Kernel *kernel); /* where Settings.orders is set */

/* ---- allocate.c ---- */

typedef enum MemoryKind {
    KIND_DEVICE,
    KIND_HOST,
    KIND_MANAGED,
    KIND_REGISTERED,
    KIND_VARIABLE,
    KIND_MAPPED, /* virtual.c */
    KIND_SHARED, /* by another process: share.c */
    KINDS
} MemoryKind;

/* kinds.c: "device" */
const char *memory_kind_name(MemoryKind kind);

/* The code outside of this library that has led to the call, the innermost first; NULL behind the last. */
enum { CALLERS = 4 };
typedef struct Callers {
    const void *code[CALLERS];
} Callers;

typedef struct AllocationRecord {
    uint64_t address; /* first: the key */
    uint64_t bytes, number;
    MemoryKind kind;
    unsigned flags;
    CUmemoryPool pool; /* NULL: none */
    CUcontext context;
    Callers by;                    /* who asked for it; none: nobody wants to know */
    struct AllocationRecord *next; /* spare */
    uint32_t graphs;  /* that allocate it when they run, and so keep it for the next time */
    bool freed;       /* but graphs keep it */
    bool synchronous; /* what is copied to or from it is to be awaited: kept for who asks */
    char name[40];
} AllocationRecord;

CUresult allocate(MemoryKind kind, size_t bytes, unsigned flags, CUmemoryPool pool,
                  CUdeviceptr *address);
CUresult release(CUdeviceptr address, MemoryKind kind);
void allocations_release(CUcontext context); /* those that were made in it */
/* Where the program released what lay at this address, for a fault there; NULL: nobody knows. */
const char *allocation_released(Arena *arena, uint64_t address);
/* Memory that is not taken from the device's: kernels may access it from now on, or no more. */
CUresult allocation_adopt(MemoryKind kind, void *host, size_t bytes, unsigned flags,
                          CUmemoryPool pool);
void allocation_forget(CUdeviceptr address);
void allocations_share(CUmemoryPool pool); /* with the devices that it is shared with now */
/* A graph with a node that allocates at this address comes, or goes. */
void allocation_keep(CUdeviceptr address, bool keep);
void allocation_synchronize(CUdeviceptr address, bool synchronous);
/* Copies what is known of the allocation that holds address; false: none does. */
bool allocated_find(CUdeviceptr address, AllocationRecord *found);

/* ---- owner.c: whose code lies at an address of this process ---- */

/* The file name of the object that it lies in. */
const char *owner_name(Arena *arena, const void *address);
/* The innermost code on the thread's stack that is not this library's: the program's; NULL: there is none. */
const void *owner_caller(void);
Callers owner_callers(void);
/* Of code that has faulted, from its place on, without the C library's; ours: code of warplens called it. */
Callers owner_callers_at(const void *code, bool *ours);
/* Where code is, for a person: file and line where there are debug information and addr2line. */
typedef struct CodePlace {
    const char *text; /* "/a/k.cu:7, in main"; NULL: in no file of code */
    const char *file; /* NULL: not known */
    uint32_t line;
} CodePlace;
CodePlace owner_place(Arena *arena, const void *code);
/* The innermost that is not in a header of the toolkit, which has wrappers, nor the host's function of that name for a kernel (without
 * template arguments and parameters; NULL: none is launched). */
CodePlace owner_place_of(Arena *arena, const Callers *callers, const char *kernel);

/* ---- ranges.c ---- */

typedef struct StartedRange StartedRange;
/* The ranges that this thread is in, "epoch 1/forward"; NULL: none. */
const char *range_path(Arena *arena);

/* ---- share.c, virtual.c ---- */

typedef struct SharedMapping SharedMapping;
typedef struct Reservation Reservation;
typedef struct Mapping Mapping;
bool shared_of_pool(CUdeviceptr address);   /* it came from another process, as a pool's */
CUresult shared_close(CUdeviceptr address); /* of memory of another process, opened here */

/* ---- pool.c ---- */

/* What came from a pool, and what the pool holds for it in whole pieces of POOL_STEP, as a GPU's does: pieces
 * that nobody uses go back when the program waits for a stream, down to the threshold. */
struct Pool {
    uint32_t tag;
    Device *device;
    uint32_t shared; /* other devices that may access its memory, a bit for each */
    CUmemPoolProps properties;
    bool imported; /* from another process: what is in it comes as pointers */
    uint64_t name; /* of pools that processes share, in all of them */
    uint64_t threshold, used, used_most, reserved, reserved_most;
    int reuse[3];
    CUmemoryPool next; /* of all */
};
static inline void pool_init(CUmemoryPool pool, Device *device) {
    *pool = (struct Pool){
        .tag = TAG_POOL,
        .device = device,
        .properties = {.allocType = ALLOCATION_PINNED, .location = {.type = LOCATION_DEVICE}},
        .reuse = {1, 1, 1}};
}
/* pool_account.c */
uint64_t pool_stepped(uint64_t bytes);
void pool_take(CUmemoryPool pool, uint64_t bytes);
void pool_shrink(CUmemoryPool pool, uint64_t keep); /* to what is used, and to `keep` at least */
void pool_give(CUmemoryPool pool, uint64_t bytes);  /* back */
void graph_memory_take(uint64_t bytes); /* a graph's node has allocated so much, or freed it */
void graph_memory_give(uint64_t bytes);
void pools_settle(void); /* the program has waited for its work */

/* ---- array.c ---- */

/* A CUDA array: its texels lie in memory of the device, row by row. */
struct Array {
    uint32_t tag;
    CUDA_ARRAY3D_DESCRIPTOR descriptor;
    Image image;
    uint64_t row_bytes; /* that count */
    uint32_t slices;
    CUmipmappedArray level_of; /* NULL: an array of its own */
};
struct MipmappedArray {
    uint32_t tag;
    uint32_t level_count;
    struct Array levels[TEXTURE_LEVELS];
};

/* ---- texture.c ---- */

/* What a texture or surface object was made of: programs may ask for it again. */
typedef struct TextureRecord {
    uint64_t handle; /* 0: there is no object in this row */
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC texture;
    CUDA_RESOURCE_VIEW_DESC view;
    bool surface;
} TextureRecord;

/* ---- attributes.c ---- */

/* A hint that was given, for who asks. */
typedef struct AttributeNote {
    int id;
    CUlaunchAttributeValue value;
    struct AttributeNote *next;
} AttributeNote;

/* ---- precedence.c: --sanitize races: in which order streams do what they do. All of this does nothing where that is not asked for ---- */

/* Of a stream. */
struct StreamOrder {
    uint32_t line;
    Reached *at;
    VEC(uint32_t) branches; /* lines, for the branches of its graphs; in the core's arena */
    uint32_t branches_used; /* by the graph that runs */
};
typedef struct Precedence {
    bool on;
    pthread_mutex_t lock;       /* recursive: one operation after the other */
    Arena *arena;               /* of operations that may still be asked for */
    struct StreamOrder *stream; /* of what runs */
    uint64_t stream_id;
    Reached *at;     /* NULL: nothing runs */
    Reached *left;   /* by streams that are destroyed; NULL: none */
    uint32_t graphs; /* that run in each other */
} Precedence;
void precedence_join(CUstream stream);  /* it is made */
void precedence_leave(CUstream stream); /* it is destroyed */
/* What is enqueued on the stream now comes behind all this. Under the lock. */
Reached *precedence_arrive(CUstream stream);
void precedence_host_reaches(const Reached *at); /* the host knows all this to be over; likewise */
/* The host waits: for all of a stream, for an event, for a device (NULL: for all). */
void precedence_await_stream(CUstream stream);
void precedence_await_event(CUevent event);
void precedence_await_all(const Device *device);
void precedence_forget(uint64_t address, uint64_t bytes); /* memory begins to be there */

/* ---- host_guard.c: --sanitize races: the host's own accesses. All of this does nothing where that is not asked for ---- */

/* Pages that lie next to each other, and what the host may do with them. */
typedef struct GuardedRun {
    uint64_t page, pages;
    HostMay may;
} GuardedRun;
/* The host with an operation, and where it did that. */
typedef void HostRaceTell(const StreamRace *race, const Callers *by);
enum { GUARDED_MOST = 4096, HOST_PAGE = 4096 }; /* HOST_PAGE: the system's, or nothing is guarded */
typedef struct HostGuard {
    bool on;
    pthread_mutex_t lock; /* of all below; taken behind that of precedence */
    uint32_t lifted;      /* operations at work, and functions of the host: nothing is protected */
    GuardedRun runs[GUARDED_MOST];
    uint32_t count;
    struct sigaction before; /* for SIGSEGV */
    HostRaceTell *tell;
} HostGuard;
void host_guard_made(uint64_t address,
                     uint64_t bytes); /* memory that the host sees begins to be there */
void host_guard_lift(void);           /* an operation begins; who may access all */
/* Under the lock of precedence: it has ended, and tell is called from now on; the host has waited. */
void host_guard_drop(HostRaceTell *tell);
void host_guard_update(void);

/* ---- operations.c: which of them race ---- */

typedef struct GraphOrder GraphOrder;
typedef struct Work Work;
CUresult operations_enqueue(CUstream stream, const Work *work); /* does it */
/* Nodes in an order that obeys the edges, each once; NULL: it is not watched. */
GraphOrder *operations_graph_begin(CUgraph graph);
CUresult operations_node(GraphOrder *order, const struct GraphNode *node);
void operations_graph_end(GraphOrder *order, CUgraph graph);
/* By the work that runs, if this is memory that kernels can access. */
void operations_access(const void *memory, uint64_t bytes, bool writes);

/* ---- work.c ---- */

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

/* ---- asides.c, aside.c ---- */

typedef struct Aside Aside;
typedef VEC(uint64_t) Numbers;
struct Aside {
    Aside *next; /* of all that is not done, in the order in which it was enqueued */
    uint64_t number;
    Numbers behind; /* what must be done before */
    CUgraph graph;  /* one node: the work */
    CUcontext context;
    uint64_t stream;       /* as aside_stream says */
    bool legacy, blocking; /* of the stream */
    bool goes_on;          /* the host does */
    bool watched;          /* by the thread that enqueued it, which frees it */
    bool done;
    const char *range; /* that it was enqueued in; NULL: none */
    CUresult result;
};
struct Asides {
    pthread_mutex_t lock; /* all below */
    pthread_cond_t changed;
    Aside *first;           /* work that is not done, in the order in which it was enqueued */
    _Atomic uint32_t count; /* of them */
    uint64_t numbers;       /* given to them */
    volatile int others;    /* 0: the host waits for some of it */
    _Atomic bool ending;    /* so does the process */
};
/* It waits, if it may, on a thread of its own. */
bool work_may_wait(const Work *work);
/* Does the work, now or in the stream's order. An error is what it returned, where it is done already. */
CUresult aside_enqueue(CUstream stream, const Work *work);
/* The work that this thread does; NULL: it is one of the program's. */
Aside *aside_current(void);
void aside_begin(Aside *aside);
uint64_t
aside_stream(const struct Stream *stream); /* which it is: a spare one has another number */
bool aside_precedes(const Aside *aside,
                    const struct Stream *stream); /* what is enqueued on it now */
bool asides_pend(const struct Asides *asides, uint64_t number);
/* `while (…) asides_pause(asides);`, under their lock. The host waits: if nobody else goes on, what waits does so for
 * ever, and is told after a while. */
void asides_pause(struct Asides *asides);
void aside_goes_on(Aside *aside); /* it waits: the host goes on; NULL is allowed */
bool asides_end(void);            /* the process ends: nothing is worth waiting for */
/* Whether some of it is not done: of a stream, or recorded by an event; or, `wait`, until all is. */
bool aside_stream_pends(CUstream stream, bool wait);
bool aside_event_pends(CUevent event, bool wait);
void asides_settle(
    const Device *device); /* returns when all of the device's is done; NULL: of all devices */

/* What every call that enqueues something ends with: does the work, or records it if the stream is
 * capturing. The work's params are copied where they have to last. */
CUresult work_enqueue(CUstream stream, const Work *work);
/* The object of a handle, 0, 1 and 2 included; NULL: there is no such stream. */
CUstream stream_of(CUstream handle);
/* Where its work runs: the default streams are of the current context. The stream is there. */
CUcontext stream_context(CUstream handle);

/* ---- host_memory.c: --sanitize memory ---- */

/* Of one side of a copy, which may be the host's: tells what is wrong with it. false: it cannot be copied. */
bool host_memory_check(const void *memory, uint64_t bytes, bool writes);

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
/* Threads of a block at most, as the entry or the GPU says. */
int kernel_max_threads(const Kernel *kernel);
/* Blocks of a cluster at most: 0 where the GPU has no clusters. */
uint32_t kernel_cluster_most(const Kernel *kernel);
/* Blocks of so many threads that an SM takes at once. */
uint32_t kernel_blocks_per_sm(Kernel *kernel, uint32_t threads, uint64_t dynamic_shared);

/* ---- device_queries.c: launches from the device ---- */

/* The kernel of that name in the PTX that `kernel` is from, parsed. */
CUresult kernel_beside(const Kernel *kernel, const char *name, Kernel **found);
DeviceHost kernel_queries(Kernel *kernel);

/* ---- stream.c, event.c ---- */

/* Nodes of one graph, in its arena. */
typedef VEC(CUgraphNode) NodeSet;

enum { PRIORITY_GREATEST = -5, PRIORITY_LEAST = 0 }; /* of streams */
struct Stream {
    uint32_t tag;
    unsigned flags;
    int priority;
    unsigned long long id;
    CUcontext context;
    CUgraph capture; /* the graph that it records into, or NULL */
    NodeSet before;  /* of that graph: what the next node depends on */
    AttributeNote *attributes;
    struct StreamOrder *order;  /* operations.c; NULL: not yet, or nobody asks */
    bool origin, to_graph;      /* where that capture began; into a graph that was there */
    struct Stream *next, *made; /* of the spare ones; of all */
};

struct Event {
    uint32_t tag;
    unsigned flags;
    bool recorded;
    CUcontext context;
    uint64_t aside;   /* the number of the work that records it; 0: none */
    double seconds;   /* when */
    CUgraph capture;  /* recorded in a capture */
    NodeSet before;   /* what had been captured then */
    Reached *reached; /* operations.c: what is over when it happens; NULL: nothing is known */
    struct Event *next, *made;
};

/* ---- graph.c ---- */

typedef struct GraphEdge {
    uint32_t from; /* index of a node */
    CUgraphEdgeData data;
} GraphEdge;

struct GraphNode {
    uint32_t tag;
    AttributeNote *attributes;
    CUgraph graph;
    uint32_t index; /* in the graph: creation order */
    bool gone;      /* destroyed: it keeps its place and does nothing */
    bool disabled;
    Work work;
    VEC(GraphEdge) before; /* nodes that this one depends on */
};

/* What conditional nodes ask, at an address that kernels may write to. */
typedef struct GraphCondition {
    CUdeviceptr address;
    unsigned value; /* when the graph is launched */
    bool assigned;  /* that value, then; else it stays as it is */
} GraphCondition;

/* References that a graph holds. */
typedef struct OwnedObject {
    CUuserObject object;
    unsigned count;
} OwnedObject;

struct Graph {
    uint32_t tag;
    Arena *arena;
    VEC(CUgraphNode) nodes;
    VEC(OwnedObject) objects;
    VEC(GraphCondition) conditions;
    uint32_t *order; /* each node behind those it depends on; NULL: the order of creation */
    unsigned long long id;
    unsigned long long of; /* the graph that it was copied from; 0: none */
    bool owned;            /* the copy that belongs to an exec or a node, or a node's body */
    bool spoilt; /* a call that captures forbid was made while a stream captured into it */
};

struct GraphExec {
    uint32_t tag;
    uint64_t flags;
    CUgraph graph; /* a copy of its own, with its order */
};
CUgraph graph_new(void);
CUgraphNode graph_add(CUgraph graph, const CUgraphNode *before, size_t count, const Work *work);
CUresult graph_run(CUgraph graph);
/* Whether an executable graph could become that one: 0, or CUgraphExecUpdateResult with the node. */
int graph_compare(const struct Graph *old, const struct Graph *graph, CUgraphNode *wrong);
bool graph_may_wait(CUgraph graph);                       /* as WorkKind.waits */
void conditional_copy(CUgraph to, ConditionalWork *work); /* bodies of its own */
void conditional_drop(const ConditionalWork *work);
void conditions_assign(CUgraph graph); /* the graph is launched */
bool graph_sort(CUgraph graph);        /* it and those in it; false: there is a cycle */
void graph_set_work(CUgraphNode node, const Work *work);
CUgraph graph_copy(CUgraph from);
void graph_drop(CUgraph graph);

/* ---- graph_build.c ---- */

/* What a node with these parameters is to do. */
CUresult graph_work(const CUgraphNodeParams *params, Work *work);
bool graph_edges_valid(const CUgraphEdgeData *edges, size_t count);
CUresult graph_kernel_work(const CUDA_KERNEL_NODE_PARAMS *params, bool extended, Work *work);
CUresult graph_set_node_work(const CUDA_MEMSET_NODE_PARAMS *params, Work *work);

/* ---- graph_conditional.c ---- */

CUresult conditional_work(CUgraph graph, CUDA_CONDITIONAL_NODE_PARAMS *params, Work *work);

/* ---- batch.c ---- */

/* The operations stay the caller's. */
CUresult batch_work(const CUDA_BATCH_MEM_OP_NODE_PARAMS *params, Work *work);

/* ---- user_object.c ---- */

void user_objects_share(CUgraph to, CUgraph from); /* a copy holds what the original holds */
void user_objects_release(CUgraph graph);

/* ---- devices.c: those that the program sees, all of one model ---- */

struct Device {
    CUdevice ordinal;
    uint32_t physical; /* its number on the machine: CUDA_VISIBLE_DEVICES gives others */
    struct Context primary;
    struct Stream streams[2]; /* legacy default, per-thread default */
    struct Pool pool;         /* the default one */
    CUmemoryPool current_pool;
    uint64_t used; /* bytes of its memory */
};
static inline uint32_t device_bit(const Device *device) {
    return UINT32_C(1) << device->ordinal;
}
/* visible: as CUDA_VISIBLE_DEVICES; NULL: all. */
void devices_make(Core *core, const char *visible);
/* The context begins anew, with the limits that a GPU gives it. */
void context_init(CUcontext context, Device *device, const Gpu *gpu, unsigned flags, uint64_t id);
/* "0000:01:00.0", of 12 characters; 16 bytes. Of the machine's device of that number. */
enum { PCI_ID_BYTES = 13, UUID_BYTES = 16 };
void device_pci_id(uint32_t physical, char id[PCI_ID_BYTES]);
void device_uuid(const Gpu *gpu, uint32_t physical, uint8_t uuid[UUID_BYTES]);

/* ---- defects_end.c ---- */

struct DefectPair {
    Callers by, other;                   /* other: none, mostly */
    const Kernel *kernel, *other_kernel; /* that they launch; NULL: none */
    uint64_t key;
};
struct NotedDefect {
    NotedDefect *next;
    DefectKind kind;
    DefectPair pair;
    const char *what; /* its first lines */
    uint64_t count;   /* 0: taken back */
};
void defects_end(Core *core); /* of the process: tells what was noted, and what is left */

/* launch.c: signals that end a launch early. */
enum { SIGNALS_ENDING = 3 };
typedef struct Caught {
    struct sigaction before[SIGNALS_ENDING];
    bool caught[SIGNALS_ENDING];
    uint32_t launches; /* that run; 0: nothing is caught */
} Caught;

/* ---- core.c ---- */

struct Core {
    Settings settings;
    Memory *memory;
    Sanitizer *sanitizer; /* NULL: nothing is checked */
    Unmade *unmade;       /* NULL: all is computed */
    Orders *orders;       /* NULL: nothing was told yet, of orders.c */
    NotedDefect *defects;
    Precedence precedence;
    HostGuard guard;
    pthread_mutex_t lock; /* recursive: the lists and trees below */
    pthread_mutex_t turn; /* turn.c */
    pthread_cond_t turns;
    bool taken;
    struct Asides asides;
    Device devices[DEVICES_MOST];
    uint32_t device_count;
    CUresult devices_error; /* what is wrong with CUDA_VISIBLE_DEVICES */
    CUstream spare_streams, made_streams;
    CUevent spare_events, made_events;
    Library *libraries;
    CUmemoryPool pools;     /* all of them, behind the devices' own */
    uint32_t pools_made;    /* by the program */
    struct Pool graph_pool; /* of what nodes of graphs allocate */
    void *allocated;        /* tsearch tree of AllocationRecord */
    void *released;         /* tsearch tree of ReleasedRecord */
    AllocationRecord *spare_allocated;
    SharedMapping *shared;
    HintRange *hints;      /* by address */
    StartedRange *started; /* the latest one */
    _Atomic bool tiles;    /* core_tile_launches */
    _Atomic bool paused;   /* launches are not counted: cuProfilerStop */
    Reservation *reservations;
    Mapping *mappings; /* by address */
    uint64_t allocations[KINDS];
    uint64_t numbers; /* handed out to contexts, streams, allocations, graphs */
    _Atomic int sticky;
    _Atomic uint32_t nvml; /* how often NVML was initialised and not shut down */
    struct Recorder *recorder;
    Caught caught;
    volatile int
        *interrupted;    /* that ends launches early, by a signal's number, or -1; NULL: none ran */
    uint64_t launches;   /* under the turn */
    uint64_t chosen;     /* of them, by -k and --launches; under the turn */
    uint64_t shared_out; /* of those, numbered so far (--shard); under the turn */
    VEC(TextureRecord) described; /* by texture_row of the handle */
    Map *sources;                 /* names: NotedSource of sources.c; NULL: none */
    uint32_t sources_filled;      /* files of the recorder's profile; under the turn */
    Map *told;                    /* names that messages have named: unsupported calls, objects */
    Arena *arena;
};
uint64_t core_number(void);
void core_lock(void);
void core_unlock(void);

/* ---- turn.c ---- */

/* Only one thread has the turn: it launches a kernel, or changes what kernels see. A kernel that waits gives it
 * away until it ends. Any thread may give it. */
void turn_take(Core *core);
void turn_give(Core *core);
