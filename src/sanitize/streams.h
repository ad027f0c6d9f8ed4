/* streams.h: which operations of streams (launches, copies, fills, frees) access the same bytes though nothing orders them. Private
 * to sanitize but for what sanitize.h declares.
 *
 * Each stream, and each branch of a graph, is a line: its operations follow each other, and have times. What somebody has reached
 * (a stream, an event, the host) is a time for each line: all until then is over. Of global memory each cell of 32 bytes
 * has the operations that a later one could race with. */
#pragma once

#include "sanitize/sanitize.h"
#include "sanitize/visible.h"

typedef struct Streams Streams;
Streams *streams_new(void);
void streams_free(Streams *streams); /* NULL is allowed */
/* An operation runs, and there may be others that it races with, or memory that the host sees: what it accesses is told. */
bool streams_busy(const Streams *streams);
void streams_access(Streams *streams, const WatchedAccess *access);
void streams_run(Streams *streams, const WatchedRun *run);
void streams_range(Streams *streams, uint64_t address, uint64_t bytes, bool writes, uint32_t insn);

/* Of a cell (32 bytes from `address` on), the bytes that operations access which the host does not know to be over; `written`: of
 * these, those that they write. */
enum { STREAMS_CELL = 32, STREAMS_PAGE = 4096 };
uint32_t streams_pending(const Streams *streams, uint64_t address, uint32_t *written);
/* One of them that writes the byte, or, if `reads` counts, reads it. Its `what` and its instruction go into race. false: there is none. */
bool streams_pending_by(const Streams *streams, uint64_t address, bool reads, StreamRace *race);
/* A system-wide fence, or a strong store that the host can see: it may tell the host how far it is, so nothing is said of it. */
void streams_talk(Streams *streams);

/* Memory that the host sees, too. */
Visible *streams_visible(const Streams *streams);
/* Pages of the operations that the host does not all know to be over, each once. */
const uint64_t *streams_visible_pages(const Streams *streams, uint32_t *count);
