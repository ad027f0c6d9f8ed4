/* libclang, loaded when it is needed: a struct with its functions. Private to rewrite/. */
#pragma once

#include "base/base.h"

#include <clang-c/Index.h>

typedef struct Libclang {
#define FUNCTION(name) __typeof__(&clang_##name) name;
#include "rewrite/libclang.def"
} Libclang;

/* false: diags says what is missing and which package has it. */
bool libclang_load(Arena *arena, Libclang *lib, Diags *diags);
