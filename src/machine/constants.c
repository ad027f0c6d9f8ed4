/* Banks of constants: 0 the parameters and what the driver tells a kernel, 2 literals, 3 __constant__ variables, 4
 * addresses of variables. What is read at a fixed place is read once, when the kernel begins, into %C registers.
 *
 * Places in bank 0: measured by what ptxas makes of PTX that asks for them (sm_75 … sm_120). */
#include "machine/translate.h"

#include <string.h>

/* Where parameters begin. */
static uint32_t params_begin(const Emit *e) {
    return e->arch >= 100 ? 0x380 : e->arch >= 90 ? 0x210 : 0x160;
}

uint32_t shared_base(const Emit *e) {
    return e->arch >= 90 ? 1024 : 0;
}

static void at_begin(Emit *e, const char *line) {
    *vec_add(e->arena, &e->prologue) = line;
}

/* ---- bank 0 ---- */

/* A parameter's alignment counts from the beginning of the bank, not of the parameters: .align 64 lies at 0x240 on sm_90, and at
 * 0x180 before, whatever PTX says (asked of ptxas for 16 to 128). */
uint32_t param_begin(const Emit *e, uint32_t number) {
    uint32_t at = params_begin(e);
    for (uint32_t i = 0;; i++) {
        const Variable *param = e->kernel->params.at[i];
        const uint32_t align = param->align ? param->align : 1;
        at = (at + align - 1) / align * align;
        if (i == number)
            return at;
        at += (uint32_t)param->bytes;
    }
}

/* The one that lies at an offset of the bank, and where it begins; NULL: none. */
static const Variable *param_at(const Emit *e, uint32_t offset, uint32_t *begin) {
    for (uint32_t i = 0; i < e->kernel->params.count; i++) {
        *begin = param_begin(e, i);
        if (offset >= *begin && offset < *begin + e->kernel->params.at[i]->bytes)
            return e->kernel->params.at[i];
    }
    return NULL;
}

/* Four bytes of the bank, put together from the parameters that lie there. */
static bool read_params(Emit *e, const char *name, uint32_t offset) {
    uint32_t begin = 0;
    const Variable *param = param_at(e, offset, &begin);
    if (param && offset + 4 <= begin + param->bytes) {
        at_begin(e, emit_printf(e, "ld.param.b32 %s, [%s+%u];", name, param->name, offset - begin));
        return true;
    }
    at_begin(e, emit_printf(e, "mov.b32 %s, 0;", name));
    for (uint32_t i = 0; i < 4; i++) {
        const Variable *part = param_at(e, offset + i, &begin);
        if (!part)
            continue; /* nothing lies there */
        at_begin(e, emit_printf(e, "ld.param.u8 %%pb, [%s+%u];", part->name, offset + i - begin));
        at_begin(e, "cvt.u32.u8 %px, %pb;");
        at_begin(e, emit_printf(e, "shl.b32 %%px, %%px, %u;", 8 * i));
        at_begin(e, emit_printf(e, "or.b32 %s, %s, %%px;", name, name));
    }
    return true;
}

/* Generic addresses at which a space begins: %gl and %gs, see translate.c. */
static bool read_window(Emit *e, const char *name, const char *window, bool high) {
    at_begin(e, high ? emit_printf(e, "mov.b64 {%%px, %s}, %s;", name, window)
                     : emit_printf(e, "mov.b64 {%s, %%px}, %s;", name, window));
    return true;
}

/* Places of what the driver tells: up to sm_89, on sm_90, and from sm_100 on; 0: not told there. */
enum { ARCHES = 3 };

static uint32_t arch_column(const Emit *e) {
    return e->arch >= 100 ? 2 : e->arch >= 90;
}

