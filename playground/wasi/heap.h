/* heap.h: memory beside the heap's, for space.c. */
#pragma once

#include <stdint.h>

/* `bytes` that nobody had, which read as zero and take memory when they are written; NULL: there are none. They stay taken. */
uint8_t *heap_beside(uint32_t bytes);
