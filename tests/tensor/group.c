/* Subjects of wgmma: a warpgroup multiplies matrices in shared memory that descriptors place, and
 * registers. A line names the instruction, then its options: "…f32.f16.f16/rk.2m+-1" is
 *   r | 0 1 2 3   A: registers, or a descriptor with that swizzle (none, 128, 64, 32 bytes)
 *   k | m         its major-ness;   a dot; the same for B; the signs of both; the sparsity selector
 * Half the kinds of operands lie as programs put them; the others anywhere, with any offsets. */
#include "tensor.h"

#include <stdio.h>
#include <string.h>

enum { PATTERN_LINES = 8, PIECE_BYTES = 16 };

bool group_read(Subject *subject) {
    const char *slash = strchr(subject->spelling, '/');
    if (!slash || strlen(slash) < 8 || slash[3] != '.')
        return false;
    Group *group = &subject->group;
    group->a = (Placing){.in_registers = slash[1] == 'r',
                         .swizzle = slash[1] == 'r' ? 0 : (uint32_t)(slash[1] - '0'),
                         .turned = slash[2] == 'm',
                         .negated = slash[6] == '-'};
    group->b = (Placing){.swizzle = (uint32_t)(slash[4] - '0'),
                         .turned = slash[5] == 'm',
                         .negated = slash[7] == '-'};
    subject->selector = slash[8] ? (uint32_t)(slash[8] - '0') : 0;
    group->scaled = subject->op != OP_wgmma_int && subject->op != OP_wgmma_int_sp;
    group->turns = subject->op == OP_wgmma_half || subject->op == OP_wgmma_half_sp;
    if (!group->a.in_registers)
        subject->a.registers = 0;
    subject->b.registers = 0;
    subject->c.registers = 0; /* it is d */
    subject->threads = WARPGROUP_WARPS * WARP_LANES;
    subject->words_in =
        subject->a.registers + subject->d.registers + op_has(subject->op, TRAIT_SPARSE);
    subject->words_out = subject->d.registers;
    subject->warps = 1;
    return true;
}

/* ---- descriptors ---- */

static uint32_t random_offset(Random *random, uint32_t most) {
    return random_below(random, most / PIECE_BYTES + 1) * PIECE_BYTES;
}

static uint64_t field(uint32_t bytes, uint32_t at) {
    return (uint64_t)(bytes / PIECE_BYTES) << at;
}

/* Of a matrix with `lines` across the contiguous direction and `pieces` of 16 bytes along it. */
static uint64_t draw_descriptor(Random *random, const Placing *placing, uint32_t kind,
                                uint32_t lines, uint32_t pieces) {
    static const uint32_t widths[4] = {16, 128, 64, 32};
    uint32_t width = widths[placing->swizzle], pattern = width * PATTERN_LINES;
    uint32_t down = (lines - 1) / PATTERN_LINES, across = (pieces - 1) * PIECE_BYTES / width;
    uint32_t start, leading, stride, base = 0;
    if (kind % 2 == 0) {
        start = random_below(random, 2) * 1024;
        bool within = !placing->turned && pieces * PIECE_BYTES < width;
        start += within
                     ? random_below(random, width / (pieces * PIECE_BYTES)) * pieces * PIECE_BYTES
                     : 0;
        bool plain_turned = placing->turned && placing->swizzle == 0;
        stride = plain_turned ? pattern : pattern * (across + 1);
        leading = plain_turned ? pattern * (across + 1) : pattern;
    } else {
        uint32_t room = IMAGE_BYTES - pattern - 128;
        uint32_t most = room / (down + across + 1);
        start = random_offset(random, room - most * (down + across));
        leading = random_offset(random, most);
        stride = random_offset(random, most);
        base = kind % 4 == 3 && placing->swizzle ? random_below(random, 8) : 0;
    }
    return field(start, 0) | field(leading, 16) | field(stride, 32) | (uint64_t)base << 49 |
           (uint64_t)placing->swizzle << 62;
}

void group_descriptors(const Subject *subject, uint32_t kind, Arguments *arguments) {
    Random random = {subject_seed(subject->spelling, kind, 1000)};
    const Placing *a = &subject->group.a, *b = &subject->group.b;
    uint32_t rows = 4 * subject->a.rows, columns = subject->mods.n;
    uint32_t a_bits = subject->a.bits, b_bits = subject->b.bits;
    uint32_t k = subject->a.columns, depth = subject->b.rows;
    arguments->adds = kind % 5 != 3;
    arguments->a = a->turned ? draw_descriptor(&random, a, kind, k, rows * a_bits / 128)
                             : draw_descriptor(&random, a, kind, rows, k * a_bits / 128);
    arguments->b = b->turned ? draw_descriptor(&random, b, kind, depth, columns * b_bits / 128)
                             : draw_descriptor(&random, b, kind, columns, depth * b_bits / 128);
}

/* ---- operands: the image in shared memory, then the words of each lane ---- */

static uint32_t *draw_registers(Random *random, Type element, uint32_t registers, uint32_t kind,
                                char matrix, uint32_t *words) {
    for (uint32_t i = 0; i < registers * WARPGROUP_WARPS * WARP_LANES; i++)
        *words++ = (uint32_t)draw_register(random, element, kind, matrix == 'c', matrix == 'a');
    return words;
}

