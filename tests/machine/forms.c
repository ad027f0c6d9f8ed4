/* forms: what forms of machine instructions compute, through the translation and the interpreter; no tool of CUDA's is needed.
 *
 * A line of the input is a case, four fields between tabs:
 *   sm_120 <tab> R4=1,ff,… P0=1 UR4=2 R8=&40 M=0011… <tab> IADD.64 R8, R4, R6; … <tab> R8 P0 UR4 M0+40
 * what is there before (hexadecimal; one value, or one for each lane; &40: the address of byte 40h of 1 KiB of global memory, whose first
 * bytes are M), the instructions, and what is asked for afterwards. A line of the output is the values that were asked for, each of 32
 * lanes, or of memory the bytes; or "! " and why it is not translated, or what went wrong. `.L_x_1:` among the instructions is a label.
 * ? instead of what is there before: what it becomes in PTX, its lines in one, and nothing is executed.
 * One warp executes it, with 1 KiB of shared memory `s`, whose address machine code adds itself. */
#include "exec/exec.h"
#include "machine/machine.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
    LANES = 32,
    MOST = 48,
    MEMORY = 1024,
    IN = 252,
    OUT = 250,
    SCRATCH = 248,
    HELPER = 247,
    LANE = 246
};

/* A register or predicate, and its values. */
typedef struct Held {
    char kind; /* R, U: UR; P, Q: UP; M: memory */
    uint32_t number, bytes;
    uint32_t values[LANES];
    bool address;
} Held;

typedef struct Form {
    const char *arch;
    Held in[MOST], out[MOST];
    uint32_t in_count, out_count;
    uint8_t memory[MEMORY];
    const char *code;
    bool shows; /* what it becomes, and nothing is executed */
} Form;

/* ---- reading ---- */

static const char *read_name(const char *at, Held *place) {
    char *end = NULL;
    place->kind = at[0] == 'U' ? at[1] == 'P' ? 'Q' : 'U' : at[0];
    at += at[0] == 'U' ? 2 : 1;
    place->number = (uint32_t)strtoul(at, &end, *at && place->kind == 'M' ? 16 : 10);
    if (place->kind == 'M' && *end == '+')
        place->bytes = (uint32_t)strtoul(end + 1, &end, 16);
    return end;
}

static void read_memory(const char *hex, Form *form) {
    for (uint32_t i = 0; i < MEMORY && hex[0] && hex[1]; i++, hex += 2) {
        const char byte[3] = {hex[0], hex[1], 0};
        form->memory[i] = (uint8_t)strtoul(byte, NULL, 16);
    }
}

static void read_input(const char *word, Form *form) {
    if (word[0] == '?') {
        form->shows = true;
        return;
    }
    if (word[0] == 'M') {
        read_memory(word + 2, form);
        return;
    }
    Held *place = &form->in[form->in_count++];
    const char *at = read_name(word, place) + 1;
    place->address = *at == '&';
    at += place->address;
    char *end = NULL;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        place->values[lane] = (uint32_t)strtoul(at, &end, 16);
        at = *end == ',' ? end + 1 : at; /* the last stands for the rest */
    }
}

static bool read_form(char *line, Form *form) {
    char *fields[4] = {line}, *rest = NULL;
    for (uint32_t i = 1; i < 4; i++) {
        char *tab = strchr(fields[i - 1], '\t');
        if (!tab)
            return false;
        *tab = 0;
        fields[i] = tab + 1;
    }
    fields[3][strcspn(fields[3], "\n")] = 0;
    form->arch = fields[0];
    form->code = fields[2];
    for (char *word = strtok_r(fields[1], " ", &rest); word && form->in_count < MOST;
         word = strtok_r(NULL, " ", &rest))
        read_input(word, form);
    for (char *word = strtok_r(fields[3], " ", &rest); word && form->out_count < MOST;
         word = strtok_r(NULL, " ", &rest))
        read_name(word, &form->out[form->out_count++]);
    return true;
}

/* ---- the listing ---- */

typedef struct Listing {
    FILE *out;
    uint32_t address, params; /* where the parameters begin in bank 0 */
} Listing;

