/* New objects of the process, found and handed to those who change them: see loader.h. */
#include "cuda/runtime/loader.h"

#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The objects of the process as of the last round. */
static struct Objects {
    pthread_mutex_t lock;
    LoadedObject *list;
    size_t count, capacity;
} objects = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void look_at(LoadedObject *object) {
    struct stat status;
    Elf elf;
    int file = open(object->path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    void *data = MAP_FAILED;
    if (fstat(file, &status) == 0 && status.st_size > 0)
        data = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (data == MAP_FAILED)
        return;
    if (elf_open(&elf, data, (size_t)status.st_size)) {
        patch_object(object, &elf);
        nvrtc_object(object, &elf);
        nvjitlink_object(object, &elf);
        hosted_object(object, &elf);
    }
    munmap(data, (size_t)status.st_size);
}

/* The loader lists objects in the order in which they came, so the next one is mostly at *place. */
static LoadedObject *known(uintptr_t base, const char *path, size_t *place) {
    for (size_t i = 0; i < objects.count; i++) {
        LoadedObject *object = &objects.list[(*place + i) % objects.count];
        if (object->base != base || strcmp(object->path, path) != 0)
            continue;
        *place = (size_t)(object - objects.list) + 1;
        return object;
    }
    return NULL;
}

static LoadedObject *add(uintptr_t base, uintptr_t end, const char *path) {
    if (objects.count == objects.capacity) {
        size_t capacity = 2 * objects.capacity + 64;
        LoadedObject *moved = realloc(objects.list, capacity * sizeof *moved);
        if (!moved)
            return NULL;
        objects.list = moved;
        objects.capacity = capacity;
    }
    char *copy = strdup(path);
    if (!copy)
        return NULL;
    LoadedObject *added = &objects.list[objects.count++];
    *added = (LoadedObject){.path = copy, .base = base, .end = end};
    return added;
}

static int take_object(struct dl_phdr_info *info, size_t size, void *context) {
    uintptr_t end = info->dlpi_addr, own = (uintptr_t)&objects;
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
    if (is_own)
        return 0;
    /* the program itself comes without a name */
    const char *path = info->dlpi_name && *info->dlpi_name ? info->dlpi_name : "/proc/self/exe";
    LoadedObject *object = known(info->dlpi_addr, path, context);
    bool is_new = !object;
    if (is_new)
        object = add(info->dlpi_addr, end, path);
    if (object && !is_new && is_unpatched(object)) {
        unpatch_object(object);
        is_new = true;
    }
    if (object && is_new)
        look_at(object);
    if (object)
        object->present = true;
    return 0;
}

static void drop_absent(void) {
    size_t kept = 0;
    for (size_t i = 0; i < objects.count; i++) {
        LoadedObject *object = &objects.list[i];
        if (!object->present) {
            unpatch_object(object);
            free(object->path);
            continue;
        }
        object->present = false;
        objects.list[kept++] = *object;
    }
    objects.count = kept;
}

void look_at_objects(void) {
    size_t place = 0;
    pthread_mutex_lock(&objects.lock);
    dl_iterate_phdr(take_object, &place);
    drop_absent();
    pthread_mutex_unlock(&objects.lock);
}

/* Whoever loads something may hold the loader's lock or not; so where the loader itself calls, nobody else does. */
__attribute__((visibility("default"))) void warplens_objects_changed(void) {
    if (!loader_is_watched())
        look_at_objects();
}

__attribute__((constructor(101))) static void at_start(void) {
    look_at_objects();
}
