/* What was found in a launch: equal findings are one row. */
#include "sanitize/state.h"

FoundDefect access_defect(DefectKind kind, const WatchedAccess *access, uint32_t lane) {
    const Agent *by = &access->by;
    return (FoundDefect){.kind = kind,
                         .by = {by->insn, by->block->shape.number, by->warp * WARP_LANES + lane},
                         .other = {.insn = NONE},
                         .space = access->space,
                         .address = access->address[lane],
                         .bytes = access->width,
                         .ways = access->ways};
}

FoundDefect *sanitize_report(Sanitizer *sanitizer, const FoundDefect *defect) {
    if (!wants(sanitizer, defect_check(defect->kind)) || sanitizer->stopped)
        return NULL;
    const uint32_t key[3] = {(uint32_t)defect->kind << 1 | defect->benign, defect->by.insn,
                             defect->other.insn};
    Str name = {(const char *)key, sizeof key};
    uint64_t row;
    if (!map_get(sanitizer->places, name, &row)) {
        row = sanitizer->found.count;
        name.at = arena_copy(sanitizer->launch_arena, name.at, name.length);
        map_put(sanitizer->places, name, row);
        *vec_add(sanitizer->launch_arena, &sanitizer->found) = *defect;
        sanitizer->found.at[row].count = 0;
    }
    FoundDefect *found = &sanitizer->found.at[row];
    found->count += defect->count ? defect->count : 1;
    sanitizer->stopped = sanitizer->options.stop && !defect->benign;
    return found;
}

bool sanitize_stopped(const Sanitizer *sanitizer) {
    return sanitizer->stopped;
}

FoundDefect *sanitize_defects(Sanitizer *sanitizer, uint32_t *count) {
    *count = sanitizer->found.count;
    return sanitizer->found.at;
}
