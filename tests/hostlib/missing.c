/* Calls each function that standard input names, a line each, with nothing, and says what it returns. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

typedef int Missing(void *, void *, void *, void *, void *, void *);

int main(void) {
    char name[128];
    while (fgets(name, sizeof name, stdin)) {
        name[strcspn(name, "\n")] = 0;
        void *at = dlsym(RTLD_DEFAULT, name);
        Missing *function = NULL;
        memcpy(&function, &at, sizeof at);
        if (function)
            printf("%s %d\n", name, function(NULL, NULL, NULL, NULL, NULL, NULL));
        else
            printf("%s absent\n", name);
    }
    return 0;
}
