/* Textures and surfaces.
 *
 * The object is 32 bits of its handle: a word of a bank of constants or a uniform register, or one of the registers that
 * hold the coordinates. What is read (floats or integers, how many channels) is the object's business; a mask says which
 * results are kept, and they lie side by side: two in the second operand, two in the first. */
#include "machine/translate.h"

#include <string.h>

/* ---- what stands in the operands ---- */

typedef struct TextureForm {
    const char *name, *ptx; /* as nvdisasm and as PTX write it */
    uint32_t axes;
    bool layered;
} TextureForm;

static const TextureForm shapes[] = {
    {"1D", "1d", 1, false},           {"2D", "2d", 2, false},       {"3D", "3d", 3, false},
    {"CUBE", "cube", 3, false},       {"ARRAY_1D", "a1d", 1, true}, {"ARRAY_2D", "a2d", 2, true},
    {"ARRAY_CUBE", "acube", 3, true},
};

static const TextureForm *shape_named(Str name) {
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        if (str_is(name, shapes[i].name))
            return &shapes[i];
    }
    return NULL;
}

/* TEX.SCR.LL R6, R4, R4, R6, 0x0, 0x58, 2D, 0x3: results, registers with coordinates and what else there is, the
 * object, the shape, the mask. */
typedef struct Fetch {
    const MachineOperand *high, *low; /* results */
    const char *words[8];             /* of the registers, in the order in which they are used */
    uint32_t count, next;
    const char *object; /* 64 bits; NULL: among the words */
    const TextureForm *shape;
    uint32_t mask;
} Fetch;

static const char *handle(Emit *e, const char *word) {
    const char *wide = temp64(e);
    emit_always(e, "cvt.u64.u32 %s, %s", wide, word);
    return wide;
}

/* 0x0, 0x58: bank 0, the 0x58th word; UR4, 0x0: a uniform register. */
static const char *bound_object(Emit *e, const MachineOperand *pair) {
    if (pair[0].kind == MACHINE_INT && pair[1].kind == MACHINE_INT && pair[0].value == 0)
        return handle(e, constant32(e, 0, 4 * pair[1].value));
    if (pair[0].kind == MACHINE_UREG && is_zero(&pair[1]))
        return handle(e, raw32(e, &pair[0]));
    return NULL;
}

/* UR4 alone, since sm_100. */
static const char *single_object(Emit *e, const MachineOperand *object) {
    return object->kind == MACHINE_UREG ? handle(e, raw32(e, object)) : NULL;
}

/* Operands from `first` on; `lengths`: how many registers the first and the second group have. */
static bool read_fetch(Emit *e, const MachineInsn *insn, const uint32_t lengths[2], Fetch *fetch) {
    const MachineOperand *operands = insn->operands;
    uint32_t i = 2, group = 0;
    if (insn->operand_count < 4 || operands[0].kind != MACHINE_REG ||
        operands[1].kind != MACHINE_REG)
        return false;
    fetch->high = &operands[0];
    fetch->low = &operands[1];
    for (; i < insn->operand_count && operands[i].kind == MACHINE_REG; i++, group++) {
        if (group == 2)
            return false;
        for (uint32_t k = 0; k < lengths[group]; k++)
            fetch->words[fetch->count++] = reg_at(e, &operands[i], k);
    }
    if (i + 1 < insn->operand_count && operands[i].kind != MACHINE_NAME) {
        const bool single = operands[i + 1].kind == MACHINE_NAME;
        fetch->object = single ? single_object(e, &operands[i]) : bound_object(e, &operands[i]);
        if (!fetch->object)
            return false;
        i += single ? 1 : 2;
    }
    if (i >= insn->operand_count || operands[i].kind != MACHINE_NAME)
        return false;
    fetch->shape = shape_named(operands[i++].symbol);
    fetch->mask = 15;
    if (i < insn->operand_count && operands[i].kind == MACHINE_INT)
        fetch->mask = (uint32_t)operands[i++].value;
    return group > 0 && i == insn->operand_count && fetch->mask < 16;
}

static const char *next_word(Emit *e, Fetch *fetch) {
    if (fetch->next < fetch->count)
        return fetch->words[fetch->next++];
    emit_unknown(e, "the operands of " STR_FMT, STR_ARG(e->insn->text));
    return "0";
}

static void take_object(Emit *e, Fetch *fetch) {
    if (!fetch->object)
        fetch->object = handle(e, next_word(e, fetch));
}

/* "{%R4, _, %R5, _}": the channels of the mask, side by side. */
static const char *results(Emit *e, const Fetch *fetch) {
    const char *channel[4];
    uint32_t kept = 0;
    for (uint32_t c = 0; c < 4; c++) {
        channel[c] = "_";
        if (!(fetch->mask >> c & 1))
            continue;
        const MachineOperand *to = kept < 2 ? fetch->low : fetch->high;
        if (to->number != MACHINE_ZERO)
            channel[c] = out_at(e, to, kept % 2);
        kept++;
    }
    return emit_printf(e, "{%s, %s, %s, %s}", channel[0], channel[1], channel[2], channel[3]);
}

