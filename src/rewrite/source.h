/* source: a CUDA source as libclang sees it, and what is found in it. Private to rewrite/.
 *
 *   parse.c: text --libclang--> Source --declare.c--> Declaration --uses.c--> ArrayUse … or Blocker …
 *                                                          |                     |
 *                               Layout --------------------+--> shape.c: RewriteShape --+--> edit.c: Edit … */
#pragma once

#include "rewrite/libclang.h"
#include "rewrite/rewrite.h"

enum { DIMS_MOST = 8 };

/* Bytes [begin, end) of a file. */
typedef struct Range {
    uint32_t begin, end;
} Range;

typedef struct Token {
    Range at;
    enum CXTokenKind kind;
} Token;

/* An expansion of a macro. */
typedef struct Expansion {
    Range at;
    const char *macro;
} Expansion;

/* A file that is the source or is included by it, and not a system's header. */
typedef struct Code {
    CXFile handle;
    const char *path, *text;
    uint32_t size;
    VEC(Token) tokens;
    VEC(Expansion) expansions;
} Code;

typedef struct Source {
    Arena *arena;
    Libclang lib;
    const char *path;
    const RewriteOptions *options;
    CXIndex index;
    CXTranslationUnit unit;
    CXTranslationUnit *variant; /* what source_variant parsed last */
    VEC(Code *) files;
} Source;

typedef struct EditList {
    VEC(Edit) list;
} EditList;

/* ---- parse.c ---- */

extern const char *const rewrite_prelude[]; /* prelude.c: lines, then NULL */

/* The caller calls source_close, also where this is false. */
bool source_open(Arena *arena, const char *path, const RewriteOptions *options, Source *source,
                 Diags *diags);
void source_close(Source *source);
/* Parses the source with another text for one of its files. Returns the unit, which belongs to the source and lasts until the next
 * call; NULL: libclang could not parse it. The headers that the source begins with are parsed once. */
CXTranslationUnit source_variant(const Source *source, const char *path, const char *text);

const char *source_string(const Source *source, CXString string);
/* Bytes of what a type points to; 0: it is no pointer, or they are not known. */
uint64_t pointed_bytes(const Source *source, CXType type);
bool cursor_named(const Source *source, CXCursor cursor, Str name);
/* Where a place is written; NULL: in no file that could be changed. Within a macro's expansion: where that
 * begins. */
Code *code_of(Source *source, CXSourceLocation location, uint32_t *offset);
/* The file and bytes of a cursor; NULL as above, or where it begins and ends in different files. */
Code *code_range(Source *source, CXCursor cursor, Range *range);
Place code_place(const Code *code, Range range);

/* The token that begins at or behind an offset; tokens.count if there is none. Comments are no tokens. */
uint32_t token_from(const Code *code, uint32_t offset);
Str token_text(const Code *code, const Token *token);
Str code_text(const Code *code, Range range);
bool token_is(const Code *code, uint32_t token, const char *text); /* false for a token not there */
/* texts: NULL behind the last */
bool token_is_one_of(const Code *code, uint32_t token, const char *const *texts);
bool token_same(const Code *code, uint32_t a, uint32_t b); /* have both one text? */
bool code_has_word(const Code *code, const char *word);    /* one of its tokens is that */
bool token_opens(const Code *code, uint32_t token);        /* a bracket of any kind */
bool token_closes(const Code *code, uint32_t token);       /* likewise */
/* The macro in whose expansion an offset lies, or NULL. */
const char *expansion_at(const Code *code, uint32_t offset);

/* A walk over a tree, with the way from its root. */
typedef struct Walk {
    Source *source;
    VEC(CXCursor) path; /* the last: the cursor that is visited */
    void *context;
    void (*visit)(struct Walk *walk);
} Walk;
/* Every cursor below the root, parents first; nothing of system headers. */
void source_walk(Source *source, CXCursor root, void (*visit)(Walk *walk), void *context);
CXCursor walk_at(const Walk *walk, uint32_t up); /* 0: the cursor, 1: its parent … */
/* Where the outermost cursor around the one that is visited begins that is no namespace. */
uint32_t walk_outermost(const Walk *walk);
/* Of walk_at, also where there is none: CXCursor_InvalidFile, an empty range. */
enum CXCursorKind walk_kind(const Walk *walk, uint32_t up);
Range walk_range(const Walk *walk, uint32_t up);
bool kind_casts(enum CXCursorKind kind); /* a cast of any kind */
/* What holds declarations and is no function or class. The number of a translation unit's kind is not the same in all versions of
 * libclang (300, since 15 350), so the library is asked. */
