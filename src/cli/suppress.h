/* suppress: defects that are known and accepted, in a file: `--suppress FILE`, written by `--suppress-new FILE`. */
#pragma once

#include "prof/prof.h"

/* Takes the defects out of the profile that a row of the file fits. profile NULL: the file is looked at alone. false:
 * diags says what is wrong with it, and where. */
bool suppress_apply(Arena *arena, const char *path, Profile *profile, Diags *diags);
/* Writes a row for each defect of the profile. false: diags. */
bool suppress_write(Arena *arena, const char *path, const Profile *profile, Diags *diags);
