/* Runs the cases of the pure instructions: every line of CASES/x.txt, through the matcher and the
 * table of operations, on registers of a warp, for every level of this processor.
 *
 *   add.u32 0xffffffff 1 = 0             spelling, operands that are read, what is written
 *   setp.lt.f32 1.5 nan = 0|1            p|q; _ for one that is not written
 *   mov.b64 {1,2} = 0x200000001          vectors
 *   addc.cc.u32 1 2 cc:1 = 4 cc:0        the carry flag before and after
 *   cvt.s64.s8 0x80:64 = -128            a register of 64 bits where the type is narrower
 *   sin.approx.f32 1 = 0.8414… ~abs:0x1p-20.5    also ~rel:, ~ulp:; without: bit for bit
 *
 * Integers are decimal or hexadecimal; floats are anything that strtod takes, or their bits as
 * 0f… and 0d…; nan is the NaN that an operation makes by itself. Cases in a row that look alike
 * run together, a different one in each lane, with the full mask and with others: then the
 * inactive lanes must keep what they had; also with the destination in the register of the first
 * operand. All levels must agree bit for bit; so must what rounds up, down or to zero where a processor cannot
 * (ops_directed.h). A row without a case is a failure. */
#include "exec/lanes/ops_directed.h"

#include <assert.h>
#include <dirent.h>
#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OPERANDS = 4, ELEMENTS = 8, SLOT_BYTES = 16 * WARP_LANES, REGISTERS = 32 };
enum { NOT_GIVEN = 2 }; /* a carry */

typedef struct Value {
    bool sink, vector, wide, negated;
    Type type;
    uint32_t count; /* of a vector */
    uint64_t bits[ELEMENTS];
    double number; /* of a result with a tolerance */
} Value;

typedef struct Case {
    const char *file;
    uint32_t line;
    const char *spelling;
    Op op;
    Mods mods;
    uint32_t operands, results;
    Value operand[OPERANDS], result[2];
    uint32_t carry_in, carry_out;
    char tolerance; /* 0, 'a'bs, 'r'el, 'u'lp */
    double allowed;
} Case;

typedef VEC(Case) Cases;

static uint32_t failures;

static void fail(const Case *c, const char *text) {
    if (failures++ < 40)
        printf("%s:%u: %s: %s\n", c->file, c->line, c->spelling, text);
}

/* ---- reading ---- */

static uint64_t parse_bits(const char *text, Type type) {
    if (strncmp(text, "0f", 2) == 0 || strncmp(text, "0d", 2) == 0)
        return strtoull(text + 2, NULL, 16);
    bool is_nan = strcmp(text, "nan") == 0;
    if (type == TYPE_F32) {
        float value = strtof(text, NULL);
        uint32_t bits = 0x7fffffff;
        if (!is_nan)
            memcpy(&bits, &value, sizeof bits);
        return bits;
    }
    if (type == TYPE_F64) {
        double value = strtod(text, NULL);
        uint64_t bits = UINT64_C(0xfff8000000000000);
        if (!is_nan)
            memcpy(&bits, &value, sizeof bits);
        return bits;
    }
    return text[0] == '-' ? 0 - strtoull(text + 1, NULL, 0) : strtoull(text, NULL, 0);
}

/* The type of the i-th operand of a row ("=t>, t2, b32?, !pred"), the written one first. */
static Type operand_type(const Case *c, uint32_t i, uint32_t part) {
    const char *spec = op_info(c->op)->operands;
    while (i--)
        spec = strchr(spec, ',') + 1;
    spec += strspn(spec, " =!");
    if (part)
        spec = strchr(spec, '|') + 1;
    Str name = {spec, strcspn(spec, ",|>&?#")};
    if (str_is(name, "t"))
        return c->mods.type;
    if (str_is(name, "t2"))
        return c->mods.type2;
    return type_named(name);
}

static Value parse_value(char *text, Type type) {
    Value value = {.type = type};
    if (strcmp(text, "_") == 0) {
        value.sink = true;
        return value;
    }
    if (text[0] == '!') {
        value.negated = true;
        text++;
    }
    char *suffix = strstr(text, ":64");
    if (suffix) {
        *suffix = '\0';
        value.wide = true;
    }
    if (text[0] != '{') {
        value.bits[0] = parse_bits(text, type);
        value.number = strtod(text, NULL);
        return value;
    }
    value.vector = true;
    char *rest = text + 1;
    for (char *part; (part = strsep(&rest, ",}")) && *part;)
        value.bits[value.count++] = strcmp(part, "_") ? strtoull(part, NULL, 0) : UINT64_MAX;
    return value;
}

