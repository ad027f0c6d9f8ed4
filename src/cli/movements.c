#include "cli/movements.h"

#include "exec/async/tensor_map.h"
#include "mem/mem.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIGURE_COPY_SECTORS,
    FIGURE_MATRIX_WAVEFRONTS,
    FIGURE_REMOTE_SECTORS,
    FIGURE_REMOTE_LINES,
    FIGURE_REMOTE_WAVEFRONTS
};

static const char *const figures[MOVEMENT_FIGURES] = {
    "copy_sectors", "matrix_wavefronts", "remote_sectors", "remote_lines", "remote_wavefronts"};

typedef struct Reader {
    Arena *arena;
    Diags *diags;
    const Csv *csv;
    const CsvRecord *record;
    bool failed;
} Reader;

const char *movement_figure(uint32_t figure) {
    return figures[figure];
}

static bool has(const Csv *csv, const char *name) {
    return csv_column(csv, name) < csv->columns;
}

bool movements_there(const Csv *csv) {
    return has(csv, "instruction") && (has(csv, "from") || has(csv, "extents") ||
                                       has(csv, "descriptor_b") || has(csv, "block0"));
}

/* ---- fields ---- */

static void wrong(Reader *reader, CsvField field, const char *what) {
    if (!reader->failed)
        diags_add(reader->diags, DIAG_ERROR, csv_place(reader->csv, field),
                  "expected %s, found '" STR_FMT "'", what, STR_ARG(field.text));
    reader->failed = true;
}

static CsvField field(Reader *reader, const char *name) {
    uint32_t column = csv_column(reader->csv, name);
    if (column < reader->csv->columns)
        return reader->record->fields[column];
    if (!reader->failed)
        diags_add(reader->diags, DIAG_ERROR, csv_place(reader->csv, reader->csv->header[0]),
                  "expected a column %s", name);
    reader->failed = true;
    return reader->csv->header[0];
}

/* Numbers divided by blanks; at most `most`. Returns how many there are. */
static uint32_t numbers(Reader *reader, const char *name, int64_t *to, uint32_t most) {
    CsvField at = field(reader, name);
    const char *text = arena_printf(reader->arena, STR_FMT, STR_ARG(at.text));
    uint32_t count = 0;
    while (*text && !reader->failed) {
        char *end;
        to[count < most ? count : 0] = strtoll(text, &end, 0);
        if (end == text || (*end && *end != ' ') || ++count > most) {
            wrong(reader, at, "whole numbers, divided by blanks");
            return 0;
        }
        text = *end ? end + 1 : end;
    }
    return count;
}

static uint64_t number(Reader *reader, const char *name) {
    int64_t value = 0;
    if (numbers(reader, name, &value, 1) != 1 || value < 0)
        wrong(reader, field(reader, name), "a number");
    return (uint64_t)value;
}

