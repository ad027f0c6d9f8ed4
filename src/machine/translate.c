/* A kernel's machine code to PTX: the text of its module with another body.
 *
 *   .visible .entry k(…)                      as it was
 *   {
 *   .reg …                                    R UR P B and temporaries
 *   .local .align 16 .b8 frame[…];            the stack
 *   mov.u32 %C0_528, …                        what it reads of banks of constants
 *   I10:                                      where something jumps to
 *   .loc 1 12 5                               of the PTX line that the instruction was made of
 *   .machine 1, 197, "LDG.E R4, [R2.64]";     the number of the instruction, the PTX line, its text; of the stack: its use
 *   ld.global.b32 %R4, [%td0];
 *   …
 *   } */
#include "machine/translate.h"
#include "ptx/ptx.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- guards ---- */

static bool may_write_guard(const MachineInsn *insn) {
    for (uint32_t i = 0; i < insn->operand_count; i++) {
        if (insn->operands[i].kind == insn->guard.kind &&
            insn->operands[i].number == insn->guard.number)
            return true;
    }
    return str_is(insn->opcode, "R2P");
}

static void begin_guard(Emit *e, const MachineInsn *insn) {
    e->guard = "";
    if (!insn->guarded || is_true(&insn->guard))
        return;
    MachineOperand plain = insn->guard;
    plain.inverted = false;
    const char *name = is_false(&insn->guard) ? "%PT" : in_pred(e, &plain);
    if (may_write_guard(insn)) {
        emit_always(e, "mov.pred %%PG, %s", name);
        name = "%PG";
    }
    e->guard = emit_printf(e, "@%s%s ", insn->guard.inverted ? "!" : "", name);
}

/* ---- instructions ---- */

static const MachineFamily *find_family(Str opcode) {
    static const MachineFamily *const families[] = {
        family_integer,   family_pred,   family_float,  family_double,  family_half,
        family_convert,   family_memory, family_atomic, family_warp,    family_control,
        family_system,    family_tensor, family_async,  family_texture, family_bulk,
        family_warpgroup, family_packed,
    };
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        for (const MachineFamily *family = families[i]; family->opcode; family++) {
            if (str_is(opcode, family->opcode))
                return family;
        }
    }
    return NULL;
}

/* What the instruction does, in PTX; NULL: e->why. */
static const char *translate_insn(Emit *e, const MachineInsn *insn) {
    PrintedText text;
    e->out = printed_begin(&text, e->arena);
    e->insn = insn;
    e->written = 0;
    memset(e->temps, 0, sizeof e->temps);
    const MachineFamily *family = find_family(insn->opcode);
    bool good = insn->operand_count != UINT32_MAX && family;
    if (good) {
        begin_guard(e, insn);
        if (is_false(&insn->guard) && insn->guarded)
            emit_always(e, "machine.nop");
        else
            good = family->translate(e, insn);
        if (e->written == 0)
            emit_always(e, "machine.nop");
    }
    const char *lines = printed_end(&text);
    if (!good)
        emit_unknown(e, "the instruction " STR_FMT, STR_ARG(insn->text));
    return e->why ? NULL : lines;
}

/* ---- the source lines of the PTX ---- */

typedef struct Lines {
    VEC(Str) at;   /* line n of the text at n - 1 */
    uint32_t *loc; /* [at.count]: the line of the .loc that holds there, not of assembly; 0: none */
    uint32_t *outer; /* [at.count]: of a .loc, the line of that where it was inlined; 0: none */
} Lines;

/* " 1 94 9" of ".loc 1 28 5, function_name $L__info_string0, inlined_at 1 94 9", or "" */
static Str call_site_of(Str loc) {
    static const char word[] = "inlined_at";
    const char *at = memmem(loc.at, loc.length, word, strlen(word));
    if (!at)
        return (Str){0};
    at += strlen(word);
    return str_trimmed((Str){at, loc.length - (size_t)(at - loc.at)});
}

/* "1 28 5" of that */
static Str position_of(Str loc) {
    static const char word[] = ".loc";
    const char *comma = memchr(loc.at, ',', loc.length);
    size_t length = comma ? (size_t)(comma - loc.at) : loc.length;
    return str_trimmed((Str){loc.at + strlen(word), length - strlen(word)});
}

