/* Numbers of each type, one at a time. */
#include "hostlib/blas/element.h"
#include "exec/lanes/ops_half.h"

#include <complex.h>

size_t element_bytes(int type) {
    switch (type) {
    case R_8I:
    case R_E4M3:
    case R_E5M2:
        return 1;
    case R_16F:
    case R_16BF:
        return 2;
    case R_32F:
    case R_32I:
        return 4;
    case R_64F:
    case C_32F:
        return 8;
    case C_64F:
        return 16;
    default:
        return 0;
    }
}

bool element_is_complex(int type) {
    return type == C_32F || type == C_64F;
}

static double fp8(Fp8Format format, const void *at, size_t index) {
    uint32_t half = f16_bits_of_fp8(format, ((const uint8_t *)at)[index]);
    return (double)f32_of_bits(f32_bits_of_f16(half));
}

double element_real(int type, const void *at, size_t index) {
    switch (type) {
    case R_8I:
        return ((const int8_t *)at)[index];
    case R_E4M3:
        return fp8(e4m3, at, index);
    case R_E5M2:
        return fp8(e5m2, at, index);
    case R_16F:
        return (double)f32_of_bits(f32_bits_of_f16(((const uint16_t *)at)[index]));
    case R_16BF:
        return (double)f32_of_bits(f32_bits_of_bf16(((const uint16_t *)at)[index]));
    case R_32I:
        return ((const int32_t *)at)[index];
    case R_32F:
        return (double)((const float *)at)[index];
    case C_32F:
        return (double)((const float *)at)[2 * index];
    case C_64F:
        return ((const double *)at)[2 * index];
    default:
        return ((const double *)at)[index];
    }
}

double element_imaginary(int type, const void *at, size_t index) {
    return type == C_32F   ? (double)((const float *)at)[2 * index + 1]
           : type == C_64F ? ((const double *)at)[2 * index + 1]
                           : 0;
}

static double clamped(double value, double least, double most) {
    return value < least ? least : value > most ? most : nearbyint(value);
}

void element_set(int type, void *at, size_t index, double real, double imaginary) {
    const uint32_t bits = bits_of_f32((float)real);
    switch (type) {
    case R_8I:
        ((int8_t *)at)[index] = (int8_t)clamped(real, INT8_MIN, INT8_MAX);
        break;
    case R_E4M3:
        ((uint8_t *)at)[index] = (uint8_t)fp8_bits_of_f32(e4m3, bits);
        break;
    case R_E5M2:
        ((uint8_t *)at)[index] = (uint8_t)fp8_bits_of_f32(e5m2, bits);
        break;
    case R_16F:
        ((uint16_t *)at)[index] = (uint16_t)f16_bits_of_f32(bits);
        break;
    case R_16BF:
        ((uint16_t *)at)[index] = (uint16_t)bf16_bits_of_f32(bits);
        break;
    case R_32I:
        ((int32_t *)at)[index] = (int32_t)clamped(real, INT32_MIN, INT32_MAX);
        break;
    case R_32F:
        ((float *)at)[index] = (float)real;
        break;
    case C_32F:
        ((float *)at)[2 * index] = (float)real;
        ((float *)at)[2 * index + 1] = (float)imaginary;
        break;
    case C_64F:
        ((double *)at)[2 * index] = real;
        ((double *)at)[2 * index + 1] = imaginary;
        break;
    default:
        ((double *)at)[index] = real;
        break;
    }
}
