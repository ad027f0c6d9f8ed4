/* What a listing says of its functions beside their code, in sections of attributes (.nv.info) and in ptxas' note: registers,
 * the stack, and which instructions spill registers.
 *
 *   	.section	.nv.info.k,"",@"SHT_CUDA_INFO"
 *   	//----- nvinfo : EIATTR_ANNOTATIONS
 *           / *0064* / 	.byte	0x04, 0x55              (comment marks closed up)
 *           / *0066* / 	.short	(.L_19 - .L_18)
 *           / *0068* / 	.word	0x00000001              a spill, and its address; then the next ones
 *           / *006c* / 	.byte	0xe0, 0x00, 0x00, 0x00, 0x01, …
 *
 * The annotations are what Nsight Compute counts as register spilling; ptxas 12 writes none. nvdisasm 13.5 has labels for the
 * addresses, .word .L_x_77@srel or that of a function, $k$f@srel, and where it analyses the flow marks behind the instructions instead (listing.c). */
#include "machine/code.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { SPILL = 1 }; /* of annotations; the length of others is not known */

typedef enum Attribute { OTHER, ANNOTATIONS, REGISTERS, FRAME, STACK } Attribute;

typedef struct Facts {
    Arena *arena;
    MachineCode *code;
    Str function; /* that the section is of, or the attribute */
    Attribute attribute;
    uint32_t items; /* of the attribute so far: its kind and its size come first */
    VEC(uint8_t) bytes;
} Facts;

static MachineFunction *function_of(const Facts *facts) {
    for (uint32_t i = 0; i < facts->code->functions.count; i++) {
        if (str_equal(facts->code->functions.at[i].name, facts->function))
            return &facts->code->functions.at[i];
    }
    return NULL;
}

static uint32_t word_at(const Facts *facts, uint32_t at) {
    uint32_t word = 0;
    for (uint32_t i = 0; i < 4; i++)
        word |= (uint32_t)facts->bytes.at[at + i] << 8 * i;
    return word;
}

static void end_attribute(Facts *facts) {
    MachineFunction *function = facts->attribute == OTHER ? NULL : function_of(facts);
    const uint32_t count = facts->bytes.count;
    if (function && facts->attribute == REGISTERS && count >= 4)
        function->registers = word_at(facts, 0);
    if (function && facts->attribute == STACK && count >= 4)
        function->stack_bytes = word_at(facts, 0);
    if (function && facts->attribute == FRAME && count >= 4 && !function->stack_bytes)
        function->stack_bytes = word_at(facts, 0); /* relocatable code has no more: see link.c */
    for (uint32_t at = 0; function && facts->attribute == ANNOTATIONS && at + 8 <= count; at += 8) {
        uint32_t number = word_at(facts, at + 4) / 16;
        if (word_at(facts, at) != SPILL)
            break;
        if (number < function->insns.count)
            function->insns.at[number].spill = true;
    }
    facts->attribute = OTHER;
    facts->items = 0;
    facts->bytes.count = 0;
}

static void begin_attribute(Facts *facts, Str name) {
    end_attribute(facts);
    facts->attribute = str_is(name, "EIATTR_ANNOTATIONS")      ? ANNOTATIONS
                       : str_is(name, "EIATTR_REGCOUNT")       ? REGISTERS
                       : str_is(name, "EIATTR_FRAME_SIZE")     ? FRAME
                       : str_is(name, "EIATTR_MIN_STACK_SIZE") ? STACK
                                                               : OTHER;
}

/* Where the function's label stands; a place that no instruction has, if it has none. */
static uint32_t label_at(const Facts *facts, Str name) {
    const MachineFunction *function = function_of(facts);
    for (uint32_t i = 0; function && i < function->labels.count; i++) {
        if (str_equal(function->labels.at[i].name, name))
            return function->labels.at[i].address;
    }
    return UINT32_MAX;
}

/* .word 0x10, 0x0c …, .word .L_x_77@srel, .word $k$f@srel, or .word index@(k) */
static void add_item(Facts *facts, const char *text, uint32_t bytes) {
    static const char index[] = "index@(";
    if (facts->items++ < 2)
        return;
    if (strncmp(text, index, strlen(index)) == 0) {
        const char *name = text + strlen(index);
        facts->function = (Str){name, strcspn(name, ")\n")};
        return;
    }
    if (facts->attribute == ANNOTATIONS && !isdigit((unsigned char)*text)) {
        const uint32_t at = label_at(facts, (Str){text, strcspn(text, "@\n")});
        for (uint32_t i = 0; i < bytes; i++)
            *vec_add(facts->arena, &facts->bytes) = (uint8_t)(at >> 8 * i);
        return;
    }
    for (char *end; *text && *text != '\n'; text = end + strspn(end, ", \t")) {
        unsigned long value = strtoul(text, &end, 0);
        if (end == text)
            return;
        for (uint32_t i = 0; i < bytes; i++)
            *vec_add(facts->arena, &facts->bytes) = (uint8_t)(value >> 8 * i);
    }
}

static void read_item(Facts *facts, const char *line) {
    static const struct {
        const char *word;
        uint32_t bytes;
    } kinds[] = {{".byte", 1}, {".short", 2}, {".word", 4}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *at = memmem(line, strcspn(line, "\n"), kinds[i].word, strlen(kinds[i].word));
        if (at)
            add_item(facts, at + strlen(kinds[i].word) + strspn(at + strlen(kinds[i].word), " \t"),
                     kinds[i].bytes);
    }
}

/* .string "Cuda compilation tools, release 13.0, V13.0.88" */
static bool marks_spills(const char *listing) {
    static const char release[] = "compilation tools, release ";
    enum { FIRST = 13 };
    const char *at = strstr(listing, release);
    return at && strtoul(at + strlen(release), NULL, 10) >= FIRST;
}

void machine_read_facts(MachineCode *code, const char *listing) {
    static const char section[] = "\t.section\t", info[] = ".nv.info.",
                      mark[] = "//----- nvinfo : ";
    Facts facts = {.arena = code->arena, .code = code};
    bool inside = false;
    code->marks_spills = marks_spills(listing);
    for (; *listing; listing += strcspn(listing, "\n"), listing += *listing == '\n') {
        const char *text = listing + strspn(listing, " \t");
        if (strncmp(listing, section, strlen(section)) == 0) {
            const char *name = listing + strlen(section);
            end_attribute(&facts);
            inside = strncmp(name, info, strlen(info) - 1) == 0;
            facts.function = (Str){name + strlen(info), 0};
            if (strncmp(name, info, strlen(info)) == 0)
                facts.function.length = strcspn(facts.function.at, ",\n");
        } else if (inside && strncmp(text, mark, strlen(mark)) == 0) {
            begin_attribute(&facts, (Str){text + strlen(mark), strcspn(text + strlen(mark), "\n")});
        } else if (inside && facts.attribute != OTHER) {
            read_item(&facts, text);
        }
    }
    end_attribute(&facts);
}
