/* race_log.h: accesses to memory that only threads of one block use, kept back while none of them can race with
 * another. Private to sanitize.
 *
 * Most kernels use shared memory from barrier to barrier so that each word is written by one thread, or read by any, or
 * accessed by strong accesses of one width alone (as atomics are, which do not race with each other within a block). Of
 * such accesses nobody needs to know more than that they were, until a barrier of all threads orders them with all
 * that follows: then they are forgotten. For each word it has who wrote and who read it since then. The first access
 * that could race, by that, is `refused`: then those that were kept are told to race.c, each as it was, and so is the
 * one that was refused. Nothing is told otherwise than it had been at once, since none of those kept can race with
 * another one, and the order of the block's threads does not change meanwhile (BlockOrder.keeper). */
#pragma once

#include "base/base.h"

typedef struct RaceLog {
    uintptr_t first, end; /* the memory; equal: there is none */
    uint32_t *writes;     /* [words]: stamps of who wrote the word */
    uint32_t *reads;      /* [words]: … and read it */
    uint32_t words, room; /* that there are, that these have room for */
    uint32_t era;         /* goes on with each barrier of all threads: older stamps mean nothing */
    bool sticky;          /* some words are refused for good */
    uint32_t *kept;       /* records: see race_log.c */
    uint32_t count, capacity;
} RaceLog;

/* One access, as far as it is kept. */
typedef struct LoggedAccess {
    uint32_t insn, warp, lanes, width;
    bool reads, writes;
    bool strong, observes; /* as of a RaceAccess */
    uint32_t reach;        /* of a strong one */
    bool together;         /* by all lanes of the warp, at the places of these */
    uint64_t place[32];
} LoggedAccess;

void log_begin(RaceLog *log, uintptr_t first, uintptr_t end);
void log_free(RaceLog *log);
/* The address is one of the log's memory. */
static inline bool log_has(const RaceLog *log, uintptr_t at) {
    return at - log->first < log->end - log->first;
}
/* There is no room for another record: what was kept is to be told, and forgotten as records (`count`), before the next. */
bool log_is_full(const RaceLog *log);
/* A run of weak accesses, or an access, within the log's memory is kept, or refused: then all that was kept is to be
 * told, and this. */
struct RaceAccess;
bool log_run(RaceLog *log, const struct RaceAccess *run, const uintptr_t first[2],
             const int64_t stride[2]);
/* place: of lane l at host + place[l]. */
bool log_access(RaceLog *log, const LoggedAccess *access, uintptr_t host, const uint64_t *place);
/* What accesses the bytes from now on is refused: until the next barrier of all, or, forever, for good. */
void log_refuse(RaceLog *log, uintptr_t first, uint64_t bytes, bool forever);
/* A barrier of all threads: what was kept is ordered with all that follows. */
void log_forget(RaceLog *log);
/* The record at *next, from 0 on, whose places begin with log->first; false: there are no more. */
bool log_next(const RaceLog *log, uint32_t *next, LoggedAccess *access);
