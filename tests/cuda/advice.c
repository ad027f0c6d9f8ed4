/* What is asked of a range of managed memory whose parts were advised differently: what holds for all of it (the manual of
 * cuMemRangeGetAttribute). */
#include "check.h"

enum { PAGE = 64 << 10, PARTS = 4 };
enum {
    READ_MOSTLY = 1,
    PREFERRED,
    ACCESSED_BY,
    PREFETCHED,
    PREFERRED_TYPE,
    PREFERRED_ID,
    PREFETCHED_TYPE,
    PREFETCHED_ID
};
enum { SET_READ_MOSTLY = 1, SET_PREFERRED = 3, SET_ACCESSED_BY = 5 };
enum { HOST = -1, NOWHERE = -2 };

static int one(CUdeviceptr at, size_t bytes, int attribute) {
    int value = 99;
    OK(cuMemRangeGetAttribute(&value, sizeof value, attribute, at, bytes));
    return value;
}

static void check_lists(CUdeviceptr at, size_t bytes, int first, int second, int third) {
    int list[3] = {99, 99, 99};
    OK(cuMemRangeGetAttribute(list, sizeof list, ACCESSED_BY, at, bytes));
    CHECK(list[0] == first && list[1] == second && list[2] == third);
    OK(cuMemRangeGetAttribute(list, sizeof *list, ACCESSED_BY, at,
                              bytes)); /* as many as there is room for */
    CHECK(list[0] == first);
}

int main(void) {
    const CUmemLocation zero = {LOCATION_DEVICE, 0}, second = {LOCATION_DEVICE, 1},
                        host = {LOCATION_HOST, 0};
    CUmemLocation places[2] = {second, host};
    CUdeviceptr at, addresses[PARTS];
    size_t bytes[PARTS], first[2] = {0, 2};
    start();
    OK(cuMemAllocManaged(&at, PARTS * PAGE, 1));
    for (int i = 0; i < PARTS; i++)
        addresses[i] = at + (CUdeviceptr)i * PAGE, bytes[i] = PAGE;
    CHECK(one(at, PARTS * PAGE, PREFERRED) == NOWHERE &&
          one(at, PAGE, PREFERRED_TYPE) == LOCATION_INVALID);

    OK(cuMemAdvise_v2(at, 2 * PAGE, SET_READ_MOSTLY, zero));
    CHECK(one(at, 2 * PAGE, READ_MOSTLY) == 1 && one(at, 3 * PAGE, READ_MOSTLY) == 0);
    CHECK(one(at + PAGE, PAGE / 2, READ_MOSTLY) == 1);

    OK(cuMemAdvise_v2(at, 3 * PAGE, SET_PREFERRED, zero));
    OK(cuMemAdvise_v2(at + 2 * PAGE, PAGE, SET_PREFERRED, second));
    CHECK(one(at, 2 * PAGE, PREFERRED) == 0 && one(at + 2 * PAGE, PAGE, PREFERRED) == 1);
    CHECK(one(at, 3 * PAGE, PREFERRED) == NOWHERE);
    CHECK(one(at + 2 * PAGE, PAGE, PREFERRED_TYPE) == LOCATION_DEVICE &&
          one(at + 2 * PAGE, PAGE, PREFERRED_ID) == 1);
    OK(cuMemAdvise_v2(at, 2 * PAGE, SET_PREFERRED, host));
    CHECK(one(at, 2 * PAGE, PREFERRED) == HOST && one(at, PAGE, PREFERRED_TYPE) == LOCATION_HOST);

    OK(cuMemAdvise_v2(at, 3 * PAGE, SET_ACCESSED_BY, zero));
    OK(cuMemAdvise_v2(at, 2 * PAGE, SET_ACCESSED_BY, second));
    OK(cuMemAdvise_v2(at, PAGE, SET_ACCESSED_BY, host));
    check_lists(at, PAGE, 0, 1, HOST);
    check_lists(at, 2 * PAGE, 0, 1, NOWHERE);
    check_lists(at, 3 * PAGE, 0, NOWHERE, NOWHERE);
    check_lists(at, 4 * PAGE, NOWHERE, NOWHERE, NOWHERE);

    CUstream stream;
    OK(cuStreamCreate(&stream, 0));
    OK(cuMemPrefetchBatchAsync(addresses, bytes, PARTS, places, first, 2, 0, stream));
    OK(cuStreamSynchronize(stream));
    CHECK(one(at, 2 * PAGE, PREFETCHED) == 1 && one(at + 2 * PAGE, 2 * PAGE, PREFETCHED) == HOST);
    CHECK(one(at, PAGE, PREFETCHED_TYPE) == LOCATION_DEVICE && one(at, PAGE, PREFETCHED_ID) == 1);
    CHECK(one(at, 3 * PAGE, PREFETCHED) == NOWHERE &&
          one(at, 3 * PAGE, PREFETCHED_TYPE) == LOCATION_INVALID);
    OK(cuMemDiscardAndPrefetchBatchAsync(addresses, bytes, PARTS, places, first, 1, 0, stream));
    CHECK(one(at, PARTS * PAGE, PREFETCHED) == 1);
    OK(cuMemDiscardBatchAsync(addresses, bytes, PARTS, 0, stream));
    first[0] = 1; /* the first range has no place */
    CHECK(cuMemPrefetchBatchAsync(addresses, bytes, PARTS, places, first, 2, 0, stream) ==
          CUDA_ERROR_INVALID_VALUE);
    first[0] = 0, first[1] = 0;
    CHECK(cuMemPrefetchBatchAsync(addresses, bytes, PARTS, places, first, 2, 0, stream) ==
          CUDA_ERROR_INVALID_VALUE);
    first[1] = PARTS;
    CHECK(cuMemPrefetchBatchAsync(addresses, bytes, PARTS, places, first, 2, 0, stream) ==
          CUDA_ERROR_INVALID_VALUE);
    first[1] = 2;
    CHECK(cuMemPrefetchBatchAsync(addresses, bytes, 1, places, first, 2, 0, stream) ==
          CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemPrefetchBatchAsync(addresses, bytes, PARTS, NULL, first, 2, 0, stream) ==
          CUDA_ERROR_INVALID_VALUE);
    addresses[3] = 64;
    CHECK(cuMemPrefetchBatchAsync(addresses, bytes, PARTS, places, first, 2, 0, stream) ==
          CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemRangeGetAttribute(bytes, 6, ACCESSED_BY, at, PAGE) == CUDA_ERROR_INVALID_VALUE);
    puts("advice: fine");
    return 0;
}
