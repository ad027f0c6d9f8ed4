/* relocate.h: references in machine code, set to what they refer to, as ELF's tables of relocations say: for each processor
 * that the plug-in compiles for, of what LLVM and compilers of C emit for position-independent code. The other processors' are
 * there on each, to be tested. Private to exec. */
#pragma once

#include "base/base.h"

enum { STUB_BYTES = 16 };

typedef struct Relocating {
    uint16_t machine; /* EM_… */
    /* Sets the reference of this type at `where`, with so many bytes from there to the end of its section, to `value`; false: it
     * is of another type, does not fit, or the value is out of its reach. */
    bool (*refer)(uint32_t type, uint8_t *where, uint64_t room, uint64_t value);
    /* Code that goes on at the address: a function may lie further away than a call reaches. */
    void (*make_stub)(uint8_t stub[STUB_BYTES], uint64_t address);
} Relocating;

extern const Relocating relocating_x86_64, relocating_aarch64;
/* Of the processor that this is built for; NULL: nothing is compiled for it. */
const Relocating *relocating_here(void);
