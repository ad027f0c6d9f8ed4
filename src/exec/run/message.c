/* Texts of several lines: each line after the first begins with a word that says what it tells. */
#include "exec/run/message.h"

#include <ctype.h>

void message_list(Message *message, const char *format, va_list arguments) {
    int length = vsnprintf(message->at, message->room, format, arguments);
    size_t moved = length < 0 ? 0 : (size_t)length;
    if (moved >= message->room)
        moved = message->room - 1;
    message->at += moved;
    message->room -= moved;
}

void message_put(Message *message, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    message_list(message, format, arguments);
    va_end(arguments);
}

/* On one line: calls are written on several. */
static void put_text(Message *message, Str text) {
    for (size_t i = 0; i < text.length; i++) {
        bool blank = isspace((unsigned char)text.at[i]);
        if (!blank || i == 0 || !isspace((unsigned char)text.at[i - 1]))
            message_put(message, "%c", blank ? ' ' : text.at[i]);
    }
}

void message_place(Message *message, const Function *function, const Insn *insn) {
    const Module *module = function->module;
    uint32_t location = insn->location;
    bool first = true;
    while (location != NO_LOCATION) {
        const SourceLocation *place = &module->locations.at[location];
        const char *file = module_file(module, place->file);
        message_put(message, "\n  %s %s:%u", first ? "at     " : "inlined at", file ? file : "?",
                    place->line);
        first = false;
        location = place->inlined_at;
    }
    message_put(message, "\n  %s %s:%u: ", first ? "at     " : "PTX    ", module->name, insn->line);
    put_text(message, insn->text);
}

void message_thread(Message *message, const uint32_t block[3], const uint32_t thread[3]) {
    message_put(message, "\n  block   (%u,%u,%u), thread (%u,%u,%u)", block[0], block[1], block[2],
                thread[0], thread[1], thread[2]);
}
