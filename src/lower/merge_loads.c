/* Which loads are there already on every way to a load of the same group, and what becomes of them
 * (see merge.c): sets of loads flow through the basic blocks; a fence empties them, a write of a base
 * register takes out what was loaded from it. */
#include "lower/lowering.h"

#include <stdlib.h>
#include <string.h>

static int by_group(const void *left, const void *right) {
    const Member *a = left, *b = right;
    const uint32_t key[5][2] = {{a->base, b->base},
                                {a->bytes, b->bytes},
                                {a->start, b->start},
                                {a->group, b->group},
                                {a->insn, b->insn}};
    for (uint32_t i = 0; i < 5; i++)
        if (key[i][0] != key[i][1])
            return key[i][0] < key[i][1] ? -1 : 1;
    return 0;
}

/* Numbers the loads by group, without those that are alone in theirs. */
static void sort_loads(Merger *merger) {
    Member *at = merger->loads.at;
    uint32_t count = merger->loads.count, kept = 0, runs = 0;
    if (count)
        qsort(at, count, sizeof *at, by_group);
    for (uint32_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && same_group(&at[first], &at[end]);)
            end++;
        for (uint32_t i = first; end - first > 1 && i < end; i++) {
            at[kept] = at[i];
            at[kept].run = runs;
            merger->member_of[at[kept].insn] = kept + 1;
            kept++;
        }
        runs++;
    }
    merger->loads.count = kept;
}

/* Of a register: a base that a write of it makes another. */
typedef struct Killed {
    uint32_t base, next; /* next: number + 1 of the register's next one; 0: none */
} Killed;

/* Sets of loads, one row of bits per block. */
typedef struct Sets {
    uint32_t words;
    uint64_t *made, *lost, *in, *out;
    bool *cleared; /* [blocks]: what came in is gone */
    uint64_t *now; /* [words]: while a block is walked */
    Merger *merger;
    uint32_t *first_killed; /* [regs]: number + 1 */
    VEC(Killed) killed;
    uint64_t *gone; /* [words]: where the loads that lose their base are noted, or NULL */
} Sets;

static void lose_base(const Sets *sets, uint32_t base) {
    const Merger *merger = sets->merger;
    uint32_t low = 0, high = merger->loads.count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (merger->loads.at[middle].base < base)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < merger->loads.count && merger->loads.at[low].base == base; low++) {
        sets->now[low / 64] &= ~(UINT64_C(1) << low % 64);
        if (sets->gone)
            sets->gone[low / 64] |= UINT64_C(1) << low % 64;
    }
}

/* A write of a base's register: what was loaded from it is elsewhere than the base now says. */
static void lose(void *context, uint32_t reg, bool defined) {
    const Sets *sets = context;
    for (uint32_t i = defined ? sets->first_killed[reg] : 0; i; i = sets->killed.at[i - 1].next)
        lose_base(sets, sets->killed.at[i - 1].base);
}

static void find_killed(Sets *sets) {
    const Merger *merger = sets->merger;
    sets->first_killed = NEW_ARRAY(merger->arena, uint32_t, merger->function->regs.count + 1);
    for (uint32_t i = 0; i < merger->loads.count; i++) {
        const uint32_t *regs, base = merger->loads.at[i].base;
        if (i && merger->loads.at[i - 1].base == base)
            continue;
        for (uint32_t k = nodes_killers(merger->nodes[VIEW_LOADS], base, &regs); k--;) {
            *vec_add(merger->arena, &sets->killed) = (Killed){base, sets->first_killed[regs[k]]};
            sets->first_killed[regs[k]] = sets->killed.count;
        }
    }
}

static bool has(const uint64_t *set, uint32_t number) {
    return set[number / 64] >> number % 64 & 1;
}

/* The load of the same group that is there in sets->now. */
static uint32_t find_there(const Sets *sets, uint32_t number) {
    const Member *at = sets->merger->loads.at;
    uint32_t first = number;
    while (first > 0 && at[first - 1].run == at[number].run)
        first--;
    for (; first < sets->merger->loads.count && at[first].run == at[number].run; first++)
        if (first != number && has(sets->now, first))
            return first;
    return NO_INDEX;
}

/* Walks a block from sets->now; joined: notes what each load joins. */
static void walk_block(Sets *sets, const Block *block, bool joined, bool *cleared) {
    Merger *merger = sets->merger;
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        const Insn *insn = &merger->function->insns.at[i];
        if (is_fence(insn)) {
            memset(sets->now, 0, sets->words * sizeof *sets->now);
            *cleared = true;
        }
        uint32_t number = merger->member_of[i];
        if (number) {
            Member *member = &merger->loads.at[number - 1];
            if (joined)
                member->parent = find_there(sets, number - 1);
        }
        insn_registers(insn, lose, sets);
        if (number && !merger->loads.at[number - 1].guarded)
            sets->now[(number - 1) / 64] |= UINT64_C(1) << (number - 1) % 64;
    }
}

