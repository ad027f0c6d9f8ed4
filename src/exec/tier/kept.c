/* Compiled kernels on disk: their keys, and their files. */
#include "exec/tier/kept.h"
#include "exec/access/load_store.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- mixing ---- */

static void mix(CacheKey *key, uint64_t value) {
    key->hash[0] = (key->hash[0] ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    key->hash[0] ^= key->hash[0] >> 32;
    key->hash[1] = (key->hash[1] + value + 1) * UINT64_C(0xd1342543de82ef95);
    key->hash[1] ^= key->hash[1] >> 29;
}

static void mix_bytes(CacheKey *key, const void *data, size_t size) {
    const uint8_t *bytes = data;
    mix(key, size);
    for (; size >= 8; size -= 8, bytes += 8) {
        uint64_t word;
        memcpy(&word, bytes, sizeof word);
        mix(key, word);
    }
    uint64_t rest = 0;
    if (size)
        memcpy(&rest, bytes, size);
    mix(key, rest);
}

static void mix_text(CacheKey *key, const char *text) {
    mix_bytes(key, text, strlen(text));
}

/* ---- the engine ---- */

/* What changes with another version of a file. */
static void mix_file(CacheKey *key, const char *path) {
    struct stat is;
    if (stat(path, &is) != 0)
        return;
    mix(key, (uint64_t)is.st_size);
    mix(key, (uint64_t)is.st_ino);
    mix(key, (uint64_t)is.st_mtim.tv_sec);
    mix(key, (uint64_t)is.st_mtim.tv_nsec);
}

/* The program or library that this is in. Of a program, the loader knows what it was called by. */
static void mix_engine(CacheKey *key) {
    Dl_info info;
    bool known = dladdr((void *)(uintptr_t)kept_kernel, &info) != 0 && info.dli_fname;
    struct stat is;
    mix_file(key, known && stat(info.dli_fname, &is) == 0 ? info.dli_fname : "/proc/self/exe");
}

/* ---- the kernel ---- */

static void mix_elements(CacheKey *key, const Elements *elements) {
    const uint64_t facts[] = {elements->bytes, elements->width, elements->count,
                              elements->spins, elements->move,  elements->skip};
    mix_bytes(key, facts, sizeof facts);
    for (uint32_t i = 0; i < elements->count; i++) {
        const Cell *cell = &elements->cell[i];
        mix(key, cell->sink ? 0 : 1 + (uint64_t)cell->offset);
        mix(key, (uint64_t)cell->keep << 8 | cell->class);
    }
}

static void mix_code(CacheKey *key, const CompileTask *task, uint32_t number) {
    const Code *code = &task->program->code[number];
    CodeKind kind = (CodeKind)task->kinds[number];
    const uint64_t facts[] = {kind,
                              code->insn->op,
                              code->control,
                              (uint64_t)code->space,
                              (uint64_t)code->guard << 32 | code->guard_flip,
                              (uint64_t)code->d << 32 | code->d2,
                              (uint64_t)code->a << 32 | code->b,
                              (uint64_t)code->c << 32 | code->e,
                              (uint64_t)code->negated << 32 | code->site,
                              (uint64_t)code->offset,
                              (uint64_t)code->d_class << 24 | (uint64_t)code->a_class << 16 |
                                  (uint64_t)code->b_class << 8 | code->c_class,
                              code->mods.flags,
                              kind == KIND_LANE ? code->count : 0};
    mix_bytes(key, facts, sizeof facts);
    mix_bytes(key, &code->mods, offsetof(Mods, query) + sizeof code->mods.query);
    for (uint32_t i = 0; kind == KIND_LANE && i < code->count; i++)
        mix(key, code->vector[i]);
    if (kind == KIND_LANE)
        mix_text(key, task->lanes[number]);
    if (kind == KIND_ACCESS || kind == KIND_PARAM)
        mix_elements(key, code->more);
    for (uint32_t i = 0; kind == KIND_PARAM && i < ((const Elements *)code->more)->count; i++)
        mix(key, code->vector[i]);
    if (kind == KIND_ADDRESS)
        mix(key, task->addend(code));
}

static void mix_fill(CacheKey *key, const Fill *fill) {
    mix(key, (uint64_t)fill->kind << 16 | (uint64_t)fill->class << 8 | fill->is_place);
    mix(key, (uint64_t)fill->special << 32 | fill->offset);
    mix(key, fill->kind == FILL_VALUE && !fill->is_place ? fill->value : 0);
}

CacheKey kept_kernel(const CompileTask *task, const char *plugin) {
    const Program *program = task->program;
    CacheKey key = {{1, PLUGIN_VERSION}};
    mix_engine(&key);
    mix_file(&key, plugin);
    mix_text(&key, task->level);
    mix(&key, program->register_bytes);
    mix(&key, (uint64_t)program->block_count << 32 | program->code_count);
    mix(&key, program->fills.count);
    for (uint32_t b = 0; b < program->block_count; b++) {
        const Block *block = &program->blocks[b];
        mix(&key, (uint64_t)block->first << 32 | block->count);
        mix(&key, (uint64_t)block->successor[0] << 32 | block->successor[1]);
    }
    for (uint32_t i = 0; i < program->code_count; i++)
        mix_code(&key, task, i);
    for (uint32_t i = 0; i < program->fills.count; i++)
        mix_fill(&key, &program->fills.at[i]);
    if (task->live)
        mix_bytes(&key, task->live,
                  sizeof *task->live * program->block_count * live_words(program));
    if (task->same)
        mix_bytes(&key, task->same,
                  sizeof *task->same * program->block_count * same_cells(program));
    return key;
}

CacheKey kept_task(const CacheKey *kernel, const CompileTask *task) {
    const Program *program = task->program;
    CacheKey key = *kernel;
    mix_bytes(&key, task->wanted, program->block_count);
    mix_bytes(&key, task->parted, program->block_count);
    for (uint32_t i = 0; i < program->code_count; i++) {
        const AccessShape *shape = &task->shapes[i];
        if (task->kinds[i] != KIND_ACCESS)
            continue;
        mix(&key, shape->state);
        if (shape->state == SHAPE_FIXED)
            mix_bytes(&key, shape->place, sizeof shape->place);
    }
    return key;
}

/* ---- files ---- */

/* The head of a file; what follows is in the order of the numbers. `digest` is of all behind it. */
typedef struct Head {
    char what[8];
    CacheKey digest;
    CacheKey key;
    uint64_t bytes; /* of the file */
    uint64_t object_bytes;
    uint32_t codes, blocks, checks, batches, members, accesses;
} Head;

static const char code_file[8] = "wl code", last_file[8] = "wl last";

static CacheKey digest_of(const void *file, size_t bytes) {
    size_t before = offsetof(Head, key);
    CacheKey digest = {{bytes, 0}};
    mix_bytes(&digest, (const uint8_t *)file + before, bytes - before);
    return digest;
}

/* The file as it was written, or NULL. */
static const uint8_t *read_file(Arena *arena, const char *what, const CacheKey *key, Head *head) {
    size_t size;
    const uint8_t *file = (const uint8_t *)cache_read(arena, key, &size);
    if (!file || size < sizeof *head)
        return NULL;
    memcpy(head, file, sizeof *head);
    CacheKey digest = digest_of(file, size);
    bool whole = memcmp(head->what, what, sizeof head->what) == 0 && head->bytes == size &&
                 memcmp(&head->digest, &digest, sizeof digest) == 0 &&
                 memcmp(&head->key, key, sizeof *key) == 0;
    return whole ? file : NULL;
}

static void write_file(Arena *arena, const char *what, Head *head, uint8_t *file) {
    memcpy(head->what, what, sizeof head->what);
    memcpy(file, head, sizeof *head);
    head->digest = digest_of(file, head->bytes);
    memcpy(file, head, sizeof *head);
    cache_write(arena, &head->key, file, head->bytes);
}

/* ---- code ---- */

/* A place in a file that is written (`from` is copied there) or read; pieces begin at multiples of 8. */
typedef struct FilePlace {
    uint8_t *at;
    size_t done, bytes; /* bytes: of the file */
} FilePlace;

static size_t padded(size_t bytes) {
    return (bytes + 7) & ~(size_t)7;
}

static void put(FilePlace *place, const void *from, size_t bytes) {
    if (bytes)
        memcpy(place->at + place->done, from, bytes);
    place->done += padded(bytes);
}

/* NULL: the file is too short. */
static const void *take(FilePlace *place, uint64_t bytes) {
    if (bytes > place->bytes - place->done || padded(bytes) > place->bytes - place->done)
        return NULL;
    const void *at = place->at + place->done;
    place->done += padded(bytes);
    return at;
}

static bool are_flags(const bool *flags, size_t count) {
    const uint8_t *bytes = (const uint8_t *)flags;
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] > 1)
            return false;
    }
    return true;
}

