/* The program's end of a stream of records: see wire.h. */
#include "wire/wire.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Rows of each table that were sent. */
typedef struct Sent {
    uint32_t modules, files, locations, kernels, sites;
} Sent;

struct Recorder {
    pthread_mutex_t lock; /* of the stream */
    Arena *arena, *scratch;
    Profile *profile;
    char path[sizeof((struct sockaddr_un *)0)->sun_path];
    int stream; /* -1: not open */
    bool ended; /* could not be opened, or broke */
    Sent sent;
    uint8_t *buffer;
    size_t used, capacity, message; /* where the message begins that is being written */
};

Recorder *recorder_new(const char *path) {
    Arena *arena = arena_new();
    Recorder *recorder = NEW(arena, Recorder);
    recorder->arena = arena;
    recorder->stream = -1;
    recorder->ended = !path || strlen(path) >= sizeof recorder->path;
    pthread_mutex_init(&recorder->lock, NULL);
    if (recorder->ended)
        return recorder;
    strcpy(recorder->path, path);
    recorder->scratch = arena_new();
    recorder->profile = profile_new();
    return recorder;
}

bool recorder_active(const Recorder *recorder) {
    return !recorder->ended;
}

Profile *recorder_profile(Recorder *recorder) {
    return recorder->profile;
}

Arena *recorder_scratch(Recorder *recorder) {
    return recorder->scratch;
}

/* ---- writing ---- */

static void put_bytes(Recorder *recorder, const void *data, size_t size) {
    if (recorder->used + size > recorder->capacity) {
        recorder->capacity = 2 * (recorder->used + size) + 4096;
        uint8_t *larger = realloc(recorder->buffer, recorder->capacity);
        if (!larger)
            abort(); /* out of memory ends the process, as everywhere: base.h */
        recorder->buffer = larger;
    }
    memcpy(recorder->buffer + recorder->used, data, size);
    recorder->used += size;
}

static void put(Recorder *recorder, uint64_t value) {
    uint8_t bytes[10];
    size_t count = 0;
    for (; value >= 0x80; value >>= 7)
        bytes[count++] = (uint8_t)(value | 0x80);
    bytes[count++] = (uint8_t)value;
    put_bytes(recorder, bytes, count);
}

static void put_signed(Recorder *recorder, int64_t value) {
    put(recorder, ((uint64_t)value << 1) ^ (uint64_t)(value >> 63));
}

static void put_text(Recorder *recorder, const char *text) {
    size_t length = text ? strlen(text) : 0;
    put(recorder, text ? length + 1 : 0);
    put_bytes(recorder, text ? text : "", length);
}

/* A row number; NONE is 0. */
static void put_row(Recorder *recorder, uint32_t row) {
    put(recorder, row == NONE ? 0 : (uint64_t)row + 1);
}

static void begin(Recorder *recorder, RecordKind kind) {
    uint8_t head[5] = {0, 0, 0, 0, (uint8_t)kind};
    recorder->message = recorder->used;
    put_bytes(recorder, head, sizeof head);
}

static void end(Recorder *recorder) {
    uint32_t length = (uint32_t)(recorder->used - recorder->message - 4);
    for (uint32_t i = 0; i < 4; i++)
        recorder->buffer[recorder->message + i] = (uint8_t)(length >> 8 * i);
}

static void hang_up(Recorder *recorder) {
    if (recorder->stream >= 0)
        close(recorder->stream);
    recorder->stream = -1;
    recorder->ended = true;
}

static void send_all(Recorder *recorder) {
    size_t done = 0;
    while (done < recorder->used && recorder->stream >= 0) {
        ssize_t n =
            send(recorder->stream, recorder->buffer + done, recorder->used - done, MSG_NOSIGNAL);
        if (n < 0 && errno != EINTR)
            hang_up(recorder);
        done += n > 0 ? (size_t)n : 0;
    }
    recorder->used = 0;
}

