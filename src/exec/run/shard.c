/* A part of a launch, on a machine that runs this and no more (Launch.shard). The blocks, or clusters, are put in an order: those
 * that record evidence, which are the same whatever the parts, then the others as they lie in the grid. Each part is a piece of that
 * order; the first has all that record, since a footprint is no sum of the parts' footprints. Put together, the parts' counters are
 * those of the launch: no block knows which others run beside it. */
#include "exec/run/worker.h"

/* floor(units * part / parts), without a product that is too large. */
static uint64_t bound(uint64_t units, Shard shard) {
    return units / shard.parts * shard.part + units % shard.parts * shard.part / shard.parts;
}

/* Where the part ends in the order: of equal parts, but for what the first has to record. */
static uint64_t part_end(const Run *run, uint64_t units, uint32_t part) {
    Shard shard = {part, run->launch->shard.parts};
    uint64_t first = bound(units, (Shard){1, shard.parts});
    if (part == 0 || run->recorded <= first)
        return bound(units, shard);
    return run->recorded +
           (shard.parts > 1 ? bound(units - run->recorded, (Shard){part - 1, shard.parts - 1}) : 0);
}

void shard_choose(Run *run) {
    uint64_t units = run->count;
    uint32_t part = run->launch->shard.part;
    run->part_first = part_end(run, units, part - 1);
    run->count = part_end(run, units, part) - run->part_first;
}

uint64_t shard_unit(const Run *run, uint64_t k) {
    uint64_t place = run->part_first + k;
    if (place < run->recorded)
        return place * run->evidence_step;
    uint64_t other = place - run->recorded; /* every evidence_step-th unit is none of them */
    return run->evidence_step ? other + other / (run->evidence_step - 1) + 1 : other;
}

/* ---- what cannot be shared out ---- */

static const char *objection(const Launch *launch) {
    if (launch->cooperative)
        return "its blocks wait for each other: the launch is cooperative";
    if (launch->choice != BLOCKS_ALL || launch->sample || launch->counts_only)
        return "only some of its blocks are to run, or to be counted";
    if (launch->schedule)
        return "the order of blocks is drawn (--schedule)";
    if (launch->caches)
        return "blocks share caches (--caches)";
    if (launch->sanitizer || launch->observer)
        return "defects lie between blocks (--sanitize)";
    return launch->relayout_count ? "arrays have other layouts" : NULL;
}

/* The source's line, if it is known. */
static const char *place_text(Arena *arena, const BlockDependence *found) {
    const Module *module = found->function->module;
    uint32_t number = found->insn ? found->insn->location : found->function->location;
    if (number == NO_LOCATION)
        return "";
    const SourceLocation *place = &module->locations.at[number];
    const char *file = module_file(module, place->file);
    return arena_printf(arena, " (%s:%u)", file ? file : "?", place->line);
}

bool shard_check(const Launch *launch, const Function *kernel, Diags *diags) {
    BlockDependence found;
    if (!launch->shard.parts)
        return true;
    const char *why = objection(launch);
    if (why)
        diags_error(diags, "the launch of '%s' cannot be shared out: %s", kernel->name, why);
    if (why)
        return false;
    if (!blocks_depend(kernel, &found))
        return true;
    const Module *module = found.function->module;
    const Insn *insn = found.insn;
    Place place = {module->name, module->text, found.function->line, 1, 0};
    if (insn && !found.function->machine)
        place = (Place){module->name, module->text, insn->line, insn->column,
                        (uint32_t)insn->text.length};
    diags_add(
        diags, DIAG_ERROR, place,
        "the launch of '%s' cannot be shared out, as its blocks may depend on each other: %s%s",
        kernel->name, found.why, place_text(diags->arena, &found));
    return false;
}
