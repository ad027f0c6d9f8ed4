/* line_table: where machine code comes from, as cubins tell it in tables of DWARF 2 (section 6.2). Private to image/. */
#pragma once

#include "image/image.h"

#define NO_ROW UINT32_MAX /* and no file, no function */

typedef struct LineRow {
    uint64_t function; /* number of its symbol */
    uint64_t address;
    uint32_t file, line; /* file: in the table from 1, then of all files from 0, or NO_ROW */
    uint32_t caller;     /* row of the call that it is inlined at; NO_ROW: it is not */
    uint32_t callee;     /* where the inlined function's name begins in .debug_str */
    uint32_t number;     /* in the order of the table */
    bool ends;           /* the code of the rows before it ends here */
} LineRow;
typedef VEC(LineRow) LineRows;

typedef struct LineTable {
    LineRows rows;           /* in the order of the table: sequences, by address within each */
    VEC(const char *) files; /* of all units */
} LineTable;

/* The table in the section of that name; malformed, as far as it can be read. false: there is none. */
bool line_table_read(Arena *arena, const Elf *elf, const char *name, LineTable *table);
