/* sys/mman.h: pages. Memory is one piece that only grows, so nothing is mapped, shared, or made executable. */
#pragma once

#include <errno.h>
#include <stddef.h>
#include <sys/types.h>

#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_FIXED 16
#define MAP_ANONYMOUS 32
#define MAP_NORESERVE 0x4000
#define MAP_FAILED ((void *)-1)
#define MADV_DONTNEED 4
#define MFD_CLOEXEC 1

static inline void *mmap(void *at, size_t bytes, int access, int flags, int file, off_t offset) {
    (void)at, (void)bytes, (void)access, (void)flags, (void)file, (void)offset;
    errno = ENOSYS;
    return MAP_FAILED;
}
static inline int munmap(void *at, size_t bytes) {
    (void)at, (void)bytes;
    return 0;
}
static inline int mprotect(void *at, size_t bytes, int access) {
    (void)at, (void)bytes, (void)access;
    errno = ENOSYS;
    return -1;
}
static inline int madvise(void *at, size_t bytes, int advice) {
    (void)at, (void)bytes, (void)advice;
    errno = ENOSYS;
    return -1;
}
static inline int memfd_create(const char *name, unsigned flags) {
    (void)name, (void)flags;
    errno = ENOSYS;
    return -1;
}
