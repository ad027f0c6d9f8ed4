/* References in machine code: those of x86-64 are numbers of 32 or 64 bits; those of AArch64 are fields of instructions, too. */
#include "exec/tier/relocate.h"

#include <elf.h>
#include <string.h>

static uint64_t distance_to(uint64_t value, const uint8_t *where) {
    return value - (uint64_t)(uintptr_t)where;
}

static bool put_64(uint8_t *where, uint64_t room, uint64_t value) {
    if (room < sizeof value)
        return false;
    memcpy(where, &value, sizeof value);
    return true;
}

/* With its sign. */
static bool put_32(uint8_t *where, uint64_t room, uint64_t value) {
    const int32_t narrow = (int32_t)(int64_t)value;
    if (room < sizeof narrow)
        return false;
    memcpy(where, &narrow, sizeof narrow);
    return narrow == (int64_t)value;
}

/* ---- x86-64 ---- */

static bool refer_x86_64(uint32_t type, uint8_t *where, uint64_t room, uint64_t value) {
    switch (type) {
    case R_X86_64_64:
        return put_64(where, room, value);
    case R_X86_64_PC64:
        return put_64(where, room, distance_to(value, where));
    case R_X86_64_PC32:
    case R_X86_64_PLT32:
        return put_32(where, room, distance_to(value, where));
    default:
        return false;
    }
}

/* jmp *0(%rip), and the address behind it. */
static void stub_x86_64(uint8_t stub[STUB_BYTES], uint64_t address) {
    static const uint8_t jump[] = {0xff, 0x25, 0, 0, 0, 0};
    memcpy(stub, jump, sizeof jump);
    memcpy(stub + sizeof jump, &address, sizeof address);
}

const Relocating relocating_x86_64 = {EM_X86_64, refer_x86_64, stub_x86_64};

/* ---- AArch64 ---- */

enum { PAGE_BITS = 12 }; /* of adrp, whatever the system's pages are */

/* So many bits of the instruction, from bit `first` on. */
static bool put_field(uint8_t *where, uint64_t room, uint32_t first, uint32_t bits,
                      uint64_t value) {
    uint32_t insn;
    if (room < sizeof insn)
        return false;
    memcpy(&insn, where, sizeof insn);
    const uint32_t mask = (UINT32_C(1) << bits) - 1;
    insn = (insn & ~(mask << first)) | ((uint32_t)value & mask) << first;
    memcpy(where, &insn, sizeof insn);
    return true;
}

/* As a number with a sign it has no more bits. */
static bool fits_signed(uint64_t value, uint32_t bits) {
    return value + (UINT64_C(1) << (bits - 1)) < UINT64_C(1) << bits;
}

/* bl, b: the distance in instructions. */
static bool refer_branch(uint8_t *where, uint64_t room, uint64_t value) {
    const uint64_t distance = distance_to(value, where);
    return distance % 4 == 0 && fits_signed(distance, 28) &&
           put_field(where, room, 0, 26, distance >> 2);
}

/* adrp: the distance in pages, its lower two bits apart. */
static bool refer_page(uint8_t *where, uint64_t room, uint64_t value) {
    const uint64_t pages = (value >> PAGE_BITS) - ((uint64_t)(uintptr_t)where >> PAGE_BITS);
    return fits_signed(pages, 21) && put_field(where, room, 29, 2, pages) &&
           put_field(where, room, 5, 19, pages >> 2);
}

/* The place within its page, in units of 1 << shift bytes. */
static bool refer_place(uint8_t *where, uint64_t room, uint64_t value, uint32_t shift) {
    const uint64_t place = value & ((1 << PAGE_BITS) - 1);
    return (place & ((UINT64_C(1) << shift) - 1)) == 0 &&
           put_field(where, room, 10, 12, place >> shift);
}

static bool refer_aarch64(uint32_t type, uint8_t *where, uint64_t room, uint64_t value) {
    switch (type) {
    case R_AARCH64_ABS64:
        return put_64(where, room, value);
    case R_AARCH64_PREL64:
        return put_64(where, room, distance_to(value, where));
    case R_AARCH64_PREL32:
        return put_32(where, room, distance_to(value, where));
    case R_AARCH64_CALL26:
    case R_AARCH64_JUMP26:
        return refer_branch(where, room, value);
    case R_AARCH64_ADR_PREL_PG_HI21:
        return refer_page(where, room, value);
    case R_AARCH64_ADD_ABS_LO12_NC:
    case R_AARCH64_LDST8_ABS_LO12_NC:
        return refer_place(where, room, value, 0);
    case R_AARCH64_LDST16_ABS_LO12_NC:
        return refer_place(where, room, value, 1);
    case R_AARCH64_LDST32_ABS_LO12_NC:
        return refer_place(where, room, value, 2);
    case R_AARCH64_LDST64_ABS_LO12_NC:
        return refer_place(where, room, value, 3);
    case R_AARCH64_LDST128_ABS_LO12_NC:
        return refer_place(where, room, value, 4);
    default:
        return false;
    }
}

/* ldr x16, .+8; br x16; and the address behind them. */
static void stub_aarch64(uint8_t stub[STUB_BYTES], uint64_t address) {
    static const uint32_t jump[] = {0x58000050, 0xd61f0200};
    memcpy(stub, jump, sizeof jump);
    memcpy(stub + sizeof jump, &address, sizeof address);
}

const Relocating relocating_aarch64 = {EM_AARCH64, refer_aarch64, stub_aarch64};

/* ---- this processor ---- */

const Relocating *relocating_here(void) {
#if defined __x86_64__
    return &relocating_x86_64;
#elif defined __aarch64__
    return &relocating_aarch64;
#else
    return NULL;
#endif
}
