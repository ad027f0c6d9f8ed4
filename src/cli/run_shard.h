/* run_shard: `warplens run --shard I/N` - which part of the work this run does. */
#pragma once

#include "base/kernel_name.h"
#include "cli/run_program.h"

/* Tests of ctest are dealt out by ctest itself, launches of any other program by the program's process: all run, those of this part
 * are counted. *launches: the latter. false: diags says why it cannot be. */
bool run_shard(RunSettings *settings, Shard shard, bool *launches, Diags *diags);
/* On standard error: which part this is. */
void run_shard_tell(const RunSettings *settings, Shard shard, bool launches);
