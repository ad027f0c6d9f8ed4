/* mix OPCODES.csv KERNELS.csv: the classes of src/prof/opcodes.def against what Nsight Compute measured on an H200. Of each kernel
 * in OPCODES, what its opcodes add up to by class must be the columns on_CLASS of KERNELS. HMMA, of the class tensor, is
 * fp16 there. */
#include "prof/prof.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Table {
    char *at;    /* the rest */
    Str row[64]; /* fields of the row */
    uint32_t count;
} Table;

static bool next_row(Table *table) {
    table->count = 0;
    if (!*table->at)
        return false;
    for (bool more = true; more && table->count < sizeof table->row / sizeof *table->row;) {
        bool quoted = *table->at == '"';
        table->at += quoted;
        size_t length = strcspn(table->at, quoted ? "\"" : ",\n");
        table->row[table->count++] = (Str){table->at, length};
        table->at += length + (quoted && table->at[length]);
        more = *table->at == ',';
        table->at += *table->at != 0;
    }
    return true;
}

static uint64_t number(Str text) {
    return strtoull(text.at, NULL, 10);
}

/* The class of a column "on_…". */
static bool class_of(Str head, InstClass *class) {
    static const char prefix[] = "on_", lanes[] = "on_inter_thread_communication";
    for (int c = 0; c < INST_CLASSES; c++) {
        *class = (InstClass)c;
        if (str_is(head, lanes)
                ? c == INST_communication
                : str_starts(head, prefix) &&
                      str_is((Str){head.at + strlen(prefix), head.length - strlen(prefix)},
                             inst_class_info((InstClass)c)->id))
            return true;
    }
    return false;
}

static uint64_t sum_of(char *opcodes, Str kernel, InstClass class, bool *there) {
    Table table = {.at = opcodes};
    uint64_t sum = 0;
    for (next_row(&table); next_row(&table);) {
        if (!str_equal(table.row[0], kernel))
            continue;
        InstClass own = opcode_of(table.row[1])->class;
        *there = true;
        sum +=
            own == class || (own == INST_tensor && class == INST_fp16) ? number(table.row[2]) : 0;
    }
    return sum;
}

static uint32_t compare(char *opcodes, Table *kernels, const Table *heads, uint32_t *compared) {
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < heads->count; i++) {
        InstClass class;
        bool there = false;
        if (!class_of(heads->row[i], &class))
            continue;
        uint64_t ours = sum_of(opcodes, kernels->row[0], class, &there);
        *compared += there;
        if (!there || ours == number(kernels->row[i]))
            continue;
        wrong++;
        printf(STR_FMT ": " STR_FMT ": %llu measured, %llu here\n", STR_ARG(kernels->row[0]),
               STR_ARG(heads->row[i]), (unsigned long long)number(kernels->row[i]),
               (unsigned long long)ours);
    }
    return wrong;
}

/* They are looked up by halves. */
static uint32_t unsorted(void) {
    uint32_t count, wrong = 0;
    const Opcode *opcodes = opcode_table(&count);
    for (uint32_t i = 0; i < count; i++) {
        bool found = opcode_of(str_of(opcodes[i].name)) == &opcodes[i];
        if (!found)
            printf("%s is not found: the rows of opcodes.def are not in order\n", opcodes[i].name);
        wrong += !found;
    }
    return wrong;
}

int main(int argc, char **argv) {
    Arena *arena = arena_new();
    size_t size;
    char *opcodes = argc == 3 ? file_read(arena, argv[1], &size) : NULL;
    Table kernels = {.at = argc == 3 ? file_read(arena, argv[2], &size) : NULL};
    if (!opcodes || !kernels.at) {
        fputs("usage: mix OPCODES.csv KERNELS.csv\n", stderr);
        return 2;
    }
    next_row(&kernels);
    const Table heads = kernels;
    uint32_t compared = 0, wrong = unsorted();
    while (next_row(&kernels))
        wrong += compare(opcodes, &kernels, &heads, &compared);
    printf("mix: %u sums by kernel and class, %u wrong\n", compared, wrong);
    arena_free(arena);
    return wrong || !compared;
}
