/* The commands in libwarplens.so, whose arenas tell its host where memory ends: the program is the host. */
#include "program/library.h"

#include "cli/commands.h"
#include "cli/ends.h"

#include <warplens/warplens.h>

int warplens_program(int argc, char **argv) {
    warplens_on_out_of_memory(ends_out_of_memory, NULL);
    return run_command(argc, argv);
}