static bool is_open(Recorder *recorder) {
    if (recorder->stream >= 0 || recorder->ended)
        return !recorder->ended;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strcpy(address.sun_path, recorder->path);
    recorder->stream = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (recorder->stream < 0 ||
        connect(recorder->stream, (struct sockaddr *)&address, sizeof address) != 0) {
        hang_up(recorder);
        return false;
    }
    begin(recorder, RECORD_HELLO);
    put(recorder, (uint64_t)getpid());
    put_text(recorder, program_invocation_short_name);
    end(recorder);
    return true;
}

/* ---- tables ---- */

static void put_modules(Recorder *recorder) {
    const Profile *profile = recorder->profile;
    for (; recorder->sent.modules < profile->modules.count; recorder->sent.modules++) {
        const ProfModule *module = &profile->modules.at[recorder->sent.modules];
        begin(recorder, RECORD_MODULE);
        put_text(recorder, module->name);
        put_text(recorder, module->text);
        put(recorder, module->hash);
        put_text(recorder, module->version);
        put_text(recorder, module->target);
        put(recorder, module->has_lines);
        end(recorder);
    }
}

static void put_places(Recorder *recorder) {
    const Profile *profile = recorder->profile;
    for (; recorder->sent.files < profile->files.count; recorder->sent.files++) {
        begin(recorder, RECORD_FILE);
        put_text(recorder, profile->files.at[recorder->sent.files].path);
        end(recorder);
    }
    for (; recorder->sent.locations < profile->locations.count; recorder->sent.locations++) {
        const Location *location = &profile->locations.at[recorder->sent.locations];
        begin(recorder, RECORD_LOCATION);
        put_row(recorder, location->file);
        put(recorder, location->line);
        put(recorder, location->column);
        put_text(recorder, location->function);
        put_row(recorder, location->inlined_at);
        end(recorder);
    }
}

static void put_kernels(Recorder *recorder) {
    const Profile *profile = recorder->profile;
    for (; recorder->sent.kernels < profile->kernels.count; recorder->sent.kernels++) {
        const ProfKernel *kernel = &profile->kernels.at[recorder->sent.kernels];
        begin(recorder, RECORD_KERNEL);
        put_row(recorder, kernel->module);
        put_text(recorder, kernel->name);
        put_text(recorder, kernel->demangled);
        put_row(recorder, kernel->location);
        put(recorder, kernel->ptx_line);
        put(recorder, kernel->site_count);
        put(recorder, kernel->registers);
        put(recorder, kernel->shared.count);
        for (uint32_t i = 0; i < kernel->shared.count; i++) {
            const SharedVariable *variable = &kernel->shared.at[i];
            put_text(recorder, variable->name);
            put_text(recorder, variable->symbol);
            put(recorder, variable->offset);
            put(recorder, variable->bytes);
            put(recorder, variable->align);
            put(recorder, variable->dynamic);
        }
        end(recorder);
    }
}

/* A kernel's sites come right behind it, for the reader to know where they belong. */
static void put_sites(Recorder *recorder) {
    const Profile *profile = recorder->profile;
    for (; recorder->sent.sites < profile->sites.count; recorder->sent.sites++) {
        const Site *site = &profile->sites.at[recorder->sent.sites];
        begin(recorder, RECORD_SITE);
        put_row(recorder, site->kernel);
        put_row(recorder, site->location);
        put(recorder, site->ptx_line);
        put_text(recorder, site->text);
        put(recorder, site->op);
        put(recorder, site->space);
        put(recorder, site->width);
        put(recorder, site->access);
        put(recorder, site->matrices);
        put(recorder, site->accesses);
        put(recorder, site->merged_element);
        put(recorder, site->merged_used);
        put(recorder, site->block);
        put(recorder, site->guard);
        put(recorder, site->base);
        put_signed(recorder, site->offset);
        end(recorder);
    }
}

/* ---- launches ---- */

