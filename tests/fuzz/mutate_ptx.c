/* Mutations of PTX that keep its structure: lines are taken out, doubled, exchanged and joined with those of another text, words
 * are exchanged for others of the text, and instructions are written from the rows of ops.def. One in eight is libFuzzer's own,
 * of bytes. */
#include "base/base.h"
#include "fuzz.h"
#include "isa/isa.h"

#include <ctype.h>
#include <string.h>

/* libFuzzer's */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *other,
                                 size_t other_size, uint8_t *out, size_t most, unsigned seed);

enum { TEXT_MOST = 1 << 14, LINE_MOST = 512, OPERANDS_MOST = 12 };

/* What is written, cut off at its end. */
typedef struct Writer {
    char *at;
    size_t length, most;
} Writer;

typedef struct Span {
    size_t at, length;
} Span;

static void put(Writer *writer, const char *text, size_t length) {
    size_t left = writer->most - writer->length;
    length = length < left ? length : left;
    memcpy(writer->at + writer->length, text, length);
    writer->length += length;
}

static void put_text(Writer *writer, const char *text) {
    put(writer, text, strlen(text));
}

static size_t below(uint64_t *random, size_t most) {
    return most ? (size_t)(random_next(random) % most) : 0;
}

#define ONE_OF(random, list) (list)[below(random, sizeof(list) / sizeof *(list))]

/* ---- an instruction from its row ---- */

static const char *one_choice(Writer *writer, uint64_t *random, const char *at) {
    const char *end = strchr(at, '}');
    size_t choices = 1;
    for (const char *c = at; c < end; c++)
        choices += *c == ',';
    for (size_t left = below(random, choices); left; left--)
        at = strchr(at, ',') + 1;
    put(writer, at, strcspn(at, ",}"));
    return end + 1;
}

/* One spelling of those that the syntax takes. */
static void put_spelling(Writer *writer, uint64_t *random, const char *syntax) {
    const char *bar;
    while ((bar = strstr(syntax, " | ")) && below(random, 3))
        syntax = bar + 3;
    for (const char *at = syntax; *at && *at != ' ';) {
        if (*at == '[' && below(random, 2)) {
            at = strchr(at, ']') + 1;
        } else if (*at == '{') {
            at = one_choice(writer, random, at + 1);
        } else {
            if (*at != '[' && *at != ']')
                put(writer, at, 1);
            at++;
        }
    }
}

static void put_number(Writer *writer, uint64_t *random) {
    static const char *const numbers[] = {"0",
                                          "1",
                                          "-1",
                                          "4",
                                          "16",
                                          "32",
                                          "255",
                                          "65536",
                                          "2147483647",
                                          "4294967295",
                                          "0x80000000",
                                          "0f3F800000",
                                          "0d7FF0000000000000",
                                          "-2147483648",
                                          "9223372036854775807",
                                          "18446744073709551615"};
    put_text(writer, ONE_OF(random, numbers));
}

static void put_register(Writer *writer, uint64_t *random, const char *type, size_t length) {
    static const char *const classes[] = {"%r", "%rd", "%rs", "%f", "%fd", "%p", "%rq"};
    const char number[] = {(char)('1' + below(random, 8)), 0};
    bool real = type[0] == 'f';
    const char *class = memchr(type, 'p', length)        ? "%p"
                        : memmem(type, length, "128", 3) ? "%rq"
                        : memmem(type, length, "64", 2)  ? (real ? "%fd" : "%rd")
                        : memmem(type, length, "16", 2)  ? "%rs"
                        : memmem(type, length, "32", 2)  ? (real ? "%f" : "%r")
                                                         : "%r";
    put_text(writer, below(random, 16) ? class : ONE_OF(random, classes));
    put_text(writer, number);
}

static void put_address(Writer *writer, uint64_t *random) {
    static const char *const places[] = {"[%rd1]", "[%rd2+16]", "[%r1]", "[x+4]", "[p]",  "[s]",
                                         "[c]",    "[%rd3-8]",  "[0]",   "[l]",   "[p+4]"};
    put_text(writer, ONE_OF(random, places));
}

/* type: of the spelling's last word, what `t` stands for. */
static void put_operand(Writer *writer, uint64_t *random, const char *spec, size_t length,
                        Str type) {
    bool vector = memchr(spec, '{', length) || memchr(spec, '<', length);
    size_t elements = vector ? (size_t)1 << below(random, 4) : 1;
    if (memmem(spec, length, "[m]", 3) || memmem(spec, length, "[x]", 3)) {
        put_address(writer, random);
        return;
    }
    if (memmem(spec, length, "label", 5)) {
        put_text(writer, "L");
        return;
    }
    put_text(writer, vector && elements > 1 ? "{" : "");
    for (size_t i = 0; i < elements; i++) {
        put_text(writer, i ? ", " : "");
        if (memchr(spec, '#', length) || memchr(spec, '(', length) ||
            (spec[0] != '=' && !below(random, 5)))
            put_number(writer, random);
        else if (memchr(spec, 't', length))
            put_register(writer, random, type.at, type.length);
        else
            put_register(writer, random, spec + strspn(spec, "=+!{"), length);
    }
    put_text(writer, vector && elements > 1 ? "}" : "");
}

