/* The address space of device memory, and room for its tables, taken from the system and given back. */
#include "exec/memory/memory.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/resource.h>

/* Far from where programs and libraries lie, below 2^47, and above what AddressSanitizer reserves. What
 * lies behind it there is free, so that a memory takes a little and grows: QEMU's user mode (7.2) keeps
 * 24 bytes for each page of address space, and is minutes over a terabyte. */
#define RESERVED_AT UINT64_C(0x200000000000)
#define RESERVED_BYTES (UINT64_C(1) << 40)
#define FIRST_BYTES (UINT64_C(1) << 30)
#define SEVERAL_BYTES                                                                              \
    (UINT64_C(1) << 36)               /* where there is another memory already: 2,000 have room */
#define PIECE_BYTES UINT64_C(0x10000) /* a page of any machine */
#define LEAST_BYTES (UINT64_C(1) << 28)
#define LARGE_PAGE (UINT64_C(1) << 21)
#define LARGE_LEAST (UINT64_C(1) << 22) /* bytes of an allocation that has large pages */

/* ThreadSanitizer has no memory that far, and takes address 0 where it has none. */
#ifdef __has_feature /* clang */
#if __has_feature(thread_sanitizer)
#undef RESERVED_AT
#define RESERVED_AT 0
#endif
#endif

/* Memory that is taken only as far as it is filled. NULL, with errno: there is none, or `at` is not free,
 * which QEMU (7.2) and kernels before 4.17 do not say but by another place. */
static void *map(uint64_t at, uint64_t bytes) {
    int fixed = at ? MAP_FIXED_NOREPLACE : 0;
    void *mapped = mmap((void *)(uintptr_t)at, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
    if (mapped == MAP_FAILED)
        return NULL;
    if (!at || mapped == (void *)(uintptr_t)at)
        return mapped;
    munmap(mapped, bytes);
    errno = EEXIST;
    return NULL;
}

/* The most that is reserved: a quarter of the address space where that is limited (ulimit -v). */
static uint64_t wanted(void) {
    struct rlimit limit;
    bool limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur / 4 < RESERVED_BYTES;
    return limited ? limit.rlim_cur / 4 & ~(PIECE_BYTES - 1) : RESERVED_BYTES;
}

/* The first part where the rest can follow; elsewhere as much as there is, which is the limit then. */
uint8_t *space_reserve(uint64_t *bytes, uint64_t *limit) {
    *limit = wanted();
    *bytes = *limit < FIRST_BYTES ? *limit : FIRST_BYTES;
    void *at = RESERVED_AT ? map(RESERVED_AT, *bytes) : NULL;
    if (at)
        return at;
    if (RESERVED_AT && errno == EEXIST && *limit > SEVERAL_BYTES)
        *limit = SEVERAL_BYTES;
    while (!at && *limit >= LEAST_BYTES) {
        at = map(0, *limit);
        *limit /= at ? 1 : 2;
    }
    *bytes = *limit;
    return at;
}

bool memory_grow(Memory *memory, uint64_t end) {
    uint64_t here = memory->reserved, behind = (uint64_t)(uintptr_t)memory->base + here;
    if (end > memory->limit)
        return false;
    end = (end + PIECE_BYTES - 1) & ~(PIECE_BYTES - 1);
    uint64_t more = end > 2 * here ? end : 2 * here;
    more = more < memory->limit ? more : memory->limit;
    if (!map(behind, more - here)) {
        more = end < memory->limit ? end : memory->limit;
        if (!map(behind, more - here))
            return false;
    }
    __atomic_store_n(&memory->reserved, more, __ATOMIC_RELEASE);
    return true;
}

uint32_t space_blocks(uint64_t limit) {
    uint64_t most = limit / ALLOCATION_ALIGN;
    return most < BLOCKS_MOST ? (uint32_t)most : BLOCKS_MOST;
}

void *space_take(uint64_t bytes) {
    return map(0, bytes);
}

void space_large(uint64_t address, uint64_t bytes) {
#ifdef MADV_HUGEPAGE
    const uint64_t first = (address + LARGE_PAGE - 1) & ~(LARGE_PAGE - 1),
                   end = (address + bytes) & ~(LARGE_PAGE - 1);
    if (bytes >= LARGE_LEAST && end > first)
        madvise((void *)(uintptr_t)first, end - first,
                MADV_HUGEPAGE); /* or small ones, as before */
#else
    (void)address, (void)bytes;
#endif
}

void space_give(void *at, uint64_t bytes) {
    if (at)
        munmap(at, bytes);
}

void space_release(uint8_t *base, uint64_t bytes, uint64_t used) {
    (void)used;
    space_give(base, bytes);
}