bool kind_scope(const Source *source, enum CXCursorKind kind);

/* ---- declare.c ---- */

/* What a declaration is in one instance of its template; or, outside templates, at all. */
typedef struct Instance {
    const char *name; /* "transposeTiled<0>"; "" outside templates */
    uint64_t extents[DIMS_MOST];
    uint64_t element; /* bytes */
} Instance;

/* The declaration of a shared array: a variable, or the only member of the variable's class. */
typedef struct Declaration {
    CXCursor cursor;
    Code *code;
    Str name;
    bool is_member, in_template;
    bool dynamic;  /* extern __shared__: one dimension, whose extent is the launch's */
    bool is_typed; /* its dimensions come with the name of its type, and `extents` are empty */
    bool is_part;  /* a member of a class that has others */
    struct Declaration *next; /* of them, which get the same layout */
    bool is_pointer;          /* into the array, */
    bool has_offset;          /* with something added to it, */
    uint32_t offset;          /* whose use begins there */
    bool is_parameter;        /* of a function that gets the array: parameter.c */
    bool rows; /* a pointer to rows, "float (*tile)[32]": elements have two subscripts */
    Range at;  /* the name */
    /* of its elements, if that is a name and this the only array declared here; else empty */
    Range type;
    Range scope;              /* where the name may be used */
    Range extents[DIMS_MOST]; /* between the brackets */
    Range brackets;           /* all of them */
    Str declared;             /* what stands before them: the name, or that of its type */
    uint32_t dims;
    /* where the outermost function or class around it begins: helpers go before it */
    uint32_t outer;
    VEC(Instance) instances;
    uint32_t instance; /* the one that was profiled */
    uint64_t element;  /* bytes of an element */
    Map *constants;    /* by text: what declaration_constants was told */
} Declaration;

/* NULL: outcome->why says why not. */
Declaration *declaration_find(Source *source, const RewriteArray *array, RewriteOutcome *outcome);
bool declarations_equal(const Source *source, const Declaration *a, const Declaration *b);
/* ---- ask.c: what the parser says of a declaration ---- */

typedef struct Instantiation {
    const char *instance, *arguments;
} Instantiation;
typedef struct Answers {
    VEC(Instantiation) list;
} Answers;
/* The arguments of `template` in what the parser says to the probe, a static_assert behind the declaration, by instance. */
void parser_ask(const Source *source, const Declaration *declaration, const char *probe,
                const char *template, Answers *answers);
/* Adds the instances of its template to it; outside of templates it is the only one. */
void declaration_instances(const Source *source, Declaration *declaration);
/* The extents that the array of one instance has where an edit is made before its declaration; false: they are not known. */
bool declaration_extents(const Source *source, const Declaration *declaration, Edit edit,
                         uint64_t extents[DIMS_MOST]);
/* The values of expressions where the array is declared; 0: it is no constant there, none above 0, or one that differs from
 * instance to instance. A text may be NULL. */
void declaration_constants(const Source *source, const Declaration *declaration,
                           const char *const *texts, uint32_t count, uint64_t *values);

/* ---- uses.c ---- */

/* An element of an array. */
typedef struct ArrayUse {
    Range at;                    /* the whole expression */
    uint32_t brackets;           /* where the first bracket opens */
    Range subscripts[DIMS_MOST]; /* between the brackets */
    uint64_t unit; /* bytes that its index steps by; 0: those of an element of the declaration */
    bool offset;   /* what is added to a pointer: no brackets are around it */
    /* the extent in the type of a pointer to rows: it can be nothing but a longer pitch */
    bool row;
    const struct Declaration *through; /* the variable that points into the array, or NULL */
} ArrayUse;

/* What has an extent of the array in it, and grows with that: a leading dimension, an extent of a parameter. */
typedef struct ExtentUse {
    Range at;
    uint32_t dim;
} ExtentUse;

