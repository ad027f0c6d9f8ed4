/* Fuzzing what `warplens explain` is asked: any texts give 32 addresses that the memory model can price, or a message. The first
 * seven bytes are the numbers of the question; its texts are lines: the array, the index (or bytes), what is set, the lanes, the
 * source. */
#include "fuzz.h"
#include "question/question.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 7, TEXTS = 5 };

static void cut(Arena *arena, const uint8_t *data, size_t size, const char *texts[TEXTS]) {
    char *at = arena_copy(arena, (const char *)data, size);
    for (size_t i = 0; i < size; i++)
        at[i] = at[i] ? at[i] : ' ';
    for (uint32_t i = 0; i < TEXTS; i++) {
        size_t length = strcspn(at, i + 1 < TEXTS ? "\n" : "");
        texts[i] = arena_copy(arena, at, length);
        at += length + (at[length] != 0);
    }
}

static void ask(Arena *arena, const uint8_t *numbers, const char *texts[TEXTS], Diags *diags) {
    static const uint32_t widths[] = {0, 1, 2, 4, 8, 16, 3, 64};
    const uint32_t block[3] = {(numbers[1] & 31) + 1u, (numbers[2] & 15) + 1u, 1};
    const char *set[] = {texts[2]};
    const uint32_t bits = 1 + numbers[6] % 5;
    const Layout swizzle = {.kind = LAYOUT_SWIZZLED,
                            .bits = bits,
                            .base = numbers[6] >> 6,
                            .shift = bits + (numbers[6] >> 3 & 7)};
    Question question = {.access = {.kind = (AccessKind)(numbers[0] % (ACCESS_KIND_COUNT)),
                                    .space = SPACE_SHARED,
                                    .width = widths[numbers[3] & 7]},
                         .lanes = numbers[5] & 4 ? texts[3] : NULL,
                         .active = numbers[5] & 8 ? texts[3] : NULL,
                         .source = numbers[5] & 16 ? texts[4] : NULL,
                         .block = numbers[5] & 32 ? block : NULL,
                         .set = set,
                         .set_count = numbers[5] & 2 ? 1 : 0,
                         .warp = numbers[0] >> 5,
                         .vector = numbers[4] & 7,
                         .offset = numbers[4] >> 3};
    if (question.access.kind == ACCESS_LDMATRIX || question.access.kind == ACCESS_STMATRIX)
        question.access.matrices = 1u << (numbers[3] >> 6) % 3;
    if (numbers[5] & 1) {
        question.declaration = texts[0];
        question.index = texts[1];
    } else {
        question.bytes = texts[1];
    }
    if (numbers[5] & 64)
        question.layout = &swizzle;
    const Answer *answer = question_answer(arena, &question, diags);
    if (!answer && !diags->errors)
        abort();
    if (answer && mem_shared(&answer->access).wavefronts == 0 && answer->access.mask)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < NUMBERS)
        return 0;
    Arena *arena = arena_new();
    const char *texts[TEXTS];
    ElementType type;
    cut(arena, data + NUMBERS, size - NUMBERS, texts);
    type_declared(arena, texts[0], 1, texts[2], &type);
    ask(arena, data, texts, diags_new(arena));
    arena_free(arena);
    return 0;
}
