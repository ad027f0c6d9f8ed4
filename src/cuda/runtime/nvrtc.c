/* Programs that compile kernels with NVRTC: asked for sm_80, it makes machine code, which cannot be
 * run here. So nvrtcCompileProgram is asked for compute_80 instead, and where the program then wants
 * the cubin, it gets the PTX: cuModuleLoadData and cuLinkAddData take either (nvrtc.h, "Code
 * Generation"; CUDA Driver API, "Module Management").
 *
 * Programs for NVRTC have their lines, too: -lineinfo is given, and the text of the source is kept.
 *
 * The calls below stand before those of libnvrtc for programs that are linked with it, since this
 * library is preloaded. Who opens it and asks dlsym is led here by libnvrtc's own table of symbols
 * (hook.c). A process that has several NVRTCs has the first one served. */
#include "cuda/runtime/loader.h"

#include "cuda/core.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct _nvrtcProgram *nvrtcProgram;
typedef int nvrtcResult; /* a number of nvrtc.h */
enum { NVRTC_SUCCESS = 0, NVRTC_ERROR_OUT_OF_MEMORY = 1, NVRTC_ERROR_INTERNAL_ERROR = 11 };

#pragma GCC visibility push(default)
nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name,
                               int count, const char *const *headers, const char *const *names);
nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char *const *options);
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *bytes);
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *cubin);
nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program);
#pragma GCC visibility pop

/* A program that was compiled for PTX where machine code was wanted. */
typedef struct ProgramRecord {
    nvrtcProgram program;
    struct ProgramRecord *next;
} ProgramRecord;

static struct Nvrtc {
    pthread_mutex_t lock;
    ProgramRecord *turned;
    bool found;
    /* the calls of libnvrtc itself */
    nvrtcResult (*create)(nvrtcProgram *, const char *, const char *, int, const char *const *,
                          const char *const *);
    nvrtcResult (*compile)(nvrtcProgram, int, const char *const *);
    nvrtcResult (*cubin_size)(nvrtcProgram, size_t *);
    nvrtcResult (*cubin)(nvrtcProgram, char *);
    nvrtcResult (*ptx_size)(nvrtcProgram, size_t *);
    nvrtcResult (*ptx)(nvrtcProgram, char *);
    nvrtcResult (*destroy)(nvrtcProgram *);
} nvrtc = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- finding it ---- */

static const Hook hooks[] = {
    {"nvrtcCreateProgram", (void **)&nvrtc.create, (void (*)(void))nvrtcCreateProgram},
    {"nvrtcCompileProgram", (void **)&nvrtc.compile, (void (*)(void))nvrtcCompileProgram},
    {"nvrtcGetCUBINSize", (void **)&nvrtc.cubin_size, (void (*)(void))nvrtcGetCUBINSize},
    {"nvrtcGetCUBIN", (void **)&nvrtc.cubin, (void (*)(void))nvrtcGetCUBIN},
    {"nvrtcGetPTXSize", (void **)&nvrtc.ptx_size, NULL},
    {"nvrtcGetPTX", (void **)&nvrtc.ptx, NULL},
    {"nvrtcDestroyProgram", (void **)&nvrtc.destroy, (void (*)(void))nvrtcDestroyProgram},
};

void nvrtc_object(const LoadedObject *object, const Elf *elf) {
    if (nvrtc.found || !object_is_named(object, "libnvrtc."))
        return;
    hook_symbols(object, elf, hooks, sizeof hooks / sizeof *hooks);
    nvrtc.found = nvrtc.compile && nvrtc.ptx_size && nvrtc.ptx;
}

/* ---- programs whose cubin is PTX ---- */

static bool is_turned(nvrtcProgram program) {
    pthread_mutex_lock(&nvrtc.lock);
    ProgramRecord *at = nvrtc.turned;
    while (at && at->program != program)
        at = at->next;
    pthread_mutex_unlock(&nvrtc.lock);
    return at != NULL;
}

static void forget(nvrtcProgram program) {
    pthread_mutex_lock(&nvrtc.lock);
    for (ProgramRecord **at = &nvrtc.turned; *at; at = &(*at)->next) {
        ProgramRecord *found = *at;
        if (found->program != program)
            continue;
        *at = found->next;
        free(found);
        break;
    }
    pthread_mutex_unlock(&nvrtc.lock);
}

