/* sys/file.h: locks on files that processes share. They share none. */
#pragma once

#define LOCK_SH 1
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8

static inline int flock(int file, int operation) {
    (void)file, (void)operation;
    return 0;
}
