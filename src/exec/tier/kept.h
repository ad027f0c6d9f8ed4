/* kept.h: compiled kernels on disk, among the answers of compilers (base/cache.h). What is kept is a CodeImage and what it
 * expects of the kernel; it is found by the kernel's decoded form, the processor's level, and the files of the
 * engine and of the plug-in, so that no other version reads it. Code that is found is checked as any other while it
 * runs: it can be slow for a launch, but not wrong. Private to exec. */
#pragma once

#include "base/cache.h"
#include "exec/tier/compiled.h"

/* All that the code of a kernel depends on, but for what was seen while it ran. */
CacheKey kept_kernel(const CompileTask *task, const char *plugin);
/* That, too: `wanted`, `parted` and `shapes`. */
CacheKey kept_task(const CacheKey *kernel, const CompileTask *task);

/* The code of that key; *task gets what it was made for. false: there is none, or it is damaged. */
bool kept_read(Arena *arena, const CacheKey *key, CompileTask *task, CodeImage *image);
void kept_write(Arena *arena, const CacheKey *key, const CompileTask *task, const CodeImage *image);

/* The key of the code that the kernel's launches with such blocks had last. false: there were none. */
bool kept_last(Arena *arena, const CacheKey *kernel, const uint32_t block[3], CacheKey *key);
void kept_last_is(Arena *arena, const CacheKey *kernel, const uint32_t block[3],
                  const CacheKey *key);
