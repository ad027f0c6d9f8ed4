/* How fast matrices are multiplied: prints for each type its name and million wmma.mma per CPU second of
 * this process, once for each of the repeats. A warp loads both factors from shared memory for each. */
#include "check.h"

#include <stdio.h>

enum { TURNS = 256, BLOCKS = 64, WARPS = 8 };

typedef struct Kind {
    const char *name, *shape, *factor, *sum; /* types as PTX writes them */
    const char *product;                     /* and those of the product */
    const char *reg, *sum_reg;               /* of registers */
    int factors, sums;                       /* registers of a factor and of the sum */
    int line;                                /* elements */
} Kind;

static const Kind kinds[] = {
    {"f16", "m16n16k16", "f16", "f32", "f32.f32", "b32", "f32", 8, 8, 16},
    {"bf16", "m16n16k16", "bf16", "f32", "f32.bf16.bf16.f32", "b32", "f32", 4, 8, 16},
    {"tf32", "m16n16k8", "tf32", "f32", "f32.tf32.tf32.f32", "b32", "f32", 4, 8, 8},
    {"f64", "m8n8k4", "f64", "f64", "f64.f64.f64.f64", "f64", "f64", 1, 2, 4},
    {"s8", "m16n16k16", "s8", "s32", "s32.s8.s8.s32", "b32", "b32", 2, 8, 16},
};

/* {%x0, %x1 … } */
static const char *registers(char text[128], const char *name, int count) {
    int at = 0;
    for (int i = 0; i < count; i++)
        at += snprintf(text + at, 128 - (size_t)at, "%s%%%s%d", i ? ", " : "{", name, i);
    snprintf(text + at, 128 - (size_t)at, "}");
    return text;
}

static void write_kernel(const Kind *kind, char *text, size_t room) {
    char a[128], b[128], c[128], clear[512] = "", fill[512] = "";
    registers(a, "a", kind->factors);
    registers(b, "b", kind->factors);
    registers(c, "c", kind->sums);
    const char *zero = kind->sum[0] == 's'   ? "0"
                       : kind->sum[1] == '6' ? "0d0000000000000000"
                                             : "0f00000000";
    for (int i = 0, at = 0; i < kind->sums; i++)
        at += snprintf(clear + at, sizeof clear - (size_t)at, "    mov.%s %%c%d, %s;\n",
                       kind->sum_reg, i, zero);
    for (int i = 0, at = 0; i < 8; i++) /* each byte 0x3f or 0x80: a number near 1 of every type */
        at += snprintf(fill + at, sizeof fill - (size_t)at,
                       "    st.shared.b32 [%%at+%d], 0x3f803f80;\n", 128 * i);
    snprintf(text, room,
             ".version 8.0\n.target sm_80\n.address_size 64\n"
             ".visible .entry multiply(.param .u64 out)\n{\n"
             "    .shared .align 128 .b8 tiles[1024];\n"
             "    .reg .%s %%a<8>, %%b<8>;\n    .reg .%s %%c<8>;\n"
             "    .reg .b32 %%tile, %%at, %%turn;\n    .reg .b64 %%out;\n    .reg .pred %%p;\n"
             "    mov.u32 %%tile, tiles;\n    mov.u32 %%at, %%tid.x;\n"
             "    and.b32 %%at, %%at, 31;\n    mad.lo.u32 %%at, %%at, 4, %%tile;\n"
             "%s%s    mov.u32 %%turn, 0;\n    bar.sync 0;\n"
             "again:\n"
             "    wmma.load.a.sync.aligned.row.%s.shared.%s %s, [%%tile], %d;\n"
             "    wmma.load.b.sync.aligned.col.%s.shared.%s %s, [%%tile+512], %d;\n"
             "    wmma.mma.sync.aligned.row.col.%s.%s %s, %s, %s, %s;\n"
             "    add.u32 %%turn, %%turn, 1;\n    setp.lt.u32 %%p, %%turn, %d;\n"
             "    @%%p bra again;\n"
             "    ld.param.u64 %%out, [out];\n    st.global.%s [%%out], %%c0;\n    ret;\n}\n",
             kind->reg, kind->sum_reg, fill, clear, kind->shape, kind->factor, a, kind->line,
             kind->shape, kind->factor, b, kind->line, kind->shape, kind->product, c, a, b, c,
             TURNS, kind->sum_reg);
}

static void measure(const Kind *kind, CUdeviceptr out) {
    char text[4096];
    CUmodule module;
    CUfunction function;
    void *params[] = {&out};
    write_kernel(kind, text, sizeof text);
    OK(cuModuleLoadData(&module, text));
    OK(cuModuleGetFunction(&function, module, "multiply"));
    print_rates(kind->name, function, BLOCKS, 32 * WARPS, params, (double)BLOCKS * WARPS * TURNS,
                2);
    OK(cuModuleUnload(module));
}

int main(void) {
    CUcontext context;
    CUdeviceptr out;
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&context, 0));
    OK(cuCtxSetCurrent(context));
    OK(cuMemAlloc_v2(&out, sizeof(double)));
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        measure(&kinds[i], out);
    return 0;
}
