/* References in machine code, of both processors on each: what becomes of the bytes, and what is out of reach. The bytes are as
 * assemblers have them. */
#include "exec/tier/relocate.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#define SourceLocation CmockaSourceLocation /* cmocka.h has one of its own */
#include <cmocka.h>
#undef SourceLocation

enum { PAGE = 4096, REFUSED = 0 };

/* What the reference at byte 16 of a page becomes. */
typedef struct Case {
    uint32_t type;
    uint32_t before;
    int64_t to; /* bytes from the page's beginning */
    uint32_t after;
} Case;

static _Alignas(PAGE) uint8_t page[PAGE];

static uint32_t refer(const Relocating *processor, const Case *one, uint64_t room) {
    uint8_t *where = page + 16;
    uint32_t after;
    memset(page, 0xee, sizeof page);
    memcpy(where, &one->before, sizeof one->before);
    bool good =
        processor->refer(one->type, where, room, (uint64_t)(uintptr_t)page + (uint64_t)one->to);
    memcpy(&after, where, sizeof after);
    for (size_t i = 0; i < PAGE; i++) /* nothing else is touched */
        assert_true((i >= 16 && i < 20) || page[i] == 0xee);
    return good ? after : REFUSED;
}

static void check(const Relocating *processor, const Case *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (refer(processor, &cases[i], 4) != cases[i].after)
            fail_msg("case %zu: %08x", i, refer(processor, &cases[i], 4));
        assert_int_equal(refer(processor, &cases[i], 3), REFUSED);
    }
}

static void x86_64(void **state) {
    (void)state;
    static const Case cases[] = {
        {R_X86_64_PC32, 0, 20, 4},
        {R_X86_64_PLT32, 0, 0, UINT32_C(0xfffffff0)},
        {R_X86_64_PC32, 0, 16 + INT64_C(0x7fffffff), 0x7fffffff},
        {R_X86_64_PC32, 0, 16 + INT64_C(0x80000000), REFUSED},
        {R_X86_64_PC32, 0, 16 - INT64_C(0x80000001), REFUSED},
        {R_X86_64_32, 0, 20, REFUSED},
    };
    check(&relocating_x86_64, cases, sizeof cases / sizeof *cases);
}

static void aarch64(void **state) {
    (void)state;
    static const Case cases[] = {
        {R_AARCH64_CALL26, 0x94000000, 24, 0x94000002},             /* bl .+8 */
        {R_AARCH64_JUMP26, 0x14000000, 12, 0x17ffffff},             /* b .-4 */
        {R_AARCH64_CALL26, 0x94000000, 16 + 0x7fffffc, 0x95ffffff}, /* the farthest */
        {R_AARCH64_CALL26, 0x94000000, 16 + 0x8000000, REFUSED},
        {R_AARCH64_CALL26, 0x94000000, 16 - 0x8000000, 0x96000000},
        {R_AARCH64_CALL26, 0x94000000, 16 - 0x8000004, REFUSED},
        {R_AARCH64_CALL26, 0x94000000, 18, REFUSED},               /* between two instructions */
        {R_AARCH64_ADR_PREL_PG_HI21, 0x90000008, 100, 0x90000008}, /* adrp x8, of this page */
        {R_AARCH64_ADR_PREL_PG_HI21, 0x90000008, 2 * PAGE + 7, 0xd0000008},
        {R_AARCH64_ADR_PREL_PG_HI21, 0x90000008, 5 * PAGE, 0xb0000028},
        {R_AARCH64_ADR_PREL_PG_HI21, 0x90000008, -1, 0xf0ffffe8}, /* the page before */
        {R_AARCH64_ADR_PREL_PG_HI21, 0x90000008, INT64_C(0xfffff000), 0xf07fffe8},
        {R_AARCH64_ADR_PREL_PG_HI21, 0x90000008, INT64_C(0x100000000), REFUSED},
        {R_AARCH64_ADR_PREL_PG_HI21, 0x90000008, -INT64_C(0x100000000), 0x90800008},
        {R_AARCH64_ADR_PREL_PG_HI21, 0x90000008, -INT64_C(0x100000001), REFUSED},
        {R_AARCH64_ADD_ABS_LO12_NC, 0x91000108, PAGE + 0xabc, 0x912af108}, /* add x8, x8, #0xabc */
        {R_AARCH64_LDST8_ABS_LO12_NC, 0x39400108, 0xabd, 0x396af508},      /* ldrb w8, [x8, …] */
        {R_AARCH64_LDST16_ABS_LO12_NC, 0x79400108, 0xabc, 0x79557908},     /* ldrh */
        {R_AARCH64_LDST16_ABS_LO12_NC, 0x79400108, 0xabd, REFUSED},
        {R_AARCH64_LDST32_ABS_LO12_NC, 0xb9400108, 0xabc, 0xb94abd08}, /* ldr w8 */
        {R_AARCH64_LDST32_ABS_LO12_NC, 0xb9400108, 0xabe, REFUSED},
        {R_AARCH64_LDST64_ABS_LO12_NC, 0xf9400108, 0xab8, 0xf9455d08}, /* ldr x8 */
        {R_AARCH64_LDST64_ABS_LO12_NC, 0xf9400108, 0xabc, REFUSED},
        {R_AARCH64_LDST128_ABS_LO12_NC, 0x3dc00100, 0xab0, 0x3dc2ad00}, /* ldr q0 */
        {R_AARCH64_LDST128_ABS_LO12_NC, 0x3dc00100, 0xab8, REFUSED},
        {R_AARCH64_PREL32, 0, 12, 0xfffffffc},
        {R_AARCH64_PREL32, 0, 16 + INT64_C(0x80000000), REFUSED},
        {R_AARCH64_ABS32, 0, 12, REFUSED},
    };
    check(&relocating_aarch64, cases, sizeof cases / sizeof *cases);
}

/* All 64 bits of an address, or of a distance. */
static void wide(void **state) {
    (void)state;
    static const struct {
        const Relocating *processor;
        uint32_t type;
        uint64_t value;
    } cases[] = {{&relocating_x86_64, R_X86_64_64, 0x123456789abcdef0},
                 {&relocating_x86_64, R_X86_64_PC64, 0},
                 {&relocating_aarch64, R_AARCH64_ABS64, 0x123456789abcdef0},
                 {&relocating_aarch64, R_AARCH64_PREL64, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t value = cases[i].value, after;
        uint64_t to = value ? value : (uint64_t)(uintptr_t)page - (UINT64_C(1) << 40);
        value = value ? value : (uint64_t)0 - (UINT64_C(1) << 40) - 8;
        assert_true(cases[i].processor->refer(cases[i].type, page + 8, 8, to));
        memcpy(&after, page + 8, sizeof after);
        assert_true(after == value);
        assert_false(cases[i].processor->refer(cases[i].type, page + 8, 7, to));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(x86_64),
        cmocka_unit_test(aarch64),
        cmocka_unit_test(wide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
