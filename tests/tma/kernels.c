/* The kernels of the cases: one for each instruction and rank. All fill AREA bytes of shared memory
 * first, with a pattern or from `data`; copies to shared memory then write the area to `data`, behind it
 * a word that is 1 if the mbarrier's phase completed in time. */
#include "tma.h"

#include <stdarg.h>

typedef struct Text {
    char *at;
    size_t length, room;
} Text;

static void put(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(Text *text, const char *format, ...) {
    for (;;) {
        va_list list;
        va_start(list, format);
        size_t left = text->room - text->length;
        size_t length = (size_t)vsnprintf(text->at + text->length, left, format, list);
        va_end(list);
        if (length < left) {
            text->length += length;
            return;
        }
        text->room = 2 * text->room + length;
        text->at = realloc(text->at, text->room);
        CHECK(text->at);
    }
}

/* What all have: registers, the place of the box, shared memory filled. */
static void begin(Text *text, const char *name, bool from_data) {
    put(text,
        ".visible .entry %s(.param .align 128 .b8 map[128], .param .align 8 .b8 place[168], "
        ".param .u64 data)\n{\n"
        "    .shared .align 1024 .b8 area[%d];\n    .shared .align 8 .b64 bar;\n"
        "    .shared .align 128 .b8 copy[128];\n"
        "    .reg .pred %%p<5>;\n    .reg .b16 %%o<4>;\n"
        "    .reg .b32 %%c<5>, %%r<16>;\n    .reg .b64 %%map, %%data, %%a, %%s, %%q;\n"
        "    mov.b64 %%map, map;\n    cvta.param.u64 %%map, %%map;\n"
        "    ld.param.u64 %%data, [data];\n    mov.u32 %%r0, area;\n    mov.u32 %%r1, bar;\n"
        "    mov.u32 %%r2, %%tid.x;\n",
        name, AREA);
    for (uint32_t i = 0; i < 5; i++)
        put(text, "    ld.param.u32 %%c%u, [place+%u];\n", i, 4 * i);
    for (uint32_t i = 0; i < 3; i++)
        put(text, "    ld.param.u16 %%o%u, [place+%u];\n", i, 20 + 4 * i);
    put(text,
        "    ld.param.u32 %%r3, [place+32];\n    add.u32 %%r3, %%r3, %%r0;\n"
        "    ld.param.u32 %%r4, [place+36];\n    setp.eq.u32 %%p0, %%r2, 0;\n"
        "    @%%p0 mbarrier.init.shared::cta.b64 [%%r1], 1;\n"
        "    shl.b32 %%r5, %%r2, 4;\n    cvt.u64.u32 %%a, %%r5;\n    add.u64 %%a, %%a, %%data;\n"
        "    add.u32 %%r5, %%r5, %%r0;\n    mov.u32 %%r6, 0;\n    mov.u32 %%r8, 0xc5c5c5c5;\n"
        "    mov.u32 %%r9, %%r8;\n    mov.u32 %%r10, %%r8;\n    mov.u32 %%r11, %%r8;\nFILL:\n");
    if (from_data)
        put(text, "    ld.global.v4.b32 {%%r8, %%r9, %%r10, %%r11}, [%%a];\n");
    put(text,
        "    st.shared.v4.b32 [%%r5], {%%r8, %%r9, %%r10, %%r11};\n"
        "    add.u64 %%a, %%a, %d;\n    add.u32 %%r5, %%r5, %d;\n    add.u32 %%r6, %%r6, %d;\n"
        "    setp.lt.u32 %%p1, %%r6, %d;\n    @%%p1 bra FILL;\n"
        "    fence.proxy.async;\n    fence.mbarrier_init.release.cluster;\n    bar.sync 0;\n",
        16 * THREADS, 16 * THREADS, 16 * THREADS, AREA);
}

static void coordinates(Text *text, uint32_t rank) {
    put(text, "[%%map, {%%c0");
    for (uint32_t i = 1; i < rank; i++)
        put(text, ", %%c%u", i);
    put(text, "}]");
}

static void end_load(Text *text) {
    put(text,
        "    mov.u32 %%r6, 0;\n    mov.u32 %%r7, 0;\nWAIT:\n"
        "    mbarrier.test_wait.parity.shared::cta.b64 %%p2, [%%r1], 0;\n"
        "    @%%p2 bra DONE;\n    nanosleep.u32 200;\n    add.u32 %%r6, %%r6, 1;\n"
        "    setp.lt.u32 %%p1, %%r6, 1000;\n    @%%p1 bra WAIT;\n    bra OVER;\nDONE:\n"
        "    mov.u32 %%r7, 1;\nOVER:\n    bar.sync 0;\n"
        "    @%%p0 st.global.u32 [%%data+%d], %%r7;\n"
        "    shl.b32 %%r5, %%r2, 4;\n    cvt.u64.u32 %%a, %%r5;\n    add.u64 %%a, %%a, %%data;\n"
        "    add.u32 %%r5, %%r5, %%r0;\n    mov.u32 %%r6, 0;\nCOPY:\n"
        "    ld.shared.v4.b32 {%%r8, %%r9, %%r10, %%r11}, [%%r5];\n"
        "    st.global.v4.b32 [%%a], {%%r8, %%r9, %%r10, %%r11};\n"
        "    add.u64 %%a, %%a, %d;\n    add.u32 %%r5, %%r5, %d;\n    add.u32 %%r6, %%r6, %d;\n"
        "    setp.lt.u32 %%p1, %%r6, %d;\n    @%%p1 bra COPY;\n    ret;\n}\n",
        AREA, 16 * THREADS, 16 * THREADS, 16 * THREADS, AREA);
}

static void copy_tile(Text *text, uint32_t rank, const char *mode, const char *more) {
    put(text, "    cp.async.bulk.tensor.%ud.%s.global%s.mbarrier::complete_tx::bytes%s [%%r3], ",
        rank, rank == 4 && !*more ? "shared::cta" : "shared::cluster", mode, more);
    coordinates(text, rank);
    put(text, ", [%%r1]");
}

static void load(Text *text, uint32_t rank, bool im2col) {
    char name[32];
    snprintf(name, sizeof name, "%s%u", im2col ? "im2col" : "load", rank);
    begin(text, name, false);
    put(text, "    createpolicy.fractional.L2::evict_last.b64 %%q, 1.0;\n    @!%%p0 bra WAITS;\n"
              "    prefetch.tensormap [%%map];\n"
              "    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%%r1], %%r4;\n");
    if (rank == 3 && !im2col) {
        put(text, "    cp.async.bulk.prefetch.tensor.3d.L2.global.tile ");
        coordinates(text, rank);
        put(text, ";\n");
    }
    copy_tile(text, rank,
              im2col      ? ".im2col"
              : rank == 1 ? ""
                          : ".tile",
              rank == 2 ? ".L2::cache_hint" : "");
    for (uint32_t i = 0; im2col && i < rank - 2; i++)
        put(text, "%s%%o%u", i ? ", " : ", {", i);
    put(text, "%s%s;\nWAITS:\n", im2col ? "}" : "", rank == 2 ? ", %q" : "");
    end_load(text);
}

/* Block 0 loads into the blocks of the mask; those wait for their own mbarrier. */
static void multicast(Text *text, uint32_t rank) {
    char name[32];
    snprintf(name, sizeof name, "multicast%u", rank);
    begin(text, name, false);
    put(text,
        "    mov.u32 %%r12, %%cluster_ctarank;\n    mul.wide.u32 %%s, %%r12, %d;\n"
        "    add.u64 %%data, %%data, %%s;\n    ld.param.u32 %%r13, [place+40];\n"
        "    shr.u32 %%r14, %%r13, %%r12;\n    and.b32 %%r14, %%r14, 1;\n"
        "    setp.eq.u32 %%p3, %%r14, 1;\n    and.pred %%p4, %%p0, %%p3;\n"
        "    @%%p4 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%%r1], %%r4;\n"
        "    barrier.cluster.arrive;\n    barrier.cluster.wait;\n"
        "    setp.ne.u32 %%p4, %%r12, 0;\n    @%%p4 bra WAITS;\n    @!%%p0 bra WAITS;\n"
        "    cvt.u16.u32 %%o3, %%r13;\n",
        REPORT);
    copy_tile(text, rank, ".tile", ".multicast::cluster");
    put(text, ", %%o3;\nWAITS:\n    @!%%p3 bra SKIP;\n");
    put(text, "    mov.u32 %%r6, 0;\nWAITED:\n    add.u32 %%r6, %%r6, 1;\n"
              "    mbarrier.try_wait.parity.shared::cta.b64 %%p2, [%%r1], 0;\n"
              "    setp.lt.u32 %%p1, %%r6, 100;\n    @%%p2 bra SKIP;\n    @%%p1 bra WAITED;\n"
              "SKIP:\n    barrier.cluster.arrive;\n    barrier.cluster.wait;\n");
    end_load(text);
}

static void replace(Text *text, const char *field, const char *type, const char *ord,
                    const char *value) {
    put(text, "    tensormap.replace.tile.%s.shared::cta.b1024.%s [%%r5], %s%s;\n", field, type,
        ord, value);
}

/* .elemtype and the like take constants. */
static void replace_constant(Text *text, const char *field, uint32_t at, uint32_t values) {
    put(text, "    ld.param.u32 %%r6, [place+%u];\n", at);
    for (uint32_t value = 0; value < values; value++)
        put(text,
            "    setp.eq.u32 %%p3, %%r6, %u;\n"
            "    @%%p3 tensormap.replace.tile.%s.shared::cta.b1024.b32 [%%r5], %u;\n",
            value, field, value);
}

static void replace_list(Text *text, const char *field, const char *type, uint32_t at,
                         uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        char ord[16];
        bool wide = strcmp(type, "b64") == 0;
        snprintf(ord, sizeof ord, "%u, ", i);
        put(text, "    ld.param.%s %s, [place+%u];\n", wide ? "u64" : "u32", wide ? "%s" : "%r6",
            at + i * (wide ? 8 : 4));
        replace(text, field, type, ord, wide ? "%s" : "%r6");
    }
}

