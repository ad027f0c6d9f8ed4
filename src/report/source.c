/* What the source page knows of a line: its instructions, what was inlined into it, and whether the
 * machine code has other memory instructions. */
#include "report/source.h"

#include <string.h>

enum { INLINE_LIMIT = 24 }; /* levels of inlining that are shown */

const Counters *source_counters(const SourcePage *page, uint32_t site) {
    return &page->view->record->counters[site - page->view->kernel->first_site];
}

/* ---- lines ---- */

static LineView *find(LineView *lines, uint32_t count, uint32_t file, uint32_t line) {
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const LineCounts *at = lines[middle].counts;
        if (at->file < file || (at->file == file && at->line < line))
            low = middle + 1;
        else
            high = middle;
    }
    return &lines[low]; /* every place of an executed site has a line */
}

static void add_site(const SourcePage *page, LineView *line, uint32_t site, bool direct) {
    const Counters *counters = source_counters(page, site);
    line->direct |= direct;
    if (line->sites.count && line->sites.at[line->sites.count - 1] == site)
        return; /* the chain has passed this line before */
    *vec_add(page->report->arena, &line->sites) = site;
    line->sector_requests += counters->sectors ? counters->requests : 0;
}

static void add_chain(const SourcePage *page, LineView *lines, uint32_t count, uint32_t site) {
    const Profile *profile = page->report->profile;
    const Site *of = &profile->sites.at[site];
    const SitePlace counted = site_place(profile, of);
    if (of->location == NONE)
        add_site(page, find(lines, count, NONE, of->ptx_line), site, true);
    for (uint32_t at = of->location; at != NONE; at = profile->locations.at[at].inlined_at) {
        const Location *place = &profile->locations.at[at];
        add_site(page, find(lines, count, place->file, place->line), site,
                 at == of->location || at == counted.location);
    }
}

LineView *source_lines(const SourcePage *page, uint32_t *count) {
    Arena *arena = page->report->arena;
    uint32_t all;
    const LineCounts *counts =
        profile_lines(arena, page->report->profile, page->view->number, &all);
    LineView *lines = NEW_ARRAY(arena, LineView, all ? all : 1);
    *count = 0;
    for (uint32_t i = 0; i < all; i++)
        if (counts[i].total.requests)
            lines[(*count)++].counts = &counts[i];
    for (uint32_t i = 0; i < page->view->kernel->site_count; i++) {
        uint32_t site = page->view->kernel->first_site + i;
        if (source_counters(page, site)->requests)
            add_chain(page, lines, *count, site);
    }
    return lines;
}

/* ---- what was inlined ---- */

typedef struct InlinedCall {
    uint32_t parent; /* Inlined, or NONE */
    const Location *place;
    Counters sum;
    uint64_t sector_requests;
} InlinedCall;

typedef struct InlineTree {
    const SourcePage *page;
    VEC(InlinedCall) nodes;
} InlineTree;

static uint32_t node_of(InlineTree *tree, uint32_t parent, const Location *place) {
    for (uint32_t i = 0; i < tree->nodes.count; i++) {
        const InlinedCall *node = &tree->nodes.at[i];
        if (node->parent == parent && node->place->file == place->file &&
            node->place->line == place->line)
            return i;
    }
    *vec_add(tree->page->report->arena, &tree->nodes) =
        (InlinedCall){.parent = parent, .place = place};
    return tree->nodes.count - 1;
}

/* The places from the instruction out to the line, the line itself excluded. */
static uint32_t chain_to(const SourcePage *page, const Site *site, const LineCounts *line,
                         const Location **chain) {
    const Profile *profile = page->report->profile;
    uint32_t length = 0, inside = 0;
    for (uint32_t at = site->location; at != NONE && length < INLINE_LIMIT;
         at = profile->locations.at[at].inlined_at) {
        const Location *place = &profile->locations.at[at];
        if (place->file == line->file && place->line == line->line)
            inside = length;
        chain[length++] = place;
    }
    return inside;
}

static void add_inlined(InlineTree *tree, const LineCounts *line, uint32_t site) {
    const Location *chain[INLINE_LIMIT];
    const Counters *counters = source_counters(tree->page, site);
    uint32_t parent = NONE;
    for (uint32_t i =
             chain_to(tree->page, &tree->page->report->profile->sites.at[site], line, chain);
         i-- > 0;) {
        parent = node_of(tree, parent, chain[i]);
        counters_add(&tree->nodes.at[parent].sum, counters);
        tree->nodes.at[parent].sector_requests += counters->sectors ? counters->requests : 0;
    }
}

/* Depth first; no deeper than INLINE_LIMIT, as chains are no longer. */
static void show(const InlineTree *tree, uint32_t parent, uint32_t depth, InlineRow row) {
    const Report *report = tree->page->report;
    for (uint32_t i = 0; i < tree->nodes.count; i++) {
        const InlinedCall *node = &tree->nodes.at[i];
        if (node->parent != parent)
            continue;
        row(tree->page, &node->sum, node->sector_requests, "",
            arena_printf(
                report->arena, "%*s-> %s, %s:%u", (int)(2 * depth), "",
                node->place->function ? name_function(report->arena, node->place->function) : "?",
                text_file(report, node->place->file, tree->page->view->kernel), node->place->line));
        show(tree, i, depth + 1, row);
    }
}

void source_inlined(const SourcePage *page, const LineView *line, InlineRow row) {
    InlineTree tree = {.page = page};
    for (uint32_t i = 0; i < line->sites.count; i++)
        add_inlined(&tree, line->counts, line->sites.at[i]);
    show(&tree, NONE, 1, row);
}

/* ---- machine code ---- */

static bool differs(const SassLine *line) {
    return line->ptx != line->sass || line->ptx_bytes != line->sass_bytes;
}

const SassLine *source_sass(const SourcePage *page, uint32_t file, uint32_t line) {
    const Profile *profile = page->report->profile;
    for (uint32_t i = 0; i < profile->sass_lines.count; i++) {
        const SassLine *sass = &profile->sass_lines.at[i];
        if (sass->kernel == page->view->record->kernel && sass->file == file &&
            sass->line == line && differs(sass))
            return sass;
    }
    return NULL;
}

void source_sass_notes(const SourcePage *page) {
    const Report *report = page->report;
    const Profile *profile = report->profile;
    bool compared = page->view->kernel->sass.count > 0;
    for (uint32_t i = 0; i < profile->sass_lines.count; i++) {
        const SassLine *sass = &profile->sass_lines.at[i];
        compared |= sass->kernel == page->view->record->kernel;
        if (sass->kernel != page->view->record->kernel || !differs(sass))
            continue;
        text_wrap(report, 2, STYLE_DIM,
                  arena_printf(report->arena,
                               "* %s:%u: the PTX has %u x %s (%u bytes a thread), the machine code "
                               "%u (%u bytes): a GPU may count otherwise here.",
                               text_file(report, sass->file, page->view->kernel), sass->line,
                               sass->ptx, sass->operation, sass->ptx_bytes, sass->sass,
                               sass->sass_bytes));
    }
    if (page->view->kernel->registers && !page->view->kernel->machine_code &&
        !compared) /* ptxas was there */
        text_wrap(report, 2, STYLE_DIM,
                  "The machine code was not looked at, as there was no nvdisasm: 'warplens doctor' "
                  "says how to get it.");
}
