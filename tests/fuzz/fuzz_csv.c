/* Fuzzing the reader of tables (RFC 4180) and of the accesses that `warplens model` takes from them: any bytes give records as
 * long as the header, or a message. */
#include "cli/csv.h"
#include "cli/patterns.h"
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void must(bool good, const char *what) {
    if (good)
        return;
    perror(what);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[] = "/dev/shm/warplens-fuzz-XXXXXX";
    Arena *arena = arena_new();
    Diags *diags = diags_new(arena);
    size_t length = 0;
    int file = mkstemp(path);
    must(file >= 0 && write(file, data, size) == (ssize_t)size, path);
    close(file);
    const Csv *csv = csv_read(arena, path, diags);
    must(csv ? csv->columns > 0 : diags->errors > 0, "a table, or a reason");
    for (uint32_t r = 0; csv && r < csv->records.count; r++)
        for (uint32_t c = 0; c < csv->columns; c++) {
            const CsvField *field = &csv->records.at[r].fields[c];
            must(field->line >= csv->records.at[r].line && field->column, "a field that is there");
            length += field->text.length;
        }
    must(length <= size, "fields that are longer than the file");
    patterns_read(arena, path, diags);
    unlink(path);
    arena_free(arena);
    return 0;
}
