/* wire: how a program that runs under `warplens run` tells it what its launches cost.
 *
 *   Recorder (in the program) --Unix stream socket--> RecordReader (in warplens) --> one Profile
 *
 * A stream is a sequence of messages: 4 bytes length (little-endian, of what follows), a byte
 * RecordKind, the payload (bytes.h). When a launch has ended, one message has all that is new: rows of
 * files, modules, locations and kernels with their sites, which are sent once and named by their number
 * from then on, and the launch, with those that it has launched itself. So a program that is killed
 * leaves whole launches. Messages of a launch that runs and lasts come in between, if they were asked
 * for; the last one is answered with a byte, for which the program waits: what was shown of the launch
 * is gone from the terminal before the program writes there.
 *
 * Invariants
 *   - Each process has a stream of its own; after a fork the child opens another.
 *   - The reader trusts nothing: a malformed message ends the stream's reading, never the process.
 *   - A field of fields.def travels without a word of it here.
 *   - Equal modules, kernels and locations of several processes become one row.
 *
 * What it does not do: count, print, write files. */
#pragma once

#include "prof/prof.h"

enum { DEVICES_MOST = 16 }; /* that a program may see */

/* What is told of a launch while it runs. */
typedef struct RunningLaunch {
    uint64_t number; /* of this process, from 1 */
    const char *kernel;
    uint64_t blocks; /* 0: its kernel's machine code is being made first */
    uint64_t blocks_done, thread_insts;
    double seconds;
    uint64_t written; /* bytes that the process has written to files and terminals so far */
} RunningLaunch;

/* Bytes that a program has computed: copied from the device, or in memory when it was released. */
typedef struct ProgramResult {
    uint64_t bytes, hash;
} ProgramResult;

/* A launch that is not counted: warplens run --list. */
typedef struct ListedLaunch {
    const char *kernel;
    double seconds;
} ListedLaunch;

typedef enum RecordKind {
    RECORD_HELLO,       /* pid, name of the program */
    RECORD_LAUNCHES,    /* rows of the profile's tables */
    RECORD_MESSAGE,     /* text for the user */
    RECORD_FAULT,       /* text of a kernel's fault */
    RECORD_UNSUPPORTED, /* name of an entry point */
    RECORD_RUNNING,     /* RunningLaunch */
    RECORD_RAN,         /* that launch has ended: to be answered */
    RECORD_RESULT,      /* ProgramResult: bytes that the program has computed */
    RECORD_REPEATED,    /* number of a launch: another did the same */
    RECORD_LISTED,      /* ListedLaunch */
    RECORD_STOP,        /* text: why the process is to be ended, for which it waits */
    RECORD_CALL,        /* a row of the table host_call, to be added up */
    RECORD_PROBE,       /* what probe/stream.h says */
    RECORD_KINDS
} RecordKind;

/* ---- recorder.c: in the program ---- */

typedef struct Recorder Recorder;
Recorder *recorder_new(const char *path); /* of the socket; NULL: nothing is recorded */
/* From now on to the socket at `path`, whose stream begins anew; NULL: nothing is recorded. No launch runs meanwhile. false: the path
 * is too long. */
bool recorder_turn(Recorder *recorder, const char *path);
void recorder_greet(Recorder *recorder); /* says who it is now, not before the first record */
/* What is told while nothing is recorded goes to standard error, in a program without `warplens run` around it. */
void recorder_print(Recorder *recorder);
bool recorder_active(const Recorder *recorder);
/* What launches are recorded into; the launch's own rows are sent and dropped by recorder_launch.
 * The caller sees to it that one thread at a time uses them. */
Profile *recorder_profile(Recorder *recorder);
Arena *recorder_scratch(Recorder *recorder);
uint64_t recorder_launch(Recorder *recorder); /* the number of the first of them, in this process */
void recorder_repeated(Recorder *recorder, uint64_t number);
void recorder_text(Recorder *recorder, RecordKind kind, const char *text);
void recorder_running(Recorder *recorder, const RunningLaunch *running);
void recorder_result(Recorder *recorder, const ProgramResult *result);
void recorder_listed(Recorder *recorder, const ListedLaunch *listed);
void recorder_call(Recorder *recorder, const HostCall *call);
void recorder_probe(Recorder *recorder, const void *data, size_t size);
void recorder_ran(Recorder *recorder); /* returns when that was answered */
/* Waits until the other end closes the stream: it ends the program after a fault, or RECORD_STOP. */
void recorder_wait(Recorder *recorder);
void recorder_forked(Recorder *recorder); /* in the child */

/* ---- reader.c: in warplens ---- */

typedef struct RecordSink {
    Profile *profile;
    void (*text)(void *context, RecordKind kind, const char *text, uint32_t pid);
    void (*running)(void *context, const RunningLaunch *running); /* NULL: it has ended */
    void (*result)(void *context, const ProgramResult *result);   /* NULL: not wanted */
    void (*listed)(void *context, const ListedLaunch *listed);    /* NULL: not wanted */
    bool (*probe)(void *context, const void *data, size_t size);  /* false: malformed */
    void *context;
} RecordSink;

typedef struct RecordReader RecordReader;
/* number: of the process, from 1, for launches that are shared out (LaunchRecord.process). */
RecordReader *record_reader_new(const RecordSink *sink, uint32_t number);
void record_reader_free(RecordReader *reader);
/* Takes the next bytes of the stream, in pieces of any size. false: they are malformed. */
bool record_reader_feed(RecordReader *reader, const void *data, size_t size);
