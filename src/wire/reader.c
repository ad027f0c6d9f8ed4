/* warplens's end of a stream of records: into a Profile that several streams share. */
#include "isa/isa.h"
#include "wire/bytes.h"
#include "wire/wire.h"

#include <stdlib.h>
#include <string.h>

enum { MESSAGE_MOST = 1 << 30 };

/* A row of the stream's table to one of the profile's. */
typedef struct Rows {
    VEC(uint32_t) to;
} Rows;

struct RecordReader {
    const RecordSink *sink;
    Arena *arena, *scratch; /* scratch: of a message */
    uint32_t pid, number;   /* number: of the process, from 1 */
    Rows rows[TABLES];      /* of the stream; of launches: of the message */
    Rows launches;          /* of the stream */
    Map *kernels;           /* the profile's first `known` ones: find_kernel */
    uint32_t known;
    const Gpu *gpu;   /* of the last launch */
    uint8_t *pending; /* an incomplete message */
    size_t used, capacity;
};

RecordReader *record_reader_new(const RecordSink *sink, uint32_t number) {
    Arena *arena = arena_new();
    RecordReader *reader = NEW(arena, RecordReader);
    reader->arena = arena;
    reader->scratch = arena_new();
    reader->kernels = map_new(arena);
    reader->sink = sink;
    reader->number = number;
    return reader;
}

void record_reader_free(RecordReader *reader) {
    if (!reader)
        return;
    free(reader->pending);
    arena_free(reader->scratch);
    arena_free(reader->arena);
}

/* ---- rows ---- */

static void add_row(RecordReader *reader, TableId id, uint32_t to) {
    *vec_add(reader->arena, &reader->rows[id].to) = to;
}

/* The stream's numbers of rows become the profile's. */
static void translate(RecordReader *reader, Input *in, const ProfTable *table, void *row) {
    for (uint32_t i = 0; i < table->field_count; i++) {
        const ProfField *field = &table->fields[i];
        uint32_t *number = (void *)((char *)row + field->offset);
        if (field->kind != FIELD_INDEX || field->target == TABLE_NONE || *number == NONE)
            continue;
        const Rows *rows = &reader->rows[field->target];
        in->bad |= *number >= rows->to.count;
        *number = in->bad ? NONE : rows->to.at[*number];
    }
}

static void read_row(RecordReader *reader, Input *in, Arena *arena, TableId id, void *row) {
    input_row(in, arena, &prof_tables[id], row);
    translate(reader, in, &prof_tables[id], row);
}

/* Rows that belong to a row of the profile, of every table that has such rows. */
static void read_children(RecordReader *reader, Input *in, TableId parent, uint32_t number) {
    Profile *profile = reader->sink->profile;
    for (uint32_t id = 0; id < TABLES; id++) {
        const ProfTable *table = &prof_tables[id];
        if (table->parent != parent)
            continue;
        uint32_t have, first, count = input_count(in);
        table->rows(profile, number, &have, &first);
        in->bad |= id == TABLE_count && count != have;
        for (uint32_t i = 0; i < count && !in->bad; i++)
            read_row(reader, in, profile->arena, id, table->add(profile, number, first + i));
    }
}

static void skip_children(RecordReader *reader, Input *in, TableId parent) {
    for (uint32_t id = 0; id < TABLES; id++) {
        if (prof_tables[id].parent != parent)
            continue;
        void *row = arena_alloc(reader->scratch, prof_tables[id].row_bytes);
        for (uint32_t left = input_count(in); left > 0 && !in->bad; left--)
            input_row(in, reader->scratch, &prof_tables[id], row);
    }
}

/* ---- what a stream sends once ---- */

static void read_file(RecordReader *reader, Input *in) {
    Profile *profile = reader->sink->profile;
    SourceFile file;
    read_row(reader, in, reader->scratch, TABLE_file, &file);
    if (in->bad)
        return;
    uint32_t known = profile->files.count, number = profile_file(profile, file.path);
    if (number == known) {
        row_keep(profile->arena, &prof_tables[TABLE_file], &file);
        profile->files.at[number] = file;
    }
    add_row(reader, TABLE_file, number);
}

static bool is_module(const ProfModule *a, const ProfModule *b) {
    return a->hash == b->hash && strcmp(a->name, b->name) == 0;
}

static void read_module(RecordReader *reader, Input *in) {
    Profile *profile = reader->sink->profile;
    ProfModule module;
    read_row(reader, in, reader->scratch, TABLE_module, &module);
    if (in->bad)
        return;
    uint32_t number = 0;
    while (number < profile->modules.count && !is_module(&profile->modules.at[number], &module))
        number++;
    if (number == profile->modules.count) {
        row_keep(profile->arena, &prof_tables[TABLE_module], &module);
        *vec_add(profile->arena, &profile->modules) = module;
    }
    add_row(reader, TABLE_module, number);
}

