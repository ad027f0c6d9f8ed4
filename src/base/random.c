/* Numbers for choices and data that must repeat. */
#include "base/random.h"
#include "base/base.h"

uint64_t random_next(uint64_t *state) {
    return random_step(state);
}
