/* What `warplens fix` prints: a table of layouts for each shared array, and whether they are proven. */
#include "cli/fix.h"
#include "rules/rules.h"

#include <stdlib.h>
#include <string.h>

/* ---- the table of an array ---- */

typedef struct Table {
    Arena *arena;
    const ArrayFix *array;
    const FixCost *as_it_is; /* NULL: costs are not known, and have no columns */
    int width;               /* of the layouts' column */
} Table;

const char *percent_words(Arena *arena, uint64_t is, uint64_t was) {
    double percent = was ? 100.0 * ((double)is - (double)was) / (double)was : 0;
    return arena_printf(arena, "%+.1f %%", percent);
}

/* Thread instructions, in all and by how much they change, and registers of a thread. */
static void print_cost(const Table *table, const FixCost *cost) {
    const FixCost *was = table->as_it_is;
    bool known = cost && (cost->offer == OFFER_FINE || cost->offer == OFFER_SLOWER);
    if (!was)
        return;
    plain_printf(stdout, " %14s %9s %9s",
                 known ? words_count(table->arena, cost->thread_insts) : "-",
                 !known        ? "-"
                 : cost == was ? ""
                               : percent_words(table->arena, cost->thread_insts, was->thread_insts),
                 known && cost->registers ? words_count(table->arena, cost->registers) : "-");
}

static void print_row(const Table *table, const char *mark, const char *layout, uint64_t wavefronts,
                      uint64_t bytes, uint32_t blocks, const FixCost *cost) {
    plain_printf(stdout, "  %s %-*s %14s %8s %12s %10u", mark, table->width, layout,
                 words_count(table->arena, wavefronts),
                 words_ratio(table->arena, wavefronts, table->array->ideal),
                 words_count(table->arena, bytes), blocks);
    print_cost(table, cost);
    putchar('\n');
}

/* It leaves at most a quarter of what the best layout saves, and is not half as large again. */
static bool is_alternative(const ArrayFix *array, const Candidate *one) {
    uint64_t least = array->best[0].wavefronts;
    return (one->wavefronts - least) * 4 <= array->wavefronts - least &&
           one->bytes * 2 < array->bytes * 3;
}

/* What is not offered though it saves wavefronts. */
static void print_refused(const Table *table, const char *words, const FixCost *cost) {
    if (cost->offer == OFFER_SLOWER)
        plain_printf(
            stdout,
            "    not offered: %s: written, compiled and run, it takes %s thread\n"
            "      instructions (%s): issuing them costs more than it saves\n",
            words, words_count(table->arena, cost->thread_insts),
            percent_words(table->arena, cost->thread_insts, table->as_it_is->thread_insts));
    else if (cost->offer == OFFER_DIFFERS)
        plain_printf(stdout,
                     "    not offered: %s: written, compiled and run, it has other results\n",
                     words);
}

static void print_table(Arena *arena, const FixPlan *plan, uint32_t number) {
    enum { WIDTH = 46 };
    const ArrayFix *array = &plan->arrays[number];
    const Candidate *chosen = plan->chosen[number];
    const FixCost *costs = plan->costs ? plan->costs[number] : NULL;
    Table table = {arena, array, costs ? &plan->as_it_is : NULL, WIDTH};
    const char *words[CANDIDATES];
    for (uint32_t i = 0; i < array->count; i++) {
        words[i] = fix_words(arena, &array->best[i].layout, &array->declared);
        bool shown = &array->best[i] == chosen || !array->best[i].also;
        if (shown && (int)strlen(words[i]) > table.width)
            table.width = (int)strlen(words[i]);
    }
    plain_printf(stdout, "    %-*s %14s %8s %12s %10s", table.width, "layout", "wavefronts",
                 "N-way", "bytes", "blocks/SM");
    if (costs)
        plain_printf(stdout, " %14s %9s %9s", "instructions", "", "registers");
    putchar('\n');
    print_row(&table, " ", "as it is", array->wavefronts, array->bytes, array->blocks_per_sm,
              table.as_it_is);
    for (uint32_t i = 0; i < array->count; i++) {
        const Candidate *one = &array->best[i];
        if (one == chosen || (!one->also && is_alternative(array, one)))
            print_row(&table, one == chosen ? "*" : " ", words[i], one->wavefronts, one->bytes,
                      one->blocks_per_sm, costs ? &costs[i] : NULL);
    }
    for (uint32_t i = 0; costs && i < array->count; i++)
        if (!array->best[i].also)
            print_refused(&table, words[i], &costs[i]);
}

/* A common remedy that is not the best: what comes of it. */
static void print_remedy(Arena *arena, const ArrayFix *array, const Remedy *remedy) {
    const char *words = fix_words(arena, &remedy->layout, &array->declared);
    const char *way = words_ratio(arena, remedy->wavefronts, array->ideal);
    if (!remedy->possible)
        plain_printf(stdout,
                     "    %s: impossible: it tears wide accesses apart, or there is no room\n",
                     words);
    else if (remedy->wavefronts > array->wavefronts)
        plain_printf(stdout, "    %s: worse, %s-way\n", words, way);
    else if (remedy->wavefronts == array->wavefronts)
        plain_printf(stdout, "    %s: no help, still %s-way\n", words, way);
    else
        plain_printf(stdout, "    %s: still %s-way\n", words, way);
}

