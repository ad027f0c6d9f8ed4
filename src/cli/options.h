/* options: values that options of several commands take. A value that cannot be used ends the command
 * with a message (argp_error). */
#pragma once

#include "cli/pages.h"
#include "isa/isa.h"

#include <argp.h>

/* ---- the words of options that mean the same in every command ---- */

/* -k NAME */
#define NAMED "with NAME in their name, or whose name matches it as a regular expression"
/* -p PAGE */
#define PAGE_HELP PAGES_EXPECTED "; may be repeated"

/* argp_parse, which ends the process where an option cannot be used, and does so here without memory.
 * false: the parser has refused what there is. */
bool options_parse(const struct argp *argp, int argc, char **argv, unsigned flags, void *input);

/* ---- values ---- */

void option_number(const char *text, const char *name, uint32_t *number,
                   const struct argp_state *state);
/* A number in C's notation, up to `most`; false: it is none. */
bool number_parse(const char *text, uint64_t most, uint64_t *number);
/* The value of --sample; false: it has none. */
bool sample_parse(const char *text, uint32_t *sample);
/* Options whose values only go into a field of what the command was asked: a table of them. */
typedef enum OptionStore { STORE_TEXT, STORE_FLAG, STORE_NUMBER } OptionStore;
typedef struct OptionField {
    int key;
    OptionStore store;
    size_t offset;
    const char *name; /* of a number's option, for messages */
} OptionField;
/* false: it is another option. */
bool option_store(const OptionField *fields, size_t count, int key, const char *text, void *into,
                  const struct argp_state *state);
/* The GPU that --gpu names. NULL: diags. */
const Gpu *gpu_wanted(const char *name, Diags *diags);
/* What a command takes beside its options: nothing. Returns what argp is to be told. */
error_t option_nothing(int key, struct argp_state *state);
/* The same of a command that takes one profile, or up to two. */
error_t option_profiles(int key, char *argument, const char **profiles, uint32_t most,
                        struct argp_state *state);
void option_colour(const char *text, ColourChoice *choice, struct argp_state *state);
/* "scan.cu:70" or "70"; what it points into is text. */
void option_line(char *text, ReportOptions *options, struct argp_state *state);
/* Gives the profile the root that --root says; without one (NULL) the one that it was made with, or
 * what is found here. false: diags has why it cannot be. */
bool option_root(const char *folder, Profile *profile, Diags *diags);
