/* NVTX ranges, as the header of NVTX 3 calls them: tables of functions, which the library that the environment names
 * fills in; and the profiler's calls. */
#include "check.h"

#include <dlfcn.h>
#include <wchar.h>

enum { CORE = 1, DOMAINS = 5, FUNCTIONS = 17 };
typedef void (*Function)(void);
static Function core[FUNCTIONS], domains[FUNCTIONS];
static Function *core_table[FUNCTIONS], *domain_table[FUNCTIONS];

static int table(int module, Function ***functions, unsigned *count) {
    *functions = module == CORE ? core_table : domain_table;
    *count = FUNCTIONS;
    return module == CORE || module == DOMAINS;
}

static const struct {
    size_t bytes;
    int (*table)(int module, Function ***functions, unsigned *count);
} callbacks = {sizeof callbacks, table};

static const void *exports(uint32_t id) {
    return id == 1 ? &callbacks : NULL;
}

static void load(void) {
    int (*begin)(const void *(*)(uint32_t));
    void *library = dlopen(getenv("NVTX_INJECTION64_PATH"), RTLD_LAZY);
    CHECK(library);
    void *found = dlsym(library, "InitializeInjectionNvtx2");
    CHECK(found);
    memcpy(&begin, &found, sizeof begin);
    for (int i = 0; i < FUNCTIONS; i++) {
        core_table[i] = &core[i];
        domain_table[i] = &domains[i];
    }
    CHECK(begin(exports) == 1);
}

static uint64_t start_range(const char *name) {
    return ((uint64_t(*)(const char *))core[5])(name);
}

static void end_range(uint64_t id) {
    ((void (*)(uint64_t))core[7])(id);
}

static int push(const char *name) {
    return ((int (*)(const char *))core[9])(name);
}

static int pop(void) {
    return ((int (*)(void))core[11])();
}

static int push_of_domain(const char *name) {
    struct {
        uint16_t version, size;
        int32_t unused[5];
        uint64_t payload;
        int32_t type;
        const void *text;
    } event = {.version = 2, .size = 48, .type = 3};
    event.text = ((void *(*)(void *, const char *))domains[10])(NULL, name);
    return ((int (*)(void *, const void *))domains[4])(NULL, &event);
}

CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);

int main(void) {
    CUmodule module = start();
    CUdeviceptr at;
    OK(cuMemAlloc_v2(&at, 128));
    load();
    uint64_t epoch = start_range("epoch 1");
    CHECK(push("forward") == 0 && ((int (*)(const wchar_t *))core[10])(L"layer 2") == 1);
    launch_fill(module, at, 2, 1, NULL);
    CHECK(pop() == 1);
    CHECK(push_of_domain("loss") == 1);
    launch_fill(module, at, 3, 1, NULL);
    CHECK(((int (*)(void *))domains[5])(NULL) == 1 && pop() == 0 && pop() == -1);
    launch_fill(module, at, 4, 1, NULL);
    end_range(epoch);
    OK(cuProfilerStop());
    launch_fill(module, at, 5, 1, NULL); /* not counted */
    OK(cuProfilerStart());
    launch_fill(module, at, 6, 1, NULL);
    return 0;
}
