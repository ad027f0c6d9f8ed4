/* patches: the device code, in the program as PTX. */
#pragma once

#include <stddef.h>

extern const unsigned char probe_ptx[]; /* device.ptx */
extern const size_t probe_ptx_length;
extern const unsigned char rows_ptx[]; /* rows.ptx; a 0 follows */
extern const size_t rows_ptx_length;
