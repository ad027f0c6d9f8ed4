/* Every routine of routines.def, by its name for 32-bit and for 64-bit sizes, with scalars of the host and of the device, and all
 * triangles, sides and transposes: whichever way it is called, and whichever type its elements are of, its results are the same
 * numbers (those here are whole, and solved for by halves). And what it refuses, it refuses by each of its names. */
#include "check.h"
#include "hostlib/blas/shapes.def"

#include <math.h>
#include <stdint.h>

typedef struct Handle *cublasHandle_t;
enum { SUCCESS = 0, NOT_INITIALIZED = 1, INVALID_VALUE = 7, NOT_SUPPORTED = 15 };

int cublasCreate_v2(cublasHandle_t *handle);
int cublasSetPointerMode_v2(cublasHandle_t handle, int mode);

enum { N = 3, LEAD = 8, ELEMENTS = 64, WIDEST = 16 };
enum { ALL_OPS = 3, COMBINATIONS = ALL_OPS * 8 };
typedef enum Type { TYPE_S, TYPE_D, TYPE_C, TYPE_Z } Type;

static const char *const names[] = {"a",     "b",  "c",  "s",  "x",  "y",     "ap",
                                    "param", "d1", "d2", "x1", "y1", "result"};
enum { PLACES = sizeof names / sizeof *names, RESULT = PLACES - 1 };

/* A call: what it is given, and what of that it has asked for. */
typedef struct Call {
    cublasHandle_t handle;
    Type type;
    int op, fill, side, diag;
    int64_t size, step, lead;
    const void *scalar, *real;
    char *memory[PLACES];
    bool has_matrix, has_packed, has_vector, has_size, has_scalar, has_op, returns_index;
} Call;

static void *place(Call *call, const char *name) {
    size_t at = 0;
    while (strcmp(names[at], name) != 0)
        at++;
    return call->memory[at];
}

static void *noted(Call *call, bool *has, const char *name) {
    *has = true;
    return place(call, name);
}

static int64_t size_of(Call *call) {
    call->has_size = true;
    return call->size;
}

static const void *scalar_of(Call *call, const void *at) {
    call->has_scalar = true;
    return at;
}

static int op_of(Call *call) {
    call->has_op = true;
    return call->op;
}

/* ---- how each is declared and called ---- */

#define DECLARE(kind, name, first, second) DECLARE_##kind
#define DECLARE_op , int
#define DECLARE_op_t , int
#define DECLARE_op_c , int
#define DECLARE_fill , int
#define DECLARE_side , int
#define DECLARE_diag , int
#define DECLARE_size , SIZE
#define DECLARE_count , SIZE
#define DECLARE_scalar , const void *
#define DECLARE_real , const void *
#define DECLARE_inout , void *
#define DECLARE_packed , void *
#define DECLARE_result , void *
#define DECLARE_real_result , void *
#define DECLARE_index_result , void *
#define DECLARE_matrix , void *, SIZE
#define DECLARE_summand , void *, SIZE
#define DECLARE_vector , void *, SIZE

#define GIVE(kind, name, first, second) GIVE_##kind(name)
#define GIVE_op(name) , op_of(call)
#define GIVE_op_t(name) , op_of(call)
#define GIVE_op_c(name) , op_of(call)
#define GIVE_fill(name) , call->fill
#define GIVE_side(name) , call->side
#define GIVE_diag(name) , call->diag
#define GIVE_size(name) , (SIZE)size_of(call)
#define GIVE_count(name) , (SIZE)call->size
#define GIVE_scalar(name) , scalar_of(call, call->scalar)
#define GIVE_real(name) , scalar_of(call, call->real)
#define GIVE_inout(name) , place(call, #name)
#define GIVE_packed(name) , noted(call, &call->has_packed, #name)
#define GIVE_result(name) , place(call, #name)
#define GIVE_real_result(name) , place(call, #name)
#define GIVE_index_result(name) , noted(call, &call->returns_index, #name)
#define GIVE_matrix(name) , noted(call, &call->has_matrix, #name), (SIZE)call->lead
#define GIVE_summand(name) GIVE_matrix(name)
#define GIVE_vector(name) , noted(call, &call->has_vector, #name), (SIZE)call->step

#define SIZE int
#define ROUTINE(type, name, suffix, SHAPE, fortran, own)                                           \
    int cublas##name##suffix(cublasHandle_t handle SHAPE(DECLARE));                                \
    static int call_##name(Call *call) {                                                           \
        return cublas##name##suffix(call->handle SHAPE(GIVE));                                     \
    }