static void put(Listing *listing, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(Listing *listing, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fprintf(listing->out, "        /*%04x*/                   ", listing->address);
    vfprintf(listing->out, format, args);
    fprintf(listing->out, " ;\n");
    va_end(args);
    listing->address += 16;
}

/* The values of each input, which lie behind each other, one for each lane. */
static void put_inputs(Listing *listing, const Form *form) {
    put(listing, "S2R R%d, SR_LANEID", LANE);
    put(listing, "MOV R%d, c[0x0][0x%x]", SCRATCH, listing->params + 16);
    put(listing, "MOV R%d, c[0x0][0x%x]", SCRATCH + 1, listing->params + 20);
    put(listing, "IMAD.WIDE.U32 R%d, R%d, 0x4, c[0x0][0x%x]", IN, LANE, listing->params);
    for (uint32_t i = 0; i < form->in_count; i++) {
        const Held *place = &form->in[i];
        const bool plain = place->kind == 'R';
        put(listing, "LDG.E R%d, [R%d.64+0x%x]",
            plain && !place->address ? (int)place->number : HELPER, IN, i * LANES * 4);
        if (place->address)
            put(listing, "IADD3 R%u, R%d, R%d, RZ", place->number, SCRATCH, HELPER);
        if (place->address)
            put(listing, "MOV R%u, R%d", place->number + 1, SCRATCH + 1);
        if (place->kind == 'P')
            put(listing, "ISETP.NE.AND P%u, PT, R%d, RZ, PT", place->number, HELPER);
        if (place->kind == 'U' || place->kind == 'Q')
            put(listing, "R2UR UR%u, R%d", place->kind == 'U' ? place->number : 62, HELPER);
        if (place->kind == 'Q')
            put(listing, "UISETP.NE.AND UP%u, UPT, UR62, URZ, UPT", place->number);
    }
}

static void put_code(Listing *listing, const char *code) {
    while (*code) {
        size_t length = strcspn(code, ";");
        const Str text = str_trimmed((Str){code, length});
        if (*text.at == '.')
            fprintf(listing->out, STR_FMT "\n", STR_ARG(text));
        else
            put(listing, STR_FMT, STR_ARG(text));
        code += length + (code[length] == ';');
    }
}

static void put_outputs(Listing *listing, const Form *form) {
    put(listing, "S2R R%d, SR_LANEID", LANE);
    put(listing, "IMAD.WIDE.U32 R%d, R%d, 0x4, c[0x0][0x%x]", OUT, LANE, listing->params + 8);
    for (uint32_t i = 0; i < form->out_count; i++) {
        const Held *place = &form->out[i];
        const char *name = place->kind == 'R' ? "R" : "UR";
        if (place->kind == 'P' || place->kind == 'Q')
            put(listing, "SEL R%d, RZ, 0x1, !%s%u", HELPER, place->kind == 'P' ? "P" : "UP",
                place->number);
        else if (place->kind != 'M')
            put(listing, "MOV R%d, %s%u", HELPER, name, place->number);
        if (place->kind != 'M')
            put(listing, "STG.E [R%d.64+0x%x], R%d", OUT, i * LANES * 4, HELPER);
    }
}

static char *listing_of(const Form *form) {
    char *text = NULL;
    size_t size = 0;
    const unsigned long arch = strtoul(form->arch + 3, NULL, 10);
    Listing listing = {open_memstream(&text, &size), 0,
                       arch >= 100  ? 0x380
                       : arch >= 90 ? 0x210
                                    : 0x160};
    fprintf(listing.out,
            "\t.target\t%s\n\n\t.section\t.text.k,\"ax\",@progbits\n\t.type\tk,@function\nk:\n."
            "text.k:\n",
            form->arch);
    if (!form->shows)
        put_inputs(&listing, form);
    put_code(&listing, form->code);
    if (!form->shows)
        put_outputs(&listing, form);
    put(&listing, "EXIT");
    fclose(listing.out);
    return text;
}

/* ---- running ---- */

static const char ptx[] =
    ".version 8.8\n.target %s%s\n.address_size 64\n.global .align 4 .b32 counter;\n"
    ".visible .entry k(.param .u64 in, .param .u64 out, .param .u64 memory, .param .u64 more)\n{\n"
    ".shared .align 16 .b8 s[1024];\n.reg .b32 %%r1;\nmov.u32 %%r1, s;\nret;\n}\n";

/* Between the first instruction and the last, EXIT. */
static void print_lines(const char *text) {
    bool inside = false, any = false;
    for (size_t length; *text; text += length + (text[length] == '\n')) {
        const Str line = {text, length = strcspn(text, "\n")};
        const bool mark = str_starts(line, ".machine ");
        inside = inside || str_starts(line, ".machine 0,");
        if (mark && memmem(text, length, "\"EXIT\"", 6))
            break;
        if (!inside || mark || str_starts(line, ".loc "))
            continue;
        printf("%s" STR_FMT, any ? " " : "", STR_ARG(line));
        any = true;
    }
    printf("\n");
}

static const Function *translated(Arena *arena, const Form *form, const Module *module,
                                  Diags *diags, const char **why) {
    char *listing = listing_of(form);
    const MachineCode *code = machine_read(arena, listing, diags);
    const Function *kernel = module_function(module, STR("k"));
    *why = "the listing is not read";
    MachineText text = {0};
    if (code) {
        text = machine_translate(arena, code, kernel);
        *why = text.why;
    }
    free(listing);
    if (text.text && form->shows)
        print_lines(text.text);
    return text.text && !form->shows ? machine_parse(arena, &text, kernel, why) : NULL;
}

static void print_outputs(const Form *form, const uint8_t *out, const uint8_t *memory) {
    for (uint32_t i = 0; i < form->out_count; i++) {
        const Held *place = &form->out[i];
        printf("%s", i ? " " : "");
        for (uint32_t b = 0; place->kind == 'M' && b < place->bytes; b++)
            printf("%02x", memory[place->number + b]);
        for (uint32_t lane = 0; place->kind != 'M' && lane < LANES; lane++) {
            uint32_t value;
            memcpy(&value, out + (i * LANES + lane) * 4, 4);
            printf("%s%x", lane ? "," : "", value);
        }
    }
    printf("\n");
}

static const Gpu *gpu_of(const Form *form) {
    const unsigned long arch = strtoul(form->arch + 3, NULL, 10);
    return gpu_named(str_of(arch >= 120   ? "rtx5090"
                            : arch >= 100 ? "b200"
                            : arch >= 90  ? "h100"
                            : arch >= 80  ? "a100"
                                          : "t4"));
}

static bool launch(const Form *form, const Function *kernel, const LoadedModule *loaded,
                   Memory *memory, Diags *diags) {
    const uint64_t params[4] = {memory_allocate(memory, MOST * LANES * 4, "in", 4),
                                memory_allocate(memory, MOST * LANES * 4, "out", 4),
                                memory_allocate(memory, MEMORY, "memory", 4), 0x40490fdb3fc00000};
    uint8_t *in = memory_host(memory, params[0]), *bytes = memory_host(memory, params[2]);
    for (uint32_t i = 0; i < form->in_count; i++)
        memcpy(in + i * LANES * 4, form->in[i].values, LANES * 4);
    memcpy(bytes, form->memory, MEMORY);
    PreparedKernel *prepared = kernel_prepare(kernel, loaded, gpu_of(form), diags);
    LaunchResult result = {0};
    const Launch launch = {.grid = {1, 1, 1},
                           .block = {LANES, 1, 1},
                           .params = params,
                           .memory = memory,
                           .workers = 1};
    const bool ran = prepared && launch_run(&launch, prepared, NULL, &result, diags);
    if (ran && result.fault.kind != FAULT_NONE)
        printf("! " STR_FMT "\n", STR_ARG(str_until(str_of(result.fault.message), "\n")));
    else if (ran)
        print_outputs(form, memory_host(memory, params[1]), bytes);
    prepared_free(prepared);
    return ran;
}

static void run(Arena *arena, const Form *form) {
    Diags *diags = diags_new(arena);
    const bool own = strtoul(form->arch + 3, NULL, 10) >= 90; /* sm_90a, sm_100a */
    const char *text = arena_printf(arena, ptx, form->arch, own ? "a" : "");
    const char *why = NULL;
    Memory *memory = memory_new();
    Module *module = ptx_parse(arena, "forms.ptx", text, strlen(text), NULL, diags);
    const Function *kernel = module ? translated(arena, form, module, diags, &why) : NULL;
    LoadedModule *loaded = kernel ? module_load(arena, kernel->module, memory, NULL, diags) : NULL;
    if (why && !kernel)
        printf("! %s\n", why);
    else if (!form->shows && (!loaded || !launch(form, kernel, loaded, memory, diags)))
        printf("! %s\n", diags->list.count ? diags->list.at[0].message : "it did not start");
    memory_free(memory);
}

int main(void) {
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        Arena *arena = arena_new();
        Form *form = NEW(arena, Form);
        if (!read_form(line, form))
            return 2;
        run(arena, form);
        arena_free(arena);
    }
    free(line);
    return 0;
}
