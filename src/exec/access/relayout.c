/* Runs a kernel with other layouts of its shared arrays, its code untouched: every access goes to where
 * the layout puts the bytes that the program asks for. That proves a fix before anybody edits the source:
 * the results must be the same, and the wavefronts are those of the changed declaration. */
#include "exec/run/warp.h"

#include <string.h>

struct RelaidArrays {
    uint64_t first, end; /* where the program thinks the variable is; the last entry: end = 0 */
    uint64_t at;         /* where it begins */
    Layout layout;
};

static bool has_layouts(const Launch *launch) {
    for (uint32_t i = 0; i < launch->relayout_count; i++)
        if (!launch->relayouts[i].storage)
            return true;
    return false;
}

static const Layout *layout_of(const Launch *launch, const Variable *variable) {
    static const Layout plain = {.kind = LAYOUT_PLAIN};
    for (uint32_t i = 0; i < launch->relayout_count; i++)
        if (!launch->relayouts[i].storage &&
            strcmp(launch->relayouts[i].symbol, variable->name) == 0)
            return &launch->relayouts[i].layout;
    return &plain;
}

static void check_names(const Program *program, const Launch *launch, Diags *diags) {
    for (uint32_t i = 0; i < launch->relayout_count; i++) {
        bool found = launch->relayouts[i].storage != NULL;
        for (uint32_t v = 0; v < program->function->shared.count; v++)
            found |=
                strcmp(program->function->shared.at[v]->name, launch->relayouts[i].symbol) == 0;
        if (!found)
            diags_error(diags, "the kernel has no shared variable '%s'",
                        launch->relayouts[i].symbol);
    }
}

const RelaidArrays *relaid_make(Arena *arena, const Program *program, const Launch *launch,
                                uint32_t *end, Diags *diags) {
    const Function *function = program->function;
    *end = program->shared.dynamic_at + launch->dynamic_shared;
    if (!has_layouts(launch))
        return NULL;
    check_names(program, launch, diags);
    RelaidArrays *relaid = NEW_ARRAY(arena, RelaidArrays, function->shared.count + 1);
    uint64_t cursor = program->shared.base;
    for (uint32_t i = 0; i < function->shared.count; i++) {
        const Variable *variable = function->shared.at[i];
        uint64_t bytes = variable->bytes ? variable->bytes : launch->dynamic_shared;
        RelaidArrays *one = &relaid[i];
        one->layout = *layout_of(launch, variable);
        one->first = shared_address(&program->shared, variable);
        one->end = one->first + bytes;
        one->at = layout_place(cursor, variable->align, variable->bytes == 0);
        cursor = one->at + layout_bytes(&one->layout, bytes);
    }
    uint64_t limit = program->gpu->shared_per_block_optin + program->shared.base;
    if (cursor > limit)
        diags_error(diags, "the layouts need %llu bytes of shared memory; a block has at most %llu",
                    (unsigned long long)(cursor - program->shared.base),
                    (unsigned long long)(limit - program->shared.base));
    *end = cursor > *end ? (uint32_t)cursor : *end;
    return relaid;
}

static const RelaidArrays *find(const RelaidArrays *relaid, uint64_t address) {
    for (; relaid->end; relaid++)
        if (address >= relaid->first && address < relaid->end)
            return relaid;
    return NULL;
}

static uint64_t moved(const void *context, uint64_t address) {
    const RelaidArrays *in = find(context, address);
    return in ? in->at + layout_offset(&in->layout, address - in->first) : address;
}

bool relaid_range(const RelaidArrays *relaid, uint64_t *offset, uint64_t bytes) {
    const RelaidArrays *in = find(relaid, *offset);
    if (!in || !bytes)
        return true;
    *offset = moved(relaid, *offset);
    return in->layout.kind == LAYOUT_PLAIN || bytes <= layout_chunk(&in->layout);
}

Step relaid_touch(const RelaidArrays *relaid, Touch *touch, Warp *warp, const Code *code,
                  uint32_t mask, uint32_t width, bool writes) {
    memcpy(touch->asked, touch->address, sizeof touch->asked);
    touch->relaid = relaid;
    return touch_move(touch, warp, code, SPACE_SHARED, mask, width, writes, moved, relaid);
}

void relaid_count(const RelaidArrays *relaid, Warp *warp, const Code *code, const Access *asked,
                  MergedAccess merged, int32_t skip, const uint64_t address[WARP_LANES]) {
    MergedPiece pieces[LAYOUT_PIECES];
    uint64_t places[WARP_LANES] = {0};
    const RelaidArrays *in = find(relaid, address[__builtin_ctz(asked->mask)]);
    static const Layout plain = {.kind = LAYOUT_PLAIN};
    uint32_t count =
        layout_split(in ? &in->layout : &plain, &merged, asked->kind == ACCESS_LOAD, pieces);
    for (uint32_t i = 0; i < count; i++) {
        Access piece = *asked;
        int64_t first = skip + (int64_t)pieces[i].first;
        for_lanes(lane, asked->mask) places[lane] = moved(relaid, address[lane] + (uint64_t)first);
        piece.width = pieces[i].bytes;
        piece.address = places;
        Pattern pattern = pattern_of(places, asked->mask);
        access_count(warp, code, &piece, &pattern);
    }
}