/* The map is copied to shared memory, each of its fields set, and the result put in the place of the
 * report, from where it is used. */
static void replaced(Text *text, uint32_t rank) {
    char name[32];
    snprintf(name, sizeof name, "replaced%u", rank);
    begin(text, name, false);
    put(text, "    mov.u32 %%r5, copy;\n    setp.lt.u32 %%p3, %%r2, 32;\n    @!%%p3 bra WAITS;\n"
              "    shl.b32 %%r6, %%r2, 2;\n    cvt.u64.u32 %%s, %%r6;\n"
              "    add.u64 %%s, %%s, %%map;\n    ld.u32 %%r7, [%%s];\n"
              "    add.u32 %%r6, %%r6, %%r5;\n    st.shared.u32 [%%r6], %%r7;\n"
              "    bar.warp.sync 0xffffffff;\n    @!%%p0 bra COPIED;\n"
              "    ld.param.u64 %%s, [place+128];\n");
    replace(text, "global_address", "b64", "", "%s");
    put(text, "    ld.param.u32 %%r6, [place+44];\n");
    replace(text, "rank", "b32", "", "%r6");
    replace_list(text, "global_dim", "b32", 64, rank);
    replace_list(text, "box_dim", "b32", 84, rank);
    replace_list(text, "element_stride", "b32", 104, rank);
    replace_list(text, "global_stride", "b64", 136, rank - 1);
    replace_constant(text, "elemtype", 48, 13);
    replace_constant(text, "interleave_layout", 52, 3);
    replace_constant(text, "swizzle_mode", 56, 4);
    replace_constant(text, "fill_mode", 60, 2);
    put(text, "COPIED:\n    bar.warp.sync 0xffffffff;\n"
              "    tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync"
              ".aligned [%%data], [%%r5], 128;\n"
              "    fence.proxy.tensormap::generic.acquire.gpu [%%data], 128;\n"
              "    mov.u64 %%map, %%data;\n    @!%%p0 bra WAITS;\n"
              "    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%%r1], %%r4;\n");
    copy_tile(text, rank, ".tile", "");
    put(text, ";\nWAITS:\n");
    end_load(text);
}