static void make_sets(Sets *sets) {
    const Function *function = sets->merger->function;
    Arena *arena = sets->merger->arena;
    uint32_t words = sets->words, blocks = function->blocks.count;
    sets->made = NEW_ARRAY(arena, uint64_t, (size_t)words * blocks);
    sets->lost = NEW_ARRAY(arena, uint64_t, (size_t)words * blocks);
    sets->in = NEW_ARRAY(arena, uint64_t, (size_t)words * blocks);
    sets->out = NEW_ARRAY(arena, uint64_t, (size_t)words * blocks);
    sets->cleared = NEW_ARRAY(arena, bool, blocks);
    for (uint32_t b = 0; b < blocks; b++) {
        sets->now = sets->made + (size_t)b * words;
        sets->gone = sets->lost + (size_t)b * words;
        walk_block(sets, &function->blocks.at[b], false, &sets->cleared[b]);
    }
    sets->gone = NULL;
}

static bool flow_out(Sets *sets, uint32_t block) {
    bool changed = false;
    size_t row = (size_t)block * sets->words;
    for (uint32_t w = 0; w < sets->words; w++) {
        uint64_t stays = sets->cleared[block] ? 0 : sets->in[row + w] & ~sets->lost[row + w];
        uint64_t out = sets->made[row + w] | stays;
        changed |= out != sets->out[row + w];
        sets->out[row + w] = out;
    }
    return changed;
}

/* What has been loaded on every way to each block: the largest solution. */
static void solve(Sets *sets) {
    const Function *function = sets->merger->function;
    uint32_t words = sets->words, blocks = function->blocks.count;
    memset(sets->out, 0xff, (size_t)words * blocks * sizeof *sets->out);
    bool changed = true;
    while (changed) {
        memset(sets->in, 0xff, (size_t)words * blocks * sizeof *sets->in);
        memset(sets->in, 0, words * sizeof *sets->in);
        for (uint32_t b = 0; b < blocks; b++) {
            const Block *block = &function->blocks.at[b];
            for (uint32_t s = 0; s < block_successor_count(block); s++) {
                uint32_t to = block_successor(block, s);
                for (uint32_t w = 0; to != NO_INDEX && w < words; w++)
                    sets->in[(size_t)to * words + w] &= sets->out[(size_t)b * words + w];
            }
        }
        changed = false;
        for (uint32_t b = 0; b < blocks; b++)
            changed |= flow_out(sets, b);
    }
}

static void find_parents(Merger *merger) {
    const Function *function = merger->function;
    Sets sets = {.words = (merger->loads.count + 63) / 64, .merger = merger};
    bool cleared;
    find_killed(&sets);
    make_sets(&sets);
    solve(&sets);
    for (uint32_t b = 0; b < function->blocks.count; b++) {
        sets.now = sets.in + (size_t)b * sets.words;
        walk_block(&sets, &function->blocks.at[b], true, &cleared);
    }
}

/* ---- what becomes of a root and those that join it ---- */

static uint32_t root_of(const Merger *merger, uint32_t number) {
    const Member *at = merger->loads.at;
    while (at[number].parent != NO_INDEX)
        number = at[number].parent;
    return number;
}

/* Elements of a group that are one load: a whole group, or half of one; 0: no change. */
static uint32_t loaded_as_one(uint32_t used, uint32_t elements) {
    uint32_t count = (uint32_t)__builtin_popcount(used);
    if (elements == 4 && count >= 3)
        return 15;
    if (elements >= 2 && (used == 3 || (elements == 4 && used == 12)))
        return used;
    return 0;
}

static void join_loads(Merger *merger) {
    uint32_t count = merger->loads.count;
    Member *at = merger->loads.at;
    uint32_t *used = NEW_ARRAY(merger->arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        used[root_of(merger, i)] |= at[i].used;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t root = root_of(merger, i);
        uint32_t mask = loaded_as_one(used[root], at[root].group / at[root].bytes);
        if (root != i && mask)
            set_part(merger, &at[i], at[root].insn);
        else if (mask && used[root] != at[i].used)
            set_wide(merger, &at[i], mask, used[root]);
    }
}

void loads_join(Merger *merger) {
    sort_loads(merger);
    if (merger->loads.count == 0)
        return;
    find_parents(merger);
    join_loads(merger);
}
