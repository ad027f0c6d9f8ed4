/* The kernels of launches that were counted on a GPU, and their sites: the machine instructions that access memory. Those are the
 * instructions that nvdisasm lists, and whatever else was executed: in functions that the kernel calls, or everything where there
 * is no nvdisasm. */
#include "probe/run.h"

#include <string.h>

ProbedKernel *probed_kernel(ProbeRun *run, const ProbeLaunch *launch) {
    for (uint32_t i = 0; i < run->kernels.count; i++) {
        ProbedKernel *kernel = &run->kernels.at[i];
        if (kernel->hash == launch->module && strcmp(kernel->name, launch->kernel) == 0)
            return kernel;
    }
    ProbedKernel *kernel = vec_add(run->arena, &run->kernels);
    *kernel = (ProbedKernel){.module = probed_module(run, launch->module),
                             .name = launch->kernel,
                             .hash = launch->module,
                             .capability = launch->capability,
                             .registers = launch->registers,
                             .gpu = probe_model(launch->gpu, launch->capability),
                             .row = NONE};
    return kernel;
}

static KernelCode *code_of(ProbeRun *run, ProbedKernel *kernel, const char *function) {
    for (uint32_t i = 0; i < kernel->code.count; i++)
        if (strcmp(kernel->code.at[i].function, function) == 0)
            return &kernel->code.at[i].code;
    ProbedCode *code = vec_add(run->arena, &kernel->code);
    *code = (ProbedCode){.function = function};
    if (kernel->module)
        code->code = kernel_code(run->arena, kernel->module, function, kernel->capability);
    return &code->code;
}

uint32_t probed_site(const ProbedKernel *kernel, const char *function, uint64_t offset) {
    uint64_t inst = offset >> PROBE_INSN_SHIFT;
    if (strcmp(kernel->name, function) == 0)
        return inst < kernel->site_of.count ? kernel->site_of.at[inst] : NONE;
    for (uint32_t i = kernel->listed; i < kernel->sites.count; i++)
        if (kernel->sites.at[i].offset == offset &&
            strcmp(kernel->sites.at[i].function, function) == 0)
            return i;
    return NONE;
}

/* The newest libraries tell of more instructions than others. */
static bool is_counted(const ProbeRun *run, const ProbedKernel *kernel, uint32_t inst) {
    for (uint32_t i = 0; i < run->launches.count; i++) {
        const ProbeLaunch *launch = &run->launches.at[i];
        if (launch->module != kernel->hash || strcmp(launch->kernel, kernel->name) != 0)
            continue;
        for (uint32_t k = 0; k < launch->slots.count; k++) {
            const ProbeSlot *slot = &launch->slots.at[k];
            if (slot->function == 0 && slot->offset >> PROBE_INSN_SHIFT == inst)
                return true;
        }
    }
    return false;
}

/* What is not counted yet is said, not left out in silence. */
static void note_uncounted(const ProbeRun *run, const ProbedKernel *kernel, const KernelCode *code,
                           Diags *diags) {
    const char *first = NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < code->insts.count; i++) {
        const char *name = code_uncounted(run->arena, code->insts.at[i].text);
        name = name && is_counted(run, kernel, i) ? NULL : name;
        first = first ? first : name;
        count += name != NULL;
    }
    if (count)
        diags_add(diags, DIAG_NOTE, (Place){0},
                  "%s: %u instruction%s, such as %s, %s not counted on the GPU",
                  name_demangled(run->arena, kernel->name, false), count, count > 1 ? "s" : "",
                  first, count > 1 ? "are" : "is");
}

/* Nor what the API is not told of: launches by the device's runtime. */
static void note_children(const ProbeRun *run, const ProbedKernel *kernel, const KernelCode *code,
                          Diags *diags) {
    bool launches = false;
    for (uint32_t i = 0; i < code->insts.count; i++)
        launches |= strstr(code->insts.at[i].text, "cudaCDP2LaunchDevice") != NULL;
    if (launches)
        diags_add(diags, DIAG_NOTE, (Place){0},
                  "%s launches kernels from the device, which are not counted",
                  name_demangled(run->arena, kernel->name, false));
}

