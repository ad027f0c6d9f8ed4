/* csv: tables of comma-separated values as RFC 4180 has them - the first record names the columns,
 * fields may be quoted, "" within quotes is a quote, lines end in LF or CRLF. Empty lines, a
 * byte order mark, and lines before the header that begin with '#' are skipped. */
#pragma once

#include "base/base.h"

typedef struct CsvField {
    Str text; /* without its quotes; in the arena or in the file's text */
    uint32_t line, column;
} CsvField;

typedef struct CsvRecord {
    CsvField *fields; /* [Csv.columns] */
    uint32_t line;
} CsvRecord;

typedef struct Csv {
    const char *file;
    uint32_t columns;
    CsvField *header;
    VEC(CsvRecord) records;
} Csv;

/* NULL, with errors in diags, where the file cannot be read, has no header, an open quote, or a
 * record of another length than the header. */
Csv *csv_read(Arena *arena, const char *file, Diags *diags);
/* The column of that name; Csv.columns where there is none. */
uint32_t csv_column(const Csv *csv, const char *name);
Place csv_place(const Csv *csv, CsvField field);
