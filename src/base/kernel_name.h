/* kernel_name: which kernels a NAME means, as people give it to -k. */
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
