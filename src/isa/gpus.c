/* The table of GPUs (gpus.def). */
#include "isa/isa.h"

#include <assert.h>

static const Gpu gpus[] = {
#define GPU(...) {__VA_ARGS__},
#include "isa/gpus.def"
};

uint32_t gpu_count(void) {
    return sizeof gpus / sizeof *gpus;
}

const Gpu *gpu_at(uint32_t index) {
    assert(index < gpu_count());
    return &gpus[index];
}

const Gpu *gpu_named(Str name) {
    for (uint32_t i = 0; i < gpu_count(); i++)
        if (str_is(name, gpus[i].name))
            return &gpus[i];
    return NULL;
}