typedef struct Uses {
    VEC(ArrayUse) list;
    /* variables that point into it, whose uses are in the list: pointer.c */
    VEC(Declaration *) pointers_to;
    VEC(ExtentUse) extents;
    VEC(Blocker) pointers; /* that only SHAPE_GROWN leaves as they are */
    /* a function gets a pointer into the flat array: it may know the pitch, or stay within a row */
    bool passed;
    bool entered; /* a function's uses of the array are in the list */
} Uses;

/* All uses; where one is no element, outcome has blockers. kernel: that a dynamic array is of. */
void rewrite_uses(Source *source, const Declaration *declaration, const char *kernel, Uses *uses,
                  RewriteOutcome *outcome);

/* ---- reach.c: uses that reach further than an element, where the new text will be tried ---- */

/* The call that the expression walk_at(walk, up) is an argument of. */
typedef struct CallUse {
    CXCursor callee;
    const char *name;
    uint32_t argument; /* its number, from 0 */
    VEC(Range) arguments;
} CallUse;
/* false: it is none. */
bool call_around(const Walk *walk, const Code *code, uint32_t up, CallUse *call);
/* The leading dimension of a wmma function that gets the address of an element, or a row. false: it is none. */
bool reach_matrix(const Walk *walk, const Code *code, uint32_t up, const Declaration *declaration,
                  Uses *uses);
/* The parameter that the array is passed to, whose type has extents. false: it has none. */
bool reach_parameter(const Walk *walk, const Code *code, uint32_t up,
                     const Declaration *declaration, Uses *uses);
/* The same for a variable that refers to the array or a row of it: "float (&row)[32] = tile[y]". */
bool reach_variable(const Walk *walk, const Code *code, uint32_t up, const Declaration *declaration,
                    Uses *uses);
/* Elements in the text of a macro. false: it has other uses of the array. */
bool reach_macro(const Source *source, const Code *code, const char *macro,
                 const Declaration *declaration, Uses *uses);
/* By the text alone: the name, token t, with all its subscripts behind it. */
bool read_element(const Code *code, uint32_t t, uint32_t dims, ArrayUse *use);
/* Where the line of a #define that begins at an offset ends, with the lines that continue it. */
uint32_t directive_end(const Code *code, uint32_t at);

/* ---- pointer.c: pointers into a flat array, where the new text will be tried ---- */

/* A use of the array (or of a variable that points into it) as a pointer, that is followed: an offset is added, and a variable
 * keeps it, or an element is taken. Adds to uses; NULL, or why it cannot be followed. */
const char *pointer_follow(const Walk *walk, const Code *code, const Declaration *declaration,
                           Uses *uses);
/* ---- parameter.c ---- */

/* What is visited, `up` above it, points to elements of `unit` bytes of `from` and is an argument of a call: the function's parameter becomes
 * one of the pointers to the array. NULL, or why it cannot be followed. */
const char *parameter_follow(const Walk *walk, const Code *code, uint32_t up, uint64_t unit,
                             const Declaration *from, Uses *uses);
/* Is the element that is visited, whose address is taken, kept by a variable? */
bool pointer_is_kept(const Walk *walk);
/* Do all elements have one size, which becomes the declaration's? */
bool pointer_unite(Declaration *declaration, const Uses *uses);

/* ---- launch.c: extern __shared__ arrays, whose bytes the launch asks for ---- */

/* NULL: outcome->why says why not. */
Declaration *dynamic_find(Source *source, const RewriteArray *array, RewriteOutcome *outcome);
Str kernel_word(const char *kernel); /* "void ns::f<0>(int)": "f" */
/* Is what is visited in the kernel? */
bool dynamic_in_kernel(const Walk *walk, const char *kernel);
/* The third argument in the <<<…>>> of the kernel's launches in the file. */
typedef struct LaunchSizes {
    VEC(Range) list;
} LaunchSizes;
void launch_sizes(const Source *source, const Code *code, const char *kernel, LaunchSizes *sizes);

/* ---- shape.c ---- */

typedef enum RewriteShapeKind {
    SHAPE_GROWN,    /* extents grow by `by`; uses stay */
    SHAPE_CONSTANT, /* a constant in the extent grows; uses stay */
    SHAPE_RECORD,   /* the type of its elements, which are structures, gets padding; uses stay */
    SHAPE_MEMBERS,  /* an array of structures becomes a structure of arrays */
    SHAPE_SWAPPED,  /* dimensions change places */
    SHAPE_XORED,    /* the last subscript is combined with the one before it */
    SHAPE_PITCHED, /* one dimension, with rows by hand: their pitch grows; other uses as in SHAPE_FLAT */
    SHAPE_FLAT /* one dimension; a helper function makes its subscript */
} RewriteShapeKind;

