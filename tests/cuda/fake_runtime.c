/* Stands for libcudart_static.a in stripped.c: every entry point refers to its own name, but for those of
 * NVIDIA's that do not, and calls one function, which opens the driver and asks for its tables. None of them must
 * be called: `warplens run` replaces them. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int fake_entered(const char *name, int number);

__attribute__((noinline)) int fake_entered(const char *name, int number) {
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    int (*table)(const void **, const void *);
    const void *tables;
    *(void **)&table = driver ? dlsym(driver, "cuGetExportTable") : NULL;
    printf("%s is not replaced: %d\n", name ? name : "an entry point without a name",
           table ? table(&tables, &number) : -1);
    exit(1);
}

#define IS_NAMED(name)                                                                             \
    (__builtin_strncmp(name, "__", 2) != 0 || __builtin_strcmp(name, "__cudaInitModule") == 0)
#define CALL_OF(type, name, parameters)                                                            \
    int name(void);                                                                                \
    __attribute__((noinline)) int name(void) {                                                     \
        return fake_entered(IS_NAMED(#name) ? #name : NULL, __LINE__);                             \
    }
#define CALL_12_13(name, parameters_12, parameters_13) CALL_OF(int, name, ())

/* These come first, as in NVIDIA's: the others are looked for behind them. */
CALL_OF(void **, __cudaRegisterFatBinary, (void *wrapper))
int __cudaLaunchKernel(void);
int cudaLaunchKernel(void);
int __cudaLaunchKernel(void) {
    return cudaLaunchKernel();
}

#define __cudaRegisterFatBinary fake_first
#define __cudaLaunchKernel fake_second
#include "cuda/runtime/calls.def"
