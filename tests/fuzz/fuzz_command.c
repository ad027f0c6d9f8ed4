/* Fuzzing the command line: any words give a command that ends with a status of its own, and never without a word where it says
 * that something cannot be used. The input is the words, one a line; commands run in a folder of their own that has a profile, a
 * kernel and what else they read, and start no other program (CMakeLists.txt leads to the functions below). A slash in a word is
 * another character, so that nothing outside is written.
 *
 * Each command is a process: it may end it, and leaves it as it likes. What it covers reaches libFuzzer through memory that
 * both have. What takes long is ended, and says nothing. */
#include "fuzz.h"
#include "fuzz_file.h"

#include "../unit/sample_profile.h"
#include "cli/commands.h"
#include "isa/isa.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>

enum {
    WORDS_MOST = 40,
    MESSAGES_MOST = 1 << 16,
    FILE_MOST = 1 << 26,
    SANITIZED = 99 /* the status of a command in which a sanitizer found something */
};
static const struct itimerval longest = {.it_value.tv_usec = 400000}; /* of a processor */
static const unsigned seconds_most = 10;

/* ---- programs that are not started ---- */

int __wrap_posix_spawn(pid_t *, const char *, const void *, const void *, char *const *,
                       char *const *);
int __wrap_posix_spawn(pid_t *child, const char *path, const void *actions, const void *attributes,
                       char *const *words, char *const *environment) {
    (void)child, (void)path, (void)actions, (void)attributes, (void)words, (void)environment;
    return ENOENT;
}

int __wrap_execv(const char *, char *const *);
int __wrap_execv(const char *path, char *const *words) {
    (void)path, (void)words;
    errno = ENOENT;
    return -1;
}

/* ---- the folder ---- */

static char folder[] = FUZZ_FILE;
static int output, messages; /* of the command */

static const char kernel[] = ".version 8.8\n.target sm_90\n.address_size 64\n"
                             ".file 1 \"scan.cu\"\n"
                             ".visible .entry k(.param .u64 a, .param .u32 n)\n{\n"
                             "\t.reg .b32 %r<4>;\n\t.reg .b64 %rd<4>;\n"
                             "\t.shared .align 4 .b8 tile[4096];\n"
                             "\t.loc 1 3 2\n\tld.param.u64 %rd1, [a];\n\tmov.u32 %r1, %tid.x;\n"
                             "\tmul.wide.u32 %rd2, %r1, 4;\n\tadd.u64 %rd1, %rd1, %rd2;\n"
                             "\t.loc 1 4 2\n\tld.global.u32 %r2, [%rd1];\n"
                             "\tmov.u64 %rd3, tile;\n\tcvta.shared.u64 %rd3, %rd3;\n"
                             "\tadd.u64 %rd3, %rd3, %rd2;\n\tst.u32 [%rd3], %r2;\n"
                             "\tst.global.u32 [%rd1], %r2;\n\tret;\n}\n";
static const struct {
    const char *name, *text;
} texts[] = {
    {"k.ptx", kernel},
    {"limits", "\"blockScan<*>\" max-nway 2\n* max-sector-ratio 1.5\n"},
    {"known", "write-write-race \"*\" scan.cu:4\n"},
    {"t.csv", "pattern,width,lane,address\nrow,4,0,0\nrow,4,1,128\n"},
};

static const char *profile; /* the bytes of in.wlp, which are never freed */
static size_t profile_size;

static void make_profile(void) {
    char path[] = FUZZ_FILE;
    Arena *arena = arena_new();
    Profile *sample = sample_profile();
    must(profile_save(sample, path, diags_new(arena)), path);
    const char *bytes = file_read(arena, path, &profile_size);
    char *copy = malloc(profile_size);
    must(bytes && copy, path);
    profile = memcpy(copy, bytes, profile_size);
    unlink(path);
    profile_free(sample);
    arena_free(arena);
}

static void begin(void) {
    must(mkdtemp(folder) != NULL, folder);
    make_profile();
    output = memfd_create("output", MFD_CLOEXEC);
    messages = memfd_create("messages", MFD_CLOEXEC);
    must(output >= 0 && messages >= 0, "memfd_create");
    static char environment[][40] = {
        "PATH=",       "HOME=/dev/null",         "TMPDIR=.",           "WARPLENS_CACHE=/dev/null",
        "COLUMNS=100", "WARPLENS_ENGINE=interp", "SOURCE_DATE_EPOCH=0"};
    for (size_t i = 0; i < sizeof environment / sizeof *environment; i++)
        putenv(environment[i]);
    unsetenv("WARPLENS_GPU");
}

static void empty(const char *path) {
    DIR *directory = opendir(path);
    for (const struct dirent *entry; directory && (entry = readdir(directory));) {
        char below[2 * sizeof entry->d_name];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(below, sizeof below, "%.*s/%s", (int)sizeof entry->d_name - 1, path,
                 entry->d_name);
        if (unlink(below) != 0 && errno == EISDIR) {
            empty(below);
            rmdir(below);
        }
    }
    if (directory)
        closedir(directory);
}

