/* warplens fix --format=json: the plans as data, docs/fix.schema.json. */
#include "cli/fix.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* Names come from PTX, whose bytes need not be UTF-8. */
static json_t *text_of(const char *text) {
    json_t *string = json_string(text);
    return string ? string : json_string("?");
}

/* Of a layout that was tried in the source; null: it was not. */
static json_t *cost_of(const FixCost *cost) {
    static const char *const offers[] = {[OFFER_FINE] = "offered",
                                         [OFFER_SLOWER] = "slower",
                                         [OFFER_DIFFERS] = "differs",
                                         [OFFER_UNWRITTEN] = "unwritten"};
    if (!cost || cost->offer == OFFER_UNKNOWN)
        return json_null();
    json_t *object = json_pack("{s:s}", "offer", offers[cost->offer]);
    if (cost->offer == OFFER_UNWRITTEN)
        return object;
    json_t *figures = json_pack(
        "{s:I,s:I,s:I,s:I,s:I,s:i,s:i}", "thread_insts", (json_int_t)cost->thread_insts,
        "warp_insts", (json_int_t)cost->warp_insts, "wavefronts", (json_int_t)cost->wavefronts,
        "sectors", (json_int_t)cost->sectors, "shared", (json_int_t)cost->shared, "registers",
        (int)cost->registers, "blocks_per_sm", (int)cost->blocks_per_sm);
    json_object_update(object, figures);
    json_decref(figures);
    return object;
}

static json_t *layout_of(Arena *arena, const FixPlan *plan, uint32_t number, uint32_t candidate) {
    const ArrayFix *array = &plan->arrays[number];
    const Candidate *one = &array->best[candidate];
    const bool chosen = one == plan->chosen[number];
    const ProfKernel *kernel = fix_kernel(plan);
    const char *layout = layout_text(arena, &one->layout);
    const char *id = arena_printf(arena, "%s/%s/%s", kernel->name,
                                  kernel->shared.at[array->variable].symbol, layout);
    return json_pack("{s:o,s:o,s:s,s:s,s:I,s:I,s:i,s:b}", "id", text_of(id), "cost",
                     cost_of(plan->costs ? &plan->costs[number][candidate] : NULL), "words",
                     fix_words(arena, &one->layout, &array->declared), "layout", layout,
                     "wavefronts", (json_int_t)one->wavefronts, "bytes", (json_int_t)one->bytes,
                     "blocks_per_sm", (int)one->blocks_per_sm, "chosen", chosen);
}

static json_t *layouts_of(Arena *arena, const FixPlan *plan, uint32_t number) {
    const ArrayFix *array = &plan->arrays[number];
    json_t *list = json_array();
    for (uint32_t i = 0; i < array->count; i++)
        json_array_append_new(list, layout_of(arena, plan, number, i));
    return list;
}

static json_t *remedies_of(Arena *arena, const ArrayFix *array) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < array->remedy_count; i++) {
        const Remedy *remedy = &array->remedies[i];
        const char *words = fix_words(arena, &remedy->layout, &array->declared);
        json_array_append_new(list, remedy->possible
                                        ? json_pack("{s:s,s:I}", "words", words, "wavefronts",
                                                    (json_int_t)remedy->wavefronts)
                                        : json_pack("{s:s,s:n}", "words", words, "wavefronts"));
    }
    return list;
}

static json_t *array_of(Arena *arena, const FixPlan *plan, uint32_t number) {
    static const char *const verdicts[] = {[FIX_FOUND] = "found",
                                           [FIX_IDEAL] = "ideal",
                                           [FIX_WORDS] = "words",
                                           [FIX_DATA] = "data",
                                           [FIX_NONE] = "none"};
    const ArrayFix *array = &plan->arrays[number];
    const SharedVariable *variable = &fix_kernel(plan)->shared.at[array->variable];
    const char *sketch = sketch_tree(arena, array, name_last(variable->name));
    return json_pack("{s:o,s:o,s:I,s:i,s:s?,s:i,s:I,s:I,s:I,s:I,s:s,s:o,s:o,s:o}", "name",
                     text_of(name_last(variable->name)), "symbol", text_of(variable->symbol),
                     "bytes", (json_int_t)array->bytes, "element", (int)array->declared.bytes,
                     "type", array->declared.type, "blocks_per_sm", (int)array->blocks_per_sm,
                     "wavefronts", (json_int_t)array->wavefronts, "ideal", (json_int_t)array->ideal,
                     "requests", (json_int_t)array->requests, "patterns",
                     (json_int_t)array->patterns, "verdict", verdicts[array->verdict], "layouts",
                     layouts_of(arena, plan, number), "remedies", remedies_of(arena, array),
                     "sketch", sketch ? text_of(sketch) : json_null());
}

/* null: the kernel was not run again. */
static json_t *proof_of(const Proof *proof) {
    return proof ? json_pack("{s:b,s:b,s:I,s:I,s:I,s:I,s:I}", "holds", proof_holds(proof),
                             "faulted", proof->faulted, "bytes", (json_int_t)proof->bytes, "differ",
                             (json_int_t)proof->differ, "before", (json_int_t)proof->before,
                             "promised", (json_int_t)proof->promised, "after",
                             (json_int_t)proof->after)
                 : json_null();
}

static json_t *plan_of(Arena *arena, const FixPlan *plan, const Proof *proof, const char *patch) {
    const FixScope *scope = &plan->scope;
    const ProfKernel *kernel = fix_kernel(plan);
    json_t *launches = json_array(), *arrays = json_array();
    uint64_t blocks = 0, recorded = 0;
    for (uint32_t i = 0; i < scope->count; i++) {
        const LaunchRecord *launch = &scope->profile->launches.at[scope->launches[i]];
        json_array_append_new(launches, json_integer(scope->launches[i]));
        blocks += launch->blocks;
        recorded += launch->evidence_blocks;
    }
    for (uint32_t i = 0; i < plan->array_count; i++)
        json_array_append_new(arrays, array_of(arena, plan, i));
    return json_pack("{s:o,s:o,s:o,s:I,s:I,s:I,s:I,s:o,s:o,s:o,s:o}", "kernel",
                     text_of(kernel->demangled), "symbol", text_of(kernel->name), "launches",
                     launches, "blocks", (json_int_t)blocks, "recorded_blocks",
                     (json_int_t)recorded, "wavefronts", (json_int_t)plan->now, "promised",
                     (json_int_t)plan->promised, "arrays", arrays, "cost",
                     cost_of(plan->costs ? &plan->as_it_is : NULL), "proof", proof_of(proof),
                     "patch", patch ? text_of(patch) : json_null());
}

void fix_json(Arena *arena, const FixPlans *plans, const Proof *proof, const char *patch) {
    json_t *kernels = json_array();
    for (uint32_t i = 0; i < plans->list.count; i++)
        json_array_append_new(kernels, plan_of(arena, &plans->list.at[i], proof, patch));
    json_t *document =
        json_pack("{s:s,s:i,s:o}", "format", "warplens fix", "version", 1, "kernels", kernels);
    json_dumpf(document, stdout, JSON_INDENT(1));
    putchar('\n');
    json_decref(document);
}
