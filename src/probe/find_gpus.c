/* Which GPUs this machine has, and the rows of gpus.def that are theirs.
 *
 * The driver starts threads, and has no call that ends it. So a child process asks it, or NVML, and writes what it is told as lines
 * of text: the version of CUDA that the driver knows, then for each GPU its compute capability and name. */
#include "base/library.h"
#include "probe/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int Init(unsigned int flags);
typedef int GetNumber(int *number);
typedef int GetName(char *name, int size, int device);
typedef int GetAttribute(int *value, int attribute, int device);

static size_t print_gpu(char *text, size_t size, int major, int minor, const char *name) {
    return (size_t)snprintf(text, size, "%d %s\n", major * 10 + minor, name);
}

static void tell_gpus(int to, void *driver) {
    enum { MAJOR = 75, MINOR = 76 };
    Init *init;
    GetNumber *version, *count;
    GetName *get_name;
    GetAttribute *get;
    int number = 0, devices = 0, major = 0, minor = 0;
    char name[128] = "", line[sizeof name + 16];
    const LibraryFunction wanted[] = {{"cuInit", &init},
                                      {"cuDriverGetVersion", &version},
                                      {"cuDeviceGetCount", &count},
                                      {"cuDeviceGetName", &get_name},
                                      {"cuDeviceGetAttribute", &get}};
    if (LIBRARY_FUNCTIONS(driver, wanted))
        return;
    version(&number);
    dprintf(to, "%d\n", number);
    if (init(0) != 0 || count(&devices) != 0)
        return;
    for (int device = 0; device < devices; device++)
        if (get_name(name, sizeof name, device) == 0 && get(&major, MAJOR, device) == 0 &&
            get(&minor, MINOR, device) == 0) {
            print_gpu(line, sizeof line, major, minor, name);
            dprintf(to, "%s", line);
        }
}

/* Functions of NVML, the management library, which comes with the driver. */
typedef struct NvmlDevice NvmlDevice;
typedef int NvmlInit(void);
typedef int NvmlCount(unsigned int *count);
typedef int NvmlDeviceAt(unsigned int index, NvmlDevice **device);
typedef int NvmlName(NvmlDevice *device, char *name, unsigned int size);
typedef int NvmlCapability(NvmlDevice *device, int *major, int *minor);

static bool same_folder(void *one, void *other) {
    struct link_map *first, *second;
    char *paths[2] = {NULL, NULL};
    if (dlinfo(one, RTLD_DI_LINKMAP, &first) == 0 && dlinfo(other, RTLD_DI_LINKMAP, &second) == 0) {
        paths[0] = realpath(first->l_name, NULL);
        paths[1] = realpath(second->l_name, NULL);
    }
    bool same = paths[0] && paths[1] && strcmp(dirname(paths[0]), dirname(paths[1])) == 0;
    free(paths[0]);
    free(paths[1]);
    return same;
}

/* NVML takes a tenth of the time that the driver does. false: it is not there, or belongs to another driver, or does not know;
 * nothing is told then. */
static bool tell_quickly(int to, void *driver) {
    NvmlInit *init;
    GetNumber *version;
    NvmlCount *count;
    NvmlDeviceAt *device_at;
    NvmlName *get_name;
    NvmlCapability *get;
    int number = 0, major = 0, minor = 0;
    unsigned int devices = 0;
    char name[128] = "";
    const LibraryFunction wanted[] = {{"nvmlInit_v2", &init},
                                      {"nvmlSystemGetCudaDriverVersion", &version},
                                      {"nvmlDeviceGetCount_v2", &count},
                                      {"nvmlDeviceGetHandleByIndex_v2", &device_at},
                                      {"nvmlDeviceGetName", &get_name},
                                      {"nvmlDeviceGetCudaComputeCapability", &get}};
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library || !same_folder(library, driver) || LIBRARY_FUNCTIONS(library, wanted))
        return false;
    if (init() != 0 || version(&number) != 0 || count(&devices) != 0 || devices == 0)
        return false;
    char text[4096];
    size_t length = (size_t)snprintf(text, sizeof text, "%d\n", number);
    for (unsigned int i = 0; i < devices; i++) {
        NvmlDevice *device;
        if (device_at(i, &device) != 0 || get_name(device, name, sizeof name) != 0 ||
            get(device, &major, &minor) != 0 || length + sizeof name + 16 > sizeof text)
            return false;
        length += print_gpu(text + length, sizeof text - length, major, minor, name);
    }
    return write(to, text, length) == (ssize_t)length;
}

static void add_gpu(Arena *arena, ProbeGpus *gpus, char *line) {
    char *end;
    unsigned long capability = strtoul(line, &end, 10);
    if (*end == ' ')
        *vec_add(arena, &gpus->list) =
            (ProbeGpu){arena_copy(arena, end + 1, strcspn(end + 1, "\n")), (uint32_t)capability};
}

ProbeGpus probe_gpus(Arena *arena, bool sure) {
    ProbeGpus gpus = {.why = "there is no driver of NVIDIA's (libcuda.so.1)"};
    int ends[2];
    char line[256];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return gpus;
    pid_t child = fork();
    if (child == 0) {
        void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
        if (driver && (sure || getenv("CUDA_VISIBLE_DEVICES") || !tell_quickly(ends[1], driver)))
            tell_gpus(ends[1], driver);
        _exit(0);
    }
    close(ends[1]);
    FILE *from = fdopen(ends[0], "r");
    if (from && fgets(line, sizeof line, from)) {
        gpus.driver = atoi(line);
        gpus.why = "the driver finds no GPU";
        while (fgets(line, sizeof line, from))
            add_gpu(arena, &gpus, line);
    }
    if (from)
        fclose(from);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
    if (gpus.list.count)
        gpus.why = NULL;
    return gpus;
}

/* A word of the driver's name for it is the row's name: "NVIDIA H100 80GB HBM3" is the row h100. */
static bool same_name(const Gpu *gpu, const char *name) {
    for (const char *word = name; *word;) {
        size_t length = strcspn(word, " ");
        if (length == strlen(gpu->name) && strncasecmp(word, gpu->name, length) == 0)
            return true;
        word += length + (word[length] == ' ');
    }
    return false;
}

const Gpu *probe_model(const char *name, uint32_t capability) {
    const Gpu *best = NULL;
    for (uint32_t i = 0; i < gpu_count(); i++) {
        const Gpu *gpu = gpu_at(i);
        uint32_t its = gpu->major * 10 + gpu->minor;
        if (same_name(gpu, name))
            return gpu;
        if (its <= capability && (!best || its > best->major * 10 + best->minor))
            best = gpu;
    }
    return best ? best : gpu_at(0);
}
