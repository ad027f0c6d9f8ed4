/* Many sequences that take turns. */
#include "hostlib/rand/rand.h"

#include <stdlib.h>
#include <string.h>

enum { GENERATOR_TAG = 0x77620002 };

Generator *generator_new(const RandFamily *family, Twin *twin, bool host) {
    Generator *generator = calloc(1, sizeof *generator);
    if (!generator)
        return NULL;
    generator->tag = GENERATOR_TAG;
    generator->family = family;
    generator->twin = twin;
    generator->host = host;
    return generator;
}

void generator_free(Generator *generator) {
    generator_restart(generator);
    for (PoissonTable *next; generator->tables; generator->tables = next) {
        next = generator->tables->next;
        poisson_free(generator->tables);
    }
    if (generator->twin)
        twin_free(generator->twin);
    generator->tag = 0;
    free(generator);
}

bool generator_is(const Generator *generator) {
    return generator && generator->tag == GENERATOR_TAG;
}

void generator_restart(Generator *generator) {
    free(generator->sequences);
    generator->sequences = NULL;
}

RandStatus generator_place(Generator *generator) {
    const RandFamily *family = generator->family;
    if (generator->sequences || generator->twin)
        return RAND_SUCCESS;
    generator->count = generator->legacy ? family->legacy_sequences : family->sequences;
    generator->sequences = calloc(generator->count, sizeof *generator->sequences);
    if (!generator->sequences)
        return RAND_ALLOCATION_FAILED;
    uint64_t turns = generator->offset / family->turn;
    uint64_t rounds = turns / generator->count;
    generator->next = turns % generator->count;
    generator->taken = (unsigned)(generator->offset % family->turn);
    family->place(generator->sequences, generator->count, generator->seed, rounds);
    for (size_t i = 0; i < generator->next; i++) {
        uint32_t words[TURN_MOST];
        family->draw(&generator->sequences[i], words, family->turn);
    }
    return RAND_SUCCESS;
}

static RandStatus find_table(Generator *generator, Distribution *distribution) {
    PoissonTable *table = generator->tables;
    while (table && table->lambda != distribution->mean)
        table = table->next;
    if (!table) {
        table = poisson_new(distribution->mean);
        if (!table)
            return RAND_ALLOCATION_FAILED;
        table->next = generator->tables;
        generator->tables = table;
    }
    distribution->table = table;
    return RAND_SUCCESS;
}

RandStatus generator_prepare(Generator *generator, Distribution *distribution) {
    RandStatus status = RAND_SUCCESS;
    if (distribution->id == POISSON && distribution->mean < POISSON_NORMAL && !generator->twin)
        status = find_table(generator, distribution);
    return status ? status : generator_place(generator);
}

void generator_fill(Generator *generator, const Distribution *distribution, void *numbers,
                    size_t count) {
    size_t bytes = distribution_bytes(distribution->id);
    unsigned turn = distribution_turn(generator->family, distribution);
    double now[TURN_MOST];
    char *to = numbers;
    if (!generator->sequences && generator_place(generator)) /* a graph runs after a new seed */
        return;
    while (count > 0) {
        Sequence sequence = generator->sequences[generator->next];
        distribution_take(generator->family, distribution, &sequence, now);
        size_t some = turn - generator->taken < count ? turn - generator->taken : count;
        memcpy(to, (const char *)now + generator->taken * bytes, some * bytes);
        to += some * bytes;
        count -= some;
        generator->taken += (unsigned)some;
        if (generator->taken < turn)
            return;
        generator->taken = 0;
        generator->sequences[generator->next] = sequence;
        generator->next = (generator->next + 1) % generator->count;
    }
}
