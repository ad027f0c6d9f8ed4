/* base: what every other layer stands on - memory, strings, diagnostics, threads.
 *
 * Invariants
 *   - An Arena owns what was allocated from it; nothing is freed on its own. Lifetimes in warplens
 *     are few (a module, a profile, a launch, a report), so each has one Arena and everything of that
 *     lifetime comes from it.
 *   - A function that takes an Arena returns memory that the caller never frees; one that takes
 *     none keeps nothing.
 *   - Bad input never aborts: it becomes a Diag in a Diags. A bug of ours asserts. Out of memory
 *     ends the process: out_of_memory.
 *   - What others wrote (names, sources, paths) goes to a terminal through plain.c, and diagnostics
 *     are made with it: nothing in them controls the terminal.
 *
 * What it does not do: print (only diags_print, on request of cli), exit, or know anything of CUDA.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- arena.c ---- */

typedef struct Arena Arena;

Arena *arena_new(void);
void arena_free(Arena *arena);  /* NULL is allowed */
void arena_clear(Arena *arena); /* everything in it is gone; some memory is kept for what comes */
/* Zeroed memory, aligned to 16 bytes (arena_alloc) or to a power of two. */
void *arena_alloc(Arena *arena, size_t size);
void *arena_alloc_aligned(Arena *arena, size_t size, size_t alignment);
char *arena_copy(Arena *arena, const char *text, size_t length); /* NUL-terminated copy */
char *arena_printf(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(Arena *arena, const char *format, va_list arguments);
size_t arena_used(const Arena *arena); /* bytes handed out so far */
/* Says so and ends the process: by abort, where the program has no function of this name that does it with
 * its exit status. */
_Noreturn void out_of_memory(void);

#define NEW(arena, Type) ((Type *)arena_alloc((arena), sizeof(Type)))
#define NEW_ARRAY(arena, Type, count) ((Type *)arena_alloc((arena), sizeof(Type) * (size_t)(count)))

/* A growing array in an arena: VEC(Insn) insns;  *vec_add(arena, &insns) = insn;  insns.at[i],
 * insns.count. Growing moves the elements (the old memory stays in the arena), so keep indices
 * rather than pointers. */
#define VEC(Type)                                                                                  \
    struct {                                                                                       \
        Type *at;                                                                                  \
        uint32_t count, capacity;                                                                  \
    }
#define vec_add(arena, vec)                                                                        \
    ((vec)->at =                                                                                   \
         vec_reserve((arena), (vec)->at, sizeof *(vec)->at, (vec)->count, &(vec)->capacity),       \
     &(vec)->at[(vec)->count++])
void *vec_reserve(Arena *arena, void *at, size_t element_size, uint32_t count, uint32_t *capacity);

/* ---- str.c ---- */

/* A piece of somebody else's text: not NUL-terminated, not owned. */
typedef struct Str {
    const char *at;
    size_t length;
} Str;

#define STR(literal) ((Str){(literal), sizeof(literal) - 1})
#define STR_FMT "%.*s"
#define STR_ARG(s) (int)(s).length, (s).at

Str str_of(const char *text);
bool str_equal(Str a, Str b);
bool str_is(Str a, const char *text);
bool str_starts(Str a, const char *prefix);
Str str_trimmed(Str text);                 /* without blanks, tabs and returns at its ends */
Str str_drop(Str text, size_t count);      /* without its first characters */
Str str_until(Str text, const char *ends); /* the part before any of the characters of ends */
uint64_t str_hash(Str a);                  /* FNV-1a, 64 bits */
size_t str_distance(Str a, Str b);         /* edit distance, for "did you mean" */
uint64_t bytes_hash(const void *data, size_t size, uint64_t seed);

/* Strings to small numbers, insertion order kept. Keys are not copied: they must outlive the map.
 */
typedef struct Map Map;
Map *map_new(Arena *arena);
void map_put(Map *map, Str key, uint64_t value); /* replaces */
bool map_get(const Map *map, Str key, uint64_t *value);
uint32_t map_count(const Map *map);

/* ---- file.c ---- */

/* The whole file, NUL-terminated in addition; NULL and errno where it cannot be read (directories
 * too). */
char *file_read(Arena *arena, const char *path, size_t *size);

/* The same of a source file, whose name others gave: only of a regular file of at most 64 MiB that lies
 * below the folder `root` (NULL: anywhere). NULL, errno, and in *why the reason in words. */
char *source_read(Arena *arena, const char *path, const char *root, size_t *size, const char **why);

/* A file that is written beside another, whose place and mode it takes when it is whole: readers see the
 * old file or the new one. Symbolic links stay: what they lead to is replaced. */
typedef struct NewFile {
    const char *target, *path;
    int descriptor; /* -1: there is none */
    bool keep_mode;
    uint32_t mode; /* of the old file */
    bool lasts;    /* the caller's to set: it is on the disk before it takes its place */
} NewFile;

/* false and errno; ENOTSUP: at path is what is no file of bytes that could be replaced (a pipe). */
bool new_file_begin(Arena *arena, const char *path, NewFile *file);
/* Puts it in its place, or where not good removes it. false and errno (kept where not good). */
bool new_file_end(NewFile *file, bool good);

/* All of a file as above, or written into a pipe or device as it is. false and errno. */
bool file_write(const char *path, const void *data, size_t size);
/* The same of a file that somebody has asked for: it is there, or the old one is, even where the power goes. */
bool file_keep(const char *path, const void *data, size_t size);

/* ---- printed.c ---- */

typedef struct PrintedText {
    Arena *arena;
    char *text;
    size_t size, room;
    FILE *out;
} PrintedText;

/* To print to; what is printed lies in the arena. */
FILE *printed_begin(PrintedText *printed, Arena *arena);
const char *printed_end(PrintedText *printed); /* the whole text */

/* ---- plain.c ---- */

/* Bytes of the UTF-8 sequence at `at`, or 0: no shorter, larger or surrogate encodings. */
size_t utf8_length(const char *at);
/* Bytes of the character at `at` (one, where it is none), and whether it is a control character: C0, DEL
 * or C1. */
size_t character_length(const char *at, bool *control);
/* In place: a '?' for every control character but tabs and ends of lines. */
char *plain_text(char *text);
/* The way of names, sources and paths to a terminal; returns the bytes that it printed. */
int plain_printf(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- diag.c ---- */

typedef enum DiagLevel { DIAG_NOTE, DIAG_WARNING, DIAG_ERROR } DiagLevel;

/* Where in a text: line and column count from 1; 0 = unknown. `text` is the whole text of the file,
 * or NULL. */
typedef struct Place {
    const char *file;
    const char *text;
    uint32_t line, column, length; /* length: bytes that the caret underlines, 0 or 1 = one */
} Place;

typedef struct Diag {
    DiagLevel level;
    Place place;
    const char *message; /* one line, lower case, no full stop */
    const char *excerpt; /* the source line, or NULL */
} Diag;

typedef struct Diags {
    Arena *arena;
    VEC(Diag) list;
    uint32_t errors, warnings;
} Diags;

Diags *diags_new(Arena *arena);
void diags_add(Diags *diags, DiagLevel level, Place place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* An error without a place (an option, a file that cannot be opened). */
void diags_error(Diags *diags, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "file:line:column: error: message", the source line and a caret, as compilers print them. */
void diags_print(const Diags *diags, FILE *out, bool colour);

/* ---- output.c ---- */

/* Whether a command may write its output there: a file can be made, and the path is none of the files that
 * it reads, by whatever name (NULL among them: none). For NULL, no output, true. false: diags says why. */
bool output_usable(const char *path, const char *const *inputs, uint32_t count, Diags *diags);
/* Likewise for all outputs of a command, of which no two may be one file. */
bool outputs_usable(const char *const *paths, uint32_t path_count, const char *const *inputs,
                    uint32_t input_count, Diags *diags);

/* ---- random.c ---- */

/* The next number of splitmix64's sequence, whose whole state is one number, the seed to begin with.
 * For choices and data that must repeat, not for secrets. */
uint64_t random_next(uint64_t *state);

/* ---- workers.c ---- */

/* Runs job(context, worker) for worker = 0 … count-1, each on a thread of its own (the first on the
 * caller's), and returns when all have returned. Threads are kept for the next call. Where one cannot
 * be started, its job runs after the others. */
void workers_run(uint32_t count, void (*job)(void *context, uint32_t worker), void *context);
/* The same in two steps: starts job(context, first … first+count-1) on threads of their own; join waits
 * for them and frees the handle. NULL: no thread could be started, nothing runs; join takes NULL. */
typedef struct Workers Workers;
Workers *workers_start(uint32_t first, uint32_t count, void (*job)(void *context, uint32_t worker),
                       void *context);
void workers_join(Workers *workers);
double workers_cpu(const Workers *workers); /* their CPU seconds so far */
uint32_t workers_default(void);             /* processors that this process may use */

/* ---- clocks.c ---- */

double clock_wall(void);   /* seconds, monotonic */
double clock_cpu(void);    /* CPU seconds of this process */
double clock_thread(void); /* CPU seconds of the calling thread */
