/* warplens fix --branch NAME: the change as a commit on a branch of its own. What is checked out, the index and the working tree are not
 * touched: the commit is made of HEAD's tree with the changed files in it. */
#include "cli/fix_program.h"
#include "toolchain/toolchain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct Git {
    Arena *arena;
    Diags *diags;
    const char *git, *env, *scratch, *index, *top;
} Git;

enum { WORDS = 12 };

/* git -C TOP WORD…, with an index of our own. NULL: it failed; else what it said. quiet: a failure is an answer. */
static const char *ask(const Git *git, bool quiet, const char *const *words) {
    const char *argv[WORDS + 8] = {git->env,
                                   arena_printf(git->arena, "GIT_INDEX_FILE=%s", git->index),
                                   git->git, "-C", git->top};
    uint32_t count = 5;
    for (uint32_t i = 0; words[i] && i < WORDS; i++)
        argv[count++] = words[i];
    ProcessResult result = process_run(git->arena, argv, git->scratch, NULL);
    if (result.status == 0)
        return result.output;
    if (!quiet)
        diags_error(git->diags, "--branch: git %s: %s", words[0], result.output);
    return NULL;
}

#define ASK(git, quiet, ...) ask(git, quiet, (const char *const[]){__VA_ARGS__, NULL})

static const char *folder_of(Arena *arena, const char *path) {
    char *real = realpath(path, NULL);
    char *slash = real ? strrchr(real, '/') : NULL;
    const char *folder =
        slash ? arena_copy(arena, real, (size_t)(slash - real) + (slash == real)) : ".";
    free(real);
    return folder;
}

/* As git names it: from the top of the working tree. */
static const char *within(const Git *git, const char *path) {
    char *real = realpath(path, NULL);
    const size_t top = strlen(git->top);
    const char *name = NULL;
    if (real && strncmp(real, git->top, top) == 0 && real[top] == '/')
        name = arena_copy(git->arena, real + top + 1, strlen(real + top + 1));
    free(real);
    return name;
}

static bool begin(Git *git, const char *path) {
    git->git = program_find(git->arena, "git");
    git->env = program_find(git->arena, "env");
    git->scratch = scratch_new(git->arena);
    if (!git->git || !git->env || !git->scratch) {
        diags_error(git->diags, "--branch: %s",
                    git->scratch ? "there is no git on PATH" : strerror(errno));
        return false;
    }
    git->index = arena_printf(git->arena, "%s/index", git->scratch);
    git->top = folder_of(git->arena, path);
    const char *top = ASK(git, true, "rev-parse", "--show-toplevel");
    if (!top)
        diags_error(git->diags, "--branch: %s is in no git repository", path);
    else
        git->top = top;
    return top != NULL;
}

static void end(const Git *git) {
    if (git->scratch)
        scratch_remove(git->scratch);
}

/* Their text is HEAD's: else the commit would have changes that nobody tried. */
static bool is_committed(const Git *git, const char *path) {
    const char *name = within(git, path);
    if (!name || !ASK(git, false, "read-tree", "HEAD"))
        return false;
    const char *old = ASK(git, true, "rev-parse", arena_printf(git->arena, "HEAD:%s", name));
    const char *now = old ? ASK(git, true, "hash-object", "--path", name, name) : NULL;
    if (!now || strcmp(old, now) != 0)
        diags_error(git->diags, "--branch: %s has changes that are not committed", path);
    return now && strcmp(old, now) == 0;
}

bool branch_possible(Arena *arena, const char *branch, const char *const *paths, uint32_t count,
                     Diags *diags) {
    Git git = {.arena = arena, .diags = diags};
    bool good = begin(&git, paths[0]);
    if (good && !ASK(&git, true, "check-ref-format", "--branch", branch)) {
        diags_error(diags, "--branch: '%s' is no name of a branch", branch);
        good = false;
    }
    if (good && ASK(&git, true, "rev-parse", "--verify", "--quiet",
                    arena_printf(arena, "refs/heads/%s", branch))) {
        diags_error(diags, "--branch: there is a branch %s already", branch);
        good = false;
    }
    for (uint32_t i = 0; good && i < count; i++)
        good = is_committed(&git, paths[i]);
    end(&git);
    return good;
}

static bool add(const Git *git, const char *path) {
    const char *name = within(git, path);
    const char *blob = name ? ASK(git, false, "hash-object", "-w", "--path", name, name) : NULL;
    const char *listed = blob ? ASK(git, false, "ls-files", "--stage", "--", name) : NULL;
    if (!listed)
        return false;
    const char *mode = arena_copy(git->arena, listed, strcspn(listed, " "));
    return ASK(git, false, "update-index", "--cacheinfo",
               arena_printf(git->arena, "%s,%s,%s", mode, blob, name)) != NULL;
}

static const char *commit(const Git *git, const char *branch, const char *message) {
    const char *file = arena_printf(git->arena, "%s/message", git->scratch);
    const char *tree = ASK(git, false, "write-tree");
    if (!tree || !file_write(file, message, strlen(message)))
        return NULL;
    const char *made = ASK(git, false, "commit-tree", tree, "-p", "HEAD", "-F", file);
    return made && ASK(git, false, "branch", branch, made) ? made : NULL;
}

const char *branch_commit(Arena *arena, const char *branch, const char *const *paths,
                          uint32_t count, const char *message, Diags *diags) {
    Git git = {.arena = arena, .diags = diags};
    bool good = begin(&git, paths[0]) && ASK(&git, false, "read-tree", "HEAD");
    for (uint32_t i = 0; good && i < count; i++)
        good = add(&git, paths[i]);
    const char *made = good ? commit(&git, branch, message) : NULL;
    end(&git);
    return made;
}
