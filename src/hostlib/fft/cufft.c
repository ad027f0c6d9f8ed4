/* The exported functions. */
#include "hostlib/fft/fft.h"

#include <string.h>

/* What programs are told: that of CUDA 13.0's library. */
enum { VERSION_MAJOR = 12, VERSION_MINOR = 0, VERSION_PATCH = 0 };

#define EXPORTED(name, ...)                                                                        \
    _Pragma("GCC visibility push(default)") FftStatus name(__VA_ARGS__);                           \
    _Pragma("GCC visibility pop") FftStatus name(__VA_ARGS__)

EXPORTED(cufftGetVersion, int *version) {
    if (version)
        *version = VERSION_MAJOR * 1000 + VERSION_MINOR * 100 + VERSION_PATCH;
    return FFT_SUCCESS;
}

EXPORTED(cufftGetProperty, int which, int *value) {
    static const int values[] = {VERSION_MAJOR, VERSION_MINOR, VERSION_PATCH};
    if (!value || which < 0 || which > 2)
        return FFT_INVALID_VALUE;
    *value = values[which];
    return FFT_SUCCESS;
}

/* ---- plans ---- */

EXPORTED(cufftCreate, int *plan) {
    return plan ? plan_create(plan) : FFT_INVALID_VALUE;
}

EXPORTED(cufftDestroy, int plan) {
    return plan_destroy(plan);
}

static FftStatus make(int plan, const Request *request, size_t *work) {
    if (work)
        *work = 0;
    return plan_make(plan, request);
}

static FftStatus create_and_make(int *plan, const Request *request) {
    if (!plan)
        return FFT_INVALID_VALUE;
    FftStatus status = plan_create(plan);
    if (status)
        return status;
    status = plan_make(*plan, request);
    if (status)
        plan_destroy(*plan);
    return status;
}

EXPORTED(cufftPlan1d, int *plan, int x, int type, int batches) {
    return create_and_make(plan, &(Request){1, type, {x}, batches, NULL, NULL, 0});
}

EXPORTED(cufftPlan2d, int *plan, int x, int y, int type) {
    return create_and_make(plan, &(Request){2, type, {x, y}, 1, NULL, NULL, 0});
}

EXPORTED(cufftPlan3d, int *plan, int x, int y, int z, int type) {
    return create_and_make(plan, &(Request){3, type, {x, y, z}, 1, NULL, NULL, 0});
}

EXPORTED(cufftMakePlan1d, int plan, int x, int type, int batches, size_t *work) {
    return make(plan, &(Request){1, type, {x}, batches, NULL, NULL, 0}, work);
}

EXPORTED(cufftMakePlan2d, int plan, int x, int y, int type, size_t *work) {
    return make(plan, &(Request){2, type, {x, y}, 1, NULL, NULL, 0}, work);
}

EXPORTED(cufftMakePlan3d, int plan, int x, int y, int z, int type, size_t *work) {
    return make(plan, &(Request){3, type, {x, y, z}, 1, NULL, NULL, 0}, work);
}

/* The arguments of plans for many transforms, in 32 and 64 bits. */
#define MANY(number)                                                                               \
    int rank, number *size, number *from_embed, number from_step, number from_batch,               \
        number *to_embed, number to_step, number to_batch, int type, number batches

typedef struct Many {
    Request request;
    FftLayout from, to;
} Many;

/* False: so many dimensions there are not. */
#define DEFINE_MANY(name, number)                                                                  \
    static bool name(Many *many, MANY(number)) {                                                   \
        *many = (Many){.request = {.rank = rank, .type = type, .batches = batches},                \
                       .from = {.step = from_step, .batch = from_batch},                           \
                       .to = {.step = to_step, .batch = to_batch}};                                \
        if (rank < 1 || rank > RANK_MOST || !size)                                                 \
            return false;                                                                          \
        for (int i = 0; i < rank; i++) {                                                           \
            many->request.size[i] = size[i];                                                       \
            many->from.embed[i] = from_embed ? from_embed[i] : 0;                                  \
            many->to.embed[i] = to_embed ? to_embed[i] : 0;                                        \
        }                                                                                          \
        many->request.from = from_embed ? &many->from : NULL;                                      \
        many->request.to = to_embed ? &many->to : NULL;                                            \
        return true;                                                                               \
    }
