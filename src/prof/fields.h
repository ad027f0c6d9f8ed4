/* fields: the tables of fields.def as data, for who stores, sends, shows or documents rows of any of
 * them. */
#pragma once

#include "prof/prof.h"

typedef enum TableId {
#define TABLE(Type, id, words) TABLE_##id,
#include "prof/fields.def"
    TABLES,
    TABLE_NONE
} TableId;

typedef enum FieldKind {
    FIELD_U32,
    FIELD_U64, /* two's complement in the file: a hash may be negative there */
    FIELD_I64,
    FIELD_BOOL,
    FIELD_REAL,
    FIELD_TEXT,  /* char *, NULL allowed */
    FIELD_ENUM,  /* by name */
    FIELD_INDEX, /* uint32_t, a row of `target`; NONE is NULL */
    FIELD_LANES  /* int64_t [32] or NULL: a blob, see lanes_pack */
} FieldKind;

enum { FIELD_LANE_COUNT = 32 };
enum { PACKED_MOST = FIELD_LANE_COUNT * 8 };

/* Writes them as little-endian integers, all of the 1, 2, 4 or 8 bytes that the largest needs, and returns
 * how many bytes these are: a launch may have very many of them. */
size_t lanes_pack(const int64_t lanes[FIELD_LANE_COUNT], uint8_t bytes[PACKED_MOST]);
/* false: nothing packed has this size. */
bool lanes_unpack(const uint8_t *bytes, size_t size, int64_t lanes[FIELD_LANE_COUNT]);

/* Flags of fields.def. */
enum { LATER = 1 << 0, NEEDED = 1 << 1, SELF = 1 << 2, REPORT = 1 << 3, SUM = 1 << 4 };

typedef struct ProfField {
    const char *name;
    FieldKind kind;
    uint32_t flags;
    uint64_t most;            /* U32, U64, I64, REAL */
    size_t offset;            /* in the row's struct */
    TableId target;           /* INDEX */
    const char *const *names; /* ENUM: NULL at the end */
    const char *words;        /* what it is, in Markdown */
} ProfField;

/* A table's rows are the elements of an array of the Profile (key: id), or of an array that each
 * row of a parent table has (key: the parent's id, then `number`). */
typedef struct ProfTable {
    const char *name, *words;
    TableId parent; /* or TABLE_NONE */
    const char *parent_column, *number_column;
    const ProfField *fields;
    uint32_t field_count;
    bool later; /* a file without this table is read as if it were empty */
    size_t row_bytes;
    /* The array; first: the number of its first element. */
    const void *(*rows)(const Profile *profile, uint32_t parent, uint32_t *count, uint32_t *first);
    /* A place for the row with this number, or NULL where no such row can follow. */
    void *(*add)(Profile *profile, uint32_t parent, uint32_t number);
    /* Makes room for that many rows at once, where there is none yet; NULL for tables that have a parent. Growing leaves what was
     * moved behind in the arena: as much again, where there are very many. */
    void (*room)(Profile *profile, uint32_t rows);
} ProfTable;

extern const ProfTable prof_tables[TABLES];
uint32_t table_rows(const Profile *profile, TableId table); /* of a table without a parent */

/* Whether the row has something there: not 0, NULL or NONE. */
static inline bool field_is_set(const ProfField *field, const void *row) {
    const void *at = (const char *)row + field->offset;
    switch (field->kind) {
    case FIELD_U32:
    case FIELD_ENUM:
        return *(const uint32_t *)at != 0;
    case FIELD_INDEX:
        return *(const uint32_t *)at != NONE;
    case FIELD_BOOL:
        return *(const bool *)at;
    case FIELD_TEXT:
    case FIELD_LANES:
        return *(const void *const *)at != NULL;
    case FIELD_U64:
    case FIELD_I64:
    case FIELD_REAL:
        break;
    }
    return *(const uint64_t *)at != 0;
}
/* The first field that is NEEDED and not set, or beyond its `most`; NULL: the row can be used. field_fault: whether this is such
 * a one; what is not set is never beyond. */
bool field_fault(const ProfField *field, const void *row);
const ProfField *row_fault(const ProfTable *table, const void *row);
/* Copies its texts and lanes, which lie elsewhere, into the arena. */
void row_keep(Arena *arena, const ProfTable *table, void *row);
/* Whether what a pattern refers to fits together, beyond that it is there, and is an access that the
 * memory model knows. */
bool pattern_fits(const Profile *profile, const AccessPattern *pattern);