/* Most counters of a site are 0: a mask of the others, then these. */
static void put_counters(Recorder *recorder, const Counters *counters) {
    uint64_t mask = 0;
    for (int id = 0; id < COUNTER_COUNT; id++)
        mask |= (uint64_t)(counters->at[id] != 0) << id;
    put(recorder, mask);
    for (int id = 0; id < COUNTER_COUNT; id++) {
        uint64_t value = counters->at[id];
        if (value)
            put(recorder, value);
    }
}

static void put_pattern(Recorder *recorder, const AccessPattern *pattern) {
    put_row(recorder, pattern->site);
    put(recorder, pattern->space);
    put_row(recorder, pattern->variable);
    put(recorder, pattern->base);
    put(recorder, pattern->first);
    put(recorder, pattern->mask);
    put(recorder, pattern->count);
    put(recorder, pattern->no_change);
    put(recorder, pattern->affine);
    put_signed(recorder, pattern->stride);
    put(recorder, (pattern->delta ? 1u : 0u) | (pattern->source ? 2u : 0u));
    for (uint32_t lane = 0; pattern->delta && lane < 32; lane++)
        put_signed(recorder, pattern->delta[lane]);
    for (uint32_t lane = 0; pattern->source && lane < 32; lane++)
        put_signed(recorder, pattern->source[lane]);
}

/* Of the launch: others may be there, which it has launched. */
static void put_counts(Recorder *recorder, uint32_t launch) {
    const Profile *profile = recorder->profile;
    uint32_t count = 0;
    for (uint32_t i = 0; i < profile->location_counts.count; i++)
        count += profile->location_counts.at[i].launch == launch;
    put(recorder, count);
    for (uint32_t i = 0; i < profile->location_counts.count; i++) {
        const LocationCount *row = &profile->location_counts.at[i];
        if (row->launch != launch)
            continue;
        put_row(recorder, row->location);
        put(recorder, row->warp_insts);
        put(recorder, row->thread_insts);
    }
}

static void put_patterns(Recorder *recorder, uint32_t launch) {
    const Profile *profile = recorder->profile;
    uint32_t count = 0;
    for (uint32_t i = 0; i < profile->patterns.count; i++)
        count += profile->patterns.at[i].launch == launch;
    put(recorder, count);
    for (uint32_t i = 0; i < profile->patterns.count; i++)
        if (profile->patterns.at[i].launch == launch)
            put_pattern(recorder, &profile->patterns.at[i]);
}

static void put_launch(Recorder *recorder, uint32_t number) {
    const Profile *profile = recorder->profile;
    const LaunchRecord *launch = &profile->launches.at[number];
    const ProfKernel *kernel = &profile->kernels.at[launch->kernel];
    begin(recorder, RECORD_LAUNCH);
    put_row(recorder, launch->kernel);
    for (uint32_t i = 0; i < 3; i++)
        put(recorder, launch->grid[i]);
    for (uint32_t i = 0; i < 3; i++)
        put(recorder, launch->block[i]);
    put(recorder, launch->dynamic_shared);
    put_text(recorder, launch->gpu);
    put(recorder, launch->gpu_measured);
    put(recorder, launch->status);
    put(recorder, launch->blocks);
    put(recorder, launch->blocks_run);
    put(recorder, launch->evidence_blocks);
    put(recorder, launch->blocks_counted);
    put_bytes(recorder, &launch->footprint, sizeof launch->footprint);
    put(recorder, launch->warp_insts);
    put(recorder, launch->thread_insts);
    put_bytes(recorder, &launch->arithmetic, sizeof launch->arithmetic);
    put_bytes(recorder, &launch->wall_seconds, sizeof launch->wall_seconds);
    put_bytes(recorder, &launch->cpu_seconds, sizeof launch->cpu_seconds);
    put_bytes(recorder, &launch->compile_seconds, sizeof launch->compile_seconds);
    put(recorder, launch->launches);
    put(recorder, launch->depth);
    put(recorder, launch->launches ? number - launch->launched_by : 0);
    put_text(recorder, launch->fault);
    put(recorder, kernel->shared.count);
    for (uint32_t i = 0; i < kernel->shared.count; i++)
        put(recorder, kernel->shared.at[i].element_bytes);
    put(recorder, launch->allocations.count);
    for (uint32_t i = 0; i < launch->allocations.count; i++) {
        put_text(recorder, launch->allocations.at[i].name);
        put(recorder, launch->allocations.at[i].bytes);
        put(recorder, launch->allocations.at[i].element_bytes);
    }
    put(recorder, kernel->site_count);
    for (uint32_t i = 0; i < kernel->site_count; i++)
        put_counters(recorder, &launch->counters[i]);
    put_counts(recorder, number);
    put_patterns(recorder, number);
    end(recorder);
}

