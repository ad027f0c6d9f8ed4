/* CUDA source to PTX: nvcc where there is one, else clang with the declarations of prelude.c.
 *
 * A kernel template that nobody instantiates leaves nothing in the PTX. For --instantiate, the
 * compiler is given a source that includes the user's file by its absolute path (so that the
 * recorded lines stay those of the user's file) and instantiates the templates behind it. */
#include "toolchain/toolchain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct Compiler {
    const char *path;
    bool is_clang;
} Compiler;

typedef struct Words {
    Arena *arena;
    VEC(const char *) list;
} Words;

static void word(Words *words, const char *text) {
    *vec_add(words->arena, &words->list) = text;
}

static bool find_compiler(Arena *arena, Compiler *compiler, Diags *diags) {
    compiler->path = toolchain_find(arena, "nvcc");
    if (compiler->path)
        return true;
    compiler->is_clang = true;
    compiler->path = toolchain_find(arena, "clang");
    if (compiler->path)
        return true;
    diags_error(diags, "a .cu file needs a compiler, and there is neither nvcc nor clang on PATH, "
                       "under CUDA_HOME, CUDA_PATH or /usr/local/cuda; install the CUDA toolkit's "
                       "nvcc or clang (Debian: apt-get install clang), or compile elsewhere with "
                       "`nvcc -ptx -lineinfo` and give the .ptx");
    return false;
}

/* ---- --instantiate ---- */

/* "ns::gemm<float, 128>": gemm. */
static Str template_name(const char *instance) {
    const char *end = instance + strcspn(instance, "< "), *start = end;
    while (start > instance && start[-1] != ':')
        start--;
    return (Str){start, (size_t)(end - start)};
}

/* Which of the files defines the template of an instance, or `count`. */
static uint32_t defined_in(Arena *arena, const char *instance, const char *const *texts,
                           uint32_t count) {
    Str name = template_name(instance);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t found;
        const char **names = source_kernel_templates(arena, texts[i], &found);
        for (uint32_t j = 0; j < found; j++) {
            if (str_is(name, names[j]))
                return i;
        }
    }
    return count;
}

/* The text that a file's compilation ends with: explicit instantiations. */
static const char *instantiations(Arena *arena, const char *const *texts, uint32_t count,
                                  uint32_t file, const CompileOptions *options) {
    const char *text = "";
    for (uint32_t i = 0; i < options->instantiate_count; i++) {
        const char *instance = options->instantiate[i];
        uint32_t home = defined_in(arena, instance, texts, count);
        /* not found: perhaps in a header that the first file includes; the compiler will say */
        if (home == file || (home == count && file == 0))
            text = arena_printf(arena, "%stemplate __global__ decltype(%s) %s;\n", text, instance,
                                instance);
    }
    return text;
}

/* ---- one file ---- */

/* The text that is compiled in place of a file: the file, included by its absolute path, and
 * instantiations. */
static bool write_instance_source(const char *path, const char *file, const char *instances,
                                  Arena *arena) {
    char *absolute = realpath(file, NULL);
    if (!absolute)
        return false;
    const char *text = arena_printf(arena, "#include \"%s\"\n%s", absolute, instances);
    free(absolute);
    return file_write(path, text, strlen(text));
}

static bool names_architecture(const CompileOptions *options) {
    static const char *const flags[] = {"-arch",           "--gpu-architecture", "-gencode",
                                        "--generate-code", "--cuda-gpu-arch",    "--offload-arch"};
    for (uint32_t i = 0; i < options->flag_count; i++) {
        for (size_t j = 0; j < sizeof flags / sizeof *flags; j++) {
            if (str_starts(str_of(options->flags[i]), flags[j]))
                return true;
        }
    }
    return false;
}

static void nvcc_words(Words *words, const CompileOptions *options) {
    word(words, "-ptx");
    word(words, "-lineinfo");
    if (!names_architecture(options))
        word(words, arena_printf(words->arena, "-arch=%s", options->arch));
}

/* Every clang since 11 knows sm_80, and none is newer than the GPU that one asks for. */
static const char *clang_arch(const char *arch) {
    return str_starts(str_of(arch), "sm_") && atoi(arch + 3) > 80 ? "sm_80" : arch;
}

static void clang_words(Words *words, const CompileOptions *options, const char *scratch) {
    static const char *const flags[] = {"-x",
                                        "cuda",
                                        "--cuda-device-only",
                                        "-nocudainc",
                                        "-nocudalib",
                                        "-S",
                                        "-O3",
                                        "-gline-directives-only",
                                        "-Wno-unknown-cuda-version",
                                        "-Xclang",
                                        "-target-feature",
                                        "-Xclang",
                                        "+ptx70"};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        word(words, flags[i]);
    if (!names_architecture(options))
        word(words, arena_printf(words->arena, "--cuda-gpu-arch=%s", clang_arch(options->arch)));
    word(words, arena_printf(words->arena, "-I%s", scratch));
    word(words, "-include");
    word(words, "cuda_runtime.h");
}

