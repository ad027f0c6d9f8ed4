/* dlfcn.h: libraries that are loaded. There are none. */
#pragma once

#define RTLD_LAZY 1
#define RTLD_NOW 2
#define RTLD_LOCAL 0

typedef struct {
    const char *dli_fname;
    void *dli_fbase;
    const char *dli_sname;
    void *dli_saddr;
} Dl_info;

static inline void *dlopen(const char *path, int flags) {
    (void)path, (void)flags;
    return (void *)0;
}
static inline void *dlsym(void *library, const char *name) {
    (void)library, (void)name;
    return (void *)0;
}
static inline char *dlerror(void) {
    return (char *)"WebAssembly loads no libraries";
}
static inline int dladdr(const void *address, Dl_info *info) {
    (void)address, (void)info;
    return 0;
}
