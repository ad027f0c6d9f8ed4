/* warplens's end of a stream of records: into a Profile that several streams share. */
#include "wire/wire.h"

#include "isa/isa.h"

#include <stdlib.h>
#include <string.h>

enum { MESSAGE_MOST = 1 << 30, SITES_MOST = 1 << 22, LANES = 32 };

/* A row of the stream's table to one of the profile's. */
typedef struct Rows {
    VEC(uint32_t) to;
} Rows;

struct RecordReader {
    const RecordSink *sink;
    Arena *arena, *scratch;
    uint32_t pid;
    Rows modules, files, locations, kernels, sites;
    VEC(uint32_t) sites_read; /* of each kernel of the stream */
    uint8_t *pending;         /* an incomplete message */
    size_t used, capacity;
};

RecordReader *record_reader_new(const RecordSink *sink) {
    Arena *arena = arena_new();
    RecordReader *reader = NEW(arena, RecordReader);
    reader->arena = arena;
    reader->scratch = arena_new();
    reader->sink = sink;
    return reader;
}

void record_reader_free(RecordReader *reader) {
    if (!reader)
        return;
    free(reader->pending);
    arena_free(reader->scratch);
    arena_free(reader->arena);
}

/* ---- reading a message: errors stick ---- */

typedef struct Input {
    const uint8_t *at, *end;
    bool bad;
} Input;

static uint64_t get(Input *in) {
    uint64_t value = 0;
    for (uint32_t shift = 0; shift < 64; shift += 7) {
        if (in->at == in->end)
            break;
        uint8_t byte = *in->at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return value;
    }
    in->bad = true;
    return 0;
}

static uint32_t get32(Input *in) {
    uint64_t value = get(in);
    if (value > UINT32_MAX)
        in->bad = true;
    return (uint32_t)value;
}

