/* The dynamic loader in a process that has loaded this library itself, and so has no audit library: what dlopen brings must be looked at
 * before its constructors run, which register kernels.
 *
 * For debuggers the loader calls an empty function, r_brk of its r_debug, when it has changed its list of objects: at dlopen when all are
 * mapped and none is relocated. A jump to ours takes its place. */
#include "cuda/runtime/loader.h"

#include <link.h>
#include <string.h>

static void changed(void) {
    if (_r_debug.r_state == RT_CONSISTENT)
        look_at_objects();
}

/* Whether the function just returns, and has room for a jump: the next one is aligned as it is. */
static bool is_empty(const uint8_t *code) {
#if defined __x86_64__
    static const uint8_t branch_target[] = {0xf3, 0x0f, 0x1e, 0xfa}; /* endbr64 */
    const uint8_t *end = code + 8;
    if ((uintptr_t)code % 16 != 0)
        return false;
    if (memcmp(code, branch_target, sizeof branch_target) == 0)
        code += sizeof branch_target;
    if (*code++ != 0xc3) /* ret */
        return false;
    while (code < end &&
           strchr("\x66\x2e\x0f\x1f\x84\x80\x40\x44\x90\xcc", *code)) /* of nops, or 0 */
        code++;
    return code == end;
#else
    uint32_t first, second;
    memcpy(&first, code, sizeof first);
    memcpy(&second, code + 4, sizeof second);
    return (uintptr_t)code % 8 == 0 &&
           (first == 0xd65f03c0 || (first == 0xd503245f && second == 0xd65f03c0)); /* bti c; ret */
#endif
}

bool watch_loader(void) {
    uint8_t *function = (uint8_t *)(uintptr_t)_r_debug.r_brk;
    if (!function || !is_empty(function) || !patch_function(function, changed))
        return false;
    loader_watched();
    look_at_objects(); /* what came meanwhile */
    return true;
}
