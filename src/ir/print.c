/* A module as text, for goldens and people: what the parser understood, one line for each thing.
 *
 *   12  @!%p1  ld ld.global.f32 %f1, [%rd3+8]   site 2   1:20:5 in f < 1:40:3
 *
 * is instruction 12, its guard, the row of ops.def, the spelling, operands as resolved, the site,
 * and the source line with where it was inlined. Immediates are bits of the operand's type. */
#include "ir/ir.h"

#include <ctype.h>
#include <inttypes.h>

static void print_operand(const Function *function, const Operand *operand, FILE *out);

static void print_list(const Function *function, const Operand *operand, const char *separator,
                       FILE *out) {
    for (uint32_t i = 0; i < operand->count; i++) {
        fputs(i ? separator : "", out);
        print_operand(function, &operand->elements[i], out);
    }
}

static void print_offset(int64_t offset, FILE *out) {
    if (offset)
        fprintf(out, "%+" PRId64, offset);
}

static void print_address(const Function *function, const Operand *operand, FILE *out) {
    fputc('[', out);
    if (operand->reg != NO_REG)
        fputs(function->regs.at[operand->reg].name, out);
    else if (operand->variable)
        fputs(operand->variable->name, out);
    else
        fputc('0', out);
    print_offset(operand->offset, out);
    fputc(']', out);
}

static void print_special(const Operand *operand, FILE *out) {
    fputs(special_name(operand->special), out);
    if (operand->special == SREG_ENVREG || operand->special == SREG_PM ||
        operand->special == SREG_RESERVED_SMEM)
        fprintf(out, "%" PRIu64, operand->bits);
}

static void print_operand(const Function *function, const Operand *operand, FILE *out) {
    switch (operand->kind) {
    case OPERAND_NONE:
        fputs("none", out);
        break;
    case OPERAND_REG:
        fprintf(out, "%s%s", operand->negated ? "!" : "", function->regs.at[operand->reg].name);
        break;
    case OPERAND_IMM:
        fprintf(out, "0x%" PRIx64 ":%s", operand->bits, type_name(operand->type));
        break;
    case OPERAND_SPECIAL:
        print_special(operand, out);
        break;
    case OPERAND_SYMBOL:
        fprintf(out, "&%s", operand->variable->name);
        print_offset(operand->offset, out);
        break;
    case OPERAND_ADDRESS:
        print_address(function, operand, out);
        if (operand->count) {
            fputs(" at {", out);
            print_list(function, operand, ", ", out);
            fputc('}', out);
        }
        break;
    case OPERAND_VECTOR:
        fputc('{', out);
        print_list(function, operand, ", ", out);
        fputc('}', out);
        break;
    case OPERAND_PAIR:
        print_list(function, operand, "|", out);
        break;
    case OPERAND_SINK:
        fputc('_', out);
        break;
    case OPERAND_LABEL:
        fprintf(out, "->%u", operand->target);
        break;
    case OPERAND_FUNCTION:
        fputs(operand->function->name, out);
        break;
    }
}

/* Inlined frames from the innermost on; a chain is as long as its locations are many at most. */
static void print_location(const Module *module, uint32_t index, FILE *out) {
    for (const char *before = "   "; index != NO_LOCATION; before = " < ") {
        const SourceLocation *location = &module->locations.at[index];
        fprintf(out, "%s%u:%u:%u", before, location->file, location->line, location->column);
        if (location->function)
            fprintf(out, " in %s", location->function);
        index = location->inlined_at;
    }
}

static Str spelling(const Insn *insn) {
    size_t length = 0;
    while (length < insn->text.length && insn->text.at[length] > ' ' &&
           insn->text.at[length] != ';')
        length++;
    return (Str){insn->text.at, length};
}

const char *insn_text(Arena *arena, const Insn *insn) {
    Str text = insn->text;
    char *to = arena_alloc(arena, text.length + 1), *at = to;
    for (size_t i = 0; i < text.length; i++) {
        char c = isspace((unsigned char)text.at[i]) ? ' ' : text.at[i];
        if (c != ' ' || (at > to && at[-1] != ' '))
            *at++ = c;
    }
    while (at > to && at[-1] == ' ')
        at--;
    *at = 0;
    return to;
}

static void print_insn(const Function *function, uint32_t index, FILE *out) {
    const Insn *insn = &function->insns.at[index];
    fprintf(out, "  %4u  ", index);
    if (insn->guard != NO_REG)
        fprintf(out, "@%s%s  ", insn->guard_negated ? "!" : "",
                function->regs.at[insn->guard].name);
    fprintf(out, "%s " STR_FMT, op_info(insn->op)->id, STR_ARG(spelling(insn)));
    for (uint32_t i = 0; i < insn->operand_count; i++) {
        fputs(i ? ", " : " ", out);
        print_operand(function, &insn->operands[i], out);
    }
    if (insn->site != NO_SITE)
        fprintf(out, "   site %u", insn->site);
    if (insn->used_bytes_mask)
        fprintf(out, "   used 0x%x", insn->used_bytes_mask);
    print_location(function->module, insn->location, out);
    fputc('\n', out);
}

