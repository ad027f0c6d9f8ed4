/* memory.h: the numbers of memory.def. Private to timing. */
#pragma once

enum { TIME_SUBCORES = 4 };
#define NUMBER(id, value, words) static const double time_##id __attribute__((unused)) = value;
#include "timing/memory.def"