static void read_location(RecordReader *reader, Input *in) {
    Profile *profile = reader->sink->profile;
    Location place;
    read_row(reader, in, reader->scratch, TABLE_location, &place);
    if (in->bad)
        return;
    uint32_t known = profile->locations.count;
    uint32_t number = profile_location(profile, place.file, place.line, place.column,
                                       place.function, place.inlined_at);
    if (number == known) {
        row_keep(profile->arena, &prof_tables[TABLE_location], &place);
        profile->locations.at[number] = place;
    }
    add_row(reader, TABLE_location, number);
}

static Str kernel_key(Arena *arena, const ProfKernel *kernel) {
    return str_of(arena_printf(arena, "%u %s", kernel->module, kernel->name));
}

/* Other streams add kernels to the profile, too. */
static uint32_t find_kernel(RecordReader *reader, const ProfKernel *kernel) {
    const Profile *profile = reader->sink->profile;
    uint64_t number;
    for (; reader->known < profile->kernels.count; reader->known++) {
        Str key = kernel_key(reader->arena, &profile->kernels.at[reader->known]);
        if (!map_get(reader->kernels, key, NULL))
            map_put(reader->kernels, key, reader->known);
    }
    bool there = map_get(reader->kernels, kernel_key(reader->scratch, kernel), &number);
    return there ? (uint32_t)number : profile->kernels.count;
}

/* The sites of a new kernel are added, those of a known one are there. */
static void read_sites(RecordReader *reader, Input *in, const ProfKernel *kernel, bool added) {
    Profile *profile = reader->sink->profile;
    uint32_t count = input_count(in), own = reader->rows[TABLE_kernel].to.count - 1;
    in->bad |= count != kernel->site_count;
    for (uint32_t i = 0; i < count && !in->bad; i++) {
        Site site;
        read_row(reader, in, reader->scratch, TABLE_site, &site);
        in->bad |= site.kernel != reader->rows[TABLE_kernel].to.at[own];
        if (in->bad)
            return;
        add_row(reader, TABLE_site, kernel->first_site + i);
        if (added) {
            row_keep(profile->arena, &prof_tables[TABLE_site], &site);
            *vec_add(profile->arena, &profile->sites) = site;
        }
    }
}

static void read_kernel(RecordReader *reader, Input *in) {
    Profile *profile = reader->sink->profile;
    ProfKernel kernel;
    read_row(reader, in, reader->scratch, TABLE_kernel, &kernel);
    if (in->bad)
        return;
    uint32_t number = find_kernel(reader, &kernel), sites = profile->sites.count;
    bool added = number == profile->kernels.count;
    kernel.first_site = added ? sites : profile->kernels.at[number].first_site;
    in->bad |= !added && kernel.site_count != profile->kernels.at[number].site_count;
    add_row(reader, TABLE_kernel, number);
    read_sites(reader, in, &kernel, added);
    if (in->bad) {
        profile->sites.count = sites;
        return;
    }
    if (!added) {
        skip_children(reader, in, TABLE_kernel);
        return;
    }
    row_keep(profile->arena, &prof_tables[TABLE_kernel], &kernel);
    *vec_add(profile->arena, &profile->kernels) = kernel;
    read_children(reader, in, TABLE_kernel, number);
}

/* ---- launches ---- */

static bool is_gpu(RecordReader *reader, const char *name) {
    if (!reader->gpu || strcmp(reader->gpu->name, name) != 0)
        reader->gpu = gpu_named(str_of(name));
    return reader->gpu;
}

static void read_launch(RecordReader *reader, Input *in) {
    Profile *profile = reader->sink->profile;
    uint32_t number = profile->launches.count;
    LaunchRecord launch;
    add_row(reader, TABLE_launch, number);
    read_row(reader, in, profile->arena, TABLE_launch, &launch);
    if (in->bad)
        return;
    ProfKernel *kernel = &profile->kernels.at[launch.kernel];
    in->bad |= !is_gpu(reader, launch.gpu) || kernel->site_count > in->end - in->at;
    if (in->bad)
        return;
    if (launch.number && !launch.process)
        launch.process = reader->number;
    launch.counters = NEW_ARRAY(profile->arena, Counters, kernel->site_count);
    *vec_add(profile->arena, &profile->launches) = launch;
    *vec_add(reader->arena, &reader->launches.to) = number;
    read_children(reader, in, TABLE_launch, number);
    for (uint32_t v = 0; v < kernel->shared.count; v++) {
        uint32_t bytes = input_small(in);
        if (bytes)
            kernel->shared.at[v].element_bytes = bytes;
    }
}

