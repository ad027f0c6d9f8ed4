/* Routines of a program by their functions and by the addresses of these, in a map each: a program may have thousands, and each call
 * asks. */
#include "exec/calls/calls.h"
#include "exec/decode/program.h"

static Str bytes_of(const void *at, size_t size) {
    return (Str){at, size};
}

void program_routines_begin(Program *program, Arena *arena) {
    program->routine_of = map_new(arena);
    program->routine_at = map_new(arena);
}

void program_routines_add(Program *program, Routine *routine, uint32_t number) {
    routine->address = function_address(routine->function);
    map_put(program->routine_of, bytes_of(&routine->function, sizeof routine->function), number);
    if (number > 0) /* the kernel is not called */
        map_put(program->routine_at, bytes_of(&routine->address, sizeof routine->address), number);
}

uint32_t program_routine(const Program *program, const Function *function) {
    uint64_t number;
    Str key = bytes_of(&function, sizeof function);
    return map_get(program->routine_of, key, &number) ? (uint32_t)number : NO_INDEX;
}

const Routine *program_routine_at(const Program *program, uint64_t address) {
    uint64_t number;
    Str key = bytes_of(&address, sizeof address);
    return map_get(program->routine_at, key, &number) ? &program->routines[number] : NULL;
}
