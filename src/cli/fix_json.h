/* fix_json: what the parts of `warplens fix --format json` share. */
#pragma once

#include "cli/fix_global.h"

#include <jansson.h>

/* ---- fix_global_json.c ---- */

/* Names come from PTX, whose bytes need not be UTF-8. */
json_t *fix_json_text(const char *text);
json_t *fix_json_proof(const Proof *proof); /* null: NULL */
json_t *global_json(Arena *arena, const GlobalPlan *plan);
