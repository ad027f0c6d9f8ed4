/* Executables and libraries that nvcc built: which fat binaries are inside, how the CUDA runtime
 * got in, and from that whether and how `warplens run` can run them.
 *
 *   .nv_fatbin       fat binaries, one behind the other, 8-aligned
 *   __nv_relfatbin   those of relocatable device code: there the PTX is
 *   DT_NEEDED        libcudart.so.N: the runtime is shared
 *   linked.c         whether a runtime was linked in, and where it is */
#include "image/image.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __x86_64__
#define OUR_MACHINE EM_X86_64
#else
#define OUR_MACHINE EM_AARCH64
#endif

static void read_fatbins(Arena *arena, Object *object, const char *section_name, Diags *diags) {
    ElfSection section;
    if (!elf_section_named(&object->elf, section_name, &section))
        return;
    uint64_t at = 0;
    while (section.size - at >= FATBIN_HEADER_BYTES) {
        uint32_t magic;
        memcpy(&magic, section.data + at, sizeof magic);
        if (magic != FATBIN_MAGIC) { /* the linker's padding between two */
            at += 8;
            continue;
        }
        Fatbin fatbin;
        if (!fatbin_read(arena, object->path, section.data + at, section.size - at, &fatbin, diags))
            return;
        if (fatbin.entries.count)
            *vec_add(arena, &object->fatbins) = fatbin;
        at += (fatbin.bytes + 7) & ~UINT64_C(7);
        if (at > section.size)
            return;
    }
}

static Str needed_name(const Elf *elf, const ElfSection *dynamic, const Elf64_Dyn *entry) {
    ElfSection strings;
    if (!elf_section(elf, dynamic->link, &strings) || !strings.data ||
        entry->d_un.d_val >= strings.size)
        return STR("");
    const char *text = (const char *)strings.data + entry->d_un.d_val;
    return (Str){text, strnlen(text, strings.size - entry->d_un.d_val)};
}

/* libcudart.so.13 -> 13 */
static uint32_t cudart_major(Str library) {
    const char prefix[] = "libcudart.so.";
    uint32_t major = 0;
    if (!str_starts(library, prefix))
        return 0;
    for (size_t i = sizeof prefix - 1; i < library.length; i++) {
        if (library.at[i] < '0' || library.at[i] > '9' || major > 999)
            break;
        major = 10 * major + (uint32_t)(library.at[i] - '0');
    }
    return major;
}

static void find_runtime(Arena *arena, Object *object) {
    ElfSection dynamic;
    LinkedRuntime linked;
    bool needs_driver = false;
    object->missing = "";
    if (elf_section_typed(&object->elf, SHT_DYNAMIC, &dynamic)) {
        object->is_dynamic = true;
        for (uint64_t i = 0; i < dynamic.size / sizeof(Elf64_Dyn); i++) {
            Elf64_Dyn entry;
            memcpy(&entry, dynamic.data + i * sizeof entry, sizeof entry);
            if (entry.d_tag != DT_NEEDED)
                continue;
            Str name = needed_name(&object->elf, &dynamic, &entry);
            if (cudart_major(name)) {
                object->runtime = RUNTIME_SHARED;
                object->runtime_major = cudart_major(name);
            }
            needs_driver |= str_starts(name, "libcuda.so");
        }
    }
    if (object->runtime == RUNTIME_SHARED)
        return;
    if (linked_runtime(arena, &object->elf, &linked))
        object->runtime = RUNTIME_STATIC;
    if (object->fatbins.count && !needs_driver)
        object->missing = linked_missing(arena, &linked);
}

bool object_is_elf(const char *path) {
    char start[SELFMAG] = {0};
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    bool same = read(file, start, sizeof start) == SELFMAG && !memcmp(start, ELFMAG, SELFMAG);
    close(file);
    return same;
}

bool object_open(Arena *arena, const char *path, Object *object, Diags *diags) {
    size_t size;
    *object = (Object){.path = path};
    char *data = file_read(arena, path, &size);
    if (!data) {
        diags_error(diags, "%s: %s", path, strerror(errno));
        return false;
    }
    return object_read(arena, path, data, size, object, diags);
}