static void end(void) {
    empty(folder);
    rmdir(folder);
}

static void fill_folder(void) {
    must(chdir(folder) == 0, folder);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        must(file_write(texts[i].name, texts[i].text, strlen(texts[i].text)), texts[i].name);
    must(file_write("in.wlp", profile, profile_size), "in.wlp");
}

/* ---- a command ---- */

void __sanitizer_set_death_callback(void (*)(void)) __attribute__((weak));

static void on_found(void) {
    _exit(SANITIZED);
}

static void on_end(int status, void *unused) {
    (void)unused;
    fflush(NULL);
    _exit(status);
}

static _Noreturn void run_words(int count, char **words) {
    static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL,  SIGFPE,
                                  SIGALRM, SIGINT, SIGTERM, SIGXFSZ, SIGPROF};
    const int nowhere = open("/dev/null", O_RDWR);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (!__sanitizer_set_death_callback || signals[i] == SIGABRT || signals[i] == SIGALRM)
            signal(signals[i], SIG_DFL);
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(on_found);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){FILE_MOST, FILE_MOST});
    dup2(nowhere, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(messages, STDERR_FILENO);
    fill_folder();
    setitimer(ITIMER_PROF, &longest, NULL);
    alarm(seconds_most);
    on_exit(on_end, NULL); /* before those of libFuzzer, which ends commands here */
    exit(run_command(count, words));
}

/* Its first bytes, which are taken out of the file. */
static size_t take(int file, char *text) {
    const ssize_t length = pread(file, text, MESSAGES_MOST - 1, 0);
    text[length > 0 ? length : 0] = 0;
    must(ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0, "messages");
    return length > 0 ? (size_t)length : 0;
}

static bool is_fine(int status, size_t length) {
    if (WIFSIGNALED(status))
        return WTERMSIG(status) == SIGPROF || WTERMSIG(status) == SIGALRM;
    switch (WEXITSTATUS(status)) {
#define EXIT_ROW(name, number, commands, text)                                                     \
    case EXIT_##name:                                                                              \
        return EXIT_##name != EXIT_UNUSABLE || length > 0;
#include "cli/exits.def"
    default:
        return false;
    }
}

static void judge(int status, int count, char **words) {
    static char text[MESSAGES_MOST];
    const size_t length = take(output, text) + take(messages, text);
    if (is_fine(status, length))
        return;
    fprintf(stderr, "%s", text);
    for (int i = 0; i < count; i++)
        fprintf(stderr, "'%s' ", words[i]);
    fprintf(stderr, "\nended with status 0x%x\n", (unsigned)status);
    abort();
}

/* ---- what is covered ---- */

#ifndef FUZZ_CORPUS
extern char __start___sancov_cntrs[], __stop___sancov_cntrs[]; /* a counter for each edge */

/* Whole pages: what other sections have of the first and the last is each process's own. */
static void share_counters(void) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t begin = ((uintptr_t)__start___sancov_cntrs + page - 1) & ~(page - 1);
    const uintptr_t end = (uintptr_t)__stop___sancov_cntrs & ~(page - 1);
    must(end > begin, "counters");
    void *at = (void *)begin, *copy = malloc(end - begin);
    must(copy != NULL, "memory");
    memcpy(copy, at, end - begin);
    must(mmap(at, end - begin, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1,
              0) == at,
         "mmap");
    memcpy(at, copy, end - begin);
    free(copy);
}
#else
static void share_counters(void) {
}
#endif

/* ---- the input ---- */

static int words_of(char *text, size_t size, char **words) {
    static char name[] = "warplens";
    int count = 0;
    words[count++] = name;
    for (size_t i = 0; i < size; i++)
        text[i] = text[i] == '/' || !text[i] ? '_' : text[i];
    for (char *next; text && *text && count < WORDS_MOST; text = next) {
        next = strchr(text, '\n');
        if (next)
            *next++ = 0;
        words[count++] = text;
    }
    words[count] = NULL;
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static bool begun;
    char *words[WORDS_MOST + 1];
    int status;
    if (!begun) {
        begun = true;
        begin();
        atexit(end);
        share_counters();
    }
    Arena *arena = arena_new();
    const int count = words_of(arena_copy(arena, (const char *)data, size), size, words);
    const pid_t child = fork();
    if (child == 0)
        run_words(count, words);
    must(child > 0, "fork");
    while (waitpid(child, &status, 0) != child)
        must(errno == EINTR, "waitpid");
    judge(status, count, words);
    empty(folder);
    arena_free(arena);
    return 0;
}

/* ---- mutations that keep words whole ---- */

#ifndef FUZZ_CORPUS
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most); /* libFuzzer's */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

static size_t below(uint64_t *random, size_t most) {
    return most ? (size_t)(random_next(random) % most) : 0;
}

