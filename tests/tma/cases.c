/* Draws the cases. Tensors are small, so that most boxes leave them on one side or the other. */
#include "tma.h"

const char *const reduce_names[REDUCES] = {"add", "min", "max", "inc", "dec", "and", "or", "xor"};

static uint64_t state;
void draw_from(uint64_t seed) {
    state = seed * UINT64_C(0x2545f4914f6cdd1d) + 1;
}
uint32_t draw(void) { /* splitmix64 */
    uint64_t z = (state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((z ^ (z >> 31)) >> 32);
}
static uint32_t below(uint32_t limit) {
    return draw() % limit;
}
static int between(int low, int high) {
    return low + (int)below((uint32_t)(high - low + 1));
}

uint32_t type_size(CUtensorMapDataType type) {
    static const uint8_t sizes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
    return type <= TENSOR_MAP_TFLOAT32_FTZ ? sizes[type] : 1;
}
static bool is_float(CUtensorMapDataType type) {
    return type >= TENSOR_MAP_FLOAT16 && type <= TENSOR_MAP_TFLOAT32_FTZ;
}

bool case_im2col(const Case *one) {
    return one->kind == KIND_IM2COL || one->kind == KIND_IM2COL_STORE;
}
bool case_loads(const Case *one) {
    return one->kind != KIND_STORE && one->kind != KIND_REDUCE && one->kind != KIND_IM2COL_STORE;
}

static uint32_t span_of(const Case *one) {
    return one->swizzle == TENSOR_MAP_SWIZZLE_NONE ? 256 : 16u << one->swizzle;
}

/* Types that a reduction takes; with others it is an illegal instruction. */
static CUtensorMapDataType reduced_type(Reduce reduce) {
    static const CUtensorMapDataType adds[] = {
        TENSOR_MAP_UINT32,   TENSOR_MAP_INT32,       TENSOR_MAP_UINT64,   TENSOR_MAP_FLOAT16,
        TENSOR_MAP_FLOAT32,  TENSOR_MAP_FLOAT64,     TENSOR_MAP_BFLOAT16, TENSOR_MAP_FLOAT32_FTZ,
        TENSOR_MAP_TFLOAT32, TENSOR_MAP_TFLOAT32_FTZ};
    static const CUtensorMapDataType extremes[] = {TENSOR_MAP_UINT32,  TENSOR_MAP_INT32,
                                                   TENSOR_MAP_UINT64,  TENSOR_MAP_INT64,
                                                   TENSOR_MAP_FLOAT16, TENSOR_MAP_BFLOAT16};
    static const CUtensorMapDataType bits[] = {TENSOR_MAP_UINT32, TENSOR_MAP_INT32,
                                               TENSOR_MAP_UINT64};
    switch (reduce) {
    case ADD:
        return adds[below(10)];
    case MIN:
    case MAX:
        return extremes[below(6)];
    case INC:
    case DEC:
        return TENSOR_MAP_UINT32;
    default:
        return bits[below(3)];
    }
}

static void draw_layout(Case *one) {
    one->interleave = TENSOR_MAP_INTERLEAVE_NONE;
    if (one->rank >= 3 && !case_im2col(one) && below(5) == 0)
        one->interleave = below(2) ? TENSOR_MAP_INTERLEAVE_32B : TENSOR_MAP_INTERLEAVE_16B;
    one->swizzle = (CUtensorMapSwizzle)below(4);
    one->promotion = (CUtensorMapL2promotion)below(4);
    one->fill =
        is_float(one->type) && below(3) == 0 ? TENSOR_MAP_OOB_FILL_NAN : TENSOR_MAP_OOB_FILL_NONE;
    one->offset = 512 + 32 * below(8);
    one->shared = 128 * below(9);
}

/* Bytes of a slice of channels, 0 where there are none; and how many channels that is. */
static uint32_t slice_of(const Case *one) {
    return one->interleave ? 8u << one->interleave : 0;
}
static uint32_t channels_of(const Case *one) {
    return one->interleave ? slice_of(one) / type_size(one->type) : 1;
}

/* Extents of outer dimensions and strides so that the tensor fits into its memory. The last but one
 * dimension of an interleaved tensor is that of channels. */
static void draw_extents(Case *one, uint32_t inner_most) {
    uint32_t size = type_size(one->type), slice = slice_of(one);
    one->extent[0] = 1 + below(inner_most);
    uint64_t bytes = (one->extent[0] * (slice ? slice : size) + 31) / 32 * 32;
    for (uint32_t i = 1; i < one->rank; i++) {
        uint32_t channels = i == one->rank - 2 ? channels_of(one) : 1;
        one->extent[i] = channels * (1 + below(i < 3 ? 9 : 4));
        one->stride[i - 1] = bytes + (below(3) == 0 ? 32 * below(3) : 0);
        bytes = one->stride[i - 1] * (one->extent[i] / channels);
    }
}

static bool fits(const Case *one) {
    uint64_t bytes = one->extent[0] * (one->interleave ? slice_of(one) : type_size(one->type));
    for (uint32_t i = 1; i < one->rank; i++)
        bytes += one->stride[i - 1] * (one->extent[i] - 1);
    return bytes <= TENSOR - 4096;
}

static uint32_t along(const Case *one, uint32_t i) {
    uint32_t step = i == 0 && !one->interleave ? 1 : one->step[i];
    uint32_t channels = i == one->rank - 2 ? channels_of(one) : 1;
    return (one->box[i] / channels + step - 1) / step;
}

static void draw_box(Case *one) {
    uint32_t size = type_size(one->type), least = size < 16 ? 16 / size : 1;
    uint32_t most = one->interleave ? 2 : span_of(one) / 16;
    one->box[0] = least * (below(3) ? 1 + below(most) : most);
    one->box[0] = one->box[0] > 256 ? 256 : one->box[0];
    for (uint32_t i = 1; i < one->rank; i++) {
        uint32_t channels = i == one->rank - 2 ? channels_of(one) : 1;
        one->box[i] = channels * (1 + below(channels > 1 ? 3 : i == 1 ? 16 : i == 2 ? 6 : 3));
    }
    for (uint32_t i = 0; i < one->rank; i++)
        one->step[i] = below(4) || (one->interleave && i == one->rank - 2) ? 1 : 1 + below(8);
    one->bytes = one->interleave ? slice_of(one) : size;
    for (uint32_t i = 0; i < one->rank; i++)
        one->bytes *= along(one, i);
}

static bool stores(const Case *one) {
    return !case_loads(one);
}

/* The coordinate of a box is drawn so that it may reach over both ends of the tensor; stores do not begin
 * before it. */
static int coordinate(const Case *one, int box, int extent) {
    if (below(stores(one) ? 8 : 3))
        return between(0, extent - 1);
    return between(stores(one) ? 0 : -box - 1, extent + 1);
}

/* In the innermost dimension boxes begin at multiples of 16 bytes. */
static int32_t innermost(const Case *one, uint32_t box) {
    int unit = one->interleave ? 1 : (int)(16 / type_size(one->type));
    return unit * coordinate(one, (int)box / unit, ((int)one->extent[0] + unit - 1) / unit);
}

/* A row takes the swizzle's span in shared memory. */
static bool box_fits(const Case *one) {
    uint32_t rows =
        one->bytes / (type_size(one->type) * (case_im2col(one) ? one->channels : along(one, 0)));
    return one->interleave ? one->bytes <= AREA - 1024
                           : rows * (span_of(one) < 256 ? 128 : 256) <= AREA - 1024;
}

static void draw_tile(Case *one) {
    uint32_t size = type_size(one->type);
    do {
        draw_layout(one);
        draw_extents(one, one->interleave ? 40 : 600 / size);
        draw_box(one);
    } while (!fits(one) || !box_fits(one));
    for (uint32_t i = 1; i < one->rank; i++) {
        int unit = i == one->rank - 2 ? (int)channels_of(one) : 1;
        int box = (int)one->box[i] / unit, extent = (int)one->extent[i] / unit;
        one->at[i] = unit * coordinate(one, box, extent);
    }
    one->at[0] = innermost(one, one->box[0]);
}

/* The corner of the filter lies in the bounding box; in a store that lies in the tensor. */
static void draw_im2col(Case *one) {
    uint32_t size = type_size(one->type), spatial = one->rank - 2;
    int least = stores(one) ? 0 : -4;
    do {
        draw_layout(one);
        draw_extents(one, 300 / size);
        for (uint32_t i = 0; i < 5; i++)
            one->step[i] = below(3) ? 1 : 1 + below(4);
        one->channels = (size < 16 ? 16 / size : 1) * (1 + below(span_of(one) / 16));
        one->channels = one->channels > 256 ? 256 : one->channels;
        one->pixels = 1 + below(below(4) ? 32 : 100);
        one->bytes = size * one->channels * one->pixels;
    } while (!fits(one) || !box_fits(one));
    for (uint32_t i = 0; i < spatial; i++) {
        int extent = (int)one->extent[i + 1];
        do {
            one->lower[i] = between(least, 3);
            one->upper[i] = between(-4, stores(one) ? 0 : 3);
        } while (one->lower[i] > extent - 1 + one->upper[i]);
        one->at[i + 1] = between(one->lower[i], extent - 1 + one->upper[i]);
        one->offsets[i] = (uint16_t)(stores(one) || below(2) ? 0 : below(5));
    }
    one->at[0] = innermost(one, one->channels);
    one->at[one->rank - 1] = coordinate(one, 0, (int)one->extent[one->rank - 1]);
}

Case case_at(uint32_t n) {
    Case one = {.shared = 0};
    draw_from(n);
    static const uint8_t kinds[20] = {
        KIND_LOAD,   KIND_LOAD,   KIND_LOAD,         KIND_LOAD,      KIND_LOAD,
        KIND_STORE,  KIND_STORE,  KIND_STORE,        KIND_REDUCE,    KIND_REDUCE,
        KIND_REDUCE, KIND_REDUCE, KIND_IM2COL,       KIND_IM2COL,    KIND_IM2COL,
        KIND_IM2COL, KIND_IM2COL, KIND_IM2COL_STORE, KIND_MULTICAST, KIND_REPLACED};
    one.kind = (Kind)kinds[below(20)];
    one.blocks = 1 + below(3);
    bool im2col = case_im2col(&one);
    one.rank = im2col ? 3 + below(3) : 1 + below(5);
    one.type = (CUtensorMapDataType)below(13);
    if (one.kind == KIND_REDUCE) {
        one.reduce = (Reduce)below(REDUCES);
        one.type = reduced_type(one.reduce);
    }
    if (im2col)
        draw_im2col(&one);
    else
        draw_tile(&one);
    return one;
}

/* ---- arguments that are wrong ---- */

static uint64_t odd_value(void) {
    static const uint64_t values[] = {0,
                                      1,
                                      2,
                                      3,
                                      7,
                                      8,
                                      9,
                                      15,
                                      16,
                                      17,
                                      24,
                                      32,
                                      48,
                                      64,
                                      128,
                                      255,
                                      256,
                                      257,
                                      512,
                                      1024,
                                      1025,
                                      4096,
                                      65535,
                                      65536,
                                      1u << 31,
                                      UINT64_C(1) << 32,
                                      (UINT64_C(1) << 32) + 16,
                                      UINT64_C(1) << 40,
                                      (UINT64_C(1) << 40) - 16};
    return values[below(sizeof values / sizeof *values)];
}

static int odd_corner(void) {
    static const int values[] = {-32769, -32768, -129, -128, -17, -16, -5,    -1,   0,
                                 1,      5,      15,   16,   127, 128, 32767, 32768};
    return values[below(sizeof values / sizeof *values)];
}

/* In which order a place and its value are drawn is said here, since C leaves it open in one statement: that
 * of the cases that an H100 answered. */
static void spoil(Case *one, bool im2col) {
    uint32_t at, value;
    switch (below(im2col ? 13 : 10)) {
    case 0:
        one->type = (CUtensorMapDataType)below(18);
        break;
    case 1:
        one->rank = below(7);
        break;
    case 2:
        one->offset += 1u << below(6);
        break;
    case 3:
        at = below(5);
        one->extent[at] = odd_value();
        break;
    case 4:
        at = below(4);
        one->stride[at] = odd_value();
        break;
    case 5:
        value = (uint32_t)odd_value();
        one->box[below(5)] = value;
        break;
    case 6:
        at = below(5);
        one->step[at] = below(11);
        break;
    case 7:
        one->interleave = (CUtensorMapInterleave)below(4);
        break;
    case 8:
        one->swizzle = (CUtensorMapSwizzle)below(8);
        break;
    case 9:
        one->promotion = (CUtensorMapL2promotion)below(5);
        one->fill = (CUtensorMapFloatOOBfill)below(3);
        break;
    case 10:
        at = below(3);
        one->lower[at] = odd_corner();
        break;
    case 11:
        at = below(3);
        one->upper[at] = odd_corner();
        break;
    default:
        value = (uint32_t)odd_value();
        *(below(2) ? &one->channels : &one->pixels) = value;
        break;
    }
}

Case case_refused(uint32_t n, bool *im2col) {
    uint32_t number = n * 2654435761u;
    Case one = case_at(number);
    *im2col = case_im2col(&one);
    draw_from(number + UINT64_C(0x100000000));
    spoil(&one, *im2col);
    if (below(4) == 0)
        spoil(&one, *im2col);
    return one;
}

CUresult case_encode(const Case *one, bool im2col, CUtensorMap *map, CUdeviceptr memory) {
    void *address = (void *)(uintptr_t)(memory + one->offset);
    if (im2col)
        return cuTensorMapEncodeIm2col(map, one->type, one->rank, address, one->extent, one->stride,
                                       one->lower, one->upper, one->channels, one->pixels,
                                       one->step, one->interleave, one->swizzle, one->promotion,
                                       one->fill);
    return cuTensorMapEncodeTiled(map, one->type, one->rank, address, one->extent, one->stride,
                                  one->box, one->step, one->interleave, one->swizzle,
                                  one->promotion, one->fill);
}

/* Type numbers of tensormap.replace differ from the driver's. */
Place case_place(const Case *one, CUdeviceptr tensor) {
    static const uint8_t types[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 8, 11, 12};
    Place place = {.shared = one->shared,
                   .bytes = one->bytes,
                   .blocks = one->blocks,
                   .rank = one->rank - 1,
                   .type = types[one->type],
                   .interleave = one->interleave,
                   .swizzle = one->swizzle,
                   .fill = one->fill,
                   .address = tensor + one->offset};
    for (uint32_t i = 0; i < 5; i++) {
        place.at[i] = one->at[i];
        place.extent[i] = i < one->rank ? (uint32_t)one->extent[i] : 1;
        place.box[i] = i < one->rank ? one->box[i] : 1;
        place.step[i] = i < one->rank ? one->step[i] : 1;
        if (i < 4)
            place.stride[i] = one->stride[i];
        if (i < 3)
            place.offsets[i] = one->offsets[i];
    }
    return place;
}

static void print_list(FILE *to, const char *name, const int64_t *values, uint32_t count) {
    fprintf(to, " %s", name);
    for (uint32_t i = 0; i < count; i++)
        fprintf(to, "%c%lld", i ? ',' : '=', (long long)values[i]);
}

#define PRINT(field, count)                                                                        \
    do {                                                                                           \
        int64_t values[5] = {0};                                                                   \
        for (uint32_t i = 0; i < (count); i++)                                                     \
            values[i] = (int64_t)one->field[i];                                                    \
        print_list(to, #field, values, count);                                                     \
    } while (0)

void case_print(FILE *to, uint32_t n, const Case *one) {
    static const char *const kinds[] = {"load",         "store",     "reduce",  "im2col",
                                        "im2col-store", "multicast", "replaced"};
    bool im2col = case_im2col(one);
    uint32_t rank = one->rank > 5 ? 5 : one->rank;
    fprintf(to, "%u %s reduce=%s type=%d rank=%u offset=%u", n, kinds[one->kind],
            reduce_names[one->reduce], (int)one->type, one->rank, one->offset);
    PRINT(extent, rank);
    PRINT(stride, rank ? rank - 1 : 0);
    PRINT(step, rank);
    if (im2col) {
        PRINT(lower, rank > 2 ? rank - 2 : 0);
        PRINT(upper, rank > 2 ? rank - 2 : 0);
        PRINT(offsets, rank > 2 ? rank - 2 : 0);
        fprintf(to, " channels=%u pixels=%u", one->channels, one->pixels);
    } else {
        PRINT(box, rank);
    }
    fprintf(to, " interleave=%d swizzle=%d fill=%d", (int)one->interleave, (int)one->swizzle,
            (int)one->fill);
    PRINT(at, rank);
    fprintf(to, " shared=%u bytes=%u\n", one->shared, one->bytes);
}
