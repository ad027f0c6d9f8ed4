/* Each call that the runtime refuses (MISSING in calls.def) says so, and so does the last error, once. */
#include "cuda/runtime/calls.h"

#include <stdio.h>

#define MISSING(name, reason) cudaError name(void);
#include "cuda/runtime/calls.def"

typedef struct Refused {
    const char *name;
    cudaError (*call)(void);
} Refused;

static const Refused refused[] = {
#define MISSING(name, reason) {#name, name},
#define CALL_OF(type, name, parameters)
#define CALL_12_13(name, parameters_12, parameters_13)
#include "cuda/runtime/calls.def"
};
enum { COUNT = sizeof refused / sizeof *refused };

int main(void) {
    int wrong = 0;
    for (int i = 0; i < COUNT; i++) {
        const int status = (int)refused[i].call();
        const int seen = (int)cudaPeekAtLastError(), last = (int)cudaGetLastError();
        const int then = (int)cudaGetLastError();
        if (status == 801 && seen == 801 && last == 801 && then == 0) /* cudaErrorNotSupported */
            continue;
        printf("%s: %d, then %d, %d and %d\n", refused[i].name, status, seen, last, then);
        wrong++;
    }
    printf("%d calls, %d wrong\n", COUNT, wrong);
    return wrong != 0;
}
