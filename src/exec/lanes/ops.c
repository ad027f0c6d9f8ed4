/* Which of the builds of the operations this processor runs: the best one, or the one that the
 * environment names in WARPLENS_CPU (to measure and to test the others). The builds are listed here,
 * in ops.h and in ops.cmake. */
#include "exec/lanes/ops.h"
#include "exec/lanes/lanes.h"

#include "exec/access/atomic.h"
#include "exec/access/load_store.h"
#include "exec/matrix/mma.h"
#include "exec/texture/texture.h"
#include "exec/tier/plan.h"

#include <stdlib.h>
#include <string.h>

typedef Pair (*Lookup)(Op op, const Code *code);

#ifdef OPS_LEVELS_X86
void ops_product_v2(Product *product);
void ops_product_v3(Product *product);
void ops_product_v4(Product *product);
TextureLanes texture_lanes_v2, texture_lanes_v3, texture_lanes_v4;
Pair ops_rows_v2(Op op, const Code *code);
Pair ops_rows_v3(Op op, const Code *code);
Pair ops_rows_v4(Op op, const Code *code);
static const char *const names[] = {"x86-64-v2", "x86-64-v3", "x86-64-v4"};
static const Lookup lookups[] = {ops_rows_v2, ops_rows_v3, ops_rows_v4};

/* The features of a level that its predecessor lacks, as far as compilers use them. */
uint32_t ops_level_count(void) {
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
        !__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2"))
        return 1;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
        !__builtin_cpu_supports("avx512cd") || !__builtin_cpu_supports("avx512dq") ||
        !__builtin_cpu_supports("avx512vl"))
        return 2;
    return 3;
}
#else
void ops_product_plain(Product *product);
TextureLanes texture_lanes_plain;
Pair ops_rows_plain(Op op, const Code *code);
static const char *const names[] = {"plain"};
static const Lookup lookups[] = {ops_rows_plain};

uint32_t ops_level_count(void) {
    return 1;
}
#endif

const char *ops_level_name(uint32_t level) {
    return names[level];
}

bool ops_lookup_at(uint32_t level, Op op, const Code *code, Execute *full, Execute *some) {
    Pair pair = lookups[level](op, code);
    *full = pair.full;
    *some = pair.some;
    return pair.full;
}

static uint32_t level(void) {
    const char *wanted = getenv("WARPLENS_CPU");
    uint32_t count = ops_level_count();
    for (uint32_t i = 0; wanted && i < count; i++)
        if (strcmp(wanted, names[i]) == 0)
            return i;
    return count - 1;
}

const char *exec_cpu(void) {
    return names[level()];
}

bool ops_lookup(Op op, const Code *code, Execute *full, Execute *some) {
    return ops_lookup_at(level(), op, code, full, some);
}

const char *ops_lane(const Code *code, uint32_t *level) {
    for (uint32_t i = 0; i < ops_level_count(); i++) {
        Pair pair = lookups[i](code->insn->op, code);
        if (pair.full && pair.full == code->full) {
            *level = i;
            return pair.lane;
        }
    }
    return NULL;
}

Execute ops_access(Space space, bool writes) {
#ifdef OPS_LEVELS_X86
    static Execute (*const builds[])(Space, bool) = {ops_access_v2, ops_access_v3, ops_access_v4};
#else
    static Execute (*const builds[])(Space, bool) = {ops_access_plain};
#endif
    return builds[level()](space, writes);
}

Execute ops_scattered(Space space, bool writes) {
#ifdef OPS_LEVELS_X86
    static Execute (*const builds[])(Space, bool) = {ops_scattered_v2, ops_scattered_v3,
                                                     ops_scattered_v4};
#else
    static Execute (*const builds[])(Space, bool) = {ops_scattered_plain};
#endif
    return builds[level()](space, writes);
}

Execute ops_shared_atomic(void) {
#ifdef OPS_LEVELS_X86
    static Execute (*const builds[])(void) = {ops_shared_atomic_v2, ops_shared_atomic_v3,
                                              ops_shared_atomic_v4};
#else
    static Execute (*const builds[])(void) = {ops_shared_atomic_plain};
#endif
    return builds[level()]();
}

Execute ops_shuffle(void) {
#ifdef OPS_LEVELS_X86
    static Execute (*const builds[])(void) = {ops_shuffle_v2, ops_shuffle_v3, ops_shuffle_v4};
#else
    static Execute (*const builds[])(void) = {ops_shuffle_plain};
#endif
    return builds[level()]();
}

void ops_product(Product *product) {
#ifdef OPS_LEVELS_X86
    static void (*const builds[])(Product *) = {ops_product_v2, ops_product_v3, ops_product_v4};
#else
    static void (*const builds[])(Product *) = {ops_product_plain};
#endif
    builds[level()](product);
}

CompiledRun ops_plan(void) {
#ifdef OPS_LEVELS_X86
    static const CompiledRun builds[] = {ops_plan_v2, ops_plan_v3, ops_plan_v4};
#else
    static const CompiledRun builds[] = {ops_plan_plain};
#endif
    return builds[level()];
}

PlanMove *ops_plan_move(const PlanItem *item) {
#ifdef OPS_LEVELS_X86
    static PlanMove *(*const builds[])(const PlanItem *) = {ops_plan_move_v2, ops_plan_move_v3,
                                                            ops_plan_move_v4};
#else
    static PlanMove *(*const builds[])(const PlanItem *) = {ops_plan_move_plain};
#endif
    return builds[level()](item);
}

TextureLanes *ops_texture_at(uint32_t level) {
#ifdef OPS_LEVELS_X86
    static TextureLanes *const builds[] = {texture_lanes_v2, texture_lanes_v3, texture_lanes_v4};
#else
    static TextureLanes *const builds[] = {texture_lanes_plain};
#endif
    return builds[level];
}

TextureLanes *ops_texture(void) {
    return ops_texture_at(level());
}
