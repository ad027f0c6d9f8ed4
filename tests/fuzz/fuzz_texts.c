/* Fuzzing the small texts that commands read beside kernels and profiles, which the first byte picks: suppressions of defects,
 * limits of `warplens check`, source maps, a kernel's arguments, names of kernels. Each gives what it says, or a message. (What
 * options say is fuzz_command's. No command reads JSON.) */
#include "fuzz.h"
#include "fuzz_file.h"

#include "../unit/sample_profile.h"
#include "cli/suppress.h"
#include "report/report.h"
#include "rules/rules.h"
#include "session/arguments.h"
#include "session/session.h"

#include <string.h>

enum { LINES_MOST = 16, FILL_MOST = 1 << 16 };

/* The text's lines, each NUL-terminated. */
typedef struct Lines {
    char *list[LINES_MOST];
    uint32_t count;
} Lines;

static Lines lines_of(char *text) {
    Lines lines = {.count = 0};
    while (text && lines.count < LINES_MOST) {
        char *end = strchr(text, '\n');
        if (end)
            *end++ = 0;
        lines.list[lines.count++] = text;
        text = end;
    }
    return lines;
}

/* ---- suppressions ---- */

static void sample_defects(Profile *profile) {
    static const char *const messages[] = {"leak: 4 bytes\n  by      main.cu:12, in main",
                                           "leak: 4 bytes\n  by      a \"b\"[*].cu:3\n", "leak"};
    sample_defect(profile);
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        const Defect defect = {
            .kind = DEFECT_leak, .kernel = NONE, .location = NONE, .message = messages[i]};
        profile_defect(profile, profile->arena, &defect);
    }
}

static uint32_t suppress(Arena *arena, const char *path, Profile *profile) {
    Diags *diags = diags_new(arena);
    const uint32_t before = profile->defects.count;
    const bool good = suppress_apply(arena, path, profile, diags);
    must(good || diags->errors, "rows, or a reason");
    must(good ? profile->defects.count <= before : profile->defects.count == before,
         "defects that are there");
    return profile->defects.count;
}

/* What is known from a file is known from it again, and from what is written of the others all are. */
static void read_suppressions(Arena *arena, char *text) {
    char path[] = FUZZ_FILE;
    Profile *profile = sample_profile();
    sample_defects(profile);
    fuzz_file_write(path, (const uint8_t *)text, strlen(text));
    const uint32_t left = suppress(arena, path, profile);
    must(suppress(arena, path, profile) == left, "the same rows again");
    must(suppress_write(arena, path, profile, diags_new(arena)), "write");
    must(suppress(arena, path, profile) == 0, "what was written");
    unlink(path);
    profile_free(profile);
}

/* ---- limits ---- */

static void read_limits(Arena *arena, char *text) {
    Limits limits = {.deny = UINT32_MAX};
    Diags *diags = diags_new(arena);
    Profile *profile = sample_profile();
    uint32_t count;
    if (limits_read(arena, &limits, "limits", text, diags))
        gate_run(arena, profile, NULL, &limits, &count);
    else
        must(diags->errors, "limits, or a reason");
    profile_free(profile);
}

/* ---- source maps ---- */

/* Each line is a map or, without '=', the path of a file; the first is the root. Nothing is read: the root has no files below it. */
static void map_sources(Arena *arena, char *text) {
    const Lines lines = lines_of(text);
    SourceMap maps[LINES_MOST];
    SourceRules rules = {.maps = maps, .root = "/dev/null"};
    Profile *profile = sample_profile();
    for (uint32_t i = 1; i < lines.count; i++)
        if (source_map_parse(arena, lines.list[i], &maps[rules.map_count])) {
            must(*maps[rules.map_count].from, "what is replaced");
            rules.map_count++;
        } else if (*lines.list[i] && *lines.list[i] != '=') {
            profile_file(profile, lines.list[i]);
        }
    sources_read(profile, &rules, diags_new(arena));
    profile_set_root(profile, lines.list[0]);
    for (uint32_t i = 0; i < profile->files.count; i++) {
        const char *path = profile_path(arena, profile, profile->files.at[i].path);
        const char *again = profile_path(arena, profile, path);
        must(strcmp(path, again) == 0, "a path that is short");
        root_of_both(arena, lines.list[0], path);
    }
    profile_free(profile);
}

/* ---- arguments ---- */

static const char kernel_text[] = ".version 8.8\n.target sm_90\n.address_size 64\n"
                                  ".visible .entry k(.param .u64 a, .param .u64 b, .param .f32 c,\n"
                                  ".param .align 8 .b8 d[24], .param .u8 e, .param .u64 f)\n"
                                  "{\n\tret;\n}\n";

static void make_arguments(Arena *arena, char *text) {
    const Lines lines = lines_of(text);
    Diags *diags = diags_new(arena);
    const Module *module =
        ptx_parse(arena, "k.ptx", kernel_text, sizeof kernel_text - 1, NULL, diags);
    Memory *memory = memory_new();
    must(module && memory, "a kernel");
    const Arguments *arguments =
        arguments_make(arena, module->functions.at[0], (const char *const *)lines.list, lines.count,
                       true, memory, diags);
    must(arguments || diags->errors, "arguments, or a reason");
    uint64_t bytes = 0;
    for (uint32_t i = 0; arguments && i < arguments->kernel->params.count; i++)
        if (arguments->list[i].array &&
            __builtin_add_overflow(bytes, arguments->list[i].count, &bytes))
            bytes = UINT64_MAX;
    if (arguments && bytes <= FILL_MOST)
        must(arguments_fill(arena, (Arguments *)arguments, memory, diags) || diags->errors,
             "arrays, or a reason");
    memory_free(memory);
}

/* ---- names ---- */

static void show_names(Arena *arena, char *text) {
    const Lines lines = lines_of(text);
    Profile *profile = sample_profile();
    for (uint32_t i = 0; i < lines.count && i < profile->kernels.count; i++) {
        ProfKernel *kernel = &profile->kernels.at[i];
        kernel->name = lines.list[i];
        kernel->demangled = name_demangled(arena, lines.list[i], i % 2);
        must(strlen(name_function(arena, kernel->demangled)) <= strlen(kernel->demangled),
             "a name without parameters");
    }
    for (uint32_t width = 8; width <= 64; width *= 2) {
        const char **names = kernel_names(arena, profile, width);
        for (uint32_t i = 0; i < profile->kernels.count; i++)
            must(names[i] != NULL, "a name");
    }
    profile_free(profile);
}

static void (*const readers[])(Arena *, char *) = {read_suppressions, read_limits, map_sources,
                                                   make_arguments, show_names};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    Arena *arena = arena_new();
    char *text = arena_copy(arena, (const char *)data + 1, size - 1);
    readers[data[0] % (sizeof readers / sizeof *readers)](arena, text);
    arena_free(arena);
    return 0;
}
