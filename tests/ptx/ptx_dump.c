/* ptx_dump FILE.ptx [ENTRY]: the module as module_print shows it, or the diagnostics. The cases of
 * tests/ptx are its output. Exit status 1 on errors, 3 where an invariant of ir.h is broken. */
#include "ptx/ptx.h"

#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    if (argc < 2) {
        fputs("usage: ptx_dump FILE.ptx [ENTRY]\n", stderr);
        return 2;
    }
    Arena *arena = arena_new();
    size_t size = 0;
    char *text = file_read(arena, argv[1], &size);
    if (!text) {
        perror(argv[1]);
        return 2;
    }
    const char *slash = strrchr(argv[1], '/');
    Diags *diags = diags_new(arena);
    double start = clock_cpu();
    Module *module =
        ptx_parse(arena, slash ? slash + 1 : argv[1], text, size, argc > 2 ? argv[2] : NULL, diags);
    double parsed = clock_cpu();
    diags_print(diags, stdout, false);
    const char *broken = module ? module_verify(module) : NULL;
    if (broken)
        printf("broken invariant: %s\n", broken);
    if (module && getenv("PTX_DUMP_TIME"))
        printf("%.1f ms for %.2f MB\n", 1e3 * (parsed - start), (double)size / 1e6);
    else if (module)
        module_print(module, stdout);
    arena_free(arena);
    return broken ? 3 : module ? 0 : 1;
}
