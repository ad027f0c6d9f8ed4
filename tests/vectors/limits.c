/* Approximations: how far results may be from the GPU's. The manual bounds the error of each
 * (PTX ISA 9.7.3, 9.7.4); ours and the GPU's may lie on either side of the exact value, and ours is
 * off by a rounding. */
#include "vectors.h"

#include <math.h>
#include <string.h>

typedef struct Row {
    const char *begin, *end; /* of the spelling */
    Limit limit;
} Row;

Limit slot_limit(const char *name) {
    static const Row rows[] = {
        {"div.approx", ".f32", {LIMIT_ULP, 3}},
        {"div.full", ".f32", {LIMIT_ULP, 3}},
        {"rcp.approx", ".f32", {LIMIT_ULP, 2}},
        {"sqrt.approx", ".f32", {LIMIT_ULP, 2}},
        {"rsqrt.approx", ".f32", {LIMIT_ULP, 3}},
        {"sin.approx", ".f32", {LIMIT_ABSOLUTE, 0x1p-20}},
        {"cos.approx", ".f32", {LIMIT_ABSOLUTE, 0x1p-20}},
        {"lg2.approx", ".f32", {LIMIT_LOGARITHM, 0x1p-22}},
        {"ex2.approx", ".f32", {LIMIT_ULP, 3}},
        {"tanh.approx", ".f32", {LIMIT_RELATIVE, 0x1.6ap-11}},
        {"tanh.approx", ".f16", {LIMIT_ULP, 1}},
        {"tanh.approx", ".f16x2", {LIMIT_ULP, 1}},
        {"tanh.approx", ".bf16", {LIMIT_ULP, 1}},
        {"tanh.approx", ".bf16x2", {LIMIT_ULP, 1}},
        {"ex2.approx", ".f16", {LIMIT_ULP, 1}},
        {"ex2.approx", ".f16x2", {LIMIT_ULP, 1}},
        {"ex2.approx", ".bf16", {LIMIT_ULP, 1}},
        {"ex2.approx", ".bf16x2", {LIMIT_ULP, 1}},
        {"rcp.approx", ".f64", {LIMIT_RELATIVE, 0x1p-19}},
        {"rsqrt.approx.ftz", ".f64", {LIMIT_RELATIVE, 0x1p-19}},
        {"rsqrt.approx", ".f64", {LIMIT_RELATIVE, 0x1p-50}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strncmp(name, rows[i].begin, strlen(rows[i].begin)) == 0 &&
            spelling_has(name, rows[i].end))
            return rows[i].limit;
    return (Limit){LIMIT_EXACT, 0};
}
