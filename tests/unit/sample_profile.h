/* A profile built by hand, with at least one row in every table and one of every kind of access:
 * what tests of prof, rules and report read. Its numbers are plausible (the scan's are those
 * measured on an H100, tests/ground-truth/h100/kernels-by-line.csv), its sources are its own. */
#pragma once

#include "prof/prof.h"

#include <string.h>

enum { SCAN, SCAN_PADDED, GEMM, ADD3, SAMPLE_KERNELS };
enum {
    LAUNCH_SCAN,
    LAUNCH_SCAN_PADDED,
    LAUNCH_GEMM,
    LAUNCH_ADD3_SAMPLED,
    LAUNCH_ADD3_FAULT,
    SAMPLE_LAUNCHES
};

static const char scan_source[] =
    "// Inclusive scan of 32x32 tiles in both directions.\n"
    "typedef unsigned char u8;\n"
    "typedef unsigned long long u64;\n"
    "\n"
    "__device__ __forceinline__ u64 scanWarp(u64 v) {\n"
    "  for (int d = 1; d < 32; d <<= 1) {\n"
    "    u64 t = __shfl_up_sync(0xffffffffu, v, d);\n"
    "    if (threadIdx.x >= d) v += t;\n"
    "  }\n"
    "  return v;\n"
    "}\n"
    "\n"
    "template <int PAD>\n"
    "__global__ void blockScan(const u8 *src, u64 *dst, const u64 *cols, int nx, int ny) {\n"
    "  __shared__ u64 tile[32][32 + PAD];\n"
    "  int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  int y = blockIdx.y * blockDim.y + threadIdx.y;\n"
    "  u64 v = src[y * nx + x];\n"
    "  tile[threadIdx.y][threadIdx.x] = v * v;\n"
    "  __syncthreads();\n"
    "  u64 last = 0;\n"
    "  if (blockIdx.x != 0)\n"
    "    last = cols[(blockIdx.x - 1) * ny + y];\n"
    "  u64 value = tile[threadIdx.y][threadIdx.x];\n"
    "  value = scanWarp(value) + last;\n"
    "  tile[threadIdx.y][threadIdx.x] = value;\n"
    "  __syncthreads();\n"
    "  value = tile[threadIdx.x][threadIdx.y];\n"
    "  value = scanWarp(value);\n"
    "  tile[threadIdx.x][threadIdx.y] = value;\n"
    "  __syncthreads();\n"
    "  value = tile[threadIdx.y][threadIdx.x];\n"
    "  dst[y * nx + x] = value + last;\n"
    "}\n";

/* Sites get NONE for a place outside the source. */
static inline void sample_site(Profile *profile, uint32_t location, uint32_t ptx_line, SiteOp op,
                               SiteSpace space, uint32_t width, const char *text) {
    static const uint32_t kinds[] = {
    /* the first of each */
#define SITE_OP(id, name, code, words, text, first, last) first,
#include "prof/site_ops.def"
    };
    uint32_t number = profile->kernels.count - 1;
    ProfKernel *kernel = &profile->kernels.at[number];
    *vec_add(profile->arena, &profile->sites) = (Site){.kernel = number,
                                                       .location = location,
                                                       .ptx_line = ptx_line,
                                                       .text = text,
                                                       .op = op,
                                                       .space = space,
                                                       .width = width,
                                                       .access = kinds[op]};
    kernel->site_count++;
}

static inline void sample_kernel(Profile *profile, uint32_t module, const char *name,
                                 const char *demangled, uint32_t location, uint32_t ptx_line,
                                 uint32_t registers) {
    *vec_add(profile->arena, &profile->kernels) = (ProfKernel){.module = module,
                                                               .name = name,
                                                               .demangled = demangled,
                                                               .location = location,
                                                               .ptx_line = ptx_line,
                                                               .first_site = profile->sites.count,
                                                               .registers = registers};
}

