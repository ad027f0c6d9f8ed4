/* kernel_name: which kernels a NAME means, as people give it to -k; which of their launches --launches; and which part of the
 * work --shard. */
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

/* One of several equal parts that machines share out among them. */
typedef struct Shard {
    uint32_t part, parts; /* part: from 1; parts 0: it is not shared out */
} Shard;
enum { SHARDS_MOST = 65536 };
/* "I/N", I from 1 to N. false: it is none. */
bool shard_parse(const char *text, Shard *shard);
