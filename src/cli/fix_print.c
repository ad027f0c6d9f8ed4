/* What `warplens fix` prints: a table of layouts for each shared array, and whether they are proven. */
#include "cli/fix.h"
#include "rules/rules.h"

#include <string.h>

static void print_row(Arena *arena, const char *mark, const char *layout, uint64_t wavefronts,
                      uint64_t ideal, uint64_t bytes) {
    printf("  %s %-46s %14s %8s %12s\n", mark, layout, words_count(arena, wavefronts),
           words_ratio(arena, wavefronts, ideal), words_count(arena, bytes));
}

static void print_array(Arena *arena, const ProfKernel *kernel, const ArrayFix *array) {
    const SharedVariable *variable = &kernel->shared.at[array->variable];
    printf("%s: %s bytes, elements of %u\n", words_variable(variable->name),
           words_count(arena, array->bytes), array->element);
    printf("    %-46s %14s %8s %12s\n", "layout", "wavefronts", "N-way", "bytes");
    print_row(arena, " ", "as it is", array->wavefronts, array->ideal, array->bytes);
    for (uint32_t i = 0; i < array->count; i++) {
        const Candidate *one = &array->best[i];
        print_row(arena, i == 0 ? "*" : " ", fix_words(arena, &one->layout, array->element),
                  one->wavefronts, array->ideal, one->bytes);
    }
    if (array->count == 0 && array->wavefronts <= array->ideal)
        puts("    nothing to fix: no access to it has a conflict");
    else if (array->count == 0)
        puts(
            "    no padding, swizzle or transposition takes fewer wavefronts: the lanes' addresses "
            "depend on data, or the conflicts lie within rows");
    putchar('\n');
}

/* Whether the stage that the fixes relieve is the one that the kernel waits for. */
static void print_relief(Arena *arena, const FixPlan *plan, RuleId rule) {
    LaunchCost cost;
    if (!launch_cost(plan->profile, plan->launch, &cost))
        return;
    Relief relief = cost_relief(&cost, cost_stages(&cost, rule));
    printf("%s\n\n", words_relief(arena, &relief));
}

void fix_print_plan(Arena *arena, const FixPlan *plan) {
    const ProfKernel *kernel = fix_kernel(plan);
    printf("%s\n\n", kernel->demangled);
    for (uint32_t i = 0; i < plan->array_count; i++)
        print_array(arena, kernel, &plan->arrays[i]);
    if (plan->relayout_count)
        print_relief(arena, plan, RULE_uncoalesced_shared);
    if (plan->array_count == 0)
        puts("the kernel accesses no shared array");
}

void fix_print_proof(Arena *arena, const Proof *proof) {
    if (proof->faulted) {
        puts("NOT proven: with the layouts marked *, the kernel faults");
        fflush(stdout);
        fprintf(stderr, "warplens: fault: %s\n", proof->fault);
    } else if (proof->differ) {
        printf("NOT proven: with the layouts marked *, %s of %s bytes of the results differ\n",
               words_count(arena, proof->differ), words_count(arena, proof->bytes));
    } else if (!proof_holds(proof)) {
        printf("NOT proven: %s wavefronts were promised, and %s counted\n",
               words_count(arena, proof->promised), words_count(arena, proof->after));
    } else {
        printf("proven: run with the layouts marked *, all %s bytes of the results are equal, and\n"
               "the kernel's %s wavefronts of shared memory become %s%s\n",
               words_count(arena, proof->bytes), words_count(arena, proof->before),
               words_count(arena, proof->after), proof->complete ? ", as promised" : "");
    }
}
