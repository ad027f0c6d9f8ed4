/* Replacing a CUDA runtime that is linked into a program or library: its entry points are found by
 * name in the object's .symtab, and each begins with a jump to ours from then on.
 *
 * This library is preloaded and linked with -z initfirst, so that the constructor below runs before
 * those of the program, which register its kernels. An object that dlopen brings has already
 * registered with the runtime inside it when dlopen returns; so after patching, its registration
 * runs once more and arrives here.
 *
 * A jump to anywhere takes 14 bytes, more than the shortest entry point has; so 5 bytes jump to a
 * page close by that jumps on. */
#include "cuda/fatbin.h"
#include "cuda/runtime/calls.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined __x86_64__
enum { NEAR_JUMP_BYTES = 5, FAR_JUMP_BYTES = 14 };
#elif defined __aarch64__
enum { NEAR_JUMP_BYTES = 4, FAR_JUMP_BYTES = 16 };
#else
#error "patching is written for x86-64 and AArch64"
#endif

#define REACH_BYTES (UINT64_C(1) << 27) /* of a near jump: 2 GB on x86-64, 128 MB on AArch64 */

/* nvcc's registration of the kernels of one object file: a static function in each. */
static const char registration[] = "_ZL24__sti____cudaRegisterAllv";

/* Objects that were seen, by where they are loaded: dlopen may return one again. */
static struct Seen {
    pthread_mutex_t lock;
    uintptr_t *bases;
    size_t count;
    bool started; /* the first round is over: from here on objects come by dlopen */
} seen = {.lock = PTHREAD_MUTEX_INITIALIZER};

typedef struct Patcher {
    Elf elf;
    ElfSection symbols;
    uintptr_t base, end; /* where the object is loaded */
    uint8_t *jumps;      /* the page close by; NULL until needed */
    size_t jump_count;
    bool is_12;
    bool again; /* run the registration again */
} Patcher;

/* ---- jumps ---- */

static void write_far_jump(uint8_t *at, void (*to)(void)) {
    uint64_t address = (uint64_t)(uintptr_t)to;
#if defined __x86_64__
    static const uint8_t code[] = {0xff, 0x25, 0, 0, 0, 0}; /* jmp *0(%rip) */
#else
    static const uint32_t code[] = {0x58000050, 0xd61f0200}; /* ldr x16, .+8; br x16 */
#endif
    memcpy(at, code, sizeof code);
    memcpy(at + sizeof code, &address, sizeof address);
}

static void write_near_jump(uint8_t *at, const uint8_t *to) {
#if defined __x86_64__
    int32_t distance = (int32_t)(to - (at + NEAR_JUMP_BYTES));
    at[0] = 0xe9; /* jmp rel32 */
    memcpy(at + 1, &distance, sizeof distance);
#else
    uint32_t code = 0x14000000u | ((uint32_t)((to - at) / 4) & 0x03ffffffu); /* b */
    memcpy(at, &code, sizeof code);
#endif
    __builtin___clear_cache((char *)at, (char *)at + NEAR_JUMP_BYTES);
}

/* Room for a jump to every entry point, as close behind the object as addresses are free. */
static uint8_t *reserve_jumps(const Patcher *patcher) {
    size_t bytes = runtime_call_count * FAR_JUMP_BYTES;
    const uint64_t step = 1 << 16;
    for (uint64_t offset = 0; offset < REACH_BYTES / 2; offset += step) {
        uintptr_t at = ((patcher->end + step - 1) & ~(uintptr_t)(step - 1)) + offset;
        void *got = mmap((void *)at, bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        if (got == (void *)at)
            return got;
        if (got != MAP_FAILED)
            munmap(got, bytes);
    }
    return NULL;
}

static bool set_protection(const void *at, size_t bytes, int protection) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = (uintptr_t)at & ~(page - 1);
    return mprotect((void *)first, (uintptr_t)at + bytes - first, protection) == 0;
}

static void redirect(Patcher *patcher, uint8_t *function, void (*to)(void)) {
    if (!patcher->jumps)
        patcher->jumps = reserve_jumps(patcher);
    if (!patcher->jumps)
        return;
    uint8_t *jump = patcher->jumps + patcher->jump_count++ * FAR_JUMP_BYTES;
    write_far_jump(jump, to);
    if (set_protection(function, NEAR_JUMP_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC)) {
        write_near_jump(function, jump);
        set_protection(function, NEAR_JUMP_BYTES, PROT_READ | PROT_EXEC);
    }
}

/* ---- symbols ---- */

static int by_name(const void *key, const void *item) {
    const Str *name = key;
    const char *other = ((const RuntimeCall *)item)->name;
    int order = strncmp(name->at, other, name->length);
    return order ? order : other[name->length] ? -1 : 0;
}

static const RuntimeCall *call_named(Str name) {
    if (!str_starts(name, "cuda") && !str_starts(name, "__cuda"))
        return NULL;
    return bsearch(&name, runtime_calls, runtime_call_count, sizeof *runtime_calls, by_name);
}