bool object_read(Arena *arena, const char *path, const void *data, size_t size, Object *object,
                 Diags *diags) {
    *object = (Object){.path = path};
    if (!elf_open(&object->elf, data, size)) {
        diags_error(diags, "%s: not an executable or library (64-bit ELF), or cut short", path);
        return false;
    }
    uint32_t errors = diags->errors;
    read_fatbins(arena, object, ".nv_fatbin", diags);
    read_fatbins(arena, object, "__nv_relfatbin", diags);
    find_runtime(arena, object);
    return diags->errors == errors;
}

/* ---- whether it can be run ---- */

static bool has_ptx(Arena *arena, const Object *object, const ArchChoice *choice) {
    bool found = false;
    PtxText text;
    for (uint32_t i = 0; !found && i < object->fatbins.count; i++)
        found = fatbin_choose(arena, &object->fatbins.at[i], choice, &text, diags_new(arena));
    return found;
}

/* Machine code for the GPU, which may lie elsewhere once it is linked. */
static bool has_code(const Object *object, const ArchChoice *choice) {
    for (uint32_t i = 0; !choice->forced.number && i < object->fatbins.count; i++) {
        const Fatbin *fatbin = &object->fatbins.at[i];
        for (uint32_t k = 0; k < fatbin->entries.count; k++)
            if (fatbin->entries.at[k].kind == FAT_CUBIN &&
                gpu_runs_code(choice->gpu, fatbin->entries.at[k].arch))
                return true;
    }
    return false;
}

static bool has_functions(Arena *arena, const Object *object) {
    bool found = false;
    for (uint32_t i = 0; !found && i < object->fatbins.count; i++)
        found = fatbin_has_functions(arena, &object->fatbins.at[i]);
    return found;
}

static void report_no_ptx(const Object *object, const ArchChoice *choice, Diags *diags) {
    if (!has_functions(diags->arena, object))
        diags_error(diags, "%s: holds no device code", object->path);
    else
        fatbins_refuse(object->path, object->fatbins.at, object->fatbins.count, choice, diags);
}

bool object_runnable(const Object *object, const ArchChoice *choice, Diags *diags) {
    Arena *arena = diags->arena;
    if (object->elf.machine != OUR_MACHINE) {
        diags_error(diags, "%s: built for another processor than this machine's", object->path);
        return false;
    }
    if (!object->is_dynamic) {
        diags_error(diags, "%s: statically linked as a whole; link it without -static",
                    object->path);
        return false;
    }
    if (!has_code(object, choice) && !has_ptx(arena, object, choice) &&
        has_functions(arena, object)) {
        report_no_ptx(object, choice, diags);
        return false;
    }
    if (*object->missing) {
        diags_error(
            diags,
            "%s: the CUDA runtime is linked in and the symbol table is stripped; these of its "
            "calls cannot be found: %s; rebuild without strip and -s, or with nvcc -cudart "
            "shared (CMake: CUDA_RUNTIME_LIBRARY Shared)",
            object->path, object->missing);
        return false;
    }
    return true;
}

bool object_ptx(Arena *arena, const Object *object, const ArchChoice *choice, PtxTexts *texts,
                Diags *diags) {
    uint32_t errors = diags->errors;
    for (uint32_t i = 0; i < object->fatbins.count; i++) {
        const Fatbin *fatbin = &object->fatbins.at[i];
        PtxText text;
        if (!fatbin_choose(arena, fatbin, choice, &text, diags))
            continue;
        text.name = object->path;
        *vec_add(arena, &texts->list) = text;
    }
    texts_link(arena, texts);
    texts_provide(arena, texts);
    if (texts->list.count == 0 && diags->errors == errors)
        report_no_ptx(object, choice, diags);
    return diags->errors == errors;
}

bool file_ptx(Arena *arena, const char *path, const ArchChoice *choice, PtxTexts *texts,
              Diags *diags) {
    size_t size;
    Elf elf;
    char *data = file_read(arena, path, &size);
    if (!data) {
        diags_error(diags, "%s: %s", path, strerror(errno));
        return false;
    }
    bool is_elf = size >= SELFMAG && memcmp(data, ELFMAG, SELFMAG) == 0;
    if (is_elf && !(elf_open(&elf, data, size) && elf.machine == EM_CUDA)) {
        Object object;
        return object_read(arena, path, data, size, &object, diags) &&
               object_ptx(arena, &object, choice, texts, diags);
    }
    return image_ptx(arena, path, data, size, choice, texts, diags);
}
