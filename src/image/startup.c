/* Entry points of a runtime without symbols that refer to no name. Code that nvcc makes calls them, and
 * what it does besides says which is which:
 *
 *   constructor      __cudaRegisterFatBinary(wrapper in .nvFatBinSegment)
 *                    callback(handle), or what it does:
 *                        __cudaRegisterFunction(handle, kernel's stub, its name …)
 *                        __cudaRegisterVar(handle, variable, its name …)    also …ManagedVar
 *                    __cudaRegisterFatBinaryEnd(handle)
 *                    atexit(a function that calls __cudaUnregisterFatBinary alone)
 *   kernel's stub    __cudaGetKernel(&handle, stub)          CUDA 13
 *                    __cudaPopCallConfiguration(…)
 *                    __cudaLaunchKernel(handle …), which is a jump to cudaLaunchKernel
 *   a launch         __cudaPushCallConfiguration(…), then the stub
 *
 * A call counts only in code that is known to be the program's, since it knows wrappers or kernels. Where
 * two calls of one role lead to different functions, or one to none, none of these is taken. */
#include "image/startup.h"

#include <stdlib.h>
#include <string.h>

typedef enum Role {
    ROLE_BINARY,
    ROLE_END,
    ROLE_UNREGISTER,
    ROLE_FUNCTION,
    ROLE_VARIABLE,
    ROLE_MANAGED, /* or ROLE_VARIABLE: they are called alike */
    ROLE_KERNEL,
    ROLE_POP,
    ROLE_PUSH,
    ROLES
} Role;

static const char *const role_names[ROLES] = {
    "__cudaRegisterFatBinary", "__cudaRegisterFatBinaryEnd", "__cudaUnregisterFatBinary",
    "__cudaRegisterFunction",  "__cudaRegisterVar",          "__cudaRegisterVar",
    "__cudaGetKernel",         "__cudaPopCallConfiguration", "__cudaPushCallConfiguration"};

/* A set of addresses, in the order in which they came. */
typedef struct Addresses {
    VEC(uint64_t) list;
    Map *index;
} Addresses;

typedef struct Startup {
    const Code *code;
    Arena *arena;
    ElfSection wrappers;
    uint64_t common, first, last; /* of the runtime's functions that are known */
    uint64_t found[ROLES];
    bool wrong[ROLES]; /* two functions have this role */
    Addresses named, startups, kernels, stubs;
} Startup;

/* ---- addresses ---- */

static Str key_of(const uint64_t *address) {
    return (Str){(const char *)address, sizeof *address};
}

static bool is_in(const Addresses *set, uint64_t address) {
    uint64_t place;
    return map_get(set->index, key_of(&address), &place);
}

static void add(const Startup *s, Addresses *set, uint64_t address) {
    if (is_in(set, address))
        return;
    uint64_t *own = NEW(s->arena, uint64_t);
    *own = address;
    map_put(set->index, key_of(own), set->list.count);
    *vec_add(s->arena, &set->list) = address;
}

static bool is_runtime(const Startup *s, uint64_t address) {
    return address >= s->first && address <= s->last;
}

/* A function of the runtime that is not known yet. */
static bool is_nameless(const Startup *s, uint64_t address) {
    return is_runtime(s, address) && !is_in(&s->named, address);
}

static void name(Startup *s, Role role, uint64_t address) {
    for (int other = 0; other < ROLES; other++)
        s->wrong[role] |= other != (int)role && s->found[other] == address;
    s->wrong[role] |= s->found[role] && s->found[role] != address;
    s->found[role] = address;
}

static void name_variable(Startup *s, uint64_t address) {
    bool is_first = !s->found[ROLE_VARIABLE] || s->found[ROLE_VARIABLE] == address;
    name(s, is_first ? ROLE_VARIABLE : ROLE_MANAGED, address);
}

static bool has_role(const Startup *s, uint64_t address) {
    for (int role = 0; role < ROLES; role++)
        if (s->found[role] == address)
            return true;
    return false;
}

/* ---- calls of the runtime ---- */

/* A call, and what the code between the one before it and this one refers to. */
typedef struct Call {
    uint64_t target;
    uint64_t function; /* whose address is taken; 0: none */
    uint64_t object;   /* the same of a text or variable */
    bool text, second; /* a text is among these; there are two */
} Call;

static bool is_symbol(Str text) {
    for (size_t i = 0; i < text.length; i++)
        if (text.at[i] <= ' ' || text.at[i] > '~')
            return false;
    return text.length > 0;
}

