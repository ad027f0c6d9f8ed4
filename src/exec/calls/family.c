/* A launch of the host's, and those that its kernels ask for in turn: one after the other, in the
 * order of child.c, until nothing is left or one of them ends early. */
#include "exec/calls/child.h"

#include <string.h>

/* As the kernel asked, and of all blocks; the rest as in the host's launch. */
static Launch launch_of(const Launch *first, const Child *child) {
    Launch launch = *first;
    launch.child = child;
    launch.dynamic_shared = child->dynamic_shared;
    launch.params = child->params;
    launch.cooperative = false;
    launch.choice = BLOCKS_ALL;
    launch.sample = 0;
    launch.evidence_blocks = child->into == NONE ? first->evidence_blocks : 0;
    launch.relayout_count = 0;
    memset(launch.cluster, 0, sizeof launch.cluster);
    memcpy(launch.grid, child->grid, sizeof launch.grid);
    memcpy(launch.block, child->block, sizeof launch.block);
    return launch;
}

static bool goes_on(const LaunchResult *result) {
    return result->status == LAUNCH_DONE || result->status == LAUNCH_SAMPLED;
}

bool family_run(const Launch *first, const Family *family, LaunchResult *result) {
    Children *children = children_new(first, family->pending, family->host);
    const Child *child = NULL;
    Launch launch = *first;
    launch.children = children;
    bool good = family->run(family->context, NULL, &launch, result);
    LaunchResult last = good ? *result : (LaunchResult){0};
    while (good && goes_on(&last) && (child = children_next(children, last.record))) {
        launch = launch_of(first, child);
        launch.children = children;
        good = family->run(family->context, child->kernel, &launch, &last);
    }
    if (good && !goes_on(&last)) {
        result->status = last.status;
        result->fault = last.fault;
    }
    children_free(children);
    return good;
}
