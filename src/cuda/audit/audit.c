/* The audit library of `warplens run`: the dynamic loader calls it (rtld-audit(7)) while it brings
 * objects into the program's process. It does two things:
 *
 *   - wherever a program looks for the CUDA driver, runtime or one of CUDA's libraries - an absolute path
 *     to dlopen, a folder of its DT_RPATH -, the loader is led to ours (libraries.def);
 *   - when objects have come or gone, the preloaded library is told (runtime/loader.h), before the
 *     constructors of what came run.
 *
 * The loader keeps it apart from the program, in a namespace of its own. It needs no library, not even
 * the C library, which would have to be loaded a second time for it. */
#include <link.h>
#include <linux/limits.h>
#include <stddef.h>
#include <stdint.h>

static const struct link_map *ours; /* the preloaded library, once the loader has it */
static char host[PATH_MAX];         /* the path of the other one, beside it */
static void (*objects_changed)(void);

enum { DRIVER, HOST };

/* Names that stand for one of our libraries. */
static const struct {
    const char *name;
    int file; /* DRIVER: the preloaded library; HOST */
} names[] = {
#define LIBRARY(name, release, file) {#name ".so." #release, file}, {#name ".so", file},
#include "cuda/libraries.def"
};
enum { NAMES = sizeof names / sizeof names[0] };

static int is_same(const char *a, const char *b) {
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

static const char *base_of(const char *path) {
    const char *base = path;
    for (; *path; path++)
        if (*path == '/')
            base = path + 1;
    return base;
}

/* ---- the preloaded library ---- */

static void take_ours(const struct link_map *map) {
    static const char name[] = "libwarplens-host.so";
    size_t folder = (size_t)(base_of(map->l_name) - map->l_name);
    ours = map;
    if (folder + sizeof name > sizeof host)
        return;
    for (size_t i = 0; i < folder; i++)
        host[i] = map->l_name[i];
    for (size_t i = 0; i < sizeof name; i++)
        host[folder + i] = name[i];
}

static const void *dynamic(const struct link_map *map, ElfW(Sxword) tag) {
    for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == tag) /* the loader has made it an address */
            return (const void *)entry->d_un.d_ptr;
    return NULL;
}

static void *symbol(const struct link_map *map, const char *name) {
    const ElfW(Sym) *symbols = dynamic(map, DT_SYMTAB);
    const char *strings = dynamic(map, DT_STRTAB);
    const uint32_t *hash = dynamic(map, DT_HASH); /* buckets, symbols, … */
    if (!symbols || !strings || !hash)
        return NULL;
    for (uint32_t i = 0; i < hash[1]; i++)
        if (symbols[i].st_shndx != SHN_UNDEF && is_same(strings + symbols[i].st_name, name))
            return (void *)(map->l_addr + symbols[i].st_value);
    return NULL;
}

/* ---- what the loader calls ---- */

unsigned la_version(unsigned version) {
    return version < LAV_CURRENT ? version : LAV_CURRENT;
}

/* Preloaded objects come before all others but the program. */
unsigned la_objopen(struct link_map *map, Lmid_t space, uintptr_t *cookie) {
    (void)cookie;
    if (!ours && space == LM_ID_BASE && is_same(base_of(map->l_name), "libcuda.so.1"))
        take_ours(map);
    return 0;
}

/* A plain name stays: the loader would not find versions that are required of it under another one.
 * What it becomes in each folder that the loader looks into is a path. */
char *la_objsearch(const char *name, uintptr_t *cookie, unsigned flag) {
    (void)cookie;
    const char *base = base_of(name);
    for (int i = 0; ours && base != name && i < NAMES; i++)
        if (is_same(base, names[i].name))
            return names[i].file == DRIVER ? ours->l_name : host;
    (void)flag;
    return (char *)(uintptr_t)name;
}

/* Everything is relocated, and constructors will run next: from here on the library can be called. */
void la_preinit(uintptr_t *cookie) {
    (void)cookie;
    if (ours)
        *(void **)&objects_changed = symbol(ours, "warplens_objects_changed");
}

void la_activity(uintptr_t *cookie, unsigned flag) {
    (void)cookie;
    if (flag == LA_ACT_CONSISTENT && objects_changed)
        objects_changed();
}
