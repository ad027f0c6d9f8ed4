/* spawn.h: other programs. None can be started. */
#pragma once

#include <errno.h>
#include <sys/types.h>

typedef struct {
    int none;
} posix_spawn_file_actions_t;

static inline int posix_spawn_file_actions_init(posix_spawn_file_actions_t *actions) {
    actions->none = 0;
    return ENOSYS;
}
static inline int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *actions) {
    (void)actions;
    return 0;
}
static inline int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t *actions, int file,
                                                   const char *path, int flags, mode_t mode) {
    (void)actions, (void)file, (void)path, (void)flags, (void)mode;
    return ENOSYS;
}
static inline int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *actions, int from,
                                                   int to) {
    (void)actions, (void)from, (void)to;
    return ENOSYS;
}
static inline int posix_spawn(pid_t *child, const char *path,
                              const posix_spawn_file_actions_t *actions, const void *attributes,
                              char *const argv[], char *const environment[]) {
    (void)child, (void)path, (void)actions, (void)attributes, (void)argv, (void)environment;
    return ENOSYS;
}
