/* The document's pictures of accesses. Equal ones - an unrolled loop has many - are one row. */
#include "report/document.h"

#include <stdlib.h>
#include <string.h>

static json_t *lane_values(const Picture *picture, uint64_t start, bool wavefronts) {
    json_t *values = json_array();
    uint32_t mask = wavefronts ? picture->schedule.lanes : picture->mask;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        uint64_t value =
            wavefronts ? picture->schedule.wavefront[lane] : picture->address[lane] - start;
        json_array_append_new(values,
                              mask >> lane & 1 ? json_integer((json_int_t)value) : json_null());
    }
    return values;
}

/* The 128 bytes that the lowest address lies in: all addresses are given from there. Global addresses
 * are relative, so they may lie below 0. */
static uint64_t start_of(const Picture *picture) {
    int64_t lowest = INT64_MAX;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        if (picture->mask >> lane & 1 && (int64_t)picture->address[lane] < lowest)
            lowest = (int64_t)picture->address[lane];
    return (uint64_t)lowest & ~(uint64_t)(LINE_BYTES - 1);
}

/* Of atomics around a compare-and-swap: the picture is not all of the cost. */
static void add_rounds(json_t *object, const Picture *picture) {
    const Schedule *schedule = &picture->schedule;
    if (schedule->passes > 1)
        json_object_set_new(object, "passes", json_integer(schedule->passes));
    if (schedule->swaps)
        json_object_set_new(object, "rounds", json_integer(picture->rounds));
    if (schedule->swaps)
        json_object_set_new(object, "swaps", json_integer(schedule->swaps));
}

uint32_t document_picture(Document *document, const Picture *picture, bool banks) {
    uint64_t start = start_of(picture), row;
    json_t *object =
        json_pack("{s:s,s:i,s:i,s:i,s:o,s:o}", "kind", banks ? "banks" : "sectors", "width",
                  (int)picture->width, "cost", (int)picture->cost, "ideal", (int)picture->ideal,
                  "address", lane_values(picture, start, false), "wavefront",
                  banks ? lane_values(picture, start, true) : json_null());
    if (banks)
        add_rounds(object, picture);
    char *text = json_dumps(object, JSON_COMPACT);
    const char *key = arena_printf(document->arena, "%s", text);
    free(text);
    if (map_get(document->picture_rows, str_of(key), &row)) {
        json_decref(object);
        return (uint32_t)row;
    }
    row = json_array_size(document->pictures);
    key = arena_copy(document->report->arena, key, strlen(key));
    map_put(document->picture_rows, str_of(key), row);
    json_array_append_new(document->pictures, object);
    return (uint32_t)row;
}
