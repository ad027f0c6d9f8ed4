/* The program, with the commands in it. */
#include "cli/commands.h"

int main(int argc, char **argv) {
    return run_command(argc, argv);
}
