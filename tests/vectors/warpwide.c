/* Kernels for instructions that need more than a line: carries between two instructions, operations
 * over the lanes of a warp with all lanes and with some, atomics on a cell of each thread's own. */
#include "vectors.h"

#include <string.h>

enum { WARP_CASES = 4096 };

/* ---- carries ---- */

/* The carry is set before by an addition or a subtraction, and read after; a row of each kind is
 * tried with both. */
static void add_carry_slots(Plan *plan, Kernel *kernel, const char *spelling, bool subtracts) {
    char name[NAME_BYTES];
    const Type type = kernel->inputs.at[1].type;
    const bool three = kernel->inputs.count > 3;
    snprintf(name, sizeof name, "%s after %s.cc", spelling, subtracts ? "sub" : "add");
    const Slot result = *kernel_slot(plan, kernel, name, type);
    const bool ends_sub = strncmp(spelling, "sub", 3) == 0;
    snprintf(name, sizeof name, "%s after %s.cc, carry", spelling, subtracts ? "sub" : "add");
    const Slot carry = *kernel_slot(plan, kernel, name, TYPE_B32);
    fprintf(kernel->body, "{ .reg .b%u d; .reg .b32 e, f; %s; %s d, %%a1, %%a2%s; ",
            8 * type_bytes(type),
            subtracts ? "sub.cc.u32 f, 0, %a0" : "add.cc.u32 f, %a0, 0xffffffff", spelling,
            three ? ", %a3" : "");
    fprintf(kernel->body, "%s.u32 e, 0, 0; ", ends_sub ? "subc" : "addc");
    slot_store(kernel, &result, "d");
    slot_store(kernel, &carry, "e");
    slot_end(kernel, spelling);
}

void plan_carries(Plan *plan) {
    static const Op rows[] = {OP_add_cc,    OP_addc,      OP_sub_cc,  OP_subc,
                              OP_mad_lo_cc, OP_mad_hi_cc, OP_madc_lo, OP_madc_hi};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        Spellings spellings = {0};
        spellings_of(plan->arena, op_info(rows[r])->syntax, &spellings);
        for (uint32_t i = 0; i < spellings.count; i++) {
            if (!plan_takes(plan, rows[r], spellings.at[i]))
                continue;
            const Type type = (Type)isa_match(plan->arena, str_of(spellings.at[i])).mods.type;
            Kernel *kernel = kernel_open(plan, rows[r], WARP_CASES);
            kernel_input(plan, kernel, FILL_BIT, TYPE_B32);
            for (uint32_t k = 0; k < (r < 4 ? 2 : 3); k++)
                kernel_input(plan, kernel, FILL_VALUE, type);
            add_carry_slots(plan, kernel, spellings.at[i], false);
            add_carry_slots(plan, kernel, spellings.at[i], true);
            kernel_close(kernel);
        }
    }
}

/* ---- over the lanes of a warp ---- */

/* An instruction whose last operand is the members' mask: in the lanes of the mask only where the
 * kernel has such an input, %m. pred: it gives a predicate as well, or alone (both == false). */
static void add_warp_slots(Plan *plan, Kernel *kernel, const char *spelling, const char *operands,
                           Type result, bool with_pred, uint32_t members) {
    const bool some = members < kernel->inputs.count;
    char name[NAME_BYTES];
    snprintf(name, sizeof name, "%s%s", spelling, some ? " members" : "");
    Slot slots[2] = {{0}, {0}};
    if (result != TYPE_PRED)
        slots[0] = *kernel_slot(plan, kernel, name, result);
    snprintf(name, sizeof name, "%s%s%s", spelling, some ? " members" : "",
             result == TYPE_PRED ? "" : ", predicate");
    if (with_pred)
        slots[1] = *kernel_slot(plan, kernel, name, TYPE_PRED);
    fprintf(kernel->body,
            "{ .reg .pred p, in; .reg .b32 d, m; .reg .b16 e; mov.b32 d, 0; mov.b16 e, 0; ");
    if (some)
        fprintf(kernel->body,
                "mov.b32 m, %%a%u; shr.u32 d, m, %%lane; and.b32 d, d, 1; setp.eq.u32 in, d, 0; "
                "mov.b32 d, 0; @in bra SKIP%llu; ",
                members, (unsigned long long)kernel->out_bytes);
    else
        fprintf(kernel->body, "mov.b32 m, -1; ");
    fprintf(kernel->body, "%s %s%s; ", spelling,
            result == TYPE_PRED ? "p"
            : with_pred         ? "d|p"
                                : "d",
            operands);
    if (with_pred)
        fprintf(kernel->body, "selp.b16 e, 1, 0, p; ");
    if (some)
        fprintf(kernel->body, "SKIP%llu: ", (unsigned long long)kernel->out_bytes);
    if (result != TYPE_PRED)
        slot_store(kernel, &slots[0], "d");
    if (with_pred)
        slot_store(kernel, &slots[1], "e");
    slot_end(kernel, spelling);
}

