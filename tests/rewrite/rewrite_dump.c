/* rewrite_dump FILE.cu: rewrites a source as lines at its head ask for (rewrite_case.h), and prints what came out.
 *
 * Printed are, for each array, what became of it, and then the diff. With a second argument the new text goes
 * to that file. */
#include "rewrite_case.h"

static void print_outcome(const RewriteArray *array, const RewriteOutcome *outcome) {
    printf("%s: %s\n", array->name, outcome->done ? "rewritten" : outcome->why);
    if (outcome->declaration.file)
        printf("  declared at %u:%u\n", outcome->declaration.line, outcome->declaration.column);
    if (outcome->record)
        printf("  member of %s\n", outcome->record);
    for (uint32_t i = 0; i < outcome->instances.count; i++)
        printf("  instance %s\n", outcome->instances.at[i]);
    for (uint32_t i = 0; i < outcome->blockers.count; i++)
        printf("  %u:%u: %s\n", outcome->blockers.at[i].place.line,
               outcome->blockers.at[i].place.column, outcome->blockers.at[i].why);
    if (outcome->by_hand)
        printf("  by hand: %s\n", outcome->by_hand);
}

static void join(Case *one, const char *path, const RewriteOptions *options, Diags *diags) {
    const ThreadChange change = {.kind = NEIGHBOURS_JOINED, .bytes = sizeof(float)};
    for (uint32_t i = 0; i < one->joined.count; i++) {
        Rewrite rewrite;
        bool done =
            rewrite_threads(one->arena, path, one->joined.at[i], &change, options, &rewrite, diags);
        printf("%s: %s\n", one->joined.at[i], done ? "joined" : "as it was");
        if (done) /* its head is the same for all */
            fputs(rewrite.files.at[0].diff, stdout);
    }
}

static void take_whole(const Case *one, const char *path, const RewriteOptions *options,
                       Diags *diags) {
    for (uint32_t i = 0; i < one->whole.count; i++) {
        char *kernel;
        ThreadChange change = {.kind = STRUCTURES_WHOLE,
                               .bytes = strtoull(one->whole.at[i], &kernel, 10)};
        Rewrite rewrite;
        change.align = change.bytes % 16 ? 8 : 16;
        bool done =
            rewrite_threads(one->arena, path, kernel + 1, &change, options, &rewrite, diags);
        printf("%s: %s\n", kernel + 1, done ? "taken whole" : "as it was");
        if (done)
            fputs(rewrite.files.at[0].diff, stdout);
    }
}

static void pad(const Case *one, const char *path, const RewriteOptions *options, Diags *diags) {
    for (uint32_t i = 0; i < one->pads.count; i++) {
        char *kernel;
        const ThreadChange change = {.kind = PADDING_MOVED,
                                     .every = strtoull(one->pads.at[i], &kernel, 10)};
        Rewrite rewrite;
        bool done =
            rewrite_threads(one->arena, path, kernel + 1, &change, options, &rewrite, diags);
        printf("%s: %s\n", kernel + 1, done ? "padded otherwise" : "as it was");
        if (done)
            fputs(rewrite.files.at[0].diff, stdout);
    }
}

int main(int argc, char **argv) {
    Case one = {.arena = arena_new()};
    Diags *diags = diags_new(one.arena);
    Rewrite rewrite;
    size_t size;
    char *text = argc > 1 ? file_read(one.arena, argv[1], &size) : NULL;
    if (!text)
        return 2;
    parse_case(&one, text);
    RewriteOptions options = {.instantiate = one.instantiate.at,
                              .instantiate_count = one.instantiate.count,
                              .tried = one.tried};
    if (one.joined.count)
        join(&one, argv[1], &options, diags);
    take_whole(&one, argv[1], &options, diags);
    pad(&one, argv[1], &options, diags);
    bool good = rewrite_source(one.arena, argv[1], one.arrays.at, one.arrays.count, &options,
                               &rewrite, diags);
    diags_print(diags, stderr, false);
    for (uint32_t i = 0; good && i < one.arrays.count; i++)
        print_outcome(&one.arrays.at[i], &rewrite.outcomes[i]);
    for (uint32_t i = 0; good && i < rewrite.files.count; i++) {
        const RewrittenFile *file = &rewrite.files.at[i];
        fputs(file->diff, stdout);
        if (argc > 2 && !file_write(argv[2], file->after, strlen(file->after)))
            return 2;
    }
    arena_free(one.arena);
    return good ? 0 : 2;
}
