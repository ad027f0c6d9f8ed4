/* Fuzzing the reader of a program's records: any bytes, in pieces of any size, give a profile in which
 * every row that is named exists. The first byte says how large the pieces are. */
#include "fuzz.h"
#include "wire/wire.h"

#include <stdlib.h>
#include <string.h>

static void take_text(void *context, RecordKind kind, const char *text, uint32_t pid) {
    *(size_t *)context += strlen(text) + (size_t)kind + pid;
}

static void take_running(void *context, const RunningLaunch *running) {
    *(size_t *)context += running ? strlen(running->kernel) : 1;
}

static void check_row(uint32_t row, uint32_t count) {
    if (row != NONE && row >= count)
        abort();
}

static void check_launch(const Profile *profile, const LaunchRecord *launch) {
    uint64_t sum = 0;
    if (launch->kernel >= profile->kernels.count)
        abort();
    const ProfKernel *kernel = &profile->kernels.at[launch->kernel];
    for (uint32_t s = 0; s < kernel->site_count; s++)
        for (int id = 0; id < COUNTER_COUNT; id++)
            sum += launch->counters[s].at[id];
    if (sum == 1 && strlen(launch->gpu) == 0) /* all of it can be read */
        abort();
}

static void check_profile(const Profile *profile) {
    for (uint32_t i = 0; i < profile->locations.count; i++) {
        check_row(profile->locations.at[i].file, profile->files.count);
        check_row(profile->locations.at[i].inlined_at, profile->locations.count);
    }
    for (uint32_t i = 0; i < profile->kernels.count; i++) {
        const ProfKernel *kernel = &profile->kernels.at[i];
        check_row(kernel->module, profile->modules.count);
        check_row(kernel->location, profile->locations.count);
        if (kernel->first_site + kernel->site_count > profile->sites.count)
            abort();
    }
    for (uint32_t i = 0; i < profile->launches.count; i++)
        check_launch(profile, &profile->launches.at[i]);
    for (uint32_t i = 0; i < profile->patterns.count; i++) {
        check_row(profile->patterns.at[i].launch, profile->launches.count);
        check_row(profile->patterns.at[i].site, profile->sites.count);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    size_t taken = 0, piece = data[0] ? data[0] : size;
    const RecordSink sink = {
        .profile = profile_new(), .text = take_text, .running = take_running, .context = &taken};
    RecordReader *reader = record_reader_new(&sink, 1);
    bool good = true;
    for (size_t at = 1; at < size && good; at += piece)
        good = record_reader_feed(reader, data + at, size - at < piece ? size - at : piece);
    check_profile(sink.profile);
    record_reader_free(reader);
    profile_free(sink.profile);
    return 0;
}
