/* Attributes of launches, kernel nodes of graphs, and streams. Cluster, cooperation and events are carried out.
 * The others say what is to be cached, how work of several streams may overlap, in which order memory is
 * seen by other devices: hints for a GPU, which are kept for who asks and change nothing here. */
#include "cuda/graph.h"
#include "cuda/handle.h"
#include "cuda/library.h"
#include "cuda/state.h"
#include "cuda/stream.h"
#include "cuda/work.h"

#include <string.h>

enum { OF_LAUNCH = 1, OF_NODE = 2, OF_STREAM = 4 };

/* Where each may be set: cuda.h, CUlaunchAttributeID. */
static const unsigned char uses[LAUNCH_ATTRIBUTES] = {
    [LAUNCH_ATTRIBUTE_IGNORE] = OF_LAUNCH | OF_NODE | OF_STREAM,
    [LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW] = OF_LAUNCH | OF_NODE | OF_STREAM,
    [LAUNCH_ATTRIBUTE_COOPERATIVE] = OF_LAUNCH | OF_NODE,
    [LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY] = OF_STREAM,
    [LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION] = OF_LAUNCH | OF_NODE,
    [LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING] = OF_LAUNCH | OF_NODE,
    [LAUNCH_ATTRIBUTE_PROGRAMMATIC_SERIALIZATION] = OF_LAUNCH,
    [LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT] = OF_LAUNCH,
    [LAUNCH_ATTRIBUTE_PRIORITY] = OF_LAUNCH | OF_NODE | OF_STREAM,
    [LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP] = OF_LAUNCH | OF_NODE | OF_STREAM,
    [LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN] = OF_LAUNCH | OF_NODE | OF_STREAM,
    [LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION] = OF_LAUNCH,
    [LAUNCH_ATTRIBUTE_COMPLETION_EVENT] = OF_LAUNCH,
    [LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_NODE] = OF_NODE,
    [LAUNCH_ATTRIBUTE_CARVEOUT] = OF_LAUNCH | OF_NODE,
    [LAUNCH_ATTRIBUTE_NVLINK_SCHEDULING] = OF_LAUNCH | OF_NODE,
};

static bool is_used(int id, unsigned use) {
    return id >= 0 && id < LAUNCH_ATTRIBUTES && (uses[id] & use);
}

/* ---- launches ---- */

CUresult launch_attributes_read(const CUlaunchConfig *config, KernelWork *work) {
    bool preferred = false; /* beside the size that is to be there */
    if (config->numAttrs && !config->attrs)
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const CUlaunchAttribute *attribute = &config->attrs[i];
        if (attribute->id == LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_NODE)
            return core_unsupported("launches that the device may change");
        if (!is_used(attribute->id, OF_LAUNCH))
            return CUDA_ERROR_INVALID_VALUE;
        if (attribute->id == LAUNCH_ATTRIBUTE_COOPERATIVE)
            work->cooperative |= attribute->value.cooperative != 0;
        if (attribute->id == LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
            memcpy(work->cluster, attribute->value.clusterDim, sizeof work->cluster);
        preferred |= attribute->id == LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION;
    }
    return preferred && !work->cluster[0] ? CUDA_ERROR_INVALID_CLUSTER_SIZE : CUDA_SUCCESS;
}

CUresult launch_cluster_check(KernelWork *work) {
    const int *required = &work->kernel->cluster[1];
    bool given = work->cluster[0] != 0;
    if (!given && !required[0])
        return CUDA_SUCCESS;
    if (given && required[0] && memcmp(work->cluster, required, sizeof work->cluster) != 0)
        return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    if (!given)
        memcpy(work->cluster, required, sizeof work->cluster);
    uint64_t blocks = 1;
    for (uint32_t i = 0; i < 3; i++) {
        if (work->cluster[i] == 0 || work->grid[i] % work->cluster[i])
            return CUDA_ERROR_INVALID_CLUSTER_SIZE;
        blocks *= work->cluster[i];
    }
    return blocks <= 1 || blocks <= kernel_cluster_most(work->kernel)
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_CLUSTER_SIZE;
}

/* Events that are recorded while the kernel runs have been, when it has. */
CUresult launch_attributes_record(const CUlaunchConfig *config) {
    CUresult result = CUDA_SUCCESS;
    for (unsigned i = 0; i < config->numAttrs && !result; i++) {
        const CUlaunchAttribute *attribute = &config->attrs[i];
        if (attribute->id == LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT ||
            attribute->id == LAUNCH_ATTRIBUTE_COMPLETION_EVENT)
            result = cuEventRecord(attribute->value.event, config->hStream);
    }
    return result;
}

/* ---- nodes and streams: values of hints are kept in a list ---- */

static AttributeNote *note_of(AttributeNote *notes, int id) {
    while (notes && notes->id != id)
        notes = notes->next;
    return notes;
}

