/* ops: `warplens ops` lists the rows of ops.def; --markdown prints docs/ptx-support.md; --census
 * FILE says what share of the instructions of real programs is known, by stage of support.
 * gpus: `warplens gpus` lists gpus.def. */
#include "cli/commands.h"
#include "cli/csv.h"
#include "cli/options.h"
#include "exec/exec.h"
#include "isa/isa.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

typedef struct OpsRun {
    bool markdown;
    const char *census;
} OpsRun;

enum { OPTION_MARKDOWN = 'm', OPTION_CENSUS = 'c' };

static const struct argp_option ops_options[] = {
    {"markdown", OPTION_MARKDOWN, NULL, 0, "print the page docs/ptx-support.md", 0},
    {"census", OPTION_CENSUS, "FILE.csv", 0,
     "print how much of a census of PTX programs is known (columns opcode_and_modifiers, "
     "static_count, files, kind, stage)",
     0},
    {0},
};

static error_t parse_ops_option(int key, char *argument, struct argp_state *state) {
    OpsRun *run = state->input;
    switch (key) {
    case OPTION_MARKDOWN:
        run->markdown = true;
        return 0;
    case OPTION_CENSUS:
        run->census = argument;
        return 0;
    default:
        return option_nothing(key, state);
    }
}

const struct argp ops_argp = {
    .options = ops_options,
    .parser = parse_ops_option,
    .doc = "List the PTX instructions that are supported: row, syntax, operands.\v"
           "In a syntax, {a,b} is one of them, [.x] may be left out, | separates spellings. In "
           "operands, '=' is before what is written, t and t2 are the types of the spelling, '?' "
           "may be left out, '#' is a constant.\n\n"
           "Examples:\n"
           "  warplens ops | grep '^ld'\n"
           "  warplens ops --markdown > ptx-support.md\n\n"
           "Exit status: 0, or 3 if an option cannot be used.",
};

/* ---- the rows ---- */

static Str mnemonic_of(const char *syntax) {
    return (Str){syntax, strcspn(syntax, ".[ ")};
}

/* Not one that stands only in what becomes of machine code. */
static bool is_ptx(const OpInfo *info) {
    return !str_is(mnemonic_of(info->syntax), "machine");
}

static void print_rows(void) {
    for (Op op = OP_NONE + 1; op < OP_COUNT; op++) {
        const OpInfo *info = op_info(op);
        if (is_ptx(info))
            printf("%-24s %s\t%s\n", info->id, info->syntax, info->operands);
    }
}

/* '|' would end a cell of a table */
static void print_cell(Str text) {
    fputs(text.length ? " `" : " ", stdout);
    for (size_t i = 0; i < text.length; i++) {
        fputs(text.at[i] == '|' ? "\\" : "", stdout);
        putchar(text.at[i]);
    }
    fputs(text.length ? "` |" : " |", stdout);
}

static void print_markdown_rows(void) {
    Str last = {0};
    for (Op op = OP_NONE + 1; op < OP_COUNT; op++) {
        const OpInfo *info = op_info(op);
        Str mnemonic = mnemonic_of(info->syntax);
        if (!is_ptx(info))
            continue;
        bool same = str_equal(mnemonic, last);
        fputs("|", stdout);
        print_cell(same ? (Str){0} : mnemonic);
        print_cell(str_of(info->syntax));
        print_cell(str_of(info->operands));
        putchar('\n');
        last = mnemonic;
    }
}

/* ---- the census ---- */

enum { STAGES = 10 }; /* S1 … S10 */

typedef struct Coverage {
    uint64_t spellings, known_spellings, insns, known_insns;
} Coverage;

typedef struct Census {
    Coverage stages[STAGES];
    Coverage calls; /* of functions of the CUDA runtime */
    VEC(Str) unknown;
} Census;

static void count_spelling(Census *census, Arena *arena, Str spelling, bool known, uint64_t count,
                           Coverage *coverage) {
    coverage->spellings++;
    coverage->insns += count;
    coverage->known_spellings += known;
    coverage->known_insns += known ? count : 0;
    if (!known)
        *vec_add(arena, &census->unknown) = spelling;
}

/* "call NAME": other calls are described in several words. */
static void count_call(Census *census, Arena *arena, Str spelling, uint64_t count) {
    size_t call = strlen("call ");
    Str name = {spelling.at + call, spelling.length - call};
    if (!str_starts(spelling, "call ") || name.length == 0 || memchr(name.at, ' ', name.length) ||
        name.at[0] == '(')
        return;
    bool known = false;
    for (uint32_t i = 0; runtime_function(i); i++)
        known |= str_is(name, runtime_function(i));
    count_spelling(census, arena, spelling, known, count, &census->calls);
}

/* NULL, with errors in diags, where the file is no census. */
static Census *read_census(Arena *arena, const char *file, Diags *diags) {
    Csv *csv = csv_read(arena, file, diags);
    if (!csv)
        return NULL;
    uint32_t spelling = csv_column(csv, "opcode_and_modifiers"), kind = csv_column(csv, "kind");
    uint32_t count = csv_column(csv, "static_count"), stage = csv_column(csv, "stage");
    if (spelling == csv->columns || kind == csv->columns || count == csv->columns ||
        stage == csv->columns) {
        diags_error(diags, "%s lacks one of the columns of a census (see --help)", file);
        return NULL;
    }
    Census *census = NEW(arena, Census);
    for (uint32_t i = 0; i < csv->records.count; i++) {
        const CsvField *fields = csv->records.at[i].fields;
        Str name = fields[stage].text;
        long number = name.length > 1 && name.at[0] == 'S' ? strtol(name.at + 1, NULL, 10) : 0;
        Str text = fields[spelling].text;
        uint64_t insns;
        if (!number_parse(arena_printf(arena, STR_FMT, STR_ARG(fields[count].text)), UINT64_MAX,
                          &insns)) {
            diags_add(diags, DIAG_ERROR, csv_place(csv, fields[count]),
                      "expected a number of instructions, found '" STR_FMT "'",
                      STR_ARG(fields[count].text));
            return NULL;
        }
        if (str_is(fields[kind].text, "call target"))
            count_call(census, arena, text, insns);
        if (!str_is(fields[kind].text, "opcode") || number < 1 || number > STAGES)
            continue;
        bool known = isa_match(arena, text).error == MATCH_OK;
        count_spelling(census, arena, text, known, insns, &census->stages[number - 1]);
    }
    return census;
}

