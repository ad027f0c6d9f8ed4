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

/* What else PTX has a name for, by where ptxas reads it; each was asked for. */
static const char *driver_special(const Emit *e, uint32_t offset) {
    static const struct {
        uint32_t offset;
        const char *name;
    } words[] = {{0x2c, "dynamic_smem_size"}, {0x10c, "nsmid"},
                 {0x144, "cluster_nctaid.x"}, {0x148, "cluster_nctaid.y"},
                 {0x14c, "cluster_nctaid.z"}, {0x15c, "nclusterid.x"},
                 {0x160, "nclusterid.y"},     {0x164, "nclusterid.z"},
                 {0x188, "cluster_nctarank"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        bool there = e->arch < 100 && (e->arch >= 90 || words[i].offset < 0x140);
        if (words[i].offset == offset && there)
            return words[i].name;
    }
    return NULL;
}

/* What cooperative groups are told, and where the driver's part of shared memory begins that they use; NULL: none of them. */
static const char *driver_words(Emit *e, uint32_t offset) {
    enum { REGISTERS = 6 };
    const uint32_t environment = e->arch < 90 ? 0x88 : 0x40, reserved = e->arch < 90 ? 0x120 : 0x68;
    if (e->arch >= 100)
        return NULL;
    if (offset >= environment && offset < environment + 4 * REGISTERS)
        return emit_printf(e, "envreg%u", (offset - environment) / 4);
    if (e->arch >= 80 && offset == reserved)
        return "reserved_smem_offset_end";
    return e->arch >= 80 && offset == reserved + 4 ? "reserved_smem_offset_1" : NULL;
}

/* sm_90: 1 where the launch is of clusters, and one over the blocks that a cluster has, as a float. */
static bool read_cluster(Emit *e, const char *name, uint32_t offset) {
    if (e->arch < 90 || e->arch >= 100)
        return false;
    if (offset == 0x140) {
        at_begin(e, "mov.pred %PG, %is_explicit_cluster;");
        at_begin(e, emit_printf(e, "selp.b32 %s, 1, 0, %%PG;", name));
        return true;
    }
    if (offset < 0x150 || offset > 0x158)
        return false;
    at_begin(e,
             emit_printf(e, "mov.u32 %s, %%cluster_nctaid.%c;", name, "xyz"[(offset - 0x150) / 4]));
    at_begin(e, emit_printf(e, "cvt.rn.f32.u32 %s, %s;", name, name));
    at_begin(e, emit_printf(e, "rcp.rn.f32 %s, %s;", name, name));
    return true;
}

static bool read_driver(Emit *e, const char *name, uint32_t offset) {
    static const char *const shape[] = {"ntid.x",   "ntid.y",   "ntid.z",
                                        "nctaid.x", "nctaid.y", "nctaid.z"};
    if (offset < 0x18) {
        at_begin(e, emit_printf(e, "mov.u32 %s, %%%s;", name, shape[offset / 4]));
        return true;
    }
    const char *special = driver_special(e, offset);
    special = special ? special : driver_words(e, offset);
    if (special) {
        at_begin(e, emit_printf(e, "mov.u32 %s, %%%s;", name, special));
        return true;
    }
    switch (offset) {
    case 0x18:
    case 0x1c:
        return e->arch < 90 && read_window(e, name, "%gs", offset == 0x1c);
    case 0x20:
    case 0x24:
        return read_window(e, name, "%gl", offset == 0x24);
    case 0x28:
        at_begin(e, emit_printf(e, "mov.b32 %s, %%top;", name));
        return true;
    case 0x118:
    case 0x11c: /* what describes global memory, before sm_90 */
        at_begin(e, emit_printf(e, "mov.b32 %s, 0;", name));
        return e->arch < 90;
    case 0x208:
    case 0x20c: /* and since */
        at_begin(e, emit_printf(e, "mov.b32 %s, 0;", name));
        return e->arch >= 90 && e->arch < 100;
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
