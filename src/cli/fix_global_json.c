/* The global memory's part of `warplens fix --format json`. */
#include "cli/fix_json.h"

json_t *fix_json_text(const char *text) {
    json_t *string = json_string(text);
    return string ? string : json_string("?");
}

json_t *fix_json_proof(const Proof *proof) {
    return proof ? json_pack("{s:b,s:b,s:I,s:I,s:I,s:I,s:I}", "holds", proof_holds(proof),
                             "faulted", proof->faulted, "bytes", (json_int_t)proof->bytes, "differ",
                             (json_int_t)proof->differ, "before", (json_int_t)proof->before,
                             "promised", (json_int_t)proof->promised, "after",
                             (json_int_t)proof->after)
                 : json_null();
}

static const ProfKernel *kernel_of(const GlobalPlan *plan) {
    return profile_kernel(plan->profile, plan->launch);
}

static const char *kind_of(const Change *change) {
    static const char *const kinds[] = {
        [CHANGE_FIELDS] = "fields", [CHANGE_VECTOR] = "vector",
        [CHANGE_ALIGN] = "align",   [CHANGE_TRANSPOSED] = "transposed",
        [CHANGE_TILE] = "tile",     [CHANGE_ROWS] = "rows",
        [CHANGE_WIDEN] = "widen"};
    return kinds[change->kind];
}

/* kernel/array/shape, and of a change its kind with its numbers: the same in every run. */
static const char *id_of(Arena *arena, const GlobalPlan *plan, const GlobalFix *fix,
                         const Change *change) {
    const char *shape =
        arena_printf(arena, "%s/%s/%s", kernel_of(plan)->name,
                     global_array(plan, &fix->shape)->name, shape_name(fix->shape.kind));
    if (!change)
        return shape;
    if (change->stores)
        return arena_printf(arena, "%s/%s", shape, storage_text(arena, &change->storage));
    return arena_printf(arena, "%s/%s:%u", shape, kind_of(change), change->vector);
}

static json_t *change_of(Arena *arena, const GlobalPlan *plan, const GlobalFix *fix,
                         const Change *change) {
    const char *sketch = sketch_change(arena, plan->profile, plan->launch, fix, change);
    return json_pack("{s:o,s:s,s:s,s:s,s:s?,s:I,s:I,s:b,s:s?}", "id",
                     fix_json_text(id_of(arena, plan, fix, change)), "kind", kind_of(change),
                     "words", change_words(arena, change), "advice",
                     change_advice(arena, plan->profile, plan->launch, fix, change), "storage",
                     change->stores ? storage_text(arena, &change->storage) : NULL, "requests",
                     (json_int_t)change->requests, "sectors", (json_int_t)change->sectors, "chosen",
                     global_is_chosen(plan, change), "sketch", sketch);
}

static json_t *shape_of(Arena *arena, const GlobalPlan *plan, const GlobalFix *fix) {
    const Shape *shape = &fix->shape;
    const bool elsewhere = plan->elsewhere && plan->elsewhere[fix - plan->fixes];
    json_t *changes = json_array();
    for (uint32_t i = 0; i < fix->count; i++)
        json_array_append_new(changes, change_of(arena, plan, fix, &fix->changes[i]));
    return json_pack("{s:o,s:o,s:s,s:s,s:I,s:I,s:I,s:o,s:s?}", "id",
                     fix_json_text(id_of(arena, plan, fix, NULL)), "array",
                     fix_json_text(global_array(plan, shape)->name), "shape",
                     shape_name(shape->kind), "words", words_shape(arena, plan->profile, shape),
                     "requests", (json_int_t)shape->requests, "sectors", (json_int_t)shape->sectors,
                     "ideal", (json_int_t)shape->ideal, "changes", changes, "why",
                     fix->count || elsewhere ? NULL : global_why_none(fix));
}

json_t *global_json(Arena *arena, const GlobalPlan *plan) {
    json_t *shapes = json_array();
    for (uint32_t i = 0; i < plan->count; i++)
        if (global_says_something(&plan->fixes[i]))
            json_array_append_new(shapes, shape_of(arena, plan, &plan->fixes[i]));
    return json_pack("{s:o,s:o,s:i,s:o,s:o,s:s?}", "kernel",
                     fix_json_text(kernel_of(plan)->demangled), "symbol",
                     fix_json_text(kernel_of(plan)->name), "launch", (int)plan->launch, "shapes",
                     shapes, "proof", fix_json_proof(plan->tried ? &plan->proof : NULL), "unpriced",
                     plan->unpriced && *plan->unpriced ? plan->unpriced : NULL);
}
