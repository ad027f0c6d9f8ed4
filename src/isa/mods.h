/* Within isa: from the modifiers of a spelling to Mods. */
#pragma once

#include "isa/isa.h"

/* spelling: one that a row of ops.def takes; tokens without a meaning of their own are
 * passed over. */
Mods mods_read(Str spelling);
