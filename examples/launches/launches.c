/* All that a launch may be: kernels that launch others, clusters, cooperation, samples, memory of the host,
 * and the proof of another layout.   cc launches.c $(pkg-config --cflags --libs warplens) */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <warplens/warplens.h>

static WarplensError error;

static void *good(void *made) {
    if (!made) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    return made;
}

/* A kernel with arguments as `warplens kernel --arg` takes them. */
static WarplensKernel *kernel_of(WarplensModule *module, const char *name, const char *first,
                                 const char *second) {
    WarplensKernel *kernel = good(warplens_kernel(module, name, &error));
    if (!warplens_set_text(kernel, 0, first, &error) ||
        (second && !warplens_set_text(kernel, 1, second, &error)))
        good(NULL);
    return kernel;
}

static const uint32_t *array_of(WarplensKernel *kernel) {
    return warplens_buffer_data(good(warplens_array(kernel, 0, &error)));
}

static void children(WarplensModule *module) {
    WarplensLaunch launch = {.block = {32}};
    WarplensKernel *kernel = kernel_of(module, "parent", "u32[1]=0", "u32=10");
    WarplensResult *result = good(warplens_launch(kernel, &launch, &error));
    printf("%s launched %u kernel: %s; the sum is %u\n", warplens_result_kernel(result),
           warplens_child_count(result), warplens_result_kernel(warplens_child(result, 0)),
           array_of(kernel)[0]);
}

static void clusters(WarplensModule *module) {
    WarplensLaunch launch = {.grid = {8}, .block = {1}, .cluster = {4}};
    WarplensKernel *kernel = kernel_of(module, "neighbours", "u32[8]", NULL);
    good(warplens_launch(kernel, &launch, &error));
    for (int i = 0; i < 8; i++)
        printf("%s%u", i ? " " : "in clusters of 4, neighbours are ", array_of(kernel)[i]);
    putchar('\n');
}

static void cooperation(WarplensModule *module) {
    WarplensLaunch launch = {.grid = {100}, .block = {64}, .cooperative = true};
    WarplensKernel *kernel = kernel_of(module, "everybody", "u32[6401]=0", NULL);
    good(warplens_launch(kernel, &launch, &error));
    printf("all threads saw all %u blocks\n", array_of(kernel)[6400]);
}

static void sample(WarplensModule *module) {
    WarplensSampled sampled;
    WarplensLaunch launch = {.grid = {4096}, .block = {32, 32}, .sample = 32};
    WarplensKernel *kernel = kernel_of(module, "turn", "f32[1024]=iota", "f32[1024]");
    warplens_sampled(good(warplens_launch(kernel, &launch, &error)), &sampled);
    printf("counted %llu of %llu blocks\n", (unsigned long long)sampled.blocks_counted,
           (unsigned long long)sampled.blocks);
}

static void memory_of_the_host(WarplensModule *module) {
    static _Alignas(128) float own[1024];
    WarplensLaunch launch = {.block = {32, 32}};
    WarplensKernel *kernel = kernel_of(module, "turn", "f32[1024]=iota", NULL);
    WarplensBuffer *buffer = good(warplens_adopt(module, "own", own, sizeof own, &error));
    warplens_set_buffer(kernel, 1, buffer, 0, &error);
    good(warplens_launch(kernel, &launch, &error));
    printf("own[1] = %g\n", own[1]);
}

static void proof(WarplensModule *module) {
    uint32_t count;
    WarplensProof proof;
    WarplensLaunch launch = {.block = {32, 32}, .evidence_blocks = UINT32_MAX};
    WarplensKernel *kernel = kernel_of(module, "turn", "f32[1024]=iota", "f32[1024]");
    WarplensResult *result = good(warplens_launch(kernel, &launch, &error));
    const WarplensFix *fix = warplens_fixes(result, &count);
    launch.layouts = &fix->layout;
    launch.layout_count = count;
    if (!warplens_prove(kernel, &launch, &proof, &error))
        good(NULL);
    unsigned long long before = warplens_counter(warplens_total(proof.before), "wavefronts");
    unsigned long long after = warplens_counter(warplens_total(proof.after), "wavefronts");
    printf("%s: %s: %llu wavefronts become %llu, promised %llu; results %s\n", fix->name,
           fix->words, before, after, (unsigned long long)fix->promised,
           proof.equal ? "are equal" : "differ");
}

int main(int argc, char **argv) {
    WarplensModule *module = good(warplens_load(argc > 1 ? argv[1] : "kernels.ptx", NULL, &error));
    children(module);
    clusters(module);
    cooperation(module);
    sample(module);
    memory_of_the_host(module);
    proof(module);
    warplens_free(module);
    return 0;
}
