/* What is promised is what is measured: random kernels are run, and run again with each layout that the
 * search lists and with random ones. The wavefronts that fix_promise computes from the first run's
 * evidence must be those that the second run counts, and the results must be equal.
 *
 * A kernel stores to, loads from and adds to some shared arrays of elements of 1 to 16 bytes, at places
 * that are linear in the thread's number and its higher bits; some loads have neighbours that ptxas
 * merges with them. */
#include "exec/exec.h"
#include "fix/fix.h"
#include "ptx/ptx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#define SourceLocation CmockaSourceLocation /* cmocka.h has one of its own */
#include <cmocka.h>
#undef SourceLocation

#ifndef KERNELS
#define KERNELS 25
#endif
enum { LAYOUTS = 20, ARRAYS = 3, THREADS = 128, OUT_BYTES = THREADS * 8 };

typedef struct Drawn {
    uint32_t width[ARRAYS], elements[ARRAYS];
    char text[16384];
} Drawn;

static uint32_t below(uint64_t *random, uint32_t most) {
    return (uint32_t)(random_next(random) % most);
}

/* ---- a kernel ---- */

static void add(Drawn *drawn, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(Drawn *drawn, const char *format, ...) {
    size_t length = strlen(drawn->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(drawn->text + length, sizeof drawn->text - length, format, arguments);
    va_end(arguments);
}

/* %r3: the address of an element that depends on the thread, with `after` elements behind it. */
static void add_place(Drawn *drawn, uint32_t a, uint32_t after, uint64_t *random) {
    uint32_t width = drawn->width[a];
    add(drawn, "mul.lo.u32 %%r2, %%r1, %u;\nshr.u32 %%r3, %%r1, %u;\n", 1 + below(random, 40),
        1 + below(random, 6));
    add(drawn, "mad.lo.u32 %%r2, %%r3, %u, %%r2;\nadd.u32 %%r2, %%r2, %u;\n", below(random, 70),
        below(random, 64));
    add(drawn, "rem.u32 %%r2, %%r2, %u;\n", drawn->elements[a] - after);
    add(drawn, "mov.u32 %%r3, a%u;\nmad.lo.u32 %%r3, %%r2, %u, %%r3;\n", a, width);
}

static const char *const spelled[] = {"u8", "u16", "u32", "u64", "v2.u64"};

static void add_store(Drawn *drawn, uint32_t a, uint64_t *random) {
    uint32_t log = (uint32_t)__builtin_ctz(drawn->width[a]);
    add_place(drawn, a, 0, random);
    add(drawn, "cvt.u64.u32 %%rd2, %%r1;\ncvt.u16.u32 %%rs1, %%r1;\n");
    add(drawn, "st.shared.%s [%%r3], %s;\n", spelled[log],
        log == 4   ? "{%rd2, %rd1}"
        : log == 3 ? "%rd2"
        : log == 2 ? "%r1"
                   : "%rs1");
}

static void add_load(Drawn *drawn, uint32_t a, uint64_t *random) {
    uint32_t log = (uint32_t)__builtin_ctz(drawn->width[a]), run = log == 2 ? 4 : 1;
    add_place(drawn, a, run - 1, random);
    if (run > 1)
        add(drawn, "and.b32 %%r3, %%r3, 0xfffffff0;\n");
    for (uint32_t i = 0; i < run; i++) {
        if (log == 4)
            add(drawn, "ld.shared.v2.u64 {%%rd2, %%rd3}, [%%r3];\nxor.b64 %%rd2, %%rd2, %%rd3;\n");
        else if (log == 3)
            add(drawn, "ld.shared.u64 %%rd2, [%%r3];\n");
        else if (log == 2)
            add(drawn, "ld.shared.u32 %%r4, [%%r3+%u];\ncvt.u64.u32 %%rd2, %%r4;\n", 4 * i);
        else
            add(drawn, "ld.shared.%s %%rs1, [%%r3];\ncvt.u64.u16 %%rd2, %%rs1;\n", spelled[log]);
        add(drawn, "mad.lo.u64 %%rd1, %%rd1, 31, %%rd2;\n");
    }
}

static void add_access(Drawn *drawn, uint64_t *random) {
    uint32_t a = below(random, ARRAYS), kind = below(random, 8);
    if (kind == 0 && drawn->width[a] == 4) {
        add_place(drawn, a, 0, random);
        add(drawn, "red.shared.add.u32 [%%r3], %%r1;\n");
    } else if (kind < 2 && drawn->width[a] >= 4) { /* loops; the first changes hardly anything */
        static const char *const loops[] = {"min.u64", "max.u64", "add.f32"};
        uint32_t loop = drawn->width[a] == 4 ? 2 : below(random, 2);
        add_place(drawn, a, 0, random);
        add(drawn, "cvt.u64.u32 %%rd2, %%r1;\nred.shared.%s [%%r3], %s;\n", loops[loop],
            loop == 2 ? "%r1" : "%rd2");
    } else if (kind < 4) {
        add_store(drawn, a, random);
    } else {
        add_load(drawn, a, random);
    }
    add(drawn, "bar.sync 0;\n");
}

static void draw(Drawn *drawn, uint64_t *random) {
    *drawn = (Drawn){.text = ""};
    add(drawn,
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
        ".reg .b16 %%rs<4>;\n.reg .b32 %%r<8>;\n.reg .b64 %%rd<8>;\n");
    for (uint32_t a = 0; a < ARRAYS; a++) {
        drawn->width[a] = 1u << below(random, 5);
        drawn->elements[a] = 64 + below(random, 1024);
        uint32_t align = below(random, 2) ? 16 : drawn->width[a] == 4 ? 16 : drawn->width[a];
        add(drawn, ".shared .align %u .b8 a%u[%u];\n", align, a,
            drawn->elements[a] * drawn->width[a]);
    }
    add(drawn, "mov.u32 %%r1, %%tid.x;\ncvt.u64.u32 %%rd1, %%r1;\n");
    for (uint32_t i = 0; i < 10; i++)
        add_access(drawn, random);
    add(drawn,
        "ld.param.u64 %%rd4, [p];\nmul.wide.u32 %%rd5, %%r1, 8;\nadd.u64 %%rd4, %%rd4, %%rd5;\n"
        "st.global.u64 [%%rd4], %%rd1;\nret;\n}\n");
}

/* ---- running it ---- */

typedef struct Kernel {
    Arena *arena;
    Diags *diags;
    Memory *memory;
    PreparedKernel *prepared;
    Profile *profile;
    uint64_t out;
} Kernel;

static Kernel prepare(const Drawn *drawn) {
    Kernel kernel = {.arena = arena_new(), .memory = memory_new(), .profile = profile_new()};
    kernel.diags = diags_new(kernel.arena);
    Module *module =
        ptx_parse(kernel.arena, "k.ptx", drawn->text, strlen(drawn->text), NULL, kernel.diags);
    diags_print(kernel.diags, stderr, false);
    assert_non_null(module);
    LoadedModule *loaded = module_load(kernel.arena, module, kernel.memory, NULL, kernel.diags);
    kernel.prepared = kernel_prepare(module_function(module, STR("k")), loaded,
                                     gpu_named(STR("h100")), kernel.diags);
    assert_non_null(kernel.prepared);
    kernel.out = memory_allocate(kernel.memory, OUT_BYTES, "out", 8);
    return kernel;
}

static void end(Kernel *kernel) {
    prepared_free(kernel->prepared);
    memory_free(kernel->memory);
    profile_free(kernel->profile);
    arena_free(kernel->arena);
}

/* Returns the launch's number in the profile. */
static uint32_t run(Kernel *kernel, const Relayout *relayouts, uint32_t count) {
    LaunchResult result;
    Launch launch = {.grid = {1, 1, 1},
                     .block = {THREADS, 1, 1},
                     .params = &kernel->out,
                     .memory = kernel->memory,
                     .workers = 1,
                     .evidence_blocks = UINT32_MAX,
                     .relayouts = relayouts,
                     .relayout_count = count,
                     .counting = true};
    bool ran = launch_run(&launch, kernel->prepared, kernel->profile, &result, kernel->diags);
    diags_print(kernel->diags, stderr, false);
    assert_true(ran);
    assert_int_equal(result.status, LAUNCH_DONE);
    return result.record;
}

static uint64_t counted(const Kernel *kernel, uint32_t launch) {
    return profile_total(kernel->profile, launch, NULL).wavefronts;
}

/* ---- layouts ---- */

static Layout draw_layout(const Drawn *drawn, const ArrayFix *array, uint64_t *random) {
    uint32_t bytes = (uint32_t)array->bytes, width = drawn->width[array->variable];
    Layout layout = {.kind = (LayoutKind)below(random, 5), .base = 2 + below(random, 3)};
    switch (layout.kind) {
    case LAYOUT_PADDED:
        layout.pitch = width * (1 + below(random, 64));
        layout.pad = width * (1 + below(random, 9));
        layout.pitch2 = layout.pitch * below(random, 5);
        layout.pad2 = width * (1 + below(random, 9));
        break;
    case LAYOUT_SWIZZLED:
        layout.bits = 1 + below(random, 5);
        layout.shift = layout.bits + below(random, 4);
        break;
    case LAYOUT_XORED:
        for (uint32_t j = 0; j < LAYOUT_XORS; j++)
            layout.xor [j] = (uint8_t)(below(random, LINE_BYTES) >> layout.base << layout.base);
        break;
    case LAYOUT_TRANSPOSED:
        layout.pitch = width * (1 + below(random, 64));
        layout.element = width;
        layout.rows = bytes / layout.pitch;
        break;
    default:
        break;
    }
    if (layout.kind == LAYOUT_TRANSPOSED && layout.rows * layout.pitch != bytes)
        layout.kind = LAYOUT_PLAIN;
    return layout;
}

static bool survives(const Kernel *kernel, const ArrayFix *array, const Layout *layout) {
    const Profile *profile = kernel->profile;
    for (uint32_t i = 0; i < profile->patterns.count; i++) {
        const AccessPattern *pattern = &profile->patterns.at[i];
        SharedCost cost;
        if (pattern->space == SITE_SHARED && pattern->variable == array->variable &&
            !fix_price(&(Use){pattern, &profile->sites.at[pattern->site], 1}, 0, layout, &cost))
            return false;
    }
    return true;
}

typedef struct Check {
    Kernel *kernel;
    const FixScope *scope;
    const ArrayFix *arrays;
    uint32_t count;
    uint8_t results[OUT_BYTES];
    uint32_t checked;
} Check;

static void check_layouts(Check *check, const Layout layouts[ARRAYS]) {
    Kernel *kernel = check->kernel;
    const ProfKernel *row = &kernel->profile->kernels.at[0];
    const Layout *pointers[ARRAYS] = {0};
    Relayout relayouts[ARRAYS];
    for (uint32_t i = 0; i < check->count; i++) {
        pointers[i] = &layouts[i];
        relayouts[i] = (Relayout){.symbol = row->shared.at[check->arrays[i].variable].symbol,
                                  .layout = layouts[i]};
    }
    uint64_t promised =
        fix_promise(kernel->arena, check->scope, check->arrays, check->count, pointers);
    memset(memory_host(kernel->memory, kernel->out), 0, OUT_BYTES);
    uint32_t launch = run(kernel, relayouts, check->count);
    assert_int_equal(counted(kernel, launch), promised);
    assert_memory_equal(memory_host(kernel->memory, kernel->out), check->results, OUT_BYTES);
    check->checked++;
}

/* Each candidate of each array, the others left alone. */
static void check_candidates(Check *check) {
    for (uint32_t i = 0; i < check->count; i++)
        for (uint32_t c = 0; c < check->arrays[i].count; c++) {
            Layout layouts[ARRAYS] = {{.kind = LAYOUT_PLAIN}};
            layouts[i] = check->arrays[i].best[c].layout;
            check_layouts(check, layouts);
        }
}

static void check_random(Check *check, const Drawn *drawn, uint64_t *random) {
    for (uint32_t n = 0; n < LAYOUTS; n++) {
        Layout layouts[ARRAYS];
        for (uint32_t i = 0; i < check->count; i++) {
            layouts[i] = draw_layout(drawn, &check->arrays[i], random);
            if (!survives(check->kernel, &check->arrays[i], &layouts[i]))
                layouts[i] = (Layout){.kind = LAYOUT_PLAIN};
        }
        check_layouts(check, layouts);
    }
}

static uint32_t check_kernel(uint64_t *random) {
    Drawn drawn;
    draw(&drawn, random);
    Kernel kernel = prepare(&drawn);
    Check check = {.kernel = &kernel};
    uint32_t launch = run(&kernel, NULL, 0);
    FixScope scope = {.profile = kernel.profile, .launches = &launch, .count = 1};
    check.scope = &scope;
    check.arrays = fix_arrays(kernel.arena, &scope, &check.count);
    memcpy(check.results, memory_host(kernel.memory, kernel.out), OUT_BYTES);
    check_layouts(&check, (Layout[ARRAYS]){{.kind = LAYOUT_PLAIN}});
    check_candidates(&check);
    check_random(&check, &drawn, random);
    end(&kernel);
    return check.checked;
}

static void test_promises(void **state) {
    (void)state;
    uint64_t random = 1;
    uint32_t checked = 0;
    for (uint32_t i = 0; i < KERNELS; i++)
        checked += check_kernel(&random);
    print_message("%d kernels, %u layouts: as promised\n", KERNELS, checked);
    assert_true(checked > KERNELS * LAYOUTS);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_promises)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
