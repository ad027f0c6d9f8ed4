/* race.h: accesses to the same bytes, one of them a write, that are not both strong in each other's sense and of which
 * neither is before the other ("Morally strong operations", "Race-freedom"). Private to sanitize.
 *
 * For each byte it finds a race if there is one, however the accesses were executed; of the races of a byte behind
 * its first one it may leave some out. tests/sanitize compares it with what the definition says, pair by pair. */
#pragma once

#include "sanitize/race_log.h"
#include "sanitize/race_shadow.h"

typedef enum RaceKind { RACE_WRITE_WRITE, RACE_READ_WRITE, RACE_WRITE_READ } RaceKind;
/* How near each other the two are. */
typedef enum RaceLevel { RACE_LANES, RACE_WARPS, RACE_BLOCKS, RACE_LAUNCHES } RaceLevel;

typedef struct RaceWitness {
    uint32_t insn, launch, block, thread;
    bool copies; /* a copy that it started */
} RaceWitness;

typedef struct RaceFound {
    RaceKind kind;
    RaceLevel level;
    RaceWitness by, other; /* other: executed first */
    uintptr_t host;        /* the first byte of the cell */
    uint32_t bytes;        /* of it */
    uint32_t width;        /* of the access */
    bool benign;           /* both write the same */
    bool at_once;          /* lanes of one instruction */
} RaceFound;

/* What is kept of a block while it runs. */
enum { RACE_REMEMBERED = 64 };
typedef struct RaceBlock {
    BlockOrder *order;
    RaceLog log; /* of memory that no other block accesses */
    OrderKeeper keeper;
    struct Races *races;
    uint32_t segments;                                 /* the first of a list; 0: none */
    uint32_t remembered[BLOCK_WARPS][RACE_REMEMBERED]; /* segments, by instruction */
    struct RaceBlock *next;                            /* running, or spare */
} RaceBlock;

typedef struct Races {
    Shadow shadow;
    LaunchOrder *order;
    OrderMemory *memory;
    uint32_t launch;       /* number of what runs now */
    uint32_t known_launch; /* all until then is before it */
    /* of each stream, the last launch that is before it; NULL: none but these */
    const uint32_t *known;
    const uint32_t *streams; /* [launch]: its stream */
    RaceBlock *running, *spare;
    void (*found)(void *context, const RaceFound *found);
    void *context;
} Races;

typedef struct RaceAccess {
    RaceBlock *block;
    uint32_t warp, lanes, insn;
    bool reads, writes;
    bool strong;
    bool observes; /* it reads what it writes over, in one step, and the lane gets to know that */
    bool together; /* by all lanes of the warp, as rows of a matrix are */
    Reach reach;
    uint32_t width;
    uintptr_t host; /* of lane l: host + place[l] */
    const uint64_t *place;
    const Moment *done; /* [32]: when each is done, where that is beside the warp; NULL: at once */
    /* What a lane writes, `width` bytes; NULL: it is not known. */
    void (*value)(const void *context, uint32_t lane, uint8_t *bytes);
    const void *context;
} RaceAccess;

void races_init(Races *races);
void races_free(Races *races);
/* A launch begins that is ordered with all before it. */
void races_launch(Races *races);
/* own_first … own_end-1: memory that only this block's threads access. */
RaceBlock *race_begin(Races *races, uint32_t number, uint64_t cluster, uint32_t threads,
                      uintptr_t own_first, uintptr_t own_end);
void race_end(Races *races, RaceBlock *block);
/* A weak access by all lanes, at once, of which `place` is not set: addresses are a run in each half. */
void race_run(Races *races, const RaceAccess *access, const uintptr_t first[2],
              const int64_t stride[2]);
void race_access(Races *races, const RaceAccess *access);
/* A copy of one lane reads or writes a range; done: when. */
void race_range(Races *races, const RaceAccess *access, uint64_t bytes);
