/* What --sanitize found, in the JSON document. */
#include "report/document.h"

static json_t *place_of(Document *document, uint32_t location) {
    if (location == NONE)
        return json_null();
    const SitePlace place = location_place(document->report->profile, location);
    return json_pack("{s:o,s:I}", "file", document_index(document_file(document, place.file)),
                     "line", (json_int_t)place.line);
}

static void set_thread(json_t *row, const char *block, const char *thread, const uint32_t of[3],
                       const uint32_t in[3]) {
    json_object_set_new(row, block, document_shape(of));
    json_object_set_new(row, thread, document_shape(in));
}

static json_t *defect_of(Document *document, const Defect *defect) {
    json_t *row = json_object();
    document_fields(document, row, TABLE_defect, defect);
    json_object_set_new(row, "check", json_string(defect_checks[defect_check(defect->kind)]));
    json_object_set_new(row, "title", json_string(defect_title(defect->kind)));
    json_object_set_new(row, "kernel",
                        defect->kernel == NONE
                            ? json_null()
                            : document_index(document_kernel(document, defect->kernel)));
    json_object_set_new(row, "launch",
                        defect->launch == NONE ? json_null()
                                               : json_integer((json_int_t)defect->launch));
    json_object_set_new(row, "at", place_of(document, defect->location));
    json_object_set_new(row, "other_at", place_of(document, defect->other_location));
    set_thread(row, "block", "thread", defect->block, defect->thread);
    if (defect->other_location != NONE && defect->kernel != NONE)
        set_thread(row, "other_block", "other_thread", defect->other_block, defect->other_thread);
    return row;
}

json_t *document_defects(Document *document) {
    const Profile *profile = document->report->profile;
    json_t *defects = profile->defects.count ? json_array() : NULL;
    for (uint32_t i = 0; i < profile->defects.count; i++)
        json_array_append_new(defects, defect_of(document, &profile->defects.at[i]));
    return defects;
}