static const char *value(uint64_t *random) {
    static const char *const values[] = {"0",
                                         "1",
                                         "2",
                                         "-1",
                                         "3",
                                         "16",
                                         "4294967295",
                                         "4294967296",
                                         "18446744073709551616",
                                         "1.5",
                                         "1e9",
                                         "nan",
                                         "0x10",
                                         "1,1",
                                         "2,1,1",
                                         "32",
                                         "32,8",
                                         "1/2",
                                         "2/2",
                                         "3/2",
                                         "50%",
                                         "all",
                                         "auto",
                                         "none",
                                         "off",
                                         "always",
                                         "in.wlp",
                                         "k.ptx",
                                         "limits",
                                         "known",
                                         "t.csv",
                                         "out",
                                         "out.html",
                                         "absent",
                                         ".",
                                         "",
                                         "-",
                                         "k",
                                         "blockScan<0>",
                                         ".*Scan",
                                         "[",
                                         "f32[64]=iota",
                                         "f32[64]",
                                         "u32[4]=unset",
                                         "u32[4]=random:1",
                                         "i32=7",
                                         "u64[2]=0",
                                         "@0+4",
                                         "bytes=01020304",
                                         "0=out.npy",
                                         "0=absent.npy",
                                         "json",
                                         "html",
                                         "sarif",
                                         "term",
                                         "csv",
                                         "svg",
                                         "junit",
                                         "markdown",
                                         "interp",
                                         "jit",
                                         "auto=1000",
                                         "sm_90",
                                         "h100",
                                         "a100",
                                         "summary",
                                         "details",
                                         "source",
                                         "raw",
                                         "races,init=strict",
                                         "memory",
                                         "fault",
                                         "random:3",
                                         "first:2",
                                         "every:4",
                                         "scan2d.cu:3",
                                         "7",
                                         "a=b",
                                         "=b",
                                         "tile=padded:128,4,0,0",
                                         "regression,new-conflict",
                                         "__shared__ float t[32][32]",
                                         "t[lane][0]",
                                         "t[",
                                         "lane*4",
                                         "swizzle<3,4,3>",
                                         "load",
                                         "0-15",
                                         "\xff",
                                         "\x1b[1m"};
    return values[below(random, sizeof values / sizeof *values)];
}

/* An option of a command, with a value where it has one. */
static void put_option(uint64_t *random, const struct argp *argp, char *to, size_t most) {
    size_t count = 0;
    while (argp->options &&
           (argp->options[count].name || argp->options[count].key || argp->options[count].doc))
        count++;
    const struct argp_option *option = count ? &argp->options[below(random, count)] : NULL;
    if (!option || !option->name)
        snprintf(to, most, "%s", value(random));
    else if (option->arg)
        snprintf(to, most, "--%s=%s", option->name, value(random));
    else
        snprintf(to, most, "--%s", option->name);
}

static const Command *command_of(uint64_t *random, const char *name) {
    size_t count = 0;
    for (; commands[count].name; count++)
        if (strcmp(commands[count].name, name) == 0)
            return &commands[count];
    return &commands[below(random, count)];
}

static void change(uint64_t *random, char **words, int *count, char *made, size_t most) {
    const int at = 1 + (int)below(random, (size_t)*count - 1);
    const Command *command = command_of(random, *count > 1 ? words[1] : "");
    const bool inserts = *count < WORDS_MOST - 1 && below(random, 3);
    switch (below(random, 8)) {
    case 0: /* another command */
        snprintf(made, most, "%s", command_of(random, "")->name);
        words[1] = made;
        *count += *count < 2;
        return;
    case 1: /* less */
        if (*count > 2) {
            memmove(&words[at], &words[at + 1], (size_t)(*count - at) * sizeof *words);
            --*count;
        }
        return;
    case 2:
        snprintf(made, most, "%s", value(random));
        break;
    case 3: { /* bytes of a word */
        size_t length = *count > 1 ? strlen(words[at]) : 0;
        length = length < most / 2 ? length : most / 2;
        memcpy(made, *count > 1 ? words[at] : "", length);
        made[LLVMFuzzerMutate((uint8_t *)made, length, most - 1)] = 0;
        if (*count > 1)
            words[at] = made;
        return;
    }
    default:
        put_option(random, command->argp, made, most);
    }
    if (inserts) {
        const int behind = *count > 1 ? at + 1 : 1;
        memmove(&words[behind + 1], &words[behind], (size_t)(*count - behind + 1) * sizeof *words);
        words[behind] = made;
        ++*count;
    } else if (*count > 2 && at > 1) {
        words[at] = made;
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    enum { CHANGES = 4, WORD_MOST = 128 };
    static char made[CHANGES][WORD_MOST];
    uint64_t random = seed;
    Arena *arena = arena_new();
    char *words[WORDS_MOST + 1];
    int count = words_of(arena_copy(arena, (const char *)data, size), size, words);
    for (size_t i = 0, changes = 1 + below(&random, CHANGES); i < changes; i++)
        change(&random, words, &count, made[i], WORD_MOST);
    size_t length = 0;
    for (int i = 1; i < count && length < most; i++)
        length += (size_t)snprintf((char *)data + length, most - length, "%s\n", words[i]);
    arena_free(arena);
    return length < most ? length : most ? most - 1 : 0;
}
#endif
