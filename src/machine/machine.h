/* machine: a kernel's machine code (SASS), as nvdisasm lists it, to a Module that executes just that.
 *
 * The GPU runs what ptxas made of the PTX. Where its machine code is at hand, that is executed: each machine
 * instruction becomes one or several instructions of the intermediate language, marked with its number, and what
 * is counted is what the machine code accesses, issues and where its lanes meet again: exact by construction, not
 * by a model of the compiler (docs/decisions/0046-machine-code-is-executed.md).
 *
 *   nvdisasm -gp --listing.c--> MachineCode --translate.c--> PTX text --ptx--> Module --tidy.c--> the same, with less in it
 *                                  each instruction by its family: integer.c, float.c, memory.c …
 *
 * Invariants
 *   - The text is the kernel's own PTX (its variables, parameters, name) with another body. So a kernel is
 *     launched alike, whichever of the two is executed. Of machine code without PTX, image declares those.
 *   - Nothing is guessed: an instruction, a modifier or an operand that is not known is a reason, with its text,
 *     and the kernel is executed as PTX, or where there is none not at all (decision 76).
 *
 * What it does not do: execute. */
#pragma once

#include "ptx/ptx.h"
#include "toolchain/toolchain.h"

typedef struct MachineCode MachineCode;

/* An `nvdisasm -gp` listing of a cubin, with all its sections. NULL: it is none; diags says why. */
MachineCode *machine_read(Arena *arena, const char *listing, Diags *diags);

typedef struct MachineText {
    const char *text; /* PTX with the body replaced, NUL-terminated; NULL: see `why` */
    size_t length;
    const char *body; /* of it */
    const char *
        listing; /* where there is no PTX: the instructions, each in the line that the text says; else NULL */
    uint32_t registers, stack_bytes; /* per thread; 0: not known */
    const char *why;                 /* what of the machine code is not known; NULL: all is */
} MachineText;

/* kernel: of the PTX that the machine code was made of. */
MachineText machine_translate(Arena *arena, const MachineCode *code, const Function *kernel);

/* ---- module.c ---- */

/* The kernel's translation as it is executed: parsed, and tidied (tidy.h); its module's `written` is the kernel's. NULL: *why. */
const Function *machine_parse(Arena *arena, const MachineText *text, const Function *kernel,
                              const char **why);

/* What a module becomes on the GPU: the machine code that it stands for (NULL: none), or what the driver would compile it
 * to; sm_90a and the like keep their letter, which ptxas asks for and a cubin does not tell. target: of the PTX. */
const char *machine_arch(Arena *arena, const char *machine, const char *target, const Gpu *gpu);

/* Which code of kernels is executed: the PTX; or machine code where all of it is known, with MACHINE_AUTO if ptxas and
 * nvdisasm are installed, else the PTX; or machine code or nothing. */
typedef enum MachineUse { MACHINE_OFF, MACHINE_AUTO, MACHINE_ON, MACHINE_REQUIRED } MachineUse;
#define MACHINE_USES "off, auto, on or require"
const char *machine_use_name(MachineUse use);
/* One of MACHINE_USES. */
bool machine_use_named(const char *name, MachineUse *use);
/* As the environment's WARPLENS_MACHINE_CODE says; MACHINE_AUTO where it says nothing. false: it is none of them. */
bool machine_use_told(MachineUse *use);
/* Whether machine_kernel is to be asked. */
bool machine_is_asked(MachineUse use);
/* There is machine code alone: machine_kernel is to be asked in any case, and what it cannot give is not executed. */
bool machine_is_all(const Function *kernel);

/* The kernel as ptxas compiles it for the GPU; its module's `written` is the kernel's. NULL: *why says why it can only be
 * executed as PTX. index: of its text. May be called by several threads at once, each with its own arena. */
const Function *machine_kernel(Arena *arena, const PtxIndex *index, const Function *kernel,
                               const Gpu *gpu, const char **why);
/* Prints its translation: each machine instruction, and what becomes of it. false: *why, as above. */
bool machine_print(Arena *arena, const PtxIndex *index, const Function *kernel, const Gpu *gpu,
                   FILE *out, const char **why);
