/* words.h: four words or eight halves at once, for what moves rows and columns of registers and memory. */
#pragma once

#include <stdint.h>
#include <string.h>

typedef uint32_t Words __attribute__((vector_size(16)));
typedef uint16_t Halves __attribute__((vector_size(16)));

static inline Words words_at(const void *from) {
    Words words;
    memcpy(&words, from, sizeof words);
    return words;
}

static inline void put_words(void *to, Words words) {
    memcpy(to, &words, sizeof words);
}

#define PICK(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)

/* Rows become columns. */
static inline void turn_words(Words word[4]) {
    const Words low01 = PICK(word[0], word[1], 0, 4, 1, 5);
    const Words low23 = PICK(word[2], word[3], 0, 4, 1, 5);
    const Words high01 = PICK(word[0], word[1], 2, 6, 3, 7);
    const Words high23 = PICK(word[2], word[3], 2, 6, 3, 7);
    word[0] = PICK(low01, low23, 0, 1, 4, 5);
    word[1] = PICK(low01, low23, 2, 3, 6, 7);
    word[2] = PICK(high01, high23, 0, 1, 4, 5);
    word[3] = PICK(high01, high23, 2, 3, 6, 7);
}

/* The same of eight rows of eight halves: neighbours are joined in words, and these are turned. */
static inline void turn_halves(Halves half[8]) {
    Words even[4], odd[4];
    for (uint32_t i = 0; i < 4; i++) {
        even[i] = (Words)PICK(half[2 * i], half[2 * i + 1], 0, 8, 1, 9, 2, 10, 3, 11);
        odd[i] = (Words)PICK(half[2 * i], half[2 * i + 1], 4, 12, 5, 13, 6, 14, 7, 15);
    }
    turn_words(even);
    turn_words(odd);
    for (uint32_t i = 0; i < 4; i++) {
        half[i] = (Halves)even[i];
        half[4 + i] = (Halves)odd[i];
    }
}
