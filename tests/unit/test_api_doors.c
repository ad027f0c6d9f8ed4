/* Two doors to the same rooms: each option of `warplens kernel` has a counterpart in warplens.h,
 * with the same profile, or says why the program alone has it. */
#include <warplens/warplens.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define CASES TESTS_DIR "/exec/cases/"
#define DOORS TESTS_DIR "/api/doors.ptx"

/* ---- what the program has ---- */

static const char *const options[] = {
#define OPTION(id, name, ...) name,
#define KERNEL_OPTION OPTION
#define FIX_OPTION(...)
#include "cli/kernel_options.def"
};
enum { OPTIONS = sizeof options / sizeof *options };

/* ---- what the library has ---- */

typedef struct Asked {
    const char *kernel, *gpu;
    const char *arguments[2];
    WarplensLaunch launch;
} Asked;

static void set_kernel(Asked *asked) {
    asked->kernel = "door";
}
static void set_gpu(Asked *asked) {
    asked->gpu = "h200";
}
static void set_argument(Asked *asked) {
    asked->arguments[1] = "u32=9";
}
static void set_grid(Asked *asked) {
    asked->launch.grid[0] = 2;
    asked->launch.grid[1] = 3;
}
static void set_block(Asked *asked) {
    asked->launch.block[0] = 16;
    asked->launch.block[1] = 2;
}
static void set_cluster(Asked *asked) {
    asked->launch.cluster[0] = 4;
}
static void set_cooperative(Asked *asked) {
    asked->launch.cooperative = true;
}
static void set_shared(Asked *asked) {
    asked->launch.dynamic_shared = 3072;
}
static void set_limit(Asked *asked) {
    asked->launch.limit = 20;
}
static void set_schedule(Asked *asked) {
    asked->launch.schedule = 3;
}
static void set_threads(Asked *asked) {
    asked->launch.workers = 3;
}
static void set_blocks(Asked *asked) {
    asked->launch.blocks = WARPLENS_BLOCKS_RANDOM;
    asked->launch.blocks_n = 5;
    asked->launch.blocks_seed = 7;
}
static void set_shard(Asked *asked) {
    asked->launch.part = 2;
    asked->launch.parts = 3;
}
static void set_sample(Asked *asked) {
    asked->launch.sample = 4;
}
static void set_time(Asked *asked) {
    asked->launch.time = true;
}
static void set_clock(Asked *asked) {
    asked->launch.clock_mhz = 1500;
}
static void set_caches(Asked *asked) {
    asked->launch.caches = true;
}
static void set_counts_only(Asked *asked) {
    asked->launch.counts_only = true;
}
static void set_evidence(Asked *asked) {
    asked->launch.evidence_blocks = UINT32_MAX;
}
static void set_engine(Asked *asked) {
    asked->launch.engine = "interp";
}
static void set_no_counts(Asked *asked) {
    asked->launch.no_counts = true;
}

typedef struct Door {
    const char *option, *value; /* value NULL: it takes none */
    void (*set)(Asked *asked);  /* NULL: `instead` */
    bool silent;                /* the profile says nothing of it */
    const char *instead;        /* the function that does it, or what the program alone does */
} Door;

static const Door doors[] = {
    {"kernel", "door", set_kernel, true, NULL},
    {"gpu", "h200", set_gpu, false, NULL},
    {"arg", "u32=9", set_argument, false, NULL},
    {"grid", "2,3", set_grid, false, NULL},
    {"block", "16,2", set_block, false, NULL},
    {"cluster", "4", set_cluster, false, NULL},
    {"cooperative", NULL, set_cooperative, false, NULL},
    {"shared", "3072", set_shared, false, NULL},
    {"limit", "20", set_limit, false, NULL},
    {"threads", "3", set_threads, true, NULL},
    {"schedule", "seed:3", set_schedule, true, NULL},
    {"blocks", "random:5:7", set_blocks, false, NULL},
    {"shard", "2/3", set_shard, false, NULL},
    {"sample", "4", set_sample, true, NULL},
    {"caches", NULL, set_caches, true, NULL},
    {"time", NULL, set_time, true, NULL},
    {"clock", "1500", set_clock, true, NULL},
    {"counts-only", NULL, set_counts_only, true, NULL},
    {"evidence", "all", set_evidence, true, NULL},
    {"engine", "interp", set_engine, true, NULL},
    {"no-profile", NULL, set_no_counts, false, NULL},
    {"no-counts", NULL, set_no_counts, false, NULL},
    {"instantiate", NULL, NULL, false, "WarplensCompile.instantiate"},
    {"arch", NULL, NULL, false, "WarplensCompile.arch"},
    {"output", NULL, NULL, false, "warplens_save"},
    {"no-save", NULL, NULL, false, "it saves what is asked for"},
    {"dump", NULL, NULL, false, "warplens_dump"},
    {"check", NULL, NULL, false, "warplens_compare"},
    {"rtol", NULL, NULL, false, "warplens_compare"},
    {"atol", NULL, NULL, false, "warplens_compare"},
    {"source-map", NULL, NULL, false, "of reports: `warplens report` takes the saved profile"},
    {"root", NULL, NULL, false, "of reports: `warplens report` takes it"},
    {"page", NULL, NULL, false, "it prints"},
    {"print", NULL, NULL, false, "it prints, and runs nothing"},
    {"color", NULL, NULL, false, "it prints"},
    {"quiet", NULL, NULL, false, "it prints"},
    {"stats", NULL, NULL, false, "it prints"},
    {"machine-code", NULL, NULL, false, "warplens_machine_code"},
    {"sanitize", NULL, NULL, false, "warplens_sanitize"},
    {"suppress", NULL, NULL, false, "it takes rows out of the report that it writes"},
    {"suppress-new", NULL, NULL, false, "it writes such a file"},
    {"no-sass", NULL, NULL, false, "what ptxas says is for pages that it prints"},
};
enum { DOORS_COUNT = sizeof doors / sizeof *doors };

