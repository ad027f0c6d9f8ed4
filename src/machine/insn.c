/* Reads one machine instruction as nvdisasm writes it: "@!P0 LDG.E R4, desc[UR6][R8.64+0x10]". */
#include "machine/code.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool machine_has(const MachineInsn *insn, const char *mod) {
    for (uint32_t i = 0; i < insn->mod_count; i++) {
        if (str_is(insn->mods[i], mod))
            return true;
    }
    return false;
}

const MachineOperand *machine_last(const MachineInsn *insn) {
    static const MachineOperand none = {.kind = MACHINE_NAME};
    return insn->operand_count ? &insn->operands[insn->operand_count - 1] : &none;
}

/* ---- pieces of text ---- */

/* The place of the character that is not inside brackets, or length. */
static size_t find_outside(Str text, char wanted) {
    int depth = 0;
    for (size_t i = 0; i < text.length; i++) {
        char c = text.at[i];
        if (c == wanted && depth == 0)
            return i;
        depth += c == '[' || c == '(' || c == '{' || c == '<';
        depth -= c == ']' || c == ')' || c == '}' || c == '>';
    }
    return text.length;
}

static size_t find(Str text, char wanted) {
    const char *at = text.length ? memchr(text.at, wanted, text.length) : NULL;
    return at ? (size_t)(at - text.at) : text.length;
}

static bool digits_only(Str text) {
    for (size_t i = 0; i < text.length; i++) {
        if (text.at[i] < '0' || text.at[i] > '9')
            return false;
    }
    return text.length > 0;
}

/* "0x1f", "-0x8", "+0x10" in full. */
static bool read_hex(Str text, int64_t *value) {
    char copy[32];
    bool minus = str_starts(text, "-");
    if (minus || str_starts(text, "+"))
        text = str_drop(text, 1);
    if (!str_starts(text, "0x") || text.length >= sizeof copy || text.length < 3)
        return false;
    memcpy(copy, text.at, text.length);
    copy[text.length] = 0;
    char *end = NULL;
    uint64_t bits = strtoull(copy, &end, 16);
    *value = (int64_t)(minus ? 0 - bits : bits);
    return *end == 0;
}

/* "1.5", "-1", "+INF", "-QNAN" in full. */
static bool read_real(Str text, double *value) {
    char copy[400];
    if (text.length == 0 || text.length >= sizeof copy)
        return false;
    memcpy(copy, text.at, text.length);
    copy[text.length] = 0;
    const char *number = copy + (*copy == '+' || *copy == '-');
    if (strcmp(number, "INF") == 0)
        *value = (double)INFINITY;
    else if (strcmp(number, "QNAN") == 0 || strcmp(number, "SNAN") == 0)
        *value = (double)NAN;
    else {
        char *end = NULL;
        if (*number < '0' || *number > '9')
            return false;
        *value = strtod(number, &end);
        if (*end != 0)
            return false;
    }
    if (*copy == '-')
        *value = -*value;
    return true;
}

/* ---- operands ---- */

/* R12, RZ, UR3, URZ, P0, PT, UP2, UPT, B4, with what follows it as suffix. */
static bool read_register(Str text, MachineOperandKind *kind, uint32_t *number, Str *suffix) {
    static const struct {
        const char *prefix, *zero;
        MachineOperandKind kind;
    } files[] = {
        {"UR", "URZ", MACHINE_UREG}, {"UP", "UPT", MACHINE_UPRED}, {"R", "RZ", MACHINE_REG},
        {"P", "PT", MACHINE_PRED},   {"B", NULL, MACHINE_BARRIER},
    };
    size_t end = find(text, '.');
    Str name = {text.at, end};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        bool zero = files[i].zero && str_is(name, files[i].zero);
        if (!zero && !(str_starts(name, files[i].prefix) &&
                       digits_only(str_drop(name, strlen(files[i].prefix)))))
            continue;
        if (str_starts(str_drop(text, end), ".reuse.")) /* which says nothing of the value */
            end += 6;
        *kind = files[i].kind;
        *number = zero ? MACHINE_ZERO : (uint32_t)atoi(name.at + strlen(files[i].prefix));
        *suffix = str_drop(text, end);
        return true;
    }
    return false;
}

