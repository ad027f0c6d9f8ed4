/* Which loads and stores go through the same address register while it keeps its value. Unrolled loops are made
 * of such accesses, [%rd1], [%rd1+128] …, and so are loops through what was computed before them: whether the
 * lanes' addresses are a run, their span, and what the access costs is then found once for all of them
 * (ops_memory.c).
 *
 * Most sweeps are of one basic block: its accesses between two writes of the register. Others last: a register that
 * a block reads and does not write has one for all accesses behind its last write in their block, which is known
 * until the warp enters a block that writes the register (Program.keeps). */
#include "exec/access/load_store.h"
#include "exec/calls/calls.h"
#include "exec/decode/operands.h"

enum {
    REGISTERS = 32, /* that are followed at once in a basic block */
    LASTING = 64,   /* bits of Warp.lasting */
    VECTOR =
        64 /* no two vectors of a warp's registers begin nearer to each other, but predicates */
};

/* Of a vector of the registers. */
struct Written {
    const Routine *routine; /* whose registers these are: what another one left does not count */
    uint32_t block;         /* plus one: the last that writes it; 0: none so far */
    uint32_t last;          /* the instruction there */
    uint32_t sweep;         /* that lasts; 0: none */
    uint64_t bit;           /* of it */
};

typedef struct SweepScan {
    Arena *arena;
    Program *program;
    const Routine *routine;
    Written *written;     /* [register_bytes / VECTOR + 1] at least; see written_at */
    uint32_t block, insn; /* at hand */
    /* Address registers that no instruction of the basic block has written since an access went through them. */
    uint32_t count, used; /* registers; sweeps of this block */
    uint32_t at[REGISTERS];
    Elements *first[REGISTERS];
} SweepScan;

/* NO_OPERAND: a predicate, or never used. */
static uint32_t place_of(const Routine *routine, uint32_t reg) {
    const Slots *slots = &routine->slots;
    if (slots->slot[reg] == NO_INDEX || slots->class[reg] == 0)
        return NO_OPERAND;
    return decode_slot(routine, slots->class[reg], slots -> slot[reg]);
}

static Written *written_at(const SweepScan *scan, uint32_t at) {
    Written *written = &scan->written[at / VECTOR];
    if (written->routine != scan->routine)
        *written = (Written){.routine = scan->routine};
    return written;
}

static void mark(void *context, uint32_t reg, bool defined) {
    SweepScan *scan = context;
    uint32_t at = place_of(scan->routine, reg);
    if (!defined || at == NO_OPERAND)
        return;
    Written *written = written_at(scan, at);
    written->block = scan->block + 1;
    written->last = scan->insn;
    scan->program->keeps[scan->routine->first_block + scan->block] &= ~written->bit;
}

/* Which registers the block at hand writes, and where last. */
static void mark_written(SweepScan *scan, const Block *block) {
    for (scan->insn = 0; scan->insn < block->count; scan->insn++)
        insn_registers(scan->program->code[block->first + scan->insn].insn, mark, scan);
}

static void find_lasting(SweepScan *scan, const Block *block) {
    Program *program = scan->program;
    mark_written(scan, block);
    for (uint32_t i = 0; i < block->count && program->lasting_count < LASTING; i++) {
        const Code *code = &program->code[block->first + i];
        Written *written = code_swept(code) ? written_at(scan, code->a) : NULL;
        if (!written || written->sweep || written->block == scan->block + 1)
            continue;
        written->sweep = program->sweep_count++;
        written->bit = UINT64_C(1) << program->lasting_count++;
    }
}

static void forget(void *context, uint32_t reg, bool defined) {
    SweepScan *scan = context;
    uint32_t at = place_of(scan->routine, reg);
    for (uint32_t i = 0; defined && i < scan->count; i++) {
        if (scan->at[i] != at)
            continue;
        scan->count--;
        scan->at[i] = scan->at[scan->count];
        scan->first[i] = scan->first[scan->count];
        return;
    }
}

/* The sweep with this number among those of a basic block, which each block uses again. */
static uint32_t block_sweep(SweepScan *scan, uint32_t number) {
    Program *program = scan->program;
    if (number == program->block_sweeps.count)
        *vec_add(scan->arena, &program->block_sweeps) = program->sweep_count++;
    return program->block_sweeps.at[number];
}

static void follow(SweepScan *scan, const Code *code, Elements *elements) {
    const Written *written = written_at(scan, code->a);
    if (written->sweep && (written->block != scan->block + 1 || written->last < scan->insn)) {
        elements->sweep = written->sweep;
        elements->lasting = written->bit;
        return;
    }
    for (uint32_t i = 0; i < scan->count; i++) {
        if (scan->at[i] != code->a)
            continue;
        Elements *first = scan->first[i];
        if (!first->sweep)
            first->sweep = block_sweep(scan, scan->used++);
        elements->sweep = first->sweep;
        elements->follows = true;
        return;
    }
    if (scan->count == REGISTERS)
        return;
    scan->at[scan->count] = code->a;
    scan->first[scan->count++] = elements;
}

static void find_sweeps(SweepScan *scan, const Block *block) {
    scan->count = scan->used = 0;
    mark_written(scan, block);
    for (scan->insn = 0; scan->insn < block->count; scan->insn++) {
        const Code *code = &scan->program->code[block->first + scan->insn];
        Elements *elements = code_swept(code);
        if (elements)
            follow(scan, code, elements);
        insn_registers(code->insn, forget, scan);
    }
}

void sweeps_find(Decoding *decoding) {
    Program *program = decoding->program;
    const Routine *routine = decoding->routine;
    const uint32_t vectors = program->register_bytes / VECTOR + 1;
    if (vectors > decoding->written_count) {
        decoding->written_count = 2 * vectors;
        decoding->written = NEW_ARRAY(decoding->arena, Written, decoding->written_count);
    }
    SweepScan scan = {.arena = decoding->arena,
                      .program = program,
                      .routine = routine,
                      .written = decoding->written};
    const Block *blocks = program->blocks + routine->first_block;
    const uint32_t count = routine->function->blocks.count;
    for (scan.block = 0; scan.block < count; scan.block++)
        find_lasting(&scan, &blocks[scan.block]);
    for (scan.block = 0; scan.block < count; scan.block++)
        find_sweeps(&scan, &blocks[scan.block]);
}
