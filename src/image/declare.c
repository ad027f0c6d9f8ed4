/* PTX that declares what a cubin without PTX has, so that its kernels are found, launched and given their arguments as others are:
 *
 *   .const .align 4 .b8 table[32] = {1, 2, …};
 *   .global .align 8 .b64 pointer[1] = {generic(table)+4};
 *   .extern .func (.param .b32 result) vprintf (.param .b64 p0, .param .b64 p1);
 *   .entry k ( .param .b64 k_param_0, .param .align 4 .b8 k_param_1[12] )
 *   .maxntid 256, 1, 1
 *   {
 *   .shared .align 16 .b8 static_shared[4096];
 *   .extern .shared .align 128 .b8 dynamic_shared[];
 *   trap;
 *   }
 *
 * Bodies are not executed: src/machine puts the machine code there. */
#include "image/cubin.h"

#include <string.h>

typedef struct Declaring {
    Arena *arena;
    const char *name;
    const Cubin *cubin;
    Map *variables; /* by name */
    bool *left_out; /* [variables]: their values are not known */
    FILE *out;
    Diags *diags;
} Declaring;

/* The largest power of two that divides the number, up to a most; of 0 that. */
static uint32_t alignment_of(uint64_t number, uint32_t most) {
    uint32_t align = 1;
    while (align < most && number % (2 * (uint64_t)align) == 0)
        align *= 2;
    return align;
}

/* ---- variables ---- */

enum { R_64 = 2, R_GENERIC_64 = 4 };

/* The first of those in some bytes of a variable's value; they are in order. */
static const CubinAddress *address_in(const Declaring *declaring, const CubinVariable *variable,
                                      uint64_t at, uint64_t bytes) {
    const Cubin *cubin = declaring->cubin;
    const uint64_t begin = variable->offset + at;
    uint32_t low = 0, high = cubin->addresses.count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const CubinAddress *address = &cubin->addresses.at[middle];
        if (address->section < variable->section ||
            (address->section == variable->section && address->offset < begin))
            low = middle + 1;
        else
            high = middle;
    }
    const CubinAddress *found = low < cubin->addresses.count ? &cubin->addresses.at[low] : NULL;
    return variable->data && found && found->section == variable->section &&
                   found->offset < begin + bytes
               ? found
               : NULL;
}

static bool has_addresses(const Declaring *declaring, const CubinVariable *variable) {
    return address_in(declaring, variable, 0, variable->bytes) != NULL;
}

static void put_bytes(const Declaring *declaring, const CubinVariable *variable) {
    uint64_t count = variable->bytes;
    while (count && !variable->data[count - 1])
        count--;
    fputs(count ? " = {" : "", declaring->out);
    for (uint64_t i = 0; i < count; i++)
        fprintf(declaring->out, "%s%u", i ? "," : "", variable->data[i]);
    fputs(count ? "}" : "", declaring->out);
}

/* All addresses in its value are those of variables that are declared. */
static bool is_known(const Declaring *declaring, const CubinVariable *variable) {
    for (uint64_t at = 0; at < variable->bytes; at += 8) {
        const CubinAddress *address = address_in(declaring, variable, at, 8);
        uint64_t target;
        if (address &&
            (variable->bytes % 8 || (address->type != R_64 && address->type != R_GENERIC_64) ||
             address->offset != variable->offset + at ||
             !map_get(declaring->variables, address->symbol, &target) ||
             declaring->left_out[target]))
            return false;
    }
    return true;
}

/* Those whose values have addresses of functions, and those that lead there. */
static void leave_out(const Declaring *declaring) {
    const Cubin *cubin = declaring->cubin;
    for (bool more = cubin->addresses.count > 0; more;) {
        more = false;
        for (uint32_t i = 0; i < cubin->variables.count; i++) {
            const CubinVariable *variable = &cubin->variables.at[i];
            if (declaring->left_out[i] || !has_addresses(declaring, variable) ||
                is_known(declaring, variable))
                continue;
            declaring->left_out[i] = more = true;
            fprintf(declaring->out,
                    "// left out: " STR_FMT ", whose value is the address of a function\n",
                    STR_ARG(variable->name));
        }
    }
}

static void put_words(const Declaring *declaring, const CubinVariable *variable) {
    fputs(" = {", declaring->out);
    for (uint64_t at = 0; at < variable->bytes; at += 8) {
        const CubinAddress *address = address_in(declaring, variable, at, 8);
        uint64_t value;
        memcpy(&value, variable->data + at, sizeof value);
        fputs(at ? "," : "", declaring->out);
        if (address)
            fprintf(declaring->out, "generic(" STR_FMT ")+%lld", STR_ARG(address->symbol),
                    (long long)address->addend);
        else
            fprintf(declaring->out, "0x%llx", (unsigned long long)value);
    }
    fputs("}", declaring->out);
}