static void print_blocks(const Function *function, FILE *out) {
    for (uint32_t b = 0; b < function->blocks.count; b++) {
        const Block *block = &function->blocks.at[b];
        fprintf(out, "  block %u", b);
        const char *before = " -> ";
        for (uint32_t i = 0; i < block_successor_count(block); i++)
            if (block_successor(block, i) != NO_INDEX) {
                fprintf(out, "%s%u", before, block_successor(block, i));
                before = ", ";
            }
        if (block->ipdom != NO_INDEX)
            fprintf(out, "   meet %u", block->ipdom);
        fputc('\n', out);
        for (uint32_t i = block->first; i < block->first + block->count; i++)
            print_insn(function, i, out);
    }
}

static void print_data(const Variable *variable, FILE *out) {
    enum { SHOWN = 64 };
    if (!variable->data)
        return;
    fputs(" =", out);
    for (uint64_t i = 0; i < variable->bytes && i < SHOWN; i++)
        fprintf(out, "%s%02x", i % 4 ? "" : " ", variable->data[i]);
    fputs(variable->bytes > SHOWN ? " …" : "", out);
    for (uint32_t i = 0; i < variable->relocations.count; i++) {
        const Relocation *relocation = &variable->relocations.at[i];
        const char *name =
            relocation->target ? relocation->target->name : relocation->function->name;
        fprintf(out, " @%" PRIu64 ":%s%s", relocation->offset,
                relocation->generic ? "generic " : "&", name);
        print_offset(relocation->addend, out);
    }
}

static void print_variable(const char *label, const Variable *variable, FILE *out) {
    fprintf(out, "%s %s %s", label, space_name(variable->space), variable->name);
    fprintf(out, " bytes %" PRIu64 " align %u offset %" PRIu64 " ", variable->bytes,
            variable->align, variable->offset);
    if (variable->vector > 1)
        fprintf(out, "v%u.", variable->vector);
    fputs(type_name(variable->type), out);
    fputs(variable->is_extern ? " extern" : "", out);
    fputs(variable->is_visible ? " visible" : "", out);
    fputs(variable->is_weak ? " weak" : "", out);
    fputs(variable->is_managed ? " managed" : "", out);
    print_data(variable, out);
    fputc('\n', out);
}

static void print_limits(const Function *function, FILE *out) {
    const uint32_t *max = function->max_threads, *required = function->required_threads;
    if (max[0])
        fprintf(out, " maxntid %u,%u,%u", max[0], max[1], max[2]);
    if (required[0])
        fprintf(out, " reqntid %u,%u,%u", required[0], required[1], required[2]);
    const uint32_t *cluster = function->required_cluster;
    if (cluster[0])
        fprintf(out, " reqnctapercluster %u,%u,%u", cluster[0], cluster[1], cluster[2]);
    fputs(function->explicit_cluster ? " explicitcluster" : "", out);
    if (function->min_blocks_per_sm)
        fprintf(out, " minnctapersm %u", function->min_blocks_per_sm);
    if (function->max_registers)
        fprintf(out, " maxnreg %u", function->max_registers);
}

static void print_function(const Function *function, FILE *out) {
    fprintf(out, "\n%s %s", function->is_entry ? "entry" : "func", function->name);
    fputs(function->is_extern ? " extern" : "", out);
    fputs(function->is_visible ? " visible" : "", out);
    fputs(function->is_weak ? " weak" : "", out);
    fputs(function->is_noreturn ? " noreturn" : "", out);
    print_limits(function, out);
    fprintf(out, "\n  sites %u, param %u, local %u, shared %u bytes", function->sites,
            function->param_bytes, function->local_bytes, function->shared_bytes);
    print_location(function->module, function->location, out);
    fputc('\n', out);
    for (uint32_t i = 0; i < function->results.count; i++)
        print_variable("  result", function->results.at[i], out);
    for (uint32_t i = 0; i < function->params.count; i++)
        print_variable("  param", function->params.at[i], out);
    for (uint32_t i = 0; i < function->locals.count; i++)
        print_variable("  variable", function->locals.at[i], out);
    for (uint32_t i = 0; i < function->shared.count; i++)
        print_variable("  layout", function->shared.at[i], out);
    for (uint32_t i = 0; i < function->regs.count;) { /* neighbours of one type together */
        uint32_t first = i;
        while (i < function->regs.count &&
               function->regs.at[i].type == function->regs.at[first].type)
            i++;
        fprintf(out, "  registers %s %s … %s\n", type_name(function->regs.at[first].type),
                function->regs.at[first].name, function->regs.at[i - 1].name);
    }
    print_blocks(function, out);
}

void module_print(const Module *module, FILE *out) {
    fprintf(out, "module version %u.%u target %s address %u\n", module->version_major,
            module->version_minor, module->target, module->address_size);
    for (uint32_t i = 0; i < module->files.count; i++)
        fprintf(out, "file %u \"%s\"\n", module->files.at[i].number, module->files.at[i].path);
    for (uint32_t i = 0; i < module->variables.count; i++)
        print_variable("variable", module->variables.at[i], out);
    for (uint32_t i = 0; i < module->functions.count; i++)
        print_function(module->functions.at[i], out);
}
