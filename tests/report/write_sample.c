/* write_sample FILE.wlp [many | machine | launches N | kernels N]: the profile of tests/unit/sample_profile.h with names and sources that
 * try to break out of a page; many: one of 50 kernels with 1,000 instructions each, in PTX and in
 * machine code; machine: of one kernel whose machine code was executed. */
#include "../unit/sample_profile.h"

#include <inttypes.h>
#include <stdlib.h>

enum { KERNELS = 50, INSTRUCTIONS = 1000, SITES = 60 };

static const char hostile[] =
    "</script><script>document.title='broken'</script><!--<script>&lt;\"'><img src=x "
    "onerror=document.title='broken'>\xff";

static void make_hostile(Profile *profile) {
    Arena *arena = profile->arena;
    profile->kernels.at[ADD3].demangled = arena_printf(arena, "evil%s", hostile);
    profile->kernels.at[ADD3].name = hostile;
    profile->sites.at[profile->kernels.at[ADD3].first_site].text = hostile;
    SourceFile *file = &profile->files.at[0];
    file->text = arena_printf(arena, "// %s\n%s", hostile, strchr(file->text, '\n') + 1);
    profile->launches.at[LAUNCH_ADD3_FAULT].fault = hostile;
}

/* A kernel with every source line of the scan and PTX of a usual length. */
static void add_kernel(Profile *profile, uint32_t number) {
    Arena *arena = profile->arena;
    char *text = NULL;
    size_t size;
    FILE *ptx = open_memstream(&text, &size);
    fprintf(ptx, ".file 1 \"samples/scan2d/scan2d.cu\"\n.visible .entry kernel%" PRIu32 "()\n{\n",
            number);
    for (uint32_t i = 0; i < INSTRUCTIONS; i++) {
        uint64_t word = (uint64_t)number * INSTRUCTIONS + i;
        fprintf(ptx, "\t.loc 1 %" PRIu32 " 5\n\tmad.lo.s32 %%r%" PRIu32 ", %%r%u, %u, %%r%u;\n",
                i * 33 / INSTRUCTIONS + 1, i, (unsigned)(random_next(&word) % 500),
                (unsigned)(random_next(&word) % 5000), (unsigned)(random_next(&word) % 500));
    }
    fputs("}\n", ptx);
    fclose(ptx);
    *vec_add(arena, &profile->modules) = (ProfModule){"many.ptx", arena_printf(arena, "%s", text),
                                                      number + 1, "8.0",
                                                      "sm_90",    true,
                                                      NULL,       false,
                                                      false,      NULL,
                                                      false};
    free(text);
    const char *name = arena_printf(arena, "kernel%" PRIu32, number);
    uint32_t file = profile_file(profile, "samples/scan2d/scan2d.cu");
    uint32_t location = profile_location(profile, file, 14, 1, NULL, NONE);
    sample_kernel(profile, profile->modules.count - 1, name, name, location, 2, 0);
    for (uint32_t i = 0; i < SITES; i++)
        sample_site(profile, profile_location(profile, file, i % 33 + 1, 5, NULL, NONE), 5 + 2 * i,
                    SITE_LOAD, i % 2 ? SITE_SHARED : SITE_GLOBAL, 4,
                    i % 2 ? "ld.shared.u32 %r1, [%r2]" : "ld.global.u32 %r1, [%rd2]");
    LaunchRecord *record = sample_launch(profile, profile->kernels.count - 1, 8, 8, 32, 32, "h100");
    uint32_t first = profile->kernels.at[profile->kernels.count - 1].first_site;
    for (uint32_t i = 0; i < SITES; i++) {
        record->counters[i] = i % 2 ? sample_shared(2048, 4, 1 + (i + number) % 32, 1)
                                    : sample_global(2048, 4, 4 + (i + number) % 28, 4, 4);
        sample_pattern(profile, profile->launches.count - 1, first + i,
                       i % 2 ? SITE_SHARED : SITE_GLOBAL, NONE, 4 * (1 + (i + number) % 32), 64,
                       true);
    }
}