static bool remember(nvrtcProgram program) {
    ProgramRecord *turned = malloc(sizeof *turned);
    if (!turned)
        return false;
    pthread_mutex_lock(&nvrtc.lock);
    *turned = (ProgramRecord){program, nvrtc.turned};
    nvrtc.turned = turned;
    pthread_mutex_unlock(&nvrtc.lock);
    return true;
}

/* ---- options ---- */

/* The architecture that an option gives, or the whole option if the one before it said that it is one:
 * "--gpu-architecture=sm_80", "-arch=sm_80", "-arch sm_80", "-arch" "sm_80". NULL: none. */
static const char *arch_in(const char *option, bool expected) {
    static const char *const names[] = {"--gpu-architecture", "-arch"};
    if (expected)
        return option;
    for (int i = 0; i < 2; i++) {
        size_t length = strlen(names[i]);
        if (strncmp(option, names[i], length) == 0 &&
            (option[length] == '=' || option[length] == ' '))
            return option + length + 1 + strspn(option + length + 1, " ");
    }
    return NULL;
}

static bool names_arch(const char *option) {
    return strcmp(option, "--gpu-architecture") == 0 || strcmp(option, "-arch") == 0;
}

/* "-arch=sm_90a" becomes "-arch=compute_90a". NULL: the option is no such one. */
static char *turned_option(const char *option, bool expected) {
    const char *arch = arch_in(option, expected);
    char *turned;
    if (!arch || strncmp(arch, "sm_", 3) != 0 ||
        asprintf(&turned, "%.*scompute_%s", (int)(arch - option), option, arch + 3) < 0)
        return NULL;
    return turned;
}

/* Lines of the source in the PTX, which change no code. */
static bool asks_for_lines(const char *option) {
    static const char *const names[] = {"-lineinfo", "--generate-line-info", "-G",
                                        "--device-debug"};
    for (int i = 0; i < 4; i++)
        if (strcmp(option, names[i]) == 0)
            return true;
    return false;
}

/* ---- the calls ---- */

/* The source is in no file: the profile gets it from here, by a name that no other source of the process has. */
nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name,
                               int count, const char *const *headers, const char *const *names) {
    if (!nvrtc.found || !nvrtc.create)
        return NVRTC_ERROR_INTERNAL_ERROR;
    if (source)
        name = source_note(name && *name ? name : "default_program", source);
    return nvrtc.create(program, source, name, count, headers, names);
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char *const *options) {
    if (!nvrtc.found)
        return NVRTC_ERROR_INTERNAL_ERROR;
    size_t most = (count > 0 && options ? (size_t)count : 0) + 1;
    const char **given = calloc(most, sizeof *given);
    char **made = calloc(most, sizeof *made);
    bool turned = false, lines = false, fits = given && made;
    int all = (int)most - 1;
    for (int i = 0; fits && i < (int)most - 1; i++) {
        made[i] = options[i] ? turned_option(options[i],
                                             i > 0 && options[i - 1] && names_arch(options[i - 1]))
                             : NULL;
        given[i] = made[i] ? made[i] : options[i];
        turned |= made[i] != NULL;
        lines |= options[i] && asks_for_lines(options[i]);
    }
    if (fits && !lines)
        given[all++] = "-lineinfo";
    forget(program);
    fits = fits && (!turned || remember(program));
    nvrtcResult result = fits ? nvrtc.compile(program, all, given) : NVRTC_ERROR_OUT_OF_MEMORY;
    for (int i = 0; made && i < (int)most; i++)
        free(made[i]);
    free(made);
    free(given);
    return result;
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *bytes) {
    if (!nvrtc.found || !nvrtc.cubin_size)
        return NVRTC_ERROR_INTERNAL_ERROR;
    return (is_turned(program) ? nvrtc.ptx_size : nvrtc.cubin_size)(program, bytes);
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *cubin) {
    if (!nvrtc.found || !nvrtc.cubin)
        return NVRTC_ERROR_INTERNAL_ERROR;
    return (is_turned(program) ? nvrtc.ptx : nvrtc.cubin)(program, cubin);
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program) {
    if (!nvrtc.found || !nvrtc.destroy)
        return NVRTC_ERROR_INTERNAL_ERROR;
    if (program)
        forget(*program);
    return nvrtc.destroy(program);
}
