/* The values that documents are made of: texts, numbers of rows, counters, shapes, fields. */
#include "report/document.h"

json_t *document_text(Arena *arena, const char *text) {
    return text ? json_string(text_utf8(arena, text)) : json_null();
}

json_t *document_index(uint32_t row) {
    return row == NONE ? json_null() : json_integer(row);
}

json_t *document_counters(const Counters *counters) {
    json_t *object = json_object();
    for (int id = 0; id < COUNTER_COUNT; id++) {
        uint64_t value = counters->at[id];
        if (value)
            json_object_set_new(object, counter_info((CounterId)id)->name,
                                json_integer((json_int_t)value));
    }
    return object;
}

json_t *document_shape(const uint32_t shape[3]) {
    return json_pack("[i,i,i]", (int)shape[0], (int)shape[1], (int)shape[2]);
}

json_t *document_counter_table(void) {
    json_t *counters = json_array();
    for (int id = 0; id < COUNTER_COUNT; id++) {
        const CounterInfo *info = counter_info((CounterId)id);
        json_array_append_new(counters, json_pack("{s:s,s:s,s:s}", "name", info->name, "unit",
                                                  info->unit, "text", info->text));
    }
    return counters;
}

static json_t *field_of(Document *document, const ProfField *field, const void *row) {
    const void *at = (const char *)row + field->offset;
    switch (field->kind) {
    case FIELD_BOOL:
        return json_boolean(*(const bool *)at);
    case FIELD_REAL:
        return json_real(*(const double *)at);
    case FIELD_TEXT:
        return document_text(document->arena, *(const char *const *)at);
    case FIELD_ENUM:
        return json_string(field->names[*(const uint32_t *)at]);
    case FIELD_U32:
        return json_integer(*(const uint32_t *)at);
    case FIELD_U64:
    case FIELD_I64:
        return json_integer((json_int_t) * (const uint64_t *)at);
    case FIELD_INDEX: /* of the profile; the document has rows of its own */
    case FIELD_LANES:
        break;
    }
    return json_null();
}

void document_fields(Document *document, json_t *object, TableId table, const void *row) {
    for (uint32_t i = 0; i < prof_tables[table].field_count; i++) {
        const ProfField *field = &prof_tables[table].fields[i];
        if (field->flags & REPORT)
            json_object_set_new(object, field->name, field_of(document, field, row));
    }
}
