/* order.h: spellings whose modifiers stand in another order than the manual's. Private to isa/. */
#pragma once

#include "isa/isa.h"

enum { MODIFIERS_MOST = 32 };

/* A spelling by its dots; the mnemonic is the first. */
typedef struct Modifiers {
    Str token[MODIFIERS_MOST];
    int kind[MODIFIERS_MOST]; /* what it says; 0: nothing that another could say, too */
    uint32_t count;
} Modifiers;

/* false: it has more. */
bool modifiers_split(Str spelling, Modifiers *modifiers);
/* Writes the spelling in the order of `pattern`, one syntax of ops.def, to `ordered`, which has room for it and a NUL. Modifiers that
 * say the same kind of thing (two types, two spaces) keep their order. false: the pattern takes these modifiers in no order. */
bool modifiers_order(const Modifiers *modifiers, Str pattern, char *ordered);
