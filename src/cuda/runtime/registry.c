/* Registry: what a program's constructors say about its kernels and variables.
 *
 * nvcc gives every host object a constructor that calls, in this order,
 *   handle = __cudaRegisterFatBinary(wrapper)
 *   __cudaRegisterFunction, __cudaRegisterVar, __cudaRegisterManagedVar …   (handle, host, name)
 *   __cudaRegisterFatBinaryEnd(handle)
 * and at exit __cudaUnregisterFatBinary(handle). From then on the program names a kernel by the
 * address of its host stub, and a variable by that of its host shadow.
 *
 * A fat binary is loaded at the first use of something in it. */
#include "cuda/core.h"
#include "cuda/library.h"
#include "cuda/owner.h"
#include "cuda/runtime/calls.h"
#include "cuda/runtime/loader.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

typedef struct Binary {
    void *self; /* the handle is the address of this, as it is of a pointer in NVIDIA's */
    const void *wrapper;
    CUlibrary library; /* NULL: not loaded */
    bool placed;       /* its managed variables have their places */
    struct Binary *next;
} Binary;

typedef enum SymbolKind { SYMBOL_KERNEL, SYMBOL_VARIABLE, SYMBOL_HANDLE } Kind;

typedef struct Symbol {
    const void *host; /* the key */
    Kind kind;
    Binary *binary;
    const char *name; /* in the device code */
    CUkernel kernel;  /* KERNEL: NULL until first used; HANDLE */
    UT_hash_handle hh;
} Symbol;

/* The one registry of the process: constructors have no handle to pass it by. */
static struct Registry {
    pthread_rwlock_t lock;
    Binary *binaries;
    Symbol *symbols;
} registry = {.lock = PTHREAD_RWLOCK_INITIALIZER};

/* ---- registering ---- */

void **__cudaRegisterFatBinary(void *wrapper) {
    Binary *binary = calloc(1, sizeof *binary);
    if (!binary)
        abort();
    binary->self = binary;
    binary->wrapper = wrapper;
    pthread_rwlock_wrlock(&registry.lock);
    binary->next = registry.binaries;
    registry.binaries = binary;
    pthread_rwlock_unlock(&registry.lock);
    return &binary->self;
}

void __cudaRegisterFatBinaryEnd(void **handle) {
    (void)handle;
}

/* NULL for a handle that is not ours: of a library that registered with another runtime. */
static Binary *binary_of(void **handle) {
    for (Binary *binary = registry.binaries; binary; binary = binary->next)
        if (&binary->self == handle)
            return binary;
    return NULL;
}

void __cudaUnregisterFatBinary(void **handle) {
    Symbol *symbol, *next;
    pthread_rwlock_wrlock(&registry.lock);
    Binary *binary = binary_of(handle);
    HASH_ITER(hh, registry.symbols, symbol, next) {
        if (binary && symbol->binary == binary) {
            HASH_DEL(registry.symbols, symbol);
            free(symbol);
        }
    }
    for (Binary **at = &registry.binaries; binary && *at; at = &(*at)->next) {
        if (*at == binary) { /* its library goes with the process */
            *at = binary->next;
            free(binary);
            break;
        }
    }
    pthread_rwlock_unlock(&registry.lock);
}

static void add(Symbol *symbol, const void *host) {
    Symbol *old;
    symbol->host = host;
    HASH_FIND_PTR(registry.symbols, &host, old);
    if (old) {
        HASH_DEL(registry.symbols, old);
        free(old);
    }
    HASH_ADD_PTR(registry.symbols, host, symbol);
}

static Symbol *register_symbol(void **handle, Kind kind, const void *host, const char *name) {
    Symbol *symbol = calloc(1, sizeof *symbol);
    if (!symbol)
        abort();
    pthread_rwlock_wrlock(&registry.lock);
    *symbol = (Symbol){.kind = kind, .binary = binary_of(handle), .name = name};
    add(symbol, host);
    pthread_rwlock_unlock(&registry.lock);
    return symbol;
}

void __cudaRegisterFunction(void **handle, const void *host, char *device, const char *name,
                            int threads, void *tid, void *bid, dim3 *block, dim3 *grid,
                            int *warp_size) {
    (void)device, (void)threads, (void)tid, (void)bid, (void)block, (void)grid, (void)warp_size;
    register_symbol(handle, SYMBOL_KERNEL, host, name);
}

/* Whether a variable is managed is asked of the device code. So it is no matter through which of the two
 * it is registered: in a stripped program they cannot be told apart (image/startup.c). */
void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int is_extern,
                       size_t bytes, int constant, int global) {
    (void)device, (void)is_extern, (void)bytes, (void)constant, (void)global;
    register_symbol(handle, SYMBOL_VARIABLE, host, name);
}

void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name,
                              int is_extern, size_t bytes, int constant, int global) {
    __cudaRegisterVar(handle, (char *)host, device, name, is_extern, bytes, constant, global);
}

void __cudaRegisterHostVar(void **handle, const char *name, char *host, size_t bytes) {
    (void)handle, (void)name, (void)host, (void)bytes;
}

void __cudaRegisterUnifiedTable(void **handle, void *table) {
    (void)handle, (void)table;
}

/* ---- loading ---- */

/* Called with the lock held for writing. */
static cudaError load(Binary *binary) {
    if (binary->library)
        return cudaSuccess;
    int preserved = 1; /* CU_LIBRARY_BINARY_IS_PRESERVED: the image stays where it is */
    void *yes = (void *)1;
    return (cudaError)cuLibraryLoadData(&binary->library, binary->wrapper, NULL, NULL, 0,
                                        &preserved, &yes, 1);
}

