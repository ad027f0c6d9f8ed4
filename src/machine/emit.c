/* Writes PTX instructions, and names their temporaries; modifiers of machine instructions. */
#include "machine/translate.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

uint32_t emit_arch(const Emit *e) {
    return e->arch;
}

const MachineFunction *emit_function(const Emit *e) {
    return e->function;
}

const Function *emit_kernel(const Emit *e) {
    return e->kernel;
}

const char *emit_printf(Emit *e, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vprintf(e->arena, format, arguments);
    va_end(arguments);
    return text;
}

bool emit_unknown(Emit *e, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (!e->why)
        e->why = arena_vprintf(e->arena, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- writing ---- */

static void write_line(Emit *e, const char *guard, const char *format, va_list arguments,
                       const char *end) {
    fputs(guard, e->out);
    vfprintf(e->out, format, arguments);
    fputs(end, e->out);
    e->written++;
}

void emit(Emit *e, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    write_line(e, e->guard, format, arguments, ";\n");
    va_end(arguments);
}

void emit_always(Emit *e, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    write_line(e, "", format, arguments, ";\n");
    va_end(arguments);
}

void emit_line(Emit *e, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    write_line(e, "", format, arguments, "\n");
    va_end(arguments);
}

/* ---- temporaries ---- */

enum { TEMP_PRED, TEMP_16, TEMP_32, TEMP_64 };

static const char *temp(Emit *e, int kind) {
    static const char *const names[] = {"tp", "th", "t", "td"};
    uint32_t number = e->temps[kind]++;
    if (e->temps[kind] > e->temps_most[kind])
        e->temps_most[kind] = e->temps[kind];
    return emit_printf(e, "%%%s%u", names[kind], number);
}

const char *temp16(Emit *e) {
    return temp(e, TEMP_16);
}

const char *temp32(Emit *e) {
    return temp(e, TEMP_32);
}

const char *temp64(Emit *e) {
    return temp(e, TEMP_64);
}

const char *temp_pred(Emit *e) {
    return temp(e, TEMP_PRED);
}

/* ---- modifiers ---- */

static bool among(Str mod, const char *words) {
    while (*words) {
        size_t length = strcspn(words, " ");
        if (str_equal(mod, (Str){words, length}))
            return true;
        words += length + (words[length] == ' ');
    }
    return false;
}

bool machine_only(const MachineInsn *insn, const char *words) {
    for (uint32_t i = 0; i < insn->mod_count; i++) {
        if (!among(insn->mods[i], words))
            return false;
    }
    return true;
}

const char *machine_one_of(const MachineInsn *insn, const char *words) {
    for (uint32_t i = 0; i < insn->mod_count; i++) {
        const char *at = words;
        while (*at) {
            size_t length = strcspn(at, " ");
            if (str_equal(insn->mods[i], (Str){at, length}))
                return at;
            at += length + (at[length] == ' ');
        }
    }
    return NULL;
}
