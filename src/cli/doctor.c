/* warplens doctor: what is there of what warplens uses, what each gives, and how to get what is missing. */
#include "cli/commands.h"
#include "cli/engine.h"
#include "cli/options.h"
#include "cli/run_program.h"
#include "probe/probe.h"
#include "rewrite/rewrite.h"
#include "toolchain/toolchain.h"

#include <dlfcn.h>
#include <jansson.h>
#include <string.h>
#include <unistd.h>

/* ---- looking: what was found, or NULL ---- */

static const char *find_run(Arena *arena) {
    return run_library(arena);
}

static const char *find_jit(Arena *arena) {
    const char *why;
    return engine_llvm(arena, &why);
}

static const char *find_nvcc(Arena *arena) {
    return toolchain_find(arena, "nvcc");
}

static const char *find_clang(Arena *arena) {
    return toolchain_find(arena, "clang");
}

static const char *find_ptxas(Arena *arena) {
    return toolchain_find(arena, "ptxas");
}

static const char *find_nvdisasm(Arena *arena) {
    return toolchain_find(arena, "nvdisasm");
}

static const char *find_addr2line(Arena *arena) {
    return toolchain_find(arena, "addr2line");
}

static const char *find_libclang(Arena *arena) {
    return rewrite_possible(arena) ? "it loads" : NULL;
}

/* The first of these that there is; NULL at the end. */
static const char *find_library(const char *const *sonames) {
    for (; *sonames; sonames++) {
        void *library = dlopen(*sonames, RTLD_LAZY | RTLD_LOCAL);
        if (library)
            dlclose(library);
        if (library)
            return *sonames;
    }
    return NULL;
}

#define PROVIDER(id, package, gives, ...)                                                          \
    static const char *find_##id(Arena *arena) {                                                   \
        static const char *const sonames[] = {__VA_ARGS__, NULL};                                  \
        (void)arena;                                                                               \
        return find_library(sonames);                                                              \
    }
#include "hostlib/providers.def"

static const char *find_gpu(Arena *arena) {
    (void)arena;
    static const char device[] = "/dev/nvidia0";
    return access(device, F_OK) == 0 ? device : NULL;
}

static const char *find_sanitizer(Arena *arena) {
    return probe_sanitizer(arena);
}

static const char *find_device_code(Arena *arena) {
    return probe_patches_made(arena);
}

static const char *find_driver(Arena *arena) {
    (void)arena;
    static const char *const sonames[] = {"libcuda.so.1", NULL};
    return find_library(sonames);
}

static const char *find_counters(Arena *arena) {
    size_t size;
    const char *params = file_read(arena, "/proc/driver/nvidia/params", &size);
    if (!params)
        return NULL;
    if (strstr(params, "RmProfilingAdminOnly: 0"))
        return "for every user";
    return geteuid() == 0 ? "for root" : NULL;
}

/* ---- the table ---- */

typedef struct DoctorPart {
    const char *name, *gives, *get;
    bool essential;
    const char *(*find)(Arena *arena);
} DoctorPart;

static const DoctorPart parts[] = {
#define PART(id, essential, name, gives, get) {name, gives, get, essential, find_##id},
#include "cli/doctor.def"
};

enum { PARTS = sizeof parts / sizeof *parts };

static void print_text(const char *const found[PARTS]) {
    puts("warplens " WARPLENS_VERSION "\n");
    for (uint32_t i = 0; i < PARTS; i++) {
        printf("%-8s %-16s  %s\n", found[i] ? "there" : "missing", parts[i].name, parts[i].gives);
        printf("%26s %s%s\n", "",
               found[i] ? "found: " : "get it: ", found[i] ? found[i] : parts[i].get);
    }
}

static void print_json(const char *const found[PARTS]) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < PARTS; i++)
        json_array_append_new(list, json_pack("{s:s,s:b,s:b,s:s?,s:s,s:s}", "name", parts[i].name,
                                              "there", found[i] != NULL, "essential",
                                              parts[i].essential, "found", found[i], "gives",
                                              parts[i].gives, "get", parts[i].get));
    json_t *document = json_pack("{s:s,s:o}", "version", WARPLENS_VERSION, "parts", list);
    json_dumpf(document, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(document);
}

/* ---- the command ---- */

static const struct argp_option options[] = {
    {"json", 'j', NULL, 0, "as JSON: version, and parts with name, there, found, gives, get", 0},
    {0}};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    (void)argument;
    bool *json = state->input;
    if (key != 'j')
        return option_nothing(key, state);
    *json = true;
    return 0;
}

const struct argp doctor_argp = {
    .options = options,
    .parser = parse_option,
    .doc =
        "Say what warplens finds here, what is missing, what each part gives and how to get it.\v"
        "Examples:\n"
        "  warplens doctor\n"
        "  warplens doctor --json\n\n"
        "Exit status: 0, or 3 if an option cannot be used or a part is missing that every "
        "installation has.",
};

int command_doctor(int argc, char **argv) {
    bool json = false, whole = true;
    if (!options_parse(&doctor_argp, argc, argv, 0, &json))
        return EXIT_UNUSABLE;
    Arena *arena = arena_new();
    const char *found[PARTS];
    for (uint32_t i = 0; i < PARTS; i++) {
        found[i] = parts[i].find(arena);
        whole &= found[i] || !parts[i].essential;
    }
    if (json)
        print_json(found);
    else
        print_text(found);
    arena_free(arena);
    return whole ? EXIT_FINE : EXIT_UNUSABLE;
}
