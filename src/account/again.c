/* The accesses of a block once more: in further turns of its loops, and for other blocks. */
#include "account/again.h"

#include <assert.h>
#include <stdlib.h>

/* ---- in further turns ---- */

static int by_kind_and_place(const void *left, const void *right) {
    const Again *a = left, *b = right;
    if (a->moves != b->moves)
        return a->moves < b->moves ? -1 : 1;
    if (a->stored != b->stored)
        return a->stored ? 1 : -1;
    if (a->step != b->step)
        return a->step < b->step ? -1 : 1;
    return a->span.first < b->span.first ? -1 : a->span.first > b->span.first;
}

static void add_again(ByteMap *map, uint32_t block, const Again *one, uint64_t times) {
    const Extent *span = &one->span;
    uint64_t by = (uint64_t)one->step, size = one->step < 0 ? 0 - by : by;
    if (size <= span->bytes) { /* they leave no byte out */
        uint64_t first = span->first + (one->step < 0 ? times : 1) * by;
        bytes_range(map, block, first, (times - 1) * size + span->bytes, one->stored);
        return;
    }
    for (uint64_t i = 1; i <= times; i++)
        bytes_range(map, block, span->first + i * by, span->bytes, one->stored);
}

void bytes_again(Account *account, uint32_t block, Again *all, uint32_t count, uint64_t times) {
    if (count)
        qsort(all, count, sizeof *all, by_kind_and_place);
    for (uint32_t i = 0, next; i < count; i = next) {
        Again one = all[i];
        for (next = i + 1;
             next < count && all[next].moves == one.moves && all[next].stored == one.stored &&
             all[next].step == one.step && all[next].span.first <= one.span.first + one.span.bytes;
             next++) {
            uint64_t end = all[next].span.first + all[next].span.bytes;
            if (end > one.span.first + one.span.bytes)
                one.span.bytes = end - one.span.first;
        }
        if (account->transcript)
            transcript_move(account->transcript, one.moves);
        add_again(account_bytes(account), block, &one, times);
    }
}

/* ---- for other blocks ---- */

void transcript_repeat(const Transcript *transcript, Account *account, uint32_t block,
                       const int64_t *by) {
    const TranscriptNote *notes;
    const uint32_t count = transcript_notes(transcript, &notes);
    assert(!transcript_full(transcript) && by[0] == 0);
    for (uint32_t i = 0; i < count; i++)
        evidence_moved(account->evidence, notes[i].record, notes[i].count, notes[i].first,
                       by[notes[i].kind]);
    evidence_make_room(account->evidence);
    for (uint32_t i = 0; i < transcript_kinds(transcript); i++)
        bytes_moved(account->bytes, transcript_bytes_of(transcript, i), block, by[i]);
}

void transcript_end(const Transcript *transcript, Account *account, uint32_t block) {
    for (uint32_t i = 0; i < transcript_kinds(transcript); i++)
        bytes_moved(account->bytes, transcript_bytes_of(transcript, i), block, 0);
}