/* Of a line that begins with .loc what is such directives: a statement follows them in what was put together of a cubin's tables. */
static Str locs_of(Str line) {
    uint32_t words = 0; /* that are left of a directive */
    size_t at = 0, end = 0;
    while (at < line.length) {
        const size_t begin = at;
        while (at < line.length && !strchr(" \t,", line.at[at]))
            at++;
        const Str word = {line.at + begin, at - begin};
        if (str_is(word, ".loc") || str_is(word, "inlined_at"))
            words = 3;
        else if (str_is(word, "function_name"))
            words = 1;
        else if (words-- == 0)
            break;
        end = at;
        while (at < line.length && strchr(" \t,", line.at[at]))
            at++;
    }
    return (Str){line.at, end};
}

static bool begins_function(Str line) {
    return str_starts(line, ".visible") || str_starts(line, ".entry") ||
           str_starts(line, ".func") || str_starts(line, ".weak");
}

static Lines split_lines(Arena *arena, const char *text, size_t size) {
    Lines lines = {0};
    for (size_t at = 0; at < size;) {
        const char *end = memchr(text + at, '\n', size - at);
        size_t length = end ? (size_t)(end - text) - at : size - at;
        *vec_add(arena, &lines.at) = (Str){text + at, length};
        at += length + 1;
    }
    lines.loc = NEW_ARRAY(arena, uint32_t, lines.at.count + 1);
    lines.outer = NEW_ARRAY(arena, uint32_t, lines.at.count + 1);
    Map *places = map_new(arena); /* of a position, the line of its last .loc */
    uint32_t loc = 0;
    uint64_t outer;
    bool in_assembly = false;
    for (uint32_t i = 0; i < lines.at.count; i++) {
        Str line = str_trimmed(lines.at.at[i]);
        in_assembly = ptx_in_assembly(line, in_assembly);
        const bool said = in_assembly && loc;
        if (!said && (str_starts(line, ".loc ") || str_starts(line, ".loc\t"))) {
            loc = i + 1;
            if (map_get(places, call_site_of(line), &outer))
                lines.outer[i] = (uint32_t)outer;
            map_put(places, position_of(line), loc);
        } else if (begins_function(line)) {
            loc = 0;
            places = map_new(arena);
        }
        lines.loc[i] = loc;
    }
    return lines;
}

/* 0: none. */
static uint32_t loc_of(const Lines *lines, uint32_t ptx_line) {
    return ptx_line > 0 && ptx_line <= lines->at.count ? lines->loc[ptx_line - 1] : 0;
}

/* A .loc behind those where it was inlined: the parser finds call sites in what stands before. */
static void print_loc(const Lines *lines, uint32_t loc, FILE *out) {
    enum { DEPTH = 64 };
    uint32_t chain[DEPTH], depth = 0;
    for (uint32_t at = loc; at && depth < DEPTH; at = lines->outer[at - 1])
        chain[depth++] = at;
    while (depth-- > 0)
        fprintf(out, STR_FMT "\n", STR_ARG(locs_of(str_trimmed(lines->at.at[chain[depth] - 1]))));
}

/* The same of a line of the source, where the listing tells that. */
static void print_place(const MachineCode *code, uint32_t place, FILE *out) {
    enum { DEPTH = 64 };
    uint32_t chain[DEPTH], depth = 0;
    for (uint32_t at = place; at && depth < DEPTH; at = code->places.at[at - 1].outer)
        chain[depth++] = at;
    for (uint32_t i = depth; i-- > 0;) {
        const MachinePlace *here = &code->places.at[chain[i] - 1];
        fprintf(out, ".loc %u %u 0", here->file + 1, here->line);
        if (i + 1 < depth) {
            const MachinePlace *caller = &code->places.at[chain[i + 1] - 1];
            fprintf(out, ", inlined_at %u %u 0", caller->file + 1, caller->line);
        }
        fputc('\n', out);
    }
}

