/* Compiling CUDA source: with a stand-in compiler (what is run, how its errors come back), with
 * clang and with nvcc where they are installed. A test whose compiler is not there is skipped. */
#include "toolchain/toolchain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct Fixture {
    Arena *arena;
    Diags *diags;
    const char *directory;
} Fixture;

static int set_up(void **state) {
    Fixture *fixture = calloc(1, sizeof *fixture);
    fixture->arena = arena_new();
    fixture->diags = diags_new(fixture->arena);
    fixture->directory = scratch_new(fixture->arena);
    *state = fixture;
    unsetenv("WARPLENS_NVCC");
    unsetenv("WARPLENS_CLANG");
    return fixture->directory ? 0 : -1;
}

static int tear_down(void **state) {
    Fixture *fixture = *state;
    scratch_remove(fixture->directory);
    arena_free(fixture->arena);
    free(fixture);
    return 0;
}

static const char *write_text(Fixture *fixture, const char *name, const char *text, mode_t mode) {
    const char *path = arena_printf(fixture->arena, "%s/%s", fixture->directory, name);
    assert_true(file_write(path, text, strlen(text)));
    assert_int_equal(chmod(path, mode), 0);
    return path;
}

static void no_compilers(void) {
    setenv("WARPLENS_NVCC", "", 1);
    setenv("WARPLENS_CLANG", "", 1);
}

static CompiledPtx *compile(Fixture *fixture, const char *file, const char *instance) {
    CompileOptions options = {.arch = "sm_80", .instantiate = &instance};
    options.instantiate_count = instance != NULL;
    return toolchain_compile(fixture->arena, &file, 1, &options, fixture->diags);
}

static const char *last_message(const Fixture *fixture) {
    assert_true(fixture->diags->list.count > 0);
    return fixture->diags->list.at[fixture->diags->list.count - 1].message;
}

static void says(const Fixture *fixture, const char *part) {
    if (!strstr(last_message(fixture), part))
        fail_msg("no \"%s\" in: %s", part, last_message(fixture));
}

static const char two_templates[] =
    "// template <int N> __global__ void commented(int *p);\n"
    "template <class T> __device__ T helper(T t) { return t; }\n"
    "template <class T, int N>\n"
    "__global__ void __launch_bounds__(N) copy(T *out, const T *in) {\n"
    "    out[threadIdx.x] = in[threadIdx.x + N];\n"
    "}\n"
    "template <int N> __global__ void fill(int *out) { *out = N; }\n";

static void names_kernel_templates(void **state) {
    Fixture *fixture = *state;
    uint32_t count;
    const char **names = source_kernel_templates(fixture->arena, two_templates, &count);
    assert_int_equal(count, 2);
    assert_string_equal(names[0], "copy");
    assert_string_equal(names[1], "fill");
    source_kernel_templates(fixture->arena, "__global__ void plain(int *p) {}", &count);
    assert_int_equal(count, 0);
    /* specialisations and instantiations define no template */
    source_kernel_templates(fixture->arena,
                            "template <> __global__ void a<1>(int *p) {}"
                            "template __global__ void b<1>(int *p);",
                            &count);
    assert_int_equal(count, 0);
    source_kernel_templates(fixture->arena, "template <class T> __global__ void a(", &count);
    assert_int_equal(count, 1);
    source_kernel_templates(fixture->arena, "template < /* \" ' ", &count);
    assert_int_equal(count, 0);
}

static void without_a_compiler(void **state) {
    Fixture *fixture = *state;
    no_compilers();
    assert_null(compile(fixture, write_text(fixture, "a.cu", "", 0644), NULL));
    says(fixture, "neither nvcc nor clang");
    says(fixture, "install");
}

static void missing_source(void **state) {
    Fixture *fixture = *state;
    setenv("WARPLENS_NVCC", "/bin/true", 1);
    assert_null(compile(fixture, "/nonexistent/a.cu", NULL));
    says(fixture, "/nonexistent/a.cu: No such file or directory");
}

/* The stand-in writes its arguments and the source into the PTX. */
static void runs_nvcc(void **state) {
    Fixture *fixture = *state;
    const char *nvcc =
        write_text(fixture, "nvcc",
                   "#!/bin/sh\n"
                   "echo \"// $*\" >\"$6\"; cat \"$7\" >>\"$6\"; echo .entry >>\"$6\"\n",
                   0755);
    setenv("WARPLENS_NVCC", nvcc, 1);
    const char *source = write_text(fixture, "a b.cu", two_templates, 0644);
    const char *flag = "-DX=a b", *instance = "fill<3>";
    CompileOptions options = {"sm_75", &flag, 1, &instance, 1};
    CompiledPtx *ptx = toolchain_compile(fixture->arena, &source, 1, &options, fixture->diags);
    assert_non_null(ptx);
    assert_non_null(strstr(ptx->text, "-ptx -lineinfo -arch=sm_75 -DX=a b"));
    assert_non_null(strstr(ptx->text, arena_printf(fixture->arena, "#include \"%s\"", source)));
    assert_non_null(strstr(ptx->text, "template __global__ decltype(fill<3>) fill<3>;"));
    assert_string_equal(ptx->source, source);
    assert_int_equal(ptx->length, strlen(ptx->text));
}

