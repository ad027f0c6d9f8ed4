/* The rows of ops.def that compute from registers of their lane: every spelling, with registers that
 * its operands ask for. */
#include "vectors.h"

#include <string.h>

enum { SLOTS = 64 }; /* of a kernel */

/* Rows about memory, control flow and communication; those that need more than a line are made in
 * warpwide.c. */
static bool is_pure(Op op) {
    return op_info(op)->kind != OP_KIND_OTHER && !op_has(op, TRAIT_CARRY) && op != OP_mov;
}

typedef struct Operands {
    Type result, second; /* second: of p|q */
    uint32_t inputs;
    Type input[4];
    bool immediate; /* the last one is a constant */
} Operands;

static Type type_of(Str text, const Mods *mods) {
    if (str_is(text, "t"))
        return (Type)mods->type;
    if (str_is(text, "t2"))
        return (Type)mods->type2;
    return type_named(text);
}

/* "=t|pred, t2>, !pred?, u32#" */
static Operands operands_of(Op op, const Mods *mods) {
    Operands operands = {TYPE_NONE, TYPE_NONE, 0, {TYPE_NONE}, false};
    const bool is_half_scalar = op == OP_setp_half && type_bytes((Type)mods->type) == 2;
    for (const char *at = op_info(op)->operands; *at;) {
        at += strspn(at, " ,");
        const size_t length = strcspn(at, ",");
        const char *name = at + strspn(at, "=!");
        const Type type = type_of((Str){name, strcspn(name, ",|>&?#")}, mods);
        const bool optional = memchr(at, '?', length);
        if (*at == '=') {
            operands.result = type;
            operands.second = memchr(at, '|', length) && !is_half_scalar ? TYPE_PRED : TYPE_NONE;
        } else if (memchr(at, '#', length)) {
            operands.immediate = true;
        } else if (!optional || mods->func != FUNC_NONE) {
            operands.input[operands.inputs++] = type;
        }
        at += length;
    }
    return operands;
}

static uint32_t cases_of(Op op, const Operands *operands) {
    if (operands->immediate)
        return 512;
    const uint32_t first = type_bytes(operands->input[0]);
    if (operands->inputs == 1)
        return first == 2 ? 65536 : first == 1 ? 1024 : first == 4 ? 16384 : 8192;
    bool compares = op_info(op)->kind == OP_KIND_COMPARE || op == OP_set || op == OP_set_half ||
                    op == OP_setp_half;
    return compares ? 2048 : 8192;
}

static void print_registers(FILE *out, const Operands *operands, uint32_t bytes) {
    if (operands->result == TYPE_PRED)
        fputs("{ .reg .pred p, q; .reg .b16 d, e; ", out);
    else
        fprintf(out, "{ .reg .b%u d; ", 8 * bytes);
}

/* bytes: of the result's register; extra: a constant operand or NULL */
static void add_slot(Plan *plan, Kernel *kernel, const char *spelling, const Operands *operands,
                     uint32_t bytes, const char *extra) {
    char name[NAME_BYTES];
    const uint32_t natural = operands->result == TYPE_PRED ? 1 : type_bytes(operands->result);
    snprintf(name, sizeof name, "%s%s%s%s", spelling, extra ? " " : "", extra ? extra : "",
             bytes == 8 && natural < 8 ? " wide" : "");
    const Type type = bytes == natural ? operands->result : bytes == 4 ? TYPE_B32 : TYPE_B64;
    const Slot *slot = kernel_slot(plan, kernel, name, type);
    FILE *out = kernel->body;
    print_registers(out, operands, bytes);
    const bool both = operands->second == TYPE_PRED;
    fprintf(out, "%s %s", spelling, operands->result != TYPE_PRED ? "d" : both ? "p|q" : "p");
    for (uint32_t i = 0; i < operands->inputs; i++)
        fprintf(out, ", %%a%u", i);
    fprintf(out, "%s%s; ", extra ? ", " : "", extra ? extra : "");
    if (operands->result == TYPE_PRED)
        fputs("selp.b16 d, 1, 0, p; ", out);
    if (both)
        fputs("selp.b16 e, 2, 0, q; or.b16 d, d, e; ", out);
    slot_store(kernel, slot, "d");
    slot_end(kernel, spelling);
}

static bool same_inputs(const Kernel *kernel, Op op, const Operands *operands) {
    if (kernel->op != op || kernel->inputs.count != operands->inputs)
        return false;
    for (uint32_t i = 0; i < operands->inputs; i++)
        if (kernel->inputs.at[i].type != operands->input[i])
            return false;
    return true;
}

/* The kernel under way with the same inputs, or a new one. first: the row's first kernel. */
static Kernel *kernel_for(Plan *plan, uint32_t first, Op op, const Operands *operands) {
    for (uint32_t k = first; k < plan->kernels.count; k++)
        if (plan->kernels.at[k]->slots.count < SLOTS &&
            same_inputs(plan->kernels.at[k], op, operands))
            return plan->kernels.at[k];
    Kernel *kernel = kernel_open(plan, op, cases_of(op, operands));
    for (uint32_t i = 0; i < operands->inputs; i++)
        kernel_input(plan, kernel, FILL_VALUE, operands->input[i]);
    return kernel;
}

static void add_spelling(Plan *plan, uint32_t first, Op op, const char *spelling) {
    if (!plan_takes(plan, op, spelling))
        return;
    const Mods mods = isa_match(plan->arena, str_of(spelling)).mods;
    const Operands operands = operands_of(op, &mods);
    const uint32_t natural = operands.result == TYPE_PRED ? 1 : type_bytes(operands.result);
    const bool is_narrow = natural == 1 && operands.result != TYPE_PRED;
    for (uint32_t constant = 0; constant < (operands.immediate ? 256 : 1); constant++) {
        char text[8];
        snprintf(text, sizeof text, "%u", constant);
        add_slot(plan, kernel_for(plan, first, op, &operands), spelling, &operands,
                 is_narrow ? 4 : natural, operands.immediate ? text : NULL);
    }
    if (op == OP_cvt && natural < 8 && !type_is_float(operands.result) &&
        type_bytes(operands.input[0]) != 2)
        add_slot(plan, kernel_for(plan, first, op, &operands), spelling, &operands, 8, NULL);
}

void plan_rows(Plan *plan) {
    for (Op op = OP_NONE + 1; op < OP_COUNT; op++) {
        if (!is_pure(op) || strncmp(op_info(op)->syntax, "machine.", 8) == 0) /* no PTX */
            continue;
        const uint32_t first = plan->kernels.count;
        Spellings spellings = {0};
        spellings_of(plan->arena, op_info(op)->syntax, &spellings);
        for (uint32_t i = 0; i < spellings.count; i++)
            add_spelling(plan, first, op, spellings.at[i]);
        for (uint32_t k = first; k < plan->kernels.count; k++)
            kernel_close(plan->kernels.at[k]);
    }
}