DEFINE_MANY(many_of, int)
DEFINE_MANY(many_of_64, long long)
#define PASS_MANY                                                                                  \
    rank, size, from_embed, from_step, from_batch, to_embed, to_step, to_batch, type, batches

EXPORTED(cufftPlanMany, int *plan, MANY(int)) {
    Many many;
    return many_of(&many, PASS_MANY) ? create_and_make(plan, &many.request) : FFT_INVALID_VALUE;
}

EXPORTED(cufftMakePlanMany, int plan, MANY(int), size_t *work) {
    Many many;
    return many_of(&many, PASS_MANY) ? make(plan, &many.request, work) : FFT_INVALID_VALUE;
}

EXPORTED(cufftMakePlanMany64, int plan, MANY(long long), size_t *work) {
    Many many;
    return many_of_64(&many, PASS_MANY) ? make(plan, &many.request, work) : FFT_INVALID_VALUE;
}

/* ---- plans by the types of numbers ---- */

enum { C_16F = 6, C_16BF = 15 }; /* beside those of element.h: pairs of halves */

typedef struct Types {
    int from, to, type, number;
} Types;

/* NULL: no transform is between these. */
static const Types *types_of(int from, int to, int computed) {
    static const Types types[] = {
        {C_32F, C_32F, FFT_C2C, 0},        {R_32F, C_32F, FFT_R2C, 0},
        {C_32F, R_32F, FFT_C2R, 0},        {C_64F, C_64F, FFT_Z2Z, 0},
        {R_64F, C_64F, FFT_D2Z, 0},        {C_64F, R_64F, FFT_Z2D, 0},
        {C_16F, C_16F, FFT_C2C, R_16F},    {R_16F, C_16F, FFT_R2C, R_16F},
        {C_16F, R_16F, FFT_C2R, R_16F},    {C_16BF, C_16BF, FFT_C2C, R_16BF},
        {R_16BF, C_16BF, FFT_R2C, R_16BF}, {C_16BF, R_16BF, FFT_C2R, R_16BF},
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (types[i].from == from && types[i].to == to && (computed == from || computed == to))
            return &types[i];
    return NULL;
}

EXPORTED(cufftXtMakePlanMany, int plan, int rank, long long *size, long long *from_embed,
         long long from_step, long long from_batch, int from_type, long long *to_embed,
         long long to_step, long long to_batch, int to_type, long long batches, size_t *work,
         int computed) {
    Many many;
    const Types *types = types_of(from_type, to_type, computed);
    const int type = types ? types->type : 0;
    if (!many_of_64(&many, PASS_MANY))
        return FFT_INVALID_VALUE;
    many.request.number = types ? types->number : 0;
    return make(plan, &many.request, work);
}

/* ---- work areas, of which none is needed ---- */

static FftStatus no_work(size_t *work) {
    if (!work)
        return FFT_INVALID_VALUE;
    *work = 0;
    return FFT_SUCCESS;
}

EXPORTED(cufftEstimate1d, int x, int type, int batches, size_t *work) {
    (void)x, (void)type, (void)batches;
    return no_work(work);
}

EXPORTED(cufftEstimate2d, int x, int y, int type, size_t *work) {
    (void)x, (void)y, (void)type;
    return no_work(work);
}

EXPORTED(cufftEstimate3d, int x, int y, int z, int type, size_t *work) {
    (void)x, (void)y, (void)z, (void)type;
    return no_work(work);
}

EXPORTED(cufftEstimateMany, MANY(int), size_t *work) {
    Many many;
    return many_of(&many, PASS_MANY) ? no_work(work) : FFT_INVALID_VALUE;
}

EXPORTED(cufftGetSize1d, int plan, int x, int type, int batches, size_t *work) {
    (void)x, (void)type, (void)batches;
    return plan_find(plan) ? no_work(work) : FFT_INVALID_PLAN;
}

EXPORTED(cufftGetSize2d, int plan, int x, int y, int type, size_t *work) {
    (void)x, (void)y, (void)type;
    return plan_find(plan) ? no_work(work) : FFT_INVALID_PLAN;
}

EXPORTED(cufftGetSize3d, int plan, int x, int y, int z, int type, size_t *work) {
    (void)x, (void)y, (void)z, (void)type;
    return plan_find(plan) ? no_work(work) : FFT_INVALID_PLAN;
}

EXPORTED(cufftGetSizeMany, int plan, MANY(int), size_t *work) {
    Many many;
    if (!plan_find(plan))
        return FFT_INVALID_PLAN;
    return many_of(&many, PASS_MANY) ? no_work(work) : FFT_INVALID_VALUE;
}

EXPORTED(cufftGetSize, int plan, size_t *work) {
    const Plan *found = plan_find(plan);
    return found && found->made ? no_work(work) : FFT_INVALID_PLAN;
}

EXPORTED(cufftSetWorkArea, int plan, void *area) {
    (void)area;
    return plan_find(plan) ? FFT_SUCCESS : FFT_INVALID_PLAN;
}

EXPORTED(cufftSetAutoAllocation, int plan, int allocate) {
    (void)allocate;
    return plan_find(plan) ? FFT_SUCCESS : FFT_INVALID_PLAN;
}

/* ---- transforms ---- */

typedef struct FftWork {
    HostWork work;
    Transform transform;
    const void *from;
    void *to;
    bool inverse;
} FftWork;

static bool reaches(const FftWork *work, const void *at, const FftLayout *layout) {
    return warplens_reaches(work->work.function, (CUdeviceptr)(uintptr_t)at,
                            fft_layout_bytes(&work->transform, layout));
}

static void run(const HostWork *data) {
    const FftWork *work = (const FftWork *)data;
    if (reaches(work, work->from, &work->transform.from) &&
        reaches(work, work->to, &work->transform.to) &&
        !transform_run(&work->transform, work->from, work->to, work->inverse))
        warplens_message("cufft", "cufft: no memory for a transform: it is left out");
}

/* Does what the plan is for; which function asks for it matters as little as on a GPU, but for the direction. */
static FftStatus execute(const char *function, int number, const void *from, void *to,
                         int direction) {
    Plan *plan = plan_find(number);
    if (!plan || !plan->made)
        return FFT_INVALID_PLAN;
    const Transform *transform = &plan->transform;
    if ((direction != FFT_FORWARD && direction != FFT_INVERSE) ||
        (!transform->from.is_complex && direction != FFT_FORWARD) ||
        (!transform->to.is_complex && direction != FFT_INVERSE))
        return FFT_INVALID_VALUE;
    FftWork work = {{"cufft", function, run}, *transform, from, to, direction == FFT_INVERSE};
    if (transform->packed)
        transform_pack(&work.transform, from == to);
    return warplens_enqueue(plan->stream, &work.work, sizeof work) ? FFT_EXEC_FAILED : FFT_SUCCESS;
}

EXPORTED(cufftSetStream, int plan, CUstream stream) {
    Plan *found = plan_find(plan);
    if (!found)
        return FFT_INVALID_PLAN;
    found->stream = stream;
    return FFT_SUCCESS;
}

/* The direction counts for complex numbers alone. */
EXPORTED(cufftXtExec, int plan, const void *from, void *to, int direction) {
    const Plan *found = plan_find(plan);
    if (!found)
        return FFT_INVALID_PLAN;
    if (!found->transform.from.is_complex)
        direction = FFT_FORWARD;
    if (!found->transform.to.is_complex)
        direction = FFT_INVERSE;
    return execute(__func__, plan, from, to, direction);
}

EXPORTED(cufftExecC2C, int plan, const void *from, void *to, int direction) {
    return execute(__func__, plan, from, to, direction);
}

EXPORTED(cufftExecZ2Z, int plan, const void *from, void *to, int direction) {
    return execute(__func__, plan, from, to, direction);
}

EXPORTED(cufftExecR2C, int plan, const void *from, void *to) {
    return execute(__func__, plan, from, to, FFT_FORWARD);
}

EXPORTED(cufftExecD2Z, int plan, const void *from, void *to) {
    return execute(__func__, plan, from, to, FFT_FORWARD);
}

EXPORTED(cufftExecC2R, int plan, const void *from, void *to) {
    return execute(__func__, plan, from, to, FFT_INVERSE);
}

EXPORTED(cufftExecZ2D, int plan, const void *from, void *to) {
    return execute(__func__, plan, from, to, FFT_INVERSE);
}