static void read_location_count(RecordReader *reader, Input *in) {
    Profile *profile = reader->sink->profile;
    LocationCount row;
    read_row(reader, in, profile->arena, TABLE_location_count, &row);
    if (!in->bad)
        *vec_add(profile->arena, &profile->location_counts) = row;
}

static void read_pattern(RecordReader *reader, Input *in) {
    Profile *profile = reader->sink->profile;
    AccessPattern row;
    read_row(reader, in, profile->arena, TABLE_pattern, &row);
    in->bad = in->bad || !pattern_fits(profile, &row);
    if (!in->bad)
        *vec_add(profile->arena, &profile->patterns) = row;
}

/* Equal ones of several launches and processes are one row. */
static void read_defect(RecordReader *reader, Input *in) {
    Defect row;
    read_row(reader, in, reader->scratch, TABLE_defect, &row);
    if (!in->bad)
        profile_defect(reader->sink->profile, reader->sink->profile->arena, &row);
}

/* Of a message that turns out to be malformed no launch remains. */
static void read_launches(RecordReader *reader, Input *in) {
    static void (*const readers[])(RecordReader *, Input *) = {
        read_file,   read_module,         read_location, read_kernel,
        read_launch, read_location_count, read_pattern,  read_defect};
    Profile *profile = reader->sink->profile;
    uint32_t launches = profile->launches.count, patterns = profile->patterns.count,
             counts = profile->location_counts.count, defects = profile->defects.count;
    reader->rows[TABLE_launch].to.count = 0;
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
        for (uint32_t left = input_count(in); left > 0 && !in->bad; left--)
            readers[i](reader, in);
    if (in->bad) {
        profile->launches.count = launches;
        profile->patterns.count = patterns;
        profile->location_counts.count = counts;
        profile->defects.count = defects;
    }
}

/* ---- messages ---- */

static void read_text(RecordReader *reader, Input *in, RecordKind kind) {
    const char *text = input_text(in, reader->scratch);
    if (!in->bad)
        reader->sink->text(reader->sink->context, kind, text, reader->pid);
}

static void read_running(RecordReader *reader, Input *in) {
    const RecordSink *sink = reader->sink;
    RunningLaunch running = {.number = input_number(in)};
    running.kernel = input_text(in, reader->scratch);
    running.blocks = input_number(in);
    running.blocks_done = input_number(in);
    running.thread_insts = input_number(in);
    running.seconds = input_real(in);
    running.written = input_number(in);
    if (!in->bad && sink->running)
        sink->running(sink->context, &running);
}

static void read_result(RecordReader *reader, Input *in) {
    const RecordSink *sink = reader->sink;
    ProgramResult result = {.bytes = input_number(in)};
    result.hash = input_number(in);
    if (!in->bad && sink->result)
        sink->result(sink->context, &result);
}

static void read_repeated(RecordReader *reader, Input *in) {
    uint64_t number = input_number(in);
    in->bad |= number >= reader->launches.to.count;
    if (!in->bad)
        reader->sink->profile->launches.at[reader->launches.to.at[number]].repeats++;
}

static void read_listed(RecordReader *reader, Input *in) {
    const RecordSink *sink = reader->sink;
    ListedLaunch listed = {.kernel = input_text(in, reader->scratch)};
    listed.seconds = input_real(in);
    if (!in->bad && sink->listed)
        sink->listed(sink->context, &listed);
}

static void read_call(RecordReader *reader, Input *in) {
    HostCall call;
    read_row(reader, in, reader->scratch, TABLE_host_call, &call);
    if (!in->bad)
        profile_call(reader->sink->profile, &call);
}

static bool read_message(RecordReader *reader, const uint8_t *data, size_t size) {
    Input in = {.at = data + 1, .end = data + size};
    RecordKind kind = (RecordKind)data[0];
    switch (kind) {
    case RECORD_HELLO:
        reader->pid = input_small(&in);
        read_text(reader, &in, kind);
        break;
    case RECORD_LAUNCHES:
        read_launches(reader, &in);
        break;
    case RECORD_MESSAGE:
    case RECORD_FAULT:
    case RECORD_UNSUPPORTED:
    case RECORD_STOP:
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
    case RECORD_REPEATED:
        read_repeated(reader, &in);
        break;
    case RECORD_LISTED:
        read_listed(reader, &in);
        break;
    case RECORD_CALL:
        read_call(reader, &in);
        break;
    case RECORD_PROBE:
        in.bad = !reader->sink->probe ||
                 !reader->sink->probe(reader->sink->context, in.at, (size_t)(in.end - in.at));
        break;
    case RECORD_KINDS:
    default:
        return false;
    }
    arena_clear(reader->scratch);
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
