/* A call of a routine that Fortran's BLAS has too: its arguments, checked, as Fortran takes them. */
#include "hostlib/blas/blas.h"

#include <complex.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static const size_t element_bytes[] = {4, 8, 8, 16}, real_bytes[] = {4, 8, 4, 8};

static bool is_complex(const RoutineCall *call) {
    return call->work.routine->type >= TYPE_C;
}

/* ---- arguments ---- */

static void check(RoutineCall *call, bool good) {
    if (!good && !call->status)
        call->status = BLAS_INVALID_VALUE;
}

static Argument *add(RoutineCall *call, const char *name) {
    Argument *argument = &call->work.arguments[call->work.count++];
    *argument = (Argument){.name = name};
    return argument;
}

static void put_letter(RoutineCall *call, const char *name, const char *letters, int index) {
    bool good = index >= 0 && index < (int)strlen(letters) && letters[index] != ' ';
    check(call, good);
    add(call, name)->value.letter = good ? letters[index] : 0;
}

void put_op(RoutineCall *call, const char *name, int op) {
    put_letter(call, name, "NTC", op);
}

void put_op_t(RoutineCall *call, const char *name, int op) {
    put_letter(call, name, is_complex(call) ? "NT" : "NTC", op);
}

void put_op_c(RoutineCall *call, const char *name, int op) {
    put_letter(call, name, is_complex(call) ? "N C" : "NTC", op);
}

void put_fill(RoutineCall *call, const char *name, int fill) {
    put_letter(call, name, "LU", fill);
}

void put_side(RoutineCall *call, const char *name, int side) {
    put_letter(call, name, "LR", side);
}

void put_diag(RoutineCall *call, const char *name, int diag) {
    put_letter(call, name, "NU", diag);
}

/* The BLAS below counts with 32 bits. */
static void put_number(RoutineCall *call, const char *name, int64_t number) {
    if (!call->status && (number > INT_MAX || number < -INT_MAX))
        call->status = BLAS_NOT_SUPPORTED;
    add(call, name)->value.number = (int)number;
}

void put_size(RoutineCall *call, const char *name, int64_t size) {
    check(call, size >= 0);
    put_number(call, name, size);
}

static void put_value(RoutineCall *call, const char *name, const void *at, size_t bytes) {
    Argument *argument = add(call, name);
    check(call, at != NULL);
    if (call->handle->scalars == SCALARS_DEVICE) {
        argument->at = at;
        argument->bytes = bytes;
    } else if (at) {
        memcpy(&argument->value, at, bytes);
    }
}

void put_scalar(RoutineCall *call, const char *name, const void *at) {
    put_value(call, name, at, element_bytes[call->work.routine->type]);
}

void put_real(RoutineCall *call, const char *name, const void *at) {
    put_value(call, name, at, real_bytes[call->work.routine->type]);
}

static void put_memory(RoutineCall *call, const char *name, const void *at, size_t bytes) {
    Argument *argument = add(call, name);
    check(call, at || !bytes);
    argument->at = at ? at : "";
    argument->bytes = bytes;
}

void put_inout(RoutineCall *call, const char *name, void *at) {
    check(call, at != NULL);
    bool device = call->handle->scalars == SCALARS_DEVICE;
    put_memory(call, name, at, device ? real_bytes[call->work.routine->type] : 0);
}

/* Elements of which each call of a batch has its own. */
static void put_own(RoutineCall *call, const char *name, const void *at, size_t count) {
    put_memory(call, name, at, count * element_bytes[call->work.routine->type]);
    call->work.arguments[call->work.count - 1].of_each = count > 0;
}

void put_matrix(RoutineCall *call, const char *name, void *at, int64_t lead, int64_t rows,
                int64_t columns) {
    check(call, lead >= rows && lead >= 1);
    call->has_matrix = true;
    bool empty = call->status || rows <= 0 || columns <= 0;
    size_t count = empty ? 0 : (size_t)((columns - 1) * lead + rows);
    put_own(call, name, at, count);
    put_number(call, "ld", lead);
}