/* Which CUDA the runtime inside is of: it says so without a driver. */
static int version_inside(const Patcher *patcher) {
    for (uint64_t i = 0; i < elf_symbol_count(&patcher->symbols); i++) {
        ElfSymbol symbol;
        int version = 0;
        if (elf_symbol(&patcher->elf, &patcher->symbols, i, &symbol) && symbol.is_defined &&
            str_is(symbol.name, "cudaRuntimeGetVersion")) {
            int (*ask)(int *) = (int (*)(int *))(patcher->base + symbol.value);
            ask(&version);
            return version;
        }
    }
    return 0;
}

static void patch_symbols(Patcher *patcher) {
    patcher->is_12 = version_inside(patcher) < 13000;
    for (uint64_t i = 0; i < elf_symbol_count(&patcher->symbols); i++) {
        ElfSymbol symbol;
        if (!elf_symbol(&patcher->elf, &patcher->symbols, i, &symbol) || !symbol.is_defined ||
            !symbol.is_function || symbol.size < NEAR_JUMP_BYTES)
            continue;
        const RuntimeCall *call = call_named(symbol.name);
        if (call && patcher->jump_count < runtime_call_count)
            redirect(patcher, (uint8_t *)(patcher->base + symbol.value),
                     patcher->is_12 ? call->in_12 : call->in_13);
    }
    if (patcher->jumps)
        set_protection(patcher->jumps, runtime_call_count * FAR_JUMP_BYTES, PROT_READ | PROT_EXEC);
}

static void register_again(const Patcher *patcher) {
    for (uint64_t i = 0; i < elf_symbol_count(&patcher->symbols); i++) {
        ElfSymbol symbol;
        if (elf_symbol(&patcher->elf, &patcher->symbols, i, &symbol) && symbol.is_defined &&
            str_is(symbol.name, registration))
            ((void (*)(void))(patcher->base + symbol.value))();
    }
}

/* ---- objects ---- */

static void patch_file(Patcher *patcher, const char *path) {
    struct stat status;
    ElfSection fatbins;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    void *data = MAP_FAILED;
    if (fstat(file, &status) == 0 && status.st_size > 0)
        data = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (data == MAP_FAILED)
        return;
    if (elf_open(&patcher->elf, data, (size_t)status.st_size) &&
        (elf_section_named(&patcher->elf, ".nv_fatbin", &fatbins) ||
         elf_section_named(&patcher->elf, "__nv_relfatbin", &fatbins)) &&
        elf_section_typed(&patcher->elf, SHT_SYMTAB, &patcher->symbols)) {
        patch_symbols(patcher);
        if (patcher->again && patcher->jump_count)
            register_again(patcher);
    }
    munmap(data, (size_t)status.st_size);
}

static bool is_new(uintptr_t base) {
    for (size_t i = 0; i < seen.count; i++)
        if (seen.bases[i] == base)
            return false;
    uintptr_t *moved = realloc(seen.bases, (seen.count + 1) * sizeof *moved);
    if (!moved)
        return false;
    seen.bases = moved;
    seen.bases[seen.count++] = base;
    return true;
}

typedef struct Found { /* objects to patch, collected while the list of objects is locked */
    struct FoundObject {
        char path[4096];
        uintptr_t base, end;
    } * at;
    size_t count;
} Found;

static int collect(struct dl_phdr_info *info, size_t size, void *context) {
    Found *found = context;
    uintptr_t end = info->dlpi_addr, own = (uintptr_t)&seen;
    bool is_own = false;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t first = info->dlpi_addr + segment->p_vaddr, last = first + segment->p_memsz;
        if (segment->p_type != PT_LOAD)
            continue;
        end = last > end ? last : end;
        is_own |= own >= first && own < last;
    }
    if (is_own || !is_new(info->dlpi_addr))
        return 0;
    struct FoundObject *moved = realloc(found->at, (found->count + 1) * sizeof *moved);
    if (!moved)
        return 0;
    found->at = moved;
    struct FoundObject *object = &found->at[found->count++];
    object->base = info->dlpi_addr;
    object->end = end;
    /* the program itself comes without a name */
    const char *path = info->dlpi_name && *info->dlpi_name ? info->dlpi_name : "/proc/self/exe";
    strncpy(object->path, path, sizeof object->path - 1);
    object->path[sizeof object->path - 1] = 0;
    return 0;
}

static void patch_new_objects(void) {
    Found found = {0};
    pthread_mutex_lock(&seen.lock);
    dl_iterate_phdr(collect, &found);
    bool again = seen.started;
    seen.started = true;
    pthread_mutex_unlock(&seen.lock);
    for (size_t i = 0; i < found.count; i++) {
        Patcher patcher = {.base = found.at[i].base, .end = found.at[i].end, .again = again};
        patch_file(&patcher, found.at[i].path);
    }
    free(found.at);
}

__attribute__((constructor(101))) static void patch_at_start(void) {
    patch_new_objects();
}

/* Interposed for the objects that come later. */
__attribute__((visibility("default"))) void *dlopen(const char *path, int flags) {
    void *(*next)(const char *, int);
    *(void **)&next = dlsym(RTLD_NEXT, "dlopen");
    void *handle = next(path, flags);
    if (handle && path)
        patch_new_objects();
    return handle;
}