static void add_shuffles(Plan *plan) {
    static const struct {
        const char *spelling;
        Func mode;
    } modes[] = {{"shfl.sync.up.b32", FUNC_UP},
                 {"shfl.sync.down.b32", FUNC_DOWN},
                 {"shfl.sync.bfly.b32", FUNC_BFLY},
                 {"shfl.sync.idx.b32", FUNC_IDX}};
    for (uint32_t some = 0; some < 2; some++)
        for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
            Kernel *kernel = kernel_open(plan, OP_shfl_sync, WARP_CASES);
            kernel_input(plan, kernel, FILL_VALUE, TYPE_B32);
            const uint32_t b =
                kernel_input(plan, kernel, some ? FILL_SHUFFLE_IN : FILL_SHUFFLE_B, TYPE_B32);
            kernel->inputs.at[b].mode = modes[i].mode;
            kernel_input(plan, kernel, FILL_SHUFFLE_C, TYPE_B32);
            if (some)
                kernel_input(plan, kernel, FILL_MEMBERS, TYPE_B32);
            add_warp_slots(plan, kernel, modes[i].spelling, ", %a0, %a1, %a2, m", TYPE_B32, true,
                           3);
            kernel_close(kernel);
        }
}

typedef struct WarpRow {
    Op op;
    Fill fill;
    Type type, result; /* TYPE_NONE: the instruction has no operand but the members */
    bool with_pred;
} WarpRow;

static void add_warp_row(Plan *plan, const WarpRow *row, bool some) {
    Spellings spellings = {0};
    spellings_of(plan->arena, op_info(row->op)->syntax, &spellings);
    for (uint32_t i = 0; i < spellings.count; i++) {
        if (!plan_takes(plan, row->op, spellings.at[i]))
            continue;
        const Type type = row->type == TYPE_B64
                              ? (Type)isa_match(plan->arena, str_of(spellings.at[i])).mods.type
                              : row->type;
        Kernel *kernel = kernel_open(plan, row->op, WARP_CASES);
        kernel_input(plan, kernel, row->fill, type);
        const uint32_t members = some ? kernel_input(plan, kernel, FILL_MEMBERS, TYPE_B32) : 9;
        add_warp_slots(plan, kernel, spellings.at[i], row->op == OP_elect ? ", m" : ", %a0, m",
                       row->result, row->with_pred, members);
        kernel_close(kernel);
    }
}

static void add_activemask(Plan *plan) {
    Kernel *kernel = kernel_open(plan, OP_activemask, WARP_CASES);
    const uint32_t members = kernel_input(plan, kernel, FILL_MEMBERS, TYPE_B32);
    add_warp_slots(plan, kernel, "activemask.b32", "", TYPE_B32, false, members);
    kernel_close(kernel);
}

void plan_warpwide(Plan *plan) {
    static const WarpRow rows[] = {
        {OP_vote_sync, FILL_VOTE, TYPE_PRED, TYPE_PRED, true},
        {OP_ballot_sync, FILL_VOTE, TYPE_PRED, TYPE_B32, false},
        {OP_match_any, FILL_FEW, TYPE_B64, TYPE_B32, false},
        {OP_match_all, FILL_FEW, TYPE_B64, TYPE_B32, true},
        {OP_redux, FILL_VALUE, TYPE_B32, TYPE_B32, false},
        {OP_elect, FILL_BIT, TYPE_B32, TYPE_B32, true},
    };
    add_shuffles(plan);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        add_warp_row(plan, &rows[i], false);
        add_warp_row(plan, &rows[i], true);
    }
    add_activemask(plan);
}