static void parse_results(Case *c, char *text) {
    for (char *part; (part = strsep(&text, "|"));) {
        assert(c->results < 2);
        c->result[c->results] = parse_value(part, operand_type(c, 0, c->results));
        c->results++;
    }
}

static void parse_tolerance(Case *c, const char *text) {
    c->tolerance = text[1];
    const char *number = strchr(text, ':') + 1;
    c->allowed =
        strncmp(number, "2^", 2) == 0 ? exp2(strtod(number + 2, NULL)) : strtod(number, NULL);
}

/* Of the rows with the spelling, the one with as many operands as stand before the '='. */
static void take_longer(Case *c, const char *text) {
    uint32_t wanted = 0;
    for (const char *at = text; *at && *at != '='; at += strcspn(at, " "), at += strspn(at, " "))
        wanted += strncmp(at, "cc:", 3) != 0;
    for (Op op = c->op; op != OP_NONE; op = isa_match_longer(str_of(c->spelling), op)) {
        uint32_t slots = 0;
        for (const char *at = op_info(op)->operands; at; at = strchr(at + 1, ','))
            slots++;
        if (slots == wanted + 1)
            c->op = op;
        if (slots == wanted + 1)
            return;
    }
}

static bool parse_case(Arena *arena, Case *c, char *text) {
    char *rest = text;
    c->spelling = strsep(&rest, " ");
    Match match = isa_match(arena, str_of(c->spelling));
    if (match.error != MATCH_OK) {
        fail(c, "no row takes this spelling");
        return false;
    }
    c->op = match.op;
    c->mods = match.mods;
    c->carry_in = c->carry_out = NOT_GIVEN;
    take_longer(c, rest);
    bool after = false;
    for (char *token; (token = strsep(&rest, " "));) {
        if (*token == '\0')
            continue;
        if (strcmp(token, "=") == 0)
            after = true;
        else if (strncmp(token, "cc:", 3) == 0)
            *(after ? &c->carry_out : &c->carry_in) = token[3] == '1';
        else if (*token == '~')
            parse_tolerance(c, token);
        else if (after)
            parse_results(c, token);
        else {
            assert(c->operands < OPERANDS);
            Type type = operand_type(c, c->operands + 1, 0);
            c->operand[c->operands++] = parse_value(token, type);
        }
    }
    if (c->results == 0)
        fail(c, "not a case");
    return c->results != 0;
}

static void read_cases(Arena *arena, Cases *cases, const char *path) {
    size_t size;
    char *text = file_read(arena, path, &size);
    if (!text) {
        perror(path);
        exit(2);
    }
    uint32_t number = 0;
    for (char *line; (line = strsep(&text, "\n"));) {
        number++;
        line[strcspn(line, "#")] = '\0';
        if (line[strspn(line, " ")] == '\0')
            continue;
        Case c = {.file = path, .line = number};
        if (parse_case(arena, &c, line))
            *vec_add(arena, cases) = c;
    }
}

/* ---- running ---- */

/* Where the registers of an instruction lie: slot numbers. */
enum { SLOT_D, SLOT_D2, SLOT_A, SLOT_VECTOR = SLOT_A + OPERANDS };

static uint8_t class_of(const Value *value) {
    uint32_t bytes = type_bytes(value->type);
    if (value->type == TYPE_PRED)
        return 0;
    return bytes == 16 ? 3 : bytes == 8 || value->wide ? 2 : 1;
}

static uint32_t element_bytes(const Case *c, const Value *value) {
    return type_bytes((Type)c->mods.type) / value->count;
}

static void set_cell(uint8_t *slot, uint8_t class, uint32_t lane, uint64_t bits) {
    uint32_t *pred = (uint32_t *)(void *)slot;
    if (class == 0)
        *pred = (*pred & ~(1u << lane)) | (uint32_t)(bits & 1) << lane;
    else if (class == 1)
        ((uint32_t *)(void *)slot)[lane] = (uint32_t)bits;
    else if (class == 2)
        ((uint64_t *)(void *)slot)[lane] = bits;
    else
        for (uint32_t i = 0; i < 2; i++)
            ((uint64_t *)(void *)slot)[2 * lane + i] = bits * (i + 1);
}

static uint64_t get_cell(const uint8_t *slot, uint8_t class, uint32_t lane) {
    if (class == 0)
        return *(const uint32_t *)(const void *)slot >> lane & 1;
    if (class == 1)
        return ((const uint32_t *)(const void *)slot)[lane];
    return ((const uint64_t *)(const void *)slot)[class == 3 ? 2 * lane : lane];
}