/* Machine code of a usual length, much of it inlined. */
static void add_sass(Profile *profile, ProfKernel *kernel, uint32_t number) {
    uint32_t file = profile_file(profile, "samples/scan2d/scan2d.cu");
    for (uint32_t i = 0; i < INSTRUCTIONS; i++) {
        uint64_t word = (uint64_t)number * INSTRUCTIONS + i;
        uint32_t line = i * 33 / INSTRUCTIONS + 1;
        uint32_t call = profile_location(profile, file, line, 0, NULL, NONE);
        *vec_add(profile->arena, &kernel->sass) = (SassInst){
            i % 4 ? profile_location(profile, file, line / 2 + 1, 0, NULL, call) : call,
            arena_printf(profile->arena, "IMAD.WIDE.U32 R%u, R%u, 0x%x, R%u",
                         (unsigned)(random_next(&word) % 255), (unsigned)(random_next(&word) % 255),
                         (unsigned)(random_next(&word) % 5000),
                         (unsigned)(random_next(&word) % 255)),
            NONE};
    }
}

/* Launches of one kernel that reads words further and further apart; a few are recorded. */
static void add_launches(Profile *profile, uint32_t count) {
    enum { RECORDED = 64 };
    Arena *arena = profile->arena;
    uint32_t kernel = profile->kernels.count;
    uint32_t file = profile_file(profile, "samples/scan2d/scan2d.cu");
    uint32_t location = profile_location(profile, file, 14, 1, NULL, NONE);
    *vec_add(arena, &profile->modules) =
        (ProfModule){"copy.ptx", NULL, 0, "8.0", "sm_90", true, NULL, false, false, NULL, false};
    sample_kernel(profile, profile->modules.count - 1, "copy", "copy", location, 2, 0);
    sample_site(profile, location, 5, SITE_LOAD, SITE_GLOBAL, 4, "ld.global.u32 %r1, [%rd2]");
    sample_site(profile, location, 6, SITE_STORE, SITE_SHARED, 4, "st.shared.u32 [%r2], %r1");
    for (uint32_t i = 0; i < count; i++) {
        LaunchRecord *record = sample_launch(profile, kernel, 8 + i % 100, 1, 32, 32, "h100");
        uint32_t launch = profile->launches.count - 1;
        record->counters[0] = sample_global(2048, 4, 4 + i % 28, 4, 4);
        record->counters[1] = sample_shared(2048, 4, 1 + i % 32, 1);
        *vec_add(arena, &profile->location_counts) =
            (LocationCount){.launch = launch, .location = location, .warp_insts = 1 + i};
        if (i < RECORDED)
            sample_pattern(profile, launch, profile->kernels.at[kernel].first_site, SITE_GLOBAL,
                           NONE, 4 * (1 + i % 32), 64, true);
    }
}

/* Kernels of one module, a launch of each. */
static void add_kernels(Profile *profile, uint32_t count) {
    enum { LINES = 15 }; /* of each */
    Arena *arena = profile->arena;
    uint32_t file = profile_file(profile, "samples/scan2d/scan2d.cu");
    uint32_t module = profile->modules.count;
    PrintedText ptx;
    FILE *out = printed_begin(&ptx, arena);
    fputs(".version 8.0\n.file 1 \"samples/scan2d/scan2d.cu\"\n", out);
    *vec_add(arena, &profile->modules) =
        (ProfModule){"kernels.ptx", NULL, 1, "8.0", "sm_90", true, NULL, false, false, NULL, false};
    for (uint32_t i = 0; i < count; i++) {
        fprintf(out, ".visible .entry kernel%" PRIu32 "()\n{\n\t.loc 1 14 1\n", i);
        fputs("\tld.global.u32 %r1, [%rd2];\n\tst.shared.u32 [%r2], %r1;\n", out);
        for (uint32_t k = 0; k < LINES - 6; k++)
            fprintf(out, "\tadd.u32 %%r%" PRIu32 ", %%r1, %%r%" PRIu32 ";\n", k + 2, i % 100);
        fputs("}\n", out);
        uint32_t location = profile_location(profile, file, 14, 1, NULL, NONE);
        uint32_t line = 2 + i * LINES;
        const char *name = arena_printf(arena, "kernel%" PRIu32, i);
        sample_kernel(profile, module, name, name, location, 2, 0);
        sample_site(profile, location, line + 4, SITE_LOAD, SITE_GLOBAL, 4,
                    "ld.global.u32 %r1, [%rd2]");
        sample_site(profile, location, line + 5, SITE_STORE, SITE_SHARED, 4,
                    "st.shared.u32 [%r2], %r1");
        LaunchRecord *record =
            sample_launch(profile, profile->kernels.count - 1, 8, 1, 32, 32, "h100");
        record->counters[0] = sample_global(2048, 4, 4 + i % 28, 4, 4);
        record->counters[1] = sample_shared(2048, 4, 1 + i % 32, 1);
    }
    profile->modules.at[module].text = printed_end(&ptx);
}

