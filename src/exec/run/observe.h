/* observe.h: tells the launch's observer, if it has one, what happens. Private to exec. */
#pragma once

#include "exec/run/cta.h"

void observe_begin(const Cta *cta);
void observe_end(const Cta *cta);
void observe_access(const Warp *warp, const Code *code, const Access *access);
void observe_traffic(const Warp *warp, const Code *code, const Traffic *traffic);
void observe_range(const Warp *warp, const Code *code, Space space, uint64_t address,
                   uint64_t bytes, bool writes);
void observe_arrive(const Warp *warp, uint32_t barrier, uint32_t lanes);
void observe_release(const Cta *cta, uint32_t barrier);
