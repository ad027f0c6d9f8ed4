/* translate [--why | --tidied] MODULE.ptx LISTING [KERNEL …]: what machine_translate makes of kernels, from an `nvdisasm -gp` listing of what
 * ptxas made of the module; of all without names. --why: one line for each, "KERNEL: yes" or why it is not translated.
 * --tidied: what is executed of it, without what counts and does nothing.
 * Exit status 1 where one is not. */
#include "machine/machine.h"
#include "ptx/ptx.h"

#include <stdlib.h>
#include <string.h>

static bool named(char **names, const char *name) {
    if (!*names)
        return true;
    for (; *names; names++) {
        if (strcmp(*names, name) == 0)
            return true;
    }
    return false;
}

/* The body alone, since what stands around it is as it was; and without declarations of registers, which say how many each
 * of the instructions needs. */
static void print_body(const char *text, const Function *kernel) {
    const char *line = text;
    for (uint32_t n = 1; n < kernel->line; n++)
        line = strchr(line, '\n') + 1;
    bool inside = true;
    while (inside && *line) {
        size_t length = strcspn(line, "\n");
        inside = *line != '}';
        if (strncmp(line, ".reg ", 5) != 0)
            printf("%.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
    printf("\n");
}

/* Registers by their numbers: several have one name. */
static void print_operand(const Operand *operand, const char *before) {
    printf("%s%s", before, operand->negated ? "!" : "");
    if (operand->kind == OPERAND_REG)
        printf("%%%u", operand->reg);
    else if (operand->kind == OPERAND_IMM)
        printf("0x%llx", (unsigned long long)operand->bits);
    else if (operand->kind == OPERAND_SPECIAL)
        printf("%s", special_name(operand->special));
    else if (operand->kind == OPERAND_ADDRESS && operand->reg != NO_REG)
        printf("[%%%u%+lld]", operand->reg, (long long)operand->offset);
    else if (operand->kind == OPERAND_ADDRESS)
        printf("[%s%+lld]", operand->variable ? operand->variable->name : "",
               (long long)operand->offset);
    else if (operand->kind == OPERAND_LABEL)
        printf("to %u", operand->target);
    else
        printf("{");
    for (uint32_t i = 0; i < operand->count; i++)
        print_operand(&operand->elements[i], i ? ", " : "");
    printf("%s", operand->count ? "}" : "");
}

static void print_tidied(Arena *arena, const MachineText *text, const Function *kernel) {
    const char *why = NULL;
    const Function *function = machine_parse(arena, text, kernel, &why);
    printf("%s\n", why ? why : kernel->name);
    for (uint32_t i = 0; function && i < function->insns.count; i++) {
        const Insn *insn = &function->insns.at[i];
        if (insn->op == OP_machine_nop)
            continue;
        printf("%5u  ", insn->machine);
        if (insn->guard != NO_REG)
            printf("@%s%%%u ", insn->guard_negated ? "!" : "", insn->guard);
        printf("%s", op_info(insn->op)->id);
        for (uint32_t k = 0; k < insn->operand_count; k++)
            print_operand(&insn->operands[k], k ? ", " : " ");
        printf("\n");
    }
    printf("\n");
}

static bool show(Arena *arena, const MachineCode *code, const Function *kernel,
                 const char *option) {
    MachineText result = machine_translate(arena, code, kernel);
    const bool why = strcmp(option, "--why") == 0;
    if (result.text && strcmp(option, "--tidied") == 0) {
        print_tidied(arena, &result, kernel);
        return true;
    }
    if (result.registers && !why)
        printf("registers %u, stack %u\n", result.registers, result.stack_bytes);
    if (why)
        printf("%s: %s\n", kernel->name, result.text ? "yes" : result.why);
    else if (result.text)
        print_body(result.text, kernel);
    else
        printf("%s is not translated: %s\n\n", kernel->name, result.why);
    return result.text != NULL;
}

int main(int argc, char **argv) {
    const char *option = argc > 1 && argv[1][0] == '-' ? argv[1] : "";
    argv += *option != 0;
    argc -= *option != 0;
    if (argc < 3) {
        fputs("usage: translate [--why | --tidied] MODULE.ptx LISTING [KERNEL …]\n", stderr);
        return 2;
    }
    Arena *arena = arena_new();
    size_t size = 0, listed = 0;
    char *text = file_read(arena, argv[1], &size), *listing = file_read(arena, argv[2], &listed);
    Diags *diags = diags_new(arena);
    PtxIndex *index = text && listing ? ptx_index(arena, argv[1], text, size) : NULL;
    const Module *module = index ? ptx_parse(arena, argv[1], text, size, NULL, diags) : NULL;
    MachineCode *code = module ? machine_read(arena, listing, diags) : NULL;
    diags_print(diags, stderr, false);
    if (!code)
        return 2;
    bool all = true;
    for (uint32_t i = 0; i < module->functions.count; i++) {
        const Function *function = module->functions.at[i];
        if (!function->is_entry || !named(argv + 3, function->name))
            continue;
        Module *own = ptx_parse_kernel(arena, index, function->name, diags); /* what it reaches */
        all = show(arena, code, module_function(own, str_of(function->name)), option) && all;
    }
    arena_free(arena);
    return all ? 0 : 1;
}