/* reduce: "add" … or NULL */
static void store(Text *text, uint32_t rank, const char *reduce, bool im2col) {
    char name[32];
    snprintf(name, sizeof name, "%s%u", reduce ? reduce : im2col ? "im2col_store" : "store", rank);
    begin(text, name, true);
    put(text,
        "    @!%%p0 bra OVER;\n    cp.%sasync.bulk.tensor.%ud.global.shared::cta%s%s%s"
        ".bulk_group ",
        reduce ? "reduce." : "", rank, reduce ? "." : "", reduce ? reduce : "",
        im2col ? ".im2col_no_offs" : ".tile");
    coordinates(text, rank);
    put(text, ", [%%r3];\n    cp.async.bulk.commit_group;\n"
              "    cp.async.bulk.wait_group 0;\nOVER:\n    ret;\n}\n");
}

char *kernels_text(void) {
    Text text = {0};
    put(&text, ".version 8.6\n.target sm_90a\n.address_size 64\n");
    for (uint32_t rank = 1; rank <= 5; rank++) {
        load(&text, rank, false);
        multicast(&text, rank);
        replaced(&text, rank);
        store(&text, rank, NULL, false);
        for (int reduce = 0; reduce < REDUCES; reduce++)
            store(&text, rank, reduce_names[reduce], false);
        if (rank >= 3) {
            load(&text, rank, true);
            store(&text, rank, NULL, true);
        }
    }
    return text.at;
}

const char *kernel_name(const Case *one) {
    static const char *const names[] = {"load",         "store",     NULL,      "im2col",
                                        "im2col_store", "multicast", "replaced"};
    static char name[32];
    snprintf(name, sizeof name, "%s%u",
             one->kind == KIND_REDUCE ? reduce_names[one->reduce] : names[one->kind], one->rank);
    return name;
}