static void note(Arena *arena, AttributeNote **notes, int id, const CUlaunchAttributeValue *value) {
    AttributeNote *kept = note_of(*notes, id);
    if (!kept) {
        kept = NEW(arena, AttributeNote);
        kept->id = id;
        kept->next = *notes;
        *notes = kept;
    }
    kept->value = *value;
}

static void noted(AttributeNote *notes, int id, CUlaunchAttributeValue *value) {
    const AttributeNote *kept = note_of(notes, id);
    memset(value, 0, sizeof *value);
    if (kept)
        *value = kept->value;
    else if (id == LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP)
        value->domains[1] = 1; /* of the default domain 0, of the remote one 1 */
    else if (id == LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY)
        value->number = -1; /* what an H200 says where none was set */
}

static void note_of_stream(CUstream stream, int id, const CUlaunchAttributeValue *value) {
    note(core_get()->arena, &stream->attributes, id, value);
    if (id == LAUNCH_ATTRIBUTE_PRIORITY)
        stream->priority = value->number;
}

CUresult cuStreamSetAttribute(CUstream handle, int id, const CUlaunchAttributeValue *value) {
    CUstream stream = stream_of(handle);
    if (!stream)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!value || id == LAUNCH_ATTRIBUTE_IGNORE || !is_used(id, OF_STREAM))
        return CUDA_ERROR_INVALID_VALUE;
    if (id == LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY && value->number < 1)
        return CUDA_ERROR_INVALID_VALUE;
    core_lock();
    note_of_stream(stream, id, value);
    core_unlock();
    return CUDA_SUCCESS;
}

CUresult cuStreamGetAttribute(CUstream handle, int id, CUlaunchAttributeValue *value) {
    CUstream stream = stream_of(handle);
    if (!stream)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!value || id == LAUNCH_ATTRIBUTE_IGNORE || !is_used(id, OF_STREAM))
        return CUDA_ERROR_INVALID_VALUE;
    noted(stream->attributes, id, value);
    if (id == LAUNCH_ATTRIBUTE_PRIORITY && !note_of(stream->attributes, id))
        value->number = stream->priority;
    return CUDA_SUCCESS;
}

CUresult cuStreamCopyAttributes(CUstream to, CUstream from) {
    CUstream target = stream_of(to), source = stream_of(from);
    if (!target || !source)
        return CUDA_ERROR_INVALID_HANDLE;
    core_lock();
    for (const AttributeNote *one = source->attributes; one; one = one->next)
        note_of_stream(target, one->id, &one->value);
    core_unlock();
    return CUDA_SUCCESS;
}

static bool is_kernel(CUgraphNode node) {
    return IS(node, TAG_NODE) && node->work.kind->node == NODE_KERNEL;
}

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, int id,
                                       const CUlaunchAttributeValue *value) {
    if (!is_kernel(node) || !value || id == LAUNCH_ATTRIBUTE_IGNORE || !is_used(id, OF_NODE))
        return CUDA_ERROR_INVALID_VALUE;
    if (id == LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_NODE && value->number)
        return core_unsupported("kernel nodes that the device may change");
    if (id == LAUNCH_ATTRIBUTE_COOPERATIVE)
        node->work.kernel.cooperative = value->number != 0;
    else if (id == LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
        memcpy(node->work.kernel.cluster, value->clusterDim, sizeof node->work.kernel.cluster);
    else
        note(node->graph->arena, &node->attributes, id, value);
    return CUDA_SUCCESS;
}

CUresult cuGraphKernelNodeGetAttribute(CUgraphNode node, int id, CUlaunchAttributeValue *value) {
    if (!is_kernel(node) || !value || id == LAUNCH_ATTRIBUTE_IGNORE || !is_used(id, OF_NODE) ||
        id == LAUNCH_ATTRIBUTE_NVLINK_SCHEDULING)
        return CUDA_ERROR_INVALID_VALUE;
    noted(node->attributes, id, value);
    if (id == LAUNCH_ATTRIBUTE_COOPERATIVE)
        value->number = node->work.kernel.cooperative;
    if (id == LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
        memcpy(value->clusterDim, node->work.kernel.cluster, sizeof node->work.kernel.cluster);
    return CUDA_SUCCESS;
}

CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from) {
    if (!is_kernel(to) || !is_kernel(from))
        return CUDA_ERROR_INVALID_VALUE;
    to->work.kernel.cooperative = from->work.kernel.cooperative;
    memcpy(to->work.kernel.cluster, from->work.kernel.cluster, sizeof to->work.kernel.cluster);
    for (const AttributeNote *one = from->attributes; one; one = one->next)
        note(to->graph->arena, &to->attributes, one->id, &one->value);
    return CUDA_SUCCESS;
}