static double percent(uint64_t part, uint64_t whole) {
    return whole ? 100.0 * (double)part / (double)whole : 100.0;
}

static void print_coverage(const char *name, const Coverage *coverage) {
    printf("| %s | %llu / %llu | %llu / %llu | %.2f %% |\n", name,
           (unsigned long long)coverage->known_spellings, (unsigned long long)coverage->spellings,
           (unsigned long long)coverage->known_insns, (unsigned long long)coverage->insns,
           percent(coverage->known_insns, coverage->insns));
}

static void print_census(const Census *census) {
    Coverage all = {0};
    puts("| stage | spellings known | instructions known | share |\n| --- | ---: | ---: | ---: |");
    for (int stage = 0; stage < STAGES; stage++) {
        const Coverage *coverage = &census->stages[stage];
        char name[8];
        snprintf(name, sizeof name, "S%d", stage + 1);
        if (coverage->spellings)
            print_coverage(name, coverage);
        all.spellings += coverage->spellings;
        all.known_spellings += coverage->known_spellings;
        all.insns += coverage->insns;
        all.known_insns += coverage->known_insns;
    }
    print_coverage("all", &all);
    if (census->calls.spellings)
        print_coverage("calls of the CUDA runtime", &census->calls);
}

static void print_page(const Census *census) {
    puts("# Supported PTX\n\n"
         "Generated by `warplens ops --markdown` from `src/isa/ops.def`; do not edit.\n");
    if (census) {
        puts("## Of what real programs use\n\n"
             "A census of PTX files of public repositories: distinct spellings and instructions "
             "(static counts) that\na row takes, by stage of support.\n");
        print_census(census);
        putchar('\n');
    }
    puts(
        "## Instructions\n\n"
        "In a syntax, `{a,b}` is one of them, `[.x]` may be left out, `|` separates spellings. In "
        "operands, `=` stands\nbefore what is written, `t` and `t2` are the types of the spelling, "
        "`t>` a register that may be wider, `[m]` an\naddress, `?` what may be left out, `#` a "
        "constant.\n\n"
        "| instruction | syntax | operands |\n| --- | --- | --- |");
    print_markdown_rows();
    puts("\n## Functions of the CUDA runtime\n\n"
         "`call` finds these where a module has none of its own; `__cudaCDP2` is what CUDA 12 and "
         "later put before the\nnames of the device runtime (`<<<>>>`, `cudaMemcpyAsync` … in a "
         "kernel), with or without `_ptsz` behind them.\n");
    for (uint32_t i = 0; runtime_function(i); i++)
        printf("- `%s`\n", runtime_function(i));
}

int command_ops(int argc, char **argv) {
    OpsRun run = {0};
    if (!options_parse(&ops_argp, argc, argv, 0, &run))
        return EXIT_UNUSABLE;
    Arena *arena = arena_new();
    Diags *diags = diags_new(arena);
    Census *census = run.census ? read_census(arena, run.census, diags) : NULL;
    diags_print(diags, stderr, false);
    if (diags->errors == 0 && run.markdown)
        print_page(census);
    else if (census)
        print_census(census);
    else if (diags->errors == 0)
        print_rows();
    for (uint32_t i = 0; census && !run.markdown && i < census->unknown.count; i++)
        printf("not known: " STR_FMT "\n", STR_ARG(census->unknown.at[i]));
    int status = diags->errors ? EXIT_UNUSABLE : EXIT_FINE;
    arena_free(arena);
    return status;
}

/* ---- gpus ---- */

const struct argp gpus_argp = {.doc = "List the GPUs that --gpu knows.\v"
                                      "Example:\n  warplens gpus\n\n"
                                      "Exit status: 0, or 3 if an option cannot be used."};

int command_gpus(int argc, char **argv) {
    if (!options_parse(&gpus_argp, argc, argv, 0, NULL))
        return EXIT_UNUSABLE;
    printf("%-10s %-28s %5s %4s %11s %9s %13s %12s %10s %6s\n", "name", "", "arch", "SMs",
           "threads/SM", "blocks/SM", "shared/SM, KB", "/block, KB", "DRAM, GB/s", "MHz");
    for (uint32_t i = 0; i < gpu_count(); i++) {
        const Gpu *gpu = gpu_at(i);
        printf("%-10s %-28s %3u.%u %4u %11u %9u %13u %12u %10u %6u%s\n", gpu->name, gpu->title,
               gpu->major, gpu->minor, gpu->sms, gpu->threads_per_sm, gpu->blocks_per_sm,
               gpu->shared_per_sm / 1024, gpu->shared_per_block_optin / 1024, gpu->dram_gbs,
               gpu->clock_mhz, gpu->measured ? "  measured" : "");
    }
    puts("\nThe memory model was measured on those marked so; elsewhere it is taken to be the "
         "same.");
    return EXIT_FINE;
}
