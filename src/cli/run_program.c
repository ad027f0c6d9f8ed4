/* The program's process, its stream of records, and signals: see run.c. */
#include "cli/run_program.h"
#include "cli/progress.h"
#include "toolchain/toolchain.h"
#include "wire/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { READ_BYTES = 1 << 16, SIGNAL_STATUS = 128 };

/* The library's folder, relative to the folder of this executable: in the build tree, installed. */
static const char *const library_folders[] = {"lib/warplens", "../" WARPLENS_LIBRARIES};
#define LIBRARY "libcuda.so.1"
#define AUDIT_LIBRARY "libwarplens-audit.so"
#define PROBE_LIBRARY "libwarplens-probe.so"

typedef struct Stream {
    int fd;
    RecordReader *reader;
} Stream;

typedef struct ListenSession {
    const RunSettings *settings;
    RunResult *result;
    Arena *arena;
    RecordSink sink;
    char path[sizeof((struct sockaddr_un *)0)->sun_path]; /* of the socket */
    const char *folder; /* that it is in, alone; NULL: there is none */
    int listener, signals;
    sigset_t before; /* signal mask */
    pid_t self, child;
    bool ended;
    uint32_t interrupts;
    VEC(Stream) streams;
    VEC(struct pollfd) polled;
    struct rlimit descriptors; /* as the program has it */
    bool full;                 /* no descriptor is left: connections wait until a stream ends */
    const Stream *reading;     /* whose records are being read */
    LaunchLine line;
    CountLines counted;
} ListenSession;

/* ---- texts from the program's processes ---- */

static void note_unsupported(ListenSession *session, const char *name) {
    RunResult *result = session->result;
    for (uint32_t i = 0; i < result->unsupported.count; i++) {
        if (strcmp(result->unsupported.at[i], name) == 0)
            return;
    }
    *vec_add(session->arena, &result->unsupported) = arena_copy(session->arena, name, strlen(name));
}

/* One of its processes waits for that. */
static void end_program(const ListenSession *session, uint32_t pid) {
    kill((pid_t)pid, SIGKILL);
    kill(session->child, SIGKILL);
}

static void take_text(void *context, RecordKind kind, const char *text, uint32_t pid) {
    ListenSession *session = context;
    launch_line_clear(&session->line);
    switch (kind) {
    case RECORD_UNSUPPORTED:
        note_unsupported(session, text);
        break;
    case RECORD_MESSAGE:
        plain_printf(stderr, "warplens: %s\n", text);
        break;
    case RECORD_FAULT:
        plain_printf(stderr, "warplens: fault: %s\n", text);
        session->result->faults++;
        if (session->settings->stop_at_fault) {
            session->result->stopped = true;
            end_program(session, pid);
        }
        break;
    case RECORD_STOP:
        session->result->enough = true;
        end_program(session, pid);
        break;
    default:
        break;
    }
}

