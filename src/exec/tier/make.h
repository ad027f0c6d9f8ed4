/* make.h: where the compiled code of a kernel comes from: from disk, where an earlier run has left it (kept.h), or from the
 * plug-in, on a thread of its own or while the caller waits. The plug-in is loaded only when something is
 * to be compiled. Private to exec. */
#pragma once

#include "exec/tier/compiled.h"
#include "exec/tier/kept.h"

#include <sys/types.h>

/* One thread calls these; the fields are others' to read only where it says so. */
typedef struct Maker {
    Arena *arena; /* also the thread's */
    const char *path;
    const Plugin *plugin;
    _Atomic bool failed;          /* there is no plug-in; for all */
    _Atomic(CompiledCode *) code; /* what is there; for all */
    VEC(CompiledCode *) all;      /* that were ever made: workers may still run old ones */
    CompileTask task;  /* of the code, or of what is being compiled; program NULL: none yet */
    uint32_t block[3]; /* of the launch that it is for */
    bool behind;       /* a process was asked to */
    CacheKey kernel;
    bool keyed;                   /* kernel is set */
    Workers *thread;              /* that compiles */
    pid_t process;                /* that it belongs to: in a forked one it is not there */
    _Atomic bool loads, done;     /* the thread loads the plug-in; it has ended */
    double spent, thread_seconds; /* of processor time: by ended compilations, by the thread's */
    _Atomic uint32_t compiled,
        recalled; /* how often code came from the plug-in, from disk; for all */
} Maker;

void maker_begin(Maker *maker, Arena *arena, const char *plugin);
void maker_end(Maker *maker); /* waits for the thread */
/* The code that launches with such blocks had last in an earlier run, with the task that it was made of;
 * that of *task is what is fixed for the kernel. false: there is none. */
bool maker_recall(Maker *maker, const CompileTask *task, const uint32_t block[3]);
/* Has the code of this task made; aside: on a thread of its own. */
void maker_start(Maker *maker, const CompileTask *task, const uint32_t block[3], bool aside);
/* Has a process of its own make it for further runs; it outlives this one if it must. Once. */
void maker_behind(Maker *maker, const CompileTask *task, const uint32_t block[3]);
bool maker_is_busy(Maker *maker); /* with the task of maker_start */
/* Of processor time that compiling took so far. */
double maker_seconds(const Maker *maker);
/* A launch has ended: the thread may go on, but not while it loads a library, which a process that ends would
 * find half initialised. */
void maker_rest(Maker *maker);
