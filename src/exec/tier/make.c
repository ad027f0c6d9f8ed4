/* Code of a kernel: recalled or compiled. */
#include "exec/tier/make.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void maker_begin(Maker *maker, Arena *arena, const char *plugin) {
    *maker = (Maker){.arena = arena, .failed = !plugin};
    if (plugin)
        maker->path = arena_copy(arena, plugin, strlen(plugin));
}

/* ---- from an image ---- */

static bool load(Maker *maker, const CodeImage *image, const CompileTask *task) {
    CompiledCode *code = NEW(maker->arena, CompiledCode);
    if (!object_load(image->object, image->object_bytes, &code->object))
        return false;
    *vec_add(maker->arena, &maker->all) = code;
    const LoadedObject *object = &code->object;
    uint64_t all = object_function(image->object, image->object_bytes, object, "all");
    uint64_t some = object_function(image->object, image->object_bytes, object, "some");
    if (!all || !some)
        return false;
    code->all = (Version){(CompiledRun)(uintptr_t)all, image->all_starts, image->all_resumes};
    code->some = (Version){(CompiledRun)(uintptr_t)some, image->some_starts, image->some_resumes};
    code->check_count = image->check_count;
    code->checks = image->checks;
    code->batch_count = image->batch_count;
    code->batches = image->batches;
    code->members = image->members;
    code->shapes = task->shapes;
    maker->code = code;
    return true;
}

/* ---- from disk ---- */

static const CacheKey *kernel_key(Maker *maker, const CompileTask *task) {
    if (!maker->keyed)
        maker->kernel = kept_kernel(task, maker->path);
    maker->keyed = true;
    return &maker->kernel;
}

bool maker_recall(Maker *maker, const CompileTask *task, const uint32_t block[3]) {
    CompileTask kept = *task;
    CacheKey key;
    CodeImage image;
    if (!maker->path || !cache_folder(maker->arena) ||
        !kept_last(maker->arena, kernel_key(maker, task), block, &key) ||
        !kept_read(maker->arena, &key, &kept, &image) || !load(maker, &image, &kept))
        return false;
    maker->task = kept;
    maker->recalled++;
    return true;
}

/* ---- from the plug-in ---- */

/* By a plug-in that is loaded; what it makes is kept. */
static void compile(Maker *maker, const CacheKey *key) {
    CodeImage image;
    if (!maker->plugin->compile(&maker->task, maker->arena, &image))
        return;
    maker->compiled++;
    if (!load(maker, &image, &maker->task) || !key)
        return;
    kept_write(maker->arena, key, &maker->task, &image);
    kept_last_is(maker->arena, &maker->kernel, maker->block, key);
}

static void make(Maker *maker) {
    CacheKey key;
    CodeImage image;
    CompileTask kept = maker->task;
    bool keeps = cache_folder(maker->arena);
    if (keeps)
        key = kept_task(kernel_key(maker, &maker->task), &maker->task);
    if (keeps && kept_read(maker->arena, &key, &kept, &image) &&
        load(maker, &image, &maker->task)) {
        maker->recalled++;
        kept_last_is(maker->arena, &maker->kernel, maker->block, &key);
        return;
    }
    if (!maker->plugin)
        maker->plugin = plugin_load(maker->path, NULL);
    if (maker->plugin)
        maker->plugin->ready();
    maker->loads = false;
    maker->failed = !maker->plugin;
    if (maker->plugin)
        compile(maker, keeps ? &key : NULL);
}

/* ---- the thread ---- */

static void make_aside(void *context, uint32_t worker) {
    Maker *maker = context;
    const double started = clock_thread();
    (void)worker;
    make(maker);
    maker->thread_seconds = clock_thread() - started;
    maker->loads = false;
    maker->done = true;
}

/* What was begun in another process than this one, which was forked from it, will never end. */
static bool is_ours(const Maker *maker) {
    return maker->process == getpid();
}

static void join(Maker *maker) {
    if (!maker->thread)
        return;
    if (is_ours(maker)) {
        workers_join(maker->thread);
        maker->spent += maker->thread_seconds;
    } else {
        maker->failed = true;
    }
    maker->thread = NULL;
}

void maker_start(Maker *maker, const CompileTask *task, const uint32_t block[3], bool aside) {
    maker->task = *task;
    memcpy(maker->block, block, sizeof maker->block);
    if (!aside) {
        double started = clock_thread();
        make(maker);
        maker->spent += clock_thread() - started;
        return;
    }
    maker->done = false;
    maker->loads = true;
    maker->process = getpid();
    maker->thread = workers_start(0, 1, make_aside, maker);
}

/* ---- a process ---- */

/* It holds on to nothing that others wait for, is behind other work, and does not last. */
static void leave_alone(void) {
    enum { SECONDS_MOST = 60, NICE = 10, DESCRIPTORS = 1024 };
    struct sigaction plain = {.sa_handler = SIG_DFL};
    sigaction(SIGALRM, &plain, NULL);
    alarm(SECONDS_MOST);
    (void)!nice(NICE);
    for (int i = 0; i < DESCRIPTORS; i++)
        close(i);
    for (int i = 0; i < 3; i++)
        (void)!open("/dev/null", O_RDWR);
}

void maker_behind(Maker *maker, const CompileTask *task, const uint32_t block[3]) {
    maker->behind = true;
    pid_t child = fork();
    if (child > 0)
        waitpid(child, NULL,
                0); /* which is over at once: nobody has to wait for the one that works */
    if (child != 0)
        return;
    if (fork() != 0)
        _exit(0);
    leave_alone();
    maker->task = *task;
    memcpy(maker->block, block, sizeof maker->block);
    make(maker);
    _exit(0);
}

bool maker_is_busy(Maker *maker) {
    if (maker->thread && is_ours(maker) && !maker->done)
        return true;
    join(maker);
    return false;
}

double maker_seconds(const Maker *maker) {
    if (!maker->thread || !is_ours(maker))
        return maker->spent;
    return maker->spent + (maker->done ? maker->thread_seconds : workers_cpu(maker->thread));
}

void maker_rest(Maker *maker) {
    const struct timespec moment = {.tv_nsec = 100000};
    while (maker->thread && is_ours(maker) && maker->loads)
        nanosleep(&moment, NULL);
}

void maker_end(Maker *maker) {
    join(maker);
    for (uint32_t i = 0; i < maker->all.count; i++)
        object_unload(&maker->all.at[i]->object);
}
