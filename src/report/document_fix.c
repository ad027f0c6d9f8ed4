/* The document's pictures of what a fix would do. For each shared array with conflicts a handful of
 * layouts that people use - an element of padding after each row, an XOR swizzle by the row, the
 * array transposed - are priced over the recorded accesses to it, and the best two are drawn.
 * (`warplens fix` searches much further, for much longer.) */
#include "report/document.h"

#include <stdlib.h>

enum {
    STEPS = 4,         /* lengths of a row that are tried */
    STEP_LEAST = 32,   /* bytes: lanes that are closer walk along a row */
    CHOICE_MOST = 1024 /* patterns that layouts are chosen by; what is said of them is of all */
};

typedef struct SharedArray {
    const Profile *profile;
    const SharedVariable *variable;
    uint64_t bytes;
    VEC(Use) uses;
    uint32_t every;  /* use that layouts are chosen by */
    uint32_t widest; /* bytes of a lane */
    uint32_t steps[STEPS], step_count;
} SharedArray;

/* ---- the accesses to an array ---- */

/* Distances of neighbouring lanes: where a column is read, the length of a row. */
static void add_steps(SharedArray *array, const AccessPattern *pattern) {
    for (uint32_t lane = 1; lane < WARP_LANES && array->step_count < STEPS; lane++) {
        uint64_t step = (uint64_t)llabs(pattern->delta[lane] - pattern->delta[lane - 1]);
        bool both = (pattern->mask >> (lane - 1) & 3) == 3,
             new =
                 both &&step >= STEP_LEAST &&step % array->widest == 0 && step * 2 <= array->bytes;
        for (uint32_t i = 0; i < array->step_count; i++)
            new = new && array->steps[i] != step;
        if (new)
            array->steps[array->step_count++] = (uint32_t)step;
    }
}

static bool find_uses(Arena *arena, SharedArray *array, uint32_t launch, uint32_t variable) {
    uint64_t most = 0;
    const AccessPattern *worst = NULL;
    uint32_t count;
    const AccessPattern *patterns = launch_patterns(array->profile, launch, &count);
    for (uint32_t i = 0; i < count; i++) {
        const AccessPattern *pattern = &patterns[i];
        const Site *site = &array->profile->sites.at[pattern->site];
        Picture picture;
        if (pattern->space != SITE_SHARED || pattern->variable != variable ||
            !picture_banks(array->profile, pattern, &picture))
            continue;
        *vec_add(arena, &array->uses) = (Use){pattern, site, pattern->count};
        array->widest = site->width > array->widest ? site->width : array->widest;
        uint64_t excess =
            picture.cost > picture.ideal ? (picture.cost - picture.ideal) * pattern->count : 0;
        if (excess > most) {
            most = excess;
            worst = pattern;
        }
    }
    if (worst)
        add_steps(array, worst);
    array->every = array->uses.count / CHOICE_MOST + 1;
    return worst;
}

/* ---- prices ---- */

/* Of one execution in `every`; no more than `most`. false: more, or an access does not survive it. */
static bool price(const SharedArray *array, const Layout *layout, uint32_t every, uint64_t most,
                  SharedTotal *total) {
    *total = (SharedTotal){0};
    for (uint32_t i = 0; i < array->uses.count; i += every) {
        const Use *use = &array->uses.at[i];
        SharedCost cost;
        if (!fix_price(use, array->variable->offset, layout, &cost))
            return false;
        total->wavefronts += cost.wavefronts * use->count;
        total->ideal += cost.ideal * use->count;
        if (total->wavefronts > most)
            return false;
    }
    return true;
}

static void try_layout(const SharedArray *array, const Layout *layout, Layout *best,
                       uint64_t *least) {
    SharedTotal total;
    if (!price(array, layout, array->every, *least, &total) || total.wavefronts >= *least)
        return;
    *best = *layout;
    *least = total.wavefronts;
}

/* ---- the layouts that are tried, kind by kind ---- */

static void try_paddings(const SharedArray *array, Layout *best, uint64_t *least) {
    uint32_t element = array->variable->element_bytes ? array->variable->element_bytes : BANK_BYTES;
    for (uint32_t i = 0; i <= array->step_count; i++) {
        uint32_t pitch = i < array->step_count ? array->steps[i] : LINE_BYTES;
        Layout layout = {.kind = LAYOUT_PADDED, .pitch = pitch, .pad = element};
        if (pitch % element == 0)
            try_layout(array, &layout, best, least);
        layout.pad = array->widest;
        if (array->widest > element)
            try_layout(array, &layout, best, least);
    }
}

/* The row's number into the places of the widest access in 128 bytes. */
static void try_swizzles(const SharedArray *array, Layout *best, uint64_t *least) {
    uint32_t width = array->widest > BANK_BYTES ? array->widest : BANK_BYTES;
    uint32_t base = (uint32_t)__builtin_ctz(width), line = (uint32_t)__builtin_ctz(LINE_BYTES);
    for (uint32_t i = 0; i <= array->step_count; i++) {
        uint32_t pitch = i < array->step_count ? array->steps[i] : LINE_BYTES;
        uint32_t row = (uint32_t)__builtin_ctz(pitch), bits = line - base;
        Layout layout = {.kind = LAYOUT_SWIZZLED, .bits = bits, .base = base, .shift = row - base};
        if ((pitch & (pitch - 1)) == 0 && row >= base + bits && array->bytes % LINE_BYTES == 0)
            try_layout(array, &layout, best, least);
    }
}