static void list_sites(ProbeRun *run, ProbedKernel *kernel, Diags *diags) {
    KernelCode *code = code_of(run, kernel, kernel->name);
    if (kernel->module)
        kernel_variables(run->arena, kernel->module, kernel->name, kernel->gpu, code);
    note_uncounted(run, kernel, code, diags);
    note_children(run, kernel, code, diags);
    for (uint32_t i = 0; i < code->insts.count; i++) {
        CodeAccess access;
        bool accesses = code_access(code->insts.at[i].text, &access);
        *vec_add(run->arena, &kernel->site_of) = accesses ? kernel->sites.count : NONE;
        if (accesses)
            *vec_add(run->arena, &kernel->sites) = (ProbedSite){kernel->name,
                                                                (uint64_t)i << PROBE_INSN_SHIFT,
                                                                code->insts.at[i].text,
                                                                code->insts.at[i].place,
                                                                code->insts.at[i].ptx_line,
                                                                access};
    }
    kernel->listed = kernel->sites.count;
}

/* What is known of an instruction by what it was seen to do. */
static CodeAccess seen_access(const ProbeKey *key) {
    const bool read = key->flags & PROBE_READ, write = key->flags & PROBE_WRITE;
    CodeAccess access = {.op = read && write ? SITE_ATOMIC
                               : write       ? SITE_STORE
                                             : SITE_LOAD,
                         .space = SITE_GLOBAL,
                         .kind = read && write ? ACCESS_ATOMIC
                                 : write       ? ACCESS_STORE
                                               : ACCESS_LOAD,
                         .width = key->width,
                         .matrices = key->matrices};
    switch (key->part) {
    case PROBE_LOCAL:
        access.space = SITE_LOCAL;
        break;
    case PROBE_SHARED:
    case PROBE_ATOMIC:
    case PROBE_REMOTE:
        access.space = SITE_SHARED;
        break;
    case PROBE_MATRIX:
        access.space = SITE_SHARED;
        access.op = write ? SITE_STMATRIX : SITE_LDMATRIX;
        access.kind = write ? ACCESS_STMATRIX : ACCESS_LDMATRIX;
        break;
    case PROBE_MOVED:
        access = (CodeAccess){SITE_COPY, SITE_SHARED, ACCESS_LOAD, 0, 0};
        break;
    case PROBE_COPY:
    case PROBE_COPY_CG:
    case PROBE_SOURCE:
        access = (CodeAccess){SITE_CP_ASYNC, SITE_SHARED, ACCESS_CP_ASYNC_CA, key->width, 0};
        break;
    default:
        break;
    }
    return access;
}

const char *probed_function(const ProbeLaunch *launch, const ProbeSlot *slot) {
    return slot->function == NONE ? "" : launch->functions.at[slot->function];
}

static void add_seen(ProbeRun *run, ProbedKernel *kernel, const char *function,
                     const ProbeSlot *slot) {
    ProbedSite site = {
        .function = function, .offset = slot->offset, .access = seen_access(&slot->key)};
    const KernelCode *code = *function ? code_of(run, kernel, function) : NULL;
    uint64_t number = slot->offset >> PROBE_INSN_SHIFT;
    site.text = arena_printf(run->arena, "%s+0x%llx", *function ? function : "pc",
                             (unsigned long long)slot->offset);
    if (code && number < code->insts.count) {
        site.text = code->insts.at[number].text;
        site.place = code->insts.at[number].place;
        code_access(site.text, &site.access);
    }
    if (strcmp(kernel->name, function) == 0) {
        while (kernel->site_of.count <= number)
            *vec_add(run->arena, &kernel->site_of) = NONE;
        kernel->site_of.at[number] = kernel->sites.count;
    }
    *vec_add(run->arena, &kernel->sites) = site;
}

void probed_add(ProbeRun *run, const ProbeLaunch *launch, Diags *diags) {
    ProbedKernel *kernel = probed_kernel(run, launch);
    if (kernel->code.count == 0)
        list_sites(run, kernel, diags);
    if (launch->dynamic_shared)
        kernel_add_dynamic(run->arena, &kernel->code.at[0].code);
    for (uint32_t i = 0; i < launch->slots.count; i++) {
        const ProbeSlot *slot = &launch->slots.at[i];
        const char *function = probed_function(launch, slot);
        if (probed_site(kernel, function, slot->offset) == NONE)
            add_seen(run, kernel, function, slot);
    }
}
