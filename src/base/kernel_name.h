/* kernel_name: which kernels a NAME means, as people give it to -k; and which of their launches --launches. */
#pragma once

#include "base/base.h"

typedef enum NameFit {
    NAME_OTHER,
    NAME_MATCHED, /* as a regular expression */
    NAME_PART,
    NAME_TEMPLATE, /* the template's name without its arguments */
    NAME_WHOLE
} NameFit;

/* How well it fits a kernel, whose name is given as the PTX has it, and demangled with its parameters.
 * Names are compared without blanks: 'gemm<float,128>' is 'gemm<float, 128>'. */
NameFit kernel_name_fit(const char *mangled, const char *demangled, const char *name);

/* Launches of a kernel by their numbers, which count from 0: those from first on, before end. */
typedef struct LaunchNumbers {
    uint64_t first, end;
} LaunchNumbers;
/* "N": the first N; "A:B": from number A on, before B; "A:": from A on. NULL: all. false: it is none of these, or chooses none by A
 * not below B; numbers is then all. */
bool launch_numbers_parse(const char *text, LaunchNumbers *numbers);
bool launch_is_of(LaunchNumbers numbers, uint64_t number);
