/* Copies of 8 or 16 bytes that no other thread sees a part of. */
#ifndef WARPLENS_EXEC_ACCESS_WHOLE_H
#define WARPLENS_EXEC_ACCESS_WHOLE_H

#include <stdint.h>

#if defined __aarch64__
#include <stdbool.h>
#include <sys/auxv.h>
#endif

enum { WHOLE_BYTES = 16 };
typedef uint64_t HalfWhole __attribute__((may_alias));

#if defined __aarch64__

/* Of 16 bytes LDP and STP move all at once where the processor has FEAT_LSE2; elsewhere LDXP does, if the STXP that follows
 * it finds that nobody has written between them (ARM's manual, B2.2.1): it writes what is there, and memory of a launch can be written. */
static inline bool pairs_move_at_once(void) {
    enum { USCAT = 1 << 25 }; /* of AT_HWCAP: Linux's word for LSE2 */
    return getauxval(AT_HWCAP) & USCAT;
}

static inline void copy_16(void *to, const void *from) {
    uint64_t low, high, old_low, old_high;
    uint32_t again;
    if (pairs_move_at_once()) {
        __asm__ volatile("ldp %0, %1, [%2]\n\tstp %0, %1, [%3]"
                         : "=&r"(low), "=&r"(high)
                         : "r"(from), "r"(to)
                         : "memory");
        return;
    }
    do
        __asm__ volatile("ldxp %0, %1, [%3]\n\tstxp %w2, %0, %1, [%3]"
                         : "=&r"(low), "=&r"(high), "=&r"(again)
                         : "r"(from)
                         : "memory");
    while (again);
    do
        __asm__ volatile("ldxp %0, %1, [%3]\n\tstxp %w2, %4, %5, [%3]"
                         : "=&r"(old_low), "=&r"(old_high), "=&r"(again)
                         : "r"(to), "r"(low), "r"(high)
                         : "memory");
    while (again);
}

#else

typedef uint64_t Whole __attribute__((vector_size(WHOLE_BYTES), may_alias));

/* Processors with AVX read and write aligned 16 bytes at once (Intel's manual, volume 3, 10.1.1; AMD's, volume 2, 7.3.2),
 * those without it do so in practice. */
static inline void copy_16(void *to, const void *from) {
    *(volatile Whole *)to = *(const volatile Whole *)from;
}

#endif

/* Both aligned to the width. */
static inline void copy_whole(void *to, const void *from, uint32_t width) {
    if (width == WHOLE_BYTES)
        copy_16(to, from);
    else
        *(volatile HalfWhole *)to = *(const volatile HalfWhole *)from;
}

#endif
