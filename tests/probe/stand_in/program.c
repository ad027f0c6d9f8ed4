/* A program for tests: it begins the driver as any CUDA program does, and launches a kernel of a few accesses,
 * with a block more each time: program LAUNCHES [NODES | CUBIN KERNEL | dense PARTS | kernels NUMBER | threads NUMBER | ends HOW]. */
#include "stand_in.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int cuInit(unsigned int flags);
int main(int argc, char **argv); /* which has another name, where it is a library */

enum { BUFFER = 0x10000000, BYTES = 1 << 16, BLOCK = 64 };

/* Warp `warp` of a transpose: a row of global memory, a row and a column of shared memory. */
static void warp_of(uint32_t warp, StandInAccess accesses[3]) {
    const LaneSet all = {.mask = UINT32_MAX};
    accesses[0] = (StandInAccess){.inst = 4,
                                  .mask = all.mask,
                                  .key = {.part = PROBE_GLOBAL, .flags = PROBE_READ, .width = 4}};
    accesses[1] = (StandInAccess){.inst = 6,
                                  .mask = all.mask,
                                  .key = {.part = PROBE_SHARED, .flags = PROBE_WRITE, .width = 4}};
    accesses[2] = (StandInAccess){.inst = 9,
                                  .mask = all.mask,
                                  .key = {.part = PROBE_SHARED, .flags = PROBE_READ, .width = 4}};
    for (uint32_t lane = 0; lane < PROBE_LANES; lane++) {
        accesses[0].address.at[lane] = BUFFER + warp * 128 + lane * 4;
        accesses[1].address.at[lane] = 1024 + warp * 128 + lane * 4;
        accesses[2].address.at[lane] = 1024 + warp * 4 + lane * 128;
    }
    accesses[0].sums = sums_global(all, accesses[0].address, 4);
    accesses[1].sums = sums_store(all, accesses[1].address, 4);
    accesses[2].sums = sums_load(all, accesses[2].address, 4);
}

/* A kernel of INSTS instructions, of which nearly all access memory, once, each as so many parts of the table. */
static void launch_dense(StandInCode *code, uint32_t parts) {
    enum { INSTS = 1024, ALL = INSTS * PROBE_PARTS };
    static const ProbePart each[PROBE_PARTS] = {PROBE_GLOBAL, PROBE_SHARED, PROBE_LOCAL,
                                                PROBE_REMOTE};
    static StandInAccess accesses[ALL];
    StandInAccess some[3];
    uint32_t count = 0;
    warp_of(0, some);
    for (uint32_t inst = 8; inst < INSTS; inst++)
        for (uint32_t part = 0; part < parts && part < PROBE_PARTS; part++) {
            accesses[count] = some[0];
            accesses[count].inst = inst;
            accesses[count++].key.part = (uint8_t)each[part];
        }
    code->size = INSTS * 16;
    stand_in_load(code);
    stand_in_allocated(BUFFER, BYTES);
    stand_in_launch(1, BLOCK, accesses, count);
}

/* Each thread loads a module and launches a kernel of it; two have a context together. */

typedef struct Thread {
    pthread_t id;
    StandInCode code;
    uint32_t place, launches;
} Thread;

static void *run_thread(void *of) {
    const Thread *thread = of;
    StandInAccess accesses[6];
    warp_of(0, &accesses[0]);
    warp_of(1, &accesses[3]);
    stand_in_go(thread->place);
    if (thread->place % 2) /* the context of an even place is there */
        stand_in_load(&thread->code);
    for (uint32_t i = 0; i < thread->launches; i++)
        stand_in_launch(1 + i, BLOCK, accesses, 6);
    return NULL;
}

static void launch_from_threads(const StandInCode *code, uint32_t launches, uint32_t number) {
    static Thread threads[STAND_IN_PLACES];
    number = number < STAND_IN_PLACES ? number : STAND_IN_PLACES;
    for (uint32_t i = 0; i < number; i++) {
        threads[i] = (Thread){.code = *code, .place = i, .launches = launches};
        threads[i].code.pc += i * code->size;
        stand_in_go(i);
        if (i % 2 == 0)
            stand_in_load(&threads[i].code);
    }
    for (uint32_t i = 0; i < number; i++)
        if (pthread_create(&threads[i].id, NULL, run_thread, &threads[i]) != 0)
            exit(1);
    for (uint32_t i = 0; i < number; i++)
        pthread_join(threads[i].id, NULL);
}

/* After what was launched, the process ends in one of these ways. */
static void end_early(const char *how) {
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "kill") == 0)
        raise(SIGKILL);
    char byte;
    if (strcmp(how, "wait") == 0 && read(STDIN_FILENO, &byte, 1) < 0) /* for the end of input */
        perror("read");
    _exit(7);
}

static void read_cubin(const char *path, StandInCode *code) {
    enum { MOST = 1 << 20 };
    static char bytes[MOST];
    FILE *file = fopen(path, "rbe");
    if (!file)
        exit(1);
    code->cubin = bytes;
    code->cubin_size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
}

int main(int argc, char **argv) {
    static const char cubin[] = "no cubin";
    static bool loaded;
    static StandInCode code;
    const char *name = getenv("WARPLENS_TEST_KERNEL");
    code = (StandInCode){
        name ? name : "_Z9transposePKf", 0x7f0000001000, 0x400, cubin, sizeof cubin, 0};
    StandInAccess accesses[6];
    if (argc < 2 || cuInit(0) != 0)
        return 1;
    if (argc == 4 && strcmp(argv[2], "dense") == 0) {
        launch_dense(&code, (uint32_t)atoi(argv[3]));
        return 0;
    }
    if (argc == 4 && strcmp(argv[2], "threads") == 0) {
        launch_from_threads(&code, (uint32_t)atoi(argv[1]), (uint32_t)atoi(argv[3]));
        return 0;
    }
    if (argc == 4 && strcmp(argv[2], "kernels") != 0 && strcmp(argv[2], "ends") != 0) {
        read_cubin(argv[2], &code);
        code.kernel = argv[3];
    }
    warp_of(0, &accesses[0]);
    warp_of(1, &accesses[3]);
    if (!loaded) { /* once, where it is a library that is called again */
        stand_in_load(&code);
        stand_in_allocated(BUFFER, BYTES);
        loaded = true;
    }
    const char *first = code.kernel, *second = getenv("WARPLENS_TEST_SECOND");
    const int kernels = argc == 4 && strcmp(argv[2], "kernels") == 0 ? atoi(argv[3]) : 1;
    for (int i = 0; i < atoi(argv[1]) * kernels; i++) { /* of each kernel in turn */
        code.number = (uint32_t)(i % kernels);
        if (second && kernels > 1) /* of two names in turn */
            code.kernel = i % 2 ? second : first;
        stand_in_launch(1 + (uint32_t)i, BLOCK, accesses, 6);
    }
    if (argc == 4 && strcmp(argv[2], "ends") == 0)
        end_early(argv[3]);
    if (argc == 3) /* nodes of a graph */
        stand_in_graph((uint32_t)atoi(argv[2]), 1, BLOCK, accesses, 6);
    puts("done");
    return 0;
}
