/* Subjects: from a spelling to what it takes and gives, and a kernel that executes it once per warp. */
#include "tensor.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static uint32_t words_of(const Fragment *fragment) {
    return fragment->registers * (fragment->element == TYPE_F64 ? 2 : 1);
}

static bool is_float(Type type) {
    return type != TYPE_F64 && (type_is_float(type) || type == TYPE_TF32);
}

static void count_words(Subject *subject) {
    subject->words_out = words_of(&subject->d);
    if (subject->op == OP_wmma_load)
        subject->words_in = IMAGE_WORDS;
    else if (subject->op == OP_wmma_store)
        subject->words_out = IMAGE_WORDS;
    else
        subject->words_in = words_of(&subject->a) + words_of(&subject->b) + words_of(&subject->c);
    if (subject->op == OP_wmma_store)
        subject->words_in = words_of(&subject->d);
    subject->words_in += subject->op == OP_mma_sp;
}

bool subject_read(Arena *arena, const char *spelling, Subject *subject) {
    *subject = (Subject){.spelling = spelling};
    size_t length = strcspn(spelling, "/");
    if (spelling[length])
        subject->selector = (uint32_t)(spelling[length + 1] - '0');
    Match match = isa_match(arena, (Str){spelling, length});
    if (match.error != MATCH_OK)
        return false;
    subject->op = match.op;
    subject->mods = match.mods;
    subject->moves = match.op == OP_wmma_load || match.op == OP_wmma_store;
    if (match.op == OP_movmatrix) {
        subject->a = subject->d = (Fragment){.element = TYPE_B16, .reg = TYPE_B32, .registers = 1};
    } else {
        subject->d = fragment_of(match.op, &match.mods, 'd');
        if (!subject->moves) {
            subject->a = fragment_of(match.op, &match.mods, 'a');
            subject->b = fragment_of(match.op, &match.mods, 'b');
            subject->c = fragment_of(match.op, &match.mods, 'c');
        }
    }
    count_words(subject);
    subject->threads = WARP_LANES;
    subject->kinds = subject->moves ? STRIDES : KINDS;
    subject->warps = subject->moves                                             ? 1
                     : match.op == OP_mma && is_float(subject->a.element)       ? 32
                     : match.op == OP_movmatrix || is_float(subject->a.element) ? 4
                                                                                : 2;
    return op_access(match.op) != OP_ACCESS_WGMMA || group_read(subject);
}

/* Stride of wmma.load and .store, in elements: without conflicts, with, another one. */
static uint32_t stride_of(const Subject *subject, uint32_t kind) {
    uint32_t bits = subject->d.bits;
    if (!subject->moves)
        return 0;
    switch (kind) {
    case 0:
        return bits == 64   ? 10
               : bits == 32 ? 20
               : bits == 16 ? 40
               : bits == 8  ? 48
                            : 1024 / bits / 4;
    case 1:
        return bits == 64 ? 8 : bits == 32 ? 16 : bits >= 8 ? 64 : 512 / bits;
    default:
        return bits == 64 ? 18 : bits == 32 ? 36 : bits == 16 ? 24 : bits == 8 ? 32 : 384 / bits;
    }
}

Arguments subject_arguments(const Subject *subject, uint32_t kind, uint64_t in, uint64_t out) {
    Arguments arguments = {.in = in, .out = out, .stride = stride_of(subject, kind)};
    if (op_access(subject->op) == OP_ACCESS_WGMMA)
        group_descriptors(subject, kind, &arguments);
    return arguments;
}

/* ---- the kernel ---- */

void text_write(Text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    size_t length = (size_t)vsnprintf(text->at, text->left, format, arguments);
    va_end(arguments);
    length = length < text->left ? length : text->left - 1;
    text->at += length;
    text->left -= length;
}

static void declare(Text *text, char name, const Fragment *fragment) {
    if (fragment->registers)
        text_write(text, "\t.reg .%s %%%c<%u>;\n",
                   fragment->reg == TYPE_S32 ? "b32" : type_name(fragment->reg), name,
                   fragment->registers);
}

/* Words from `word` on, at the address in %rd`at`, into the registers of a fragment or from them. */
static uint32_t transfer(Text *text, char name, const Fragment *fragment, uint32_t word,
                         bool store) {
    for (uint32_t r = 0; r < fragment->registers; r++) {
        bool wide = fragment->element == TYPE_F64;
        uint32_t at = word * 4 * WARP_LANES;
        const char *in = store ? "out" : "in";
        if (store && wide)
            text_write(text, "\tmov.b64 {%%t1, %%t2}, %%%c%u;\n", name, r);
        for (uint32_t half = 0; half < (wide ? 2 : 1); half++, at += 4 * WARP_LANES) {
            char cell[16];
            snprintf(cell, sizeof cell, wide ? "%%t%u" : "%%%c%u", wide ? 1 + half : (uint32_t)name,
                     r);
            if (store)
                text_write(text, "\tst.global.b32 [%%%s+%u], %s;\n", in, at, cell);
            else
                text_write(text, "\tld.global.b32 %s, [%%%s+%u];\n", cell, in, at);
        }
        if (!store && wide)
            text_write(text, "\tmov.b64 %%%c%u, {%%t1, %%t2};\n", name, r);
        word += wide ? 2 : 1;
    }
    return word;
}

