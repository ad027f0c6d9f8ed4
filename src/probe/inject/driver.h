/* driver: the functions of the driver's that are used. It is in the process, and they are looked up once, when it enters: the dynamic loader has a
 * lock, too. */
#pragma once

#include "probe/inject/sanitizer.h"

typedef struct CudaEvent CudaEvent;

/* FUNCTION(member, name, parameters). */
#define DRIVER_FUNCTIONS                                                                           \
    FUNCTION(device_name, "cuDeviceGetName", (char *name, int size, CudaDevice device))            \
    FUNCTION(device_attribute, "cuDeviceGetAttribute",                                             \
             (int *value, int attribute, CudaDevice device))                                       \
    FUNCTION(current_context, "cuCtxGetCurrent", (CudaContext * *current))                         \
    FUNCTION(current_device, "cuCtxGetDevice", (CudaDevice * device))                              \
    FUNCTION(memory_info, "cuMemGetInfo_v2", (size_t * free, size_t * all))                        \
    FUNCTION(function_attribute, "cuFuncGetAttribute",                                             \
             (int *value, int attribute, CudaFunction *function))                                  \
    FUNCTION(function_module, "cuFuncGetModule", (CudaModule * *module, CudaFunction * function))  \
    FUNCTION(function_name, "cuFuncGetName", (const char **name, CudaFunction *function))          \
    FUNCTION(stream_captures, "cuStreamIsCapturing", (CudaStream * stream, int *status))           \
    FUNCTION(error_text, "cuGetErrorString", (int error, const char **text))                       \
    FUNCTION(event_create, "cuEventCreate", (CudaEvent * *event, unsigned flags))                  \
    FUNCTION(event_record, "cuEventRecord", (CudaEvent * event, CudaStream * stream))              \
    FUNCTION(event_query, "cuEventQuery", (CudaEvent * event))                                     \
    FUNCTION(capture_mode, "cuThreadExchangeStreamCaptureMode", (int *mode))                       \
    FUNCTION(event_elapsed, "cuEventElapsedTime",                                                  \
             (float *milliseconds, CudaEvent *from, CudaEvent *to))                                \
    FUNCTION(event_destroy, "cuEventDestroy_v2", (CudaEvent * event))

/* NULL: it has none of that name. They return 0, or an error. */
typedef struct DriverApi {
#define FUNCTION(member, name, parameters) int(*member) parameters;
    DRIVER_FUNCTIONS
#undef FUNCTION
} DriverApi;

DriverApi driver_open(void);
