/* Pages of device memory that other processes can map: private ones are replaced by those of a file without a
 * name, at the same addresses, with what they hold. It is done for what a program exports, so that nothing
 * else pays for it. */
#include "exec/memory/memory.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

PageSpan pages_of(uint64_t address, uint64_t bytes) {
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t first = address & ~(page - 1), end = (address + bytes + page - 1) & ~(page - 1);
    return (PageSpan){(void *)(uintptr_t)first, end - first};
}

/* Whole pages that are empty have no place in the file. */
static bool copy_to(int file, const PageSpan *span) {
    enum { CHUNK = 1 << 16 };
    static const char zeroes[CHUNK];
    if (ftruncate(file, (off_t)span->bytes) != 0)
        return false;
    for (uint64_t at = 0; at < span->bytes; at += CHUNK) {
        uint64_t left = span->bytes - at, size = left < CHUNK ? left : CHUNK;
        const char *from = (const char *)span->at + at;
        if (memcmp(from, zeroes, size) != 0 && pwrite(file, from, size, (off_t)at) != (ssize_t)size)
            return false;
    }
    return true;
}

int pages_share(PageSpan span) {
    int file = memfd_create("device memory", MFD_CLOEXEC);
    if (file < 0)
        return -1;
    if (copy_to(file, &span) && mmap(span.at, span.bytes, PROT_READ | PROT_WRITE,
                                     MAP_SHARED | MAP_FIXED, file, 0) != MAP_FAILED)
        return file;
    close(file);
    return -1;
}

void pages_unshare(PageSpan span, int file) {
    mmap(span.at, span.bytes, PROT_READ | PROT_WRITE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    close(file);
}