/* One field of an index, moved: (i >> down & mask) << up; or one bit of it, to several places: (i >> down & 1) * by. */
typedef struct Term {
    uint32_t down, mask, up; /* mask 0: no mask is needed */
    uint32_t by;             /* 0: it moves as a whole */
} Term;

enum { TERMS_MOST = 24, PADS_MOST = 2 };

/* How a layout is written in C++, in elements. */
typedef struct RewriteShape {
    RewriteShapeKind kind;
    Layout layout;             /* as asked for */
    uint32_t by[DIMS_MOST];    /* GROWN: each extent; 0: it stays */
    uint32_t order[DIMS_MOST]; /* SWAPPED: which dimension stands there then */
    Term terms[TERMS_MOST];    /* XORED: of the row's number; FLAT: of the index */
    uint32_t term_count;       /* of swizzles and XOR maps */
    uint32_t unit;             /* they need a multiple of so many elements */
    uint32_t pitch[PADS_MOST],
        pad[PADS_MOST]; /* FLAT padding: `pad` after every `pitch`; RECORD: bytes */
    uint32_t pad_count;
    uint32_t rows, columns; /* FLAT transposition */
    const char *fields;     /* MEMBERS: what stands in the structure */
} RewriteShape;

static inline bool is_power(uint64_t value) { /* of two */
    return value && (value & (value - 1)) == 0;
}

static inline uint32_t log2_of(uint64_t power) {
    return (uint32_t)__builtin_ctzll(power);
}

/* false: why says what prevents it. */
bool shape_find(Arena *arena, const Declaration *declaration, const Layout *layout,
                RewriteShape *shape, const char **why);
/* The same layout with a helper function, for subscripts that must not be repeated. */
bool shape_flatten(Arena *arena, const Declaration *declaration, const Layout *layout,
                   RewriteShape *shape, const char **why);

/* ---- expression.c ---- */

/* How tightly an expression's outermost operator binds. */
typedef enum Binding { BINDS_LOOSELY, BINDS_SUM, BINDS_PRODUCT, BINDS_PRIMARY } Binding;

/* An expression's text and what it may stand beside. */
typedef struct SpelledExpression {
    const char *text;
    Binding binding;
} SpelledExpression;

/* What is written in the range; `text` where it is to have another text. */
SpelledExpression expression_of(Arena *arena, const Code *code, Range range, const char *text);
/* In parentheses, unless it binds at least so tightly. */
const char *expression_operand(Arena *arena, SpelledExpression expression, Binding least);
/* May the expression be evaluated twice? */
bool expression_repeats(const Code *code, Range range);
/* A decimal number and nothing else. */
bool expression_number(const Code *code, Range range, uint64_t *number);

/* ---- spell.c: a shape in C++ ---- */

/* The declaration's extents, "[TILE][TILE + 1]". */
const char *spell_extents(Arena *arena, const Declaration *declaration, const RewriteShape *shape);
/* What stands between the brackets of a flat shape. */
const char *spell_flat(Arena *arena, const Declaration *declaration, const RewriteShape *shape);
/* One of them, of SHAPE_GROWN. */
const char *spell_grown(Arena *arena, const Declaration *declaration, const RewriteShape *shape,
                        uint32_t dim);
/* "x ^ (y & 15)": an index with the fields of another one. */
const char *spell_xored(Arena *arena, const RewriteShape *shape, SpelledExpression index,
                        SpelledExpression from);
/* As spell_grown for what has that extent elsewhere. */
const char *spell_more(Arena *arena, const Code *code, Range extent, uint32_t by);
/* An element's subscripts, "[y][x ^ y]". helper: the function of SHAPE_FLAT; NULL: its formula. */
const char *spell_subscripts(Arena *arena, const Declaration *declaration,
                             const RewriteShape *shape, const SpelledExpression *subscripts,
                             const char *helper);