static const struct {
    const char *text;
    uint64_t warps;
} executed[] = {{"S2R R0, SR_TID.X", 8},
                {"STL [R1+0x8], R0", 8},
                {"LDS R2, [R0.X4]", 8},
                {"@P0 BRA `(.L_x_1)", 8},
                {"FFMA R2, R2, R3, R4", 6},
                {"LDL R5, [R1+0x8]", 6},
                {"EXIT", 8},
                {"BRA `(.L_x_2)", 0}};

/* Alone in its profile; 6 of 8 warps do not branch. */
static Profile *machine_profile(void) {
    Profile *profile = profile_new();
    Arena *arena = profile->arena;
    uint32_t file = profile_file(profile, "spills.cu");
    *vec_add(arena, &profile->modules) =
        (ProfModule){"spills.ptx", NULL, 2, "9.0", "sm_90", true, NULL, false, false, NULL, false};
    *vec_add(arena, &profile->origins) =
        (Origin){"spills.ptx", "auto", "2026-05-17T09:30:00Z", "0.1.0", "builder", "13.0.88", NULL};
    uint32_t place = profile_location(profile, file, 7, 1, NULL, NONE);
    sample_kernel(profile, 0, "spills", "spills", place, 4, 32);
    sample_site(profile, place, 9, SITE_STORE, SITE_LOCAL, 4, executed[1].text);
    sample_site(profile, place, 9, SITE_LOAD, SITE_SHARED, 4, executed[2].text);
    sample_site(profile, place, 9, SITE_LOAD, SITE_LOCAL, 4, executed[5].text);
    profile->sites.at[0].local_use = profile->sites.at[2].local_use = LOCAL_SPILL;
    ProfKernel *kernel = &profile->kernels.at[0];
    kernel->machine_code = true;
    kernel->stack_bytes = 16;
    kernel->spill_store_bytes = kernel->spill_load_bytes = 4;
    LaunchRecord *record = sample_launch(profile, 0, 2, 1, 128, 1, "h100");
    record->counters[0] =
        (Counters){.requests = 8, .lanes = 256, .bytes = 1024, .sectors = 32, .sectors_ideal = 32};
    record->counters[1] = sample_shared(8, 4, 2, 1);
    record->counters[2] =
        (Counters){.requests = 6, .lanes = 192, .bytes = 768, .sectors = 24, .sectors_ideal = 24};
    record->warp_insts = record->thread_insts = 0;
    static const uint32_t sites[] = {NONE, 0, 1, NONE, NONE, 2, NONE, NONE};
    for (uint32_t i = 0; i < sizeof executed / sizeof *executed; i++) {
        *vec_add(arena, &kernel->sass) = (SassInst){place, executed[i].text, sites[i]};
        if (executed[i].warps)
            *vec_add(arena, &record->inst_runs) =
                (InstRun){i, 1, executed[i].warps, executed[i].warps * 32};
        record->warp_insts += executed[i].warps;
        record->thread_insts += executed[i].warps * 32;
    }
    *vec_add(arena, &profile->location_counts) =
        (LocationCount){0, place, record->warp_insts, record->thread_insts};
    record->l1_bytes = 224 * 1024;
    record->dram_read = 20;
    record->dram_written = 5;
    *vec_add(arena, &record->cache_counts) = (CacheCount){0, 0, 0, 32, 8, 32, 32, 0};
    *vec_add(arena, &record->cache_counts) = (CacheCount){2, 24, 12, 0, 0, 12, 6, 20};
    return profile;
}

int main(int argc, char **argv) {
    if (argc < 2)
        return 64;
    bool machine = argc == 3 && strcmp(argv[2], "machine") == 0;
    Profile *profile = machine ? machine_profile() : sample_profile();
    Diags *diags = diags_new(profile->arena);
    if (!machine)
        make_hostile(profile);
    if (argc > 3)
        (strcmp(argv[2], "kernels") == 0 ? add_kernels : add_launches)(
            profile, (uint32_t)strtoul(argv[3], NULL, 10));
    for (uint32_t i = 0; argc == 3 && !machine && i < KERNELS; i++) {
        add_kernel(profile, i);
        add_sass(profile, &profile->kernels.at[profile->kernels.count - 1], i);
    }
    bool good = profile_save(profile, argv[1], diags);
    diags_print(diags, stderr, false);
    profile_free(profile);
    return good ? 0 : 1;
}
