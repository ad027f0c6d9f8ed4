/* unistd.h: users and processes. There is one of each. */
#pragma once

#include <errno.h>
#include <sys/types.h>
#include_next <unistd.h>

static inline uid_t getuid(void) {
    return 0;
}
static inline uid_t geteuid(void) {
    return 0;
}
static inline pid_t fork(void) {
    errno = ENOSYS;
    return -1;
}
static inline pid_t setsid(void) {
    errno = ENOSYS;
    return -1;
}
static inline int execv(const char *path, char *const argv[]) {
    (void)path, (void)argv;
    errno = ENOSYS;
    return -1;
}
static inline unsigned alarm(unsigned seconds) {
    (void)seconds;
    return 0;
}
static inline int nice(int by) {
    (void)by;
    return 0;
}
