/* The names, sizes and classes of PTX types (PTX ISA 5.2) and the names of state spaces (5.1). */
#include "isa/isa.h"

typedef enum TypeClass {
    CLASS_NONE,
    CLASS_PRED,
    CLASS_BITS,
    CLASS_UNSIGNED,
    CLASS_SIGNED,
    CLASS_FLOAT
} TypeClass;

typedef struct TypeInfo {
    const char *name;
    uint8_t bytes;
    TypeClass class;
} TypeInfo;

static const TypeInfo types[TYPE_COUNT] = {
    [TYPE_NONE] = {"none", 0, CLASS_NONE},      [TYPE_PRED] = {"pred", 0, CLASS_PRED},
    [TYPE_B8] = {"b8", 1, CLASS_BITS},          [TYPE_B16] = {"b16", 2, CLASS_BITS},
    [TYPE_B32] = {"b32", 4, CLASS_BITS},        [TYPE_B64] = {"b64", 8, CLASS_BITS},
    [TYPE_B128] = {"b128", 16, CLASS_BITS},     [TYPE_U8] = {"u8", 1, CLASS_UNSIGNED},
    [TYPE_U16] = {"u16", 2, CLASS_UNSIGNED},    [TYPE_U32] = {"u32", 4, CLASS_UNSIGNED},
    [TYPE_U64] = {"u64", 8, CLASS_UNSIGNED},    [TYPE_S8] = {"s8", 1, CLASS_SIGNED},
    [TYPE_S16] = {"s16", 2, CLASS_SIGNED},      [TYPE_S32] = {"s32", 4, CLASS_SIGNED},
    [TYPE_S64] = {"s64", 8, CLASS_SIGNED},      [TYPE_F16] = {"f16", 2, CLASS_FLOAT},
    [TYPE_F16X2] = {"f16x2", 4, CLASS_FLOAT},   [TYPE_BF16] = {"bf16", 2, CLASS_FLOAT},
    [TYPE_BF16X2] = {"bf16x2", 4, CLASS_FLOAT}, [TYPE_TF32] = {"tf32", 4, CLASS_FLOAT},
    [TYPE_F32] = {"f32", 4, CLASS_FLOAT},       [TYPE_F64] = {"f64", 8, CLASS_FLOAT},
    [TYPE_E4M3] = {"e4m3", 1, CLASS_FLOAT},     [TYPE_E5M2] = {"e5m2", 1, CLASS_FLOAT},
    [TYPE_E4M3X2] = {"e4m3x2", 2, CLASS_FLOAT}, [TYPE_E5M2X2] = {"e5m2x2", 2, CLASS_FLOAT},
    [TYPE_U4] = {"u4", 1, CLASS_UNSIGNED},      [TYPE_S4] = {"s4", 1, CLASS_SIGNED},
    [TYPE_B1] = {"b1", 1, CLASS_BITS},          [TYPE_U16X2] = {"u16x2", 4, CLASS_UNSIGNED},
    [TYPE_S16X2] = {"s16x2", 4, CLASS_SIGNED},  [TYPE_F32X2] = {"f32x2", 8, CLASS_FLOAT},
};

uint32_t type_bytes(Type type) {
    return types[type].bytes;
}

const char *type_name(Type type) {
    return types[type].name;
}

Type type_named(Str name) {
    for (Type type = TYPE_PRED; type < TYPE_COUNT; type++)
        if (str_is(name, types[type].name))
            return type;
    return TYPE_NONE;
}

bool type_is_float(Type type) {
    return types[type].class == CLASS_FLOAT;
}

bool type_is_signed(Type type) {
    return types[type].class == CLASS_SIGNED;
}

bool type_is_bits(Type type) {
    return types[type].class == CLASS_BITS;
}

const char *space_name(Space space) {
    static const char *const names[SPACE_COUNT] = {
        [SPACE_GENERIC] = "generic", [SPACE_GLOBAL] = "global", [SPACE_SHARED] = "shared",
        [SPACE_LOCAL] = "local",     [SPACE_CONST] = "const",   [SPACE_PARAM] = "param",
        [SPACE_REG] = "reg",
    };
    return names[space];
}
