/* Counters of processes that end otherwise than by exit: of children that call _exit, and of a program that passes a signal on to
 * itself. Included before each source of the preset `coverage`. It includes nothing and has no macro for a common word: a source that
 * includes neither <unistd.h> nor <signal.h> may have a function `write` or `kill` of its own. Code
 * that is compiled freestanding (src/cuda/audit) has no C library to rename from, and no counters. */
#pragma once

#if __STDC_HOSTED__
void __gcov_dump(void);
void __gcov_reset(void);
extern int process_of_this(void) __asm__("getpid");
extern int kill_of_the_library(int process, int number) __asm__("kill");
extern void exit_of_the_library(int status) __asm__("_exit");

__attribute__((used)) static int counted_kill(int process, int number) {
    if (process == process_of_this()) {
        __gcov_dump();
        __gcov_reset();
    }
    return kill_of_the_library(process, number);
}
__attribute__((used)) static void counted_exit(int status) {
    __gcov_dump();
    exit_of_the_library(status);
}
#pragma redefine_extname kill counted_kill
#pragma redefine_extname _exit counted_exit
#endif
