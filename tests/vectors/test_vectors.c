/* Every instruction that computes, on the CPU, against the answers of a GPU, bit for bit.
 *
 *   test_vectors REJECTED ANSWERS              a line for each mnemonic and for each difference
 *   test_vectors REJECTED ANSWERS --markdown   the table of docs/gpu-comparison.md
 *
 * Exit status 1: a result differs. What has not been measured yet is counted and named, and no
 * failure. */
#include "answers.h"
#include "execute.h"

#include <stdlib.h>
#include <string.h>

/* What was found about all slots of a mnemonic. */
typedef struct Group {
    const char *name;
    uint32_t spellings, results; /* slots, and how many spellings they are of */
    uint64_t sets;               /* operand sets, summed over its results */
    uint32_t wrong;              /* slots that differ */
} Group;

typedef struct Comparison {
    Arena *arena;
    const Answers *answers;
    Memory *memory;
    VEC(Group) groups;
    const char *spelling; /* of the last slot */
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

static uint64_t result_bits(const uint8_t *results, uint32_t bytes, uint32_t index) {
    uint64_t value = 0;
    memcpy(&value, results + (size_t)index * bytes, bytes);
    return value;
}

static bool is_equal(const Answer *answer, const uint8_t *results) {
    for (uint32_t piece = 0; piece < PIECES; piece++)
        if (piece_hash(results, answer->cases, answer->bytes, piece) != answer->hashes[piece])
            return false;
    return true;
}

/* The first difference among the cases that are kept. */
static void print_wrong(const Kernel *kernel, const Slot *slot, const Answer *answer,
                        const uint8_t *results) {
    uint32_t index = 0;
    while (index < answer->kept && result_bits(results, slot->bytes, index) ==
                                       result_bits(answer->first, slot->bytes, index))
        index++;
    printf("%s: differs", slot->name);
    if (index == answer->kept) {
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

/* A name is a spelling, and what comes behind a space or a comma. */
static bool same_spelling(const char *a, const char *b) {
    const size_t length = strcspn(a, " ,");
    return length == strcspn(b, " ,") && strncmp(a, b, length) == 0;
}

static void compare_slot(Comparison *comparison, Group *group, const Kernel *kernel,
                         const Slot *slot, const uint8_t *results) {
    const Answer *answer = answer_find(comparison->answers, slot, kernel->cases);
    if (!answer) {
        if (comparison->unmeasured++ < 20 && !comparison->quiet)
            printf("%s: not measured\n", slot->name);
        return;
    }
    group->results++;
    group->spellings += !comparison->spelling || !same_spelling(comparison->spelling, slot->name);
    comparison->spelling = slot->name;
    group->sets += kernel->cases;
    if (is_equal(answer, results))
        return;
    group->wrong++;
    if (comparison->wrong++ < 40)
        print_wrong(kernel, slot, answer, results);
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

static void print_group(const Group *group, bool markdown) {
    printf(markdown ? "| %s | %u | %u | %llu | %u |\n"
                    : "%-12s %5u spellings, %5u results, %9llu operand sets, %u different\n",
           group->name, group->spellings, group->results, (unsigned long long)group->sets,
           group->wrong);
}

static void print_table(const Comparison *comparison, bool markdown) {
    Group all = {.name = "all"};
    if (markdown)
        printf("| instruction | spellings | results | operand sets | different |\n"
               "| --- | ---: | ---: | ---: | ---: |\n");
    for (uint32_t i = 0; i < comparison->groups.count; i++) {
        const Group *group = &comparison->groups.at[i];
        print_group(group, markdown);
        all.spellings += group->spellings;
        all.results += group->results;
        all.sets += group->sets;
        all.wrong += group->wrong;
    }
    print_group(&all, markdown);
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
