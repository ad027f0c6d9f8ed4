/* store.h: the tables of the profile file, described once - store_tables.c has the rows; save.c and
 * load.c write and read them all with the same few functions. Private to prof/. */
#pragma once

#include "prof/prof.h"

enum {
    STORE_APPLICATION = 0x574c5046, /* "WLPF", in the file's header */
    STORE_VERSION = 1               /* grows when an old reader would misread a new file */
};

enum { STORE_LANES = 32 };

/* A file being written or read. */
typedef struct Store {
    struct sqlite3 *database;
    Arena *scratch;
    Diags *diags;
    const char *path;
    NewFile file; /* that takes the place of path, from store_create to store_finish */
    bool failed;
} Store;

Store store_new(const char *path, Diags *diags);
void store_close(Store *store); /* and frees what is in scratch */
/* The first failure becomes a diagnostic, later ones are its consequences. */
void store_fail(Store *store, const char *what);
void store_fail_sqlite(Store *store, const char *verb); /* with SQLite's own words */

/* ---- save.c ---- */

void store_create(Store *store); /* a new, empty database beside path */
void store_execute(Store *store, const char *sql);
void store_write(Store *store, const Profile *profile); /* into an empty database */
bool store_finish(Store *store); /* closes; the new file takes the place of path unless failed */

/* ---- load.c ---- */

void store_open(Store *store);                         /* the file at path, to read it */
void store_check(Store *store);                        /* that it is a profile, and whole */
int64_t store_number(Store *store, const char *query); /* its first column, 0 if failed */
Profile *store_read(Store *store);                     /* store_check, then its tables; or NULL */

/* ---- store_tables.c ---- */

typedef enum TableId {
    TABLE_FILE,
    TABLE_MODULE,
    TABLE_LOCATION,
    TABLE_KERNEL,
    TABLE_SHARED_VARIABLE,
    TABLE_SITE,
    TABLE_LAUNCH,
    TABLE_ALLOCATION,
    TABLE_COUNT_, /* the table is called `count` */
    TABLE_LOCATION_COUNT,
    TABLE_PATTERN,
    TABLE_SASS_LINE,
    TABLE_SASS,
    TABLES,
    TABLE_NONE
} TableId;

typedef enum ColumnKind {
    COLUMN_U32,
    COLUMN_U64, /* two's complement in the file: a hash may be negative there */
    COLUMN_I64,
    COLUMN_BOOL,
    COLUMN_REAL,
    COLUMN_TEXT,  /* char *, NULL allowed */
    COLUMN_NAME,  /* an enum, by name */
    COLUMN_INDEX, /* uint32_t, a row of `target`; NONE is NULL */
    COLUMN_LANES  /* int64_t [32] or NULL: a blob of 32 little-endian integers */
} ColumnKind;

typedef struct Column {
    const char *name;
    ColumnKind kind;
    size_t offset;            /* of the field in the row's struct */
    TableId target;           /* COLUMN_INDEX */
    const char *const *names; /* COLUMN_NAME: NULL at the end */
    bool optional;            /* a file without this column is read as if it held zeros */
} Column;

/* A table's rows are the elements of an array of the Profile (key: id), or of an array that each
 * row of a parent table has (key: the parent's id, then `number`). */
typedef struct Table {
    const char *name;
    TableId parent; /* or TABLE_NONE */
    const char *parent_column, *number_column;
    const Column *columns;
    uint32_t column_count;
    bool optional; /* a file without this table is read as if it were empty */
    size_t row_bytes;
    /* The array; first: the number of its first element. */
    const void *(*rows)(const Profile *profile, uint32_t parent, uint32_t *count, uint32_t *first);
    /* A place for the row with this number, or NULL where no such row can follow. */
    void *(*add)(Profile *profile, uint32_t parent, uint32_t number);
} Table;

extern const Table store_tables[TABLES];
extern const char store_views[];                            /* SQL that creates the views */
uint32_t store_rows(const Profile *profile, TableId table); /* of a table without a parent */