static inline LaunchRecord *sample_launch(Profile *profile, uint32_t kernel, uint32_t gx,
                                          uint32_t gy, uint32_t bx, uint32_t by, const char *gpu) {
    LaunchRecord *record = vec_add(profile->arena, &profile->launches);
    uint64_t warps = (uint64_t)gx * gy * ((bx * by + 31) / 32);
    *record = (LaunchRecord){.kernel = kernel,
                             .grid = {gx, gy, 1},
                             .block = {bx, by, 1},
                             .gpu = gpu,
                             .gpu_measured = strcmp(gpu, "h100") == 0,
                             .blocks = (uint64_t)gx * gy,
                             .blocks_run = (uint64_t)gx * gy,
                             .evidence_blocks = 4,
                             .warp_insts = warps * 100,
                             .thread_insts = warps * 3200,
                             .wall_seconds = 0.25,
                             .cpu_seconds = 0.5,
                             .fault_location = NONE};
    record->counters = NEW_ARRAY(profile->arena, Counters, profile->kernels.at[kernel].site_count);
    return record;
}

/* Full-warp requests to shared memory: wavefronts and their ideal per request. */
static inline Counters sample_shared(uint64_t requests, uint32_t width, uint64_t wavefronts,
                                     uint64_t ideal) {
    uint64_t groups = width > 4 ? width / 4 : 1;
    return (Counters){.requests = requests,
                      .lanes = 32 * requests,
                      .bytes = 32 * width * requests,
                      .wavefronts = wavefronts * requests,
                      .wavefronts_ideal = ideal * requests,
                      .conflicts = wavefronts > groups ? (wavefronts - groups) * requests : 0};
}

/* Full-warp requests to global or local memory: sectors, their ideal and tag requests each. */
static inline Counters sample_global(uint64_t requests, uint32_t width, uint64_t sectors,
                                     uint64_t ideal, uint64_t lines) {
    return (Counters){.requests = requests,
                      .lanes = 32 * requests,
                      .bytes = 32 * width * requests,
                      .sectors = sectors * requests,
                      .sectors_ideal = ideal * requests,
                      .tag_requests = lines * requests,
                      .bytes_used = 32 * width * requests};
}

static inline void sample_pattern(Profile *profile, uint32_t launch, uint32_t site, SiteSpace space,
                                  uint32_t variable, int64_t stride, uint64_t count, bool affine) {
    int64_t *delta = NEW_ARRAY(profile->arena, int64_t, 32);
    for (int lane = 0; lane < 32; lane++)
        delta[lane] = affine ? lane * stride : (lane * 7919 % 1024 - 512) * 4 * (lane > 0);
    *vec_add(profile->arena, &profile->patterns) = (AccessPattern){.launch = launch,
                                                                   .site = site,
                                                                   .space = space,
                                                                   .variable = variable,
                                                                   .base = 8 * site,
                                                                   .mask = UINT32_MAX,
                                                                   .count = count,
                                                                   .affine = affine,
                                                                   .stride = affine ? stride : 0,
                                                                   .delta = delta};
}

