/* calls.h: functions of a program, their parameters, calls, and what the CUDA runtime provides to kernels
 * (docs/decisions/0006-calls.md). Private to exec. */
#pragma once

#include "exec/run/warp.h"

/* ---- call_layout.c, call_decode.c ---- */

/* Where a .param variable or a register parameter lies: a vector of registers, or bytes of the
 * function's frame. */
typedef struct ParamPlace {
    uint32_t at; /* offset in the registers, or in the frame; NO_OPERAND: nobody reads it */
    uint32_t bytes;
    uint8_t class; /* of registers */
    bool in_frame;
    const Variable *variable;
    uint32_t first, last; /* instructions that name it; first = NO_INDEX: none */
} ParamPlace;

/* A function in a Program. */
struct Routine {
    const Function *function;
    uint64_t address; /* as pointers have it */
    uint32_t first_code, first_block, first_site;
    Slots slots;          /* of its registers, then of its .param variables that are in registers */
    uint32_t start[4];    /* of each class: the program's number of its slot 0 */
    uint32_t at[4];       /* and its offset in the registers */
    uint32_t frame_bytes; /* .local variables, and .param variables behind; a multiple of 16 */
    ParamPlace *params, *results;
    VEC(ParamPlace) places; /* of parameters and results, then of the body's */
    uint32_t own_places;    /* of parameters and results */
    Map *place_of;          /* .param variables, by their address, to places */
    uint32_t component;     /* functions that call each other in a circle have the same */
    bool circular;          /* it may be called while it is active */
};

/* What comes back with the lanes, because what they called may use it: a vector of registers. */
typedef struct SavedRegister {
    uint32_t at, bytes;
    uint8_t class;
} SavedRegister;

/* A call instruction. */
typedef struct DeviceCall DeviceCall;
typedef struct Call {
    const Routine *caller, *callee; /* callee NULL: indirect, its address is operand a */
    ParamPlace *arguments, *results;
    uint32_t argument_count, result_count;
    VEC(SavedRegister) saved;
    uint32_t saved_bytes;
    const DeviceCall *device; /* of the CUDA device runtime, or NULL */
} Call;

/* brx.idx: where each index leads. */
typedef struct Switch {
    uint32_t count;
    uint32_t *blocks; /* NO_INDEX: leaves the function */
} Switch;

/* Places of functions, their registers, frames and parameters. */
void calls_layout(Program *program, Arena *arena);
/* Local memory of a lane. */
void program_set_stack(Program *program, uint32_t bytes);
enum { STACK_BYTES_DEFAULT = 64 * 1024 };
/* NULL: not a .param variable of the function. */
const ParamPlace *calls_place(const Routine *routine, const Variable *variable);
uint64_t function_address(const Function *function);

/* ---- call.c ---- */

/* Lanes that called together, until the last of them is back. */
struct Activation {
    Activation *parent; /* NULL: the kernel called; in a free list: the next one */
    const Code *call;
    const Routine *routine;
    uint32_t lanes; /* in it or in what it called */
    uint32_t frame, caller_frame;
    uint32_t depth; /* 1: called by the kernel */
    uint32_t order; /* of the call's basic block */
    uint32_t size_class;
    uint8_t *saved; /* call->saved, one behind the other */
};
enum { ACTIVATION_CLASSES = 26 };

/* The lanes of the path enter what they call. */
Step call_enter(Warp *warp, Path *path, const Code *code);
/* All lanes of the path return to behind their call; false: there is nothing behind it. */
bool call_return(Warp *warp, Path *path);
/* Lanes of the path have exited: they return from nothing any more. */
void call_forget(Warp *warp, Activation *activation, uint32_t lanes);
/* The value of an argument (up to 8 bytes) in one lane. */
uint64_t call_argument(const Warp *warp, const Call *call, uint32_t index, uint32_t lane);
/* The first bytes of one that is longer. */
void call_argument_bytes(const Warp *warp, const Call *call, uint32_t index, uint32_t lane,
                         void *to, uint32_t bytes);
void call_set_result(const Warp *warp, const Call *call, uint32_t lane, uint64_t value);
/* Host memory behind a generic address of a lane, and how many bytes there are; NULL: none. */
uint8_t *lane_memory(const Warp *warp, uint32_t lane, uint64_t address, uint64_t *bytes);

/* A NUL-terminated string of the kernel, bounded by where it lies; "?" where it cannot be read. */
const char *lane_string(const Warp *warp, uint32_t lane, uint64_t address, size_t *length);

Step exec_pass(Warp *warp, const Code *code, uint32_t mask); /* control.c */

/* ---- printf.c, provided.c: functions that the CUDA runtime provides to kernels ---- */

Step exec_assertfail(Warp *warp, const Code *code, uint32_t mask);
Step exec_set_conditional(Warp *warp, const Code *code, uint32_t mask);
Step exec_vprintf(Warp *warp, const Code *code, uint32_t mask);
Step exec_malloc(Warp *warp, const Code *code, uint32_t mask);
Step exec_free(Warp *warp, const Code *code, uint32_t mask);
