/* A kernel that lasts until the host says so: argv[1] milliseconds, for ever ("for-ever"), or until
 * the file `end` is there ("told"). Before, half a line goes to the terminal; once the kernel has
 * begun, the file `begun` is there. argv[2] says what else happens:
 *   writes    another thread writes to the terminal, once the file `write` is there
 *   ignores   Ctrl-C is ignored
 *   handles   Ctrl-C is noted, and the program goes on; the kernel ends after it
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
                              "    mov.u32 %r1, 1;\n"
                              "    st.volatile.global.u32 [%rd1+4], %r1;\n"
                              "AGAIN:\n"
                              "    ld.volatile.global.u32 %r1, [%rd1];\n"
                              "    setp.eq.u32 %p1, %r1, 0;\n"
                              "    @%p1 bra AGAIN;\n"
                              "    ret;\n"
                              "}\n";

typedef struct Host {
    const char *until;
    bool writes, handles;
    volatile unsigned *flag, *begun;
} Host;

static void rest(long milliseconds) {
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    nanosleep(&time, NULL);
}

static void wait_for(const char *file) {
    while (access(file, F_OK) != 0)
        rest(10);
}

static volatile sig_atomic_t noted;

static void note(int number) {
    (void)number;
    noted = 1;
}

static void *watch_kernel(void *context) {
    const Host *host = context;
    while (!*host->begun)
        rest(10);
    CHECK(fclose(fopen("begun", "w")) == 0);
    if (host->writes) {
        wait_for("write");
        CHECK(write(STDOUT_FILENO, "meanwhile\n", 10) == 10);
    }
    while (host->handles && !noted)
        rest(10);
    if (strcmp(host->until, "for-ever") == 0)
        return NULL;
    if (strcmp(host->until, "told") == 0)
        wait_for("end");
    else
        rest(atol(host->until));
    *host->flag = 1;
    return NULL;
}

int main(int argc, char **argv) {
    const char *what = argc > 2 ? argv[2] : "";
    CUmodule module;
    CUdeviceptr flag;
    pthread_t thread;
    start();
    OK(cuModuleLoadData(&module, waiting));
    OK(cuLaunchKernel(kernel(start(), "empty"), 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
    OK(cuMemAllocManaged(&flag, 8, 1));
    if (strcmp(what, "ignores") == 0)
        signal(SIGINT, SIG_IGN);
    volatile unsigned *flags = (volatile unsigned *)(uintptr_t)flag;
    Host host = {argv[1], strcmp(what, "writes") == 0, strcmp(what, "handles") == 0, &flags[0],
                 &flags[1]};
    if (host.handles)
        signal(SIGINT, note);
    fputs("waiting...", stdout);
    fflush(stdout);
    void *params[] = {&flag};
    CHECK(pthread_create(&thread, NULL, watch_kernel, &host) == 0);
    OK(cuLaunchKernel(kernel(module, "waits"), 1, 1, 1, 32, 1, 1, 0, NULL, params, NULL));
    OK(cuCtxSynchronize());
    CHECK(pthread_join(thread, NULL) == 0);
    if (strcmp(what, "rests") == 0) {
        puts("resting");
        fflush(stdout);
        pause();
    }
    puts(noted ? "noted" : "done");
    return 0;
}