/* A launch that lasts, or, with NULL, has ended: its process waits for the answer before it goes on. */
static void take_running(void *context, const RunningLaunch *running) {
    ListenSession *session = context;
    if (running) {
        launch_line_show(&session->line, running);
        return;
    }
    launch_line_clear(&session->line);
    ssize_t ignored = send(session->reading->fd, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    (void)ignored;
}

static void take_listed(void *context, const ListedLaunch *listed) {
    ListenSession *session = context;
    RunResult *result = session->result;
    uint32_t at = 0;
    while (at < result->listed.count && strcmp(result->listed.at[at].name, listed->kernel) != 0)
        at++;
    if (at == result->listed.count)
        *vec_add(session->arena, &result->listed) = (ListedKernel){
            .name = arena_copy(session->arena, listed->kernel, strlen(listed->kernel))};
    result->listed.at[at].launches++;
    result->listed.at[at].seconds += listed->seconds;
}

static void take_result(void *context, const ProgramResult *result) {
    ListenSession *session = context;
    *vec_add(session->arena, &session->result->results) = *result;
}

static bool take_probe(void *context, const void *data, size_t size) {
    ListenSession *session = context;
    return session->result->probe && probe_run_take(session->result->probe, data, size);
}

/* ---- the environment ---- */

void run_setting(RunSettings *settings, const char *name, const char *value) {
    *vec_add(settings->arena, &settings->environment) =
        arena_printf(settings->arena, "%s=%s", name, value);
}

void run_number(RunSettings *settings, const char *name, uint64_t value) {
    run_setting(settings, name, arena_printf(settings->arena, "%llu", (unsigned long long)value));
}

const char *run_library(Arena *arena) {
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0)
        return NULL;
    self[length] = 0;
    *strrchr(self, '/') = 0;
    for (size_t i = 0; i < sizeof library_folders / sizeof library_folders[0]; i++) {
        const char *folder = arena_printf(arena, "%s/%s", self, library_folders[i]);
        const char *library = arena_printf(arena, "%s/" LIBRARY, folder);
        if (access(library, R_OK) == 0)
            return realpath(folder, NULL);
    }
    return NULL;
}

bool run_probe(Arena *arena) {
    const char *folder = run_library(arena);
    return folder && access(arena_printf(arena, "%s/" PROBE_LIBRARY, folder), R_OK) == 0;
}

/* The following are of the child: false where there is no memory, without which the program would run and tell nothing. */

static bool set(const char *name, const char *value) {
    return setenv(name, value, 1) == 0;
}

static bool set_default(const char *name, const char *value) {
    return setenv(name, value, 0) == 0;
}

/* "ours:theirs" or "ours". */
static bool prepend(const char *name, const char *ours) {
    const char *theirs = getenv(name);
    char *both;
    if (asprintf(&both, "%s%s%s", ours, theirs && *theirs ? ":" : "", theirs ? theirs : "") < 0)
        return false;
    bool good = set(name, both);
    free(both);
    return good;
}

static bool replace_cuda(const RunSettings *settings, const char *folder) {
    char library[PATH_MAX], audit[PATH_MAX];
    snprintf(library, sizeof library, "%s/" LIBRARY, folder);
    snprintf(audit, sizeof audit, "%s/" AUDIT_LIBRARY, folder);
    return prepend("LD_PRELOAD", library) && prepend("LD_AUDIT", audit) &&
           prepend("LD_LIBRARY_PATH", folder) &&
           /* ranges.c; a program's own tool goes first */
           set_default("NVTX_INJECTION64_PATH", library) &&
           set("WARPLENS_GPU", settings->choice.gpu->name) &&
           /* What NVRTC gives here instead of machine code is for nobody's cache. What nvcc compiles shall have lines. CUB's kernels in
            * CuPy have no PTX, and it does not look whether they ran. */
           set("CUPY_CACHE_IN_MEMORY", "1") && set("CUPY_ACCELERATORS", "") &&
           set_default("PYCUDA_DEFAULT_NVCC_FLAGS", "-lineinfo") &&
           set_default("CUTE_DSL_LINEINFO", "1");
}

/* The driver loads our library, and with it the vendor's. */
static bool watch_gpu(const RunSettings *settings, const char *folder) {
    char library[PATH_MAX];
    snprintf(library, sizeof library, "%s/" PROBE_LIBRARY, folder);
    return set("CUDA_INJECTION64_PATH", library) &&
           set("WARPLENS_PROBE_SANITIZER", settings->sanitizer) &&
           /* ours, or what is tried in its place */
           set_default("WARPLENS_PROBE_PATCHES", settings->folder) &&
           set("WARPLENS_PROBE_FOLDER", settings->folder);
}

