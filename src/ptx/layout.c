/* Where variables lie: parameters, .local frames, and each kernel's static shared memory.
 *
 * Shared memory: static variables in PTX order, each at its alignment, then the dynamic array
 * (.extern, without a size), as measured with ptxas 13 (docs/memory-model.md, "LayoutPass of shared
 * variables"). A kernel has its own variables, the module's that it names, and those of the
 * functions that it calls. The module's variables lie elsewhere in each kernel: an entry has copies
 * of those that it names (see insn.c); the original, which functions name, lies as in the last
 * kernel. *
 * What no kernel can have is an error here. ptxas 13 has the same limits for every target, but for
 * local memory, whose limit is the GPUs' (CUDA C++ Programming Guide, "Technical Specifications"). */
#include "ptx/parser.h"

#include <stdlib.h>
#include <string.h>

typedef struct SpaceLimit {
    uint32_t most;
    const char *of, *whose;
} SpaceLimit;

static const SpaceLimit PARAMETERS = {32764, "parameters", "a kernel"};
static const SpaceLimit LOCAL = {LOCAL_BYTES_MOST, "local memory", "a thread"};
static const SpaceLimit SHARED = {48 << 10, "static shared memory", "a kernel"};
static const SpaceLimit CONSTANT = {64 << 10, "constant memory", "a module"};

static uint64_t place(uint64_t *end, Variable *variable) {
    if (variable->space == SPACE_REG)
        return *end;
    uint64_t align = variable->align ? variable->align : 1;
    variable->offset = (*end + align - 1) & ~(align - 1);
    *end = variable->offset + variable->bytes;
    return *end;
}

/* An error at the variable that goes beyond the limit. */
static void place_within(Parser *parser, uint64_t *end, Variable *variable,
                         const SpaceLimit *limit) {
    uint64_t before = *end;
    Token at = {.line = variable->line};
    if (place(end, variable) > limit->most && before <= limit->most)
        parser_error(parser, &at, "'%s' makes %llu bytes of %s; %s has at most %u", variable->name,
                     (unsigned long long)*end, limit->of, limit->whose, limit->most);
}

/* Parameters, then results, then the .param variables of the body, which hold arguments
 * of calls, each call's for itself. */
static void place_own(Parser *parser, Function *function) {
    const SpaceLimit *limit = function->is_entry ? &PARAMETERS : &LOCAL;
    uint64_t param = 0, local = 0;
    for (uint32_t i = 0; i < function->params.count; i++)
        place_within(parser, &param, function->params.at[i], limit);
    function->param_bytes = (uint32_t)param;
    for (uint32_t i = 0; i < function->results.count; i++)
        place_within(parser, &param, function->results.at[i], limit);
    for (uint32_t i = 0; i < function->locals.count; i++) {
        Variable *variable = function->locals.at[i];
        uint64_t alone = 0;
        if (variable->space == SPACE_LOCAL)
            place_within(parser, &local, variable, &LOCAL);
        if (variable->space == SPACE_PARAM) {
            place_within(parser, &alone, variable, &LOCAL);
            place(&param, variable);
        }
    }
    function->local_bytes = (uint32_t)local;
}

typedef struct LayoutPass {
    Parser *parser;
    Function *entry;
    Map *seen; /* names of variables: a copy of an entry and the module's own are one */
} LayoutPass;

/* A variable of a function that the entry calls, or one of the module's that such a function names:
 * it lies elsewhere in each kernel, so the entry gets a copy. */
static void add_shared(LayoutPass *layout, const Variable *variable) {
    Arena *arena = layout->parser->arena;
    Str name = str_of(variable->name);
    if (variable->owner) /* names of different functions may be the same */
        name = str_of(
            arena_printf(layout->parser->scratch, "%s/%s", variable->owner->name, variable->name));
    if (map_get(layout->seen, name, NULL))
        return;
    map_put(layout->seen, name, 1);
    Variable *copy = NEW(arena, Variable);
    *copy = *variable;
    *vec_add(arena, &layout->entry->shared) = copy;
}

/* What an instruction of a called function names; an entry's own uses were noted by the parser. */
static void add_operand(LayoutPass *layout, const Operand *operand) {
    const Variable *variable = operand->variable;
    if (variable && variable->space == SPACE_SHARED && !variable->owner)
        add_shared(layout, variable);
}

/* Number i of those that were found. */
typedef struct Found {
    Variable *variable;
    uint32_t at;
} Found;

static int in_order(const void *left, const void *right) {
    const Found *one = left, *other = right;
    const Variable *a = one->variable, *b = other->variable;
    bool dynamic_a = a->is_extern && a->bytes == 0, dynamic_b = b->is_extern && b->bytes == 0;
    if (dynamic_a != dynamic_b)
        return dynamic_a ? 1 : -1;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return one->at < other->at ? -1 : one->at > other->at;
}

static void sort_shared(Arena *scratch, Function *entry) {
    uint32_t count = entry->shared.count;
    Found *found = NEW_ARRAY(scratch, Found, count);
    for (uint32_t i = 0; i < count; i++)
        found[i] = (Found){entry->shared.at[i], i};
    if (count)
        qsort(found, count, sizeof *found, in_order);
    for (uint32_t i = 0; i < count; i++)
        entry->shared.at[i] = found[i].variable;
}

static void collect_shared(LayoutPass *layout) {
    Functions functions = {0};
    Function *entry = layout->entry;
    for (uint32_t i = 0; i < entry->shared.count; i++)
        map_put(layout->seen, str_of(entry->shared.at[i]->name), 1);
    for (uint32_t i = 0; i < entry->locals.count; i++)
        if (entry->locals.at[i]->space == SPACE_SHARED)
            *vec_add(layout->parser->arena, &entry->shared) = entry->locals.at[i];
    functions_reached(layout->parser->scratch, entry, &functions);
    for (uint32_t f = 1; f < functions.count; f++) {
        const Function *function = functions.at[f];
        for (uint32_t i = 0; i < function->locals.count; i++)
            if (function->locals.at[i]->space == SPACE_SHARED)
                add_shared(layout, function->locals.at[i]);
        for (uint32_t i = 0; i < function->insns.count; i++)
            for (uint32_t o = 0; o < function->insns.at[i].operand_count; o++)
                add_operand(layout, &function->insns.at[i].operands[o]);
    }
}

static void place_shared(Parser *parser, Function *entry) {
    LayoutPass layout = {parser, entry, map_new(parser->scratch)};
    collect_shared(&layout);
    sort_shared(parser->scratch, entry);
    uint64_t end = 0;
    for (uint32_t i = 0; i < entry->shared.count; i++) {
        Variable *variable = entry->shared.at[i];
        if (variable->bytes) {
            place_within(parser, &end, variable, &SHARED);
            entry->shared_bytes = (uint32_t)end;
        } else {
            place(&end, variable);
        }
        const Symbol *original =
            variable->owner ? NULL : symbol_find(parser, str_of(variable->name));
        if (original)
            original->variable->offset = variable->offset;
    }
}

void layout_module(Parser *parser) {
    Module *module = parser->module;
    for (uint32_t i = 0; i < module->functions.count; i++) {
        place_own(parser, module->functions.at[i]);
        if (module->functions.at[i]->is_entry)
            place_shared(parser, module->functions.at[i]);
    }
    uint64_t constant = 0;
    for (uint32_t i = 0; i < module->variables.count; i++) {
        Variable copy = *module->variables.at[i]; /* where it lies, the executor decides */
        if (copy.space == SPACE_CONST)
            place_within(parser, &constant, &copy, &CONSTANT);
    }
}