static int64_t get_signed(Input *in) {
    uint64_t value = get(in);
    return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

/* A number of things of which each takes a byte at least. */
static uint32_t get_count(Input *in) {
    uint64_t count = get(in);
    if (count > (uint64_t)(in->end - in->at))
        in->bad = true;
    return in->bad ? 0 : (uint32_t)count;
}

static const char *get_text(Input *in, Arena *arena) {
    uint64_t length = get(in);
    if (in->bad || length == 0)
        return NULL;
    if (length - 1 > (uint64_t)(in->end - in->at)) {
        in->bad = true;
        return NULL;
    }
    const char *text = arena_copy(arena, (const char *)in->at, length - 1);
    in->at += length - 1;
    return text;
}

static const char *get_name(Input *in, Arena *arena) {
    const char *text = get_text(in, arena);
    if (!text)
        in->bad = true;
    return text ? text : "";
}

static void get_numbers(Input *in, void *to, size_t size) {
    if (in->end - in->at < (ptrdiff_t)size) {
        in->bad = true;
        memset(to, 0, size);
        return;
    }
    memcpy(to, in->at, size);
    in->at += size;
}

static double get_double(Input *in) {
    double value = 0;
    get_numbers(in, &value, sizeof value);
    return value;
}

static uint32_t get_row(Input *in, const Rows *rows) {
    uint64_t number = get(in);
    if (number == 0)
        return NONE;
    if (number > rows->to.count) {
        in->bad = true;
        return NONE;
    }
    return rows->to.at[number - 1];
}

static void add_row(RecordReader *reader, Rows *rows, uint32_t to) {
    *vec_add(reader->arena, &rows->to) = to;
}

/* ---- tables ---- */

static void read_module(RecordReader *reader, Input *in) {
    Profile *profile = reader->sink->profile;
    Arena *arena = profile->arena;
    ProfModule module = {.name = get_name(in, arena), .text = get_text(in, arena)};
    module.hash = get(in);
    module.version = get_name(in, arena);
    module.target = get_name(in, arena);
    module.has_lines = get(in) != 0;
    for (uint32_t i = 0; i < profile->modules.count; i++) {
        const ProfModule *known = &profile->modules.at[i];
        if (known->hash == module.hash && strcmp(known->name, module.name) == 0) {
            add_row(reader, &reader->modules, i);
            return;
        }
    }
    *vec_add(arena, &profile->modules) = module;
    add_row(reader, &reader->modules, profile->modules.count - 1);
}

static void read_file(RecordReader *reader, Input *in) {
    Profile *profile = reader->sink->profile;
    const char *path = get_name(in, reader->arena);
    if (!in->bad)
        add_row(reader, &reader->files, profile_file(profile, path));
}

static void read_location(RecordReader *reader, Input *in) {
    uint32_t file = get_row(in, &reader->files), line = get32(in), column = get32(in);
    const char *function = get_text(in, reader->arena);
    uint32_t outer = get_row(in, &reader->locations);
    if (!in->bad)
        add_row(reader, &reader->locations,
                profile_location(reader->sink->profile, file, line, column, function, outer));
}

static uint32_t find_kernel(const Profile *profile, uint32_t module, const char *name) {
    for (uint32_t i = 0; i < profile->kernels.count; i++) {
        if (profile->kernels.at[i].module == module &&
            strcmp(profile->kernels.at[i].name, name) == 0)
            return i;
    }
    return NONE;
}

static void read_kernel(RecordReader *reader, Input *in) {
    Profile *profile = reader->sink->profile;
    Arena *arena = profile->arena;
    ProfKernel kernel = {.module = get_row(in, &reader->modules), .name = get_name(in, arena)};
    kernel.demangled = get_name(in, arena);
    kernel.location = get_row(in, &reader->locations);
    kernel.ptx_line = get32(in);
    kernel.site_count = get32(in);
    kernel.registers = get32(in);
    kernel.first_site = profile->sites.count;
    for (uint32_t left = get_count(in); left > 0 && !in->bad; left--) {
        SharedVariable *variable = vec_add(arena, &kernel.shared);
        variable->name = get_name(in, arena);
        variable->symbol = get_name(in, arena);
        variable->offset = get32(in);
        variable->bytes = get32(in);
        variable->align = get32(in);
        variable->dynamic = get(in) != 0;
    }
    in->bad |= kernel.module == NONE || kernel.site_count > SITES_MOST;
    if (in->bad)
        return;
    uint32_t known = find_kernel(profile, kernel.module, kernel.name);
    if (known == NONE) {
        known = profile->kernels.count;
        *vec_add(arena, &profile->kernels) = kernel;
        for (uint32_t i = 0; i < kernel.site_count; i++) /* filled as they come */
            *vec_add(arena, &profile->sites) =
                (Site){.kernel = known, .location = NONE, .text = ""};
    }
    in->bad |= profile->kernels.at[known].site_count != kernel.site_count;
    *vec_add(reader->arena, &reader->sites_read) = 0;
    add_row(reader, &reader->kernels, known);
}

static void read_site(RecordReader *reader, Input *in) {
    Profile *profile = reader->sink->profile;
    uint64_t number = get(in);
    if (number == 0 || number > reader->kernels.to.count) {
        in->bad = true;
        return;
    }
    uint32_t kernel = reader->kernels.to.at[number - 1];
    uint32_t ordinal = reader->sites_read.at[number - 1]++;
    if (ordinal >= profile->kernels.at[kernel].site_count) {
        in->bad = true;
        return;
    }
    Site site = {.kernel = kernel, .location = get_row(in, &reader->locations)};
    site.ptx_line = get32(in);
    site.text = get_name(in, profile->arena);
    site.op = (SiteOp)get32(in);
    site.space = (SiteSpace)get32(in);
    site.width = get32(in);
    site.access = get32(in);
    site.matrices = get32(in);
    site.accesses = get32(in);
    site.merged_element = get32(in);
    site.merged_used = get32(in);
    site.block = get32(in);
    site.guard = get32(in);
    site.base = get32(in);
    site.offset = get_signed(in);
    if (in->bad || site.op > SITE_TEXTURE || site.space > SITE_CONST) {
        in->bad = true;
        return;
    }
    uint32_t row = profile->kernels.at[kernel].first_site + ordinal;
    profile->sites.at[row] = site;
    add_row(reader, &reader->sites, row);
}

/* ---- launches ---- */

static void read_counters(Input *in, Counters *counters) {
    uint64_t mask = get(in);
    for (uint32_t id = 0; id < COUNTER_COUNT; id++)
        counters->at[id] = mask >> id & 1 ? get(in) : 0;
}

static const int64_t *read_lanes(Input *in, Arena *arena) {
    int64_t *lanes = NEW_ARRAY(arena, int64_t, LANES);
    for (uint32_t lane = 0; lane < LANES; lane++)
        lanes[lane] = get_signed(in);
    return lanes;
}

static void read_pattern(RecordReader *reader, Input *in, uint32_t launch) {
    Profile *profile = reader->sink->profile;
    AccessPattern pattern = {.launch = launch, .site = get_row(in, &reader->sites)};
    pattern.space = (SiteSpace)get32(in);
    uint64_t variable = get(in);
    pattern.variable = variable ? (uint32_t)(variable - 1) : NONE;
    pattern.base = get(in);
    pattern.first = get(in);
    pattern.mask = get32(in);
    pattern.count = get(in);
    pattern.no_change = get(in) != 0;
    pattern.affine = get(in) != 0;
    pattern.stride = get_signed(in);
    uint64_t lists = get(in);
    pattern.delta = lists & 1 ? read_lanes(in, profile->arena) : NULL;
    pattern.source = lists & 2 ? read_lanes(in, profile->arena) : NULL;
    in->bad |= pattern.site == NONE || pattern.space > SITE_CONST;
    if (!in->bad)
        *vec_add(profile->arena, &profile->patterns) = pattern;
}

static void read_sizes(RecordReader *reader, Input *in, LaunchRecord *launch) {
    Arena *arena = reader->sink->profile->arena;
    for (uint32_t i = 0; i < 3; i++)
        launch->grid[i] = get32(in);
    for (uint32_t i = 0; i < 3; i++)
        launch->block[i] = get32(in);
    launch->dynamic_shared = get32(in);
    const char *gpu = get_name(in, reader->arena);
    const Gpu *known = gpu_named(str_of(gpu));
    launch->gpu = known ? known->name : "";
    in->bad |= !known;
    launch->gpu_measured = get(in) != 0;
    launch->status = (LaunchStatus)get32(in);
    in->bad |= launch->status > LAUNCH_FAULT;
    launch->blocks = get(in);
    launch->blocks_run = get(in);
    launch->evidence_blocks = get(in);
    launch->blocks_counted = get(in);
    get_numbers(in, &launch->footprint, sizeof launch->footprint);
    launch->warp_insts = get(in);
    launch->thread_insts = get(in);
    get_numbers(in, &launch->arithmetic, sizeof launch->arithmetic);
    launch->wall_seconds = get_double(in);
    launch->cpu_seconds = get_double(in);
    launch->compile_seconds = get_double(in);
    launch->launches = get32(in);
    launch->depth = get32(in);
    uint32_t number = reader->sink->profile->launches.count, back = get32(in);
    in->bad |= back > number;
    launch->launched_by = number - back;
    launch->fault = get_text(in, arena);
}

static void read_arrays(RecordReader *reader, Input *in, ProfKernel *kernel, LaunchRecord *launch) {
    Arena *arena = reader->sink->profile->arena;
    uint32_t shared = get_count(in);
    in->bad |= shared != kernel->shared.count;
    for (uint32_t i = 0; i < shared && !in->bad; i++) {
        uint32_t bytes = get32(in);
        if (bytes)
            kernel->shared.at[i].element_bytes = bytes;
    }
    for (uint32_t left = get_count(in); left > 0 && !in->bad; left--) {
        Allocation *allocation = vec_add(arena, &launch->allocations);
        allocation->name = get_name(in, arena);
        allocation->bytes = get(in);
        allocation->element_bytes = get32(in);
    }
}

static void read_launch(RecordReader *reader, Input *in) {
    Profile *profile = reader->sink->profile;
    Arena *arena = profile->arena;
    LaunchRecord launch = {.kernel = get_row(in, &reader->kernels)};
    read_sizes(reader, in, &launch);
    in->bad |= launch.kernel == NONE;
    if (in->bad)
        return;
    ProfKernel *kernel = &profile->kernels.at[launch.kernel];
    read_arrays(reader, in, kernel, &launch);
    uint32_t sites = get32(in), number = profile->launches.count;
    in->bad |= sites != kernel->site_count;
    if (in->bad)
        return;
    launch.counters = NEW_ARRAY(arena, Counters, sites + 1);
    for (uint32_t i = 0; i < sites; i++)
        read_counters(in, &launch.counters[i]);
    *vec_add(arena, &profile->launches) = launch;
    for (uint32_t left = get_count(in); left > 0 && !in->bad; left--) {
        LocationCount count = {.launch = number, .location = get_row(in, &reader->locations)};
        count.warp_insts = get(in);
        count.thread_insts = get(in);
        in->bad |= count.location == NONE;
        if (!in->bad)
            *vec_add(arena, &profile->location_counts) = count;
    }
    for (uint32_t left = get_count(in); left > 0 && !in->bad; left--)
        read_pattern(reader, in, number);
}

/* ---- messages ---- */

static void read_text(RecordReader *reader, Input *in, RecordKind kind) {
    const char *text = get_name(in, reader->arena);
    if (!in->bad)
        reader->sink->text(reader->sink->context, kind, text, reader->pid);
}

static void read_running(RecordReader *reader, Input *in) {
    const RecordSink *sink = reader->sink;
    RunningLaunch running = {.number = get(in)};
    running.kernel = get_name(in, reader->scratch);
    running.blocks = get(in);
    running.blocks_done = get(in);
    running.thread_insts = get(in);
    running.seconds = get_double(in);
    running.written = get(in);
    if (!in->bad && sink->running)
        sink->running(sink->context, &running);
    arena_clear(reader->scratch);
}

static void read_result(RecordReader *reader, Input *in) {
    const RecordSink *sink = reader->sink;
    ProgramResult result = {.bytes = get(in)};
    result.hash = get(in);
    if (!in->bad && sink->result)
        sink->result(sink->context, &result);
}

static bool read_message(RecordReader *reader, const uint8_t *data, size_t size) {
    Input in = {.at = data + 1, .end = data + size};
    RecordKind kind = (RecordKind)data[0];
    switch (kind) {
    case RECORD_HELLO:
        reader->pid = get32(&in);
        read_text(reader, &in, kind);
        break;
    case RECORD_MODULE:
        read_module(reader, &in);
        break;
    case RECORD_FILE:
        read_file(reader, &in);
        break;
    case RECORD_LOCATION:
        read_location(reader, &in);
        break;
    case RECORD_KERNEL:
        read_kernel(reader, &in);
        break;
    case RECORD_SITE:
        read_site(reader, &in);
        break;
    case RECORD_LAUNCH:
        read_launch(reader, &in);
        break;
    case RECORD_MESSAGE:
    case RECORD_FAULT:
    case RECORD_UNSUPPORTED:
        read_text(reader, &in, kind);
        break;
    case RECORD_RUNNING:
        read_running(reader, &in);
        break;
    case RECORD_RAN:
        if (reader->sink->running)
            reader->sink->running(reader->sink->context, NULL);
        break;
    case RECORD_RESULT:
        read_result(reader, &in);
        break;
    case RECORD_KINDS:
    default:
        return false;
    }
    return !in.bad;
}

static uint32_t length_at(const uint8_t *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static bool keep(RecordReader *reader, const void *data, size_t size) {
    if (reader->used + size > reader->capacity) {
        size_t larger = 2 * (reader->used + size);
        uint8_t *moved = realloc(reader->pending, larger);
        if (!moved)
            return false;
        reader->pending = moved;
        reader->capacity = larger;
    }
    memcpy(reader->pending + reader->used, data, size);
    reader->used += size;
    return true;
}

bool record_reader_feed(RecordReader *reader, const void *data, size_t size) {
    if (!keep(reader, data, size))
        return false;
    size_t at = 0;
    while (reader->used - at >= 4) {
        uint32_t length = length_at(reader->pending + at);
        if (length == 0 || length > MESSAGE_MOST)
            return false;
        if (reader->used - at - 4 < length)
            break;
        if (!read_message(reader, reader->pending + at + 4, length))
            return false;
        at += 4 + length;
    }
    memmove(reader->pending, reader->pending + at, reader->used - at);
    reader->used -= at;
    return true;
}
