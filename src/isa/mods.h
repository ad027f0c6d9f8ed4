/* Within isa: from the modifiers of a spelling to Mods. */
#pragma once

#include "isa/isa.h"

/* spelling: one that a row of ops.def takes; tokens without a meaning of their own are
 * passed over. */
Mods mods_read(Str spelling);
/* What a modifier says, as a number that those have in common which say the same kind of thing; 0: nothing that another could say. */
int mods_kind(Str token);
