/* store.h: the profile file as a SQLite database. save.c and load.c write and read all tables of
 * fields.def with the same few functions. Private to prof/. */
#pragma once

#include "prof/fields.h"

enum {
    STORE_APPLICATION = 0x574c5046, /* "WLPF", in the file's header */
    STORE_VERSION = 2               /* grows when an old reader would misread a new file */
};

struct sqlite3_stmt;

/* A file being written or read. */
typedef struct Store {
    struct sqlite3 *database;
    Arena *scratch;
    Diags *diags;
    const char *path;
    NewFile file; /* that takes the place of path, from store_create to store_finish */
    struct sqlite3_stmt *inserts[TABLES]; /* those that were needed, until store_end */
    void *bound[TABLES];                  /* the row that each has written last */
    uint32_t next[TABLES];                /* numbers for store_next */
    bool failed;
} Store;

Store store_new(const char *path, Diags *diags);
void store_close(Store *store); /* and frees what is in scratch */
/* The first failure becomes a diagnostic, later ones are its consequences. */
void store_fail(Store *store, const char *what);
void store_fail_sqlite(Store *store, const char *verb); /* with SQLite's own words */
void store_fail_damaged(Store *store, const char *how); /* or there was no memory to read it */

/* ---- save.c ---- */

void store_create(Store *store);                        /* a new, empty database beside path */
void store_execute(Store *store, const char *sql);      /* NULL: there was no memory for it */
void store_write(Store *store, const Profile *profile); /* into an empty database */
/* The same in steps: empty tables, with the profile's command and root; rows in any order, each once; the views. */
void store_begin(Store *store, const Profile *about);
void store_row(Store *store, TableId table, uint32_t parent, uint32_t number, const void *row);
/* Into a table without a parent, behind those that came so before it. */
void store_next(Store *store, TableId table, const void *row);
/* All rows of a table that belong to a row of its parent (0: it has none), as those of row `as_parent`. */
void store_rows(Store *store, TableId table, const Profile *profile, uint32_t parent,
                uint32_t as_parent);
void store_end(Store *store);
bool store_finish(Store *store); /* closes; the new file takes the place of path unless failed */

/* ---- load.c ---- */

void store_open(Store *store); /* the file at path, to read it */
/* Before the first statement about a database of `bytes` that others made. */
void store_guard(Store *store, uint64_t bytes);
void store_check(Store *store); /* that it is a profile, and whole */
/* false: there is none, or (then it fails) what has the name is no plain table. */
bool store_has_table(Store *store, const char *name);
/* A column of a row, in the arena; NULL where it is. */
const char *store_text(Store *store, Arena *arena, struct sqlite3_stmt *query, int at);
int64_t store_number(Store *store, const char *query); /* its first column, 0 if failed */
Profile *store_read(Store *store);                     /* store_check, then its tables; or NULL */
bool store_of_launches(TableId table); /* its rows say what launches have counted and recorded */
Profile *
store_survey(Store *store); /* the same, but nothing that launches have counted or recorded */

/* ---- views.c ---- */

extern const char store_views[]; /* SQL that creates the views */
