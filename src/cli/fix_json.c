/* warplens fix --format=json: the plans as data, docs/fix.schema.json. */
#include "cli/fix_json.h"
#include "cli/fix_machine.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static json_t *text_of(const char *text) {
    return fix_json_text(text);
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
    const char *layout = layout_text(arena, &one->layout);
    return json_pack("{s:o,s:o,s:s,s:s,s:I,s:I,s:i,s:b}", "id",
                     text_of(fix_layout_id(arena, plan, number, one)), "cost",
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
                     cost_of(plan->costs ? &plan->as_it_is : NULL), "proof", fix_json_proof(proof),
                     "patch", patch ? text_of(patch) : json_null());
}

/* null: they are not wanted. */
static json_t *machine_of(const MachineCounts *counts) {
    if (!counts || !counts->wanted)
        return json_null();
    const bool there = !counts->why;
    return json_pack("{s:s?,s:o,s:o,s:I,s:I}", "why", counts->why, "before",
                     cost_of(there ? &counts->was : NULL), "after",
                     cost_of(there ? &counts->is : NULL), "bytes", (json_int_t)counts->bytes,
                     "differ", (json_int_t)counts->differ);
}

static json_t *row_of(const FixSummaryRow *row) {
    json_t *seconds =
        row->time.before > 0 ? json_pack("[f,f]", row->time.before, row->time.after) : json_null();
    return json_pack("{s:o,s:s,s:o,s:o,s:s,s:I,s:I,s:s?,s:o,s:s}", "id", text_of(row->id), "kind",
                     row->kind, "array", text_of(row->array), "change", text_of(row->change),
                     "unit", row->unit, "before", (json_int_t)row->before, "then",
                     (json_int_t)row->then, "instructions", row->instructions, "seconds", seconds,
                     "proven", row->proven);
}

static json_t *kernels_of(Arena *arena, const FixData *data) {
    const FixPlans *plans = data->plans;
    json_t *kernels = json_array();
    for (uint32_t i = 0; i < plans->list.count; i++) {
        const FixPlan *plan = &plans->list.at[i];
        const bool run = plan->relayout_count && i < plans->proofs.count;
        json_array_append_new(kernels, plan_of(arena, plan, run ? &plans->proofs.at[i] : NULL,
                                               plans->list.count == 1 ? data->patch : NULL));
    }
    return kernels;
}

void fix_json_begin(Options *given) {
    int copy = dup(STDOUT_FILENO);
    given->json_out = copy < 0 ? NULL : fdopen(copy, "w");
    if (!given->json_out || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        diags_error(given->diags, "--format=json: %s", strerror(errno));
}

void fix_json(const Options *given, const FixData *data) {
    FILE *out = given->json_out ? given->json_out : stdout;
    json_t *global = json_array(), *summary = json_array();
    for (uint32_t i = 0; i < data->plans->global.count; i++)
        json_array_append_new(global, global_json(given->arena, data->plans->global.at[i]));
    for (uint32_t i = 0; i < data->summary->rows.count; i++)
        json_array_append_new(summary, row_of(&data->summary->rows.at[i]));
    json_t *document = json_pack(
        "{s:s,s:i,s:o,s:o,s:o,s:o,s:o,s:o}", "format", "warplens fix", "version", 2, "kernels",
        kernels_of(given->arena, data), "global", global, "summary", summary, "machine",
        machine_of(data->machine), "patch", data->patch ? text_of(data->patch) : json_null(),
        "applied", data->applied ? json_boolean(strcmp(data->applied, "yes") == 0) : json_null());
    json_dumpf(document, out, JSON_INDENT(1));
    putc('\n', out);
    fflush(out);
    json_decref(document);
}
