/* From a box to its rows (PTX ISA 5.5.3 tiled mode, 5.5.4 im2col mode; what the manual leaves open was
 * measured on an H100, docs/tma.md). A row is what lies one behind the other along dimension 0; the
 * other dimensions are axes that a walk steps along, the first of them fastest.
 *
 * Interleaved tensors (NC/8HWC8): slices of 16 or 32 bytes lie one behind the other along dimension 0,
 * which is the width; the last but one dimension tells which slice of the channels. A box has one of
 * them, whatever its extent there says. */
#include "exec/async/tensor_map.h"

#include <assert.h>

static uint32_t ceiling(uint32_t a, uint32_t b) {
    return (a + b - 1) / b;
}

static uint32_t slice_bytes(const TensorMap *map) {
    return 8u << map->interleave;
}

static TensorAxis *add_axis(TensorWalk *walk) {
    TensorAxis *axis = &walk->axes[walk->axis_count++];
    *axis = (TensorAxis){.step = 1, .count = 1};
    return axis;
}

/* `elements` of dimension 0 from coordinate `at` on: which of them are inside. */
static void set_row(TensorWalk *walk, const TensorMap *map, int64_t at, uint32_t elements) {
    uint32_t bytes = tensor_type_bytes((TensorType)map->type);
    int64_t extent = (int64_t)map->last[0] + 1, first = at < 0 ? -at : 0, end = extent - at;
    end = end > elements ? elements : end;
    walk->row = (TensorRow){.bytes = elements * bytes};
    walk->base = map->address + (uint64_t)at * bytes;
    if (first < end) {
        walk->row.skip = (uint32_t)first * bytes;
        walk->row.inside = (uint32_t)(end - first) * bytes;
    }
}

/* Rows narrower than the swizzle's span are as far apart as that. */
static void set_pitch(TensorWalk *walk, const TensorMap *map) {
    uint32_t span = map->swizzle && !map->interleave ? 16u << map->swizzle : 0;
    walk->pitch = walk->row.bytes > span ? walk->row.bytes : span;
}

/* ---- tiles ---- */

/* A row of an interleaved tensor is one slice. */
static void set_slice(TensorWalk *walk, const TensorMap *map) {
    uint32_t bytes = slice_bytes(map);
    walk->row = (TensorRow){.bytes = bytes, .inside = bytes};
    walk->base = map->address;
}

static void begin_tile(TensorWalk *walk, const TensorMap *map, const TensorBox *box) {
    if (map->interleave)
        set_slice(walk, map);
    else
        set_row(walk, map, box->at[0], map->box[0]);
    walk->rows = 1;
    for (uint32_t i = map->interleave ? 0 : 1; i < map->rank; i++) {
        TensorAxis *axis = add_axis(walk);
        axis->at = axis->first = box->at[i];
        axis->extent = (uint64_t)map->last[i] + 1;
        axis->stride = i ? map->stride[i - 1] : slice_bytes(map);
        axis->step = map->step[i];
        bool slices = map->interleave && i == map->rank - 2u;
        axis->count = slices ? 1 : ceiling(map->box[i], map->step[i]);
        walk->rows *= axis->count;
    }
}

/* So many of the rows along the first axis are inside, or outside, like the next one. */
static uint32_t alike(const TensorWalk *walk, bool inside) {
    const TensorAxis *axis = &walk->axes[0];
    int64_t left = axis->count - axis->done, until = left;
    if (inside)
        until = ((int64_t)axis->extent - 1 - axis->at) / axis->step + 1;
    else if (axis->at < 0)
        until = (-axis->at + axis->step - 1) / axis->step;
    return (uint32_t)(until < left ? until : left);
}

static void step_tile(TensorWalk *walk, uint32_t rows) {
    for (uint32_t i = 0; i < walk->axis_count; i++) {
        TensorAxis *axis = &walk->axes[i];
        axis->at += (int64_t)axis->step * rows;
        axis->done += rows;
        if (axis->done < axis->count)
            return;
        axis->at = axis->first;
        axis->done = 0;
        rows = 1;
    }
}

/* ---- im2col ---- */

/* Pixels follow each other through the bounding box, which lies in all dimensions but the first and the
 * last; behind its end comes the next image. */
static void begin_im2col(TensorWalk *walk, const TensorMap *map, const TensorBox *box) {
    set_row(walk, map, box->at[0], map->box[0]);
    walk->rows = map->box[1];
    for (uint32_t i = 1; i < map->rank; i++) {
        TensorAxis *axis = add_axis(walk);
        bool spatial = i < map->rank - 1u;
        axis->at = box->at[i];
        axis->extent = (uint64_t)map->last[i] + 1;
        axis->stride = map->stride[i - 1];
        axis->step = map->step[i];
        axis->first = spatial ? map->lower[i - 1] : 0;
        axis->end = spatial ? (int64_t)map->last[i] + 1 + map->upper[i - 1] : INT64_MAX;
        axis->offset = spatial ? box->offset[i - 1] : 0;
    }
}

static void step_im2col(TensorWalk *walk) {
    for (uint32_t i = 0; i < walk->axis_count; i++) {
        TensorAxis *axis = &walk->axes[i];
        axis->at += axis->step;
        if (axis->at < axis->end)
            return;
        axis->at = axis->first;
    }
}

/* ---- both ---- */

void tensor_walk_begin(TensorWalk *walk, const TensorMap *map, const TensorBox *box) {
    assert(!tensor_map_wrong(map));
    *walk = (TensorWalk){.im2col = map->im2col};
    if (map->im2col)
        begin_im2col(walk, map, box);
    else
        begin_tile(walk, map, box);
    set_pitch(walk, map);
}

bool tensor_walk_next(TensorWalk *walk, TensorRow *row) {
    if (walk->rows == 0)
        return false;
    bool inside = true;
    uint64_t address = walk->base;
    for (uint32_t i = 0; i < walk->axis_count; i++) {
        const TensorAxis *axis = &walk->axes[i];
        uint64_t at = (uint64_t)(axis->at + axis->offset);
        inside &= at < axis->extent;
        address += at * axis->stride;
    }
    *row = walk->row;
    row->shared = walk->shared;
    row->global = address + row->skip;
    row->count = 1;
    row->pitch = walk->pitch;
    if (!inside)
        row->skip = row->inside = 0;
    if (walk->im2col) {
        step_im2col(walk);
    } else if (walk->axis_count) {
        row->count = alike(walk, inside);
        row->apart = walk->axes[0].stride * walk->axes[0].step;
        step_tile(walk, row->count);
    }
    walk->rows -= row->count;
    walk->shared += row->count * walk->pitch;
    return true;
}

/* ---- boxes ---- */

/* Rows and the bytes of each. */
static uint32_t rows_of(const TensorMap *map, uint32_t *bytes) {
    TensorWalk walk;
    tensor_walk_begin(&walk, map, &(TensorBox){{0}, {0}});
    *bytes = walk.row.bytes;
    return walk.rows;
}

uint32_t tensor_box_bytes(const TensorMap *map) {
    uint32_t bytes, rows = rows_of(map, &bytes);
    return rows * bytes;
}

uint32_t tensor_box_room(const TensorMap *map) {
    TensorWalk walk;
    tensor_walk_begin(&walk, map, &(TensorBox){{0}, {0}});
    return walk.rows * walk.pitch;
}