/* Numbers for what has 32 bits; others become one that nothing takes. */
static uint32_t narrow(int64_t value) {
    return value >= 0 && value <= UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

static void set(MovementRow *row, uint32_t figure, uint64_t count) {
    row->computed_known[figure] = true;
    row->computed[figure] = count;
}

/* ---- bulk copies ---- */

static void read_copy(Reader *reader, MovementRow *row) {
    static const struct {
        const char *name;
        CopyWay way;
    } ways[] = {{"cp.async.bulk.load", COPY_LOAD},
                {"cp.async.bulk.multicast", COPY_MULTICAST},
                {"cp.async.bulk.store", COPY_STORE},
                {"cp.async.bulk.reduce", COPY_STORE},
                {"cp.async.bulk.send", COPY_SEND}};
    uint64_t from = number(reader, "from"), to = number(reader, "to");
    uint64_t bytes = number(reader, "bytes");
    for (uint32_t i = 0; i < sizeof ways / sizeof *ways && !reader->failed; i++)
        if (str_is(row->instruction, ways[i].name)) {
            set(row, FIGURE_COPY_SECTORS, mem_copy_sectors(ways[i].way, from, to, bytes));
            return;
        }
    wrong(reader, field(reader, "instruction"),
          "cp.async.bulk.load, .multicast, .store, .reduce or .send");
}

/* ---- boxes of tensors ---- */

static TensorType type_of(Reader *reader) {
    CsvField type = field(reader, "type");
    const TensorType named = tensor_type_named(type.text);
    if (named < TENSOR_TYPES)
        return named;
    wrong(reader, type, "a type of elements, as u8, bf16 or tf32");
    return TENSOR_U8;
}

static TensorSwizzle swizzle_of(Reader *reader) {
    const TensorSwizzle swizzle = tensor_swizzle_of(number(reader, "swizzle"));
    if (swizzle < TENSOR_SWIZZLES)
        return swizzle;
    wrong(reader, field(reader, "swizzle"), "0, 32, 64 or 128 bytes");
    return TENSOR_SWIZZLE_NONE;
}

static bool read_map(Reader *reader, TensorMap *map, TensorBox *box) {
    int64_t extents[TENSOR_RANK_MOST], strides[TENSOR_RANK_MOST] = {0}, boxes[TENSOR_RANK_MOST];
    int64_t steps[TENSOR_RANK_MOST], lower[TENSOR_RANK_MOST], upper[TENSOR_RANK_MOST];
    int64_t at[TENSOR_RANK_MOST], offsets[TENSOR_RANK_MOST];
    uint64_t extent[TENSOR_RANK_MOST], stride[TENSOR_RANK_MOST];
    uint32_t tile[TENSOR_RANK_MOST], step[TENSOR_RANK_MOST];
    int low[TENSOR_RANK_MOST], high[TENSOR_RANK_MOST];
    uint32_t rank = numbers(reader, "extents", extents, TENSOR_RANK_MOST);
    uint32_t corners = numbers(reader, "lower", lower, TENSOR_RANK_MOST - 2);
    uint32_t shifts = numbers(reader, "offsets", offsets, TENSOR_RANK_MOST - 2);
    bool fits = numbers(reader, "strides", strides, TENSOR_RANK_MOST) + 1 == rank &&
                numbers(reader, "steps", steps, TENSOR_RANK_MOST) == rank &&
                numbers(reader, "at", at, TENSOR_RANK_MOST) == rank && shifts == corners &&
                (corners == 0 || corners + 2 == rank) &&
                numbers(reader, "upper", upper, TENSOR_RANK_MOST - 2) == corners &&
                numbers(reader, "box", boxes, TENSOR_RANK_MOST) == (corners ? 2 : rank);
    for (uint32_t i = 0; fits && i < rank; i++) {
        extent[i] = (uint64_t)extents[i];
        stride[i] = (uint64_t)strides[i];
        tile[i] = corners && i > 1 ? 1 : narrow(boxes[i]);
        step[i] = narrow(steps[i]);
        box->at[i] = (int32_t)at[i];
    }
    for (uint32_t i = 0; fits && i < corners; i++) {
        low[i] = (int)lower[i];
        high[i] = (int)upper[i];
        box->offset[i] = (uint16_t)offsets[i];
    }
    TensorEncoding encoding = {.type = type_of(reader),
                               .rank = rank,
                               .address = number(reader, "address"),
                               .extent = extent,
                               .stride = stride,
                               .box = tile,
                               .step = step,
                               .lower = corners ? low : NULL,
                               .upper = corners ? high : NULL,
                               .channels = fits ? tile[0] : 0,
                               .pixels = fits && rank > 1 ? tile[1] : 0,
                               .swizzle = swizzle_of(reader)};
    _Alignas(TensorMap) uint8_t bytes[TENSOR_MAP_BYTES] = {0};
    bool encoded = fits && !reader->failed && tensor_map_encode(&encoding, bytes);
    memcpy(map, bytes, sizeof *map);
    return encoded;
}

static void read_tensor(Reader *reader, MovementRow *row) {
    TensorMap map;
    TensorBox box = {0};
    TensorWalk walk;
    TensorRow next;
    TensorWay way = TENSOR_LOADS;
    if (str_is(row->instruction, "cp.async.bulk.tensor.multicast"))
        way = TENSOR_MULTICASTS;
    else if (str_is(row->instruction, "cp.async.bulk.tensor.store") ||
             str_is(row->instruction, "cp.async.bulk.tensor.reduce"))
        way = TENSOR_STORES;
    else if (!str_starts(row->instruction, "cp.async.bulk.tensor.load"))
        wrong(reader, field(reader, "instruction"),
              "cp.async.bulk.tensor.load, .multicast, .store or .reduce");
    uint64_t shared = number(reader, "shared"), sectors = 0;
    if (!read_map(reader, &map, &box)) {
        wrong(reader, field(reader, "extents"), "a tensor and a box that a tensor map can have");
        return;
    }
    tensor_walk_begin(&walk, &map, &box);
    while (tensor_walk_next(&walk, &next))
        if (way != TENSOR_STORES || next.inside)
            sectors += tensor_row_sectors(&map, &next, (uint32_t)shared, way);
    set(row, FIGURE_COPY_SECTORS, sectors);
}

/* ---- wgmma ---- */

enum { ROWS_OF_A = 64, N_STEP = 8, N_MOST = 256, LINE_OF_B = 32 };

/* "wgmma.m64n32k16.f16", "wgmma.sp.…": of .sp A has half of the elements. N is 8 … 256; a line of B has K elements in 32 bytes, 64
 * with .sp. */
static void read_wgmma(Reader *reader, MovementRow *row) {
    static const struct {
        const char *name;
        uint32_t bits;
    } types[] = {{"f16", 16}, {"bf16", 16}, {"tf32", 32}, {"e4m3", 8},
                 {"e5m2", 8}, {"s8", 8},    {"u8", 8},    {"b1", 1}};
    const char *name = arena_printf(reader->arena, STR_FMT, STR_ARG(row->instruction));
    bool sparse = strncmp(name, "wgmma.sp.", 9) == 0;
    unsigned n = 0, k = 0;
    char type[8] = "";
    if (sscanf(name, sparse ? "wgmma.sp.m64n%3uk%3u.%7s" : "wgmma.m64n%3uk%3u.%7s", &n, &k, type) !=
            3 ||
        n == 0 || n % N_STEP || n > N_MOST)
        wrong(reader, field(reader, "instruction"), "an instruction like wgmma.m64n32k16.f16");
    const uint32_t line = sparse ? 2 * LINE_OF_B : LINE_OF_B;
    for (uint32_t i = 0; i < sizeof types / sizeof *types && !reader->failed; i++)
        if (strcmp(type, types[i].name) == 0 && k * types[i].bits == line * 8) {
            uint64_t bytes = (uint64_t)n * line;
            if (!str_is(field(reader, "descriptor_a").text, "registers"))
                bytes += ROWS_OF_A * (sparse ? line / 2 : line);
            set(row, FIGURE_MATRIX_WAVEFRONTS, mem_matrix_wavefronts(bytes));
            return;
        }
    wrong(reader, field(reader, "instruction"), "a type of wgmma, and the K that it has");
}

/* ---- shared memory of clusters ---- */

enum { BLOCKS_MOST = 16 }; /* of a cluster */

static bool read_lane(Reader *reader, uint32_t lane, uint64_t *address, uint8_t *block) {
    int64_t at = -1;
    const char *column = arena_printf(reader->arena, "lane%u", lane);
    if (numbers(reader, column, &at, 1) != 1)
        wrong(reader, field(reader, column), "a byte offset, or -1 for a lane not active");
    if (at < 0)
        return false;
    *address = (uint64_t)at;
    const char *name = arena_printf(reader->arena, "block%u", lane);
    *block = BLOCK_OWN;
    if (!str_is(field(reader, name).text, "own")) {
        uint64_t rank = number(reader, name);
        if (rank >= BLOCKS_MOST)
            wrong(reader, field(reader, name), "a block of the cluster, 0 to 15, or own");
        *block = (uint8_t)rank;
    }
    return true;
}

static void read_remote(Reader *reader, MovementRow *row) {
    uint64_t address[WARP_LANES] = {0};
    uint8_t block[WARP_LANES] = {0};
    Access access = {.kind = str_starts(row->instruction, "st.") ? ACCESS_STORE : ACCESS_LOAD,
                     .space = SPACE_GENERIC,
                     .address = address,
                     .block = block};
    if (!str_starts(row->instruction, "ld.shared::cluster.") &&
        !str_starts(row->instruction, "st.shared::cluster."))
        wrong(reader, field(reader, "instruction"), "ld.shared::cluster or st.shared::cluster");
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        access.mask |= (uint32_t)read_lane(reader, lane, &address[lane], &block[lane]) << lane;
    RemoteCost cost = mem_remote(&access);
    set(row, FIGURE_REMOTE_SECTORS, cost.sectors);
    set(row, FIGURE_REMOTE_LINES, cost.lines);
    set(row, FIGURE_REMOTE_WAVEFRONTS, cost.wavefronts);
}

/* ---- tables ---- */

static void read_measured(Reader *reader, MovementTable *table, MovementRow *row) {
    row->exact = true;
    for (uint32_t i = 0; i < MOVEMENT_FIGURES; i++) {
        if (!has(reader->csv, figures[i]) || !row->computed_known[i])
            continue;
        row->measured[i] = number(reader, figures[i]);
        row->measured_known[i] = table->measured = true;
        row->exact &= row->measured[i] == row->computed[i];
    }
}

MovementTable *movements_read(Arena *arena, const Csv *csv, Diags *diags) {
    MovementTable *table = NEW(arena, MovementTable);
    Reader reader = {.arena = arena, .diags = diags, .csv = csv};
    table->file = csv->file;
    for (uint32_t i = 0; i < csv->records.count && !reader.failed; i++) {
        reader.record = &csv->records.at[i];
        MovementRow row = {.line = reader.record->line,
                           .instruction = field(&reader, "instruction").text};
        if (has(csv, "from"))
            read_copy(&reader, &row);
        else if (has(csv, "extents"))
            read_tensor(&reader, &row);
        else if (has(csv, "descriptor_b"))
            read_wgmma(&reader, &row);
        else
            read_remote(&reader, &row);
        read_measured(&reader, table, &row);
        table->exact += row.exact;
        *vec_add(arena, &table->rows) = row;
    }
    return reader.failed ? NULL : table;
}
