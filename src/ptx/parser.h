/* Within ptx: the state of one ptx_parse and what its files offer each other.
 *
 * A parse function returns false after it has reported an error; whoever owns the statement then
 * calls parser_recover and goes on. `token` is the next token that nobody has taken yet. */
#pragma once

#include "ir/ir.h"
#include "ptx/index.h"

enum {
    MAX_ERRORS = 20,     /* then parsing stops */
    MAX_SCOPES = 64,     /* nested { } in one function */
    MAX_OPERANDS = 128,  /* of one instruction or in one list */
    MAX_TARGETS = 65536, /* of one .branchtargets: machine code has one for each instruction */
    MAX_EXPRESSION = 64, /* nesting of parentheses in a constant expression */
    MAX_NESTING = 16     /* of braces in an initialiser */
};
#define MAX_REGISTERS (1u << 22)            /* of a module */
#define MAX_DATA_BYTES (UINT64_C(64) << 20) /* of all initialisers of a module */

typedef enum SymbolKind {
    SYMBOL_NONE,
    SYMBOL_REGISTER, /* number: in function->regs */
    SYMBOL_RANGE,    /* ".reg .b32 %r<9>": number of the first, count */
    SYMBOL_VARIABLE,
    SYMBOL_FUNCTION,
    SYMBOL_LABEL,  /* number: of the instruction */
    SYMBOL_TARGETS /* .branchtargets: targets */
} SymbolKind;

typedef struct Symbol {
    SymbolKind kind;
    uint32_t number, count;
    Variable *variable;
    Function *function;
    Operand *targets; /* a VECTOR of LABELs */
    /* module-scope .shared variables: the entry that has `used_as` for its copy */
    Function *used_by;
    Variable *used_as;
} Symbol;

typedef struct SymbolScope {
    Map *names;          /* to a number in parser->symbols; NULL = none yet */
    Map *ranges;         /* prefix of a register range, likewise */
    uint32_t first_jump; /* jumps from here on were written in this scope or below it */
} SymbolScope;

/* A branch whose label is not known yet. */
typedef struct Jump {
    Operand *operand;
    Token name;
} Jump;

typedef struct Parser {
    Arena *arena;   /* of the module */
    Arena *scratch; /* of this run */
    Module *module;
    Diags *diags;
    Lexer lexer;
    Token token;
    uint32_t braces;       /* open { of the statement, for recovery */
    const PtxIndex *index; /* NULL: the whole text is parsed */
    PtxChoice wanted;

    VEC(Symbol) symbols;
    SymbolScope scopes[MAX_SCOPES]; /* [0]: the module */
    uint32_t depth;                 /* of the innermost scope */
    VEC(Jump) jumps;

    Function *function; /* being parsed, or NULL */
    /* Declarations of registers in the function: by name, by prefix of a range, by prefix
     * of both */
    Map *singles, *ranges, *declared;
    uint32_t registers;
    uint64_t data_bytes;
    uint32_t location; /* of the last .loc */
    uint32_t used_bytes_mask;
    uint32_t machine, machine_line; /* .machine: as in Insn */
    bool machine_begins;
    StackUse stack_use;
    Str machine_text;

    Map *spellings; /* to a number in matches */
    VEC(Match) matches;
    struct Row *rows[OP_COUNT]; /* compiled operand strings, see check.c */
    const DebugStrings *debug;
    Map *call_sites; /* "file:line:column" of a .loc to its number: what inlined_at refers to */
} Parser;

/* ---- parser.c ---- */

void parser_next(Parser *parser);
bool parser_error(Parser *parser, const Token *at, const char *format, ...)
    __attribute__((format(printf, 3, 4))); /* always false */
bool parser_is(const Parser *parser, char punct);
bool parser_take(Parser *parser, char punct);   /* takes it if it is there */
bool parser_expect(Parser *parser, char punct); /* an error if it is not */
bool parser_is_directive(const Parser *parser, const char *name);
bool parser_take_directive(Parser *parser, const char *name);
bool parser_name(Parser *parser, const char *what, Token *name);
bool parser_uint32(Parser *parser, const char *what, uint32_t *value);
void parser_recover(Parser *parser);
const char *parser_describe(Parser *parser, const Token *token); /* "';'", "end of file" */

/* ---- symbols.c ---- */

bool scope_open(Parser *parser);
void scope_close(Parser *parser); /* resolves the jumps that its labels satisfy */
bool symbol_define(Parser *parser, const Token *name, Symbol symbol);
bool symbol_define_registers(Parser *parser, const Token *name, Type type, uint32_t count,
                             bool range);