static bool set_all(const ListenSession *session, const char *folder) {
    const RunSettings *settings = session->settings;
    bool good = settings->on_gpu ? watch_gpu(settings, folder) : replace_cuda(settings, folder);
    good = good && set("WARPLENS_SOCKET", session->path);
    if (settings->choice.forced.number)
        good = good &&
               set("WARPLENS_PTX", arch_name(settings->arena, "compute", settings->choice.forced));
    for (uint32_t i = 0; i < settings->environment.count; i++)
        good = good && putenv((char *)(uintptr_t)settings->environment.at[i]) == 0;
    return good;
}

/* Returns where the program does not start: errno. */
/* A signal that warplens can catch is passed on to the program; SIGKILL, whoever sends it, by the kernel. */
static bool end_with(pid_t parent) {
    return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent;
}

static void exec_program(const ListenSession *session, const char *folder) {
    const RunSettings *settings = session->settings;
    if (!set_all(session, folder))
        return;
    if (settings->output > 0)
        dup2(settings->output, STDOUT_FILENO);
    sigprocmask(SIG_SETMASK, &session->before, NULL);
    setrlimit(RLIMIT_NOFILE, &session->descriptors);
    if (!end_with(session->self))
        return;
    execv(settings->path, settings->program);
}

/* ---- start ---- */

/* Where the shell would find it: with a slash as it is, else in PATH. */
const char *program_find(Arena *arena, const char *name) {
    if (strchr(name, '/'))
        return name;
    const char *path = getenv("PATH");
    for (const char *at = path ? path : ""; *at;) {
        size_t length = strcspn(at, ":");
        const char *full = arena_printf(arena, "%.*s/%s", (int)length, at, name);
        if (length && access(full, X_OK) == 0)
            return full;
        at += length + (at[length] == ':');
    }
    return name;
}

/* Programs that cannot be run are refused before they start; scripts and programs without kernels of
 * their own pass, as what they run or load may have some. */
bool program_runnable(const RunSettings *settings, Diags *diags) {
    const char *path = settings->path;
    Object object = {0};
    if (access(path, X_OK) != 0) {
        diags_error(diags, "%s: %s", path, strerror(errno));
        return false;
    }
    if (!object_is_elf(path) || settings->on_gpu)
        return true;
    return object_open(settings->arena, path, &object, diags) &&
           object_runnable(&object, &settings->choice, diags);
}

/* A folder below `parent` and the path of a socket in it, if a socket's address has room for that. */
static bool place_socket(ListenSession *session, const char *parent) {
    const char *folder = scratch_in(session->arena, parent);
    if (!folder)
        return false;
    int length = snprintf(session->path, sizeof session->path, "%s/records", folder);
    if (length >= (int)sizeof session->path) {
        scratch_remove(folder);
        return false;
    }
    session->folder = folder;
    return true;
}

static bool listen_at(ListenSession *session) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *wanted = getenv("TMPDIR");
    if (!(wanted && *wanted == '/' && place_socket(session, wanted)) &&
        !place_socket(session, "/tmp"))
        return false;
    memcpy(address.sun_path, session->path, sizeof address.sun_path);
    session->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    return session->listener >= 0 &&
           bind(session->listener, (struct sockaddr *)&address, sizeof address) == 0 &&
           listen(session->listener, SOMAXCONN) == 0;
}

static bool catch_signals(ListenSession *session) {
    sigset_t caught;
    sigemptyset(&caught);
    sigaddset(&caught, SIGCHLD);
    sigaddset(&caught, SIGINT);
    sigaddset(&caught, SIGTERM);
    sigaddset(&caught, SIGHUP);
    sigprocmask(SIG_BLOCK, &caught, &session->before);
    session->signals = signalfd(-1, &caught, SFD_CLOEXEC | SFD_NONBLOCK);
    return session->signals >= 0;
}

/* As many processes at a time as the system lets us have descriptors. */
static void raise_descriptors(ListenSession *session) {
    getrlimit(RLIMIT_NOFILE, &session->descriptors);
    struct rlimit most = session->descriptors;
    most.rlim_cur = most.rlim_max;
    setrlimit(RLIMIT_NOFILE, &most);
}

