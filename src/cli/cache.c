/* cache: `warplens cache` says where answers of compilers (ptxas, nvdisasm, the JIT's LLVM) are kept, and how many;
 * `warplens cache clear` removes them. */
#include "cli/commands.h"
#include "cli/options.h"
#include "toolchain/toolchain.h"

#include <argp.h>
#include <errno.h>
#include <string.h>

static error_t parse_cache_option(int key, char *argument, struct argp_state *state) {
    bool *clear = state->input;
    if (key != ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN;
    if (*clear || strcmp(argument, "clear") != 0)
        argp_error(state, "cache: %s: expected nothing, or 'clear'", argument);
    *clear = true;
    return 0;
}

const struct argp cache_argp = {
    .parser = parse_cache_option,
    .args_doc = "[clear]",
    .doc =
        "Say where answers of ptxas and nvdisasm and code of the JIT are kept and how many there "
        "are, "
        "or remove them.\v"
        "The same kernel is assembled once for each version of the tools, and compiled once for "
        "each "
        "version of warplens and level of the processor. Of more than 256 MiB the "
        "least recently used go. WARPLENS_CACHE names another folder; if it is empty, nothing is "
        "kept.\n\nExample:\n  warplens cache clear\n\n"
        "Exit status: 0, or 3 if an answer cannot be removed."};

static void print(const char *what, const CacheUse *use) {
    plain_printf(stdout, "%s: %u answer%s, %.1f MB\n", what, use->answers,
                 use->answers == 1 ? "" : "s", (double)use->bytes / 1e6);
}

int command_cache(int argc, char **argv) {
    bool clear = false;
    if (!options_parse(&cache_argp, argc, argv, 0, &clear))
        return EXIT_UNUSABLE;
    Arena *arena = arena_new();
    const char *folder = cache_folder(arena);
    int status = EXIT_FINE;
    CacheUse use = {.answers = 0};
    if (!folder) {
        puts("nothing is kept: WARPLENS_CACHE is empty, or there is no home");
    } else if (!clear) {
        use = cache_use(arena);
        print(folder, &use);
    } else if (cache_clear(arena, &use)) {
        print("removed", &use);
    } else {
        plain_printf(stderr, "warplens: error: %s: %s\n", folder, strerror(errno));
        status = EXIT_UNUSABLE;
    }
    arena_free(arena);
    return status;
}
