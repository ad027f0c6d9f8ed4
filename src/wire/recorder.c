/* The program's end of a stream of records: see wire.h. */
#include "base/rescue.h"
#include "wire/bytes.h"
#include "wire/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

struct Recorder {
    pthread_mutex_t lock; /* of the stream */
    Arena *arena, *scratch;
    Profile *profile;
    char path[sizeof((struct sockaddr_un *)0)->sun_path];
    int stream;   /* -1: not open */
    dev_t device; /* of the socket, … */
    ino_t number; /* … by which it is known: the program may close it, and use the descriptor */
    bool ended;   /* could not be opened, or broke */
    bool prints;  /* what is told while it has ended goes to standard error */
    uint32_t sent[TABLES]; /* rows of it */
    uint64_t launches;     /* that were sent, by any stream */
    uint64_t first;        /* of them the first that this stream has */
    Output out;
    size_t message; /* where the message begins that is being written */
};

Recorder *recorder_new(const char *path) {
    Arena *arena = arena_new();
    Recorder *recorder = NEW(arena, Recorder);
    recorder->arena = arena;
    recorder->stream = -1;
    recorder->ended = true;
    pthread_mutex_init(&recorder->lock, NULL);
    recorder_turn(recorder, path);
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

static void begin(Recorder *recorder, RecordKind kind) {
    uint8_t head[5] = {0, 0, 0, 0, (uint8_t)kind};
    recorder->message = recorder->out.used;
    output_bytes(&recorder->out, head, sizeof head);
}

static void end(Recorder *recorder) {
    uint32_t length = (uint32_t)(recorder->out.used - recorder->message - 4);
    for (uint32_t i = 0; i < 4; i++)
        recorder->out.bytes[recorder->message + i] = (uint8_t)(length >> 8 * i);
}

/* Whether the descriptor is still the stream. */
static bool is_ours(const Recorder *recorder) {
    struct stat status;
    return recorder->stream >= 0 && fstat(recorder->stream, &status) == 0 &&
           status.st_dev == recorder->device && status.st_ino == recorder->number;
}

static void hang_up(Recorder *recorder) {
    if (is_ours(recorder))
        close(recorder->stream);
    recorder->stream = -1;
    recorder->ended = true;
}

static void send_all(Recorder *recorder) {
    size_t done = 0;
    while (done < recorder->out.used && recorder->stream >= 0) {
        ssize_t n = send(recorder->stream, recorder->out.bytes + done, recorder->out.used - done,
                         MSG_NOSIGNAL);
        if (n < 0 && errno != EINTR)
            hang_up(recorder);
        done += n > 0 ? (size_t)n : 0;
    }
    recorder->out.used = 0;
}

/* Away from the descriptors that programs expect to get when they open files. */
static int move_up(int stream) {
    enum { LEAST = 256 };
    int moved = stream < 0 ? -1 : fcntl(stream, F_DUPFD_CLOEXEC, LEAST);
    if (moved < 0)
        return stream;
    close(stream);
    return moved;
}

static bool connect_to(Recorder *recorder) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct stat status;
    strcpy(address.sun_path, recorder->path);
    int stream = move_up(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (stream < 0)
        return false;
    if (connect(stream, (struct sockaddr *)&address, sizeof address) != 0 ||
        fstat(stream, &status) != 0) {
        close(stream);
        return false;
    }
    recorder->stream = stream;
    recorder->device = status.st_dev;
    recorder->number = status.st_ino;
    return true;
}

/* A program that closes all descriptors gets a new stream, which begins anew. */
static bool is_open(Recorder *recorder) {
    if (recorder->ended || is_ours(recorder))
        return !recorder->ended;
    recorder->stream = -1;
    memset(recorder->sent, 0, sizeof recorder->sent);
    if (!connect_to(recorder)) {
        recorder->ended = true;
        fprintf(stderr,
                "warplens: process %ld goes on after warplens run has ended: what it launches from "
                "now on is not in the profile\n",
                (long)getpid());
        return false;
    }
    recorder->first = recorder->launches;
    begin(recorder, RECORD_HELLO);
    output_number(&recorder->out, (uint64_t)getpid());
    output_text(&recorder->out, program_invocation_short_name);
    end(recorder);
    return true;
}

void recorder_print(Recorder *recorder) {
    recorder->prints = true;
}

bool recorder_turn(Recorder *recorder, const char *path) {
    bool fits = path && strlen(path) < sizeof recorder->path;
    lock_take(&recorder->lock);
    hang_up(recorder);
    if (fits) {
        strcpy(recorder->path, path);
        if (!recorder->profile) {
            recorder->scratch = arena_new();
            recorder->profile = profile_new();
        }
        recorder->ended = false;
    }
    lock_give(&recorder->lock);
    return fits || !path;
}

/* ---- rows ---- */

/* How many rows, then these; of a table without a parent. */
static void put_rows(Recorder *recorder, TableId id, uint32_t first, uint32_t count) {
    const ProfTable *table = &prof_tables[id];
    uint32_t all, zero;
    const char *row = table->rows(recorder->profile, 0, &all, &zero);
    output_number(&recorder->out, count);
    for (uint32_t i = first; i < first + count; i++)
        output_row(&recorder->out, table, row + i * table->row_bytes);
}

/* Those that were not sent yet. */
static void put_new(Recorder *recorder, TableId id) {
    uint32_t count = table_rows(recorder->profile, id);
    put_rows(recorder, id, recorder->sent[id], count - recorder->sent[id]);
    recorder->sent[id] = count;
}

/* Rows of every table that belong to this row. */
static void put_children(Recorder *recorder, TableId parent, uint32_t number) {
    for (uint32_t id = 0; id < TABLES; id++) {
        const ProfTable *table = &prof_tables[id];
        if (table->parent != parent)
            continue;
        uint32_t count, first;
        const char *row = table->rows(recorder->profile, number, &count, &first);
        output_number(&recorder->out, count);
        for (uint32_t i = 0; i < count; i++, row += table->row_bytes)
            output_row(&recorder->out, table, row);
    }
}

/* A kernel has its sites right behind it. */
static void put_kernels(Recorder *recorder) {
    const Profile *profile = recorder->profile;
    uint32_t *sent = &recorder->sent[TABLE_kernel];
    output_number(&recorder->out, profile->kernels.count - *sent);
    for (; *sent < profile->kernels.count; ++*sent) {
        const ProfKernel *kernel = &profile->kernels.at[*sent];
        output_row(&recorder->out, &prof_tables[TABLE_kernel], kernel);
        put_rows(recorder, TABLE_site, kernel->first_site, kernel->site_count);
        put_children(recorder, TABLE_kernel, *sent);
    }
}

/* With the sizes of elements of its shared variables: the launch has shown them. */
static void put_launches(Recorder *recorder) {
    const Profile *profile = recorder->profile;
    output_number(&recorder->out, profile->launches.count);
    for (uint32_t i = 0; i < profile->launches.count; i++) {
        const ProfKernel *kernel = profile_kernel(profile, i);
        output_row(&recorder->out, &prof_tables[TABLE_launch], &profile->launches.at[i]);
        put_children(recorder, TABLE_launch, i);
        for (uint32_t v = 0; v < kernel->shared.count; v++)
            output_number(&recorder->out, kernel->shared.at[v].element_bytes);
    }
}

uint64_t recorder_launch(Recorder *recorder) {
    Profile *profile = recorder->profile;
    lock_take(&recorder->lock);
    uint64_t number = recorder->launches;
    if (is_open(recorder)) {
        begin(recorder, RECORD_LAUNCHES);
        put_new(recorder, TABLE_file);
        put_new(recorder, TABLE_module);
        put_new(recorder, TABLE_location);
        put_kernels(recorder);
        put_launches(recorder);
        put_rows(recorder, TABLE_location_count, 0, profile->location_counts.count);
        put_rows(recorder, TABLE_pattern, 0, profile->patterns.count);
        put_rows(recorder, TABLE_defect, 0, profile->defects.count);
        end(recorder);
        send_all(recorder);
        recorder->launches += profile->launches.count;
    }
    profile_forget(profile);
    arena_clear(recorder->scratch);
    lock_give(&recorder->lock);
    return number;
}

void recorder_repeated(Recorder *recorder, uint64_t number) {
    lock_take(&recorder->lock);
    if (is_open(recorder) && number >= recorder->first) {
        begin(recorder, RECORD_REPEATED);
        output_number(&recorder->out, number - recorder->first);
        end(recorder);
        send_all(recorder);
    }
    lock_give(&recorder->lock);
}

void recorder_greet(Recorder *recorder) {
    lock_take(&recorder->lock);
    if (is_open(recorder))
        send_all(recorder);
    lock_give(&recorder->lock);
}

/* ---- texts ---- */

void recorder_text(Recorder *recorder, RecordKind kind, const char *text) {
    lock_take(&recorder->lock);
    if (is_open(recorder)) {
        begin(recorder, kind);
        output_text(&recorder->out, text);
        end(recorder);
        send_all(recorder);
    } else if (recorder->prints && kind == RECORD_MESSAGE) {
        fprintf(stderr, "warplens: %s\n", text);
    } else if (recorder->prints && kind == RECORD_FAULT) {
        fprintf(stderr, "warplens: fault: %s\n", text);
    } else if (recorder->prints && kind == RECORD_UNSUPPORTED) {
        fprintf(stderr, "warplens: %s is not supported: it gives an error that says so\n", text);
    }
    lock_give(&recorder->lock);
}

/* ---- a launch that runs ---- */

void recorder_running(Recorder *recorder, const RunningLaunch *running) {
    lock_take(&recorder->lock);
    if (is_open(recorder)) {
        begin(recorder, RECORD_RUNNING);
        output_number(&recorder->out, running->number);
        output_text(&recorder->out, running->kernel);
        output_number(&recorder->out, running->blocks);
        output_number(&recorder->out, running->blocks_done);
        output_number(&recorder->out, running->thread_insts);
        output_bytes(&recorder->out, &running->seconds, sizeof running->seconds);
        output_number(&recorder->out, running->written);
        end(recorder);
        send_all(recorder);
    }
    lock_give(&recorder->lock);
}

void recorder_result(Recorder *recorder, const ProgramResult *result) {
    lock_take(&recorder->lock);
    if (is_open(recorder)) {
        begin(recorder, RECORD_RESULT);
        output_number(&recorder->out, result->bytes);
        output_number(&recorder->out, result->hash);
        end(recorder);
        send_all(recorder);
    }
    lock_give(&recorder->lock);
}

void recorder_listed(Recorder *recorder, const ListedLaunch *listed) {
    lock_take(&recorder->lock);
    if (is_open(recorder)) {
        begin(recorder, RECORD_LISTED);
        output_text(&recorder->out, listed->kernel);
        output_bytes(&recorder->out, &listed->seconds, sizeof listed->seconds);
        end(recorder);
        send_all(recorder);
    }
    lock_give(&recorder->lock);
}

void recorder_call(Recorder *recorder, const HostCall *call) {
    lock_take(&recorder->lock);
    if (is_open(recorder)) {
        begin(recorder, RECORD_CALL);
        output_row(&recorder->out, &prof_tables[TABLE_host_call], call);
        end(recorder);
        send_all(recorder);
    }
    lock_give(&recorder->lock);
}

void recorder_probe(Recorder *recorder, const void *data, size_t size) {
    lock_take(&recorder->lock);
    if (is_open(recorder)) {
        begin(recorder, RECORD_PROBE);
        output_bytes(&recorder->out, data, size);
        end(recorder);
        send_all(recorder);
    }
    lock_give(&recorder->lock);
}

void recorder_ran(Recorder *recorder) {
    char answer;
    lock_take(&recorder->lock);
    if (is_ours(recorder)) {
        begin(recorder, RECORD_RAN);
        end(recorder);
        send_all(recorder);
    }
    while (is_ours(recorder) && recv(recorder->stream, &answer, 1, 0) < 0 && errno == EINTR)
        ;
    lock_give(&recorder->lock);
}

void recorder_wait(Recorder *recorder) {
    char byte;
    ssize_t n = 1;
    while (is_ours(recorder) && (n > 0 || (n < 0 && errno == EINTR)))
        n = recv(recorder->stream, &byte, 1, 0);
}

void recorder_forked(Recorder *recorder) {
    pthread_mutex_init(&recorder->lock, NULL);
    int inherited = is_ours(recorder) ? recorder->stream : -1;
    recorder->stream = -1;
    recorder->out.used = 0;
    memset(recorder->sent, 0, sizeof recorder->sent);
    if (recorder->profile)
        profile_forget(recorder->profile);
    if (inherited < 0)
        return;
    is_open(recorder); /* the child may outlive its parent: first its own stream, … */
    close(inherited);  /* … then the end of the other */
}
