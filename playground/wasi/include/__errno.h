/* __errno.h: errno as wasi-libc was compiled, for one thread: one variable, which no helper asks (threads.c). */
#pragma once

extern int errno;
#define errno errno
