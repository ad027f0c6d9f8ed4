/* The program, with the commands in libwarplens.so. */
#include "program/library.h"

int main(int argc, char **argv) {
    return warplens_program(argc, argv);
}
