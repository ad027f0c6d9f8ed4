#include "cli/csv.h"

#include <errno.h>
#include <string.h>

typedef VEC(CsvField) Fields;

typedef struct Reader {
    Arena *arena;
    Diags *diags;
    const char *file, *at, *end;
    const char *line_start;
    uint32_t line;
} Reader;

static uint32_t column_of(const Reader *reader) {
    return (uint32_t)(reader->at - reader->line_start) + 1;
}

static void error_here(Reader *reader, uint32_t line, uint32_t column, const char *message) {
    Place place = {.file = reader->file, .line = line, .column = column};
    diags_add(reader->diags, DIAG_ERROR, place, "%s", message);
}

static void next_line(Reader *reader) {
    reader->at++;
    reader->line++;
    reader->line_start = reader->at;
}

/* At the end of a record: "\n", "\r\n", or the end of the text. */
static bool at_end_of_record(const Reader *reader) {
    return reader->at == reader->end || *reader->at == '\n' ||
           (*reader->at == '\r' && reader->at + 1 < reader->end && reader->at[1] == '\n');
}

/* The quote that closes the field opened at `open`; NULL where none does. */
static const char *closing_quote(const char *open, const char *end) {
    for (const char *at = open + 1; at < end; at++) {
        if (*at != '"')
            continue;
        if (at + 1 == end || at[1] != '"')
            return at;
        at++;
    }
    return NULL;
}

/* quoted = '"' { character | '""' } '"' */
static bool read_quoted(Reader *reader, CsvField *field) {
    const char *close = closing_quote(reader->at, reader->end);
    if (!close) {
        error_here(reader, field->line, field->column, "a quote is opened and never closed");
        return false;
    }
    char *text = arena_alloc(reader->arena, (size_t)(close - reader->at));
    field->text.at = text;
    for (reader->at++; reader->at < close;) {
        text[field->text.length++] = *reader->at;
        if (*reader->at == '\n')
            next_line(reader);
        else
            reader->at += *reader->at == '"' ? 2 : 1;
    }
    reader->at++;
    if (at_end_of_record(reader) || *reader->at == ',')
        return true;
    error_here(reader, reader->line, column_of(reader),
               "expected a comma or the end of the line after the closing quote");
    return false;
}

/* field = quoted | { character but comma, end of line } */
static bool read_field(Reader *reader, CsvField *field) {
    *field = (CsvField){.line = reader->line, .column = column_of(reader)};
    if (reader->at < reader->end && *reader->at == '"')
        return read_quoted(reader, field);
    field->text.at = reader->at;
    while (!at_end_of_record(reader) && *reader->at != ',')
        reader->at++;
    field->text.length = (size_t)(reader->at - field->text.at);
    return true;
}

/* record = field { ',' field } end-of-line */
static bool read_record(Reader *reader, Fields *fields) {
    fields->count = 0;
    for (;;) {
        CsvField field;
        if (!read_field(reader, &field))
            return false;
        *vec_add(reader->arena, fields) = field;
        if (at_end_of_record(reader))
            break;
        reader->at++;
    }
    if (reader->at < reader->end && *reader->at == '\r')
        reader->at++;
    if (reader->at < reader->end)
        next_line(reader);
    return true;
}

static bool check_length(Reader *reader, const Csv *csv, const Fields *fields) {
    if (fields->count == csv->columns)
        return true;
    Place place = {.file = reader->file,
                   .line = fields->at[0].line,
                   .column = fields->at[fields->count - 1].column};
    diags_add(reader->diags, DIAG_ERROR, place, "expected %u fields as in the header, found %u",
              csv->columns, fields->count);
    return false;
}

static CsvField *keep(Arena *arena, const Fields *fields) {
    CsvField *copy = NEW_ARRAY(arena, CsvField, fields->count);
    memcpy(copy, fields->at, sizeof *copy * fields->count);
    return copy;
}

/* Lines before the header that begin with '#', which say what the table is. */
static void skip_comments(Reader *reader) {
    while (reader->at < reader->end && *reader->at == '#') {
        while (reader->at < reader->end && *reader->at != '\n')
            reader->at++;
        if (reader->at < reader->end)
            next_line(reader);
    }
}

static bool read_records(Reader *reader, Csv *csv) {
    Fields fields = {0};
    skip_comments(reader);
    while (reader->at < reader->end) {
        uint32_t line = reader->line;
        if (!read_record(reader, &fields))
            return false;
        if (fields.count == 1 && fields.at[0].text.length == 0)
            continue;
        if (!csv->header) {
            csv->columns = fields.count;
            csv->header = keep(reader->arena, &fields);
            continue;
        }
        if (!check_length(reader, csv, &fields))
            return false;
        *vec_add(reader->arena, &csv->records) = (CsvRecord){keep(reader->arena, &fields), line};
    }
    return true;
}

Csv *csv_read(Arena *arena, const char *file, Diags *diags) {
    size_t size;
    const char *text = file_read(arena, file, &size);
    if (!text) {
        diags_error(diags, "cannot read %s: %s", file, strerror(errno));
        return NULL;
    }
    Reader reader = {arena, diags, file, text, text + size, text, 1};
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        reader.at = reader.line_start = text + 3;
    Csv *csv = NEW(arena, Csv);
    csv->file = file;
    if (!read_records(&reader, csv))
        return NULL;
    if (!csv->header)
        error_here(&reader, 1, 1, "expected a line that names the columns, found an empty file");
    return csv->header ? csv : NULL;
}

uint32_t csv_column(const Csv *csv, const char *name) {
    uint32_t column = 0;
    while (column < csv->columns && !str_is(csv->header[column].text, name))
        column++;
    return column;
}

Place csv_place(const Csv *csv, CsvField field) {
    return (Place){.file = csv->file, .line = field.line, .column = field.column};
}
