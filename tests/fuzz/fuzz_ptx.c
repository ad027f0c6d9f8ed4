/* Fuzzing the PTX front end: any bytes give a module that holds its invariants, or diagnostics. */
#include "fuzz.h"
#include "ptx/ptx.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Arena *arena = arena_new();
    Diags *diags = diags_new(arena);
    const char *text = arena_copy(arena, (const char *)data, size);
    Module *module = ptx_parse(arena, "fuzz.ptx", text, size, NULL, diags);
    if ((module == NULL) != (diags->errors > 0) || (module && module_verify(module)))
        abort();
    for (uint32_t i = 0; module && i < module->functions.count; i++)
        liveness_slots(arena, module->functions.at[i]);
    uint32_t count;
    PtxIndex *index = ptx_index(arena, "fuzz.ptx", text, size);
    const PtxEntry *entries = ptx_index_entries(index, &count);
    ptx_parse_variables(arena, index, diags_new(arena));
    for (uint32_t i = 0; i < count && i < 2; i++) {
        const Module *one = ptx_parse_kernel(arena, index, entries[i].name, diags_new(arena));
        if (one ? module_verify(one) != NULL : module != NULL)
            abort(); /* a module whose whole text is good has good kernels */
    }
    arena_free(arena);
    return 0;
}