void recorder_launch(Recorder *recorder) {
    Profile *profile = recorder->profile;
    pthread_mutex_lock(&recorder->lock);
    if (is_open(recorder)) {
        put_modules(recorder);
        put_places(recorder);
        put_kernels(recorder);
        put_sites(recorder);
        for (uint32_t i = 0; i < profile->launches.count; i++)
            put_launch(recorder, i);
        send_all(recorder);
    }
    profile->launches.count = 0;
    profile->location_counts.count = 0;
    profile->patterns.count = 0;
    arena_clear(recorder->scratch);
    pthread_mutex_unlock(&recorder->lock);
}

/* ---- texts ---- */

void recorder_text(Recorder *recorder, RecordKind kind, const char *text) {
    pthread_mutex_lock(&recorder->lock);
    if (is_open(recorder)) {
        begin(recorder, kind);
        put_text(recorder, text);
        end(recorder);
        send_all(recorder);
    }
    pthread_mutex_unlock(&recorder->lock);
}

/* ---- a launch that runs ---- */

void recorder_running(Recorder *recorder, const RunningLaunch *running) {
    pthread_mutex_lock(&recorder->lock);
    if (is_open(recorder)) {
        begin(recorder, RECORD_RUNNING);
        put(recorder, running->number);
        put_text(recorder, running->kernel);
        put(recorder, running->blocks);
        put(recorder, running->blocks_done);
        put(recorder, running->thread_insts);
        put_bytes(recorder, &running->seconds, sizeof running->seconds);
        put(recorder, running->written);
        end(recorder);
        send_all(recorder);
    }
    pthread_mutex_unlock(&recorder->lock);
}

void recorder_result(Recorder *recorder, const ProgramResult *result) {
    pthread_mutex_lock(&recorder->lock);
    if (is_open(recorder)) {
        begin(recorder, RECORD_RESULT);
        put(recorder, result->bytes);
        put(recorder, result->hash);
        end(recorder);
        send_all(recorder);
    }
    pthread_mutex_unlock(&recorder->lock);
}

void recorder_ran(Recorder *recorder) {
    char answer;
    pthread_mutex_lock(&recorder->lock);
    if (recorder->stream >= 0) {
        begin(recorder, RECORD_RAN);
        end(recorder);
        send_all(recorder);
    }
    while (recorder->stream >= 0 && recv(recorder->stream, &answer, 1, 0) < 0 && errno == EINTR)
        ;
    pthread_mutex_unlock(&recorder->lock);
}

void recorder_wait(Recorder *recorder) {
    char byte;
    ssize_t n = 1;
    while (recorder->stream >= 0 && (n > 0 || (n < 0 && errno == EINTR)))
        n = recv(recorder->stream, &byte, 1, 0);
}

void recorder_forked(Recorder *recorder) {
    pthread_mutex_init(&recorder->lock, NULL);
    if (recorder->stream >= 0)
        close(recorder->stream);
    recorder->stream = -1;
    recorder->used = 0;
    recorder->sent = (Sent){0};
    if (recorder->profile) {
        recorder->profile->launches.count = 0;
        recorder->profile->location_counts.count = 0;
        recorder->profile->patterns.count = 0;
    }
}
