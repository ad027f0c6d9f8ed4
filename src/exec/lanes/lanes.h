/* lanes.h: operations on the registers of 32 lanes. Private to exec. */
#pragma once

#include "exec/decode/program.h"

/* ---- ops.c, ops_cvt.c, ops_set.c …: pure operations, lane by lane ---- */

/* The functions of a row for these modifiers; false where the row is not one of theirs (memory, control, warp-wide
 * operations have decoders of their own). Chosen for this processor (x86-64-v2, -v3, -v4) at the first call. */
bool ops_lookup(Op op, const Code *code, Execute *full, Execute *some);
/* The name of the function of ops_lanes.h that code->full applies to each lane; NULL: it is none. *level:
 * that full was built for, where it is a pure operation. */
const char *ops_lane(const Code *code, uint32_t *level);

/* ---- ops_shuffle.c ---- */

/* What a shuffle does once its lanes are together. Built for this processor; see ops.c. */
Execute ops_shuffle(void);

/* The same for each level that was built. */
Execute ops_shuffle_v2(void);
Execute ops_shuffle_v3(void);
Execute ops_shuffle_v4(void);
Execute ops_shuffle_plain(void);

/* ---- shuffle.c ---- */

/* Where each lane reads in shfl.sync with these operands b and c: bits 0-4, and bit 5: in range. */
void shuffle_lanes(const Code *code, uint32_t b, uint32_t c, uint8_t lanes[WARP_LANES]);