static bool next_call(const Startup *s, const CodeFunction *function, uint64_t *at, Call *call) {
    CodeReference reference;
    *call = (Call){0};
    while (code_next(s->code, function->end, at, &reference)) {
        uint64_t target = reference.target;
        if (reference.is_call && is_runtime(s, target)) {
            call->target = target;
            return true;
        }
        if (reference.is_call) {
            *call = (Call){0};
        } else if (code_is_start(s->code, target)) {
            call->function = target;
        } else {
            call->text |= is_symbol(code_string(s->code, target));
            call->second |= call->object && call->object != target;
            call->object = target;
        }
    }
    return false;
}

/* ---- constructors ---- */

static bool takes_wrapper(const Startup *s, const CodeReference *reference) {
    return !reference->is_call && reference->target - s->wrappers.address < s->wrappers.size;
}

/* Where the address of a wrapper is taken; what is called with it is in the runtime, but for
 * __cudaRegisterLinkedBinary… of relocatable device code, which is the program's. */
static void find_startups(Startup *s) {
    for (uint32_t i = 0; i < s->code->functions.count; i++) {
        const CodeFunction *function = &s->code->functions.at[i];
        CodeReference reference;
        bool taken = false;
        for (uint64_t at = function->start; code_next(s->code, function->end, &at, &reference);) {
            if (taken && reference.is_call && reference.target &&
                code_calls(s->code, code_function(s->code, reference.target), s->common))
                name(s, ROLE_BINARY, reference.target);
            taken = takes_wrapper(s, &reference) || (taken && !reference.is_call);
            if (taken && !is_runtime(s, function->start))
                add(s, &s->startups, function->start);
        }
    }
}

static void read_registrations(Startup *s, const CodeFunction *function, bool is_startup) {
    Call call;
    for (uint64_t at = function->start; next_call(s, function, &at, &call);) {
        if (!is_nameless(s, call.target) || call.target == s->found[ROLE_BINARY])
            continue;
        if (call.text && call.function) {
            name(s, ROLE_FUNCTION, call.target);
            add(s, &s->kernels, call.function);
        } else if (call.text && call.second) {
            name_variable(s, call.target);
        } else if (is_startup && !call.text) {
            name(s, ROLE_END, call.target);
        } else if (call.text) {
            s->wrong[ROLE_VARIABLE] = true; /* not known as anything */
        }
    }
}

/* What is handed to atexit, which calls the runtime once. */
static void read_end(Startup *s, const CodeFunction *function) {
    Call call, second;
    uint64_t at = function->start;
    if (next_call(s, function, &at, &call) && is_nameless(s, call.target) && !call.text &&
        !next_call(s, function, &at, &second))
        name(s, ROLE_UNREGISTER, call.target);
}

/* A startup function and what it takes the addresses of. */
static void read_startup(Startup *s, uint64_t start) {
    const CodeFunction *function = code_function(s->code, start);
    CodeReference reference;
    read_registrations(s, function, true);
    for (uint64_t at = start; code_next(s->code, function->end, &at, &reference);) {
        const CodeFunction *other = code_function(s->code, reference.target);
        if (reference.is_call || !other || other->start != reference.target ||
            is_runtime(s, other->start))
            continue;
        read_registrations(s, other, false);
        read_end(s, other);
    }
}

/* ---- launches ---- */

/* What a kernel's stub calls, directly or in up to `depth` functions of the program. */
static void read_stub(Startup *s, uint64_t kernel, uint64_t start, int depth, Addresses *called) {
    const CodeFunction *function = code_function(s->code, start);
    CodeReference reference;
    Call call;
    for (uint64_t at = start; next_call(s, function, &at, &call);) {
        if (!is_nameless(s, call.target))
            continue;
        add(s, &s->stubs, start);
        if (call.function == kernel)
            name(s, ROLE_KERNEL, call.target);
        else
            add(s, called, call.target);
    }
    for (uint64_t at = start; depth > 0 && code_next(s->code, function->end, &at, &reference);)
        if (reference.is_call && reference.target && reference.target != start &&
            !is_runtime(s, reference.target))
            read_stub(s, kernel, reference.target, depth - 1, called);
}

static void find_launches(Startup *s) {
    enum { DEPTH = 3 }; /* kernel<T>, __wrapper__device_stub_…, __device_stub_… */
    Addresses called = {.index = map_new(s->arena)};
    for (uint32_t i = 0; i < s->kernels.list.count; i++)
        read_stub(s, s->kernels.list.at[i], s->kernels.list.at[i], DEPTH, &called);
    for (uint32_t i = 0; i < called.list.count; i++)
        if (called.list.at[i] != s->found[ROLE_KERNEL])
            name(s, ROLE_POP, called.list.at[i]);
}