/* The pipe tells whether exec worked: it closes then, and else brings errno. */
static bool start(ListenSession *session, const char *folder, Diags *diags) {
    int pipe_ends[2], error = 0;
    if (pipe2(pipe_ends, O_CLOEXEC) != 0) {
        diags_error(diags, "pipe: %s", strerror(errno));
        return false;
    }
    session->self = getpid();
    session->child = fork();
    if (session->child == 0) {
        exec_program(session, folder);
        error = errno;
        ssize_t ignored = write(pipe_ends[1], &error, sizeof error);
        (void)ignored;
        _exit(127);
    }
    close(pipe_ends[1]);
    if (session->child < 0)
        error = errno;
    else if (read(pipe_ends[0], &error, sizeof error) > 0)
        waitpid(session->child, NULL, 0);
    close(pipe_ends[0]);
    if (error)
        diags_error(diags, "%s: %s", session->settings->path, strerror(error));
    return error == 0;
}

/* ---- while it runs ---- */

static void take_connection(ListenSession *session) {
    int fd = accept4(session->listener, NULL, NULL, SOCK_CLOEXEC);
    session->full = fd < 0 && (errno == EMFILE || errno == ENFILE);
    if (fd >= 0)
        *vec_add(session->arena, &session->streams) =
            (Stream){fd, record_reader_new(&session->sink, ++session->result->processes)};
}

static void drop_stream(ListenSession *session, uint32_t index) {
    launch_line_clear(&session->line);
    close(session->streams.at[index].fd);
    record_reader_free(session->streams.at[index].reader);
    session->streams.at[index] = session->streams.at[--session->streams.count];
    session->full = false;
}

/* false: the stream has ended. */
static bool take_records(ListenSession *session, const Stream *stream) {
    char bytes[READ_BYTES];
    ssize_t n = read(stream->fd, bytes, sizeof bytes);
    if (n < 0)
        return errno == EINTR || errno == EAGAIN;
    if (n == 0)
        return false;
    session->reading = stream;
    if (record_reader_feed(stream->reader, bytes, (size_t)n))
        return true;
    launch_line_clear(&session->line);
    fputs("warplens: records of a process are malformed; the rest of them is left out\n", stderr);
    return false;
}

static void reap(ListenSession *session) {
    int status;
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
        if (pid != session->child)
            continue;
        session->ended = true;
        session->result->status =
            WIFSIGNALED(status) ? SIGNAL_STATUS + WTERMSIG(status) : WEXITSTATUS(status);
    }
}

