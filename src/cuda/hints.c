/* What a program says about managed memory: by whom it is used, and where it should lie. Host and device have one
 * memory here, so that nothing is moved; what was said is kept, by ranges, for who asks. */
#include "cuda/allocation.h"
#include "cuda/device.h"
#include "cuda/handle.h"
#include "cuda/state.h"
#include "cuda/stream.h"

enum { CPU = -1, NOWHERE = -2 };

enum { /* CUmem_advise */
       ADVISE_SET_READ_MOSTLY = 1,
       ADVISE_UNSET_READ_MOSTLY,
       ADVISE_SET_PREFERRED,
       ADVISE_UNSET_PREFERRED,
       ADVISE_SET_ACCESSED_BY,
       ADVISE_UNSET_ACCESSED_BY,
       ADVISE_LAST = ADVISE_UNSET_ACCESSED_BY
};

enum { /* CUmem_range_attribute */
       RANGE_READ_MOSTLY = 1,
       RANGE_PREFERRED,
       RANGE_ACCESSED_BY,
       RANGE_PREFETCHED,
       RANGE_PREFERRED_TYPE,
       RANGE_PREFERRED_ID,
       RANGE_PREFETCHED_TYPE,
       RANGE_PREFETCHED_ID
};

/* ---- what is said ---- */

static CUresult location_check(const CUmemLocation *location) {
    if (location->type == LOCATION_DEVICE)
        return device_of(location->id) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
    return location->type >= LOCATION_HOST && location->type <= LOCATION_HOST_NUMA_CURRENT
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

/* Managed memory alone. */
static CUresult range_check(CUdeviceptr address, size_t bytes) {
    AllocationRecord found;
    bool fits = bytes && allocated_find(address, &found) && found.kind == KIND_MANAGED &&
                bytes <= found.bytes - (address - found.address);
    return fits ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static void advise(Hint *hint, int advice, CUmemLocation location) {
    bool host = location.type != LOCATION_DEVICE;
    uint32_t bit = host ? 0 : device_bit(device_of(location.id));
    switch (advice) {
    case ADVISE_SET_READ_MOSTLY:
    case ADVISE_UNSET_READ_MOSTLY:
        hint->read_mostly = advice == ADVISE_SET_READ_MOSTLY;
        break;
    case ADVISE_SET_PREFERRED:
        hint->preferred = location;
        break;
    case ADVISE_UNSET_PREFERRED:
        hint->preferred = (CUmemLocation){0};
        break;
    case ADVISE_SET_ACCESSED_BY:
        hint->accessed |= bit;
        hint->by_host |= host;
        break;
    default:
        hint->accessed &= ~bit;
        hint->by_host &= !host;
    }
}

CUresult cuMemAdvise_v2(CUdeviceptr address, size_t bytes, int advice, CUmemLocation location) {
    bool placed = advice != ADVISE_SET_READ_MOSTLY && advice != ADVISE_UNSET_READ_MOSTLY &&
                  advice != ADVISE_UNSET_PREFERRED;
    CUresult wrong = range_check(address, bytes);
    if (wrong || advice < 1 || advice > ADVISE_LAST)
        return CUDA_ERROR_INVALID_VALUE;
    wrong = placed ? location_check(&location) : CUDA_SUCCESS;
    if (wrong)
        return wrong;
    core_lock();
    for (HintRange *one = hints_cover(address, address + bytes);
         one && one->address < address + bytes; one = one->next)
        advise(&one->hint, advice, location);
    core_unlock();
    return CUDA_SUCCESS;
}

static CUmemLocation location_of(CUdevice device) {
    return (CUmemLocation){device == CPU ? LOCATION_HOST : LOCATION_DEVICE, device};
}

CUresult cuMemAdvise(CUdeviceptr address, size_t bytes, int advice, CUdevice device) {
    return cuMemAdvise_v2(address, bytes, advice, location_of(device));
}

CUresult cuMemPrefetchAsync_v2(CUdeviceptr address, size_t bytes, CUmemLocation location,
                               unsigned flags, CUstream stream) {
    if (!stream_of(stream))
        return handle_error(stream);
    if (flags || range_check(address, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult wrong = location_check(&location);
    if (wrong)
        return wrong;
    core_lock();
    for (HintRange *one = hints_cover(address, address + bytes);
         one && one->address < address + bytes; one = one->next)
        one->hint.prefetched = location;
    core_unlock();
    return CUDA_SUCCESS;
}

CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t bytes, CUdevice device, CUstream stream) {
    return cuMemPrefetchAsync_v2(address, bytes, location_of(device), 0, stream);
}

/* ---- many at once ---- */

static CUresult batch_check(const CUdeviceptr *addresses, const size_t *bytes, size_t count,
                            unsigned long long flags, CUstream stream) {
    if (!stream_of(stream))
        return handle_error(stream);
    if (!addresses || !bytes || count == 0 || flags || !stream || stream == STREAM_LEGACY)
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count; i++)
        if (range_check(addresses[i], bytes[i]))
            return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

/* Each range goes to the location of the last index that is not behind it. */
CUresult cuMemPrefetchBatchAsync(CUdeviceptr *addresses, size_t *bytes, size_t count,
                                 CUmemLocation *locations, size_t *first, size_t kinds,
                                 unsigned long long flags, CUstream stream) {
    CUresult wrong = batch_check(addresses, bytes, count, flags, stream);
    if (wrong)
        return wrong;
    if (!locations || !first || kinds == 0 || kinds > count || first[0] != 0)
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 1; i < kinds; i++)
        if (first[i] <= first[i - 1] || first[i] >= count)
            return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0, kind = 0; i < count && !wrong; i++) {
        kind += kind + 1 < kinds && first[kind + 1] == i;
        wrong = cuMemPrefetchAsync_v2(addresses[i], bytes[i], locations[kind], 0, stream);
    }
    return wrong;
}

/* What it held may be anything afterwards: here it stays. */
CUresult cuMemDiscardBatchAsync(CUdeviceptr *addresses, size_t *bytes, size_t count,
                                unsigned long long flags, CUstream stream) {
    return batch_check(addresses, bytes, count, flags, stream);
}

CUresult cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr *addresses, size_t *bytes, size_t count,
                                           CUmemLocation *locations, size_t *first, size_t kinds,
                                           unsigned long long flags, CUstream stream) {
    return cuMemPrefetchBatchAsync(addresses, bytes, count, locations, first, kinds, flags, stream);
}

