/* What libcufft exports and no other file defines: callbacks, several GPUs. */
#include "hostlib/fft/fft.h"

#define NAME(name) MISSING(name, FFT_NOT_SUPPORTED)
#include "hostlib/fft/names.def"
