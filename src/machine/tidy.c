/* The steps in their order. */
#include "machine/tidy.h"

void machine_tidy(Function *function) {
    Arena *scratch = arena_new();
    tidy_names(scratch, function);
    tidy_values(scratch, function);
    tidy_quotients(scratch, function);
    tidy_scaled(scratch, function);
    tidy_dead(scratch, function);
    arena_free(scratch);
}
