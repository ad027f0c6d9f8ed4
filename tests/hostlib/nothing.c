/* Functions whose names are read from stdin are called with their library's handle and nothing else: zeros, and no pointers. Prints
 * each name, and then what it returned; 3: the last of them faulted. See nothing.py. */
#include "check.h"

#include <dlfcn.h>

typedef int (*Create)(void **handle, int type);
typedef int (*Function)(void *, long, long, long, long, long, long, long, long, long, long, long,
                        long, long, long, long, long, long, long, long, long, long, long, long);

static struct {
    const char *prefix, *create;
    int type;
    void *handle;
} libraries[] = {
    {"cublasLt", "cublasLtCreate", 0, NULL},       {"cublasXt", "cublasXtCreate", 0, NULL},
    {"cublas", "cublasCreate_v2", 0, NULL},        {"cusolverDn", "cusolverDnCreate", 0, NULL},
    {"cusolverSp", "cusolverSpCreate", 0, NULL},   {"cusparse", "cusparseCreate", 0, NULL},
    {"curand", "curandCreateGenerator", 100, NULL}};
enum { LIBRARIES = sizeof libraries / sizeof *libraries, FAULTED = 3 };

static void *handle_for(const char *name) {
    for (int i = 0; i < LIBRARIES; i++)
        if (strncmp(name, libraries[i].prefix, strlen(libraries[i].prefix)) == 0)
            return libraries[i].handle;
    return NULL;
}

int main(void) {
    char name[128];
    start();
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 0; i < LIBRARIES; i++) {
        Create create;
        *(void **)&create = dlsym(RTLD_DEFAULT, libraries[i].create);
        CHECK(create && create(&libraries[i].handle, libraries[i].type) == 0);
    }
    while (fgets(name, sizeof name, stdin)) {
        Function function;
        name[strcspn(name, "\n")] = 0;
        *(void **)&function = dlsym(RTLD_DEFAULT, name);
        CHECK(function);
        printf("%s\n", name);
        printf("%d\n", function(handle_for(name), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                0, 0, 0, 0, 0, 0));
        if (cuCtxSynchronize()) /* it needs memory that is not there: a fault, as of a kernel */
            return FAULTED;
    }
    return 0;
}
