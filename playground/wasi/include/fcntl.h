/* fcntl.h: a second descriptor of a file, which WebAssembly's system has not: it fails. */
#pragma once

#include_next <fcntl.h>

#ifndef F_DUPFD_CLOEXEC
#define F_DUPFD_CLOEXEC 1030
#endif