static void passes_errors_on(void **state) {
    Fixture *fixture = *state;
    setenv("WARPLENS_NVCC",
           write_text(fixture, "nvcc", "#!/bin/sh\necho 'a.cu(3): error: so it is' >&2; exit 2\n",
                      0755),
           1);
    assert_null(compile(fixture, write_text(fixture, "a.cu", "x", 0644), NULL));
    says(fixture, "a.cu(3): error: so it is");
}

static void uninstantiated_template(void **state) {
    Fixture *fixture = *state;
    setenv("WARPLENS_NVCC", write_text(fixture, "nvcc", "#!/bin/sh\n: >\"$5\"\n", 0755), 1);
    assert_null(compile(fixture, write_text(fixture, "a.cu", two_templates, 0644), NULL));
    says(fixture, "kernel templates (copy, fill)");
    says(fixture, "--instantiate 'copy<");
    assert_null(compile(fixture, write_text(fixture, "a.cu", "int x;", 0644), NULL));
    says(fixture, "no __global__ function");
}

/* With a real compiler: a kernel of the user's file and line, under its own name. */
static void instantiates(Fixture *fixture) {
    const char *source = write_text(fixture, "a.cu", two_templates, 0644);
    CompiledPtx *ptx = compile(fixture, source, "copy<float, 128>");
    if (!ptx)
        fail_msg("%s", last_message(fixture));
    assert_non_null(strstr(ptx->text, ".entry _Z4copyIfLi128EEvPT_PKS0_("));
    assert_non_null(strstr(ptx->text, arena_printf(fixture->arena, "\"%s\"", source)));
    assert_null(strstr(ptx->text, "instances.cu"));
    assert_non_null(strstr(ptx->text, "\t1 5 ")); /* .loc of line 5 in file 1 */
    ptx = compile(fixture, source, "fill<no_such>");
    assert_null(ptx);
    says(fixture, "no_such");
}

static void with_nvcc(void **state) {
    Fixture *fixture = *state;
    if (!toolchain_find(fixture->arena, "nvcc"))
        skip();
    instantiates(fixture);
}

static void with_clang(void **state) {
    Fixture *fixture = *state;
    setenv("WARPLENS_NVCC", "", 1);
    if (!toolchain_find(fixture->arena, "clang"))
        skip();
    instantiates(fixture);
    static const char uses[] = "#include <cuda_runtime.h>\n"
                               "__global__ void k(double *d, unsigned *u, float4 *f) {\n"
                               "    dim3 block = blockIdx;\n"
                               "    __shared__ double s[32];\n"
                               "    s[threadIdx.x] = __shfl_up_sync(~0u, d[block.x], 1);\n"
                               "    __syncthreads();\n"
                               "    d[threadIdx.x] = s[31 - threadIdx.x];\n"
                               "    atomicAdd(u, 1u); atomicCAS(u, 2u, 3u); atomicMax(u, 4u);\n"
                               "    f[0] = make_float4(sqrtf(f[1].x), min(f[2].x, f[2].y), 0, 1);\n"
                               "}\n";
    CompiledPtx *ptx = compile(fixture, write_text(fixture, "uses.cu", uses, 0644), NULL);
    if (!ptx)
        fail_msg("%s", last_message(fixture));
    assert_non_null(strstr(ptx->text, "shfl.sync.up.b32"));
    assert_non_null(strstr(ptx->text, "atom.global.max.u32"));
    assert_null(strstr(ptx->text, ".extern .func"));
    assert_null(
        strstr(ptx->text, "cuda_runtime.h")); /* the prelude's lines count for their callers */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(names_kernel_templates, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_a_compiler, set_up, tear_down),
        cmocka_unit_test_setup_teardown(missing_source, set_up, tear_down),
        cmocka_unit_test_setup_teardown(runs_nvcc, set_up, tear_down),
        cmocka_unit_test_setup_teardown(passes_errors_on, set_up, tear_down),
        cmocka_unit_test_setup_teardown(uninstantiated_template, set_up, tear_down),
        cmocka_unit_test_setup_teardown(with_nvcc, set_up, tear_down),
        cmocka_unit_test_setup_teardown(with_clang, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
