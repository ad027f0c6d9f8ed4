/* Runs a program as a debugger does: tracer PROGRAM [ARGUMENT…]. Its exit status is the program's. */
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int status = 0;
    if (argc < 2)
        return 1;
    pid_t child = fork();
    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        execv(argv[1], &argv[1]);
        _exit(127);
    }
    while (waitpid(child, &status, 0) == child && WIFSTOPPED(status))
        ptrace(PTRACE_CONT, child, NULL, WSTOPSIG(status) == SIGTRAP ? 0 : (long)WSTOPSIG(status));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