/* "{layer, x, y, y}": as many as PTX wants; layer: NULL where there is none. */
static const char *place(Emit *e, const TextureForm *shape, const char *layer,
                         const char *const *axis) {
    const char *list = layer ? layer : "";
    const uint32_t given = shape->axes + (layer ? 1 : 0), wanted = given == 3 ? 4 : given;
    for (uint32_t i = layer ? 1 : 0; i < wanted; i++) {
        const uint32_t k = i - (layer ? 1 : 0);
        list = emit_printf(e, "%s%s%s", list, i ? ", " : "",
                           axis[k < shape->axes ? k : shape->axes - 1]);
    }
    return emit_printf(e, "{%s}", list);
}

/* The words of a group: SCR packs them by two; otherwise coordinates are one group, the rest the other. */
static void set_lengths(const MachineInsn *insn, const TextureForm *shape, uint32_t lengths[2]) {
    const uint32_t given = shape->axes + shape->layered;
    const bool packed = machine_has(insn, "SCR");
    lengths[0] = packed && given > 2 ? 2 : given;
    lengths[1] = 2;
}

static const TextureForm *shape_in(const MachineInsn *insn) {
    for (uint32_t i = 2; i < insn->operand_count; i++) {
        if (insn->operands[i].kind == MACHINE_NAME)
            return shape_named(insn->operands[i].symbol);
    }
    return NULL;
}

static bool begin_fetch(Emit *e, const MachineInsn *insn, Fetch *fetch) {
    uint32_t lengths[2];
    const TextureForm *shape = shape_in(insn);
    *fetch = (Fetch){0};
    if (!shape)
        return false;
    set_lengths(insn, shape, lengths);
    return read_fetch(e, insn, lengths, fetch);
}

/* Layer, coordinates and object, which is behind them. */
static const char *take_place(Emit *e, Fetch *fetch) {
    const char *layer = fetch->shape->layered ? next_word(e, fetch) : NULL, *axis[3];
    for (uint32_t i = 0; i < fetch->shape->axes; i++)
        axis[i] = next_word(e, fetch);
    take_object(e, fetch);
    return place(e, fetch->shape, layer, axis);
}

/* ---- TEX, TLD, TLD4, TXD ---- */

/* LL: at the level of a register; LZ: at the first. Without, the level follows from lanes beside each other, which code of
 * kernels does not ask for. */
static bool tex(Emit *e, const MachineInsn *insn) {
    const bool level = machine_has(insn, "LL");
    Fetch fetch;
    if (!machine_only(insn, "SCR B LL LZ NODEP") || level == machine_has(insn, "LZ") ||
        !begin_fetch(e, insn, &fetch) || str_is(str_of(fetch.shape->ptx), "1d"))
        return false;
    const char *at = take_place(e, &fetch);
    if (level)
        emit(e, "tex.level.%s.v4.f32.f32 %s, [%s, %s], %s", fetch.shape->ptx, results(e, &fetch),
             fetch.object, at, next_word(e, &fetch));
    else
        emit(e, "tex.%s.v4.f32.f32 %s, [%s, %s]", fetch.shape->ptx, results(e, &fetch),
             fetch.object, at);
    return true;
}

/* TLD.SCR.LZ: coordinates are integers. */
static bool tld(Emit *e, const MachineInsn *insn) {
    Fetch fetch;
    if (!machine_only(insn, "SCR B LZ NODEP") || !machine_has(insn, "LZ") ||
        !begin_fetch(e, insn, &fetch) || strstr(fetch.shape->ptx, "cube"))
        return false;
    const char *at = take_place(e, &fetch);
    emit(e, "tex.%s.v4.f32.s32 %s, [%s, %s]", fetch.shape->ptx, results(e, &fetch), fetch.object,
         at);
    return true;
}

/* TLD4.SCR.A: one channel of four texels. */
static bool tld4(Emit *e, const MachineInsn *insn) {
    Fetch fetch;
    char channel = 'r';
    if (!machine_only(insn, "SCR R G B A NODEP") || !begin_fetch(e, insn, &fetch) ||
        !str_is(str_of(fetch.shape->ptx), "2d"))
        return false;
    /* "TLD4.B.B": the second B says that the object is in a register */
    for (uint32_t i = 0; i < insn->mod_count; i++) {
        if (insn->mods[i].length == 1) {
            channel = (char)(*insn->mods[i].at - 'A' + 'a');
            break;
        }
    }
    const char *at = take_place(e, &fetch);
    emit(e, "tld4.%c.2d.v4.f32.f32 %s, [%s, %s]", channel, results(e, &fetch), fetch.object, at);
    return true;
}

