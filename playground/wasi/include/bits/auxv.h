/* bits/auxv.h: what elf.h of the C library of Linux includes, and nothing here needs. */
