/* Whose code lies at an address of this process, and which of the program's code has called us. */
#include "cuda/owner.h"
#include "toolchain/toolchain.h"

#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

typedef struct Owner {
    uintptr_t address;
    uintptr_t base;   /* what is added to the addresses in its file */
    const char *path; /* "": the program; NULL: code of no file */
} Owner;

static int holds(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    Owner *owner = context;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t first = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        if (info->dlpi_phdr[i].p_type == PT_LOAD &&
            owner->address - first < info->dlpi_phdr[i].p_memsz) {
            owner->base = info->dlpi_addr;
            owner->path = info->dlpi_name;
            return 1;
        }
    }
    return 0;
}

static Owner owner_of(const void *address) {
    Owner owner = {.address = (uintptr_t)address};
    dl_iterate_phdr(holds, &owner);
    return owner;
}

static const char *name_of(Arena *arena, const Owner *owner) {
    const char *path = owner->path;
    if (path && !*path)
        path = program_invocation_name; /* the program itself has no name in that list */
    const char *base = path ? strrchr(path, '/') : NULL;
    return path ? arena_copy(arena, base ? base + 1 : path, strlen(base ? base + 1 : path))
                : "PTX of the program";
}

const char *owner_name(Arena *arena, const void *address) {
    Owner owner = owner_of(address);
    return name_of(arena, &owner);
}

/* ---- who calls ---- */

/* Of the object that this file is linked into; the linker makes them. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

static _Unwind_Reason_Code leave(struct _Unwind_Context *frame, void *found) {
    uintptr_t code = (uintptr_t)_Unwind_GetIP(frame);
    if (code - (uintptr_t)__ehdr_start < (uintptr_t)(_end - __ehdr_start))
        return _URC_NO_REASON;
    *(uintptr_t *)found = code;
    return _URC_NORMAL_STOP;
}

static _Unwind_Reason_Code collect(struct _Unwind_Context *frame, void *found) {
    Callers *callers = found;
    uintptr_t code = (uintptr_t)_Unwind_GetIP(frame);
    uint32_t i = 0;
    if (code - (uintptr_t)__ehdr_start < (uintptr_t)(_end - __ehdr_start))
        return _URC_NO_REASON;
    while (i < CALLERS && callers->code[i])
        i++;
    if (i < CALLERS)
        callers->code[i] = (const void *)code;
    return i + 1 < CALLERS ? _URC_NO_REASON : _URC_NORMAL_STOP;
}

Callers owner_callers(void) {
    Callers callers = {{NULL}};
    _Unwind_Backtrace(collect, &callers);
    return callers;
}

typedef struct FaultWalk {
    Callers callers;
    uintptr_t code; /* where the walk begins; 0: it has begun */
    bool ours;
} FaultWalk;

/* The folder that this library lies in has all of warplens'. */
static bool is_ours(const char *path) {
    const Owner own = owner_of(__ehdr_start);
    const char *slash = own.path ? strrchr(own.path, '/') : NULL;
    const size_t folder = slash ? (size_t)(slash - own.path) + 1 : 0;
    return folder && strncmp(path, own.path, folder) == 0 && !strchr(path + folder, '/');
}