/* The scan: its tile is `pitch` wide; 32 makes the column walk of 8-byte elements 16-way. */
static inline void sample_scan(Profile *profile, const char *name, const char *demangled,
                               uint32_t pitch, uint32_t ptx_line) {
    uint32_t file = profile_file(profile, "samples/scan2d/scan2d.cu");
    uint32_t at[34];
    for (uint32_t line = 0; line < 34; line++)
        at[line] = profile_location(profile, file, line, 3, NULL, NONE);
    sample_kernel(profile, 0, name, demangled, at[16], ptx_line, pitch == 32 ? 18 : 0);
    *vec_add(profile->arena, &profile->kernels.at[profile->kernels.count - 1].shared) =
        (SharedVariable){"tile", "_ZZ9blockScanE4tile", 0, 32 * pitch * 8, 8, 8, false};
    sample_site(profile, at[18], ptx_line + 12, SITE_LOAD, SITE_GLOBAL, 1,
                "ld.global.nc.u8 %rs1, [%rd10]");
    sample_site(profile, at[19], ptx_line + 15, SITE_STORE, SITE_SHARED, 8,
                "st.shared.u64 [%r12], %rd13");
    sample_site(profile, at[23], ptx_line + 22, SITE_LOAD, SITE_GLOBAL, 8,
                "ld.global.nc.u64 %rd60, [%rd17]");
    sample_site(profile, at[24], ptx_line + 25, SITE_LOAD, SITE_SHARED, 8,
                "ld.shared.u64 %rd18, [%r12]");
    sample_site(profile, at[26], ptx_line + 40, SITE_STORE, SITE_SHARED, 8,
                "st.shared.u64 [%r12], %rd33");
    sample_site(profile, at[28], ptx_line + 44, SITE_LOAD, SITE_SHARED, 8,
                "ld.shared.u64 %rd34, [%r20]");
    sample_site(profile, at[30], ptx_line + 60, SITE_STORE, SITE_SHARED, 8,
                "st.shared.u64 [%r20], %rd50");
    sample_site(profile, at[32], ptx_line + 64, SITE_LOAD, SITE_SHARED, 8,
                "ld.shared.u64 %rd51, [%r12]");
    sample_site(profile, at[33], ptx_line + 70, SITE_STORE, SITE_GLOBAL, 8,
                "st.global.u64 [%rd55], %rd54");

    uint32_t kernel = profile->kernels.count - 1, launch = profile->launches.count;
    uint32_t site = profile->kernels.at[kernel].first_site;
    LaunchRecord *record = sample_launch(profile, kernel, 32, 32, 32, 32, "h100");
    uint64_t column = pitch == 32 ? 32 : 2;
    *vec_add(profile->arena, &record->allocations) = (Allocation){"argument 0", 1048576, 1};
    *vec_add(profile->arena, &record->allocations) = (Allocation){"argument 1", 8388608, 8};
    Counters *counters = record->counters;
    counters[0] = sample_global(32768, 1, 1, 1, 1);
    counters[1] = counters[3] = counters[4] = counters[7] = sample_shared(32768, 8, 2, 2);
    counters[2] = (Counters){.requests = 31744,
                             .lanes = 31744 * 32,
                             .bytes = 31744 * 256,
                             .sectors = 31744,
                             .sectors_ideal = 31744,
                             .tag_requests = 31744,
                             .bytes_used = 31744 * 8};
    counters[5] = counters[6] = sample_shared(32768, 8, column, 2);
    counters[8] = sample_global(32768, 8, 8, 8, 2);
    sample_pattern(profile, launch, site + 0, SITE_GLOBAL, 0, 1, 128, true);
    sample_pattern(profile, launch, site + 1, SITE_SHARED, 0, 8, 128, true);
    sample_pattern(profile, launch, site + 5, SITE_SHARED, 0, 8 * (int64_t)pitch, 128, true);
    sample_pattern(profile, launch, site + 6, SITE_SHARED, 0, 8 * (int64_t)pitch, 128, true);
    static const uint32_t executed[] = {16, 17, 18, 19, 20, 22, 23, 24, 26, 28, 30, 32, 33};
    for (size_t i = 0; i < sizeof executed / sizeof *executed; i++)
        *vec_add(profile->arena, &profile->location_counts) =
            (LocationCount){launch, at[executed[i]], 65536, 65536 * 32};
    uint32_t inlined =
        profile_location(profile, file, 7, 13, "scanWarp(unsigned long long)", at[25]);
    *vec_add(profile->arena, &profile->location_counts) =
        (LocationCount){launch, inlined, 163840, 163840 * 32};
}

/* A matrix product whose source cannot be read: asynchronous copies in an inlined function that is
 * called from two lines, one of them through another one; ldmatrix, atomics, local, constant and
 * generic accesses. */
