/* order.h: spellings whose modifiers stand in another order than the manual's. Private to isa/. */
#pragma once

#include "isa/isa.h"

/* Writes `spelling` in the order of `pattern`, one syntax of ops.def, to `ordered`, which has room for it and a NUL. Modifiers that
 * say the same kind of thing (two types, two spaces) keep their order. false: the pattern takes these modifiers in no order. */
bool order_modifiers(Str spelling, Str pattern, char *ordered);
