/* Functions of NVIDIA's device runtime (libcudadevrt) that are PTX here: what waits for all blocks of a grid. Numba's cooperative groups
 * call them, and CUDA's of before 11; those of today have the same code inline. A text that declares
 * one without a definition gets it at its end. */
#include "ptx/ptx.h"
#include "ptx/statement.h"

#include <string.h>

/* The handle is the workspace of a cooperative launch (exec/memory: memory_grid_barrier); 0: the launch is none, which 1, an
 * error, tells. One thread of each block adds to the barrier; all blocks together, of which the first
 * adds the rest, turn its highest bit. */
static const char provided[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".weak .func (.param .b64 handle) cudaCGGetIntrinsicHandle(.param .b32 scope)\n"
    "{\n"
    "    .reg .pred %grid;\n"
    "    .reg .b32 %low, %high, %scope;\n"
    "    .reg .b64 %workspace;\n"
    "    ld.param.u32 %scope, [scope];\n"
    "    setp.eq.u32 %grid, %scope, 1;\n"
    "    mov.u32 %high, %envreg1;\n"
    "    mov.u32 %low, %envreg2;\n"
    "    mov.b64 %workspace, {%low, %high};\n"
    "    selp.b64 %workspace, %workspace, 0, %grid;\n"
    "    st.param.b64 [handle], %workspace;\n"
    "    ret;\n"
    "}\n"
    ".weak .func (.param .b32 error) cudaCGSynchronize(.param .b64 handle, .param .b32 flags)\n"
    "{\n"
    "    .reg .pred %none, %other, %wait;\n"
    "    .reg .b32 %x, %y, %z, %blocks, %added, %before, %now;\n"
    "    .reg .b64 %workspace;\n"
    "    ld.param.u64 %workspace, [handle];\n"
    "    setp.eq.u64 %none, %workspace, 0;\n"
    "    @%none bra NONE;\n"
    "    bar.sync 0;\n"
    "    mov.u32 %x, %tid.x;\n"
    "    mov.u32 %y, %tid.y;\n"
    "    mov.u32 %z, %tid.z;\n"
    "    or.b32 %x, %x, %y;\n"
    "    or.b32 %x, %x, %z;\n"
    "    setp.ne.u32 %other, %x, 0;\n"
    "    @%other bra DONE;\n"
    "    mov.u32 %x, %nctaid.x;\n"
    "    mov.u32 %y, %nctaid.y;\n"
    "    mov.u32 %z, %nctaid.z;\n"
    "    mul.lo.u32 %blocks, %x, %y;\n"
    "    mul.lo.u32 %blocks, %blocks, %z;\n"
    "    sub.u32 %added, 0x80000001, %blocks;\n"
    "    mov.u32 %x, %ctaid.x;\n"
    "    mov.u32 %y, %ctaid.y;\n"
    "    mov.u32 %z, %ctaid.z;\n"
    "    or.b32 %x, %x, %y;\n"
    "    or.b32 %x, %x, %z;\n"
    "    setp.ne.u32 %other, %x, 0;\n"
    "    selp.b32 %added, 1, %added, %other;\n"
    "    membar.gl;\n"
    "    atom.global.add.u32 %before, [%workspace+4], %added;\n"
    "WAIT:\n"
    "    ld.volatile.global.u32 %now, [%workspace+4];\n"
    "    xor.b32 %now, %now, %before;\n"
    "    setp.ge.s32 %wait, %now, 0;\n"
    "    @%wait bra WAIT;\n"
    "    membar.gl;\n"
    "DONE:\n"
    "    bar.sync 0;\n"
    "    mov.u32 %x, 0;\n"
    "    st.param.b32 [error], %x;\n"
    "    ret;\n"
    "NONE:\n"
    "    mov.u32 %x, 1;\n"
    "    st.param.b32 [error], %x;\n"
    "    ret;\n"
    "}\n";

static bool needs(const PtxUnit *unit, const char *name) {
    bool declared = false;
    if (!unit->length || !memmem(unit->text, unit->length, name, strlen(name)))
        return false;
    Lexer lexer = lexer_new(unit->text, unit->length);
    for (Statement statement; statement_next(&lexer, &statement);) {
        bool named = statement.kind == STATEMENT_FUNCTION && str_is(statement.name, name);
        if (named && statement.is_definition)
            return false;
        declared |= named;
    }
    return declared;
}

const char *ptx_provide(Arena *arena, const char *text, size_t *length) {
    const PtxUnit units[] = {{text, *length}, {provided, sizeof provided - 1}};
    if (!needs(&units[0], "cudaCGSynchronize") && !needs(&units[0], "cudaCGGetIntrinsicHandle"))
        return text;
    return ptx_link(arena, units, 2, length);
}
