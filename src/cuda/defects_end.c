/* What --sanitize has noted of the program itself, and memory that it has not freed, told when the process ends. */
#include "base/rescue.h"
#include "cuda/allocation.h"
#include "cuda/defects.h"
#include "cuda/library.h"
#include "cuda/owner.h"
#include "cuda/state.h"
#include "wire/wire.h"

#include <search.h>
#include <string.h>

static CodePlace place_of(Arena *arena, const Callers *by, const Kernel *kernel) {
    const char *name = kernel ? name_demangled(arena, kernel->name, false) : NULL;
    if (name)
        name = arena_copy(arena, name, strcspn(name, "<("));
    return owner_place_of(arena, by, name);
}

static uint32_t location_of(Profile *profile, const CodePlace *place) {
    return place->file ? profile_location(profile, profile_file(profile, place->file), place->line,
                                          0, NULL, NONE)
                       : NONE;
}

static void tell(Core *core, Arena *arena, DefectKind kind, const DefectPair *pair,
                 const char *what, uint64_t count) {
    Profile *profile = recorder_profile(core->recorder);
    const CodePlace place = place_of(arena, &pair->by, pair->kernel);
    const CodePlace other = pair->other.code[0] ? place_of(arena, &pair->other, pair->other_kernel)
                                                : (CodePlace){NULL, NULL, 0};
    const Defect defect = {.kind = kind,
                           .kernel = NONE,
                           .launch = NONE,
                           .location = location_of(profile, &place),
                           .other_location = location_of(profile, &other),
                           .count = count,
                           .message = arena_printf(arena, "%s\n  by      %s%s%s", what,
                                                   place.text ? place.text : "an unknown place",
                                                   other.text ? "\n  other by " : "",
                                                   other.text ? other.text : "")};
    profile_defect(profile, recorder_scratch(core->recorder), &defect);
}

/* Allocations of one call that are left. */
typedef struct Leak {
    Callers by;
    MemoryKind kind;
    uint64_t bytes, count;
} Leak;

typedef struct Leaks {
    Arena *arena;
    VEC(Leak) list;
} Leaks;

static void add_left(const void *node, VISIT visit, void *context) {
    const AllocationRecord *record = *(AllocationRecord *const *)node;
    Leaks *leaks = context;
    if ((visit != postorder && visit != leaf) || !record->by.code[0])
        return;
    uint32_t i = 0;
    while (i < leaks->list.count &&
           (memcmp(&leaks->list.at[i].by, &record->by, sizeof record->by) != 0 ||
            leaks->list.at[i].kind != record->kind))
        i++;
    if (i == leaks->list.count)
        *vec_add(leaks->arena, &leaks->list) = (Leak){.by = record->by, .kind = record->kind};
    leaks->list.at[i].bytes += record->bytes;
    leaks->list.at[i].count++;
}

static void tell_leaks(Core *core, Arena *arena) {
    Leaks leaks = {.arena = arena};
    twalk_r(core->allocated, add_left, &leaks);
    for (uint32_t i = 0; i < leaks.list.count; i++) {
        const Leak *leak = &leaks.list.at[i];
        const char *what =
            arena_printf(arena, "%llu bytes of %s memory in %llu allocation%s are never freed",
                         (unsigned long long)leak->bytes, memory_kind_name(leak->kind),
                         (unsigned long long)leak->count, leak->count == 1 ? "" : "s");
        tell(core, arena, DEFECT_leak, &(DefectPair){.by = leak->by}, what, leak->count);
    }
}

void defects_end(Core *core) {
    if (!core->sanitizer || !recorder_active(core->recorder))
        return;
    Arena *arena = arena_new();
    turn_take(core);
    lock_take(&core->lock);
    if (sanitize_wants(&core->settings.checks, CHECK_leaks))
        tell_leaks(core, arena);
    for (const NotedDefect *noted = core->defects; noted; noted = noted->next)
        if (noted->count)
            tell(core, arena, noted->kind, &noted->pair, noted->what, noted->count);
    lock_give(&core->lock);
    if (recorder_profile(core->recorder)->defects.count)
        recorder_launch(core->recorder);
    turn_give(core);
    arena_free(arena);
}