/* "[i / 32][i % 32]" for "[i / 8][i % 8]", where rows of 8 become rows of 32 and all elements get the same value: then it does not matter
 * which of them i is. NULL: they are other subscripts. */
const char *spell_filled(Arena *arena, const Declaration *declaration, const RewriteShape *shape,
                         const SpelledExpression *subscripts);
/* The function of SHAPE_FLAT, the type of SHAPE_RECORD and SHAPE_MEMBERS: a name for it, and its definition under a name. */
const char *helper_name(Arena *arena, const Declaration *declaration, const RewriteShape *shape);
const char *helper_text(Arena *arena, const Declaration *declaration, const RewriteShape *shape,
                        const char *name);
/* "declare tile[32][33]" */
const char *spell_by_hand(Arena *arena, const Declaration *declaration, const RewriteShape *shape);

/* ---- place.c: macros and functions that compute the place of an element, tile[IDX(y, x)] ---- */

/* Calls that are read of an array's indices: macros may nest, and name themselves. */
enum { PLACES_MOST = 256 };

/* One that the file defines once: a macro, or a function that is one `return`. */
typedef struct PlaceHelper {
    bool is_macro;
    Range at;            /* all of its definition */
    uint32_t name;       /* the token where it is defined */
    uint32_t first, end; /* tokens of what it computes */
} PlaceHelper;
/* Where it is called in the index of a use. */
typedef struct PlaceCall {
    PlaceHelper helper;
    uint32_t name; /* the token there */
    uint32_t use;
} PlaceCall;
typedef struct PlaceCalls {
    VEC(PlaceCall) list;
} PlaceCalls;
/* Are the tokens [first, end) a call of one and nothing else? */
bool place_called(const Code *code, uint32_t first, uint32_t end, PlaceHelper *helper);

bool place_defined(const Code *code, uint32_t t,
                   PlaceHelper *helper); /* token t, its name, there */
/* The one whose text token t is in; false: none. */
bool place_around(const Code *code, uint32_t t, PlaceHelper *helper);

/* ---- padding.c ---- */

/* The edits that let the kernel's own padding come after every `every` elements, a power of two. false: it has none, has it so already, or a
 * number of it stands for something else, too. body: of the kernel. */
bool padding_write(const Source *source, const Code *code, Range body, uint64_t every,
                   EditList *edits);

/* ---- pitch.c ---- */

typedef enum TermPlace {
    TERM_REST,
    TERM_STEPS, /* steps by a part of a row */
    TERM_ROWS   /* walks over rows, and is changed by RowPitch.factors */
} TermPlace;

/* A term of an index. */
typedef struct SplitTerm {
    Range at;
    TermPlace place;
    bool minus, inside; /* inside: of what the function gets */
} SplitTerm;
typedef struct IndexSplit {
    VEC(SplitTerm) terms; /* none: the index is not split */
    bool each;            /* every term gets the function by itself */
} IndexSplit;

/* How SHAPE_PITCHED is written. */
typedef struct RowPitch {
    IndexForm form;
    const char *extent; /* of the declaration */
    VEC(Edit) factors;  /* of its indices, by use */
    bool *in_rows;      /* of each use: nothing else changes of it */
    IndexSplit *splits; /* of each use */
    uint32_t whole;     /* uses that have the function */
    const char *
        *texts; /* of each use, its index as a whole; NULL: it is changed as above. May be NULL */
} RowPitch;
/* Padding after each row as a longer pitch in the indices of a flat array, where that will be tried. false: no index
 * has one. */
bool pitch_find(const Source *source, const Declaration *declaration, const Uses *uses,
                const RewriteShape *shape, IndexForm form, RowPitch *pitch);
/* What pitch->factors change in the definitions of `calls` holds for the array alone: a definition that others use, too, stays as
 * it is, and the array's indices call a copy that has the changes. */
void place_edits(const Source *source, const Declaration *declaration, const PlaceCalls *calls,
                 RowPitch *pitch);

/* ---- turn.c ---- */

/* The same for exclusive ors: tile[row * 64 + (column ^ (row & 7) << 3)]. false: no index is written by rows. */
bool turned_find(const Source *source, const Declaration *declaration, const Uses *uses,
                 const RewriteShape *shape, RowPitch *pitch);

/* ---- pitch.c ---- */