static void put_instruction(Writer *writer, uint64_t *random) {
    static const char *const guards[] = {"", "", "", "@%p1 ", "@!%p2 "};
    const OpInfo *row = op_info((Op)(1 + below(random, OP_COUNT - 1)));
    put_text(writer, "\t");
    put_text(writer, ONE_OF(random, guards));
    size_t begin = writer->length;
    put_spelling(writer, random, row->syntax);
    size_t dot = writer->length;
    while (dot > begin && writer->at[dot - 1] != '.')
        dot--;
    char type[16];
    Str last = {type, writer->length - dot < sizeof type ? writer->length - dot : sizeof type};
    memcpy(type, writer->at + dot, last.length);
    const char *before = " ";
    for (const char *spec = row->operands; *spec;) {
        size_t length = strcspn(spec, ",");
        if (!memchr(spec, '?', length) || below(random, 2)) {
            put_text(writer, before);
            put_operand(writer, random, spec, length, last);
            before = ", ";
        }
        spec += length + strspn(spec + length, ", ");
    }
    put_text(writer, ";\n");
}

/* ---- lines and words ---- */

/* A line, whole; empty behind the last. */
static Span line_of(const char *text, size_t size, uint64_t *random) {
    size_t at = below(random, size + 1), end;
    while (at > 0 && text[at - 1] != '\n')
        at--;
    const char *feed = at < size ? memchr(text + at, '\n', size - at) : NULL;
    end = feed ? (size_t)(feed - text) + 1 : size;
    return (Span){at, end - at};
}

static bool in_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '%' || c == '$';
}

static Span word_of(const char *text, size_t size, uint64_t *random) {
    size_t at = below(random, size + 1), end;
    while (at < size && !in_word(text[at]))
        at++;
    for (end = at; end < size && in_word(text[end]);)
        end++;
    while (at > 0 && in_word(text[at - 1]))
        at--;
    return (Span){at, end - at};
}

static void put_span(Writer *writer, const char *text, Span span) {
    put(writer, text + span.at, span.length);
}

/* The text with `out` of it replaced by what `made` has. */
static void put_changed(Writer *writer, const char *text, size_t size, Span out,
                        const Writer *made) {
    put(writer, text, out.at);
    put(writer, made->at, made->length);
    put(writer, text + out.at + out.length, size - out.at - out.length);
}

static void change(Writer *writer, const char *text, size_t size, uint64_t *random) {
    static const char *const declarations[] = {".reg .b32 %r<9>;\n",
                                               ".shared .align 4 .b8 s[64];\n",
                                               ".local .b64 l[4];\n",
                                               "L:\n",
                                               ".loc 1 2 3\n",
                                               ".const .b32 c[4] = {1, 2};\n",
                                               "{\n",
                                               "}\n",
                                               ".param .b64 p,\n",
                                               ".maxntid 32, 1, 1\n",
                                               ".reg .pred %p<9>;\n",
                                               "ret;\n",
                                               "call (a), f, (b);\n",
                                               ".entry e()\n{\n"};
    char line[LINE_MOST];
    Writer made = {line, 0, sizeof line};
    Span at = line_of(text, size, random), other = line_of(text, size, random);
    switch (below(random, 8)) {
    case 0: /* taken out */
        break;
    case 1: /* in another's place */
        put_span(&made, text, other);
        break;
    case 2: /* beside another */
        put_span(&made, text, at);
        put_span(&made, text, other);
        break;
    case 3:
        put_text(&made, ONE_OF(random, declarations));
        at.length = 0;
        break;
    case 4:
        at = word_of(text, size, random);
        put_number(&made, random);
        break;
    case 5:
        at = word_of(text, size, random);
        put_span(&made, text, word_of(text, size, random));
        break;
    default:
        put_instruction(&made, random);
        at.length = below(random, 2) ? at.length : 0;
    }
    put_changed(writer, text, size, at, &made);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    char text[2][TEXT_MOST];
    uint64_t random = seed;
    if (below(&random, 8) == 0 || size > TEXT_MOST)
        return LLVMFuzzerMutate(data, size, most);
    Writer writer = {text[0], 0, TEXT_MOST};
    put(&writer, (const char *)data, size);
    for (size_t left = 1 + below(&random, 3), i = 1; left; left--, i = !i) {
        const Writer before = writer;
        writer = (Writer){text[i], 0, TEXT_MOST};
        change(&writer, before.at, before.length, &random);
    }
    size_t length = writer.length < most ? writer.length : most;
    memcpy(data, writer.at, length);
    return length;
}

/* The first lines of one, then the last of the other. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *other,
                                 size_t other_size, uint8_t *out, size_t most, unsigned seed) {
    uint64_t random = seed;
    Writer writer = {(char *)out, 0, most};
    Span from = line_of((const char *)other, other_size, &random);
    put(&writer, (const char *)one, line_of((const char *)one, one_size, &random).at);
    put(&writer, (const char *)other + from.at, other_size - from.at);
    return writer.length;
}
