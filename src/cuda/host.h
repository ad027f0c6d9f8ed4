/* host: what the libraries of src/hostlib/ ask of the driver, beside its documented calls. They are loaded
 * into the program as the driver is, and find these names in it.
 *
 * What it does not do: know any of these libraries. */
#pragma once

#include "cuda/driver.h"

#include <stdbool.h>

/* Work of a library, with what it works on behind it in memory. */
typedef struct HostWork HostWork;
struct HostWork {
    const char *library,
        *function; /* as the program's source names them: "cublas", "cublasSgemm" */
    void (*run)(const HostWork *work);
};

#pragma GCC visibility push(default)

/* Puts it into the order of the stream, as a launch would be: it is done, and listed in the profile, when
 * this returns, or the stream's graph has a copy of its `bytes`, and each run of the graph does it. The
 * error that an earlier kernel left behind, CUDA_ERROR_INVALID_HANDLE: there is no such stream. */
CUresult warplens_enqueue(CUstream stream, const HostWork *work, size_t bytes);
/* A function that the library exports and does not have: told once, by name, when the program ends. */
void warplens_missing(const char *function);
/* A text for the user of `warplens run`, once about each name. */
void warplens_message(const char *about, const char *text);
/* Whether a kernel could access these bytes. Where not, that is what the program is told of and what
 * later calls get: CUDA_ERROR_ILLEGAL_ADDRESS. `what` is in the text: "cublasSgemm: A". */
bool warplens_reaches(const char *what, CUdeviceptr address, size_t bytes);
/* The same for calls that take memory of the host as well, of which nothing but that it is there is known. */
bool warplens_reaches_anywhere(const char *what, CUdeviceptr address, size_t bytes);

#pragma GCC visibility pop
