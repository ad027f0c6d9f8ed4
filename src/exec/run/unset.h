/* unset.h: which registers of a warp hold bytes that nobody has written, until such a value decides something. Only in
 * launches that look for uninitialised reads, and in the kernel itself, not in functions that it calls. Private to exec. */
#pragma once

#include "exec/run/worker.h"
#include "sanitize/sanitize.h"

/* The warp's registers hold none, as when a block begins. */
void unset_clear(Warp *warp);
/* One of them does. */
static inline bool unset_any(const Warp *warp) {
    return warp->unset && *warp->unset; /* its first member: how many */
}
/* Behind a load: a basic block that was begun without such values goes on with the next instruction anew. */
static inline Step unset_step(const Warp *warp) {
    return __builtin_expect(unset_any(warp), 0) ? STEP_YIELD : STEP_NEXT;
}
/* What the instruction reads may be followed; false: it is told at once. */
bool unset_follow(const Warp *warp, const Code *code);
/* It has read, as told, bytes without a value; and stores. */
void unset_loaded(Warp *warp, const Code *code, const WatchedAccess *access);
void unset_stored(Warp *warp, const Code *code, const WatchedAccess *access);
/* Executes the instruction for the lanes of mask, among those of the path, and follows what it does with values. */
Step unset_execute(Warp *warp, const Code *code, uint32_t lanes, uint32_t mask);
/* The same of an instruction that decides where the lanes go on, before they do. */
void unset_decide(Warp *warp, const Code *code, uint32_t lanes);
