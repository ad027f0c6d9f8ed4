/* Rows of the profile for the places that a kernel's instructions come from. */
#include "exec/run/prepared.h"

uint32_t rows_location(Rows *rows, const Module *module, uint32_t number) {
    if (number == NO_LOCATION)
        return NONE;
    if (rows->files[number] != NONE)
        return rows->files[number];
    /* The chain outwards first. Its depth is bounded by the number of locations. */
    const SourceLocation *from = &module->locations.at[number];
    uint32_t outer =
        from->inlined_at == number ? NONE : rows_location(rows, module, from->inlined_at);
    const char *path = module_file(module, from->file);
    Profile *profile = rows->profile;
    const char *function =
        from->function ? name_demangled(profile->arena, from->function, true) : NULL;
    rows->files[number] = profile_location(profile, path ? profile_file(profile, path) : NONE,
                                           from->line, from->column, function, outer);
    return rows->files[number];
}

/* Line 0 is what compilers give to code of theirs, and to code of several lines. Where nothing says what
 * that was inlined into, it is the kernel's: its chain goes on there. */
static uint32_t in_kernel(Rows *rows, const Function *kernel, uint32_t number) {
    Profile *profile = rows->profile;
    const Location place = profile->locations.at[number];
    if (place.line || place.inlined_at != NONE)
        return number;
    uint32_t outer = rows_location(rows, kernel->module, kernel->location);
    if (outer == NONE || profile->locations.at[outer].line == 0)
        return number;
    return profile_location(profile, place.file, 0, place.column, place.function, outer);
}

uint32_t rows_place(Rows *rows, const Function *kernel, const Insn *insn) {
    return insn->location != NO_LOCATION
               ? in_kernel(rows, kernel, rows_location(rows, kernel->module, insn->location))
               : profile_location(rows->profile, NONE, insn->line, 0, NULL, NONE);
}

uint32_t rows_insn(Rows *rows, const Program *program, uint32_t number) {
    if (rows->location_of[number] == NONE)
        rows->location_of[number] = rows_place(rows, program->function, program->code[number].insn);
    return rows->location_of[number];
}