static inline void sample_gemm(Profile *profile) {
    uint32_t file = profile_file(profile, "samples/sgemm/sgemm.cu");
    uint32_t header = profile_file(profile, "samples/sgemm/copy.h");
    uint32_t body = profile_location(profile, file, 40, 5, NULL, NONE);
    uint32_t call_a = profile_location(profile, file, 30, 7, NULL, NONE);
    uint32_t call_b = profile_location(profile, file, 32, 7, NULL, NONE);
    uint32_t wrapper =
        profile_location(profile, header, 21, 3, "copyRow(float*, float const*)", call_b);
    uint32_t copy_a =
        profile_location(profile, header, 12, 5, "copy16(float*, float const*)", call_a);
    uint32_t copy_b =
        profile_location(profile, header, 12, 5, "copy16(float*, float const*)", wrapper);
    sample_kernel(profile, 0, "_Z4gemmILi128ELi8EEvPKfS1_Pf",
                  "void gemm<128, 8>(float const*, float const*, float*)", call_a, 300, 96);
    ProfKernel *kernel = &profile->kernels.at[GEMM];
    *vec_add(profile->arena, &kernel->shared) =
        (SharedVariable){"As", "_ZZ4gemmE2As", 0, 128 * 24 * 4, 16, 4, false};
    *vec_add(profile->arena, &kernel->shared) =
        (SharedVariable){"dynamic", "extra", 128 * 24 * 4, 0, 16, 4, true};
    sample_site(profile, copy_a, 320, SITE_CP_ASYNC, SITE_SHARED, 16,
                "cp.async.cg.shared.global [%r20], [%rd8], 16");
    sample_site(profile, copy_b, 332, SITE_CP_ASYNC, SITE_SHARED, 16,
                "cp.async.cg.shared.global [%r31], [%rd12], 16");
    sample_site(profile, body, 350, SITE_LDMATRIX, SITE_SHARED, 16,
                "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%r40]");
    sample_site(profile, body, 352, SITE_LOAD, SITE_SHARED, 4, "ld.shared.f32 %f2, [%r41]");
    sample_site(profile, body, 353, SITE_LOAD, SITE_SHARED, 4, "ld.shared.f32 %f3, [%r41+96]");
    sample_site(profile, body, 354, SITE_LOAD, SITE_LOCAL, 4, "ld.local.f32 %f4, [%rd40]");
    sample_site(profile, body, 355, SITE_LOAD, SITE_CONST, 4, "ld.const.f32 %f5, [%rd41]");
    sample_site(profile, body, 356, SITE_LOAD, SITE_GENERIC, 4, "ld.f32 %f6, [%rd42]");
    sample_site(profile, body, 357, SITE_ATOMIC, SITE_SHARED, 4,
                "atom.shared.add.u32 %r50, [%r41], 1");
    sample_site(profile, body, 358, SITE_REDUCTION, SITE_GLOBAL, 4,
                "red.global.add.f32 [%rd43], %f7");
    sample_site(profile, body, 359, SITE_STMATRIX, SITE_SHARED, 16,
                "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r40], {%r1}");
    for (uint32_t i = 0; i < kernel->site_count; i++) {
        Site *site = &profile->sites.at[kernel->first_site + i];
        site->accesses = 1;
        site->matrices = site->op == SITE_LDMATRIX ? 4 : site->op == SITE_STMATRIX ? 1 : 0;
    }
    uint32_t first = profile->kernels.at[GEMM].first_site;
    LaunchRecord *record = sample_launch(profile, GEMM, 4, 4, 16, 16, "h100");
    record->dynamic_shared = 4096;
    *vec_add(profile->arena, &record->allocations) = (Allocation){"argument 0", 1048576, 4};
    Counters *counters = record->counters;
    counters[0] = sample_global(8192, 16, 16, 16, 8);
    counters[0].wavefronts = 8192 * 8;
    counters[0].wavefronts_ideal = 8192 * 4;
    counters[1] = sample_global(8192, 16, 32, 16, 4);
    counters[1].wavefronts = 8192 * 9;
    counters[1].wavefronts_ideal = 8192 * 4;
    counters[2] = sample_shared(16384, 16, 4, 4);
    counters[3] = sample_shared(131072, 4, 1, 1);
    counters[4] = sample_shared(131072, 4, 3, 1);
    counters[5] = sample_global(4096, 4, 4, 4, 1);
    counters[6] = (Counters){.requests = 4096, .lanes = 131072, .bytes = 524288, .constants = 8192};
    counters[7] = sample_shared(4096, 4, 2, 1);
    counters[8] = sample_shared(2048, 4, 32, 1);
    counters[9] = sample_global(2048, 4, 4, 4, 1);
    counters[10] = sample_shared(1024, 16, 1, 1);
    sample_pattern(profile, LAUNCH_GEMM, first + 0, SITE_SHARED, 0, 96, 64, true);
    AccessPattern *copy = &profile->patterns.at[profile->patterns.count - 1];
    copy->source = copy->delta;
    sample_pattern(profile, LAUNCH_GEMM, first + 4, SITE_SHARED, 0, 96, 900, true);
    sample_pattern(profile, LAUNCH_GEMM, first + 8, SITE_SHARED, NONE, 0, 31, false);
    *vec_add(profile->arena, &profile->location_counts) =
        (LocationCount){LAUNCH_GEMM, copy_b, 40000, 1280000};
    *vec_add(profile->arena, &profile->sass_lines) =
        (SassLine){GEMM, file, 40, "shared load", 3, 2, 24, 20};
    *vec_add(profile->arena, &profile->sass_lines) =
        (SassLine){GEMM, header, 12, "shared store", 2, 1, 32, 32};
}