/* The pitch in the array's extent, where it has a name: whoever gets the array has the pitch from there, too. */
typedef struct PitchConstant {
    const char *name; /* NULL: a number alone */
    const char *text; /* what it is to be */
    Range at;         /* the number in its definition */
    bool is_argument; /* of a type */
} PitchConstant;
/* false: there is none. */
bool pitch_constant(const Source *source, const Declaration *declaration, const Layout *layout,
                    PitchConstant *constant);
/* "declare tile[32 * 33], and write 33 for 32 in its indices"; NULL: as for a function of the index */
const char *pitch_by_hand(Arena *arena, const Declaration *declaration, const RowPitch *pitch);

/* ---- members.c ---- */

/* How SHAPE_MEMBERS is written. */
typedef struct MemberSplit {
    const char *extent; /* "<256>": behind the name of the new type */
    EditList edits;     /* of the declaration behind that, and of the uses */
} MemberSplit;
/* Where the layout has a row for each member of a structure. false: it has none, or a use of the array is neither a member of an
 * element nor a whole one, read or assigned. */
bool members_find(const Source *source, const Declaration *declaration, const Uses *uses,
                  const Layout *layout, RewriteShape *shape, MemberSplit *split);

/* ---- elsewhere.c ---- */

/* Does the statement of the declaration have the text of token t? */
bool declaration_names(const Declaration *declaration, uint32_t t);
/* A number, or the name of one, somewhere else in the file that an extent depends on: the argument of a type, Layout<32, 32, 32>,
 * an extent of it, or what a constant of it is. */
bool elsewhere_pitch(const Source *source, const Declaration *declaration, const Layout *layout,
                     PitchConstant *constant);
/* Likewise for the extent that grows, of SHAPE_GROWN. */
bool elsewhere_extent(const Source *source, const Declaration *declaration,
                      const RewriteShape *shape, PitchConstant *constant);

/* ---- swizzle.c ---- */

/* The layout as a swizzle in the type of the array's layout, or around it: Swizzle<3, 3, 3>. false: it is none together with the swizzle
 * that there is, or there is no such type. */
bool swizzle_find(const Source *source, const Declaration *declaration, const Layout *layout,
                  PitchConstant *constant);

/* ---- loops.c ---- */

/* for (TYPE name = …; …; step) body */
typedef struct Loop {
    uint32_t first, end; /* tokens of all of it */
    uint32_t init_end;   /* the first ; */
    uint32_t step_end;   /* the ) */
    Str name;
    Range step;
    bool by_one; /* ++ */
} Loop;
/* The loop whose `for` is token t. false: it is written otherwise. */
bool loop_read(const Code *code, uint32_t t, Loop *loop);
/* Does the variable keep its value in the loop? own: it is the loop's, whose step changes it. */
bool loop_keeps(const Code *code, const Loop *loop, Str name, bool own);

uint32_t token_behind_brackets(const Code *code, uint32_t t);
uint32_t token_behind_statement(const Code *code, uint32_t t);
/* Where the statement or declaration begins that a token is of: behind the one before it, or a line of the preprocessor. */
uint32_t statement_start(const Code *code, uint32_t t);
uint32_t token_behind_line(const Code *code, uint32_t t);
/* From t on, outside of brackets that open there; end: there is none. */
uint32_t token_find(const Code *code, uint32_t t, uint32_t end, const char *text);
bool token_updates(const Code *code, uint32_t t); /* "+=", "++" … */
/* Is the variable that token t names declared or assigned there? */
bool token_changes(const Code *code, uint32_t t);

/* A number, or the name of one that the file defines once: `const int ITEMS = 8;`, `#define ITEMS 8`. */
bool number_read(const Code *code, uint32_t t, uint64_t *number);

/* ---- neighbours.c: elements of a pointer that lie side by side ---- */

/* A pointer that a kernel has: a parameter, or a variable of its own. */
typedef struct KernelPointer {
    Str name;
    const char *type; /* of an element, without const */
    uint64_t bytes;
    bool restricted; /* nothing else is said to point there */
} KernelPointer;
typedef VEC(KernelPointer) KernelPointers;
/* neighbours.c: the one that token t names; NULL: none. */
const KernelPointer *pointer_named(const Code *code, const KernelPointers *pointers, uint32_t t);