typedef struct Compilation {
    Arena *arena;
    const char *scratch;
    const CompileOptions *options;
    Compiler compiler;
    Diags *diags;
} Compilation;

static bool compile_file(Compilation *run, const char *file, const char *instances,
                         CompiledPtx *ptx) {
    Arena *arena = run->arena;
    const char *source = file, *out = arena_printf(arena, "%s/out.ptx", run->scratch);
    if (*instances) {
        source = arena_printf(arena, "%s/instances.cu", run->scratch);
        if (!write_instance_source(source, file, instances, arena)) {
            diags_error(run->diags, "%s: %s", file, strerror(errno));
            return false;
        }
    }
    Words words = {.arena = arena};
    word(&words, run->compiler.path);
    if (run->compiler.is_clang)
        clang_words(&words, run->options, run->scratch);
    else
        nvcc_words(&words, run->options);
    for (uint32_t i = 0; i < run->options->flag_count; i++)
        word(&words, run->options->flags[i]);
    word(&words, "-o");
    word(&words, out);
    word(&words, source);
    word(&words, NULL);
    ProcessResult result = process_run(arena, words.list.at, run->scratch, NULL);
    if (result.status != 0) {
        const char *reason = result.status < 0 ? strerror(errno) : result.output;
        diags_error(run->diags, "%s: %s did not compile it:\n%s", file, run->compiler.path, reason);
        return false;
    }
    *ptx = (CompiledPtx){.source = file};
    ptx->text = file_read(arena, out, &ptx->length);
    if (!ptx->text)
        diags_error(run->diags, "%s: %s wrote no PTX:\n%s", file, run->compiler.path,
                    result.output);
    return ptx->text != NULL;
}

/* ---- all files ---- */

/* No file has a kernel: says so, and which templates could be instantiated. */
static void explain_no_kernel(const Compilation *run, const char *const *files,
                              const char *const *texts, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t found;
        const char **names = source_kernel_templates(run->arena, texts[i], &found);
        if (found == 0)
            continue;
        const char *list = names[0];
        for (uint32_t j = 1; j < found; j++)
            list = arena_printf(run->arena, "%s, %s", list, names[j]);
        diags_error(
            run->diags,
            "%s has kernel templates (%s) but nothing instantiates them, so the compiler made no "
            "kernel; say which one, as in --instantiate '%s<float, 128>' with its own arguments",
            files[i], list, names[0]);
        return;
    }
    diags_error(run->diags, "%s: there is no __global__ function in it", files[0]);
}

static bool read_sources(Compilation *run, const char *const *files, const char **texts,
                         uint32_t count) {
    bool good = true;
    for (uint32_t i = 0; i < count; i++) {
        size_t size;
        texts[i] = file_read(run->arena, files[i], &size);
        if (!texts[i])
            diags_error(run->diags, "%s: %s", files[i], strerror(errno));
        good &= texts[i] != NULL;
    }
    return good;
}

static bool compile_all(Compilation *run, const char *const *files, const char **texts,
                        uint32_t count, CompiledPtx *results) {
    bool kernel = false, good = true;
    for (uint32_t i = 0; i < count; i++) {
        const char *instances = instantiations(run->arena, texts, count, i, run->options);
        good &= compile_file(run, files[i], instances, &results[i]);
        kernel |= good && strstr(results[i].text, ".entry") != NULL;
    }
    if (good && !kernel)
        explain_no_kernel(run, files, texts, count);
    return good && kernel;
}

static bool write_prelude(const Compilation *run) {
    const char *path = arena_printf(run->arena, "%s/cuda_runtime.h", run->scratch);
    FILE *file = fopen(path, "w");
    for (const char *const *line = clang_prelude; file && *line; line++)
        fputs(*line, file);
    bool good = file && !ferror(file);
    if (file)
        good = fclose(file) == 0 && good;
    if (!good)
        diags_error(run->diags, "%s: %s", path, strerror(errno));
    return good;
}

CompiledPtx *toolchain_compile(Arena *arena, const char *const *files, uint32_t count,
                               const CompileOptions *options, Diags *diags) {
    Compilation run = {.arena = arena, .options = options, .diags = diags};
    const char **texts = NEW_ARRAY(arena, const char *, count);
    if (!read_sources(&run, files, texts, count) || !find_compiler(arena, &run.compiler, diags))
        return NULL;
    run.scratch = scratch_new(arena);
    if (!run.scratch) {
        diags_error(diags, "no temporary directory: %s", strerror(errno));
        return NULL;
    }
    CompiledPtx *results = NEW_ARRAY(arena, CompiledPtx, count);
    bool good = !run.compiler.is_clang || write_prelude(&run);
    good = good && compile_all(&run, files, texts, count, results);
    scratch_remove(run.scratch);
    return good ? results : NULL;
}
