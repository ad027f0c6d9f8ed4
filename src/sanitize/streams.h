/* streams.h: which operations of streams (launches, copies, fills, frees) access the same bytes though nothing orders them. Private
 * to sanitize but for what sanitize.h declares.
 *
 * Each stream, and each branch of a graph, is a line: its operations follow each other, and have times. What somebody has reached
 * (a stream, an event, the host) is a time for each line: all until then is over. Of global memory each cell of 32 bytes
 * has the operations that a later one could race with. */
#pragma once

#include "sanitize/sanitize.h"

typedef struct Streams Streams;
Streams *streams_new(void);
void streams_free(Streams *streams); /* NULL is allowed */
/* An operation runs, and there are others that it may race with: what it accesses is told. */
bool streams_busy(const Streams *streams);
void streams_access(Streams *streams, const WatchedAccess *access);
void streams_run(Streams *streams, const WatchedRun *run);
void streams_range(Streams *streams, uint64_t address, uint64_t bytes, bool writes, uint32_t insn);
