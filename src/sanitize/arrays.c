/* Accesses outside of the array that they are for, in memory that is there: nothing faults. */
#include "sanitize/state.h"

void arrays_access(const WatchedAccess *access) {
    const uint64_t first = access->array_first, end = access->array_end;
    uint32_t outside = 0;
    for (uint32_t rest = access->by.lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        uint64_t address = access->address[lane];
        outside |= (uint32_t)(address < first || address + access->width > end) << lane;
    }
    if (!outside)
        return;
    const uint32_t lane = (uint32_t)__builtin_ctz(outside);
    FoundDefect defect = access_defect(DEFECT_outside_array, access, lane);
    defect.count = (uint32_t)__builtin_popcount(outside);
    defect.number[0] = end - first;
    sanitize_report(access->by.block->sanitizer, &defect);
}

bool arrays_run(const WatchedRun *run) {
    const uint64_t room = run->array_end - run->array_first;
    if (room < run->width)
        return false;
    bool inside = true;
    for (uint32_t half = 0; half < 2; half++) {
        inside &= run_first(run, half) - run->array_first <= room - run->width;
        inside &= run_last(run, half) - run->array_first <= room - run->width;
    }
    return inside;
}