typedef struct Neighbour {
    Range at;          /* p[4 * i + 1] */
    const char *place; /* of it among its neighbours: "1", or the loop's variable */
    bool reads, writes;
} Neighbour;

/* p[REST + first] to p[REST + first + count - 1], all of which statements that stand in one block access. */
typedef struct Neighbours {
    const KernelPointer *pointer;
    const char *begin;  /* the index of the first: "4 * i" */
    const char *number; /* of the vector, where its place is a multiple of its size: "i"; or NULL */
    uint32_t count;     /* a power of 2 */
    Range statements;   /* from the first that has one to the last */
    uint32_t line;      /* where the first begins behind #pragma */
    bool reads, writes; /* if so, all of them */
    bool overlap;       /* that nothing else overlaps them is not said, and matters */
    VEC(Neighbour) uses;
} Neighbours;
typedef VEC(Neighbours) NeighbourList;

/* ---- multiples.c ---- */

/* A power of two up to 64 that the value of the tokens is a multiple of, in the function whose body begins at token `brace`. */
uint32_t multiple_of(const Code *code, uint32_t brace, const KernelPointers *pointers,
                     uint32_t first, uint32_t end);

/* ---- neighbours.c ---- */

/* Where a use stands. */
typedef struct Standing {
    uint32_t block; /* the { of its statements */
    uint32_t first, end;
} Standing;
/* The statement that has token `at`, and stands in a block of the function whose braces are at `brace` and `end`. false: there is none,
 * or it may not be reached, or not all of it. */
bool standing_find(const Code *code, uint32_t brace, uint32_t end, uint32_t at, Standing *found);

/* Those that the function whose body begins at token `brace` has. */
void neighbours_find(Arena *arena, const Code *code, uint32_t brace, const KernelPointers *pointers,
                     NeighbourList *list);

/* ---- carry.c ---- */

/* The place of a use's element as a variable of the loop around it. */
typedef struct Carry {
    const char *name;       /* NULL: it is not carried */
    bool shared;            /* with a use before it, which has the same index */
    uint32_t begins, steps; /* where it is added to the loop's header */
    uint64_t by;            /* elements that it moves on in a turn */
} Carry;
/* One for each use, for a layout that is a function of the index. only: no other array changes, which could have loops carry its places,
 * too. */
Carry *carry_find(const Source *source, const Declaration *declaration, const Uses *uses,
                  const RewriteShape *shape, const RowPitch *pitch, bool only);

/* ---- launch.c ---- */

/* What a launch asks for with a layout: "2 * 32 * 33 * sizeof(float)", or "(bytes + 127) / 128 * 132" */
const char *launch_bytes_text(Arena *arena, const Code *code, Range size, const Layout *layout,
                              const RowPitch *pitch);
/* A line above the declaration: which bytes a launch has to ask for. Nothing, where that is what it asked for. */
Edit dynamic_comment(Arena *arena, const Declaration *declaration, const Layout *layout);

/* ---- edit.c ---- */

typedef struct ShapedArray {
    Declaration *declaration;
    RewriteShape shape;
    RowPitch pitch;         /* SHAPE_PITCHED */
    PitchConstant constant; /* SHAPE_CONSTANT */
    MemberSplit members;    /* SHAPE_MEMBERS */
    Carry *carries;         /* of each use, with a function of the index; or NULL */
    LaunchSizes launches;   /* of a dynamic array that grows */
    Uses uses;
    struct ShapedArray *next; /* of another member of the same class */
} ShapedArray;

/* The edits of one file for the arrays that are declared in it, in order. */
void edits_make(Arena *arena, const Code *code, ShapedArray *const *arrays, uint32_t count,
                EditList *edits);

/* ---- vectors.c ---- */

/* The edits, in order, that let the function whose body begins at token `brace` access neighbours together. outer: where the
 * declaration of the file that it is in begins. false: it has none. */
bool neighbours_write(Arena *arena, const Code *code, uint32_t outer, uint32_t brace,
                      const KernelPointers *pointers, EditList *edits);

/* ---- wholes.c ---- */

/* The edits that take elements of the pointers whole, where a thread accesses several members of one. members: how many the structure
 * has. false: there is no such element. */
bool wholes_write(Arena *arena, const Code *code, uint32_t brace, const KernelPointers *pointers,
                  uint32_t members, EditList *edits);