/* Numbers in it are of the kernel, and of the image. */
static bool is_sound(const CompileTask *task, const CodeImage *image) {
    const Program *program = task->program;
    bool good = true;
    for (uint32_t i = 0; i < image->check_count; i++)
        good &= image->checks[i].at < program->code_count &&
                image->checks[i].access < program->code_count;
    for (uint32_t i = 0; i < image->batch_count; i++) {
        const Batch *batch = &image->batches[i];
        good &= batch->check < image->check_count && batch->first <= image->member_count &&
                batch->count <= image->member_count - batch->first;
    }
    for (uint32_t i = 0; i < image->member_count; i++)
        good &= image->members[i] < program->code_count &&
                task->kinds[image->members[i]] == KIND_ACCESS;
    return good && are_flags(task->wanted, program->block_count) &&
           are_flags(task->parted, program->block_count) &&
           are_flags(image->all_starts, program->block_count) &&
           are_flags(image->some_starts, program->block_count) &&
           are_flags(image->all_resumes, program->code_count) &&
           are_flags(image->some_resumes, program->code_count);
}

static uint32_t count_accesses(const CompileTask *task) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < task->program->code_count; i++)
        count += task->kinds[i] == KIND_ACCESS;
    return count;
}

static bool take_shapes(Arena *arena, FilePlace *place, CompileTask *task, uint32_t accesses) {
    const uint8_t *from = take(place, (uint64_t)accesses * sizeof(AccessShape));
    uint32_t codes = task->program->code_count;
    AccessShape *shapes = NEW_ARRAY(arena, AccessShape, codes + 1);
    if (!from || accesses != count_accesses(task))
        return false;
    for (uint32_t i = 0; i < codes; i++) {
        if (task->kinds[i] != KIND_ACCESS)
            continue;
        uint32_t state;
        memcpy(&state, from + offsetof(AccessShape, state), sizeof state);
        if (state > SHAPE_VARIES)
            return false;
        memcpy(&shapes[i], from, sizeof shapes[i]);
        from += sizeof shapes[i];
    }
    task->shapes = shapes;
    return true;
}