static void print_verdict(Arena *arena, const ArrayFix *array) {
    switch (array->verdict) {
    case FIX_IDEAL:
        puts("    nothing to fix: no access to it has a conflict");
        break;
    case FIX_WORDS:
        puts("    no layout helps: each access takes as many wavefronts wherever its words are");
        break;
    case FIX_DATA:
        plain_printf(
            stdout,
            "    no layout helps: the lanes' addresses depend on data: %s executions, %s different"
            "\n    patterns of addresses\n",
            words_count(arena, array->requests), words_count(arena, array->patterns));
        break;
    case FIX_NONE:
        puts("    no padding, swizzle, XOR map or transposition saves a tenth of the excess");
        if (array->whole > array->element)
            plain_printf(stdout, "    and keeps the %u bytes of the widest accesses together\n",
                         array->whole);
        break;
    default:
        break;
    }
}

void fix_print_sketch(const char *lines) {
    if (!lines)
        return;
    puts("    a sketch, not compiled and not tried:");
    while (*lines) {
        size_t length = strcspn(lines, "\n");
        plain_printf(stdout, "      %.*s\n", (int)length, lines);
        lines += length + (lines[length] == '\n');
    }
}

static void print_array(Arena *arena, const FixPlan *plan, uint32_t number) {
    const ArrayFix *array = &plan->arrays[number];
    const SharedVariable *variable = &fix_kernel(plan)->shared.at[array->variable];
    plain_printf(stdout, "%s: %s", name_last(variable->name),
                 elements_words(arena, array->bytes, &array->declared));
    if (array->element != array->declared.bytes)
        plain_printf(stdout, ", accessed %u bytes at a time", array->element);
    putchar('\n');
    print_table(arena, plan, number);
    for (uint32_t i = 0; array->verdict != FIX_DATA && i < array->remedy_count; i++)
        print_remedy(arena, array, &array->remedies[i]);
    print_verdict(arena, array);
    fix_print_sketch(sketch_tree(arena, array, name_last(variable->name)));
    putchar('\n');
}

/* Whether the stage that the fixes relieve is the one that the kernel waits for. */
static void print_relief(Arena *arena, const FixPlan *plan, RuleId rule) {
    LaunchCost cost;
    if (!launch_cost(plan->scope.profile, plan->scope.launches[0], &cost))
        return;
    Relief relief = cost_relief(&cost, rule_stages(&cost, rule));
    plain_printf(stdout, "%s\n\n", words_relief(arena, &relief));
}

void fix_print_evidence(Arena *arena, uint64_t recorded, uint64_t blocks, uint64_t others) {
    if (recorded < blocks)
        plain_printf(stdout, "by the evidence of %s of %s blocks\n", words_count(arena, recorded),
                     words_count(arena, blocks));
    if (others)
        plain_printf(stdout, "without %s of the recorded accesses, whose patterns are not kept\n",
                     words_count(arena, others));
}

/* Where it is not all of one launch. */
static void print_scope(Arena *arena, const FixPlan *plan) {
    const Profile *profile = plan->scope.profile;
    uint64_t blocks = 0, recorded = 0, others = 0;
    for (uint32_t i = 0; i < plan->scope.count; i++) {
        const LaunchRecord *launch = &profile->launches.at[plan->scope.launches[i]];
        blocks += launch->blocks;
        recorded += launch->evidence_blocks;
        others += launch->evidence_others;
    }
    if (plan->scope.count > 1)
        plain_printf(stdout, "%s launches\n", words_count(arena, plan->scope.count));
    fix_print_evidence(arena, recorded, blocks, others);
}

void fix_print_plan(Arena *arena, const FixPlan *plan) {
    plain_printf(stdout, "%s\n", fix_kernel(plan)->demangled);
    print_scope(arena, plan);
    putchar('\n');
    for (uint32_t i = 0; i < plan->array_count; i++)
        print_array(arena, plan, i);
    if (plan->relayout_count)
        print_relief(arena, plan, RULE_uncoalesced_shared);
    if (plan->array_count == 0)
        puts("the kernel accesses no shared array");
}

/* ---- the proof ---- */

const ProofWords proof_of_layouts = {"the layouts marked *", "are equal, and\nthe", "wavefronts",
                                     "shared", false};
const ProofWords proof_of_storage = {"the arrays stored as marked *", "are\nequal, and the",
                                     "sectors", "global", false};
const ProofWords proof_of_programs = {"the arrays stored as marked *",
                                      "of the program\nare equal, and the", "sectors", "global",
                                      true};

void fix_print_proof(Arena *arena, const Proof *proof, const ProofWords *words) {
    if (proof->faulted)
        printf("NOT proven: with %s, the kernel faults\n", words->changed);
    else if (proof->differ && words->of_program)
        printf("NOT proven: with %s, %s results of the program differ\n", words->changed,
               words_count(arena, proof->differ));
    else if (proof->differ)
        printf("NOT proven: with %s, %s of %s bytes of the results differ\n", words->changed,
               words_count(arena, proof->differ), words_count(arena, proof->bytes));
    else if (!proof_holds(proof))
        printf("NOT proven: %s %s were promised, and %s counted\n",
               words_count(arena, proof->promised), words->unit, words_count(arena, proof->after));
    else
        printf("proven: run with %s, all %s bytes of the results %s kernel's %s %s of %s memory "
               "become %s%s\n",
               words->changed, words_count(arena, proof->bytes), words->equal,
               words_count(arena, proof->before), words->unit, words->memory,
               words_count(arena, proof->after), proof->complete ? ", as promised" : "");
}