void group_operands(const Subject *subject, uint32_t kind, uint32_t *words) {
    for (uint32_t block = 0; block < subject->warps; block++) {
        Random random = {subject_seed(subject->spelling, kind, block)};
        for (uint32_t i = 0; i < IMAGE_BYTES / 4;
             i++) /* the types differ in fp8 and integers only */
            *words++ = (uint32_t)draw_register(
                &random, i % 512 < 256 ? subject->a.element : subject->b.element, kind, false,
                i % 512 < 256);
        words = draw_registers(&random, subject->a.element, subject->a.registers, kind, 'a', words);
        words = draw_registers(&random, subject->d.element, subject->d.registers, kind, 'c', words);
        for (uint32_t i = 0; op_has(subject->op, TRAIT_SPARSE) && i < subject->threads; i++)
            *words++ = draw_metadata(&random, subject->a.element, kind);
    }
}

/* ---- the kernel ---- */

static void write_image(Text *text, const Subject *subject) {
    for (uint32_t at = 0; at < IMAGE_BYTES; at += 4 * subject->threads)
        text_write(text, "\tld.global.b32 %%t1, [%%in+%u];\n\tst.shared.b32 [%%t4+%u], %%t1;\n", at,
                   at);
}

static void write_transfer(Text *text, const Subject *subject, char name, uint32_t registers,
                           uint32_t word, bool store) {
    for (uint32_t r = 0; r < registers; r++, word++) {
        uint32_t at = word * 4 * subject->threads + (store ? 0 : IMAGE_BYTES);
        if (store)
            text_write(text, "\tst.global.b32 [%%out+%u], %%%c%u;\n", at, name, r);
        else
            text_write(text, "\tld.global.b32 %%%c%u, [%%in+%u];\n", name, r, at);
    }
}

static void write_wgmma(Text *text, const Subject *subject) {
    const Group *group = &subject->group;
    text_write(text, "\twgmma.fence.sync.aligned;\n\t%.*s", (int)strcspn(subject->spelling, "/"),
               subject->spelling);
    text_list(text, " ", 'd', subject->d.registers);
    if (group->a.in_registers)
        text_list(text, ", ", 'a', subject->a.registers);
    else
        text_write(text, ", %%adesc");
    text_write(text, ", %%bdesc");
    if (op_has(subject->op, TRAIT_SPARSE))
        text_write(text, ", %%meta, %u", subject->selector);
    text_write(text, ", %%adds");
    if (group->scaled)
        text_write(text, ", %d, %d", group->a.negated ? -1 : 1, group->b.negated ? -1 : 1);
    if (group->turns && !group->a.in_registers)
        text_write(text, ", %u", group->a.turned);
    if (group->turns)
        text_write(text, ", %u", group->b.turned);
    text_write(text, ";\n\twgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 0;\n");
}

void group_ptx(Text *text, const Subject *subject) {
    bool sparse = op_has(subject->op, TRAIT_SPARSE);
    text_write(text,
               ".version 9.0\n.target sm_90a\n.address_size 64\n"
               ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 stride,\n"
               "\t\t.param .u32 adds, .param .u64 a, .param .u64 b) {\n"
               "\t.reg .b64 %%in, %%out, %%lane, %%adesc, %%bdesc;\n\t.reg .b32 %%t<6>, %%meta;\n"
               "\t.reg .pred %%adds;\n\t.shared .align 1024 .b8 image[%u];\n",
               IMAGE_BYTES);
    text_write(text, "\t.reg .b32 %%a<%u>;\n\t.reg .%s %%d<%u>;\n", subject->a.registers + 1,
               subject->d.reg == TYPE_F32 ? "f32" : "b32", subject->d.registers);
    text_write(text, "\tld.param.u64 %%in, [in];\n\tld.param.u64 %%out, [out];\n"
                     "\tld.param.u64 %%adesc, [a];\n\tld.param.u64 %%bdesc, [b];\n"
                     "\tld.param.u32 %%t0, [adds];\n\tsetp.ne.u32 %%adds, %%t0, 0;\n"
                     "\tmov.u32 %%t3, image;\n\tshr.u32 %%t0, %%t3, 4;\n"
                     "\tcvt.u64.u32 %%lane, %%t0;\n\tadd.u64 %%adesc, %%adesc, %%lane;\n"
                     "\tadd.u64 %%bdesc, %%bdesc, %%lane;\n"
                     "\tmov.u32 %%t0, %%ctaid.x;\n\tmov.u32 %%t1, %%tid.x;\n"
                     "\tshl.b32 %%t4, %%t1, 2;\n\tadd.u32 %%t4, %%t4, %%t3;\n");
    text_write(text,
               "\tmad.wide.u32 %%in, %%t0, %u, %%in;\n\tmad.wide.u32 %%in, %%t1, 4, %%in;\n"
               "\tmad.wide.u32 %%out, %%t0, %u, %%out;\n\tmad.wide.u32 %%out, %%t1, 4, %%out;\n",
               IMAGE_BYTES + subject->words_in * 4 * subject->threads,
               subject->words_out * 4 * subject->threads);
    write_image(text, subject);
    write_transfer(text, subject, 'a', subject->a.registers, 0, false);
    write_transfer(text, subject, 'd', subject->d.registers, subject->a.registers, false);
    if (sparse)
        text_write(text, "\tld.global.b32 %%meta, [%%in+%u];\n",
                   IMAGE_BYTES + (subject->words_in - 1) * 4 * subject->threads);
    text_write(text, "\tfence.proxy.async;\n\tbar.sync 0;\n");
    write_wgmma(text, subject);
    write_transfer(text, subject, 'd', subject->d.registers, 0, true);
    text_write(text, "\tret;\n}\n");
}