bool kept_read(Arena *arena, const CacheKey *key, CompileTask *task, CodeImage *image) {
    const Program *program = task->program;
    Head head;
    uint8_t *file = (uint8_t *)(uintptr_t)read_file(arena, code_file, key, &head);
    if (!file || head.codes != program->code_count || head.blocks != program->block_count)
        return false;
    FilePlace place = {file, sizeof head, head.bytes};
    if (!take_shapes(arena, &place, task, head.accesses))
        return false;
    *image = (CodeImage){.object_bytes = head.object_bytes,
                         .check_count = head.checks,
                         .batch_count = head.batches,
                         .member_count = head.members};
    image->object = take(&place, head.object_bytes);
    image->checks = take(&place, head.checks * sizeof(Check));
    image->batches = take(&place, head.batches * sizeof(Batch));
    image->members = take(&place, head.members * sizeof *image->members);
    task->wanted = take(&place, head.blocks);
    task->parted = take(&place, head.blocks);
    image->all_starts = take(&place, head.blocks);
    image->some_starts = take(&place, head.blocks);
    image->all_resumes = take(&place, head.codes);
    image->some_resumes = take(&place, head.codes);
    return image->some_resumes && place.done == head.bytes && is_sound(task, image);
}

void kept_write(Arena *arena, const CacheKey *key, const CompileTask *task,
                const CodeImage *image) {
    const Program *program = task->program;
    Head head = {.key = *key,
                 .object_bytes = image->object_bytes,
                 .codes = program->code_count,
                 .blocks = program->block_count,
                 .checks = image->check_count,
                 .batches = image->batch_count,
                 .members = image->member_count,
                 .accesses = count_accesses(task)};
    head.bytes = sizeof head + head.accesses * sizeof(AccessShape) + padded(head.object_bytes) +
                 padded(head.checks * sizeof(Check)) + padded(head.batches * sizeof(Batch)) +
                 padded(head.members * sizeof *image->members) + 4 * padded(head.blocks) +
                 2 * padded(head.codes);
    FilePlace place = {arena_alloc(arena, head.bytes), sizeof head, head.bytes};
    for (uint32_t i = 0; i < program->code_count; i++) {
        if (task->kinds[i] == KIND_ACCESS)
            put(&place, &task->shapes[i], sizeof task->shapes[i]);
    }
    put(&place, image->object, image->object_bytes);
    put(&place, image->checks, head.checks * sizeof(Check));
    put(&place, image->batches, head.batches * sizeof(Batch));
    put(&place, image->members, head.members * sizeof *image->members);
    put(&place, task->wanted, head.blocks);
    put(&place, task->parted, head.blocks);
    put(&place, image->all_starts, head.blocks);
    put(&place, image->some_starts, head.blocks);
    put(&place, image->all_resumes, head.codes);
    put(&place, image->some_resumes, head.codes);
    write_file(arena, code_file, &head, place.at);
}

/* ---- which code launches had last ---- */

static CacheKey key_of_last(const CacheKey *kernel, const uint32_t block[3]) {
    CacheKey key = *kernel;
    mix_text(&key, "last");
    mix(&key, (uint64_t)block[0] << 32 | block[1]);
    mix(&key, block[2]);
    return key;
}

bool kept_last(Arena *arena, const CacheKey *kernel, const uint32_t block[3], CacheKey *key) {
    CacheKey last = key_of_last(kernel, block);
    Head head;
    const uint8_t *file = read_file(arena, last_file, &last, &head);
    if (!file || head.bytes != sizeof head + sizeof *key)
        return false;
    memcpy(key, file + sizeof head, sizeof *key);
    return true;
}

void kept_last_is(Arena *arena, const CacheKey *kernel, const uint32_t block[3],
                  const CacheKey *key) {
    uint8_t file[sizeof(Head) + sizeof *key];
    Head head = {.key = key_of_last(kernel, block), .bytes = sizeof file};
    memcpy(file + sizeof head, key, sizeof *key);
    write_file(arena, last_file, &head, file);
}