/* The column walk of the first scan, with padding, and an instruction without a place. */
static inline void sample_sass(Profile *profile) {
    static const struct {
        uint32_t line; /* 0: none */
        const char *text;
    } code[] = {{16, "S2R R0, SR_TID.X"},
                {19, "@P0 STS.64 [R2], R4"},
                {28, "LDS.64 R6, [R3]"},
                {28, "LDC.64 R8, c[0x0][0x210]"},
                {30, "STS.64 [R3], R6"},
                {0, "@!PT LDS RZ, [RZ]"},
                {33, "STG.E.64 desc[UR6][R8.64], R6"},
                {0, "EXIT"}};
    uint32_t file = profile_file(profile, "samples/scan2d/scan2d.cu");
    for (uint32_t i = 0; i < sizeof code / sizeof *code; i++) {
        uint32_t line = code[i].line;
        uint32_t location = line ? profile_location(profile, file, line, 3, NULL, NONE) : NONE;
        *vec_add(profile->arena, &profile->kernels.at[SCAN].sass) =
            (SassInst){location, code[i].text, NONE};
    }
    uint32_t inner = profile->sites.at[profile->kernels.at[GEMM].first_site + 1].location;
    *vec_add(profile->arena, &profile->kernels.at[GEMM].sass) =
        (SassInst){inner, "LDGSTS.E.BYPASS.128 [R5], desc[UR8][R2.64]", NONE};
}

static const char add3_ptx[] = ".version 8.0\n"
                               ".target sm_80\n"
                               ".address_size 64\n"
                               ".visible .entry add3(.param .u64 in, .param .u64 out)\n"
                               "{\n"
                               "  .reg .b64 %rd<8>;\n"
                               "  .reg .f64 %fd<4>;\n"
                               "  ld.param.u64 %rd1, [in];\n"
                               "  mov.u32 %r1, %tid.x;\n"
                               "  mad.wide.u32 %rd2, %r1, 24, %rd1;\n"
                               "  ld.global.f64 %fd1, [%rd2];\n"
                               "  add.f64 %fd2, %fd1, 0d3FF0000000000000;\n"
                               "  st.global.f64 [%rd3], %fd2;\n"
                               "  ret;\n"
                               "}\n";

