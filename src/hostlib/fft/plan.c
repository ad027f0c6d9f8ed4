/* Plans. A program knows them by small numbers. */
#include "hostlib/fft/fft.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static struct {
    pthread_mutex_t lock; /* also of FFTW's planner, which is for one thread at a time */
    Plan **plans;         /* by number - 1; NULL where it is free */
    int count;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int free_number(void) {
    int number = 1;
    while (number <= all.count && all.plans[number - 1])
        number++;
    if (number <= all.count)
        return number;
    Plan **more = realloc(all.plans, (size_t)number * sizeof(Plan *));
    if (!more)
        return 0;
    all.plans = more;
    all.count = number;
    return number;
}

FftStatus plan_create(int *number) {
    Plan *plan = calloc(1, sizeof *plan);
    pthread_mutex_lock(&all.lock);
    *number = plan ? free_number() : 0;
    if (*number)
        all.plans[*number - 1] = plan;
    pthread_mutex_unlock(&all.lock);
    if (*number)
        return FFT_SUCCESS;
    free(plan);
    return FFT_ALLOC_FAILED;
}

Plan *plan_find(int number) {
    pthread_mutex_lock(&all.lock);
    Plan *plan = number > 0 && number <= all.count ? all.plans[number - 1] : NULL;
    pthread_mutex_unlock(&all.lock);
    return plan;
}

static int same_line(const Transform *transform, int dimension) {
    int i = 0;
    while (transform->size[i] != transform->size[dimension])
        i++;
    return i;
}

FftStatus plan_destroy(int number) {
    Plan *plan = plan_find(number);
    if (!plan)
        return FFT_INVALID_PLAN;
    pthread_mutex_lock(&all.lock);
    all.plans[number - 1] = NULL;
    for (int i = 0; i < plan->transform.rank; i++)
        if (same_line(&plan->transform, i) == i)
            line_free(plan->transform.lines[i]);
    pthread_mutex_unlock(&all.lock);
    free(plan);
    return FFT_SUCCESS;
}

/* ---- making ---- */

static bool is_layout(const FftLayout *layout, int rank) {
    for (int i = 1; i < rank; i++)
        if (layout->embed[i] <= 0)
            return false;
    return layout->step > 0 && layout->batch > 0;
}

static FftStatus check(const Request *request) {
    if (request->type != FFT_C2C && request->type != FFT_R2C && request->type != FFT_C2R &&
        request->type != FFT_Z2Z && request->type != FFT_D2Z && request->type != FFT_Z2D)
        return FFT_INVALID_TYPE;
    for (int i = 0; i < request->rank; i++)
        if (request->size[i] <= 0)
            return FFT_INVALID_SIZE;
    if (request->batches <= 0)
        return FFT_INVALID_SIZE;
    for (int i = 0; i < request->rank && request->number; i++)
        if (request->size[i] & (request->size[i] - 1))
            return FFT_NOT_SUPPORTED; /* half precision is for powers of two */
    if (!request->from != !request->to ||
        (request->from &&
         (!is_layout(request->from, request->rank) || !is_layout(request->to, request->rank))))
        return FFT_INVALID_VALUE;
    return FFT_SUCCESS;
}

static bool make_lines(Transform *transform) {
    for (int i = 0; i < transform->rank; i++) {
        int same = same_line(transform, i);
        if (same == i)
            transform->lines[i] = line_new((size_t)transform->size[i]);
        else
            transform->lines[i] = transform->lines[same];
        if (!transform->lines[i])
            return false;
    }
    return true;
}

FftStatus plan_make(int number, const Request *request) {
    Plan *plan = plan_find(number);
    if (!plan || plan->made)
        return FFT_INVALID_PLAN;
    FftStatus wrong = check(request);
    if (wrong)
        return wrong;
    Transform *transform = &plan->transform;
    transform->rank = request->rank;
    memcpy(transform->size, request->size, sizeof transform->size);
    transform->batches = request->batches;
    transform->number = request->number            ? request->number
                        : request->type >= FFT_Z2Z ? R_64F
                                                   : R_32F;
    transform->packed = !request->from;
    if (request->from) {
        transform->from = *request->from;
        transform->to = *request->to;
    }
    transform->from.is_complex = request->type != FFT_R2C && request->type != FFT_D2Z;
    transform->to.is_complex = request->type != FFT_C2R && request->type != FFT_Z2D;
    pthread_mutex_lock(&all.lock);
    plan->made = make_lines(transform);
    pthread_mutex_unlock(&all.lock);
    return plan->made ? FFT_SUCCESS : FFT_ALLOC_FAILED;
}
