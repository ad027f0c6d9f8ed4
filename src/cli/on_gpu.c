/* Looks for a GPU, and for what counts on it. */
#include "cli/on_gpu.h"
#include "probe/probe.h"
#include "toolchain/toolchain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool gpu_ready(RunSettings *run, bool sure, Diags *diags) {
    const ProbeGpus gpus = probe_gpus(run->arena, sure);
    run->sanitizer = probe_sanitizer(run->arena);
    if (getenv("CUDA_INJECTION64_PATH")) {
        diags_error(
            diags,
            "another tool (CUDA_INJECTION64_PATH is set) watches the program: one at a time can");
        return false;
    }
    if (gpus.why || !run->sanitizer) {
        diags_error(diags, "--on gpu: %s; 'warplens doctor' says how to get it",
                    gpus.why ? gpus.why
                             : "libsanitizer-public.so of the CUDA toolkit is not found");
        return false;
    }
    if (!run_probe(run->arena)) {
        diags_error(diags, "--on gpu: libwarplens-probe.so is not where warplens was installed");
        return false;
    }
    run->folder = scratch_new(run->arena);
    if (!run->folder) {
        diags_error(diags, "--on gpu: no temporary directory: %s", strerror(errno));
        return false;
    }
    bool good = true;
    for (uint32_t i = 0; good && i < gpus.list.count; i++)
        good =
            probe_patches(run->arena, run->folder, gpus.list.at[i].capability, gpus.driver, diags);
    return good;
}