/* ---- atomics ---- */

typedef struct CellPlace {
    const char *title, *space, *address; /* of the cell; %s: its register */
    bool is_shared;
} CellPlace;

/* A cell holds input 0; the others are operands. What the instruction returns and what the cell
 * holds then are results. */
static void add_atomic(Plan *plan, Op op, const CellPlace *place, const char *rest, Type type,
                       uint32_t operands) {
    char spelling[NAME_BYTES], name[2 * NAME_BYTES];
    snprintf(spelling, sizeof spelling, "%s%s.%s", op == OP_red ? "red" : "atom", place->space,
             rest);
    if (!plan_takes(plan, op, spelling))
        return;
    const bool returns = op != OP_red;
    Kernel *kernel = kernel_open(plan, op, WARP_CASES);
    kernel_input(plan, kernel, FILL_VALUE, type);
    for (uint32_t i = 1; i <= operands; i++)
        kernel_input(plan, kernel, operands == 2 && i == 1 ? FILL_COMPARE : FILL_VALUE, type);
    Slot old = {0};
    snprintf(name, sizeof name, "%s%s", spelling, place->title);
    if (returns)
        old = *kernel_slot(plan, kernel, name, type);
    snprintf(name, sizeof name, "%s%s, memory", spelling, place->title);
    const Slot cell = *kernel_slot(plan, kernel, name, type);
    const uint32_t bytes = cell.bytes, bits = 8 * bytes;
    FILE *out = kernel->body;
    fprintf(out, "{ .reg .b%u d, e; .reg .b32 s; .reg .b64 g; ", bits);
    if (place->is_shared)
        fprintf(out,
                ".shared .align 8 .b8 cells[%u]; mov.u32 s, cells; mov.u32 %%block, %%tid.x; "
                "mad.lo.u32 s, %%block, %u, s; cvt.u64.u32 g, s; cvta.shared.u64 g, g; "
                "st.shared.b%u [s], %%a0; ",
                BLOCK_THREADS * bytes, bytes, bits);
    else
        fprintf(out, "add.u64 g, %%o%u, %llu; st.global.b%u [g], %%a0; ", bytes,
                (unsigned long long)cell.offset, bits);
    fprintf(out, "%s %s[%s], %%a1%s; ", spelling, returns ? "d, " : "", place->address,
            operands == 2 ? ", %a2" : "");
    if (returns)
        slot_store(kernel, &old, "d");
    if (place->is_shared) {
        fprintf(out, "ld.shared.b%u e, [s]; ", bits);
        slot_store(kernel, &cell, "e");
    }
    slot_end(kernel, spelling);
    kernel_close(kernel);
}

void plan_atomics(Plan *plan) {
    static const CellPlace places[] = {{"", ".global", "g", false},
                                       {"", ".shared", "s", true},
                                       {" generic to global", "", "g", false},
                                       {" generic to shared", "", "g", true}};
    static const char *const rests[] = {
        "and.b32",        "and.b64",          "or.b32",   "or.b64",        "xor.b32",
        "xor.b64",        "exch.b32",         "exch.b64", "add.u32",       "add.s32",
        "add.u64",        "add.f32",          "add.f64",  "add.noftz.f16", "add.noftz.f16x2",
        "add.noftz.bf16", "add.noftz.bf16x2", "inc.u32",  "dec.u32",       "min.u32",
        "min.s32",        "min.u64",          "min.s64",  "max.u32",       "max.s32",
        "max.u64",        "max.s64",          "cas.b16",  "cas.b32",       "cas.b64"};
    for (size_t p = 0; p < sizeof places / sizeof *places; p++)
        for (size_t r = 0; r < sizeof rests / sizeof *rests; r++) {
            const Type type = type_named(str_of(strrchr(rests[r], '.') + 1));
            const bool is_cas = strncmp(rests[r], "cas", 3) == 0;
            add_atomic(plan, is_cas ? OP_atom_cas : OP_atom, &places[p], rests[r], type,
                       is_cas + 1u);
            if (!is_cas)
                add_atomic(plan, OP_red, &places[p], rests[r], type, 1);
        }
}