/* Managed variables live in memory that the host reads through a pointer: set it. */
static cudaError place_managed(Binary *binary) {
    cudaError error = load(binary);
    for (Symbol *symbol = registry.symbols; symbol && !error && !binary->placed;
         symbol = symbol->hh.next) {
        CUdeviceptr address;
        size_t bytes;
        if (symbol->kind != SYMBOL_VARIABLE || symbol->binary != binary)
            continue;
        error = (cudaError)cuLibraryGetManaged(&address, &bytes, binary->library, symbol->name);
        if (!error)
            *(void **)(uintptr_t)symbol->host = (void *)(uintptr_t)address;
        if (error == cudaErrorSymbolNotFound)
            error = cudaSuccess; /* it is not managed */
    }
    binary->placed = !error;
    return error;
}

/* Host code calls this before it touches a managed variable. */
char __cudaInitModule(void **handle) {
    if (rt_ready())
        return 0;
    pthread_rwlock_wrlock(&registry.lock);
    Binary *binary = binary_of(handle);
    cudaError error = binary ? place_managed(binary) : cudaErrorInvalidResourceHandle;
    pthread_rwlock_unlock(&registry.lock);
    return rt_result(error) == cudaSuccess;
}

static cudaError load_kernel(Symbol *symbol) {
    if (!symbol->binary)
        return cudaErrorInvalidDeviceFunction;
    cudaError error = place_managed(symbol->binary);
    if (!error)
        error =
            (cudaError)cuLibraryGetKernel(&symbol->kernel, symbol->binary->library, symbol->name);
    return error == cudaErrorSymbolNotFound ? cudaErrorInvalidDeviceFunction : error;
}

/* In a process that has loaded this library itself, kernels may have come before it, and been registered with the runtime that is
 * linked in beside them. */
static void tell_unknown(const void *host) {
    Arena *arena = arena_new();
    const char *owner = owner_name(arena, host);
    if (loader_is_watched())
        core_message_once(owner,
                          "%s: its kernels are not known: it was loaded before warplens; 'import "
                          "warplens' must come before it",
                          owner);
    arena_free(arena);
}

cudaError rt_kernel(const void *host, CUkernel *kernel) {
    Symbol *symbol;
    cudaError error = rt_ready();
    if (error)
        return error;
    pthread_rwlock_rdlock(&registry.lock);
    HASH_FIND_PTR(registry.symbols, &host, symbol);
    *kernel = symbol ? symbol->kernel : NULL;
    pthread_rwlock_unlock(&registry.lock);
    if (*kernel)
        return cudaSuccess;
    error = host ? cudaErrorInvalidResourceHandle : cudaErrorInvalidDeviceFunction;
    pthread_rwlock_wrlock(&registry.lock);
    HASH_FIND_PTR(registry.symbols, &host, symbol);
    if (symbol && symbol->kind == SYMBOL_KERNEL) {
        error = symbol->kernel ? cudaSuccess : load_kernel(symbol);
        *kernel = symbol->kernel;
    }
    pthread_rwlock_unlock(&registry.lock);
    if (!symbol && host && library_has(host)) { /* of the driver, which may stand for a function */
        *kernel = (CUkernel)(uintptr_t)host;
        rt_remember_kernel(*kernel);
        return cudaSuccess;
    }
    if (!symbol && host)
        tell_unknown(host);
    return rt_result(error);
}

const void *rt_kernel_host(CUkernel kernel) {
    const void *host = NULL;
    pthread_rwlock_rdlock(&registry.lock);
    for (const Symbol *symbol = registry.symbols; symbol && !host; symbol = symbol->hh.next)
        if (symbol->kind == SYMBOL_KERNEL && symbol->kernel == kernel)
            host = symbol->host;
    pthread_rwlock_unlock(&registry.lock);
    return host;
}

/* A managed variable is also given by its address, which host code reads from its pointer. Called with the lock
 * held for writing. */
static bool find_managed(const void *host, CUdeviceptr *address, size_t *bytes) {
    for (Symbol *symbol = registry.symbols; symbol; symbol = symbol->hh.next)
        if (symbol->kind == SYMBOL_VARIABLE && symbol->binary && symbol->binary->placed &&
            !cuLibraryGetManaged(address, bytes, symbol->binary->library, symbol->name) &&
            *address == (CUdeviceptr)(uintptr_t)host)
            return true;
    return false;
}

cudaError rt_variable(const void *host, CUdeviceptr *address, size_t *bytes) {
    Symbol *symbol;
    cudaError error = rt_ready();
    if (error)
        return error;
    error = cudaErrorInvalidSymbol;
    pthread_rwlock_wrlock(&registry.lock);
    HASH_FIND_PTR(registry.symbols, &host, symbol);
    if (symbol && symbol->binary && symbol->kind == SYMBOL_VARIABLE) {
        error = load(symbol->binary);
        if (!error)
            error = (cudaError)cuLibraryGetGlobal(address, bytes, symbol->binary->library,
                                                  symbol->name);
        if (error == cudaErrorSymbolNotFound)
            error = cudaErrorInvalidSymbol;
    } else if (host && find_managed(host, address, bytes)) {
        error = cudaSuccess;
    }
    pthread_rwlock_unlock(&registry.lock);
    return rt_result(error);
}

cudaError rt_variable_at(const void *host, size_t offset, void **place) {
    CUdeviceptr address;
    size_t bytes;
    const cudaError error = rt_variable(host, &address, &bytes);
    if (!error)
        *place = (void *)(uintptr_t)(address + offset);
    return error;
}

void rt_remember_kernel(CUkernel kernel) {
    register_symbol(NULL, SYMBOL_HANDLE, kernel, NULL)->kernel = kernel;
}
