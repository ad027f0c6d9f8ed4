/* Where memory ends in the program with the commands in it. */
#include "base/base.h"
#include "cli/ends.h"

void out_of_memory(void) {
    ends_out_of_memory(NULL);
}
