/* handle: what a handle of the driver API begins with.
 *
 * Invariants
 *   - Each object begins with a tag; a handle whose object has another one is refused.
 *   - Objects of which programs make many (streams, events) are kept for the next one of their kind
 *     when they are destroyed, so that a stale handle is read as such and not as something else. */
#pragma once

#include "base/base.h"
#include "cuda/driver.h"

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
CUresult handle_error(const void *handle);
