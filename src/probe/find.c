/* What this machine has: the library of the Compute Sanitizer API, and GPUs. */
#include "probe/probe.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <libgen.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SANITIZER "libsanitizer-public.so"

/* ---- the library ---- */

static const char *readable(Arena *arena, const char *folder, const char *below) {
    const char *path = arena_printf(arena, "%s/%s" SANITIZER, folder, below);
    return access(path, R_OK) == 0 ? path : NULL;
}

static bool is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* What the toolkits and the Python package have below their root. */
static const char *below_root(Arena *arena, const char *root) {
    static const char *const places[] = {"compute-sanitizer/", "extras/compute-sanitizer/", "lib/",
                                         "lib64/", ""};
    const char *found = NULL;
    for (size_t i = 0; root && *root && !found && i < sizeof places / sizeof *places; i++)
        found = readable(arena, root, places[i]);
    return found;
}

static const char *beside_ptxas(Arena *arena) {
    const char *ptxas = toolchain_find(arena, "ptxas");
    char *real = ptxas ? realpath(ptxas, NULL) : NULL;
    if (!real)
        return NULL;
    char *root = arena_copy(arena, real, strlen(real));
    free(real);
    for (int up = 0; up < 2; up++)
        if (strrchr(root, '/'))
            *strrchr(root, '/') = 0;
    return below_root(arena, root);
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* In the folders whose names fit the first pattern, in alphabetical order, those in them whose names fit the second, and so on; NULL at
 * the end. (glob reads the folder's own name as a pattern, too, and glibc's frees twice where there is no memory.) */
static const char *in_fitting(Arena *arena, const char *folder, const char *const *patterns) {
    VEC(const char *) names = {0};
    const char *found = NULL;
    if (!*patterns)
        return below_root(arena, folder);
    DIR *directory = opendir(folder);
    for (const struct dirent *entry; directory && (entry = readdir(directory));)
        if (fnmatch(*patterns, entry->d_name, FNM_PERIOD) == 0)
            *vec_add(arena, &names) = arena_copy(arena, entry->d_name, strlen(entry->d_name));
    if (directory)
        closedir(directory);
    if (names.count)
        qsort(names.at, names.count, sizeof *names.at, by_name);
    for (uint32_t i = 0; !found && i < names.count; i++)
        found = in_fitting(arena, arena_printf(arena, "%s/%s", folder, names.at[i]), patterns + 1);
    return found;
}

/* Where pip puts packages: of this user, of a virtual environment, of the system; those for CUDA 13 (two layouts) and for CUDA 12. */
static const char *in_packages(Arena *arena) {
    static const char *const folders[][5] = {
        {"python3*", "*-packages", "nvidia", "cu1[23]"},
        {"python3*", "*-packages", "nvidia", "cuda_sanitizer_api"}};
    enum { FOLDERS = sizeof folders / sizeof *folders };
    const char *home = getenv("HOME"), *environment = getenv("VIRTUAL_ENV");
    const char *const roots[] = {environment ? environment : "",
                                 arena_printf(arena, "%s/.local", home ? home : ""), "/usr/local",
                                 "/usr"};
    const char *found = NULL;
    for (size_t i = 0; !found && i < sizeof roots / sizeof *roots * FOLDERS; i++)
        if (*roots[i / FOLDERS])
            found = in_fitting(arena, arena_printf(arena, "%s/lib", roots[i / FOLDERS]),
                               folders[i % FOLDERS]);
    return found;
}

const char *probe_sanitizer(Arena *arena) {
    const char *told = getenv("WARPLENS_SANITIZER");
    if (told && *told)
        return is_folder(told) ? below_root(arena, told) : access(told, R_OK) == 0 ? told : NULL;
    const char *found = beside_ptxas(arena);
    const char *const roots[] = {getenv("CUDA_HOME"), getenv("CUDA_PATH"), "/usr/local/cuda"};
    for (size_t i = 0; !found && i < sizeof roots / sizeof *roots; i++)
        found = below_root(arena, roots[i]);
    return found ? found : in_packages(arena);
}

/* ---- GPUs ---- */

typedef int Init(unsigned int flags);
typedef int GetNumber(int *number);
typedef int GetName(char *name, int size, int device);
typedef int GetAttribute(int *value, int attribute, int device);

/* In a process of its own: the driver starts threads, and there is no end to it. Lines of text: the version, then each GPU of which
 * the driver tells. */
static size_t print_gpu(char *text, size_t size, int major, int minor, const char *name) {
    return (size_t)snprintf(text, size, "%d %s\n", major * 10 + minor, name);
}

/* A function of a library, and where its address goes. */
typedef struct WantedCall {
    const char *name;
    void *call;
} WantedCall;

static bool find_calls(void *library, const WantedCall *wanted, size_t count) {
    bool all = true;
    for (size_t i = 0; i < count; i++) {
        void *found = dlsym(library, wanted[i].name);
        memcpy(wanted[i].call, &found, sizeof found);
        all &= found != NULL;
    }
    return all;
}
#define FIND_CALLS(library, ...)                                                                   \
    find_calls(library, (const WantedCall[]){__VA_ARGS__},                                         \
               sizeof((const WantedCall[]){__VA_ARGS__}) / sizeof(WantedCall))

static void tell_gpus(int to, void *driver) {
    enum { MAJOR = 75, MINOR = 76 };
    Init *init;
    GetNumber *version, *count;
    GetName *get_name;
    GetAttribute *get;
    int number = 0, devices = 0, major = 0, minor = 0;
    char name[128] = "", line[sizeof name + 16];
    if (!FIND_CALLS(driver, {"cuInit", &init}, {"cuDriverGetVersion", &version},
                    {"cuDeviceGetCount", &count}, {"cuDeviceGetName", &get_name},
                    {"cuDeviceGetAttribute", &get}))
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

/* Of NVML. */
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

/* NVML, which comes with the driver, takes a tenth of the time. false: it is not there, or belongs to another driver, or does not know. */
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
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library || !same_folder(library, driver) ||
        !FIND_CALLS(library, {"nvmlInit_v2", &init}, {"nvmlSystemGetCudaDriverVersion", &version},
                    {"nvmlDeviceGetCount_v2", &count},
                    {"nvmlDeviceGetHandleByIndex_v2", &device_at}, {"nvmlDeviceGetName", &get_name},
                    {"nvmlDeviceGetCudaComputeCapability", &get}))
        return false;
    if (init() != 0 || version(&number) != 0 || count(&devices) != 0 || devices == 0)
        return false;
    char text[4096];
    size_t length = (size_t)snprintf(text, sizeof text, "%d\n", number);
    for (unsigned int i = 0; i < devices; i++) {
        NvmlDevice *device;
        if (device_at(i, &device) != 0 || get_name(device, name, sizeof name) != 0 ||
            get(device, &major, &minor) != 0 || length + sizeof name + 16 > sizeof text)
            return false; /* nothing is told yet */
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

/* Its row has its name's number: "NVIDIA H100 80GB HBM3" is "NVIDIA H100 SXM5 80GB" by the word H100. */
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
