/* User objects: something of the program that is destroyed when the last of its holders has let it go;
 * graphs, and what is made of them, can hold it. */
#include "cuda/graph.h"
#include "cuda/handle.h"
#include "cuda/state.h"

#include <limits.h>
#include <stdlib.h>

struct UserObject {
    uint32_t tag;
    unsigned count;
    CUhostFn destroy;
    void *data;
};

enum { NO_DESTRUCTOR_SYNC = 1, GRAPH_MOVE = 1, HOLDERS_MOST = INT_MAX };

CUresult cuUserObjectCreate(CUuserObject *object, void *data, CUhostFn destroy, unsigned count,
                            unsigned flags) {
    if (!object || !destroy || count == 0 || count > HOLDERS_MOST || flags != NO_DESTRUCTOR_SYNC)
        return CUDA_ERROR_INVALID_VALUE;
    CUuserObject made = malloc(sizeof *made);
    if (!made)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *made = (struct UserObject){TAG_USER_OBJECT, count, destroy, data};
    *object = made;
    return CUDA_SUCCESS;
}

CUresult cuUserObjectRetain(CUuserObject object, unsigned count) {
    if (!IS(object, TAG_USER_OBJECT) || count == 0)
        return CUDA_ERROR_INVALID_VALUE;
    core_lock();
    bool fits = count <= HOLDERS_MOST - object->count;
    object->count += fits ? count : 0;
    core_unlock();
    return fits ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuUserObjectRelease(CUuserObject object, unsigned count) {
    if (!IS(object, TAG_USER_OBJECT) || count == 0 || count > object->count)
        return CUDA_ERROR_INVALID_VALUE;
    core_lock();
    object->count -= count;
    bool last = object->count == 0;
    core_unlock();
    if (last) {
        object->tag = TAG_NONE;
        object->destroy(object->data);
        free(object);
    }
    return CUDA_SUCCESS;
}

/* ---- held by graphs ---- */

static OwnedObject *owned(CUgraph graph, CUuserObject object) {
    for (uint32_t i = 0; i < graph->objects.count; i++)
        if (graph->objects.at[i].object == object)
            return &graph->objects.at[i];
    return NULL;
}

CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned count,
                                 unsigned flags) {
    if (!IS(graph, TAG_GRAPH) || !IS(object, TAG_USER_OBJECT) || count == 0 ||
        (flags & ~(unsigned)GRAPH_MOVE))
        return CUDA_ERROR_INVALID_VALUE;
    if (count > HOLDERS_MOST)
        return CUDA_ERROR_INVALID_VALUE;
    if (!(flags & GRAPH_MOVE) && cuUserObjectRetain(object, count))
        return CUDA_ERROR_INVALID_VALUE;
    OwnedObject *entry = owned(graph, object);
    if (!entry) {
        entry = vec_add(graph->arena, &graph->objects);
        *entry = (OwnedObject){object, 0};
    }
    entry->count += count;
    return CUDA_SUCCESS;
}

CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned count) {
    if (!IS(graph, TAG_GRAPH) || !IS(object, TAG_USER_OBJECT))
        return CUDA_ERROR_INVALID_VALUE;
    OwnedObject *entry = owned(graph, object);
    if (count == 0 || count > HOLDERS_MOST)
        return CUDA_ERROR_INVALID_VALUE;
    if (!entry)
        return CUDA_SUCCESS; /* it holds none (measured on an H200) */
    if (count > entry->count)
        return CUDA_ERROR_INVALID_VALUE;
    entry->count -= count;
    return cuUserObjectRelease(object, count);
}

void user_objects_share(CUgraph to, CUgraph from) {
    for (uint32_t i = 0; i < from->objects.count; i++) {
        const OwnedObject *entry = &from->objects.at[i];
        if (entry->count)
            cuGraphRetainUserObject(to, entry->object, entry->count, 0);
    }
}

void user_objects_release(CUgraph graph) {
    for (uint32_t i = 0; i < graph->objects.count; i++) {
        const OwnedObject *entry = &graph->objects.at[i];
        if (entry->count)
            cuUserObjectRelease(entry->object, entry->count);
    }
}
