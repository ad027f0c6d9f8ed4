/* fails: what the stand-ins' functions return. */
#pragma once

#include <stdlib.h>
#include <string.h>

/* WARPLENS_TEST_FAILS names the function that returns an error. */
static inline int result_of(const char *function) {
    const char *fails = getenv("WARPLENS_TEST_FAILS");
    return fails && strcmp(fails, function) == 0 ? 999 : 0;
}

/* The version of CUDA that the driver knows: WARPLENS_TEST_CUDA, else 13000. */
static inline int stand_in_cuda(void) {
    const char *version = getenv("WARPLENS_TEST_CUDA");
    return version ? atoi(version) : 13000;
}
