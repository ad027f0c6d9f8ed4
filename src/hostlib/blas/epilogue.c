/* Epilogues of products, number by number: see epilogue.h. Gelu is that by tanh, as cuBLAS's manual says. */
#include "hostlib/blas/epilogue.h"

#include <math.h>
#include <stddef.h>

static const double ROOT = 0.7978845608028654; /* of 2 / pi */
static const double CUBE = 0.044715;

bool epilogue_masks(const Epilogue *epilogue) {
    return epilogue->activation == ACTIVATION_RELU || epilogue->activation == ACTIVATION_DRELU;
}

Epilogue epilogue_at(const Epilogue *epilogue, int64_t product) {
    Epilogue at = *epilogue;
    int64_t elements = product * epilogue->aux_stride;
    int64_t bytes = epilogue_masks(epilogue)
                        ? elements / 8
                        : elements * (int64_t)element_bytes(epilogue->aux_type);
    if (at.aux)
        at.aux = (char *)at.aux + bytes;
    if (at.bias)
        at.bias = (char *)at.bias +
                  product * epilogue->bias_stride * (int64_t)element_bytes(epilogue->bias_type);
    return at;
}

static double gelu(double x) {
    return 0.5 * x * (1 + tanh(ROOT * (x + CUBE * x * x * x)));
}

static double gelu_gradient(double x) {
    double t = tanh(ROOT * (x + CUBE * x * x * x));
    return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * ROOT * (1 + 3 * CUBE * x * x);
}

static void set_bit(uint8_t *mask, size_t at, bool on) {
    uint8_t bit = (uint8_t)(1u << at % 8);
    mask[at / 8] = (uint8_t)((mask[at / 8] & ~bit) | (on ? bit : 0));
}

double epilogue_value(const Epilogue *epilogue, double value, int64_t i, int64_t j) {
    const size_t at = (size_t)(j * epilogue->aux_lead + i);
    uint8_t *mask = epilogue->aux;
    if (epilogue->bias && epilogue->gradient == GRADIENT_NONE)
        value += element_real(epilogue->bias_type, epilogue->bias, (size_t)i);
    switch (epilogue->activation) {
    case ACTIVATION_RELU:
        if (mask)
            set_bit(mask, at, value >= 0);
        return value > 0 ? value : 0;
    case ACTIVATION_GELU:
        if (epilogue->aux)
            element_set(epilogue->aux_type, epilogue->aux, at, value, 0);
        return gelu(value);
    case ACTIVATION_DRELU:
        return mask[at / 8] >> at % 8 & 1 ? value : 0;
    case ACTIVATION_DGELU:
        return value * gelu_gradient(element_real(epilogue->aux_type, epilogue->aux, at));
    default:
        return value;
    }
}
