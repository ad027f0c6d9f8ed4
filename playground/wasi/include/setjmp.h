/* setjmp.h: WebAssembly of today's compilers has no way back over frames. What would go back (base/rescue.h, where memory
 * ends) ends the instance instead, and who made it makes another. */
#pragma once

#include <stdlib.h>

typedef int jmp_buf[1];

static inline int setjmp(jmp_buf at) {
    at[0] = 0;
    return 0;
}
static inline _Noreturn void longjmp(jmp_buf at, int value) {
    (void)at, (void)value;
    abort();
}
