/* What a block has recorded, kept so that it can be written down for others. */
#include "account/again.h"

enum { KINDS_MOST = 64, NOTES_MOST = 1 << 16 };

typedef struct Kind {
    uint32_t moves;
    ByteMap *bytes;
} Kind;

struct Transcript {
    Arena *arena;
    bool full;
    uint32_t now; /* the kind of the access at hand */
    VEC(Kind) kinds;
    VEC(TranscriptNote) notes;
    uint32_t *index; /* open addressing: number + 1 */
    uint32_t size;
};

static void kind_add(Transcript *transcript, uint32_t moves) {
    *vec_add(transcript->arena, &transcript->kinds) =
        (Kind){moves, bytes_new(transcript->arena, false)};
}

Transcript *transcript_new(Arena *arena) {
    Transcript *transcript = NEW(arena, Transcript);
    transcript->arena = arena;
    transcript->size = 64;
    transcript->index = NEW_ARRAY(arena, uint32_t, transcript->size);
    kind_add(transcript, 0);
    return transcript;
}

bool transcript_full(const Transcript *transcript) {
    return transcript->full;
}

void transcript_move(Transcript *transcript, uint32_t moves) {
    if (transcript->kinds.at[transcript->now].moves == moves)
        return;
    for (transcript->now = 0; transcript->now < transcript->kinds.count; transcript->now++)
        if (transcript->kinds.at[transcript->now].moves == moves)
            return;
    if (transcript->now < KINDS_MOST) {
        kind_add(transcript, moves);
        return;
    }
    transcript->now--;
    transcript->full = true;
}

ByteMap *transcript_bytes(Transcript *transcript) {
    return transcript->kinds.at[transcript->now].bytes;
}

/* ---- evidence ---- */

static uint32_t place_of(const Transcript *transcript, uint32_t record, uint32_t kind) {
    uint64_t hash = ((uint64_t)record << 32 | kind) * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t at = (uint32_t)(hash >> 32) & (transcript->size - 1);
    for (; transcript->index[at]; at = (at + 1) & (transcript->size - 1)) {
        const TranscriptNote *note = &transcript->notes.at[transcript->index[at] - 1];
        if (note->record == record && note->kind == kind)
            break;
    }
    return at;
}

static void grow(Transcript *transcript) {
    transcript->size *= 4;
    transcript->index = NEW_ARRAY(transcript->arena, uint32_t, transcript->size);
    for (uint32_t i = 0; i < transcript->notes.count; i++) {
        const TranscriptNote *note = &transcript->notes.at[i];
        transcript->index[place_of(transcript, note->record, note->kind)] = i + 1;
    }
}

void transcript_evidence(Transcript *transcript, uint32_t record, bool moves, uint64_t first,
                         uint64_t count) {
    const uint32_t kind = moves ? transcript->now : 0;
    uint32_t at = place_of(transcript, record, kind);
    if (transcript->index[at]) {
        TranscriptNote *note = &transcript->notes.at[transcript->index[at] - 1];
        note->count += count;
        note->first = first < note->first ? first : note->first;
        return;
    }
    if (transcript->notes.count == NOTES_MOST) {
        transcript->full = true;
        return;
    }
    *vec_add(transcript->arena, &transcript->notes) = (TranscriptNote){record, kind, count, first};
    transcript->index[at] = transcript->notes.count;
    if (2 * transcript->notes.count > transcript->size)
        grow(transcript);
}

/* ---- what there is ---- */

uint32_t transcript_kinds(const Transcript *transcript) {
    return transcript->kinds.count;
}

uint32_t transcript_moves(const Transcript *transcript, uint32_t kind) {
    return transcript->kinds.at[kind].moves;
}

ByteMap *transcript_bytes_of(const Transcript *transcript, uint32_t kind) {
    return transcript->kinds.at[kind].bytes;
}

uint32_t transcript_notes(const Transcript *transcript, const TranscriptNote **notes) {
    *notes = transcript->notes.at;
    return transcript->notes.count;
}
