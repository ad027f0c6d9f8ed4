/* signal.h: signals. Nobody sends any. */
#pragma once

#define __NEED_sigset_t
#include <bits/alltypes.h>
#include <errno.h>
#include <sys/types.h>

#define SIGINT 2
#define SIGALRM 14
#define SIGTERM 15
#define SIG_DFL ((void (*)(int))0)
#define SIG_IGN ((void (*)(int))1)

typedef int sig_atomic_t;
struct sigaction {
    void (*sa_handler)(int);
    sigset_t sa_mask;
    int sa_flags;
};

static inline int sigemptyset(sigset_t *set) {
    *set = 0;
    return 0;
}

static inline int sigaction(int number, const struct sigaction *wanted, struct sigaction *before) {
    (void)number, (void)wanted, (void)before;
    return 0;
}
static inline int kill(pid_t process, int number) {
    (void)process, (void)number;
    errno = ESRCH;
    return -1;
}

#define SIGHUP 1
#define SIGPIPE 13
#define SIGXFSZ 25
#define SIG_ERR ((void (*)(int)) - 1)

static inline void (*signal(int number, void (*handler)(int)))(int) {
    (void)number, (void)handler;
    return SIG_DFL;
}
