/* hostlib: libraries of CUDA that programs call from the host, and whose kernels are machine code only
 * (cuBLAS, …), over well-kept libraries of the CPU that are found when they are called.
 *
 *   program --cublasSgemm(handle, …)--> a room of this layer: checks, packs the arguments
 *      --warplens_enqueue(stream)--> the driver (cuda/host.h): in stream order, or into a graph
 *      --run--> OpenBLAS … (provider.c), on the device's memory, which is the host's
 *
 * All rooms make one shared library, libwarplens-host.so, which the program gets under each name of
 * cuda/libraries.def. To add a library:
 *   1. its rows in cuda/libraries.def, so that it is found under its name;
 *   2. a room, src/hostlib/NAME/, with names.def: NAME(function) for everything that the real one
 *      exports, and a file that makes a MISSING function of each. The room's other files define those that
 *      there are, and theirs replace these. Each room is listed in hostlib.cmake;
 *   3. a row of providers.def for what it stands on, and one of cli/doctor.def.
 * Then cuda/host.h, the room's own header, and a test in tests/hostlib.
 *
 * Invariants
 *   - Nothing of NVIDIA's is needed to build it: declarations are our own, written from its manuals.
 *   - A provider is opened when its first function is called and never linked: who calls none needs none.
 *   - Results are those of the provider; each room's header says how exact they are.
 *   - What ran is in the profile as "on the host, not counted".
 *
 * What it does not do: count; run kernels; imitate the layout of a GPU's work. */
#pragma once

#include "cuda/host.h"

#include <stddef.h>
#include <stdint.h>

typedef enum ProviderId {
#define PROVIDER(id, package, gives, ...) PROVIDER_##id,
#include "hostlib/providers.def"
    PROVIDERS
} ProviderId;

/* A function of it. NULL: neither it nor another that stands in is installed, or it lacks the function,
 * which the user is told once, with the package that has it. */
void *provider_function(ProviderId id, const char *name);
/* The same where nobody is told: what is done without it. */
void *provider_look(ProviderId id, const char *name);

/* Defines `name`, which takes anything (the ABI lets a function ignore its arguments), tells that it is
 * missing and returns `status`, unless another file defines it. */
#define MISSING(name, status)                                                                      \
    _Pragma("GCC visibility push(default)") int name(void) __attribute__((weak));                  \
    int name(void) {                                                                               \
        warplens_missing(#name);                                                                   \
        return status;                                                                             \
    }                                                                                              \
    _Pragma("GCC visibility pop")
