/* Every instruction that computes, on the CPU, against the answers of a GPU.
 *
 *   test_vectors REJECTED ANSWERS              a line for each mnemonic and for each difference
 *   test_vectors REJECTED ANSWERS --markdown   the table of docs/gpu-comparison.md
 *
 * Exit status 1: a result differs, or by more than the limit of an approximation. What has not been
 * measured yet is counted and named, and no failure. */
#include "compare.h"
#include "execute.h"

#include <stdlib.h>
#include <string.h>

typedef struct Comparison {
    Arena *arena;
    const Answers *answers;
    Memory *memory;
    VEC(Group) groups;
    uint32_t unmeasured, wrong;
    bool quiet;
} Comparison;

static Group *group_of(Comparison *comparison, const char *name) {
    for (uint32_t i = 0; i < comparison->groups.count; i++)
        if (strcmp(comparison->groups.at[i].name, name) == 0)
            return &comparison->groups.at[i];
    Group *group = vec_add(comparison->arena, &comparison->groups);
    *group = (Group){.name = name};
    return group;
}

static void print_wrong(const Kernel *kernel, const Slot *slot, const Answer *answer,
                        const uint8_t *results, uint32_t index) {
    printf("%s: differs", slot->name);
    if (index == NONE_KEPT) {
        printf(" in some of %u cases\n", kernel->cases);
        return;
    }
    printf(" in case %u: operands", index);
    for (uint32_t i = 0; i < kernel->inputs.count; i++)
        printf(" 0x%llx", (unsigned long long)operand_value(kernel, i, index));
    printf(", result 0x%llx, GPU 0x%llx\n",
           (unsigned long long)result_bits(results, slot->bytes, index),
           (unsigned long long)result_bits(answer->first, slot->bytes, index));
}

static void compare_slot(Comparison *comparison, Group *group, const Kernel *kernel,
                         const Slot *slot, const uint8_t *results) {
    const Answer *answer = answer_find(comparison->answers, slot, kernel->cases);
    if (!answer) {
        if (comparison->unmeasured++ < 20 && !comparison->quiet)
            printf("%s: not measured\n", slot->name);
        return;
    }
    const Verdict verdict = answer_compare(answer, slot, results);
    group->results++;
    group->spellings += !strpbrk(slot->name, " ,");
    group->exact += verdict.equal;
    group->sets += kernel->cases;
    group->wrong += !verdict.fine;
    if (verdict.farthest > group->farthest)
        group->farthest = verdict.farthest;
    if (!verdict.fine && comparison->wrong++ < 40)
        print_wrong(kernel, slot, answer, results, verdict.first);
}

static void compare_kernel(Comparison *comparison, const Kernel *kernel) {
    Arena *arena = arena_new();
    Diags *diags = diags_new(arena);
    uint8_t *out = arena_alloc(arena, kernel->out_bytes);
    Group *group = group_of(comparison, kernel->group);
    const uint8_t *results = kernel_execute(arena, kernel, comparison->memory, out, diags);
    if (!results) {
        diags_print(diags, stdout, false);
        comparison->wrong++;
    }
    for (uint32_t s = 0; results && s < kernel->slots.count; s++)
        compare_slot(comparison, group, kernel, &kernel->slots.at[s],
                     results + kernel->slots.at[s].offset);
    arena_free(arena);
}

static void print_table(const Comparison *comparison, bool markdown) {
    Group all = {.name = "all"};
    if (markdown)
        printf("| instruction | results compared | equal in every bit | operand sets | different | "
               "farthest (ulp) |\n"
               "| --- | ---: | ---: | ---: | ---: | ---: |\n");
    for (uint32_t i = 0; i <= comparison->groups.count; i++) {
        const Group *group = i < comparison->groups.count ? &comparison->groups.at[i] : &all;
        printf(
            markdown
                ? "| %s | %u | %u | %llu | %u | %llu |\n"
                : "%-12s %5u results, %5u equal in every bit, %9llu operand sets, %u different, at "
                  "most %llu ulp apart\n",
            group->name, group->results, group->exact, (unsigned long long)group->sets,
            group->wrong, (unsigned long long)group->farthest);
        all.results += group->results;
        all.exact += group->exact;
        all.sets += group->sets;
        all.wrong += group->wrong;
        all.farthest = group->farthest > all.farthest ? group->farthest : all.farthest;
    }
}

int main(int count, char **arguments) {
    Comparison comparison = {.arena = arena_new()};
    if (count < 3) {
        fprintf(stderr, "usage: test_vectors REJECTED ANSWERS [--markdown]\n");
        return 3;
    }
    comparison.quiet = count > 3;
    comparison.answers = answers_read(comparison.arena, arguments[2]);
    if (!comparison.answers) {
        fprintf(stderr, "%s: no file of answers\n", arguments[2]);
        return 3;
    }
    comparison.memory = memory_new();
    const Plan *plan = plan_make(comparison.arena, arguments[1]);
    for (uint32_t k = 0; k < plan->kernels.count; k++)
        compare_kernel(&comparison, plan->kernels.at[k]);
    print_table(&comparison, comparison.quiet);
    if (!comparison.quiet)
        printf("%u results not measured yet\n", comparison.unmeasured);
    memory_free(comparison.memory);
    return comparison.wrong != 0;
}