/* One word of "R2.64+UR4+0x10". */
static bool read_term(Str term, MachineOperand *operand) {
    MachineOperandKind kind;
    uint32_t number;
    Str suffix;
    int64_t value;
    if (read_hex(term, &value)) {
        operand->value += value;
        return true;
    }
    if (str_starts(term, "`(") && term.at[term.length - 1] == ')') {
        const bool first = operand->symbol.length == 0;
        operand->symbol = (Str){term.at + 2, term.length - 3};
        return first;
    }
    if (!read_register(term, &kind, &number, &suffix))
        return false;
    if (kind == MACHINE_REG && operand->reg == MACHINE_NONE) {
        operand->reg = number;
        operand->reg_suffix = suffix;
    } else if (kind == MACHINE_UREG && operand->ureg == MACHINE_NONE) {
        operand->ureg = number;
        operand->ureg_suffix = suffix;
    } else {
        return false;
    }
    return true;
}

/* The sum between brackets. "R2.64+-0x10" has two signs. */
static bool read_sum(Str text, MachineOperand *operand) {
    operand->reg = operand->ureg = MACHINE_NONE;
    text = str_trimmed(text);
    while (text.length > 0) {
        size_t end = find_outside(text, '+');
        if (!read_term(str_trimmed((Str){text.at, end}), operand))
            return false;
        text = end < text.length ? str_drop(text, end + 1) : (Str){0};
    }
    return true;
}

/* c[0x0][R2+0x160], whole up to its suffix; with one, a blank stands before the second bracket. */
static bool read_constant(Str text, MachineOperand *operand) {
    size_t first = find(text, ']');
    int64_t bank;
    if (first + 1 >= text.length || !read_hex((Str){text.at + 2, first - 2}, &bank))
        return false;
    Str rest = str_trimmed(str_drop(text, first + 1));
    if (!str_starts(rest, "["))
        return false;
    rest = str_drop(rest, 1);
    size_t second = find(rest, ']');
    operand->kind = MACHINE_CONST;
    operand->bank = (uint32_t)bank;
    if (second == rest.length)
        return false;
    operand->suffix = str_drop(rest, second + 1);
    return read_sum((Str){rest.at, second}, operand) && !operand->symbol.length;
}

static bool read_address(Str text, MachineOperand *operand) {
    operand->kind = MACHINE_ADDRESS;
    if (str_starts(text, "desc[")) {
        operand->described = true;
        text = str_drop(text, find(text, ']') + 1);
    }
    size_t end = find(text, ']');
    if (text.length < 2 || *text.at != '[' || end == text.length)
        return false;
    operand->suffix = str_drop(text, end + 1);
    return read_sum((Str){text.at + 1, end - 1}, operand);
}

/* ".reuse" says nothing of the value. */
static Str without_reuse(Str text) {
    static const char word[] = ".reuse";
    size_t length = sizeof word - 1;
    if (text.length > length && memcmp(text.at + text.length - length, word, length) == 0)
        text.length -= length;
    return text;
}

/* Takes the signs off the text. */
static Str read_signs(Str text, MachineOperand *operand) {
    bool next_is_digit = text.length > 1 && text.at[1] >= '0' && text.at[1] <= '9';
    bool word = str_starts(text, "-INF") || str_starts(text, "-QNAN") || str_starts(text, "-SNAN");
    if (str_starts(text, "-") && !next_is_digit && !word) {
        operand->negated = true;
        text = str_drop(text, 1);
    }
    if (str_starts(text, "~") || str_starts(text, "!")) {
        operand->inverted = true;
        text = str_drop(text, 1);
    }
    if (str_starts(text, "|")) {
        text = str_drop(text, 1);
        size_t bar = find(text, '|');
        operand->absolute = bar < text.length;
        /* "|R2|.H0_H0": the suffix follows the bar; nvdisasm also writes "|R2.H0_H0|" */
        if (bar + 1 == text.length)
            text.length = bar;
    }
    return text;
}

