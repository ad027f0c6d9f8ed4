/* When ptxas and nvdisasm are asked about other kernels of a module together with the one that is launched. A program waits
 * for them before a kernel's first launch, and nvdisasm takes four tenths of a second to begin: so all the module's kernels are
 * asked about as soon as those that were asked about one by one cost as much, a small module's with the first. No program
 * waits more than about twice as long as it would have, had it been known which of its kernels are launched. */
#include "machine/together.h"

#include <stdatomic.h>

/* Costs in bytes of PTX, of which ptxas and nvdisasm together take a million in about two seconds: what the two take to begin, and
 * for an entry beside its text. */
enum { TO_BEGIN = 256 << 10, ENTRY = 4 << 10 };

/* A share of the module's kernels, for one call of each tool. */
typedef struct Share {
    const char **entries;
    SassPart *parts;
    uint32_t count;
} Share;

typedef struct Together {
    const PtxIndex *index;
    const SassQuestion *question; /* about the kernel that is launched */
    Share *shares;
    uint32_t share_count;
    atomic_uint next;
} Together;

static void ask_share(const Together *together, const Share *share) {
    Arena *arena = arena_new();
    SassQuestion question = *together->question;
    question.entry = NULL;
    question.ptx =
        ptx_slice_of(arena, together->index, share->entries, share->count, &question.length);
    toolchain_ask_parts(arena, &question, share->parts, share->count);
    arena_free(arena);
}

static void work(void *context, uint32_t worker) {
    (void)worker;
    Together *together = context;
    for (uint32_t i; (i = atomic_fetch_add(&together->next, 1)) < together->share_count;)
        ask_share(together, &together->shares[i]);
}

/* The kernels whose answers are not there yet, and the bytes of what would be asked. */
static uint64_t find_unknown(Arena *arena, const Together *together, Share *all) {
    uint32_t count;
    const PtxEntry *entries = ptx_index_entries(together->index, &count);
    all->entries = NEW_ARRAY(arena, const char *, count);
    all->parts = NEW_ARRAY(arena, SassPart, count);
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < count; i++) {
        Arena *scratch = arena_new();
        SassQuestion question = *together->question;
        question.entry = entries[i].name;
        question.ptx = ptx_slice(scratch, together->index, question.entry, &question.length);
        if (toolchain_part(scratch, &question, &all->parts[all->count]) &&
            !all->parts[all->count].known) {
            all->entries[all->count++] = question.entry;
            bytes += question.length + ENTRY;
        }
        arena_free(scratch);
    }
    return bytes;
}

/* One for each processor, if it has enough to do to be worth its beginning. */
static void divide(Arena *arena, Together *together, const Share *all, uint64_t bytes) {
    uint64_t worth = bytes / TO_BEGIN + 1, most = workers_default();
    uint32_t shares = (uint32_t)(worth < most ? worth : most);
    shares = shares < all->count ? shares : all->count;
    together->shares = NEW_ARRAY(arena, Share, shares);
    for (uint32_t i = 0; i < shares; i++) {
        uint32_t first = (uint32_t)((uint64_t)all->count * i / shares);
        uint32_t end = (uint32_t)((uint64_t)all->count * (i + 1) / shares);
        together->shares[i] = (Share){all->entries + first, all->parts + first, end - first};
    }
    together->share_count = shares;
}

static void ask_all(const PtxIndex *index, const SassQuestion *question) {
    Arena *arena = arena_new();
    Together together = {.index = index, .question = question};
    Share all = {.count = 0};
    uint64_t bytes = find_unknown(arena, &together, &all);
    if (question->length == ptx_index_length(index)) /* nothing can be left out of it */
        bytes = 0;
    divide(arena, &together, &all, bytes);
    if (together.share_count)
        workers_run(together.share_count, work, &together);
    arena_free(arena);
}

void machine_ask_others(Arena *arena, const PtxIndex *index, const SassQuestion *question) {
    uint32_t entries;
    ptx_index_entries(index, &entries);
    SassPart part;
    if (question->relocatable || entries < 2 || ptx_index_has_functions(index) ||
        !toolchain_part(arena, question, &part) || part.known)
        return;
    const uint64_t alone = TO_BEGIN + question->length;
    const uint64_t more = ptx_index_length(index) + (uint64_t)ENTRY * entries;
    const uint64_t before = atomic_fetch_add(ptx_index_tally(index), alone);
    if (before <= more && before + alone > more) /* once */
        ask_all(index, question);
}
