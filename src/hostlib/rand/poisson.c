/* Poisson numbers by a table that one word is looked up in: G. Marsaglia, W. W. Tsang and J. Wang, Fast
 * Generation of Discrete Random Variables (2004), the square histogram. In which order the columns are
 * filled from others decides which word gives which number; this order is cuRAND's, as measured. */
#include "hostlib/rand/rand.h"

#include <math.h>
#include <stdlib.h>

/* 0 where it is below what a double holds. */
static double probability(double lambda, unsigned number) {
    return exp(number * log(lambda) - lambda - lgamma(number + 1.0));
}

static void range(PoissonTable *table) {
    unsigned most = (unsigned)table->lambda;
    while (table->first < most && probability(table->lambda, table->first) == 0)
        table->first++;
    while (probability(table->lambda, most) > 0)
        most++;
    table->count = most - table->first;
}

/* Passes over the columns: each that is not full is filled up from the last one that has more than it
 * holds. One that has given too much is filled in the next pass, or later in this one. */
static void fill(PoissonTable *table, double *mass) {
    double width = 1.0 / table->count;
    unsigned rich = table->count - 1;
    bool changed = true;
    for (unsigned i = 0; i < table->count; i++) {
        mass[i] = probability(table->lambda, table->first + i);
        table->upper[i] = (i + 1) * width;
        table->other[i] = i;
    }
    while (changed) {
        changed = false;
        for (unsigned i = 0; i < table->count; i++) {
            if (mass[i] >= width || table->other[i] != i)
                continue;
            while (rich > 0 && (mass[rich] < width || table->other[rich] != rich))
                rich--;
            if (mass[rich] < width)
                return;
            table->other[i] = rich;
            table->upper[i] = i * width + mass[i];
            mass[rich] -= width - mass[i];
            changed = true;
        }
    }
}

PoissonTable *poisson_new(double lambda) {
    PoissonTable *table = calloc(1, sizeof *table);
    if (!table)
        return NULL;
    table->lambda = lambda;
    range(table);
    table->upper = malloc(table->count * sizeof *table->upper);
    table->other = malloc(table->count * sizeof *table->other);
    double *mass = malloc(table->count * sizeof *mass);
    bool made = table->upper && table->other && mass;
    if (made)
        fill(table, mass);
    free(mass);
    if (made)
        return table;
    poisson_free(table);
    return NULL;
}

void poisson_free(PoissonTable *table) {
    if (!table)
        return;
    free(table->upper);
    free(table->other);
    free(table);
}

uint32_t poisson_number(const PoissonTable *table, uint32_t bits) {
    double u = bits * 0x1p-32 + 0x1p-32;
    unsigned column = (unsigned)(u * table->count);
    if (column == table->count)
        column--;
    return table->first + (u < table->upper[column] ? column : table->other[column]);
}
