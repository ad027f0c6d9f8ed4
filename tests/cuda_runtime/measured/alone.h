// Calls that may crash or leave errors behind: each in a process of its own, some at a time; what they print comes in their order.
#pragma once
#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

struct Alone {
    const char *what;
    FILE *printed;
    pid_t child;
};
static std::vector<Alone> waiting;

static void alone_finish() {
    for (const Alone &each : waiting) {
        int status;
        char text[256];
        waitpid(each.child, &status, 0);
        printf("%s: ", each.what);
        rewind(each.printed);
        for (size_t n; (n = fread(text, 1, sizeof text, each.printed)) > 0;)
            fwrite(text, 1, n, stdout);
        fclose(each.printed);
        if (WIFSIGNALED(status))
            printf("crash\n");
    }
    fflush(stdout);
    waiting.clear();
}

static void alone(const char *what, void (*call)(FILE *out)) {
    fflush(stdout);
    FILE *out = tmpfile();
    pid_t child = fork();
    if (child == 0) {
        call(out);
        fflush(out);
        _exit(0);
    }
    waiting.push_back({what, out, child});
    if (waiting.size() == 12)
        alone_finish();
}
