/* Compiled code is found on disk by all that it was made of: kernels that differ in any one thing have different keys. */
#include "exec/tier/kept.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SourceLocation CmockaSourceLocation /* cmocka.h has one of its own */
#include <cmocka.h>

/* A kernel of one instruction and one value to fill a register with. */
typedef struct Sample {
    Program program;
    Code code;
    Insn insn;
    Block block;
    Fill fill;
    uint8_t kind;
    const char *lanes;
    CompileTask task;
} Sample;

static CacheKey key_of(Sample *sample) {
    sample->code.insn = &sample->insn;
    sample->program.code = &sample->code;
    sample->program.blocks = &sample->block;
    sample->program.code_count = sample->program.block_count = 1;
    sample->program.fills.at = &sample->fill;
    sample->program.fills.count = 1;
    sample->task = (CompileTask){.program = &sample->program,
                                 .kinds = &sample->kind,
                                 .lanes = &sample->lanes,
                                 .level = "plain"};
    return kept_kernel(&sample->task, "/dev/null");
}

static Sample plain(void) {
    Sample sample = {.lanes = "add_u32", .kind = KIND_LANE};
    sample.block.count = 1;
    sample.program.register_bytes = 512;
    return sample;
}

/* Bytes of a Sample that decide what is compiled. */
typedef struct Field {
    const char *name;
    size_t at;
} Field;
#define FIELD(name)                                                                                \
    { #name, offsetof(Sample, name) }

static const Field fields[] = {
    FIELD(program.register_bytes),
    FIELD(block.first),
    FIELD(block.successor[0]),
    FIELD(block.successor[1]),
    FIELD(insn.op),
    FIELD(code.control),
    FIELD(code.space),
    FIELD(code.guard),
    FIELD(code.guard_flip),
    FIELD(code.d),
    FIELD(code.d2),
    FIELD(code.a),
    FIELD(code.b),
    FIELD(code.c),
    FIELD(code.e),
    FIELD(code.negated),
    FIELD(code.site),
    FIELD(code.offset),
    FIELD(code.d_class),
    FIELD(code.a_class),
    FIELD(code.b_class),
    FIELD(code.c_class),
    FIELD(code.mods.flags),
    FIELD(kind),
    FIELD(fill.kind),
    FIELD(fill.class),
    FIELD(fill.is_place),
    FIELD(fill.special),
    FIELD(fill.offset),
    FIELD(fill.value),
};

static void test_fields(void **state) {
    (void)state;
    enum { COUNT = sizeof fields / sizeof *fields };
    CacheKey keys[COUNT + 1];
    Sample sample = plain();
    keys[COUNT] = key_of(&sample);
    for (uint32_t i = 0; i < COUNT; i++) {
        sample = plain();
        ((uint8_t *)&sample)[fields[i].at] ^= 1; /* the lowest bit, on the machines there are */
        keys[i] = key_of(&sample);
        for (uint32_t k = i + 1; k != i; k = k == COUNT ? 0 : k + 1)
            if ((k < i || k == COUNT) && memcmp(&keys[i], &keys[k], sizeof keys[i]) == 0)
                fail_msg("%s is not told from %s", fields[i].name,
                         k == COUNT ? "none" : fields[k].name);
    }
    sample = plain();
    assert_memory_equal(&keys[COUNT], (CacheKey[]){key_of(&sample)}, sizeof keys[COUNT]);
}

static void test_texts(void **state) {
    (void)state;
    Sample sample = plain();
    const CacheKey key = key_of(&sample);
    sample.lanes = "add_u64";
    assert_memory_not_equal(&key, (CacheKey[]){key_of(&sample)}, sizeof key);
    sample = plain();
    key_of(&sample);
    sample.task.level = "x86-64-v3";
    assert_memory_not_equal(&key, (CacheKey[]){kept_kernel(&sample.task, "/dev/null")}, sizeof key);
    sample.task.level = "plain";
    assert_memory_not_equal(&key, (CacheKey[]){kept_kernel(&sample.task, "/proc/self/exe")},
                            sizeof key);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