/* TXD R6, R4, R4, R8, …: the object if it is in a register, the coordinates, the layer; by how much each changes along x and
 * along y. */
static bool txd(Emit *e, const MachineInsn *insn) {
    const TextureForm *shape = shape_in(insn);
    Fetch fetch = {0};
    if (!machine_only(insn, "B NODEP") || !shape || shape->axes == 3)
        return false;
    const uint32_t lengths[2] = {shape->axes + shape->layered + machine_has(insn, "B"),
                                 2 * shape->axes};
    if (!read_fetch(e, insn, lengths, &fetch) || fetch.count != lengths[0] + lengths[1])
        return false;
    take_object(e, &fetch);
    const char *axis[3], *dx[2] = {0}, *dy[2] = {0};
    for (uint32_t i = 0; i < shape->axes; i++)
        axis[i] = next_word(e, &fetch);
    const char *layer = shape->layered ? next_word(e, &fetch) : NULL;
    for (uint32_t i = 0; i < shape->axes; i++) {
        dx[i] = next_word(e, &fetch);
        dy[i] = next_word(e, &fetch);
    }
    const char *at = place(e, shape, layer, axis);
    if (shape->axes == 1)
        emit(e, "tex.grad.%s.v4.f32.f32 %s, [%s, %s], %s, %s", shape->ptx, results(e, &fetch),
             fetch.object, at, dx[0], dy[0]);
    else
        emit(e, "tex.grad.%s.v4.f32.f32 %s, [%s, %s], {%s, %s}, {%s, %s}", shape->ptx,
             results(e, &fetch), fetch.object, at, dx[0], dx[1], dy[0], dy[1]);
    return true;
}

/* ---- TXQ ---- */

static bool asks(const Function *function, bool surface) {
    for (uint32_t i = 0; i < function->insns.count; i++) {
        const Insn *insn = &function->insns.at[i];
        if (insn->mods.query != QUERY_NONE && (*op_info(insn->op)->id == 's') == surface)
            return true;
    }
    return false;
}

/* The kernel asks for the size of a texture, or of a surface, or what it calls does. */
static bool module_asks(const Emit *e, bool surface) {
    const Module *module = e->kernel->module;
    bool found = asks(e->kernel, surface);
    for (uint32_t i = 0; !found && i < module->functions.count; i++)
        found = !module->functions.at[i]->is_entry && asks(module->functions.at[i], surface);
    return found;
}

/* TXQ RZ, R5, R5, TEX_HEADER_DIMENSION, 0x0, 0x58, 0x1: width, height and depth of a level. Surfaces are asked alike: the PTX
 * says which they are. */
static bool txq(Emit *e, const MachineInsn *insn) {
    static const char *const names[] = {"width", "height", "depth"};
    const bool in_register = machine_has(insn, "B");
    const MachineOperand *o = insn->operands;
    const uint32_t count = insn->operand_count, at = in_register ? 4 : 6;
    if (!machine_only(insn, "B NODEP") || count < at || count > at + 1 ||
        !str_is(o[3].symbol, "TEX_HEADER_DIMENSION") || (count > at && o[at].kind != MACHINE_INT))
        return false;
    Fetch fetch = {.high = &o[0], .low = &o[1]};
    fetch.object = in_register ? handle(e, reg_at(e, &o[2], 0)) : bound_object(e, &o[4]);
    fetch.mask = count > at ? (uint32_t)o[at].value : 15;
    const bool texture = module_asks(e, false), surface = module_asks(e, true);
    if (!fetch.object || fetch.mask == 0 || fetch.mask > 7 || texture == surface)
        return false;
    const char *value[3], *level = reg_at(e, &o[2], in_register);
    for (uint32_t i = 0; i < 3; i++) {
        value[i] = temp32(e);
        if (!(fetch.mask >> i & 1))
            continue;
        if (surface)
            emit(e, "suq.%s.b32 %s, [%s]", names[i], value[i], fetch.object);
        else
            emit(e, "txq.level.%s.b32 %s, [%s], %s", names[i], value[i], fetch.object, level);
    }
    for (uint32_t i = 0, kept = 0; i < 3; i++) {
        if (fetch.mask >> i & 1) {
            emit(e, "mov.b32 %s, %s", out_at(e, kept < 2 ? &o[1] : &o[0], kept % 2), value[i]);
            kept++;
        }
    }
    return true;
}

/* ---- SULD, SUST ---- */

#define SURFACE_WORDS "D BA 1D 2D 3D ARRAY_1D ARRAY_2D 1D_ARRAY 2D_ARRAY U8 U16 64 128 "
#define SURFACE_ORDER "STRONG WEAK CTA SM GPU SYS EF EL EU NA LU TRAP IGN"

