/* Fuzzing the reader of tables (RFC 4180) and of the accesses that `warplens model` takes from them: any bytes give records as
 * long as the header, or a message. */
#include "cli/csv.h"
#include "cli/patterns.h"
#include "fuzz.h"
#include "fuzz_file.h"

#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[] = FUZZ_FILE;
    Arena *arena = arena_new();
    Diags *diags = diags_new(arena);
    size_t length = 0;
    fuzz_file_write(path, data, size);
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