static void print_files(const MachineCode *code, FILE *out) {
    for (uint32_t i = 0; i < code->files.count; i++)
        if (!memchr(code->files.at[i].at, '\\', code->files.at[i].length))
            fprintf(out, ".file %u \"" STR_FMT "\"\n", i + 1, STR_ARG(code->files.at[i]));
}

/* ---- the stack ---- */

/* What the functions of the section take of the stack: "IADD3 R1, R1, -0x18, RZ", and more where they may call each other
 * again and again. */
static bool calls_back(const Emit *e, const MachineInsn *insn) {
    uint32_t address;
    return insn->operand_count != 1 || insn->operands[0].kind != MACHINE_CODE ||
           (address_of(e, insn->operands[0].symbol, &address) && address <= insn->address);
}

static uint32_t stack_bytes(const Emit *e) {
    enum { RECURSION = 32768, MOST = 400000 };
    const MachineFunction *function = e->function;
    uint64_t sum = 0;
    bool calls = false;
    for (uint32_t i = 0; i < function->insns.count; i++) {
        const MachineInsn *insn = &function->insns.at[i];
        const MachineOperand *operands = insn->operands;
        calls |= str_is(insn->opcode, "CALL") && calls_back(e, insn);
        if (insn->operand_count < 2 || insn->operand_count > MACHINE_OPERANDS ||
            operands[0].kind != MACHINE_REG || operands[0].number != 1)
            continue;
        for (uint32_t k = 1; k < insn->operand_count; k++) {
            int32_t value = (int32_t)operands[k].value;
            if (operands[k].kind == MACHINE_INT && value < 0)
                sum += (uint64_t) - (int64_t)value;
        }
    }
    sum += calls ? RECURSION : 0;
    return (uint32_t)((sum < MOST ? sum : MOST) + 15) & ~15u;
}

/* ---- the body ---- */

typedef struct Body {
    Emit *e;
    Lines lines;
    const char **pieces; /* [insns] */
    bool calls;          /* there are functions beside the kernel */
} Body;

static void print_registers(const Emit *e, FILE *out) {
    static const char *const temps[] = {".pred %tp", ".b16 %th", ".b32 %t", ".b64 %td"};
    fprintf(out, ".reg .b32 %%R<%u>, %%UR<%u>, %%sink, %%top, %%px, %%BR, %%RC;\n",
            e->regs ? e->regs : 1, e->uregs ? e->uregs : 1);
    fprintf(out, ".reg .pred %%P<7>, %%UP<7>, %%PT, %%PF, %%PS, %%PG, %%BP;\n");
    fprintf(out, ".reg .b64 %%gl, %%gs, %%pa;\n.reg .b16 %%pb;\n");
    for (int i = 0; i < 4; i++)
        fprintf(out, ".reg %s<%u>;\n", temps[i], e->temps_most[i] + 1);
}

/* Variables in shared memory: the machine code has their addresses, and a name makes the parser lay them out. */
static void print_shared(const Emit *e, FILE *out) {
    uint32_t reserved = shared_base(e);
    for (uint32_t i = 0; i < e->kernel->locals.count; i++) {
        const Variable *variable = e->kernel->locals.at[i];
        if (variable->space == SPACE_SHARED && variable->is_extern)
            fprintf(out, ".extern .shared .align %u .b8 %s[];\n", variable->align, variable->name);
        else if (variable->space == SPACE_SHARED)
            fprintf(out, ".shared .align %u .b8 %s[%llu];\n", variable->align, variable->name,
                    (unsigned long long)variable->bytes);
    }
    for (uint32_t i = 0; i < e->kernel->shared.count; i++)
        fprintf(out, "mov.u32 %%px, %s;\n", e->kernel->shared.at[i]->name);
    fprintf(out, "mov.u64 %%gs, %u;\ncvta.shared.u64 %%gs, %%gs;\n", 0);
    if (reserved)
        fprintf(out, "sub.s64 %%gs, %%gs, %u;\n", reserved);
}

