// printf: each conversion once, with flags, widths, precisions and lengths.
#include <cstdio>

__device__ const char text[] = "a word";

extern "C" __global__ void formats() {
    printf("plain, 100%%\n");
    printf("[%d] [%i] [%5d] [%-5d] [%05d] [%+d] [% d] [%.3d] [%8.3d]\n", 42, -42, 42, 42, 42, 42, 42, 7, -7);
    printf("[%u] [%x] [%X] [%#x] [%o] [%#o] [%08X]\n", 4000000000u, 48879u, 48879u, 255u, 8u, 8u, 48879u);
    printf("[%ld] [%lld] [%lu] [%llx] [%lX]\n", -1234567890123l, -9223372036854775807ll - 1, 18446744073709551615ul,
           81985529216486895ull, 3735928559ul);
    printf("[%hd] [%hu] [%hhd] [%hhx]\n", static_cast<short>(-2), static_cast<unsigned short>(65535),
           static_cast<signed char>(-3), static_cast<unsigned char>(200));
    printf("[%c] [%3c] [%-3c]\n", 'x', 'y', 'z');
    printf("[%s] [%10s] [%-10s] [%.3s] [%s]\n", text, text, text, text, static_cast<const char *>(nullptr));
    printf("[%f] [%.2f] [%10.3f] [%-10.1f] [%+f] [%010.2f] [%.0f] [%#.0f]\n", 3.25, 2.675, -1.5, 9.96, 0.5, -3.14159,
           2.5, 3.0);
    printf("[%e] [%.3E] [%g] [%G] [%g] [%a] [%A] [%F]\n", 12345.678, 0.00012, 1e-5, 1e20, 100000.0, 1.0, 0.1f, 1.0 / 0.0);
    printf("[%*d] [%-*d] [%.*f] [%*.*f]\n", 6, 42, 6, 42, 2, 3.14159, 9, 3, 2.71828);
    printf("[%d] [%f] [%lld] [%c] [%f]\n", 1, 2.0, 3ll, '4', 5.0f);
}

__device__ __noinline__ int say(int number) {
    return printf("lane %d of block %d\n", number, static_cast<int>(blockIdx.x));
}

extern "C" __global__ void some(int *out) {
    int i = static_cast<int>(threadIdx.x);
    out[i] = -5;
    if (i % 8 == 3)
        out[i] = say(i);
    if (i == 0)
        out[i] = printf("no arguments\n");
    __syncthreads();
    printf("%d ", i);
}