/* ---- what is asked ---- */

static bool same_place(CUmemLocation a, CUmemLocation b) {
    return a.type == b.type && (a.type != LOCATION_DEVICE || a.id == b.id);
}

/* What holds for all of a range. */
static Hint hint_of(uint64_t address, uint64_t end) {
    const HintRange *one = hints_cover(address, end);
    Hint all = one->hint;
    while ((one = one->next) && one->address < end) {
        all.read_mostly &= one->hint.read_mostly;
        all.by_host &= one->hint.by_host;
        all.accessed &= one->hint.accessed;
        if (!same_place(all.preferred, one->hint.preferred))
            all.preferred = (CUmemLocation){0};
        if (!same_place(all.prefetched, one->hint.prefetched))
            all.prefetched = (CUmemLocation){0};
    }
    return all;
}

static int device_at(CUmemLocation location) {
    return location.type == LOCATION_DEVICE    ? location.id
           : location.type == LOCATION_INVALID ? NOWHERE
                                               : CPU;
}

static void list_devices(const Hint *hint, int *list, size_t room) {
    size_t count = 0;
    for (int i = 0; i < (int)device_count() && count < room; i++)
        if (hint->accessed & device_bit(device_of(i)))
            list[count++] = i;
    if (hint->by_host && count < room)
        list[count++] = CPU;
    while (count < room)
        list[count++] = NOWHERE;
}

static int answer(const Hint *hint, int attribute) {
    switch (attribute) {
    case RANGE_READ_MOSTLY:
        return hint->read_mostly;
    case RANGE_PREFERRED:
        return device_at(hint->preferred);
    case RANGE_PREFETCHED:
        return device_at(hint->prefetched);
    case RANGE_PREFERRED_TYPE:
        return hint->preferred.type;
    case RANGE_PREFERRED_ID:
        return hint->preferred.id;
    case RANGE_PREFETCHED_TYPE:
        return hint->prefetched.type;
    default:
        return hint->prefetched.id;
    }
}

CUresult cuMemRangeGetAttribute(void *value, size_t size, int attribute, CUdeviceptr address,
                                size_t bytes) {
    bool fits =
        attribute == RANGE_ACCESSED_BY ? size && size % sizeof(int) == 0 : size == sizeof(int);
    if (!value || attribute < RANGE_READ_MOSTLY || attribute > RANGE_PREFETCHED_ID || !fits ||
        range_check(address, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    core_lock();
    Hint hint = hint_of(address, address + bytes);
    core_unlock();
    if (attribute == RANGE_ACCESSED_BY)
        list_devices(&hint, value, size / sizeof(int));
    else
        *(int *)value = answer(&hint, attribute);
    return CUDA_SUCCESS;
}

CUresult cuMemRangeGetAttributes(void **values, size_t *sizes, int *attributes, size_t count,
                                 CUdeviceptr address, size_t bytes) {
    if (count == 0 || !values || !sizes || !attributes)
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count; i++) {
        CUresult result =
            cuMemRangeGetAttribute(values[i], sizes[i], attributes[i], address, bytes);
        if (result)
            return result;
    }
    return CUDA_SUCCESS;
}

/* ---- streams ---- */

CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr address, size_t bytes,
                                unsigned flags) {
    enum { ATTACH_GLOBAL = 1, ATTACH_HOST = 2, ATTACH_SINGLE = 4 };
    AllocationRecord found;
    if (!stream_of(stream))
        return handle_error(stream);
    bool known = allocated_find(address, &found) && found.kind == KIND_MANAGED;
    return known && (bytes == 0 || bytes == found.bytes - (address - found.address)) &&
                   (flags == ATTACH_GLOBAL || flags == ATTACH_HOST || flags == ATTACH_SINGLE)
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}
