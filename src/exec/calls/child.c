/* Launches from the device (CUDA dynamic parallelism): what the kernels of a launch ask for, kept until
 * its turn comes.
 *
 * All that a grid asked for is done when its blocks are: in the order of its blocks, and of a block's
 * requests; then what it asked for in the stream for tail launches. What a child asks for in turn comes
 * before its parent's next request. So every stream's order is obeyed, and so is every event's, a grid
 * is complete when its children are, and results do not depend on the number of workers. A list of what
 * is to be done is enough for that: no call waits inside another. */
#include "exec/calls/child.h"
#include "base/rescue.h"
#include "exec/run/cta.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MOST = 8 }; /* of the profile, for a kernel at a depth */
enum {
    PENDING_DEFAULT = 2048,    /* cudaLimitDevRuntimePendingLaunchCount */
    DEPTH_MOST = 24,           /* CUDA C++ Programming Guide, "Compute Capabilities": nesting */
    BUFFERS_BYTES = 16 << 20,  /* parameters that are being written, at once */
    BUFFER_ALIGN = 512,        /* sectors of a buffer do not depend on which one it is */
    ERROR_MAX_DEPTH = 65,      /* cudaErrorLaunchMaxDepthExceeded */
    ERROR_PENDING_COUNT = 69,  /* cudaErrorLaunchPendingCountExceeded */
    HANDLE_FIRST = 0x57000001, /* of streams and events; not that of one of the host's */
    TEXTS_BYTES = 4096
};

/* Launches that are one row of the profile. */
typedef struct Group {
    const char *kernel;
    uint32_t depth, grid[3], block[3], dynamic_shared, row;
} Group;

struct Children {
    Memory *memory;
    Sanitizer *sanitizer; /* of the launches; NULL: none */
    pthread_mutex_t lock; /* all below */
    Arena *arena;
    uint32_t pending; /* requests that a block may have pending */
    const DeviceHost *host;
    Heap *buffers;         /* NULL: none was needed yet */
    ChildWork *open;       /* launches whose parameters are being written */
    VEC(ChildWork *) made; /* by the grid that runs */
    ChildWork *stack;      /* to be done, the next one first */
    ChildWork *current;    /* that children_next gave */
    VEC(Group) groups;
    VEC(uint8_t) handles; /* HANDLE_STREAM, HANDLE_EVENT; 0: destroyed */
    uint64_t texts;       /* a piece of memory for them */
    uint32_t texts_used;
    Map *text_at;
};

Children *children_new(const Launch *first, uint32_t pending, const DeviceHost *host) {
    Arena *arena = arena_new();
    Children *children = NEW(arena, Children);
    children->memory = first->memory;
    children->sanitizer = first->sanitizer;
    children->arena = arena;
    children->host = host;
    children->pending = pending ? pending : PENDING_DEFAULT;
    children->text_at = map_new(arena);
    pthread_mutex_init(&children->lock, NULL);
    return children;
}

static void free_list(ChildWork *work) {
    while (work) {
        ChildWork *next = work->next;
        free(work);
        work = next;
    }
}

void children_free(Children *children) {
    for (uint32_t i = 0; i < children->made.count; i++)
        free(children->made.at[i]);
    free_list(children->open);
    free_list(children->stack);
    free(children->current);
    heap_free(children->buffers);
    if (children->texts)
        memory_release(children->memory, children->texts);
    pthread_mutex_destroy(&children->lock);
    arena_free(children->arena);
}

const DeviceHost *children_host(const Children *children) {
    return children->host;
}

/* ---- requests, from any worker ---- */

ChildWork *child_work(ChildWorkKind kind, uint32_t param_bytes) {
    ChildWork *work = calloc(1, sizeof *work + param_bytes);
    if (!work)
        out_of_memory();
    work->kind = kind;
    work->param_bytes = param_bytes;
    return work;
}

void child_discard(ChildWork *work) {
    free(work);
}

ChildWork *child_open(Children *children, uint32_t param_bytes) {
    ChildWork *work = child_work(CHILD_KERNEL, param_bytes);
    uint64_t bytes = param_bytes < BUFFER_ALIGN ? BUFFER_ALIGN : param_bytes;
    lock_take(&children->lock);
    if (!children->buffers)
        children->buffers = heap_new(children->memory, BUFFERS_BYTES);
    if (children->buffers)
        work->buffer = heap_allocate(children->buffers, bytes);
    if (work->buffer) {
        work->next = children->open;
        children->open = work;
    }
    lock_give(&children->lock);
    if (work->buffer)
        return work;
    free(work);
    return NULL;
}

ChildWork *child_close(Children *children, uint64_t buffer) {
    lock_take(&children->lock);
    ChildWork **at = &children->open;
    while (*at && (*at)->buffer != buffer)
        at = &(*at)->next;
    ChildWork *work = *at;
    if (work) {
        *at = work->next;
        memcpy(work->params, memory_host(children->memory, buffer), work->param_bytes);
        heap_release(children->buffers, buffer);
    }
    lock_give(&children->lock);
    return work;
}

/* What blocks that have ended asked for counts as begun, which it might be on a GPU. */
uint32_t child_add(Children *children, Cta *cta, ChildWork *work) {
    const Child *current = children->current ? &children->current->child : NULL;
    uint32_t depth = current ? current->depth : 0, error = 0;
    work->child.depth = work->tail ? depth : depth + 1; /* its parent is complete when it begins */
    if (work->child.depth > DEPTH_MOST)
        error = ERROR_MAX_DEPTH;
    else if (cta->requests >= children->pending)
        error = ERROR_PENDING_COUNT;
    if (error) {
        free(work);
        return error;
    }
    work->block = cta->linear;
    work->sequence = cta->requests++;
    lock_take(&children->lock);
    *vec_add(children->arena, &children->made) = work;
    lock_give(&children->lock);
    return 0;
}