typedef struct Setup {
    Code code;
    Insn insn;
    Operand operands[2];
    uint32_t vector[ELEMENTS];
} Setup;

static void set_vector(Setup *setup, const Value *value, Operand *operand) {
    operand->kind = OPERAND_VECTOR;
    setup->code.count = (uint8_t)value->count;
    setup->code.vector = setup->vector;
    for (uint32_t i = 0; i < value->count; i++)
        setup->vector[i] = value->bits[i] == UINT64_MAX && value->type != TYPE_B128
                               ? NO_OPERAND
                               : (SLOT_VECTOR + i) * SLOT_BYTES;
}

/* The instruction as decode.c would make it; false: no function for it. */
static bool set_up(const Case *c, uint32_t level, bool alias, Setup *setup) {
    *setup = (Setup){.operands = {{.kind = OPERAND_REG}, {.kind = OPERAND_REG}}};
    Code *code = &setup->code;
    uint32_t *places[OPERANDS] = {&code->a, &code->b, &code->c, &code->e};
    uint8_t unused, *classes[OPERANDS] = {&code->a_class, &code->b_class, &code->c_class, &unused};
    code->mods = c->mods;
    code->insn = &setup->insn;
    code->d = code->d2 = NO_OPERAND;
    setup->insn = (Insn){.op = c->op, .mods = c->mods, .operands = setup->operands};
    for (uint32_t i = 0; i < OPERANDS; i++) {
        *places[i] = i < c->operands ? (SLOT_A + i) * SLOT_BYTES : NO_OPERAND;
        if (i < c->operands)
            *classes[i] = class_of(&c->operand[i]);
        code->negated |= (uint32_t)c->operand[i].negated << i;
    }
    if (c->operand[0].vector)
        set_vector(setup, &c->operand[0], &setup->operands[1]);
    if (c->result[0].vector)
        set_vector(setup, &c->result[0], &setup->operands[0]);
    else if (!c->result[0].sink)
        code->d = alias ? code->a : SLOT_D * SLOT_BYTES;
    if (c->results == 2 && !c->result[1].sink)
        code->d2 = SLOT_D2 * SLOT_BYTES;
    code->d_class = class_of(&c->result[0]);
    if (level < ops_level_count())
        return ops_lookup_at(level, c->op, code, &code->full, &code->some);
    code->full = code->some = AT_LEVEL(ops_directed)(c->op);
    return code->full != NULL;
}

/* Whether ops_directed.c has the instruction: a level more. */
static bool is_directed(const Case *c) {
    const Round round = c->mods.round;
    return (round == ROUND_RZ || round == ROUND_RM || round == ROUND_RP) &&
           AT_LEVEL(ops_directed)(c->op) != NULL;
}

/* What the products of matrices use of it. */
static void check_fma(const Case *c) {
    double number[3], result;
    uint64_t bits;
    for (uint32_t i = 0; i < 3; i++)
        memcpy(&number[i], &c->operand[i].bits[0], sizeof number[i]);
    result = AT_LEVEL(fma_directed)(number[0], number[1], number[2], c->mods.round);
    memcpy(&bits, &result, sizeof bits);
    if (result == result && bits != c->result[0].bits[0])
        fail(c, "fma_directed gives something else");
}

static uint64_t untouched(uint32_t slot, uint32_t lane) {
    return UINT64_C(0x5eed000000005eed) ^ (uint64_t)slot << 40 ^ (uint64_t)lane << 8 ^ lane;
}

/* Fills the registers: lane l holds case (start + l) mod count. */
static void fill(uint8_t *registers, const Case *cases, uint32_t count, uint32_t start,
                 const Setup *setup) {
    for (uint32_t slot = 0; slot < REGISTERS; slot++) {
        for (uint32_t i = 0; i < SLOT_BYTES / 8; i++)
            ((uint64_t *)(void *)(registers + slot * SLOT_BYTES))[i] = untouched(slot, i);
    }
    for (uint32_t l = 0; l < WARP_LANES; l++) {
        const Case *c = &cases[(start + l) % count];
        for (uint32_t i = 0; i < c->operands; i++) {
            const Value *value = &c->operand[i];
            uint8_t class = class_of(value);
            if (!value->vector)
                set_cell(registers + (SLOT_A + i) * SLOT_BYTES, class, l, value->bits[0]);
            for (uint32_t e = 0; e < value->count; e++)
                set_cell(registers + setup->vector[e], element_bytes(c, value) == 8 ? 2 : 1, l,
                         value->bits[e]);
        }
    }
}

