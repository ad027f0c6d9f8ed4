/* Fuzzing what reads and translates machine code: whatever a listing says, each of its kernels becomes a text that can be
 * parsed and tidied, or there is a reason why not. Kernels are declared as their sections are called. */
#include "fuzz.h"
#include "machine/machine.h"
#include "ptx/ptx.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define SECTION "\t.section\t.text."

enum { KERNELS_MOST = 4, NAME_MOST = 80 };

static size_t name_length(const char *name) {
    size_t length = 0;
    while (isalnum((unsigned char)name[length]) || name[length] == '_')
        length++;
    return isalpha((unsigned char)*name) || *name == '_' ? length : 0;
}

/* PTX with a kernel for each section of code, that takes 256 bytes of parameters. */
static const char *declare(Arena *arena, const char *listing) {
    const char *text = ".version 8.8\n.target sm_90a\n.address_size 64\n";
    for (uint32_t count = 0; count < KERNELS_MOST; count++) {
        listing = strstr(listing, SECTION);
        if (!listing)
            break;
        listing += strlen(SECTION);
        const size_t length = name_length(listing);
        if (length && length < NAME_MOST)
            text =
                arena_printf(arena, "%s.visible .entry %.*s(.param .b8 all[256])\n{\n\ttrap;\n}\n",
                             text, (int)length, listing);
    }
    return text;
}

static void translate(Arena *arena, const MachineCode *code, const Function *kernel) {
    const MachineText text = machine_translate(arena, code, kernel);
    const char *why = NULL;
    if (!text.text) {
        if (!text.why)
            abort();
        return;
    }
    if (strlen(text.text) != text.length)
        abort();
    if (!machine_parse(arena, &text, kernel, &why) && !why)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Arena *arena = arena_new();
    Diags *diags = diags_new(arena);
    const char *listing = arena_printf(arena, "%.*s", (int)size, (const char *)data);
    const char *declared = declare(arena, listing);
    PtxIndex *index = ptx_index(arena, "fuzz", declared, strlen(declared));
    const Module *module = ptx_parse(arena, "fuzz", declared, strlen(declared), NULL, diags);
    const MachineCode *code = index ? machine_read(arena, listing, diags) : NULL;
    if (!code && !diags->errors)
        abort();
    for (uint32_t i = 0; code && module && i < module->functions.count; i++)
        if (module->functions.at[i]->is_entry)
            translate(arena, code, module->functions.at[i]);
    arena_free(arena);
    return 0;
}
