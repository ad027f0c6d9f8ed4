// A call and what it returns, a line each.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>
#include <initializer_list>
#include <sys/wait.h>
#include <unistd.h>

static inline void said(const char *call, int result) {
    printf("%s: %d\n", call, result);
    cudaGetLastError();
}
#define R(...) said(#__VA_ARGS__, (int)(__VA_ARGS__))

// So many bytes, as one number.
static inline unsigned sum_of(const void *at, size_t bytes) {
    unsigned sum = 1;
    for (size_t i = 0; i < bytes; i++)
        sum = sum * 31 + ((const unsigned char *)at)[i];
    return sum;
}

// Each part in a process of its own, one after the other: what one leaves behind, no other sees.
static inline int in_parts(std::initializer_list<void (*)()> parts) {
    for (auto part : parts) {
        int status = 0;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            setvbuf(stdout, NULL, _IOLBF, 1024);
            alarm(40); // a part that never ends is none
            cudaFree(0);
            part();
            fflush(stdout);
            _exit(0);
        }
        waitpid(child, &status, 0);
        if (WIFSIGNALED(status))
            printf("crash\n");
    }
    return 0;
}