/* On the host: of a factor on the device nothing is known yet. */
static bool is_zero(const RoutineCall *call, const Argument *factor) {
    const ElementType type = call->work.routine->type;
    const bool wide = type == TYPE_D || type == TYPE_Z;
    float narrow[2];
    memcpy(narrow, &factor->value, sizeof narrow);
    const double real = wide ? factor->value.real[0] : narrow[0];
    const double other = wide ? factor->value.real[1] : narrow[1];
    return !factor->at && real == 0 && (!is_complex(call) || other == 0);
}

void put_summand(RoutineCall *call, const char *name, void *at, int64_t lead, int64_t rows,
                 int64_t columns) {
    const bool none = !at && is_zero(call, &call->work.arguments[call->work.count - 1]);
    check(call, lead >= rows);
    put_matrix(call, name, at, lead, none ? 0 : rows, columns);
}

void put_vector(RoutineCall *call, const char *name, void *at, int64_t step, int64_t count) {
    call->repeats |= step == 0;
    bool empty = call->status || count <= 0;
    size_t elements = empty ? 0 : (size_t)((count - 1) * (step < 0 ? -step : step) + 1);
    put_own(call, name, at, elements);
    put_number(call, "inc", step);
}

void put_stride(RoutineCall *call, int64_t stride) {
    Argument *argument = &call->work.arguments[call->work.count - 2]; /* behind it: ld or inc */
    argument->stride = stride * (int64_t)element_bytes[call->work.routine->type];
}

void put_packed(RoutineCall *call, const char *name, void *at, int64_t count) {
    call->has_matrix = true;
    size_t elements = call->status ? 0 : (size_t)(count * (count + 1) / 2);
    put_memory(call, name, at, elements * element_bytes[call->work.routine->type]);
}

void put_result(RoutineCall *call, const char *name, void *at, Returns returns) {
    size_t bytes = returns == RETURNS_INDEX        ? sizeof(int)
                   : returns == RETURNS_LONG_INDEX ? sizeof(int64_t)
                   : returns == RETURNS_REAL       ? real_bytes[call->work.routine->type]
                                                   : element_bytes[call->work.routine->type];
    check(call, at != NULL);
    put_memory(call, name, at, call->handle->scalars == SCALARS_DEVICE ? bytes : 0);
    call->work.returns = returns;
}

/* ---- doing it ---- */

static bool reaches(const RoutineWork *work, const Argument *argument, const void *at,
                    size_t bytes) {
    char what[64];
    const CUdeviceptr address = (CUdeviceptr)(uintptr_t)at;
    snprintf(what, sizeof what, "%s: %s", work->work.function, argument->name);
    return work->anywhere ? warplens_reaches_anywhere(what, address, bytes)
                          : warplens_reaches(what, address, bytes);
}

/* Where a call of the batch has it. NULL: no kernel could access that. */
static const void *place(const RoutineWork *work, const Argument *argument, int64_t call) {
    const void *at = argument->at;
    if (!at)
        return &argument->value;
    if (argument->of_each && work->pointers)
        at = ((const void *const *)at)[call];
    else if (argument->of_each)
        at = (const char *)at + call * argument->stride;
    return reaches(work, argument, at, argument->bytes) ? at : NULL;
}

/* What a Fortran routine takes: pointers, and the lengths of its strings behind them. */
enum { PASSED = 18 };
#define PASS                                                                                       \
    p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[13], p[14], \
        p[15], p[16], p[17]
#define P const void *
#define CALL_AS(type) ((type(*)(P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P))fortran)(PASS)

static void call_real(Fortran fortran, bool wide, const void *const *p, void *result) {
    if (wide)
        *(double *)result = CALL_AS(double);
    else
        *(float *)result = CALL_AS(float);
}