void text_list(Text *text, const char *before, char name, uint32_t count) {
    text_write(text, "%s{", before);
    for (uint32_t r = 0; r < count; r++)
        text_write(text, "%s%%%c%u", r ? ", " : "", name, r);
    text_write(text, "}");
}

static int length_of(const Subject *subject) {
    return (int)strcspn(subject->spelling, "/");
}

static void write_product(Text *text, const Subject *subject) {
    uint32_t word = transfer(text, 'a', &subject->a, 0, false);
    word = transfer(text, 'b', &subject->b, word, false);
    word = transfer(text, 'c', &subject->c, word, false);
    if (subject->op == OP_mma_sp)
        text_write(text, "\tld.global.b32 %%t1, [%%in+%u];\n", word * 4 * WARP_LANES);
    text_write(text, "\t%.*s", length_of(subject), subject->spelling);
    if (subject->op == OP_movmatrix) {
        text_write(text, " %%d0, %%a0;\n");
    } else {
        text_list(text, " ", 'd', subject->d.registers);
        text_list(text, ", ", 'a', subject->a.registers);
        text_list(text, ", ", 'b', subject->b.registers);
        text_list(text, ", ", 'c', subject->c.registers);
        if (subject->op == OP_mma_sp)
            text_write(text, ", %%t1, %u", subject->selector);
        text_write(text, ";\n");
    }
    transfer(text, 'd', &subject->d, 0, true);
}

/* The image between global memory and the buffer in shared memory. */
static void copy_image(Text *text, bool out) {
    for (uint32_t i = 0; i < IMAGE_WORDS; i++) {
        uint32_t at = i * 4 * WARP_LANES;
        if (out)
            text_write(text,
                       "\tld.shared.b32 %%t1, [%%t4+%u];\n\tst.global.b32 [%%out+%u], %%t1;\n", at,
                       at);
        else
            text_write(text, "\tld.global.b32 %%t1, [%%in+%u];\n\tst.shared.b32 [%%t4+%u], %%t1;\n",
                       at, at);
    }
}

static void write_move(Text *text, const Subject *subject) {
    bool shared = subject->mods.space == SPACE_SHARED, stores = subject->op == OP_wmma_store;
    if (stores)
        transfer(text, 'd', &subject->d, 0, false);
    if (shared && stores)
        for (uint32_t i = 0; i < IMAGE_WORDS; i++)
            text_write(text, "\tst.shared.b32 [%%t4+%u], 0;\n", i * 4 * WARP_LANES);
    else if (shared)
        copy_image(text, false);
    text_write(text, "\tbar.sync 0;\n\t%s", subject->spelling);
    const char *place = shared ? "%t3" : stores ? "%first_out" : "%first_in";
    if (stores) {
        text_write(text, " [%s]", place);
        text_list(text, ", ", 'd', subject->d.registers);
    } else {
        text_list(text, " ", 'd', subject->d.registers);
        text_write(text, ", [%s]", place);
    }
    text_write(text, ", %%t5;\n\tbar.sync 0;\n");
    if (!stores)
        transfer(text, 'd', &subject->d, 0, true);
    else if (shared)
        copy_image(text, true);
}

char *subject_ptx(Arena *arena, const Subject *subject) {
    enum { ROOM = 1 << 16 };
    char *start = arena_alloc(arena, ROOM);
    Text text = {start, ROOM};
    if (op_access(subject->op) == OP_ACCESS_WGMMA) {
        group_ptx(&text, subject);
        return start;
    }
    text_write(&text, ".version 9.0\n.target sm_90\n.address_size 64\n"
                      ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 stride) {\n"
                      "\t.reg .b64 %%in, %%out, %%first_in, %%first_out, %%lane;\n"
                      "\t.reg .b32 %%t<6>;\n");
    if (subject->moves)
        text_write(&text, "\t.shared .align 128 .b8 image[%u];\n", IMAGE_WORDS * 4 * WARP_LANES);
    declare(&text, 'a', &subject->a);
    declare(&text, 'b', &subject->b);
    declare(&text, 'c', &subject->c);
    declare(&text, 'd', &subject->d);
    text_write(&text, "\tld.param.u64 %%first_in, [in];\n\tld.param.u64 %%first_out, [out];\n"
                      "\tld.param.u32 %%t5, [stride];\n\tmov.u32 %%t0, %%ctaid.x;\n"
                      "\tmov.u32 %%t1, %%tid.x;\n\tmul.wide.u32 %%lane, %%t1, 4;\n");
    text_write(&text, "\tmul.wide.u32 %%in, %%t0, %u;\n\tadd.s64 %%first_in, %%first_in, %%in;\n",
               subject->words_in * 4 * WARP_LANES);
    text_write(&text,
               "\tmul.wide.u32 %%out, %%t0, %u;\n\tadd.s64 %%first_out, %%first_out, %%out;\n",
               subject->words_out * 4 * WARP_LANES);
    text_write(&text,
               "\tadd.s64 %%in, %%first_in, %%lane;\n\tadd.s64 %%out, %%first_out, %%lane;\n");
    if (subject->moves) {
        text_write(&text, "\tmov.u32 %%t3, image;\n\tshl.b32 %%t4, %%t1, 2;\n"
                          "\tadd.u32 %%t4, %%t4, %%t3;\n");
        write_move(&text, subject);
    } else {
        write_product(&text, subject);
    }
    text_write(&text, "\tret;\n}\n");
    return start;
}