static void print_prologue(const Emit *e, FILE *out) {
    if (e->frame_bytes)
        fprintf(
            out,
            ".local .align 16 .b8 $frame[%u];\nmov.u32 %%px, $frame;\nadd.s32 %%top, %%px, %u;\n",
            e->frame_bytes, e->frame_bytes);
    else
        fprintf(out, "mov.u32 %%top, 0;\n");
    fprintf(out, "mov.u64 %%gl, 0;\ncvta.local.u64 %%gl, %%gl;\n");
    fprintf(out, "setp.eq.u32 %%PT, 0, 0;\nsetp.ne.u32 %%PF, 0, 0;\n");
    for (uint32_t i = 0; i < e->prologue.count; i++)
        fprintf(out, "%s\n", e->prologue.at[i]);
}

static void print_constants(const Emit *e, FILE *out) {
    if (!map_count(e->constants))
        return;
    for (uint32_t i = 0; i < e->names.count; i++)
        fprintf(out, ".reg .b32 %s;\n", e->names.at[i]);
}

/* The table of jump_to. */
static void print_landings(const Emit *e, FILE *out) {
    if (!e->jumps)
        return;
    fprintf(out, "landings: .branchtargets ");
    for (uint32_t i = 0; i < e->function->insns.count; i++) {
        if (e->lands[i])
            fprintf(out, "%sI%x", i ? ", " : "", i * 16);
        else
            fprintf(out, "%sInowhere", i ? ", " : "");
    }
    fprintf(out, ";\n");
}

static const char label_prefix[] = ".L_x_";

/* Of ".L_x_57" at *at: 57, and *at is behind it. UINT32_MAX: there is none. */
static uint32_t label_number(Str text, size_t *at) {
    const Str rest = {text.at + *at, text.length - *at};
    uint32_t number = 0;
    if (!str_starts(rest, label_prefix))
        return UINT32_MAX;
    for (*at += strlen(label_prefix); *at < text.length && isdigit((unsigned char)text.at[*at]);
         ++*at)
        number = 10 * number + (uint32_t)(text.at[*at] - '0');
    return number;
}

/* nvdisasm numbers labels through all kernels of a listing: the number of this one's first. */
static uint32_t first_label(const MachineFunction *function) {
    uint32_t first = UINT32_MAX;
    for (uint32_t i = 0; i < function->labels.count; i++) {
        size_t at = 0;
        const uint32_t number = label_number(function->labels.at[i].name, &at);
        first = number < first ? number : first;
    }
    return first;
}

/* Labels count from the kernel's first, so that the text is the same whatever was listed beside it. */
static void print_quoted(Str text, uint32_t first, FILE *out) {
    for (size_t i = 0; i < text.length;) {
        const uint32_t label = label_number(text, &i);
        if (label != UINT32_MAX) {
            fprintf(out, "%s%u", label_prefix, label - first);
            continue;
        }
        fputc(text.at[i] == '"' ? '\'' : text.at[i], out);
        i++;
    }
}

/* Whether the PTX there may access an array on the stack: ld.local, or ld without a space. */
static bool may_be_array(const Lines *lines, uint32_t ptx_line) {
    static const char *const others[] = {".global", ".shared", ".param", ".const"};
    Str line = ptx_line > 0 && ptx_line <= lines->at.count ? str_trimmed(lines->at.at[ptx_line - 1])
                                                           : (Str){0};
    if (!line.length)
        return false;
    if (*line.at == '@') {
        size_t guard = 0;
        while (guard < line.length && line.at[guard] != ' ' && line.at[guard] != '\t')
            guard++;
        line = str_trimmed((Str){line.at + guard, line.length - guard});
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const char *found = memmem(line.at, line.length, others[i], strlen(others[i]));
        if (found && !memchr(line.at, '[', (size_t)(found - line.at)))
            return false;
    }
    return str_starts(line, "ld.") || str_starts(line, "st.");
}

/* Spills are marked by ptxas itself, from 13 on. Otherwise, and of calls, what lies at a fixed place of the frame and comes
 * of no access of the PTX. */