typedef struct Surface {
    const TextureForm *shape;
    const char *type, *beyond; /* ".v2.b32", ".trap" */
    uint32_t registers;
} Surface;

static bool read_surface(const MachineInsn *insn, Surface *surface) {
    static const struct {
        const char *word, *type;
        uint32_t registers;
    } widths[] = {
        {"U8", ".b8", 1}, {"U16", ".b16", 1}, {"64", ".v2.b32", 2}, {"128", ".v4.b32", 4}};
    static const char *const names[][2] = {{"1D", "1D"},
                                           {"2D", "2D"},
                                           {"3D", "3D"},
                                           {"1D_ARRAY", "ARRAY_1D"},
                                           {"2D_ARRAY", "ARRAY_2D"}};
    *surface = (Surface){.type = ".b32", .registers = 1};
    if (!machine_only(insn, SURFACE_WORDS SURFACE_ORDER) || !machine_has(insn, "D") ||
        !machine_has(insn, "BA"))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (machine_has(insn, names[i][0]))
            surface->shape = shape_named(str_of(names[i][1]));
    }
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        if (machine_has(insn, widths[i].word)) {
            surface->type = widths[i].type;
            surface->registers = widths[i].registers;
        }
    }
    surface->beyond = machine_has(insn, "TRAP")  ? ".trap"
                      : machine_has(insn, "IGN") ? ".zero"
                                                 : ".clamp";
    return surface->shape != NULL;
}

/* [R8]: coordinates, the layer behind them. */
static const char *surface_place(Emit *e, const Surface *surface, const MachineOperand *address) {
    const MachineOperand reg = {.kind = MACHINE_REG, .number = address->reg};
    const char *axis[3], *layer = NULL;
    if (address->kind != MACHINE_ADDRESS || address->reg == MACHINE_NONE || address->value != 0 ||
        address->ureg != MACHINE_NONE || address->reg_suffix.length != 0)
        return NULL;
    for (uint32_t i = 0; i < surface->shape->axes; i++)
        axis[i] = reg_at(e, &reg, i);
    if (surface->shape->layered)
        layer = reg_at(e, &reg, surface->shape->axes);
    return place(e, surface->shape, layer, axis);
}

/* `rest`: what stands behind the address and the data. */
static const char *surface_object(Emit *e, const MachineInsn *insn) {
    const MachineOperand *rest = &insn->operands[2];
    if (insn->operand_count == 4)
        return bound_object(e, rest);
    if (insn->operand_count != 3)
        return NULL;
    return rest->kind == MACHINE_REG ? handle(e, raw32(e, rest)) : single_object(e, rest);
}

static const char *data_list(Emit *e, const Surface *surface, const MachineOperand *data,
                             bool out) {
    const char *list = "";
    for (uint32_t i = 0; i < surface->registers; i++) {
        const char *name = !out                           ? reg_at(e, data, i)
                           : data->number == MACHINE_ZERO ? "_"
                                                          : out_at(e, data, i);
        list = emit_printf(e, "%s%s%s", list, i ? ", " : "", name);
    }
    return emit_printf(e, "{%s}", list);
}

/* SULD.D.BA.2D.128.STRONG.SM.TRAP R4, [R4], 0x0, 0x58 */
static bool suld(Emit *e, const MachineInsn *insn) {
    Surface surface;
    if (!read_surface(insn, &surface) || insn->operand_count < 3)
        return false;
    const char *at = surface_place(e, &surface, &insn->operands[1]);
    const char *object = surface_object(e, insn);
    if (!at || !object)
        return false;
    emit(e, "suld.b.%s%s%s %s, [%s, %s]", surface.shape->ptx, surface.type, surface.beyond,
         data_list(e, &surface, &insn->operands[0], true), object, at);
    return true;
}

/* SUST.D.BA.2D.64.STRONG.SM.TRAP [R8], R4, UR4, 0x0 */
static bool sust(Emit *e, const MachineInsn *insn) {
    Surface surface;
    if (!read_surface(insn, &surface) || insn->operand_count < 3)
        return false;
    const char *at = surface_place(e, &surface, &insn->operands[0]);
    const char *object = surface_object(e, insn);
    if (!at || !object)
        return false;
    emit(e, "sust.b.%s%s%s [%s, %s], %s", surface.shape->ptx, surface.type, surface.beyond, object,
         at, data_list(e, &surface, &insn->operands[1], false));
    return true;
}

const MachineFamily family_texture[] = {
    {"TEX", tex}, {"TLD", tld},   {"TLD4", tld4}, {"TXD", txd},
    {"TXQ", txq}, {"SULD", suld}, {"SUST", sust}, {0},
};
