/* ends: what holds for every command. */
#pragma once

/* From here on the process ends with status 3 and a message where memory runs out, also in jansson, and
 * where standard output did not take all that was printed. */
void ends_watch(void);
/* The file that is removed where memory runs out; NULL: none. */
void ends_unfinished(const char *path);
/* What ends the process, at once: for who learns of it first. */
_Noreturn void ends_out_of_memory(void *unused);
