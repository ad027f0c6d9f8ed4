/* ldmatrix and stmatrix: 8x8 matrices of 16-bit elements between shared memory and the registers of
 * a warp (PTX ISA 9.7.14, "ldmatrix"); movmatrix: such a matrix transposed within the registers. Lanes 8i … 8i+7 give the
 * addresses of the rows of matrix i; lane l holds elements 2(l%4) and 2(l%4)+1 of row l/4, or with .trans of column l/4. */
#include "exec/decode/operands.h"
#include "exec/lanes/words.h"
#include "exec/matrix/mma.h"

enum { ROWS = 8, ROW_BYTES = 16, WORDS = ROW_BYTES / 4 };

typedef struct MovedMatrices {
    uint32_t count;
    bool trans, stores;
    AccessKind kind;
    uint32_t offset[4]; /* of the registers */
} MovedMatrices;

/* The words of lanes 4r … 4r+3 are row r, or column r. */
static void move(const Warp *warp, const Touch *touch, const MovedMatrices *matrices, uint32_t i) {
    uint32_t *registers = reg32(warp, matrices->offset[i]);
    Halves row[ROWS];
    for (uint32_t r = 0; r < ROWS; r++)
        row[r] =
            (Halves)words_at(matrices->stores ? (const void *)(registers + WORDS * r)
                                              : (const void *)touch_place(touch, ROWS * i + r));
    if (matrices->trans)
        turn_halves(row);
    for (uint32_t r = 0; r < ROWS; r++)
        put_words(matrices->stores ? (void *)touch_place(touch, ROWS * i + r)
                                   : (void *)(registers + WORDS * r),
                  (Words)row[r]);
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
    Halves row[ROWS];
    Step step = matrix_together(warp, code, mask);
    if (step != STEP_NEXT)
        return step;
    for (uint32_t r = 0; r < ROWS; r++)
        row[r] = (Halves)words_at(reg32(warp, code->a) + WORDS * r);
    turn_halves(row);
    for (uint32_t r = 0; r < ROWS; r++)
        put_words(reg32(warp, code->d) + WORDS * r, (Words)row[r]);
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
    code->space = (uint8_t)insn->mods.space;
    code->a = decode_operand(decoding, address, &code->a_class);
    code->offset = address->reg == NO_REG ? 0 : address->offset;
    code->full = code->some = exec_matrix;
    return true;
}