/* Structures of three doubles, compiled without -lineinfo, for a GPU that was not measured. */
static inline void sample_add3(Profile *profile) {
    sample_kernel(profile, 1, "add3", "add3", NONE, 4, 0);
    sample_site(profile, NONE, 11, SITE_LOAD, SITE_GLOBAL, 8, "ld.global.f64 %fd1, [%rd2]");
    sample_site(profile, NONE, 13, SITE_STORE, SITE_GLOBAL, 8, "st.global.f64 [%rd3], %fd2");
    LaunchRecord *record = sample_launch(profile, ADD3, 4096, 1, 256, 1, "a100");
    record->status = LAUNCH_SAMPLED;
    record->blocks_run = 256;
    record->warp_insts /= 16;
    record->thread_insts /= 16;
    *vec_add(profile->arena, &record->allocations) = (Allocation){"argument 0", 25165824, 8};
    record->counters[0] = sample_global(2048, 8, 24, 8, 6);
    record->counters[1] = sample_global(2048, 8, 24, 8, 6);
    uint32_t first = profile->kernels.at[ADD3].first_site;
    sample_pattern(profile, LAUNCH_ADD3_SAMPLED, first, SITE_GLOBAL, 0, 24, 32, true);
    sample_pattern(profile, LAUNCH_ADD3_SAMPLED, first + 1, SITE_GLOBAL, 0, 24, 32, true);

    record = sample_launch(profile, ADD3, 4096, 1, 256, 1, "a100");
    record->status = LAUNCH_FAULT;
    record->blocks_run = 17;
    record->warp_insts = 1300;
    record->thread_insts = 41600;
    record->counters[0] = sample_global(130, 8, 24, 8, 6);
    record->fault_location = profile_location(profile, NONE, 13, 0, NULL, NONE);
    record->fault = "out of bounds: store of 8 bytes at 0x7f0000401000\n"
                    "kernel add3, add3.ptx:13: st.global.f64 [%rd3], %fd2\n"
                    "block (17,0,0), thread (3,0,0)\n"
                    "nearest allocation: argument 1 (4,096 bytes), 4,096 bytes past its end";
}

/* A race of the scan, which the sample does not have by itself: pages would begin with it. */
static inline void sample_defect(Profile *profile) {
    const Defect defect = {.kind = DEFECT_write_read,
                           .kernel = SCAN,
                           .launch = 0,
                           .location = profile->sites.at[0].location,
                           .other_location = profile->sites.at[1].location,
                           .block = {3, 1, 0},
                           .thread = {17, 0, 0},
                           .other_block = {3, 1, 0},
                           .other_thread = {49, 0, 0},
                           .space = SITE_SHARED,
                           .address = 132,
                           .bytes = 4,
                           .variable = "tile",
                           .count = 4096,
                           .message = "race: read after write of 4 bytes in shared memory\n"
                                      "  block   (3,1,0), thread (17,0,0)"};
    profile_defect(profile, profile->arena, &defect);
}

static inline Profile *sample_profile(void) {
    Profile *profile = profile_new();
    profile->command = "warplens kernel scan2d.ptx -k 'blockScan<0>' --grid 32,32 --block 32,32";
    *vec_add(profile->arena, &profile->host_calls) = (HostCall){"cublas", "cublasSgemm", 12};
    *vec_add(profile->arena, &profile->host_calls) = (HostCall){"cublas", "cublasSdot", 1};
    *vec_add(profile->arena, &profile->origins) = (Origin){
        "scan2d.ptx", "auto", "2026-05-17T09:30:00Z", "0.1.0", "builder", "13.0.88", "13.2.78"};
    uint32_t file = profile_file(profile, "samples/scan2d/scan2d.cu");
    profile->files.at[file].text = scan_source;
    profile->files.at[file].size = strlen(scan_source);
    profile->files.at[file].hash = bytes_hash(scan_source, strlen(scan_source), 0);
    static const char ptx[] = ".version 9.0\n.target sm_90\n.address_size 64\n";
    *vec_add(profile->arena, &profile->modules) =
        (ProfModule){"scan2d.ptx", ptx,     bytes_hash(ptx, strlen(ptx), 0),
                     "9.0",        "sm_90", true,
                     "sm_90",      false,   false,
                     NULL,         false};
    *vec_add(profile->arena, &profile->modules) =
        (ProfModule){"add3.ptx", add3_ptx, UINT64_MAX - 5,      "8.0", "sm_80", false, NULL,
                     false,      false,    "--maxrregcount=64", true};
    sample_scan(profile, "_Z9blockScanILi0EEvPKhPyPKyii",
                "void blockScan<0>(unsigned char const*, unsigned long long*, unsigned long long "
                "const*, int, int)",
                32, 20);
    sample_scan(profile, "_Z9blockScanILi1EEvPKhPyPKyii",
                "void blockScan<1>(unsigned char const*, unsigned long long*, unsigned long long "
                "const*, int, int)",
                33, 120);
    sample_gemm(profile);
    sample_add3(profile);
    sample_sass(profile);
    return profile;
}
