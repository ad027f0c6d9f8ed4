/* Types that have a name: C's, and CUDA's with their vectors. */
#include "question/reader.h"

#include <string.h>

enum { ALIGN_MOST = 16 }; /* of a vector */

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- scalars and vectors ---- */

typedef struct NamedType {
    const char *name;
    uint8_t bytes;
    uint8_t most; /* components of a vector of it */
} NamedType;

static const NamedType scalars[] = {
    {"bool", 1, 0},
    {"char", 1, 4},
    {"uchar", 1, 4},
    {"int8_t", 1, 0},
    {"uint8_t", 1, 0},
    {"__nv_fp8_e4m3", 1, 0},
    {"__nv_fp8_e5m2", 1, 0},
    {"__nv_fp8_e8m0", 1, 0},
    {"short", 2, 4},
    {"ushort", 2, 4},
    {"int16_t", 2, 0},
    {"uint16_t", 2, 0},
    {"half", 2, 2},
    {"__half", 2, 2},
    {"nv_half", 2, 2},
    {"bfloat16", 2, 0},
    {"nv_bfloat16", 2, 2},
    {"__nv_bfloat16", 2, 2},
    {"__nv_fp8x2_e4m3", 2, 0},
    {"__nv_fp8x2_e5m2", 2, 0},
    {"int", 4, 4},
    {"uint", 4, 4},
    {"unsigned", 4, 0},
    {"signed", 4, 0},
    {"int32_t", 4, 0},
    {"uint32_t", 4, 0},
    {"float", 4, 4},
    {"__nv_fp8x4_e4m3", 4, 0},
    {"__nv_fp8x4_e5m2", 4, 0},
    {"long", 8, 4},
    {"ulong", 8, 4},
    {"longlong", 8, 4},
    {"ulonglong", 8, 4},
    {"double", 8, 4},
    {"int64_t", 8, 0},
    {"uint64_t", 8, 0},
    {"size_t", 8, 0},
};

static const NamedType *scalar_named(Str name) {
    for (size_t i = 0; i < COUNT(scalars); i++)
        if (str_is(name, scalars[i].name))
            return &scalars[i];
    return NULL;
}

/* CUDA's: a scalar and 1 to 4. */
static bool vector_type(Arena *arena, Str name, ElementType *type) {
    static const char letters[] = "xyzw";
    uint32_t digit = name.length ? (uint32_t)(name.at[name.length - 1] - '0') : 0;
    const NamedType *of = digit ? scalar_named((Str){name.at, name.length - 1}) : NULL;
    if (!of || digit > of->most)
        return false;
    const ElementType component = {.bytes = of->bytes, .align = of->bytes};
    TypeMember *members = NEW_ARRAY(arena, TypeMember, digit);
    for (uint32_t i = 0; i < digit; i++)
        members[i] = (TypeMember){.array = {.name = {&letters[i], 1}, .type = component},
                                  .offset = i * of->bytes};
    uint32_t bytes = digit * of->bytes, align = digit % 2 ? of->bytes : bytes;
    *type = (ElementType){.bytes = bytes,
                          .align = align < ALIGN_MOST ? align : ALIGN_MOST,
                          .members = members,
                          .member_count = digit};
    return true;
}

bool element_type_named(Arena *arena, Str name, ElementType *type) {
    const NamedType *scalar = scalar_named(name);
    if (scalar)
        *type = (ElementType){.bytes = scalar->bytes, .align = scalar->bytes};
    return scalar || vector_type(arena, name, type);
}
