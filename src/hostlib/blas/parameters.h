/* parameters: what the parameters of a shape (shapes.def) are in C, for files that make functions of routines.def.
 *   SHAPE(WIDE), SHAPE(NARROW)   the declarations, each behind a comma, with 64-bit sizes and with 32-bit ones
 *   SHAPE(PASS)                  the names, each behind a comma
 *   SHAPE(PUT)                   packs them into `call`, a RoutineCall; `index`: what the place of an element is
 *                                returned as
 * With STRIDED_ before it, each matrix and vector has the number of elements from it to that of the next call of a batch. */
#pragma once

#include "hostlib/blas/own.h"
#include "hostlib/blas/shapes.def"

/* What kinds of parameters are in C, … */
#define AS_op(how, name) how##_FLAG(name)
#define AS_op_t(how, name) how##_FLAG(name)
#define AS_op_c(how, name) how##_FLAG(name)
#define AS_fill(how, name) how##_FLAG(name)
#define AS_side(how, name) how##_FLAG(name)
#define AS_diag(how, name) how##_FLAG(name)
#define AS_size(how, name) how##_SIZE(name)
#define AS_count(how, name) how##_SIZE(name)
#define AS_scalar(how, name) how##_INPUT(name)
#define AS_real(how, name) how##_INPUT(name)
#define AS_inout(how, name) how##_MEMORY(name)
#define AS_packed(how, name) how##_MEMORY(name)
#define AS_result(how, name) how##_MEMORY(name)
#define AS_real_result(how, name) how##_MEMORY(name)
#define AS_index_result(how, name) how##_MEMORY(name)
#define AS_matrix(how, name) how##_MEMORY(name) how##_SIZE(ld##name)
#define AS_summand(how, name) AS_matrix(how, name)
#define AS_vector(how, name) how##_MEMORY(name) how##_SIZE(inc##name)

/* … how they are declared, with 64-bit sizes and with 32-bit ones, … */
#define WIDE_FLAG(name) , int name
#define WIDE_SIZE(name) , int64_t name
#define WIDE_INPUT(name) , const void *name
#define WIDE_MEMORY(name) , void *name
#define WIDE(kind, name, first, second) AS_##kind(WIDE, name)
#define NARROW_FLAG(name) , int name
#define NARROW_SIZE(name) , int name
#define NARROW_INPUT(name) , const void *name
#define NARROW_MEMORY(name) , void *name
#define NARROW(kind, name, first, second) AS_##kind(NARROW, name)

/* … passed on, … */
#define PASS_FLAG(name) , name
#define PASS_SIZE(name) , name
#define PASS_INPUT(name) , name
#define PASS_MEMORY(name) , name
#define PASS(kind, name, first, second) AS_##kind(PASS, name)

/* … and packed. */
#define PUT_op(name, first, second) put_op(&call, #name, name);
#define PUT_op_t(name, first, second) put_op_t(&call, #name, name);
#define PUT_op_c(name, first, second) put_op_c(&call, #name, name);
#define PUT_fill(name, first, second) put_fill(&call, #name, name);
#define PUT_side(name, first, second) put_side(&call, #name, name);
#define PUT_diag(name, first, second) put_diag(&call, #name, name);
#define PUT_size(name, first, second) put_size(&call, #name, name);
#define PUT_count(name, first, second) put_size(&call, #name, name < 0 ? 0 : name);
#define PUT_scalar(name, first, second) put_scalar(&call, #name, name);
#define PUT_real(name, first, second) put_real(&call, #name, name);
#define PUT_inout(name, first, second) put_inout(&call, #name, name);
#define PUT_matrix(name, first, second) put_matrix(&call, #name, name, ld##name, first, second);
#define PUT_summand(name, first, second) put_summand(&call, #name, name, ld##name, first, second);
#define PUT_vector(name, first, second) put_vector(&call, #name, name, inc##name, first);
#define PUT_packed(name, first, second) put_packed(&call, #name, name, first);
#define PUT_result(name, first, second) put_result(&call, #name, name, RETURNS_ELEMENT);
#define PUT_real_result(name, first, second) put_result(&call, #name, name, RETURNS_REAL);
#define PUT_index_result(name, first, second) put_result(&call, #name, name, index);
#define PUT(kind, name, first, second) PUT_##kind(name, first, second)

#define STRIDE_op(how, name)
#define STRIDE_count(how, name)
#define STRIDE_scalar(how, name)
#define STRIDE_matrix(how, name) how##_STRIDE(name)
#define STRIDE_vector(how, name) how##_STRIDE(name)
#define WIDE_STRIDE(name) , long long stride##name
#define NARROW_STRIDE(name) , long long stride##name
#define PASS_STRIDE(name) , stride##name
#define PUT_STRIDE(name) put_stride(&call, stride##name);
#define STRIDED_WIDE(kind, name, first, second)                                                    \
    WIDE(kind, name, first, second) STRIDE_##kind(WIDE, name)
#define STRIDED_NARROW(kind, name, first, second)                                                  \
    NARROW(kind, name, first, second) STRIDE_##kind(NARROW, name)
#define STRIDED_PASS(kind, name, first, second)                                                    \
    PASS(kind, name, first, second) STRIDE_##kind(PASS, name)
#define STRIDED_PUT(kind, name, first, second)                                                     \
    PUT(kind, name, first, second) STRIDE_##kind(PUT, name)
