/* Ends in the way that argv[1] names, after three launches: what was launched is in the profile. */
#include "check.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void launch_three(void) {
    CUmodule module = start();
    for (int i = 0; i < 3; i++)
        OK(cuLaunchKernel(kernel(module, "empty"), 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "return";
    if (strcmp(way, "fork") == 0) { /* parent and child launch */
        pid_t child = fork();
        launch_three();
        if (child == 0)
            _exit(0);
        CHECK(waitpid(child, NULL, 0) == child);
        return 0;
    }
    if (strcmp(way, "fork-late") == 0) { /* the child goes on with what the parent began */
        launch_three();
        pid_t child = fork();
        if (child == 0) {
            launch_three();
            _exit(0);
        }
        CHECK(waitpid(child, NULL, 0) == child);
        return 0;
    }
    launch_three();
    if (strcmp(way, "closes") == 0) { /* and takes the descriptors for a file of its own */
        int file = open("own", O_RDWR | O_CREAT | O_TRUNC, 0600);
        for (int fd = 3; fd < 1024; fd++)
            if (fd != file)
                dup2(file, fd);
        launch_three();
        CHECK(lseek(file, 0, SEEK_END) == 0);
        return 0;
    }
    if (strcmp(way, "daemon") == 0) { /* goes on after the program */
        if (fork() != 0)
            return 0;
        usleep(200000);
        launch_three();
        return 0;
    }
    if (strcmp(way, "exec") == 0)
        execlp(argv[0], argv[0], "return", (char *)NULL);
    if (strcmp(way, "_exit") == 0)
        _exit(7);
    if (strcmp(way, "abort") == 0)
        abort();
    if (strcmp(way, "kill") == 0)
        kill(getpid(), SIGKILL);
    return strcmp(way, "return") == 0 ? 0 : 1;
}