static void put_variable_name(const Declaring *declaring, const CubinVariable *variable,
                              bool words) {
    /* constants lie as in their bank; what is global lies alone */
    const uint32_t align = variable->constant ? alignment_of(variable->offset, 256) : 16;
    fprintf(declaring->out, "%s%s .align %u .%s " STR_FMT "[%llu]",
            variable->constant ? ".const" : ".global",
            variable->managed ? " .attribute(.managed)" : "", align, words ? "b64" : "b8",
            STR_ARG(variable->name), (unsigned long long)(variable->bytes / (words ? 8 : 1)));
}

static void put_variable(const Declaring *declaring, const CubinVariable *variable) {
    const bool words = has_addresses(declaring, variable);
    fputs(".visible ", declaring->out);
    put_variable_name(declaring, variable, words);
    if (words)
        put_words(declaring, variable);
    else if (variable->data)
        put_bytes(declaring, variable);
    fputs(";\n", declaring->out);
}

static bool name_variables(const Declaring *declaring) {
    const Cubin *cubin = declaring->cubin;
    for (uint32_t i = 0; i < cubin->variables.count; i++) {
        const Str name = cubin->variables.at[i].name;
        if (map_get(declaring->variables, name, NULL)) {
            diags_error(declaring->diags, "%s: two variables of the cubin are named " STR_FMT,
                        declaring->name, STR_ARG(name));
            return false;
        }
        map_put(declaring->variables, name, i);
    }
    return true;
}

/* Those with addresses last, and all of them declared before: they may name each other. */
static bool put_variables(const Declaring *declaring) {
    const Cubin *cubin = declaring->cubin;
    if (!name_variables(declaring))
        return false;
    leave_out(declaring);
    for (uint32_t i = 0; i < cubin->variables.count; i++) {
        const CubinVariable *variable = &cubin->variables.at[i];
        if (!has_addresses(declaring, variable)) {
            put_variable(declaring, variable);
        } else if (!declaring->left_out[i]) {
            fputs(".extern ", declaring->out);
            put_variable_name(declaring, variable, true);
            fputs(";\n", declaring->out);
        }
    }
    for (uint32_t i = 0; i < cubin->variables.count; i++)
        if (!declaring->left_out[i] && has_addresses(declaring, &cubin->variables.at[i]))
            put_variable(declaring, &cubin->variables.at[i]);
    return true;
}

/* ---- functions that who executes the code provides ---- */

static void put_outside(const Declaring *declaring) {
    static const struct {
        const char *name, *declaration;
    } known[] = {
        {"vprintf", "(.param .b32 result) vprintf (.param .b64 p0, .param .b64 p1)"},
        {"malloc", "(.param .b64 result) malloc (.param .b64 p0)"},
        {"free", "free (.param .b64 p0)"},
        {"__assertfail", "__assertfail (.param .b64 p0, .param .b64 p1, .param .b32 p2, "
                         ".param .b64 p3, .param .b64 p4)"},
    };
    for (uint32_t i = 0; i < declaring->cubin->outside.count; i++)
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            if (str_is(declaring->cubin->outside.at[i], known[k].name))
                fprintf(declaring->out, ".extern .func %s;\n", known[k].declaration);
}

/* ---- kernels ---- */

/* The least alignment with which a parameter lies where it does, behind another that ends at `end`; 0: none. */
static uint32_t param_alignment(const CubinKernel *kernel, uint32_t end, const CubinParam *param) {
    enum { MOST = 128 };
    const uint32_t begin = kernel->params_begin + param->offset, least = kernel->params_begin + end;
    if (begin == least)
        return alignment_of(begin | param->bytes, 8);
    for (uint32_t align = 2; align <= MOST; align *= 2)
        if ((least + align - 1) / align * align == begin)
            return align;
    return 0;
}

/* Where src/machine reads them. */
static bool begin_as_known(const Declaring *declaring, const CubinKernel *kernel) {
    const uint32_t arch = declaring->cubin->arch.number;
    const uint32_t known = arch >= 100 ? 0x380 : arch >= 90 ? 0x210 : 0x160;
    if (!kernel->params.count || kernel->params_begin == known)
        return true;
    diags_error(declaring->diags,
                "%s: the parameters of " STR_FMT " begin at byte 0x%x of their bank, not at 0x%x",
                declaring->name, STR_ARG(kernel->name), kernel->params_begin, known);
    return false;
}

