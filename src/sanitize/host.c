/* What of the memory that the host sees it must leave alone until it has waited. See streams.h. */
#include "sanitize/state.h"
#include "sanitize/streams.h"

void sanitize_visible(Sanitizer *sanitizer, uint64_t address, uint64_t bytes) {
    visible_add(streams_visible(sanitizer->streams), address, address + bytes);
}

void sanitize_invisible(Sanitizer *sanitizer, uint64_t address, uint64_t bytes) {
    visible_remove(streams_visible(sanitizer->streams), address, address + bytes);
}

const uint64_t *sanitize_visible_pages(const Sanitizer *sanitizer, uint32_t *count) {
    return streams_visible_pages(sanitizer->streams, count);
}

/* Whether operations access all bytes of the range in the page; all of them for writing: `written`. */
static bool is_covered(const Streams *streams, uint64_t first, uint64_t end, bool *written) {
    for (uint64_t at = first; at < end;) {
        const uint64_t cell = at - at % STREAMS_CELL,
                       until = end < cell + STREAMS_CELL ? end : cell + STREAMS_CELL;
        const uint32_t count = (uint32_t)(until - at);
        const uint32_t bytes = (count == STREAMS_CELL ? UINT32_MAX : (1u << count) - 1)
                               << at % STREAMS_CELL;
        uint32_t writes;
        if (bytes & ~streams_pending(streams, cell, &writes))
            return false;
        *written = *written && !(bytes & ~writes);
        at = until;
    }
    return true;
}

HostMay sanitize_host_may(const Sanitizer *sanitizer, uint64_t page) {
    const Streams *streams = sanitizer->streams;
    const Visible *visible = streams_visible(streams);
    const uint64_t first = page * STREAMS_PAGE, end = first + STREAMS_PAGE;
    bool any = false, written = true;
    for (uint32_t i = visible_behind(visible, first);
         i < visible->count && visible->at[i].first < end; i++) {
        const VisibleRange *range = &visible->at[i];
        if (!is_covered(streams, range->first > first ? range->first : first,
                        range->end < end ? range->end : end, &written))
            return HOST_MAY_ALL;
        any = true;
    }
    return !any ? HOST_MAY_ALL : written ? HOST_MAY_NOTHING : HOST_MAY_READ;
}

bool sanitize_host_access(const Sanitizer *sanitizer, uint64_t address, bool writes,
                          StreamRace *race) {
    if (!streams_pending_by(sanitizer->streams, address, false, race) &&
        !(writes && streams_pending_by(sanitizer->streams, address, true, race)))
        return false;
    race->writes = writes;
    return true;
}

void sanitize_operation_talks(Sanitizer *sanitizer) {
    streams_talk(sanitizer->streams);
}
