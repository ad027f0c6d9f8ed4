/* asked: an access in words, to be drawn: what `warplens explain` and the playground are asked. */
#pragma once

#include "question/question.h"
#include "report/report.h"

typedef struct Asked {
    Question question;
    uint32_t bank_bytes; /* BANK_BYTES; 8: the mode that GPUs of compute capability 3.x had */
    bool width_given;    /* question.access.width, which says more than the operation */
} Asked;

/* "a[lane]" in "float a[32]", in shared or, by question.access.space, in global memory. false: diags, which name options of
 * `warplens explain`. */
bool drawing_asked(Arena *arena, const Asked *asked, Drawing *drawing, Diags *diags);