Symbol *symbol_find(Parser *parser, Str name);      /* ranges excepted */
uint32_t symbol_register(Parser *parser, Str name); /* number, or NO_REG */
/* Where "%r57" is beyond the range "%r<9>": 9 and "%r"; else 0. */
uint32_t symbol_range(Parser *parser, Str name, Str *prefix);
const char *symbol_closest(Parser *parser, Str name); /* or NULL */
const char *parser_copy(Parser *parser, Str text);

/* ---- decl.c ---- */

typedef struct Linkage {
    bool is_extern, is_visible, is_weak, is_common;
} Linkage;

bool decl_space(const Parser *parser, Space *space);
bool decl_variables(Parser *parser, Linkage linkage); /* ".shared .align 4 .b8 x[16];" */
/* "(" { directive } ")", behind .attribute: of these, .managed matters; .unified has parentheses of its own. */
bool decl_attributes(Parser *parser, bool *is_managed);
bool decl_registers(Parser *parser); /* ".reg .b32 %r<9>;" */
bool decl_parameters(Parser *parser, Function *function, bool results);

/* ---- initial.c ---- */

/* Bytes of what stands in the first, second … brace of an initialiser: the array, its rows, … the
 * vector; 0 where that is not known. */
typedef struct BraceShape {
    uint64_t bytes[MAX_NESTING];
    uint32_t count;
} BraceShape;

bool initial_parse(Parser *parser, Variable *variable, const BraceShape *shape, const Token *name);

/* ---- constant.c ---- */

typedef struct Constant {
    bool is_float, single; /* single: 0f…, bits hold 32 */
    bool is_unsigned;
    uint64_t bits;
} Constant;

bool constant_parse(Parser *parser, Constant *constant);
bool constant_integer(Parser *parser, const char *what, int64_t *value);
/* The constant as bits of `type`; false: it has no such form. */
bool constant_convert(const Constant *constant, Type type, uint64_t *bits);
bool constant_starts(const Parser *parser);

/* ---- lines.c ---- */

bool lines_file(Parser *parser);
bool lines_loc(Parser *parser);

/* ---- function.c ---- */

bool function_parse(Parser *parser, Linkage linkage, bool is_entry);

/* ---- insn.c ---- */

bool insn_parse(Parser *parser); /* [@p] opcode operands ; */
/* The list behind ".branchtargets", which brx.idx calls `name`. */
bool insn_parse_targets(Parser *parser, const Token *name);

/* ---- check.c: the operand mini-language of ops.def ---- */

typedef enum SlotKind {
    SLOT_VALUE,
    SLOT_VECTOR,
    SLOT_FRAGMENT,
    SLOT_ADDRESS,
    SLOT_COORDINATES,
    SLOT_TENSOR,
    SLOT_LABEL,
    SLOT_LABELS,
    SLOT_SINK,
    SLOT_ANY
} SlotKind;
typedef enum SlotType { SLOT_FIXED, SLOT_T, SLOT_T2, SLOT_T3, SLOT_T4, SLOT_WIDE } SlotType;

typedef struct Slot { /* one operand as its row wants it */
    SlotKind kind;
    SlotType type_from;
    Type type; /* SLOT_FIXED */
    bool written, wider, negatable, optional, immediate;
    bool packs;      /* mov: a vector whose elements share the bits may stand here */
    bool has_second; /* "|pred" */
    Type second;
    uint8_t elements;               /* SLOT_VECTOR: how many; 0: Mods.vector, 255: Mods.matrices */
    char fragment;                  /* SLOT_FRAGMENT: of which matrix */
    bool described;                 /* SLOT_FRAGMENT: or a descriptor */
    const char *constants;          /* immediate: what it may be, "-1 or 1"; NULL: anything */
    uint32_t least, most, multiple; /* of a constant; multiple 0: any will do */
} Slot;

typedef struct Row {
    Slot slots[10];
    uint32_t count;
    bool widens;             /* cvt: registers may be wider than its types */
    bool converts_addresses; /* cvta, mapa …: takes the address of a variable */
    bool calls;
    uint32_t addresses; /* how many slots are addresses */
} Row;

const Row *check_row(Parser *parser, Op op);
/* An operand as parsed against its slot: types, immediates to bits. */
bool check_operand(Parser *parser, const Insn *insn, const Row *row, const Slot *slot,
                   Operand *operand, const Token *at);
/* A constant lies within what the row takes. */
bool check_bounds(Parser *parser, const Slot *slot, const Operand *operand, const Token *at);
Type slot_type(const Slot *slot, const Mods *mods);
/* Whether an operand string of ops.def is well formed: for tests. */
bool check_compile(const char *operands, Row *row);

/* ---- layout.c ---- */

void layout_module(Parser *parser);
