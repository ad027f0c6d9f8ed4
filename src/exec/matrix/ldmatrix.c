/* ldmatrix and stmatrix: 8x8 matrices of 16-bit elements between shared memory and the registers of
 * a warp (PTX ISA 9.7.14, "ldmatrix"); movmatrix: such a matrix transposed within the registers. Lanes 8i … 8i+7 give the addresses of the rows of matrix i;
 * lane l holds elements 2(l%4) and 2(l%4)+1 of row l/4, or with .trans of column l/4. */
#include "exec/decode/operands.h"
#include "exec/matrix/mma.h"

#include <string.h>

enum { ROWS = 8, ROW_BYTES = 16 };

typedef struct MovedMatrices {
    uint32_t count;
    bool trans, stores;
    AccessKind kind;
    uint32_t offset[4]; /* of the registers */
} MovedMatrices;

/* Where element k (0, 1) of lane l lies in its matrix. */
static void element_at(const MovedMatrices *matrices, uint32_t lane, uint32_t k, uint32_t *row,
                       uint32_t *column) {
    uint32_t slow = lane / 4, fast = 2 * (lane % 4) + k;
    *row = matrices->trans ? fast : slow;
    *column = matrices->trans ? slow : fast;
}

static void move(const Warp *warp, const Touch *touch, const MovedMatrices *matrices, uint32_t i) {
    uint32_t *registers = reg32(warp, matrices->offset[i]);
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        uint16_t halves[2];
        memcpy(halves, &registers[lane], sizeof halves);
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t row, column;
            element_at(matrices, lane, k, &row, &column);
            uint8_t *place = touch_place(touch, ROWS * i + row) + 2 * column;
            if (matrices->stores)
                memcpy(place, &halves[k], 2);
            else
                memcpy(&halves[k], place, 2);
        }
        if (!matrices->stores)
            memcpy(&registers[lane], halves, sizeof halves);
    }
}

static Step exec_matrix(Warp *warp, const Code *code, uint32_t mask) {
    const MovedMatrices *matrices = code->more;
    Step step = matrix_together(warp, code, mask);
    if (step != STEP_NEXT)
        return step;
    uint32_t rows = (uint32_t)((UINT64_C(1) << ROWS * matrices->count) - 1);
    Touch touch;
    touch_addresses(&touch, warp, code->a, code->a_class, code->offset, rows);
    Space space = SPACE_SHARED;
    if (code->space == SPACE_GENERIC) {
        uint32_t now = rows;
        space = touch_split(&touch, &now);
        if (space != SPACE_SHARED || now != rows)
            return memory_fault(warp, code, FAULT_OUT_OF_BOUNDS, 0, space, touch.address[0],
                                "matrix row outside of shared memory");
    }
    if (touch_check(&touch, warp, code, space, rows, ROW_BYTES, matrices->stores) != STEP_NEXT)
        return STEP_FAULT;
    Access access = {.kind = matrices->kind,
                     .space = SPACE_SHARED,
                     .width = ROW_BYTES,
                     .mask = rows,
                     .matrices = matrices->count,
                     .address = touch.address};
    access_count(warp, code, &access, NULL);
    for (uint32_t i = 0; i < matrices->count; i++)
        move(warp, &touch, matrices, i);
    return STEP_NEXT;
}

static Step exec_movmatrix(Warp *warp, const Code *code, uint32_t mask) {
    uint16_t matrix[ROWS][ROWS];
    Step step = matrix_together(warp, code, mask);
    if (step != STEP_NEXT)
        return step;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        uint32_t halves = reg32(warp, code->a)[lane];
        matrix[lane / 4][2 * (lane % 4)] = (uint16_t)halves;
        matrix[lane / 4][2 * (lane % 4) + 1] = (uint16_t)(halves >> 16);
    }
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        uint32_t low = matrix[2 * (lane % 4)][lane / 4],
                 high = matrix[2 * (lane % 4) + 1][lane / 4];
        reg32(warp, code->d)[lane] = low | high << 16;
    }
    return STEP_NEXT;
}

bool matrix_decode(Decoding *decoding, const Insn *insn, Code *code) {
    if (insn->op == OP_movmatrix) {
        code->full = code->some = exec_movmatrix;
        return true;
    }
    MovedMatrices *matrices = NEW(decoding->arena, MovedMatrices);
    matrices->stores = insn->op == OP_stmatrix;
    matrices->kind = decoding->program->lowered[code->site].kind;
    const Operand *address = &insn->operands[matrices->stores ? 0 : 1];
    const Operand *data = &insn->operands[matrices->stores ? 1 : 0];
    bool vector = data->kind == OPERAND_VECTOR;
    matrices->count = insn->mods.matrices;
    matrices->trans = insn->mods.flags & MOD_TRANS;
    for (uint32_t i = 0; i < matrices->count; i++) {
        uint8_t class;
        const Operand *one = vector ? &data->elements[i] : data;
        matrices->offset[i] = one->kind == OPERAND_SINK
                                  ? decode_value(decoding, 1, UINT64_C(0xdead) + i)
                                  : decode_operand(decoding, one, &class);
    }
    code->more = matrices;
    code->space = (Space)insn->mods.space;
    code->a = decode_operand(decoding, address, &code->a_class);
    code->offset = address->reg == NO_REG ? 0 : address->offset;
    code->full = code->some = exec_matrix;
    return true;
}
