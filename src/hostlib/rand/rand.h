/* rand: cuRAND's host API.
 *
 *   sequence.c      XORWOW, MRG32k3a, Philox4_32_10: the words of one sequence, from their papers
 *   distribution.c  what becomes of words: integers, uniform, normal and log-normal numbers
 *   poisson.c       Poisson numbers
 *   generator.c     many sequences that take turns, as a GPU's threads do
 *   toolkit.c       all other generators: those of the CUDA toolkit's library, where it is installed
 *   curand.c        the exported functions
 *
 * Invariants
 *   - Which sequence gives which number was measured on an H200 (tests/hostlib/rand.txt), for seeds,
 *     offsets, orderings, and calls that follow each other.
 *
 * How exact: integers, uniform numbers and Poisson numbers below 2,000 have the same bits as on a GPU.
 * Normal and log-normal numbers are of the same sequence, by the C library's functions: 2^-20 of the
 * standard deviation in single precision (a GPU uses its fast sine), some ulps in double.
 *
 * What it does not do: CURAND_ORDERING_PSEUDO_SEEDED and _DYNAMIC, which are the default's here; the tables of
 * MT19937, MTGP32 and Sobol sequences. */
#pragma once

#include "hostlib/hostlib.h"

#include <stdbool.h>

typedef enum RandStatus {
    RAND_SUCCESS = 0,
    RAND_NOT_INITIALIZED = 101,
    RAND_ALLOCATION_FAILED = 102,
    RAND_TYPE_ERROR = 103,
    RAND_OUT_OF_RANGE = 104,
    RAND_LENGTH_NOT_MULTIPLE = 105,
    RAND_LAUNCH_FAILURE = 201,
    RAND_INTERNAL_ERROR = 999
} RandStatus;

/* ---- sequence.c ---- */

/* Where one sequence is. */
typedef struct Sequence {
    uint32_t at[6];
    float spare; /* the second normal number of a pair, which Poisson numbers take one by one */
    bool has_spare;
} Sequence;

typedef enum FamilyId { FAMILY_XORWOW, FAMILY_MRG32K3A, FAMILY_PHILOX, FAMILIES } FamilyId;

typedef struct RandFamily {
    const char *name;
    int type; /* curandRngType */
    size_t sequences, legacy_sequences;
    unsigned turn;            /* so many integers of a sequence lie side by side */
    unsigned words_of_double; /* that one number of double precision takes */
    bool pairs;               /* normal numbers come in pairs, and only so */
    /* Places `count` sequences of the seed, each after its first `drawn` turns. */
    void (*place)(Sequence *sequences, size_t count, uint64_t seed, uint64_t drawn);
    void (*draw)(Sequence *sequence, uint32_t *words, unsigned count);
    /* a word as 32 bits, and between 0 and 1 */
    uint32_t (*bits)(uint32_t word);
    float (*uniform)(uint32_t word);
    double (*uniform_double)(const uint32_t *words);
} RandFamily;

extern const RandFamily families[FAMILIES];

/* ---- poisson.c ---- */

/* A Poisson distribution as a table: each of `count` numbers has a column of the same width, whose upper
 * part belongs to another number. */
typedef struct PoissonTable PoissonTable;
struct PoissonTable {
    double lambda;
    PoissonTable *next;
    unsigned first; /* number */
    unsigned count;
    double *upper;   /* where that part begins */
    uint32_t *other; /* whose it is */
};

/* From here on they are rounded normal numbers. */
#define POISSON_NORMAL 2000.0
#define POISSON_MOST 400000.0

/* NULL: no memory. */
PoissonTable *poisson_new(double lambda);
void poisson_free(PoissonTable *table);
uint32_t poisson_number(const PoissonTable *table, uint32_t bits);

/* ---- distribution.c ---- */

typedef enum DistributionId {
    BITS,
    BITS_64,
    UNIFORM,
    UNIFORM_DOUBLE,
    NORMAL,
    NORMAL_DOUBLE,
    LOG_NORMAL,
    LOG_NORMAL_DOUBLE,
    POISSON
} DistributionId;

typedef struct Distribution {
    DistributionId id;
    double mean, deviation;    /* Poisson: the mean is lambda */
    const PoissonTable *table; /* Poisson below POISSON_NORMAL: generator_prepare */
} Distribution;

enum { TURN_MOST = 4 };

size_t distribution_bytes(DistributionId id);
bool distribution_is_normal(DistributionId id);
/* How many numbers a sequence gives when it is its turn. */
unsigned distribution_turn(const RandFamily *family, const Distribution *distribution);
/* These numbers. */
void distribution_take(const RandFamily *family, const Distribution *distribution,
                       Sequence *sequence, void *numbers);

/* ---- toolkit.c ---- */

/* A generator of the toolkit's library, of its host. */
typedef struct Twin Twin;

/* A function of it. NULL: there is none, which the user is told once. */
void *toolkit_function(const char *name);
/* All return what that library says; RAND_TYPE_ERROR: there is none. */
RandStatus twin_new(Twin **twin, int type);
void twin_free(Twin *twin);
/* By one of its functions that take one number. */
RandStatus twin_set(Twin *twin, const char *function, unsigned long long value);
RandStatus twin_fill(Twin *twin, const char *function, const Distribution *what, void *numbers,
                     size_t count);

/* ---- generator.c ---- */

typedef struct Generator {
    uint32_t tag;
    const RandFamily *family; /* or NULL, and */
    Twin *twin;               /* … who gives the numbers */
    RandStatus status;        /* of the twin's last call */
    bool host;                /* writes to memory of the host, when it is asked */
    CUstream stream;
    uint64_t seed, offset;
    bool legacy;
    PoissonTable *tables; /* of each lambda that was asked for */
    Sequence *sequences;  /* NULL: to be placed when they are needed */
    size_t count, next;   /* whose turn it is … */
    unsigned taken;       /* … and how many numbers of this turn were given */
} Generator;

/* One of `family`, or of a twin that it then owns. NULL: no memory. */
Generator *generator_new(const RandFamily *family, Twin *twin, bool host);
void generator_free(Generator *generator);
/* Whether it is one that was made and not freed. */
bool generator_is(const Generator *generator);
/* What changes the sequences: they begin anew. */
void generator_restart(Generator *generator);
/* RAND_ALLOCATION_FAILED */
RandStatus generator_place(Generator *generator);
/* That, and the table that the distribution needs. */
RandStatus generator_prepare(Generator *generator, Distribution *distribution);
/* The next `count` numbers of a distribution that was prepared. */
void generator_fill(Generator *generator, const Distribution *distribution, void *numbers,
                    size_t count);
