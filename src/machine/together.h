/* Within machine: together.c. */
#pragma once

#include "machine/machine.h"

/* The question is about a kernel that is launched now. If its answer is not kept on disk yet, and those that were asked for before cost as
 * much as all of the module would, all are asked for and kept. Of a module with functions beside its kernels nothing is
 * asked: they are made for all who may call them, so that what becomes of a kernel depends on what is beside it. */
void machine_ask_others(Arena *arena, const PtxIndex *index, const SassQuestion *question);