static bool is_near(const Case *c, uint64_t got) {
    double value, wanted = c->result[0].number;
    if (c->mods.type == TYPE_F64) {
        memcpy(&value, &got, sizeof value);
    } else {
        uint32_t word = (uint32_t)got;
        float single;
        memcpy(&single, &word, sizeof single);
        value = (double)single;
    }
    double error = fabs(value - wanted);
    if (c->tolerance == 'r')
        error /= fabs(wanted);
    if (c->tolerance == 'u') {
        int exponent;
        frexp(wanted, &exponent);
        int digits = c->mods.type == TYPE_F64 ? 53 : 24,
            least = c->mods.type == TYPE_F64 ? -1074 : -149;
        error /= ldexp(1, exponent - digits < least ? least : exponent - digits);
    }
    return error <= c->allowed;
}

/* Signed results of 8 and 16 bits are compared in that width: see warp.h for what lies above. */
static bool is_right(const Case *c, const Value *wanted, uint64_t got, uint64_t bits) {
    if (c->tolerance)
        return is_near(c, got);
    uint32_t bytes = wanted->type == TYPE_PRED ? 8 : type_bytes(wanted->type);
    if (class_of(wanted) == 1 && bytes < 4 && type_is_signed(wanted->type))
        return ((got ^ bits) & ((1u << 8 * bytes) - 1)) == 0;
    return class_of(wanted) == 1 ? got == (uint32_t)bits : got == bits;
}

static void check_cell(const Case *c, const Value *wanted, const uint8_t *now,
                       const uint8_t *before, uint8_t class, uint32_t lane, bool active,
                       uint64_t bits, const char *where) {
    char text[256];
    uint64_t got = get_cell(now, class, lane), was = get_cell(before, class, lane);
    if (active ? is_right(c, wanted, got, bits) : got == was)
        return;
    snprintf(text, sizeof text, "%s lane %u: %s%#llx instead of %#llx", where, lane,
             active ? "" : "(inactive) ", (unsigned long long)got,
             (unsigned long long)(active ? bits : was));
    fail(c, text);
}

static void check_value(const Case *c, const Value *wanted, const uint8_t *now,
                        const uint8_t *before, uint32_t offset, const uint32_t *vector,
                        uint32_t lane, bool active, const char *where) {
    uint8_t class = class_of(wanted);
    if (wanted->sink)
        return;
    if (!wanted->vector)
        check_cell(c, wanted, now + offset, before + offset, class, lane, active, wanted->bits[0],
                   where);
    for (uint32_t e = 0; e < wanted->count; e++) {
        Value element = {.type = element_bytes(c, wanted) == 8 ? TYPE_B64 : TYPE_B32};
        if (vector[e] != NO_OPERAND)
            check_cell(c, &element, now + vector[e], before + vector[e], class_of(&element), lane,
                       active, wanted->bits[e], where);
    }
}

static const uint32_t masks[] = {FULL_MASK, 0x55a5f00f, 1, 0x80000000, 0x7fffffff, 0x00ff0000};
enum { MASKS = sizeof masks / sizeof *masks };

typedef struct Bank {
    _Alignas(64) uint8_t now[REGISTERS * SLOT_BYTES], before[REGISTERS * SLOT_BYTES],
        first_level[REGISTERS * SLOT_BYTES];
} Bank;

static void run(const Case *cases, uint32_t count, uint32_t start, uint32_t level, uint32_t mask,
                bool alias, Bank *memory) {
    Setup setup;
    char where[64];
    if (!set_up(&cases[0], level, alias, &setup)) {
        fail(&cases[0], "there is no function for it");
        return;
    }
    snprintf(where, sizeof where, "%s mask %#x%s",
             level < ops_level_count() ? ops_level_name(level) : "directed", mask,
             alias ? " in place" : "");
    fill(memory->now, cases, count, start, &setup);
    memcpy(memory->before, memory->now, sizeof memory->before);
    Warp *warp = calloc(1, sizeof *warp);
    warp->registers = memory->now;
    uint32_t carry = 0;
    for (uint32_t l = 0; l < WARP_LANES; l++)
        carry |= (uint32_t)(cases[(start + l) % count].carry_in == 1) << l;
    warp->carry = carry;
    Execute execute = mask == FULL_MASK ? setup.code.full : setup.code.some;
    if (execute(warp, &setup.code, mask) != STEP_NEXT || fegetround() != FE_TONEAREST)
        fail(&cases[0], "stops, or leaves another rounding mode behind");
    for (uint32_t l = 0; l < WARP_LANES; l++) {
        const Case *c = &cases[(start + l) % count];
        bool active = mask >> l & 1;
        check_value(c, &c->result[0], memory->now, memory->before, setup.code.d, setup.vector, l,
                    active, where);
        if (c->results == 2)
            check_value(c, &c->result[1], memory->now, memory->before, setup.code.d2, NULL, l,
                        active, where);
        uint32_t flag = active && c->carry_out != NOT_GIVEN ? c->carry_out : carry >> l & 1;
        if ((warp->carry >> l & 1) != flag)
            fail(c, "wrong carry");
    }
    free(warp);
    if (level == 0)
        memcpy(memory->first_level, memory->now, sizeof memory->now);
    else if (memcmp(memory->first_level, memory->now, sizeof memory->now) != 0)
        fail(&cases[0], "levels of the processor differ");
}

