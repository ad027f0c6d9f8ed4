/* The conditions of the block at hand. */
#include "exec/classes/follow.h"

#include <string.h>

static void *grown(Arena *arena, const void *from, uint32_t *size, uint32_t needed, size_t each) {
    uint32_t more = *size ? *size : 256;
    while (more <= needed)
        more *= 2;
    void *to = arena_alloc(arena, more * each);
    memset(to, 0, more * each);
    if (*size)
        memcpy(to, from, *size * each);
    *size = more;
    return to;
}

void want(Follower *follower, Need need) {
    uint32_t linear = (uint32_t)need.linear;
    if (linear == 0)
        return;
    if (linear >= follower->wanted_size)
        follower->wanted_of = grown(follower->arena, follower->wanted_of, &follower->wanted_size,
                                    linear, sizeof *follower->wanted_of);
    uint32_t *number = &follower->wanted_of[linear];
    if (*number) {
        need_meet(&follower->wanted.at[*number - 1], &need);
        return;
    }
    *vec_add(follower->arena, &follower->wanted) = need;
    *number = follower->wanted.count;
}

void want_needs(Follower *follower, uint32_t needs) {
    if (!needs)
        return;
    if (needs >= follower->met_size)
        follower->met = grown(follower->arena, follower->met, &follower->met_size, needs, 1);
    if (follower->met[needs])
        return;
    follower->met[needs] = 1;
    if (needs_turn(follower->forms, needs))
        *vec_add(follower->arena, &follower->turning) = needs;
    Needs all = needs_at(follower->forms, needs);
    for (uint32_t i = 0; i < all.count; i++)
        want(follower, all.at[i]);
}

bool want_same(Follower *follower, FormId id) {
    if (id == FORM_DATA)
        return false;
    if (id != FORM_SAME) {
        Form form = form_at(follower->forms, id);
        want(follower, (Need){form.linear, 0, 0, 1});
        want_needs(follower, form.needs);
    }
    return true;
}

bool give_up(Follower *follower, const Insn *insn, const char *because) {
    follower->because = because;
    follower->insn = insn;
    return false;
}