static bool read_plain(Str text, MachineOperand *operand) {
    if (read_register(text, &operand->kind, &operand->number, &operand->suffix))
        return true;
    if (read_hex(text, &operand->value)) {
        operand->kind = MACHINE_INT;
        return true;
    }
    if (read_real(text, &operand->real)) {
        operand->kind = MACHINE_FLOAT;
        return true;
    }
    if (str_starts(text, "`(") && text.at[text.length - 1] == ')') {
        operand->kind = MACHINE_CODE;
        operand->symbol = (Str){text.at + 2, text.length - 3};
        return true;
    }
    operand->kind = MACHINE_NAME;
    operand->symbol = text;
    return true;
}

/* "|R2|.H1_H1": takes the bar out. */
static Str without_bar(Arena *arena, Str text) {
    size_t bar = find(text, '|');
    if (bar == text.length)
        return text;
    return str_of(
        arena_printf(arena, STR_FMT STR_FMT, (int)bar, text.at, STR_ARG(str_drop(text, bar + 1))));
}

static bool read_operand(Arena *arena, Str text, MachineOperand *operand) {
    *operand = (MachineOperand){.reg = MACHINE_NONE, .ureg = MACHINE_NONE, .text = text};
    text = without_reuse(read_signs(without_reuse(text), operand));
    if (operand->absolute)
        text = without_reuse(without_bar(arena, text));
    if (text.length == 0)
        return false;
    if (str_starts(text, "c[") || str_starts(text, "cx["))
        return str_starts(text, "c[") && read_constant(text, operand);
    if (*text.at == '[' || (str_starts(text, "desc[") && text.at[text.length - 1] == ']' &&
                            find(text, ']') + 1 < text.length))
        return read_address(text, operand);
    return read_plain(text, operand);
}

/* ---- the instruction ---- */

static void read_opcode(Str word, MachineInsn *insn) {
    size_t end = find(word, '.');
    insn->opcode = (Str){word.at, end};
    while (end < word.length) {
        word = str_drop(word, end + 1);
        end = find(word, '.');
        if (insn->mod_count < MACHINE_MODS)
            insn->mods[insn->mod_count++] = (Str){word.at, end};
    }
}

/* "LDC R4, c[0x4][R5] R6": nvdisasm separates by commas; a blank joins what belongs together. */
bool machine_insn_read(Arena *arena, Str text, MachineInsn *insn, const char **why) {
    insn->text = str_trimmed(text);
    Str rest = insn->text;
    if (str_starts(rest, "@")) {
        size_t end = find(rest, ' ');
        insn->guarded = true;
        if (!read_operand(arena, (Str){rest.at + 1, end - 1}, &insn->guard))
            return *why = "its guard", false;
        rest = str_trimmed(str_drop(rest, end));
    }
    size_t end = find(rest, ' ');
    read_opcode((Str){rest.at, end}, insn);
    rest = str_trimmed(str_drop(rest, end));
    while (rest.length > 0) {
        end = find_outside(rest, ',');
        if (insn->operand_count == MACHINE_OPERANDS)
            return *why = "it has too many operands", false;
        Str word = str_trimmed((Str){rest.at, end});
        if (!read_operand(arena, word, &insn->operands[insn->operand_count++])) {
            *why = arena_printf(arena, "the operand " STR_FMT, STR_ARG(word));
            return false;
        }
        rest = end < rest.length ? str_trimmed(str_drop(rest, end + 1)) : (Str){0};
    }
    return true;
}