/* ---- streams and events: names of orders that are obeyed anyway ---- */

uint64_t child_handle(Children *children, uint8_t kind) {
    lock_take(&children->lock);
    *vec_add(children->arena, &children->handles) = kind;
    uint64_t handle = (uint64_t)HANDLE_FIRST + children->handles.count - 1;
    lock_give(&children->lock);
    return handle;
}

static bool has_handle(const Children *children, uint64_t handle, uint8_t kind) {
    uint64_t index = handle - HANDLE_FIRST;
    return handle >= HANDLE_FIRST && index < children->handles.count &&
           children->handles.at[index] == kind;
}

bool child_has_handle(Children *children, uint64_t handle, uint8_t kind) {
    lock_take(&children->lock);
    bool has = has_handle(children, handle, kind);
    lock_give(&children->lock);
    return has;
}

bool child_drop_handle(Children *children, uint64_t handle, uint8_t kind) {
    lock_take(&children->lock);
    bool has = has_handle(children, handle, kind);
    if (has)
        children->handles.at[handle - HANDLE_FIRST] = 0;
    lock_give(&children->lock);
    return has;
}

uint64_t child_text(Children *children, const char *text) {
    uint64_t address = 0;
    uint32_t bytes = (uint32_t)strlen(text) + 1;
    lock_take(&children->lock);
    if (!children->texts)
        children->texts = memory_allocate(children->memory, TEXTS_BYTES, "texts of errors", 1);
    bool known = map_get(children->text_at, str_of(text), &address);
    if (!known && children->texts && children->texts_used + bytes <= TEXTS_BYTES) {
        address = children->texts + children->texts_used;
        memcpy(memory_host(children->memory, address), text, bytes);
        map_put(children->text_at, str_of(text), address);
        children->texts_used += bytes;
    }
    lock_give(&children->lock);
    return address;
}

/* ---- doing it, between grids ---- */

static int in_order(const void *a, const void *b) {
    const ChildWork *x = *(ChildWork *const *)a, *y = *(ChildWork *const *)b;
    if (x->tail != y->tail)
        return x->tail ? 1 : -1;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    return (x->sequence > y->sequence) - (x->sequence < y->sequence);
}

/* What the grid that has just run asked for goes before all that waits. */
static void push_made(Children *children, uint32_t row) {
    if (children->made.count)
        qsort(children->made.at, children->made.count, sizeof *children->made.at, in_order);
    for (uint32_t i = children->made.count; i-- > 0;) {
        ChildWork *work = children->made.at[i];
        work->child.parent = row;
        work->next = children->stack;
        children->stack = work;
    }
    children->made.count = 0;
}

static void move_row(const Children *children, const ChildWork *work, uint64_t to, uint64_t from) {
    const uint64_t width = work->bytes.width;
    void *at = memory_host(children->memory, to);
    if (work->kind == CHILD_SET) {
        memset(at, work->bytes.value, width);
        if (children->sanitizer)
            sanitize_written(children->sanitizer, to, width);
        return;
    }
    memmove(at, memory_host(children->memory, from), width);
    if (children->sanitizer)
        sanitize_copied(children->sanitizer, to, from, width);
}

static void move_bytes(const Children *children, const ChildWork *work) {
    const ChildBytes *bytes = &work->bytes;
    for (uint64_t z = 0; z < bytes->depth; z++)
        for (uint64_t y = 0; y < bytes->height; y++)
            move_row(children, work, bytes->to + z * bytes->to_slice + y * bytes->to_pitch,
                     bytes->from + z * bytes->from_slice + y * bytes->from_pitch);
}

/* ---- rows of the profile ---- */

/* That of a launch like it at its depth; where a kernel has all that it may have, the last one. */
static uint32_t row_for(const Children *children, const Child *child) {
    uint32_t rows = 0;
    for (uint32_t i = 0; i < children->groups.count; i++) {
        const Group *group = &children->groups.at[i];
        if (group->depth != child->depth || strcmp(group->kernel, child->kernel) != 0)
            continue;
        if (++rows == ROWS_MOST || (memcmp(group->grid, child->grid, sizeof group->grid) == 0 &&
                                    memcmp(group->block, child->block, sizeof group->block) == 0 &&
                                    group->dynamic_shared == child->dynamic_shared))
            return group->row;
    }
    return NONE;
}

static void note_row(Children *children, uint32_t row) {
    const Child *child = children->current ? &children->current->child : NULL;
    if (!child || child->into != NONE || row == NONE)
        return;
    Group group = {.kernel = arena_copy(children->arena, child->kernel, strlen(child->kernel)),
                   .depth = child->depth,
                   .dynamic_shared = child->dynamic_shared,
                   .row = row};
    memcpy(group.grid, child->grid, sizeof group.grid);
    memcpy(group.block, child->block, sizeof group.block);
    *vec_add(children->arena, &children->groups) = group;
}

const Child *children_next(Children *children, uint32_t row) {
    note_row(children, row);
    push_made(children, row);
    free(children->current);
    children->current = NULL;
    while (children->stack) {
        ChildWork *work = children->stack;
        children->stack = work->next;
        if (work->kind == CHILD_KERNEL) {
            work->child.params = work->params;
            work->child.into = row_for(children, &work->child);
            children->current = work;
            return &work->child;
        }
        move_bytes(children, work);
        free(work);
    }
    return NULL;
}