#define ROUTINE_32 ROUTINE
#include "hostlib/blas/routines.def"
#undef SIZE
#define SIZE int64_t
#define ROUTINE(type, name, suffix, SHAPE, fortran, own)                                           \
    int cublas##name##suffix##_64(cublasHandle_t handle SHAPE(DECLARE));                           \
    static int wide_##name(Call *call) {                                                           \
        return cublas##name##suffix##_64(call->handle SHAPE(GIVE));                                \
    }
#include "hostlib/blas/routines.def"

static const struct Row {
    const char *name;
    Type type;
    int (*call)(Call *), (*wide)(Call *); /* wide: NULL where there is none */
} rows[] = {
#define ROUTINE_32(type, name, suffix, SHAPE, fortran, own) {#name, TYPE_##type, call_##name, NULL},
#define ROUTINE(type, name, suffix, SHAPE, fortran, own)                                           \
    {#name, TYPE_##type, call_##name, wide_##name},
#include "hostlib/blas/routines.def"
};
enum { ROWS = sizeof rows / sizeof *rows };

/* ---- numbers of any type ---- */

static size_t bytes_of(Type type) {
    return type == TYPE_S ? 4 : type == TYPE_Z ? 16 : 8;
}

static void write_real(void *at, Type type, double value) {
    memset(at, 0, bytes_of(type));
    if (type == TYPE_D || type == TYPE_Z)
        *(double *)at = value;
    else
        *(float *)at = (float)value;
}

static double read_real(const void *at, Type type) {
    return type == TYPE_D || type == TYPE_Z ? *(const double *)at : *(const float *)at;
}

/* 1, 2, -1, -2: one divides by any. */
static void fill(Call *call) {
    static const double values[] = {1, 2, -2, 1, -1, 2, 1, -1, 2, -2, 1};
    for (size_t i = 0; i < PLACES; i++)
        for (size_t j = 0; j < ELEMENTS; j++)
            write_real(call->memory[i] + j * bytes_of(call->type), call->type,
                       values[(3 * i + j) % (sizeof values / sizeof *values)]);
    write_real(place(call, "param"), call->type, -1); /* of ROTM: all of the matrix is given */
    memset(call->memory[RESULT], 0, (size_t)ELEMENTS * WIDEST);
}

typedef struct Answer {
    int status;
    double numbers[PLACES][ELEMENTS];
} Answer;

static void answer(Call *call, int (*routine)(Call *), Answer *given) {
    fill(call);
    given->status = routine(call);
    OK(cuCtxSynchronize());
    for (size_t i = 0; i < PLACES; i++)
        for (size_t j = 0; j < ELEMENTS; j++)
            given->numbers[i][j] =
                read_real(call->memory[i] + j * bytes_of(call->type), call->type);
    if (call->returns_index)
        given->numbers[RESULT][0] = *(int *)(void *)call->memory[RESULT];
}

static bool near(double a, double b) {
    return fabs(a - b) <= 1e-5 * fmax(1, fabs(a));
}

static void expect_same(const char *one, const char *other, const Answer *a, const Answer *b,
                        int combination) {
    for (size_t i = 0; i < PLACES; i++)
        for (size_t j = 0; j < ELEMENTS; j++) {
            if (near(a->numbers[i][j], b->numbers[i][j]))
                continue;
            printf("%s, %s, combination %d: %s[%zu] is %g, %g\n", one, other, combination, names[i],
                   j, a->numbers[i][j], b->numbers[i][j]);
            exit(1);
        }
}

static void expect_status(const struct Row *row, Call *call, int expected, const char *what) {
    int (*const routines[])(Call *) = {row->call, row->wide};
    for (int i = 0; i < 2 && routines[i]; i++) {
        fill(call);
        const int status = routines[i](call);
        if (status != expected) {
            printf("%s%s, %s: status %d for %d\n", row->name, i ? "_64" : "", what, status,
                   expected);
            exit(1);
        }
    }
}

/* ---- what is checked ---- */

static Call plain;

static Call call_of(const struct Row *row, int combination) {
    static char *scalars; /* on the device */
    Call call = plain;
    if (!scalars) {
        CUdeviceptr made;
        OK(cuMemAlloc_v2(&made, 8 * WIDEST));
        scalars = (void *)(uintptr_t)made;
    }
    call.type = row->type;
    call.op = combination % ALL_OPS;
    call.fill = combination / ALL_OPS % 2;
    call.side = combination / ALL_OPS / 2 % 2;
    call.diag = combination / ALL_OPS / 4;
    call.scalar = scalars + 2 * (size_t)row->type * WIDEST;
    call.real = scalars + (2 * (size_t)row->type + 1) * WIDEST;
    write_real(scalars + 2 * (size_t)row->type * WIDEST, row->type, 2);
    write_real(scalars + (2 * (size_t)row->type + 1) * WIDEST, row->type & 1 ? TYPE_D : TYPE_S, 2);
    return call;
}

/* By its other name, and with scalars on the device. */
static void expect_equal_ways(const struct Row *row, Call *call, const Answer *given,
                              int combination) {
    static Answer other;
    if (row->wide) {
        answer(call, row->wide, &other);
        CHECK(other.status == given->status);
        expect_same(row->name, "with 64 bits", given, &other, combination);
    }
    CHECK(!cublasSetPointerMode_v2(call->handle, 1));
    answer(call, row->call, &other);
    CHECK(!cublasSetPointerMode_v2(call->handle, 0));
    CHECK(other.status == given->status);
    expect_same(row->name, "with scalars on the device", given, &other, combination);
}

static bool follows(const struct Row *row, const struct Row *other) {
    return (row->type == TYPE_D && other->type == TYPE_S) ||
           (row->type == TYPE_Z && other->type == TYPE_C);
}

/* Of complex numbers without an imaginary part: Cgemv as Sgemv. Crotg alone leaves one of its arguments. */
static const struct Row *as_real(const struct Row *row) {
    const bool differs = strcmp(row->name, "Crotg") == 0;
    for (size_t i = 0; i < ROWS && row->type == TYPE_C && !differs; i++)
        if (rows[i].type == TYPE_S && strcmp(rows[i].name + 1, row->name + 1) == 0)
            return &rows[i];
    return NULL;
}

static uint32_t expect_equal_types(const struct Row *row) {
    static Answer given, other;
    uint32_t good = 0;
    for (int combination = 0; combination < COMBINATIONS; combination++) {
        Call call = call_of(row, combination);
        answer(&call, row->call, &given);
        good += given.status == SUCCESS;
        expect_equal_ways(row, &call, &given, combination);
        if (row > rows && follows(row, row - 1)) {
            Call before = call_of(row - 1, combination);
            answer(&before, row[-1].call, &other);
            CHECK(other.status == given.status);
            expect_same(row[-1].name, row->name, &other, &given, combination);
        }
        const struct Row *real = as_real(row);
        if (!real)
            continue;
        Call plainly = call_of(real, combination);
        answer(&plainly, real->call, &other);
        if (other.status == SUCCESS && given.status == SUCCESS)
            expect_same(real->name, row->name, &other, &given, combination);
    }
    return good;
}

static void expect_refusals(const struct Row *row) {
    const Call good = call_of(row, 0);
    Call call = good;
    expect_status(row, &call, SUCCESS, "as it should be");
    const Call asked = call;
    call = good, call.handle = NULL;
    expect_status(row, &call, NOT_INITIALIZED, "no handle");
    if (asked.has_scalar) {
        call = good, call.scalar = call.real = NULL;
        expect_status(row, &call, INVALID_VALUE, "no scalar");
    }
    if (asked.has_op) {
        call = good, call.op = 7;
        expect_status(row, &call, INVALID_VALUE, "an operation that is none");
    }
    if (asked.has_size) {
        call = good, call.size = -1;
        expect_status(row, &call, INVALID_VALUE, "a negative size");
    }
    if (asked.has_matrix) {
        call = good, call.lead = 0;
        expect_status(row, &call, INVALID_VALUE, "rows that overlap");
    }
    if ((asked.has_matrix || asked.has_packed) && asked.has_vector) {
        call = good, call.step = 0;
        expect_status(row, &call, NOT_SUPPORTED, "one element for all");
    } else if (asked.has_vector && row->wide) {
        call = good, call.size = (int64_t)1 << 31;
        fill(&call);
        CHECK(row->wide(&call) == NOT_SUPPORTED);
    }
}

int main(void) {
    uint32_t good = 0;
    start();
    CHECK(!cublasCreate_v2(&plain.handle));
    plain.size = N, plain.step = 1, plain.lead = LEAD;
    for (size_t i = 0; i < PLACES; i++) {
        CUdeviceptr made;
        OK(cuMemAlloc_v2(&made, ELEMENTS * WIDEST));
        plain.memory[i] = (void *)(uintptr_t)made;
    }
    for (size_t i = 0; i < ROWS; i++) {
        good += expect_equal_types(&rows[i]);
        expect_refusals(&rows[i]);
    }
    printf("%d routines, %u of %d calls answered\n", ROWS, good, ROWS * COMBINATIONS);
    return 0;
}
