/* sys/stat.h: modes of files. They have none. */
#pragma once

#include_next <sys/stat.h>

static inline int fchmod(int file, mode_t mode) {
    (void)file, (void)mode;
    return 0;
}
