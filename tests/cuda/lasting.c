/* A kernel that lasts until the host says so: argv[1] milliseconds, or for ever ("for-ever"). Before,
 * half a line goes to the terminal; argv[2] says what else happens:
 *   writes    another thread writes to the terminal while the kernel runs
 *   ignores   Ctrl-C is ignored
 *   handles   Ctrl-C is noted, and the program goes on
 *   rests     no kernel runs any more, and the program waits for a signal */
#include "check.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static const char waiting[] = ".version 8.0\n"
                              ".target sm_80\n"
                              ".address_size 64\n"
                              ".visible .entry waits(.param .u64 flag)\n"
                              "{\n"
                              "    .reg .pred %p<2>;\n"
                              "    .reg .b32 %r<2>;\n"
                              "    .reg .b64 %rd<2>;\n"
                              "    ld.param.u64 %rd1, [flag];\n"
                              "AGAIN:\n"
                              "    ld.volatile.global.u32 %r1, [%rd1];\n"
                              "    setp.eq.u32 %p1, %r1, 0;\n"
                              "    @%p1 bra AGAIN;\n"
                              "    ret;\n"
                              "}\n";

typedef struct Host {
    long milliseconds;
    bool writes;
    volatile unsigned *flag;
} Host;

static void rest(long milliseconds) {
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    nanosleep(&time, NULL);
}

static void *end_kernel(void *context) {
    const Host *host = context;
    rest(host->milliseconds / 2);
    if (host->writes && write(STDOUT_FILENO, "meanwhile\n", 10) != 10)
        exit(1);
    rest(host->milliseconds - host->milliseconds / 2);
    *host->flag = 1;
    return NULL;
}

static volatile sig_atomic_t noted;

static void note(int number) {
    (void)number;
    noted = 1;
}

int main(int argc, char **argv) {
    const char *what = argc > 2 ? argv[2] : "";
    bool ends = strcmp(argv[1], "for-ever") != 0;
    CUmodule module;
    CUdeviceptr flag;
    pthread_t thread;
    start();
    OK(cuModuleLoadData(&module, waiting));
    OK(cuLaunchKernel(kernel(start(), "empty"), 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
    OK(cuMemAllocManaged(&flag, 4, 1));
    if (strcmp(what, "ignores") == 0)
        signal(SIGINT, SIG_IGN);
    if (strcmp(what, "handles") == 0)
        signal(SIGINT, note);
    Host host = {.milliseconds = ends ? atol(argv[1]) : 0,
                 .writes = strcmp(what, "writes") == 0,
                 .flag = (volatile unsigned *)(uintptr_t)flag};
    fputs("waiting...", stdout);
    fflush(stdout);
    void *params[] = {&flag};
    CHECK(!ends || pthread_create(&thread, NULL, end_kernel, &host) == 0);
    OK(cuLaunchKernel(kernel(module, "waits"), 1, 1, 1, 32, 1, 1, 0, NULL, params, NULL));
    OK(cuCtxSynchronize());
    CHECK(!ends || pthread_join(thread, NULL) == 0);
    if (strcmp(what, "rests") == 0) {
        puts("resting");
        fflush(stdout);
        pause();
    }
    puts(noted ? "noted" : "done");
    return 0;
}
