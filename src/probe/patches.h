/* patches: the device code, in the program as PTX, and as ptxas made it where there was one when warplens was built. */
#pragma once

#include <stddef.h>
#include <stdint.h>

extern const unsigned char probe_ptx[]; /* device.ptx */
extern const size_t probe_ptx_length;
extern const unsigned char rows_ptx[]; /* rows.ptx; a 0 follows */
extern const size_t rows_ptx_length;

typedef struct MadePatches {
    uint32_t capability; /* 0 at the end */
    const unsigned char *cubin;
    size_t length;
} MadePatches;

extern const MadePatches made_patches[];
/* The version of CUDA of that ptxas, 13000; 0: there was none. */
extern const int made_patches_cuda;
/* What ptxas is asked for device.ptx. Patches save what registers they use beyond a few whenever they are called: as few as can be, where
 * it knows that option. */
extern const char patch_option[], few_registers[];
