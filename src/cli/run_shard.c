/* A program of which several machines run a part each. */
#include "cli/run_shard.h"

#include <string.h>

static bool is_ctest(const char *program) {
    const char *slash = strrchr(program, '/'), *name = slash ? slash + 1 : program;
    return strcmp(name, "ctest") == 0 || strcmp(name, "ctest3") == 0;
}

/* Its option -I takes every N-th test of those that its other options choose. */
static bool deal_tests(RunSettings *settings, Shard shard, Diags *diags) {
    uint32_t count = 0;
    for (; settings->program[count]; count++)
        if (strncmp(settings->program[count], "-I", 2) == 0 ||
            strncmp(settings->program[count], "--tests-information", 19) == 0) {
            diags_error(diags,
                        "--shard chooses tests with ctest's option -I, which is given already");
            return false;
        }
    char **words = NEW_ARRAY(settings->arena, char *, count + 3);
    words[0] = settings->program[0];
    words[1] = arena_printf(settings->arena, "-I");
    words[2] = arena_printf(settings->arena, "%u,,%u", shard.part, shard.parts);
    memcpy(words + 3, settings->program + 1, count * sizeof *words); /* with the NULL */
    settings->program = words;
    return true;
}

bool run_shard(RunSettings *settings, Shard shard, bool *launches, Diags *diags) {
    *launches = !is_ctest(settings->program[0]);
    if (!*launches)
        return deal_tests(settings, shard, diags);
    run_setting(settings, "WARPLENS_SHARD",
                arena_printf(settings->arena, "%u/%u", shard.part, shard.parts));
    return true;
}

void run_shard_tell(const RunSettings *settings, Shard shard, bool launches) {
    fprintf(stderr, "warplens: shard %u of %u: ", shard.part, shard.parts);
    if (launches)
        fprintf(stderr, "counts one launch in %u\n", shard.parts);
    else
        fprintf(stderr, "ctest runs one test in %u (%s %s)\n", shard.parts, settings->program[1],
                settings->program[2]);
}
