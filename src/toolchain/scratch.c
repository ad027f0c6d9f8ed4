/* Folders for a while, and what processes that were killed left of theirs.
 *
 * In each folder a file says who made it: the process by number and start, the namespace in which
 * the number counts, and since when the machine is up. Whoever makes the next folder removes those of the same
 * user whose process is gone. That needs no descriptor kept open, of which programs that
 * run with warplens inside may close any. What has no such file is not ours and stays. */
#include "toolchain/toolchain.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char prefix[] = "warplens-", owner_file[] = "owner";

enum {
    OWNER_MAX = 256,
    /* QEMU, in user mode, tells a process a start of its own that is a little later than what others see */
    SAME_SECONDS = 10,
};

/* Up to size - 1 bytes of a small file. false: it cannot be read. */
static bool read_small(int folder, const char *name, char *text, size_t size) {
    int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0)
        return false;
    ssize_t got = read(file, text, size - 1);
    close(file);
    text[got > 0 ? got : 0] = 0;
    return got > 0;
}

/* When a process began, in ticks since the machine did: field 22 of proc(5)'s stat, the 20th behind
 * the name, which may hold anything. 0: there is no such process. */
static unsigned long long began(long process) {
    char path[64], stat[1024];
    snprintf(path, sizeof path, "/proc/%ld/stat", process);
    const char *at = read_small(AT_FDCWD, path, stat, sizeof stat) ? strrchr(stat, ')') : NULL;
    for (int field = 2; at && field < 22; field++)
        at = strchr(at + 1, ' ');
    return at ? strtoull(at + 1, NULL, 10) : 0;
}

/* Where numbers of processes count: this machine since it is up, and the namespace. */
static bool place_of_numbers(char *text, size_t size) {
    char boot[64], space[64];
    ssize_t length = readlink("/proc/self/ns/pid", space, sizeof space - 1);
    if (length <= 0 || !read_small(AT_FDCWD, "/proc/sys/kernel/random/boot_id", boot, sizeof boot))
        return false;
    space[length] = 0;
    boot[strcspn(boot, "\n")] = 0;
    return snprintf(text, size, "%s %s", boot, space) < (int)size;
}

static void write_owner(const char *folder, const char *place) {
    char text[2 * OWNER_MAX], path[4096];
    long process = getpid();
    int named = snprintf(path, sizeof path, "%s/%s", folder, owner_file);
    if (named >= (int)sizeof path)
        return;
    int length = snprintf(text, sizeof text, "%ld %llu %s\n", process, began(process), place);
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0)
        return;
    if (write(file, text, (size_t)length) != length)
        unlink(path);
    close(file);
}

/* Is it, or was it, another process? Within so short a time no number is given again. */
static bool is_another(unsigned long long start, unsigned long long other) {
    unsigned long long apart = start > other ? start - other : other - start;
    return apart > SAME_SECONDS * (unsigned long long)sysconf(_SC_CLK_TCK);
}

/* Is the process gone that made this folder? */
static bool abandoned(int folder, const char *place) {
    char text[2 * OWNER_MAX], *end;
    if (!read_small(folder, owner_file, text, sizeof text) || !strchr(text, '\n'))
        return false;
    text[strcspn(text, "\n")] = 0;
    long process = strtol(text, &end, 10);
    unsigned long long start = *end == ' ' ? strtoull(end + 1, &end, 10) : 0;
    if (process <= 0 || !start || *end != ' ')
        return false;
    unsigned long long now = began(process);
    return strcmp(end + 1, place) == 0 && (!now || is_another(start, now));
}

static void remove_abandoned(const char *parent, const char *place) {
    char path[4096];
    DIR *folders = opendir(parent);
    for (struct dirent *entry; folders && (entry = readdir(folders));) {
        struct stat is;
        if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0)
            continue;
        int folder =
            openat(dirfd(folders), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (folder < 0)
            continue;
        bool ours = fstat(folder, &is) == 0 && is.st_uid == geteuid() && abandoned(folder, place);
        close(folder);
        if (ours && snprintf(path, sizeof path, "%s/%s", parent, entry->d_name) < (int)sizeof path)
            scratch_remove(path);
    }
    if (folders)
        closedir(folders);
}

/* Without /proc nobody's folders are known, and this one stays if its process is killed. */
const char *scratch_in(Arena *arena, const char *parent) {
    char place[OWNER_MAX];
    const bool known = place_of_numbers(place, sizeof place);
    if (known)
        remove_abandoned(parent, place);
    const char *folder = mkdtemp(arena_printf(arena, "%s/%sXXXXXX", parent, prefix));
    if (folder && known)
        write_owner(folder, place);
    return folder;
}

const char *scratch_new(Arena *arena) {
    const char *parent = getenv("TMPDIR");
    return scratch_in(arena, parent && *parent ? parent : "/tmp");
}

void scratch_remove(const char *directory) {
    DIR *files = opendir(directory);
    if (files) {
        for (struct dirent *entry; (entry = readdir(files));) {
            if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
                unlinkat(dirfd(files), entry->d_name, 0);
        }
        closedir(files);
    }
    rmdir(directory);
}