static const Door *door_of(const char *option) {
    for (size_t i = 0; i < DOORS_COUNT; i++)
        if (strcmp(doors[i].option, option) == 0)
            return &doors[i];
    return NULL;
}

/* ---- running ---- */

static char *run_program(const char *format, ...) {
    char command[2048], *text = NULL;
    size_t size = 0;
    va_list words;
    va_start(words, format);
    vsnprintf(command, sizeof command, format, words);
    va_end(words);
    FILE *from = popen(command, "r"), *to = open_memstream(&text, &size);
    assert_true(from && to);
    for (int c; (c = fgetc(from)) != EOF;)
        fputc(c, to);
    pclose(from);
    fclose(to);
    return text;
}

/* All of a profile but the command that made it. */
static char *told(const char *profile) {
    /* Behind the command and the origin. */
    char *text = run_program("%s report %s --format json | sed -n '/\"launches_in_profile\"/,$p'",
                             WARPLENS, profile);
    assert_true(strlen(text) > 1000);
    return text;
}

static char *by_program(const char *command) {
    char *said = run_program("%s kernel %s --no-sass -q -o program.wlp 2>&1", WARPLENS, command);
    free(said);
    return told("program.wlp");
}

static char *by_library(const char *file, const Asked *asked) {
    WarplensError error;
    WarplensModule *module = warplens_load(file, asked->gpu, &error);
    WarplensKernel *kernel = warplens_kernel(module, asked->kernel, &error);
    for (uint32_t i = 0; i < warplens_parameter_count(kernel); i++)
        assert_true(warplens_set_text(kernel, i, asked->arguments[i], &error));
    if (!warplens_launch(kernel, &asked->launch, &error) ||
        !warplens_save(module, "library.wlp", NULL))
        fail_msg("%s", error.message);
    warplens_free(module);
    return told("library.wlp");
}

static void same(const char *what, const char *program, const char *library) {
    size_t i = 0;
    while (program[i] && program[i] == library[i])
        i++;
    if (program[i] != library[i])
        fail_msg("%s: the program's profile goes on\n%.300s\nthe library's\n%.300s", what,
                 program + i, library + i);
}

/* ---- tests ---- */

static void every_option_has_a_counterpart(void **state) {
    (void)state;
    for (size_t i = 0; i < OPTIONS; i++)
        if (!door_of(options[i]))
            fail_msg("--%s: say in this test what does it in warplens.h", options[i]);
}

static const Asked plain = {.arguments = {"u32[65536]=0", "u32=5"},
                            .launch = {.grid = {64}, .block = {32}}};

static void try_door(const Door *door, const char *usual) {
    char command[1024];
    bool given = door->set != set_argument;
    Asked asked = plain;
    snprintf(command, sizeof command, "%s --arg 'u32[65536]=0' %s --grid 64 --block 32 --%s%s%s",
             DOORS, given ? "--arg u32=5" : "", door->option, door->value ? "=" : "",
             door->value ? door->value : "");
    door->set(&asked);
    char *program = by_program(command), *library = by_library(DOORS, &asked);
    same(door->option, program, library);
    if (!door->silent && strcmp(program, usual) == 0)
        fail_msg("--%s changes nothing", door->option);
    free(program);
    free(library);
}

static void both_doors_lead_to_the_same(void **state) {
    (void)state;
    char *usual = by_library(DOORS, &plain);
    for (size_t i = 0; i < DOORS_COUNT; i++)
        if (doors[i].set)
            try_door(&doors[i], usual);
    free(usual);
}

/* Kernels that launch others: every launch of theirs is the same row. */
static void children_are_the_same(void **state) {
    (void)state;
    const Asked order = {
        .kernel = "order", .arguments = {"u32[64]=0"}, .launch = {.grid = {3}, .block = {2}}};
    char *program = by_program(CASES "children.ptx -k order --grid 3 --block 2 --arg 'u32[64]=0'");
    char *library = by_library(CASES "children.ptx", &order);
    same("children", program, library);
    assert_non_null(strstr(library, "\"launches_in_profile\": 4"));
    free(program);
    free(library);
}

static int in_scratch(void **state) {
    static char folder[] = "doors-XXXXXX";
    *state = folder;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int out_of_scratch(void **state) {
    unlink("program.wlp");
    unlink("library.wlp");
    return chdir("..") == 0 && rmdir(*state) == 0 ? 0 : -1;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_option_has_a_counterpart),
        cmocka_unit_test(both_doors_lead_to_the_same),
        cmocka_unit_test(children_are_the_same),
    };
    return cmocka_run_group_tests(tests, in_scratch, out_of_scratch);
}