static bool put_params(const Declaring *declaring, const CubinKernel *kernel) {
    uint32_t end = 0;
    if (!begin_as_known(declaring, kernel))
        return false;
    for (uint32_t i = 0; i < kernel->params.count; i++) {
        const CubinParam *param = &kernel->params.at[i];
        const uint32_t align = param->offset < end ? 0 : param_alignment(kernel, end, param);
        if (!align) {
            diags_error(declaring->diags,
                        "%s: parameter %u of " STR_FMT " lies where none can lie, at byte %u",
                        declaring->name, i, STR_ARG(kernel->name), param->offset);
            return false;
        }
        const uint32_t bytes = param->bytes;
        fprintf(declaring->out, "%s\n\t.param ", i ? "," : "");
        if ((bytes == 8 || bytes == 4 || bytes == 2 || bytes == 1) && align == bytes)
            fprintf(declaring->out, ".b%u " STR_FMT "_param_%u", 8 * bytes, STR_ARG(kernel->name),
                    i);
        else
            fprintf(declaring->out, ".align %u .b8 " STR_FMT "_param_%u[%u]", align,
                    STR_ARG(kernel->name), i, bytes);
        end = param->offset + bytes;
    }
    return true;
}

static void put_shape(const Declaring *declaring, const char *directive, const uint32_t shape[3]) {
    if (shape[0])
        fprintf(declaring->out, ".%s %u, %u, %u\n", directive, shape[0], shape[1] ? shape[1] : 1,
                shape[2] ? shape[2] : 1);
}

/* From sm_90 on the driver's part of shared memory is counted with a kernel's, which lies behind it. */
static uint32_t own_shared(const Declaring *declaring, const CubinKernel *kernel) {
    enum { DRIVERS = 1024 };
    const uint32_t before = declaring->cubin->arch.number >= 90 ? DRIVERS : 0;
    return kernel->shared_bytes > before ? kernel->shared_bytes - before : 0;
}

static bool put_kernel(const Declaring *declaring, const CubinKernel *kernel) {
    const uint32_t shared = own_shared(declaring, kernel);
    fprintf(declaring->out, "\n.visible .entry " STR_FMT "(", STR_ARG(kernel->name));
    if (!put_params(declaring, kernel))
        return false;
    fputs("\n)\n", declaring->out);
    put_shape(declaring, kernel->required_threads[0] ? "reqntid" : "maxntid",
              kernel->required_threads[0] ? kernel->required_threads : kernel->max_threads);
    if (kernel->explicit_cluster)
        fputs(".explicitcluster\n", declaring->out);
    put_shape(declaring, "reqnctapercluster", kernel->cluster);
    fputs("{\n", declaring->out);
    if (shared)
        fprintf(declaring->out, "\t.shared .align 16 .b8 static_shared[%u];\n", shared);
    /* what is dynamic begins where the static part ends */
    fprintf(declaring->out, "\t.extern .shared .align %u .b8 dynamic_shared[];\n\ttrap;\n}\n",
            alignment_of(shared, 128));
    return true;
}

static bool put_all(const Declaring *declaring) {
    const Cubin *cubin = declaring->cubin;
    fprintf(declaring->out,
            "// There is no PTX: this declares what the machine code has.\n"
            ".version 9.0\n.target %s\n.address_size 64\n\n",
            arch_name(declaring->arena, "sm", cubin->arch));
    if (!put_variables(declaring))
        return false;
    put_outside(declaring);
    for (uint32_t i = 0; i < cubin->kernels.count; i++)
        if (!put_kernel(declaring, &cubin->kernels.at[i]))
            return false;
    return true;
}

bool cubin_declare(Arena *arena, const char *name, const void *data, size_t size, Arch arch,
                   PtxText *text, Diags *diags) {
    Cubin cubin;
    PrintedText printed;
    if (!cubin_read(arena, name, data, size, arch, &cubin, diags))
        return false;
    Declaring declaring = {.arena = arena,
                           .name = name,
                           .cubin = &cubin,
                           .variables = map_new(arena),
                           .left_out = NEW_ARRAY(arena, bool, cubin.variables.count + 1),
                           .out = printed_begin(&printed, arena),
                           .diags = diags};
    const bool good = put_all(&declaring);
    const char *written = printed_end(&printed);
    if (!good)
        return false;
    text->text = written;
    text->length = strlen(written);
    text->origin = (PtxOrigin){
        .machine = arch_name(arena, "sm", cubin.arch), .cubin = data, .cubin_bytes = size};
    return true;
}