/* To the program, and to those of its processes that have a stream. */
static void pass_on(const ListenSession *session, int number) {
    if (!session->ended)
        kill(session->child, number);
    for (uint32_t i = 0; i < session->streams.count; i++) {
        struct ucred peer;
        socklen_t size = sizeof peer;
        bool known =
            getsockopt(session->streams.at[i].fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0;
        if (known && peer.pid > 0 && peer.pid != session->child)
            kill(peer.pid, number);
    }
}

/* The first Ctrl-C is the program's, and so is the end of its terminal: the kernel sends them to both. It
 * ends, or goes on as it wants; the second Ctrl-C kills it. Other signals are passed on. */
static void take_signals(ListenSession *session) {
    struct signalfd_siginfo info;
    while (read(session->signals, &info, sizeof info) == (ssize_t)sizeof info) {
        if (info.ssi_signo == SIGCHLD) {
            reap(session);
            continue;
        }
        session->result->interrupted = true;
        bool from_terminal = info.ssi_code == SI_KERNEL;
        session->interrupts += info.ssi_signo == SIGINT || session->interrupts == 0;
        if (session->interrupts > 1)
            pass_on(session, SIGKILL);
        else if (!from_terminal)
            pass_on(session, (int)info.ssi_signo);
    }
}

/* While records come, they are let gather for a while: a program that launches a kernel every few
 * microseconds then need not wake this process each time. What was sent is safe in the socket. */
static const struct timespec gather = {.tv_nsec = 500000};

/* Until the program has ended and no process has a stream; a second Ctrl-C ends the wait for others. */
static bool goes_on(const ListenSession *session) {
    return !session->ended || (session->streams.count > 0 && session->interrupts < 2);
}

static void poll_for(ListenSession *session, int fd) {
    *vec_add(session->arena, &session->polled) = (struct pollfd){.fd = fd, .events = POLLIN};
}

static void show_counted(ListenSession *session) {
    if (count_lines_wait(&session->counted) != 0)
        return;
    const ProbeProgress progress = probe_run_progress(session->result->probe);
    count_lines_show(&session->counted, progress.launches, progress.kernels);
}

/* Milliseconds. */
static int wait_most(ListenSession *session) {
    enum { MOST = 1000 };
    const int due = count_lines_wait(&session->counted);
    return due < 0 || due > MOST ? MOST : due;
}

static void watch(ListenSession *session) {
    while (goes_on(session)) {
        uint32_t count = session->streams.count;
        session->polled.count = 0;
        poll_for(session, session->signals);
        poll_for(session, session->full ? -1 : session->listener);
        for (uint32_t i = 0; i < count; i++)
            poll_for(session, session->streams.at[i].fd);
        const struct pollfd *polled = session->polled.at;
        const int ready = poll(session->polled.at, count + 2, wait_most(session));
        if (ready < 0 && errno != EINTR)
            return;
        if (ready == 0) /* threads that a tool has put into this process may have taken SIGCHLD */
            reap(session);
        show_counted(session);
        bool records = false;
        /* Backwards, since a stream that has ended is replaced by the last one. */
        for (uint32_t i = count; i-- > 0;) {
            records |= polled[i + 2].revents != 0;
            if (polled[i + 2].revents && !take_records(session, &session->streams.at[i]))
                drop_stream(session, i);
        }
        if (polled[1].revents)
            take_connection(session);
        if (polled[0].revents)
            take_signals(session);
        if (session->ended) /* connections that are still waiting */
            take_connection(session);
        else if (records)
            nanosleep(&gather, NULL);
    }
}

/* Those that came when the program had ended: what it left is kept. */
static void drop_signals(const ListenSession *session) {
    struct signalfd_siginfo info;
    while (session->signals >= 0 &&
           read(session->signals, &info, sizeof info) == (ssize_t)sizeof info)
        ;
}

static void clean_up(ListenSession *session) {
    while (session->streams.count)
        drop_stream(session, session->streams.count - 1);
    if (session->listener >= 0)
        close(session->listener);
    drop_signals(session);
    if (session->signals >= 0)
        close(session->signals);
    sigprocmask(SIG_SETMASK, &session->before, NULL);
    if (session->folder)
        scratch_remove(session->folder);
}

bool run_program(const RunSettings *settings, RunResult *result, Diags *diags) {
    ListenSession *session = NEW(settings->arena, ListenSession);
    *session = (ListenSession){.settings = settings,
                               .result = result,
                               .arena = settings->arena,
                               .listener = -1,
                               .signals = -1};
    session->sink = (RecordSink){.profile = result->profile,
                                 .text = take_text,
                                 .running = take_running,
                                 .result = take_result,
                                 .listed = take_listed,
                                 .probe = take_probe,
                                 .context = session};
    session->line.out = stderr;
    session->counted.out = settings->progress ? stderr : NULL;
    raise_descriptors(session);
    const char *folder = run_library(settings->arena);
    bool good = false;
    if (!folder)
        diags_error(diags, LIBRARY " of warplens is not where it was installed");
    else if (!catch_signals(session) || !listen_at(session))
        diags_error(diags, "no socket for records: %s", strerror(errno));
    else
        good = start(session, folder, diags);
    if (good)
        watch(session);
    clean_up(session);
    return good;
}
