/* Kernels: their operands and results, and the PTX around the instructions. */
#include "vectors.h"

#include <stdlib.h>
#include <string.h>

static void read_rejected(Plan *plan, const char *path) {
    size_t size = 0;
    char *text = path ? file_read(plan->arena, path, &size) : NULL;
    for (char *line; text && (line = strsep(&text, "\n"));)
        if (*line && *line != '#')
            map_put(plan->rejected, str_of(line), 1);
}

bool plan_takes(const Plan *plan, Op op, const char *spelling) {
    uint64_t value;
    if (map_get(plan->rejected, str_of(spelling), &value))
        return false;
    const Match match = isa_match(plan->arena, str_of(spelling));
    return match.error == MATCH_OK && match.op == op;
}

Plan *plan_make(Arena *arena, const char *rejected) {
    Plan *plan = NEW(arena, Plan);
    plan->arena = arena;
    plan->rejected = map_new(arena);
    read_rejected(plan, rejected);
    plan_rows(plan);
    plan_carries(plan);
    plan_warpwide(plan);
    plan_atomics(plan);
    return plan;
}

Kernel *kernel_open(Plan *plan, Op op, uint32_t cases) {
    Arena *arena = plan->arena;
    const OpInfo *info = op_info(op);
    Kernel *kernel = NEW(arena, Kernel);
    kernel->op = op;
    kernel->cases = cases;
    kernel->name = arena_printf(arena, "%s_%u", info->id, plan->kernels.count);
    kernel->group = arena_copy(arena, info->syntax, strcspn(info->syntax, ".[{ "));
    kernel->body = open_memstream(&kernel->text, &kernel->text_length);
    *vec_add(arena, &plan->kernels) = kernel;
    return kernel;
}

static uint32_t input_bytes(Type type) {
    const uint32_t bytes = type_bytes(type);
    return type == TYPE_PRED ? 1 : bytes == 1 ? 4 : bytes;
}

uint32_t kernel_input(Plan *plan, Kernel *kernel, Fill fill, Type type) {
    *vec_add(plan->arena, &kernel->inputs) = (Input){fill, type, FUNC_NONE, kernel->in_bytes};
    kernel->in_bytes += (uint64_t)input_bytes(type) * kernel->cases;
    return kernel->inputs.count - 1;
}

Slot *kernel_slot(Plan *plan, Kernel *kernel, const char *name, Type type) {
    Slot slot = {arena_copy(plan->arena, name, strlen(name)), type,
                 type == TYPE_PRED ? 1 : type_bytes(type), kernel->out_bytes};
    kernel->out_bytes += (uint64_t)slot.bytes * kernel->cases;
    Slot *place = vec_add(plan->arena, &kernel->slots);
    *place = slot;
    return place;
}

void slot_store(const Kernel *kernel, const Slot *slot, const char *reg) {
    fprintf(kernel->body, "st.global.b%u [%%o%u+%llu], %s; ", slot->bytes * 8, slot->bytes,
            (unsigned long long)slot->offset, reg);
}

void slot_end(const Kernel *kernel, const char *spelling) {
    fprintf(kernel->body, "} // %s\n", spelling);
}

void kernel_close(Kernel *kernel) {
    fclose(kernel->body);
    kernel->body = NULL;
}

static void print_input(FILE *out, const Input *input, uint32_t i) {
    const uint32_t bytes = input_bytes(input->type);
    if (input->type == TYPE_PRED)
        fprintf(out, ".reg .pred %%a%u; .reg .b16 %%x%u;\n", i, i);
    else
        fprintf(out, ".reg .b%u %%a%u;\n", 8 * bytes, i);
    fprintf(out, "mad.wide.u32 %%at, %%thread, %u, %%in;\n", bytes);
    fprintf(out, "ld.global.b%u %%%s%u, [%%at+%llu];\n", 8 * bytes,
            input->type == TYPE_PRED ? "x" : "a", i, (unsigned long long)input->offset);
    if (input->type == TYPE_PRED)
        fprintf(out, "setp.ne.u16 %%a%u, %%x%u, 0;\n", i, i);
}

char *kernel_ptx(Arena *arena, const Kernel *kernel) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    fprintf(out,
            ".version 9.0\n.target sm_90\n.address_size 64\n"
            ".visible .entry %s(.param .u64 in, .param .u64 out)\n{\n"
            ".reg .b32 %%thread, %%block, %%lane;\n.reg .b64 %%in, %%at, %%o1, %%o2, %%o4, %%o8;\n"
            "mov.u32 %%block, %%ctaid.x;\nmov.u32 %%thread, %%tid.x;\n"
            "mad.lo.u32 %%thread, %%block, %u, %%thread;\nand.b32 %%lane, %%thread, 31;\n"
            "ld.param.u64 %%in, [in];\nld.param.u64 %%at, [out];\n",
            kernel->name, (unsigned)BLOCK_THREADS);
    for (uint32_t bytes = 1; bytes <= 8; bytes *= 2)
        fprintf(out, "mad.wide.u32 %%o%u, %%thread, %u, %%at;\n", bytes, bytes);
    for (uint32_t i = 0; i < kernel->inputs.count; i++)
        print_input(out, &kernel->inputs.at[i], i);
    fputs(kernel->text, out);
    fputs("ret;\n}\n", out);
    fclose(out);
    char *copy = arena_copy(arena, text, length);
    free(text);
    return copy;
}

void kernel_operands(const Kernel *kernel, uint8_t *to) {
    for (uint32_t i = 0; i < kernel->inputs.count; i++) {
        const Input *input = &kernel->inputs.at[i];
        const uint32_t bytes = input_bytes(input->type);
        for (uint32_t index = 0; index < kernel->cases; index++) {
            const uint64_t value = operand_value(kernel, i, index);
            memcpy(to + input->offset + (uint64_t)bytes * index, &value, bytes);
        }
    }
}
