/* baseline: what --baseline of `warplens diff` and `warplens check` names. */
#pragma once

#include "prof/prof.h"

/* The profile file of that name; where there is no such file, the baseline of that name inside the
 * profile at path. NULL: diags has the reason. */
Profile *baseline_open(const char *path, const char *word, Diags *diags);
