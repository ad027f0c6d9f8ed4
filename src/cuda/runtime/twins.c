/* The names that --default-stream per-thread uses: the same calls with stream 0 meaning the calling
 * thread's own stream (_ptsz), and synchronous ones that need not differ here (_ptds), since every
 * copy is done when the call returns. */
#include "cuda/runtime/calls.h"

static CUstream own(CUstream stream) {
    return stream ? stream : STREAM_PER_THREAD;
}

#define FORWARD(from, to, parameters, arguments)                                                   \
    cudaError from parameters {                                                                    \
        return to arguments;                                                                       \
    }
#define TWIN(name, suffix, parameters, arguments)                                                  \
    FORWARD(name##_##suffix, name, parameters, arguments)
#define TWIN_12_13(name, suffix, parameters_12, arguments_12, parameters_13, arguments_13)         \
    FORWARD(name##_##suffix##_12, name##_12, parameters_12, arguments_12)                          \
    FORWARD(name##_##suffix##_13, name##_13, parameters_13, arguments_13)                          \
    VERSIONED(name##_##suffix)
#include "cuda/runtime/calls.def"