static bool is_of_system(const char *path) {
    static const char *const names[] = {"libc.so", "libm.so", "libstdc++.so", "libgcc_s.so"};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static _Unwind_Reason_Code collect_at(struct _Unwind_Context *frame, void *found) {
    FaultWalk *walk = found;
    const uintptr_t code = (uintptr_t)_Unwind_GetIP(frame);
    const bool first = code == walk->code;
    if (walk->code && !first)
        return _URC_NO_REASON;
    walk->code = 0;
    const Owner owner = owner_of((const void *)code);
    if (owner.path && *owner.path && is_ours(owner.path)) {
        walk->ours = true;
        return _URC_NORMAL_STOP;
    }
    uint32_t i = 0;
    while (i < CALLERS && walk->callers.code[i])
        i++;
    if (i < CALLERS && !(owner.path && is_of_system(owner.path)))
        walk->callers.code[i] = (const void *)(code + first); /* as behind a call */
    return _URC_NO_REASON;
}

Callers owner_callers_at(const void *code, bool *ours) {
    FaultWalk walk = {.code = (uintptr_t)code};
    _Unwind_Backtrace(collect_at, &walk);
    *ours = walk.ours || walk.code;
    return walk.callers;
}

const void *owner_caller(void) {
    uintptr_t code = 0;
    _Unwind_Backtrace(leave, &code);
    return (const void *)code;
}

/* ---- where that is ---- */

/* What addr2line says of a place: "FUNCTION\nFILE:LINE", "??" for what it does not know; again for each
 * function that this one is inlined into. "": nothing. */
static char *ask(Arena *arena, const char *path, uintptr_t at) {
    const char *tool = toolchain_find(arena, "addr2line");
    const char *scratch = tool ? scratch_new(arena) : NULL;
    if (!scratch)
        return arena_copy(arena, "", 0);
    const char *address = arena_printf(arena, "0x%llx", (unsigned long long)at);
    const char *const argv[] = {tool, "-f", "-C", "-i", "-e", path, address, NULL};
    ProcessResult said = process_run(arena, argv, scratch, NULL);
    scratch_remove(scratch);
    return arena_copy(arena, said.output, said.status == 0 ? strlen(said.output) : 0);
}

static CodePlace place_of(Arena *arena, const Owner *owner, const char *path) {
    uintptr_t at = owner->address - owner->base;
    char *rest, *said = ask(arena, path, at - 1); /* in the call itself */
    char *function = strtok_r(said, "\n", &rest), *line = strtok_r(NULL, "\n", &rest);
    bool named = function && function[0] != '?', known = line && !strstr(line, ":?");
    CodePlace place = {NULL, NULL, 0};
    if (known && strstr(line, " (discriminator"))
        *strstr(line, " (discriminator") = 0;
    const char *colon = known ? strrchr(line, ':') : NULL;
    if (colon) {
        place.file = arena_copy(arena, line, (size_t)(colon - line));
        place.line = (uint32_t)strtoul(colon + 1, NULL, 10);
    } else
        line = arena_printf(arena, "%s+0x%llx", name_of(arena, owner), (unsigned long long)at);
    place.text = arena_printf(arena, "%s%s%s%s", line, named ? ", in " : "", named ? function : "",
                              colon ? "" : " (its line needs -g and addr2line)");
    return place;
}

CodePlace owner_place(Arena *arena, const void *code) {
    Owner owner = owner_of(code);
    if (!owner.path)
        return (CodePlace){NULL, NULL, 0};
    char *program = *owner.path ? NULL : realpath("/proc/self/exe", NULL);
    const CodePlace place = place_of(arena, &owner, program ? program : owner.path);
    free(program);
    return place;
}

/* "k.cu:7, in void ns::fill<int>(int*)": the function that nvcc makes of a kernel, which launches it. */
static bool is_stub(const char *place, const char *kernel) {
    const char *function = place ? strstr(place, ", in ") : NULL;
    if (!kernel || !function)
        return false;
    const size_t length = strlen(kernel);
    for (const char *at = function; (at = strstr(at, kernel)) != NULL; at++)
        if (at[-1] == ' ' && (at[length] == '(' || at[length] == '<'))
            return true;
    return false;
}

CodePlace owner_place_of(Arena *arena, const Callers *callers, const char *kernel) {
    CodePlace first = {NULL, NULL, 0};
    for (uint32_t i = 0; i < CALLERS && callers->code[i]; i++) {
        const CodePlace place = owner_place(arena, callers->code[i]);
        const char *text = place.text;
        bool toolkit =
            text && (strstr(text, "/cuda_runtime.h:") || strstr(text, "/crt/") ||
                     strstr(text, ".cudafe1.stub.c:") || strstr(text, "/cuda_runtime_api.h:"));
        first = first.text ? first : place;
        if (text && !toolkit && !is_stub(text, kernel))
            return place;
    }
    return first;
}
