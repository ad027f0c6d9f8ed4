/* message.h: texts of several lines that say what a kernel did wrong, and where. Private to exec. */
#pragma once

#include "exec/exec.h"

#include <stdarg.h>

/* Where the next piece of the message goes. What has no room is left out. */
typedef struct Message {
    char *at;
    size_t room;
} Message;

void message_put(Message *message, const char *format, ...) __attribute__((format(printf, 2, 3)));
void message_list(Message *message, const char *format, va_list arguments);
/* The instruction's line, what that is inlined into, and its PTX. */
void message_place(Message *message, const Function *function, const Insn *insn);
/* "block   (1,0,0), thread (3,0,0)", in a line of its own. */
void message_thread(Message *message, const uint32_t block[3], const uint32_t thread[3]);