static StackUse stack_use(const Body *body, const MachineInsn *insn) {
    const bool store = str_is(insn->opcode, "STL");
    if ((!store && !str_is(insn->opcode, "LDL")) || insn->operand_count != 2)
        return STACK_NONE;
    const MachineOperand *at = &insn->operands[!store];
    const bool frame = at->reg == 1 && at->ureg == MACHINE_NONE;
    if (insn->spill)
        return STACK_SPILL;
    if (!frame || may_be_array(&body->lines, insn->ptx_line))
        return STACK_ARRAY;
    if (!body->e->code->marks_spills)
        return machine_is_all(body->e->kernel) ? STACK_NONE : STACK_SPILL;
    return body->calls ? STACK_CALL : STACK_ARRAY;
}

/* Behind the last instruction that can be reached stand a branch to itself and NOPs, for the instruction cache. */
static uint32_t code_end(const MachineFunction *function) {
    uint32_t end = function->insns.count;
    while (end > 0 && str_is(function->insns.at[end - 1].opcode, "NOP"))
        end--;
    return end;
}

/* Where there is no PTX, lines are those of a listing, which begins with the kernel's name:
 *   .entry k
 *   {
 *   / *0000* / LDC R1, c[0x0][0x28];                  (comment marks closed up) */
enum { LISTING_HEAD = 2 };

static uint32_t line_of(const Emit *e, uint32_t number) {
    return machine_is_all(e->kernel) ? LISTING_HEAD + number + 1
                                     : e->function->insns.at[number].ptx_line;
}

static const char *print_listing(const Emit *e) {
    PrintedText text;
    FILE *out = printed_begin(&text, e->arena);
    const uint32_t first = first_label(e->function), end = code_end(e->function);
    fprintf(out, ".entry %s\n{\n", e->kernel->name);
    for (uint32_t i = 0; i < end; i++) {
        fprintf(out, "/*%04x*/ ", e->function->insns.at[i].address);
        print_quoted(e->function->insns.at[i].text, first, out);
        fputs(";\n", out);
    }
    fputs("}\n", out);
    return printed_end(&text);
}

static void print_insns(const Body *body, FILE *out) {
    const Emit *e = body->e;
    const uint32_t first = first_label(e->function);
    uint32_t loc = 0, place = 0;
    for (uint32_t i = 0; i < e->function->insns.count; i++) {
        const MachineInsn *insn = &e->function->insns.at[i];
        if (!body->pieces[i])
            continue;
        if (e->labelled[i])
            fprintf(out, "I%x:\n", insn->address);
        uint32_t here = loc_of(&body->lines, insn->ptx_line);
        if (here && here != loc)
            print_loc(&body->lines, here, out);
        loc = here ? here : loc;
        if (machine_is_all(e->kernel) && insn->place && insn->place != place)
            print_place(e->code, place = insn->place, out);
        fprintf(out, ".machine %u, %u, \"", i, line_of(e, i));
        print_quoted(insn->text, first, out);
        const StackUse use = stack_use(body, insn);
        fprintf(out, "\"%s%s;\n%s", use ? ", " : "", use ? stack_uses[use] : "", body->pieces[i]);
    }
    if (e->jumps)
        fprintf(out, "Inowhere:\ntrap;\n");
    fprintf(out, "exit;\n");
}

static const char *print_body(const Body *body) {
    PrintedText text;
    FILE *out = printed_begin(&text, body->e->arena);
    fprintf(out, "{\n");
    print_registers(body->e, out);
    print_constants(body->e, out);
    print_landings(body->e, out);
    print_shared(body->e, out);
    print_prologue(body->e, out);
    print_insns(body, out);
    fprintf(out, "}");
    return printed_end(&text);
}

/* ---- the text ---- */

/* The kernel's braces in the text: found from its line on, past comments and strings. false: they are not there. */
static bool find_body(const char *text, uint32_t line, const char **open, const char **close) {
    for (uint32_t n = 1; n < line && text; n++) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    int depth = 0;
    for (; text && *text; text++) {
        if (text[0] == '/' && text[1] == '/') {
            text += strcspn(text, "\n") - 1;
        } else if (text[0] == '/' && text[1] == '*') {
            const char *end = strstr(text + 2, "*/");
            text = end ? end + 1 : text + strlen(text) - 1;
        } else if (*text == '"') {
            text += 1 + strcspn(text + 1, "\"");
            if (!*text)
                return false;
        } else if (*text == '{' && depth++ == 0) {
            *open = text;
        } else if (*text == '}' && --depth == 0) {
            *close = text;
            return true;
        }
    }
    return false;
}