/* What PTX has a name for, by where ptxas reads it; each was asked for. The first words lie at 0 up to sm_90. */
static const char *driver_special(const Emit *e, uint32_t offset) {
    static const struct {
        uint16_t offset[ARCHES];
        const char *name;
    } words[] = {
        {{0x00, 0x00, 0x360}, "ntid.x"},
        {{0x04, 0x04, 0x364}, "ntid.y"},
        {{0x08, 0x08, 0x368}, "ntid.z"},
        {{0x0c, 0x0c, 0x370}, "nctaid.x"},
        {{0x10, 0x10, 0x374}, "nctaid.y"},
        {{0x14, 0x14, 0x378}, "nctaid.z"},
        {{0x2c, 0x2c, 0x2ac}, "dynamic_smem_size"},
        {{0x10c, 0x10c, 0x2d0}, "nsmid"},
        {{0xffff, 0x144, 0x2a0}, "cluster_nctaid.x"},
        {{0xffff, 0x148, 0x2a4}, "cluster_nctaid.y"},
        {{0xffff, 0x14c, 0x2a8}, "cluster_nctaid.z"},
        {{0xffff, 0x15c, 0x2c0}, "nclusterid.x"},
        {{0xffff, 0x160, 0x2c4}, "nclusterid.y"},
        {{0xffff, 0x164, 0x2c8}, "nclusterid.z"},
        {{0xffff, 0x188, 0x2cc}, "cluster_nctarank"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (words[i].offset[arch_column(e)] == offset)
            return words[i].name;
    }
    return NULL;
}

/* What cooperative groups are told, and where the driver's part of shared memory begins that they use; NULL: none of them. */
static const char *driver_words(Emit *e, uint32_t offset) {
    enum { REGISTERS = 6 };
    static const uint32_t environments[ARCHES] = {0x88, 0x40, 0x250},
                          reserves[ARCHES] = {0x120, 0x68, 0x278};
    const uint32_t environment = environments[arch_column(e)], reserved = reserves[arch_column(e)];
    if (offset >= environment && offset < environment + 4 * REGISTERS)
        return emit_printf(e, "envreg%u", (offset - environment) / 4);
    if (e->arch >= 80 && offset == reserved)
        return "reserved_smem_offset_end";
    return e->arch >= 80 && offset == reserved + 4 ? "reserved_smem_offset_1" : NULL;
}

/* From sm_90 on: 1 where the launch is of clusters, and one over the blocks that a cluster has, as a float. */
static bool read_cluster(Emit *e, const char *name, uint32_t offset) {
    static const uint32_t explicit[ARCHES] = {0, 0x140, 0x36c}, shares[ARCHES] = {0, 0x150, 0x2b0};
    const uint32_t share = shares[arch_column(e)];
    if (e->arch < 90)
        return false;
    if (offset == explicit[arch_column(e)]) {
        at_begin(e, "mov.pred %PG, %is_explicit_cluster;");
        at_begin(e, emit_printf(e, "selp.b32 %s, 1, 0, %%PG;", name));
        return true;
    }
    if (offset < share || offset > share + 8)
        return false;
    at_begin(e,
             emit_printf(e, "mov.u32 %s, %%cluster_nctaid.%c;", name, "xyz"[(offset - share) / 4]));
    at_begin(e, emit_printf(e, "cvt.rn.f32.u32 %s, %s;", name, name));
    at_begin(e, emit_printf(e, "rcp.rn.f32 %s, %s;", name, name));
    return true;
}

/* Generic addresses of parameters: of the bank up to sm_89, since then of where parameters begin in it, whatever the first one's
 * alignment. Only where they lie as far from one another as in PTX. */
static bool read_param_window(Emit *e, const char *name, bool high) {
    const Function *kernel = e->kernel;
    uint32_t shift = 0;
    for (uint32_t i = 0; i < kernel->params.count; i++) {
        const uint32_t here = param_begin(e, i) - (uint32_t)kernel->params.at[i]->offset;
        if (i > 0 && here != shift)
            return false;
        shift = here;
    }
    if (kernel->params.count == 0)
        return false;
    const Variable *first = kernel->params.at[0];
    at_begin(e, emit_printf(e, "mov.b64 %%pa, %s;", first->name));
    at_begin(e, "cvta.param.u64 %pa, %pa;");
    const uint32_t before = (uint32_t)first->offset + shift - (e->arch < 90 ? 0 : params_begin(e));
    at_begin(e, emit_printf(e, "sub.s64 %%pa, %%pa, %u;", before));
    return read_window(e, name, "%pa", high);
}

/* Adds those constants whose addresses the function takes: *only is one, *several that there are more. */
static void addressed_constants(const Function *function, const Variable **only, bool *several) {
    for (uint32_t i = 0; i < function->insns.count; i++) {
        const Insn *insn = &function->insns.at[i];
        for (uint32_t k = 0; k < insn->operand_count; k++) {
            const Operand *operand = &insn->operands[k];
            if (operand->kind != OPERAND_SYMBOL || !operand->variable ||
                operand->variable->space != SPACE_CONST)
                continue;
            *several |= *only && *only != operand->variable;
            *only = operand->variable;
        }
    }
}

/* Generic addresses of constants: bank 3 begins there. Each variable lies where the program put it, so that it is known only
 * where no other's address is taken. */
static bool read_constant_window(Emit *e, const char *name, bool high) {
    const Module *module = e->kernel->module;
    const Variable *only = NULL;
    bool several = false;
    addressed_constants(e->kernel, &only, &several);
    for (uint32_t i = 0; i < module->functions.count; i++) {
        if (!module->functions.at[i]->is_entry)
            addressed_constants(module->functions.at[i], &only, &several);
    }
    for (uint32_t i = 0; machine_is_all(e->kernel) && i < module->variables.count; i++) {
        const Variable *variable = module->variables.at[i]; /* it does not say which it takes */
        several |= only && variable->space == SPACE_CONST;
        only = variable->space == SPACE_CONST ? variable : only;
    }
    for (uint32_t i = 0; only && !several && i < e->code->variables.count; i++) {
        const MachineWord *word = &e->code->variables.at[i];
        if (word->bank != 3 || !str_is(word->symbol, only->name))
            continue;
        at_begin(e, emit_printf(e, "mov.u64 %%pa, %s+-%u;", only->name, word->offset));
        at_begin(e, "cvta.const.u64 %pa, %pa;");
        return read_window(e, name, "%pa", high);
    }
    return false;
}

typedef enum Told {
    TOLD_SHARED,
    TOLD_LOCAL,
    TOLD_STACK,
    TOLD_GRID,
    TOLD_PARAMS,
    TOLD_CONSTANTS,
    TOLD_MEMORY, /* what describes global memory */
    TOLD_NOTHING
} Told;

/* Words of 8 bytes, but for the stack's end. */
static Told told_at(const Emit *e, uint32_t offset) {
    static const uint32_t places[TOLD_NOTHING][ARCHES] = {
        [TOLD_SHARED] = {0x18, 0xffff, 0xffff}, [TOLD_LOCAL] = {0x20, 0x20, 0x2f8},
        [TOLD_STACK] = {0x28, 0x28, 0x37c},     [TOLD_GRID] = {0x30, 0x30, 0x140},
        [TOLD_PARAMS] = {0x40, 0x198, 0x348},   [TOLD_CONSTANTS] = {0x50, 0xd0, 0x120},
        [TOLD_MEMORY] = {0x118, 0x208, 0x358},
    };
    for (uint32_t i = 0; i < TOLD_NOTHING; i++) {
        const uint32_t place = places[i][arch_column(e)];
        if (offset == place || (offset == place + 4 && i != TOLD_STACK))
            return (Told)i;
    }
    return TOLD_NOTHING;
}

static bool read_driver(Emit *e, const char *name, uint32_t offset) {
    const char *special = driver_special(e, offset);
    special = special ? special : driver_words(e, offset);
    if (special) {
        at_begin(e, emit_printf(e, "mov.u32 %s, %%%s;", name, special));
        return true;
    }
    const bool high = offset % 8 == 4;
    switch (told_at(e, offset)) {
    case TOLD_SHARED:
        return read_window(e, name, "%gs", high);
    case TOLD_LOCAL:
        return read_window(e, name, "%gl", high);
    case TOLD_STACK:
        at_begin(e, emit_printf(e, "mov.b32 %s, %%top;", name));
        return true;
    case TOLD_GRID:
        at_begin(e, "mov.u64 %pa, %gridid;");
        return read_window(e, name, "%pa", high);
    case TOLD_PARAMS:
        return read_param_window(e, name, high);
    case TOLD_CONSTANTS:
        return read_constant_window(e, name, high);
    case TOLD_MEMORY:
        at_begin(e, emit_printf(e, "mov.b32 %s, 0;", name));
        return true;
    default:
        return read_cluster(e, name, offset);
    }
}

/* ---- the other banks ---- */

static const MachineBytes *bytes_of(const Emit *e, uint32_t bank) {
    for (uint32_t i = 0; i < e->code->constants.count; i++) {
        const MachineBytes *bytes = &e->code->constants.at[i];
        if (bytes->bank == bank &&
            (!bytes->kernel.length || str_equal(bytes->kernel, e->function->name)))
            return bytes;
    }
    return NULL;
}

uint32_t constant_bytes(const Emit *e, uint32_t bank) {
    const MachineBytes *bytes = bytes_of(e, bank);
    return bytes ? bytes->count : 0;
}

static bool read_bytes(Emit *e, const char *name, uint32_t bank, uint32_t offset) {
    const MachineBytes *bytes = bytes_of(e, bank);
    uint32_t value;
    if (!bytes || offset + 4 > bytes->count)
        return false;
    memcpy(&value, bytes->bytes + offset, sizeof value);
    at_begin(e, emit_printf(e, "mov.b32 %s, 0x%x;", name, value));
    return true;
}

static bool read_variable(Emit *e, const char *name, uint32_t offset) {
    const MachineWord *found = NULL;
    for (uint32_t i = 0; i < e->code->variables.count; i++) {
        const MachineWord *word = &e->code->variables.at[i];
        if (word->bank == 3 && word->offset <= offset && (!found || word->offset > found->offset))
            found = word;
    }
    const Variable *variable = found ? module_variable(e->kernel->module, found->symbol) : NULL;
    if (!variable || offset - found->offset + 4 > ((variable->bytes + 3) & ~3u))
        return false;
    at_begin(e, emit_printf(e, "ld.const.b32 %s, [%s+%u];", name, variable->name,
                            offset - found->offset));
    return true;
}

const MachineWord *function_words(const Emit *e, uint32_t *count) {
    *count = e->code->addresses.count;
    return e->code->addresses.at;
}

uint32_t function_token(const Emit *e, uint32_t index) {
    (void)e;
    return 0x7fc00000u + 16 * index;
}

/* The word of bank 4 that holds the byte at an offset; NULL: none. *number: which. */
static const MachineWord *address_word(const Emit *e, uint32_t offset, uint32_t *number) {
    uint32_t count;
    const MachineWord *words = function_words(e, &count);
    for (uint32_t i = 0; i < count; i++) {
        *number = i;
        if (words[i].bank == 4 && offset >= words[i].offset &&
            offset < words[i].offset + words[i].bytes)
            return &words[i];
    }
    return NULL;
}

bool constant_of_others(const Emit *e, uint32_t bank, uint32_t offset) {
    const Module *module = e->kernel->module;
    uint32_t number;
    const MachineWord *word = bank == 4 ? address_word(e, offset, &number) : NULL;
    return word && !module_variable(module, word->symbol) && !module_function(module, word->symbol);
}

static bool read_address(Emit *e, const char *name, uint32_t offset) {
    uint32_t number;
    const MachineWord *word = address_word(e, offset, &number);
    if (!word || constant_of_others(e, 4, offset))
        return false;
    bool high = offset > word->offset || word->part == 32;
    if (module_variable(e->kernel->module, word->symbol)) {
        at_begin(e, emit_printf(e, "mov.u64 %%pa, " STR_FMT "+%lld;", STR_ARG(word->symbol),
                                (long long)word->addend));
        return read_window(e, name, "%pa", high);
    }
    at_begin(e, emit_printf(e, "mov.b32 %s, 0x%x;", name, high ? 0 : function_token(e, number)));
    return true;
}

const char *constant32(Emit *e, uint32_t bank, int64_t offset) {
    const char *name = emit_printf(e, "%%C%u_%lld", bank, (long long)(offset & 0xffff));
    uint64_t known;
    if (map_get(e->constants, str_of(name), &known))
        return name;
    bool found = false;
    if (offset >= -32768 && offset < 0) /* nvdisasm writes 16 bits with a sign */
        offset += 65536;
    if (offset >= 0 && offset % 4 == 0 && offset < 65536) {
        uint32_t at = (uint32_t)offset, begin = params_begin(e);
        if (bank == 0)
            found = at >= begin ? read_params(e, name, at) : read_driver(e, name, at);
        else if (bank == 3)
            found = read_variable(e, name, at);
        else if (bank == 4)
            found = read_address(e, name, at);
        else
            found = read_bytes(e, name, bank, at);
    }
    if (!found) {
        emit_unknown(e, "what lies in c[0x%x][0x%llx], of " STR_FMT, bank, (long long)offset,
                     STR_ARG(e->insn->text));
        return "0";
    }
    map_put(e->constants, str_of(name), 1);
    *vec_add(e->arena, &e->names) = name;
    return name;
}