static void call_complex(Fortran fortran, bool wide, const void *const *p, void *result) {
    if (wide)
        *(double complex *)result = CALL_AS(double complex);
    else
        *(float complex *)result = CALL_AS(float complex);
}

static bool is_index(const RoutineWork *work) {
    return work->returns == RETURNS_INDEX || work->returns == RETURNS_LONG_INDEX;
}

static void call_fortran(const RoutineWork *work, const void *const *p, void *result) {
    const ElementType type = work->routine->type;
    const Fortran fortran = work->fortran;
    bool wide = type == TYPE_D || type == TYPE_Z;
    if (work->returns == RETURNS_NOTHING)
        CALL_AS(void);
    else if (is_index(work))
        *(int *)result = CALL_AS(int);
    else if (work->returns == RETURNS_ELEMENT && type >= TYPE_C)
        call_complex(fortran, wide, p, result);
    else
        call_real(fortran, wide, p, result);
}

/* The value of a function is the last argument of cuBLAS's; our own routines take it as that, too. */
static void call_routine(const RoutineWork *work, const void **p) {
    void *result = (void *)(uintptr_t)p[work->count - 1];
    int index = 0;
    if (is_index(work))
        p[work->count - 1] = &index;
    if (work->routine->own) {
        work->routine->own(p, work->fortran);
    } else {
        bool function = work->returns != RETURNS_NOTHING;
        for (uint32_t i = work->count - function; i < PASSED; i++)
            p[i] = (const void *)1; /* the length of a string */
        call_fortran(work, p, is_index(work) ? &index : result);
    }
    if (work->returns == RETURNS_INDEX)
        *(int *)result = index;
    else if (work->returns == RETURNS_LONG_INDEX)
        *(int64_t *)result = index;
}

static bool run_one(const RoutineWork *work, int64_t call) {
    const void *p[PASSED];
    for (uint32_t i = 0; i < work->count; i++) {
        p[i] = place(work, &work->arguments[i], call);
        if (!p[i])
            return false;
    }
    call_routine(work, p);
    return true;
}

static void run(const HostWork *host) {
    const RoutineWork *work = (const RoutineWork *)(const void *)host;
    const size_t pointers = (size_t)work->calls * sizeof(void *);
    for (uint32_t i = 0; work->pointers && i < work->count; i++) {
        const Argument *argument = &work->arguments[i];
        if (argument->of_each && !reaches(work, argument, argument->at, pointers))
            return;
    }
    for (int64_t call = 0; call < work->calls && run_one(work, call);)
        call++;
}

void call_begin(RoutineCall *call, const BlasHandle *handle, const Routine *routine) {
    static const BlasHandle none = {.scalars = SCALARS_HOST};
    call->status = handle_check(handle);
    call->has_matrix = call->repeats = false;
    call->handle = call->status ? &none : handle;
    call->work.work = (HostWork){"cublas", routine->function, run};
    call->work.routine = routine;
    call->work.fortran = NULL;
    call->work.count = 0;
    call->work.returns = RETURNS_NOTHING;
    call->work.calls = 1;
    call->work.pointers = call->work.anywhere = false;
}

void call_begin_batch(RoutineCall *call, const BlasHandle *handle, const Routine *routine,
                      int64_t calls, bool pointers) {
    call_begin(call, handle, routine);
    check(call, calls >= 0);
    call->work.calls = calls;
    call->work.pointers = pointers;
}

BlasStatus call_end(RoutineCall *call) {
    RoutineWork *work = &call->work;
    if (call->status)
        return call->status;
    if (call->has_matrix && call->repeats) /* which Fortran refuses */
        return BLAS_NOT_SUPPORTED;
    if (*work->routine->fortran) {
        *(void **)&work->fortran = provider_function(PROVIDER_BLAS, work->routine->fortran);
        if (!work->fortran)
            return BLAS_NOT_SUPPORTED;
    }
    return status_of(warplens_enqueue(call->handle->stream, &work->work, sizeof *work));
}
