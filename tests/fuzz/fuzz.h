/* fuzz.h: what a fuzz target is. With WARPLENS_FUZZ (clang) libFuzzer calls it; otherwise corpus.c does. */
#pragma once

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
