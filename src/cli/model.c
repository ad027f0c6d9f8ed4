/* model: `warplens model FILE.csv …` - the memory model on tables of lane addresses
 * (cli/patterns.h).
 *
 * A table with measured columns is compared with the model: rows that differ are shown, then how
 * many agree. So anyone with a GPU can check the model on patterns of their own. A table without
 * them is printed with the computed figures. With --on gpu they are what `run --on gpu` counts by,
 * on the GPU. */
#include "cli/commands.h"
#include "cli/movements.h"
#include "cli/options.h"
#include "cli/patterns.h"
#include "probe/rows.h"

#include <argp.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

typedef struct ModelRun {
    char **files;
    int file_count;
    bool on_gpu;
    const char *gpu; /* that counted */
    uint32_t compared, exact, evaluated;
    uint32_t rows, differ; /* counted on the GPU; of these, otherwise than by the model here */
} ModelRun;

enum { KEY_ON = 1 };

static const struct argp_option options[] = {
    {"on", KEY_ON, "WHERE", 0,
     "who counts: cpu, the default, or gpu: the code that run --on gpu counts with, on this "
     "machine's GPU; rows that it counts otherwise than the CPU are told",
     0},
    {0}};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    ModelRun *run = state->input;
    switch (key) {
    case KEY_ON:
        run->on_gpu = strcmp(argument, "gpu") == 0;
        if (!run->on_gpu && strcmp(argument, "cpu") != 0)
            argp_error(state, "--on: expected cpu or gpu, found '%s'", argument);
        return 0;
    case ARGP_KEY_ARGS:
        run->files = state->argv + state->next;
        run->file_count = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_usage(state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp model_argp = {
    .options = options,
    .parser = parse_option,
    .args_doc = "FILE.csv...",
    .doc =
        "Evaluate the memory model on tables of lane addresses.\v"
        "A row is one warp and one instruction. Columns, by name: instruction; lane0 ... lane31 "
        "(byte "
        "offsets, -1: not active), or for cp.async shared0 ... shared31 and global0 ... global31; "
        "and "
        "measured figures, any of (shared_)wavefronts, (shared_)wavefronts_ideal, "
        "(global_)sectors, (global_)sectors_ideal, tag_requests.\n\n"
        "Tables of bulk and tensor copies, wgmma and accesses to other blocks of a cluster have "
        "columns of their own: see tests/ground-truth/h200 and docs/memory-model.md.\n\n"
        "With measured figures, prints the rows that differ and how many are exact. Without, "
        "prints "
        "the computed figures.\n\n"
        "Example:\n"
        "  warplens model measured.csv\n\n"
        "Exit status: 0, 1 if a measured figure or the GPU's count differs, 3 if a file or an "
        "option cannot be used.",
};

/* ---- printing ---- */

static void print_difference(const char *file, const PatternRow *row) {
    plain_printf(stdout, "%s:%" PRIu32 ": " STR_FMT ":", file, row->line,
                 STR_ARG(row->instruction));
    const char *separator = "";
    for (uint32_t i = 0; i < FIGURE_COUNT; i++) {
        if (!row->measured_known[i] || row->measured[i] == row->computed[i])
            continue;
        printf("%s %s computed %" PRIu64 ", measured %" PRIu64, separator, figure_name((Figure)i),
               row->computed[i], row->measured[i]);
        separator = ";";
    }
    putchar('\n');
}

static void print_comparison(const PatternTable *table) {
    for (uint32_t i = 0; i < table->rows.count; i++)
        if (!table->rows.at[i].exact)
            print_difference(table->file, &table->rows.at[i]);
    plain_printf(stdout, "%s: %" PRIu32 "/%" PRIu32 "\n", table->file, table->exact,
                 table->rows.count);
}

static void print_computed(const PatternTable *table) {
    printf("row,instruction");
    for (uint32_t i = 0; i < FIGURE_COUNT; i++)
        printf(",%s", figure_name((Figure)i));
    putchar('\n');
    for (uint32_t r = 0; r < table->rows.count; r++) {
        const PatternRow *row = &table->rows.at[r];
        printf("%" PRIu32 "," STR_FMT, row->line, STR_ARG(row->instruction));
        for (uint32_t i = 0; i < FIGURE_COUNT; i++)
            if (row->computed_known[i])
                printf(",%" PRIu64, row->computed[i]);
            else
                putchar(',');
        putchar('\n');
    }
}

/* ---- the command ---- */

/* Has the GPU count the rows. false: diags says why it cannot. */
static bool count_on_gpu(ModelRun *run, Arena *arena, PatternTable *table, Diags *diags) {
    RowList *list = row_list_new(arena);
    for (uint32_t i = 0; i < table->rows.count; i++)
        row_list_add(list, &table->rows.at[i].access);
    ProbeRowSums *sums = NEW_ARRAY(arena, ProbeRowSums, list->rows.count + 1);
    Counters *counters = NEW_ARRAY(arena, Counters, table->rows.count + 1);
    run->gpu = row_list_run(list, sums, diags);
    if (!run->gpu)
        return false;
    row_list_sum(list, sums, counters);
    run->rows += table->rows.count;
    run->differ += patterns_counted(table, counters);
    return true;
}

/* Of movements: as print_difference and print_computed. */
static void print_movement(const char *file, const MovementRow *row, bool measured) {
    if (measured)
        plain_printf(stdout, "%s:%" PRIu32 ": " STR_FMT ":", file, row->line,
                     STR_ARG(row->instruction));
    else
        printf("%" PRIu32 "," STR_FMT, row->line, STR_ARG(row->instruction));
    const char *separator = "";
    for (uint32_t i = 0; i < MOVEMENT_FIGURES; i++) {
        if (!measured && row->computed_known[i])
            printf(",%s=%" PRIu64, movement_figure(i), row->computed[i]);
        if (!row->measured_known[i] || row->measured[i] == row->computed[i])
            continue;
        printf("%s %s computed %" PRIu64 ", measured %" PRIu64, separator, movement_figure(i),
               row->computed[i], row->measured[i]);
        separator = ";";
    }
    putchar('\n');
}

static void run_movements(ModelRun *run, Arena *arena, const Csv *csv, Diags *diags) {
    const MovementTable *table = movements_read(arena, csv, diags);
    if (!table)
        return;
    run->evaluated++;
    for (uint32_t i = 0; i < table->rows.count; i++)
        if (!table->measured || !table->rows.at[i].exact)
            print_movement(table->file, &table->rows.at[i], table->measured);
    if (!table->measured)
        return;
    plain_printf(stdout, "%s: %" PRIu32 "/%" PRIu32 "\n", table->file, table->exact,
                 table->rows.count);
    run->compared += table->rows.count;
    run->exact += table->exact;
}

static void run_file(ModelRun *run, Arena *arena, const char *file, Diags *diags) {
    const Csv *csv = run->on_gpu ? NULL : csv_read(arena, file, diags);
    if (!csv && !run->on_gpu)
        return;
    if (csv && movements_there(csv)) {
        run_movements(run, arena, csv, diags);
        return;
    }
    PatternTable *table = patterns_read(arena, file, diags);
    if (!table)
        return;
    if (table->other) {
        Place place = {.file = file, .line = 1, .column = 1};
        diags_add(diags, DIAG_WARNING, place,
                  "not a table of lane addresses (no column `instruction`): skipped; tables by "
                  "kernel or source line are compared with a profile, not with the model");
        return;
    }
    run->evaluated++;
    if (run->on_gpu && !count_on_gpu(run, arena, table, diags))
        return;
    if (!table->measured) {
        print_computed(table);
        return;
    }
    print_comparison(table);
    run->compared += table->rows.count;
    run->exact += table->exact;
}

int command_model(int argc, char **argv) {
    ModelRun run = {0};
    if (!options_parse(&model_argp, argc, argv, 0, &run))
        return EXIT_UNUSABLE;
    Arena *arena = arena_new();
    Diags *diags = diags_new(arena);
    for (int i = 0; i < run.file_count && (!run.on_gpu || !diags->errors); i++)
        run_file(&run, arena, run.files[i], diags);
    if (!run.evaluated && !diags->errors)
        diags_error(diags, "no table of lane addresses among the files");
    fflush(stdout);
    diags_print(diags, stderr, colour_shown(COLOUR_AUTO, STDERR_FILENO));
    bool failed = diags->errors > 0;
    if (!failed && run.compared)
        printf("exact: %" PRIu32 "/%" PRIu32 "\n", run.exact, run.compared);
    if (!failed && run.gpu)
        plain_printf(run.compared ? stdout : stderr,
                     "counted on the GPU, %s: %" PRIu32 " of %" PRIu32 " rows as on the CPU\n",
                     run.gpu, run.rows - run.differ, run.rows);
    arena_free(arena);
    return failed                                         ? EXIT_UNUSABLE
           : run.exact == run.compared && run.differ == 0 ? EXIT_FINE
                                                          : EXIT_DIFFERS;
}