/* Compilers make copies of stubs: what takes a configuration is one. */
static void find_stubs(Startup *s) {
    for (uint32_t i = 0; i < s->code->functions.count; i++) {
        const CodeFunction *function = &s->code->functions.at[i];
        if (s->found[ROLE_POP] && !is_runtime(s, function->start) &&
            code_calls(s->code, function, s->found[ROLE_POP]))
            add(s, &s->stubs, function->start);
    }
}

/* Who refers to a kernel or its stub, and does not register it, launches it, or is a stub itself. */
static bool launches(const Startup *s, const CodeFunction *function) {
    CodeReference reference;
    if (is_in(&s->startups, function->start))
        return false;
    for (uint64_t at = function->start; code_next(s->code, function->end, &at, &reference);)
        if (is_in(&s->kernels, reference.target) || is_in(&s->stubs, reference.target))
            return true;
    return false;
}

static void find_pushes(Startup *s) {
    for (uint32_t i = 0; i < s->code->functions.count; i++) {
        const CodeFunction *function = &s->code->functions.at[i];
        Call call;
        if (is_runtime(s, function->start) || !launches(s, function))
            continue;
        for (uint64_t at = function->start; next_call(s, function, &at, &call);)
            if (is_nameless(s, call.target) &&
                (!has_role(s, call.target) || call.target == s->found[ROLE_PUSH]))
                name(s, ROLE_PUSH, call.target);
    }
}

/* __cudaLaunchKernel and its twin are jumps to the calls whose names follow the two underlines. */
static void find_jumps(Startup *s, LinkedRuntime *runtime) {
    enum { JUMP_MOST = 16 };
    uint32_t known = runtime->entries.count;
    for (uint32_t i = 0; i < s->code->functions.count; i++) {
        const CodeFunction *function = &s->code->functions.at[i];
        CodeReference reference;
        uint64_t at = function->start;
        if (function->end - at > JUMP_MOST || !is_nameless(s, at) ||
            !code_next(s->code, function->end, &at, &reference) || !reference.is_call)
            continue;
        for (uint32_t k = 0; k < known; k++) {
            RuntimeEntry entry = runtime->entries.at[k];
            if (entry.address != reference.target || !str_starts(entry.name, "cudaLaunchKernel"))
                continue;
            const char *name =
                arena_printf(s->arena, "__%.*s", (int)entry.name.length, entry.name.at);
            *vec_add(s->arena, &runtime->entries) =
                (RuntimeEntry){str_of(name), function->start, function->end - function->start};
            add(s, &s->named, function->start);
        }
    }
}

/* ---- all of them ---- */

static void take(Startup *s, LinkedRuntime *runtime) {
    for (int role = 0; role < ROLES; role++) {
        bool needed = role <= ROLE_UNREGISTER || (role == ROLE_POP && s->kernels.list.count);
        if (s->wrong[role] || (needed && !s->found[role]))
            *vec_add(s->arena, &runtime->missing) = role_names[role];
    }
    for (int role = 0; role < ROLES && runtime->missing.count == 0; role++) {
        const CodeFunction *function = code_function(s->code, s->found[role]);
        if (function)
            *vec_add(s->arena, &runtime->entries) = (RuntimeEntry){
                str_of(role_names[role]), function->start, function->end - function->start};
    }
}

void startup_find(const Elf *elf, const Code *code, uint64_t common, LinkedRuntime *runtime) {
    Startup s = {.code = code, .arena = code->arena, .common = common, .first = UINT64_MAX};
    for (Addresses *set = &s.named; set <= &s.stubs; set++)
        set->index = map_new(s.arena);
    for (uint32_t i = 0; i < runtime->entries.count; i++) {
        uint64_t address = runtime->entries.at[i].address;
        add(&s, &s.named, address);
        s.first = address < s.first ? address : s.first;
        s.last = address > s.last ? address : s.last;
    }
    if (!elf_section_named(elf, ".nvFatBinSegment", &s.wrappers))
        return;
    find_startups(&s);
    if (s.startups.list.count == 0)
        return;
    uint64_t binary = s.found[ROLE_BINARY];
    s.first = binary && binary < s.first ? binary : s.first;
    s.last = binary > s.last ? binary : s.last;
    find_jumps(&s, runtime);
    for (uint32_t i = 0; i < s.startups.list.count; i++)
        read_startup(&s, s.startups.list.at[i]);
    find_launches(&s);
    find_stubs(&s);
    find_pushes(&s);
    take(&s, runtime);
}
