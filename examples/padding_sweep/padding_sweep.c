/* Which padding of a tile's rows leaves the fewest wavefronts? Runs transpose.ptx, which takes the
 * distance between rows as an argument, with each.   cc padding_sweep.c $(pkg-config --cflags --libs warplens) */
#include <stdio.h>
#include <warplens/warplens.h>

enum { N = 256, TILE = 32, PADDINGS = 9 };

int main(int argc, char **argv) {
    WarplensError error;
    WarplensModule *module = warplens_load(argc > 1 ? argv[1] : "transpose.ptx", NULL, &error);
    WarplensKernel *kernel = module ? warplens_kernel(module, "transpose", &error) : NULL;
    WarplensBuffer *in =
        kernel ? warplens_buffer(module, "in", N * N, sizeof(double), &error) : NULL;
    WarplensBuffer *out = in ? warplens_buffer(module, "out", N * N, sizeof(double), &error) : NULL;
    int best = 0;
    unsigned long long fewest = 0;
    for (int i = 0; out && i < N * N; i++)
        ((double *)warplens_buffer_data(in))[i] = i;
    for (int padding = 0; out && padding < PADDINGS; padding++) {
        int n = N, pitch = TILE + padding;
        WarplensLaunch launch = {.grid = {N / TILE, N / TILE}, .block = {TILE, 8}};
        launch.dynamic_shared = (uint32_t)(TILE * pitch) * sizeof(double);
        warplens_set_buffer(kernel, 0, in, 0, &error);
        warplens_set_buffer(kernel, 1, out, 0, &error);
        warplens_set_value(kernel, 2, &n, sizeof n, &error);
        warplens_set_value(kernel, 3, &pitch, sizeof pitch, &error);
        WarplensResult *result = warplens_launch(kernel, &launch, &error);
        if (error.status != WARPLENS_OK)
            break;
        const uint64_t *total = warplens_total(result);
        unsigned long long count = warplens_counter(total, "wavefronts");
        unsigned long long ideal = warplens_counter(total, "wavefronts_ideal");
        printf("padding %d: %6llu wavefronts, ideal %llu\n", padding, count, ideal);
        if (padding == 0 || count < fewest)
            fewest = count, best = padding;
    }
    if (error.status == WARPLENS_OK)
        printf("best: %d, out[1][0] = %g\n", best, ((double *)warplens_buffer_data(out))[N]);
    else
        fprintf(stderr, "%s\n", error.message);
    warplens_free(module);
    return error.status != WARPLENS_OK;
}