static void try_transposed(const SharedArray *array, Layout *best, uint64_t *least) {
    uint32_t element = array->variable->element_bytes;
    for (uint32_t i = 0; element && i < array->step_count; i++) {
        uint32_t pitch = array->steps[i];
        Layout layout = {.kind = LAYOUT_TRANSPOSED,
                         .pitch = pitch,
                         .rows = (uint32_t)(array->bytes / pitch),
                         .element = element};
        if (array->bytes % pitch == 0 && pitch % element == 0)
            try_layout(array, &layout, best, least);
    }
}

static void add_best(ArrayLayouts *found, const Layout *layout, uint64_t wavefronts) {
    uint32_t at = found->count < LAYOUTS_SHOWN ? found->count++ : LAYOUTS_SHOWN;
    for (; at > 0 && found->best[at - 1].wavefronts > wavefronts; at--)
        if (at < LAYOUTS_SHOWN)
            found->best[at] = found->best[at - 1];
    if (at < LAYOUTS_SHOWN)
        found->best[at] = (BetterLayout){*layout, wavefronts};
}

static void find_layouts(const SharedArray *array, ArrayLayouts *found) {
    void (*const kinds[])(const SharedArray *, Layout *, uint64_t *) = {try_swizzles, try_paddings,
                                                                        try_transposed};
    const Layout plain = {.kind = LAYOUT_PLAIN};
    SharedTotal now, part, then;
    if (!price(array, &plain, 1, UINT64_MAX, &now) ||
        !price(array, &plain, array->every, UINT64_MAX, &part))
        return;
    found->wavefronts = now.wavefronts;
    found->ideal = now.ideal;
    for (uint32_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        Layout best = plain;
        uint64_t least = part.wavefronts;
        kinds[k](array, &best, &least);
        if (best.kind != LAYOUT_PLAIN && price(array, &best, 1, now.wavefronts, &then) &&
            then.wavefronts < now.wavefronts)
            add_best(found, &best, then.wavefronts);
    }
}

void document_find_fixes(Document *document, const LaunchView *view) {
    const Profile *profile = document->report->profile;
    uint32_t variables = view->kernel->shared.count;
    document->layouts = NULL;
    if (!counters_excess_wavefronts(&view->shared))
        return;
    document->layouts = NEW_ARRAY(document->arena, ArrayLayouts, variables + 1);
    for (uint32_t v = 0; v < variables; v++) {
        const SharedVariable *variable = &view->kernel->shared.at[v];
        SharedArray array = {.profile = profile,
                             .variable = variable,
                             .bytes = variable->dynamic ? view->record->dynamic_shared
                                                        : variable->bytes};
        if (find_uses(document->arena, &array, view->number, v))
            find_layouts(&array, &document->layouts[v]);
    }
}

/* ---- an access with them ---- */

static json_t *fix_of(Document *document, const LaunchView *view, const Picture *banks,
                      const BetterLayout *better) {
    static const char *const names[] = {[LAYOUT_PLAIN] = "plain",
                                        [LAYOUT_PADDED] = "padded",
                                        [LAYOUT_SWIZZLED] = "swizzled",
                                        [LAYOUT_XORED] = "xored",
                                        [LAYOUT_TRANSPOSED] = "transposed"};
    Arena *arena = document->arena;
    const AccessPattern *pattern = banks->pattern;
    const SharedVariable *variable = &view->kernel->shared.at[pattern->variable];
    const ArrayLayouts *found = &document->layouts[pattern->variable];
    uint32_t pieces;
    uint64_t bytes = variable->dynamic ? view->record->dynamic_shared : variable->bytes;
    ArrayElement element =
        array_element(arena, document->report->profile, view->kernel, pattern->variable, bytes);
    Picture after;
    if (!picture_with(document->report->profile, pattern, &better->layout, &after, &pieces))
        return NULL;
    return json_pack("{s:s,s:s,s:o,s:I,s:I,s:I,s:I,s:i,s:i}", "layout", names[better->layout.kind],
                     "words", fix_words(arena, &better->layout, &element), "array",
                     document_text(arena, name_last(variable->name)), "before",
                     (json_int_t)found->wavefronts, "after", (json_int_t)better->wavefronts,
                     "ideal", (json_int_t)found->ideal, "bytes",
                     (json_int_t)layout_bytes(&better->layout, bytes), "pieces", (int)pieces,
                     "banks", (int)document_picture(document, &after, true));
}

json_t *document_fixes(Document *document, const LaunchView *view, const Picture *banks) {
    json_t *fixes = json_array();
    uint32_t variable = banks->pattern->variable;
    if (!document->layouts || variable == NONE || banks->cost <= banks->ideal)
        return fixes;
    const ArrayLayouts *found = &document->layouts[variable];
    for (uint32_t i = 0; i < found->count; i++) {
        json_t *fix = fix_of(document, view, banks, &found->best[i]);
        if (fix)
            json_array_append_new(fixes, fix);
    }
    return fixes;
}
