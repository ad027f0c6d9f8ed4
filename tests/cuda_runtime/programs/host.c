/* A program without device code that opens a library with some: after the start, or linked. */
#include <dlfcn.h>
#include <stdio.h>

#ifdef LINKED
int last_of_32(void);
int main(void) {
    printf("%d\n", last_of_32());
    return 0;
}
#else
int main(int argc, char **argv) {
    void *library = dlopen(argv[argc - 1], RTLD_NOW);
    int (*last)(void);
    if (!library || !(*(void **)&last = dlsym(library, "last_of_32"))) {
        puts(dlerror());
        return 1;
    }
    printf("%d\n", last());
    return 0;
}
#endif
