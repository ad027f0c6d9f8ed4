/* defects: what `--sanitize` found, in words on standard error. */
#pragma once

#include "prof/prof.h"

/* Each defect that matters, with its message, and how many there are. Returns that number. */
uint32_t tell_defects(const Profile *profile);
