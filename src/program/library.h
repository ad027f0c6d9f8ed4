/* program: where main is. A build has the commands in the program (whole.c, memory.c); what is downloaded (WARPLENS_PORTABLE)
 * has them in libwarplens.so (library.c), with the layers that both need once, and the program calls them there (caller.c). */
#pragma once

int warplens_program(int argc, char **argv);
