/* again: accesses that a block which is recorded makes again and again, each time so many bytes further on in global
 * memory: a multiple of LINE_BYTES, so that they cost the same; and what it has recorded, written down for other blocks
 * that make the same accesses elsewhere. */
#pragma once

#include "account/account.h"

/* The access `times` times more, each time `step` bytes further on. */
void evidence_record_again(Evidence *evidence, uint32_t site, const Access *access, uint64_t times,
                           int64_t step);

/* Bytes that are touched in a turn. */
typedef struct Again {
    Extent span;
    int64_t step;
    bool stored;
    uint32_t moves; /* transcript_move */
} Again;

/* Of an access: writes them down, and returns how many there are. */
enum { AGAIN_MOST = 2 * WARP_LANES };
uint32_t bytes_of_access(const Access *access, int64_t step, Again spans[AGAIN_MOST]);
/* again.c: all of them `times` times more. Leaves them in another order. */
void bytes_again(Account *account, uint32_t block, Again *all, uint32_t count, uint64_t times);

/* ---- transcript.c: what one block has recorded, for others ---- */

Transcript *transcript_new(Arena *arena);
/* How the addresses in global memory of the accesses that come now are further on in another block: a name for it, by which
 * transcript_repeat is told how far. 0: not at all. */
void transcript_move(Transcript *transcript, uint32_t moves);
/* Where the bytes are marked that these accesses touch. */
ByteMap *transcript_bytes(Transcript *transcript);
/* They have added to that record. first: the lowest place in the allocation; moves: it is one of global memory. */
void transcript_evidence(Transcript *transcript, uint32_t record, bool moves, uint64_t first,
                         uint64_t count);
/* There was more than is kept: it can be ended, but not repeated. */
bool transcript_full(const Transcript *transcript);

/* again.c: the block has ended: what it touched, into the account. */
void transcript_end(const Transcript *transcript, Account *account, uint32_t block);
/* The kinds of accesses by how they move, the first being those that do not. */
uint32_t transcript_kinds(const Transcript *transcript);
uint32_t transcript_moves(const Transcript *transcript, uint32_t kind);
ByteMap *transcript_bytes_of(const Transcript *transcript, uint32_t kind);
/* A record of the evidence, and what of it moves alike. */
typedef struct TranscriptNote {
    uint32_t record, kind;
    uint64_t count, first; /* first: the lowest place in its allocation */
} TranscriptNote;
/* All of them; returns how many. */
uint32_t transcript_notes(const Transcript *transcript, const TranscriptNote **notes);
/* Patterns have been left out: no transcript can be repeated, since others than these may have room where they are moved. */
bool evidence_left_out(const Evidence *evidence);
/* again.c: what it has recorded, into the account once more, for another block. by: [kinds], multiples of LINE_BYTES. */
void transcript_repeat(const Transcript *transcript, Account *account, uint32_t block,
                       const int64_t *by);

/* evidence.c, bytes.c: the parts of it. */
void evidence_transcribe(Evidence *evidence, Transcript *transcript);
void evidence_make_room(Evidence *evidence); /* numbers of records change */
void evidence_moved(Evidence *evidence, uint32_t record, uint64_t count, uint64_t first,
                    int64_t by);
void bytes_moved(ByteMap *all, const ByteMap *one, uint32_t block, int64_t by);