static const MachineFunction *function_named(const MachineCode *code, const char *name) {
    for (uint32_t i = 0; i < code->functions.count; i++) {
        if (str_is(code->functions.at[i].name, name))
            return &code->functions.at[i];
    }
    return NULL;
}

static bool translate_all(Emit *e, const char **pieces) {
    uint32_t end = code_end(e->function);
    for (uint32_t i = 0; i < e->function->labels.count; i++) {
        const MachineLabel *label = &e->function->labels.at[i];
        /* "MOV R46, 0x11c0; CALL.REL.NOINC R46" */
        if (label->function && e->reached[label->address / 16])
            land_at(e, label->address);
    }
    for (uint32_t i = 0; i < end; i++) {
        if (e->reached[i] && str_is(e->function->insns.at[i].opcode, "CALL"))
            land_at(e, (i + 1) * 16);
    }
    for (uint32_t i = 0; i < end; i++) {
        if (!e->reached[i])
            continue;
        pieces[i] = translate_insn(e, &e->function->insns.at[i]);
        if (!pieces[i])
            return false;
    }
    return true;
}

/* tensormap.replace becomes stores to where a GPU keeps the field; a map is laid out otherwise here. Machine code alone does not
 * say so: there a map that was written is refused as none when it is used. */
static bool replaces_in_maps(const Function *function) {
    for (uint32_t i = 0; i < function->insns.count; i++) {
        const OpInfo *info = op_info(function->insns.at[i].op);
        if (str_starts(str_of(info->syntax), "tensormap.replace."))
            return true;
    }
    return false;
}

static bool needs_maps_as_ptx(const Function *kernel) {
    const Module *module = kernel->module;
    bool needs = replaces_in_maps(kernel);
    for (uint32_t i = 0; i < module->functions.count; i++)
        needs |= !module->functions.at[i]->is_entry && replaces_in_maps(module->functions.at[i]);
    return needs;
}

MachineText machine_translate(Arena *arena, const MachineCode *code, const Function *kernel) {
    MachineText result = {.why = "the listing has no code of that name"};
    const Module *module = kernel->module;
    Emit e = {.arena = arena, .code = code, .kernel = kernel, .arch = code->arch};
    e.function = function_named(code, kernel->name);
    if (!e.function || !e.function->insns.count)
        return result;
    if (needs_maps_as_ptx(kernel)) {
        result.why = "tensormap.replace: it writes to a tensor's map as a GPU lays it out";
        return result;
    }
    e.function = function_linked(arena, code, e.function);
    uint32_t count = e.function->insns.count;
    e.labelled = NEW_ARRAY(arena, uint8_t, count + 1);
    e.lands = NEW_ARRAY(arena, uint8_t, count + 1);
    e.constants = map_new(arena);
    e.reached = reached_code(&e);
    e.frame_bytes = stack_bytes(&e);
    Body body = {.e = &e, .pieces = NEW_ARRAY(arena, const char *, count + 1)};
    if (!translate_all(&e, body.pieces)) {
        result.why = e.why;
        return result;
    }
    const char *open = NULL, *close = NULL;
    result.why = "its body is not found in the PTX";
    if (!find_body(module->text, kernel->line, &open, &close))
        return result;
    for (uint32_t i = 0; i < e.function->labels.count; i++)
        body.calls |= e.function->labels.at[i].function && e.function->labels.at[i].address > 0;
    if (machine_is_all(kernel))
        result.listing = print_listing(&e);
    else
        body.lines = split_lines(arena, module->text, module->text_length);
    result.body = print_body(&body);
    PrintedText text;
    FILE *out = printed_begin(&text, arena);
    fprintf(out, "%.*s%s%s\n", (int)(open - module->text), module->text, result.body, close + 1);
    if (result.listing)
        print_files(code, out);
    result.text = printed_end(&text);
    result.length = strlen(result.text);
    result.registers = e.function->registers;
    result.stack_bytes = e.function->stack_bytes;
    result.why = NULL;
    return result;
}