/* Same shape: register class, elements, what is left out. */
static bool is_alike_value(const Value *a, const Value *b) {
    if (class_of(a) != class_of(b) || a->count != b->count || a->sink != b->sink ||
        a->negated != b->negated)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if ((a->bits[i] == UINT64_MAX) != (b->bits[i] == UINT64_MAX))
            return false;
    return true;
}

static bool is_alike(const Case *a, const Case *b) {
    if (strcmp(a->spelling, b->spelling) != 0 || a->results != b->results ||
        a->operands != b->operands)
        return false;
    for (uint32_t i = 0; i < a->results; i++)
        if (!is_alike_value(&a->result[i], &b->result[i]))
            return false;
    for (uint32_t i = 0; i < a->operands; i++)
        if (!is_alike_value(&a->operand[i], &b->operand[i]))
            return false;
    return a->op != OP_lop3 || a->operand[3].bits[0] == b->operand[3].bits[0]; /* an immediate */
}

static void run_batch(const Case *cases, uint32_t count, Bank *memory) {
    const Case *c = &cases[0];
    bool can_alias = !c->result[0].vector && !c->operand[0].vector && !c->result[0].sink &&
                     class_of(&c->result[0]) == class_of(&c->operand[0]);
    const uint32_t levels = ops_level_count() + is_directed(c);
    for (uint32_t start = 0; start < count; start += WARP_LANES)
        for (uint32_t m = 0; m < MASKS; m++)
            for (uint32_t alias = 0; alias <= can_alias; alias++)
                for (uint32_t level = 0; level < levels; level++)
                    run(cases, count, start, level, masks[m], alias, memory);
    if (is_directed(c) && c->op == OP_fma_f64)
        for (uint32_t i = 0; i < count; i++)
            check_fma(&cases[i]);
}

/* ---- every row has a case ---- */

static bool is_ours(Op op) {
    return op != OP_NONE && op_info(op)->kind != OP_KIND_OTHER && op != OP_mov;
}

static void check_coverage(const Cases *cases) {
    bool covered[OP_COUNT] = {false};
    for (uint32_t i = 0; i < cases->count; i++)
        covered[cases->at[i].op] = true;
    for (Op op = OP_NONE; op < OP_COUNT; op++)
        if (is_ours(op) && !covered[op]) {
            printf("row %s has no case\n", op_info(op)->id);
            failures++;
        }
}

static int is_case_file(const struct dirent *entry) {
    return strstr(entry->d_name, ".txt") != NULL;
}

int main(int argc, char **argv) {
    struct dirent **entries;
    Cases cases = {0};
    Arena *arena = arena_new();
    int files = argc == 2 ? scandir(argv[1], &entries, is_case_file, alphasort) : -1;
    if (files < 0) {
        fprintf(stderr, "usage: test_ops DIRECTORY\n");
        return 2;
    }
    for (int i = 0; i < files; i++) {
        read_cases(arena, &cases, arena_printf(arena, "%s/%s", argv[1], entries[i]->d_name));
        free(entries[i]);
    }
    free(entries);
    Bank *memory = aligned_alloc(64, sizeof *memory);
    for (uint32_t first = 0, end; first < cases.count; first = end) {
        for (end = first + 1; end < cases.count; end++)
            if (!is_alike(&cases.at[first], &cases.at[end]))
                break;
        run_batch(&cases.at[first], end - first, memory);
    }
    free(memory);
    check_coverage(&cases);
    printf("%u cases on %u levels, %u failures\n", cases.count, ops_level_count(), failures);
    arena_free(arena);
    return failures != 0;
}
