/* jit: the plug-in that compiles a Program to machine code with LLVM (exec/tier/compiled.h says what the code
 * does and how the interpreter uses it; docs/decisions/0013-jit.md says why it is as it is).
 *
 * A register of a warp is one LLVM value: <32 x i32> or <32 x i64>, a predicate an i32. Straight code
 * keeps registers as values; where the code may stop or calls the interpreter, those that were written
 * are stored (registers.c). What an instruction computes is never written down here: it is a function of
 * one lane, from exec/lanes/ops_lanes.h by way of bitcode, widened to 32 (widen.c), or the interpreter's own
 * function, called (insn.c). Loads and stores are moved in one piece where their lanes lie so
 * (access.c, move.c).
 *
 * One thread at a time compiles into one Build; there is no state beyond it. It calls nothing of exec:
 * what it needs of it are declarations and the pointers in the task. What it gives is an object file that
 * exec keeps on disk and loads again: no address of the process is in it, and what the code depends on is in
 * the file's key (exec/tier/kept.c). */
#pragma once

#include "exec/access/load_store.h"
#include "exec/tier/groups.h"

#include <llvm-c/Core.h>

enum { CLASS_PRED, CLASS_32, CLASS_64, CLASS_128 };

/* What is known of a register at a place in straight code. */
typedef struct CachedRegister {
    LLVMValueRef value; /* NULL: in memory only */
    bool dirty;         /* memory has an older value */
    uint8_t class;
} CachedRegister;

typedef struct Member {
    uint32_t batch, insn;
} Member;

/* In straight code: how the lanes of a value are known to lie to lane 0's. */
typedef struct KnownPlaces {
    LLVMValueRef value, lane0;
    uint64_t places[WARP_LANES]; /* of 32-bit values the lower halves */
} KnownPlaces;

/* In straight code: the vector that a mask was made of. */
typedef struct KnownMask {
    LLVMValueRef mask, lanes;
} KnownMask;

typedef struct Build {
    const CompileTask *task;
    const Program *program;
    Arena *arena;
    LLVMContextRef context;
    LLVMModuleRef module, lanes; /* lanes: the bitcode */
    LLVMBuilderRef at;
    LLVMTypeRef i1, i8, i16, i32, i64;
    LLVMValueRef function, warp, registers, frame;
    bool masked;       /* the version for any mask is at hand */
    LLVMValueRef mask; /* of the path; NULL: all lanes */
    LLVMValueRef block_counts, path_lanes, counts, hits, shared, shared_first, shared_bytes,
        recorded, code, stop, quiet;
    LLVMBasicBlockRef *block; /* [basic blocks]: where each begins; NULL: not compiled */
    LLVMBasicBlockRef *body;  /* [basic blocks]: behind the look at whether the turn is over */
    /* registers.c */
    CachedRegister *cached; /* [register_bytes / 4], by offset */
    uint32_t *offset;       /* of those that have a value */
    uint32_t offset_count;
    bool *needed;    /* [register_bytes / 4]: registers.c */
    uint32_t number; /* of the basic block at hand */
    uint32_t
        *written; /* [register_bytes / 4]: one more than that of the block that wrote it last */
    bool called;  /* the interpreter was, in this block: it may have written any */
    const Fill **fill_at;   /* [register_bytes / 4] */
    VEC(KnownPlaces) known; /* places.c */
    VEC(KnownMask) masks;   /* masks.c */
    bool failing;           /* on the way out from a check that was not passed */
    bool streams;           /* the kernel's stores may pass the caches */
    /* access.c */
    CheckGroups groups;
    VEC(Member) batched;
    LLVMBasicBlockRef *resume; /* [code] */
    /* what it gives */
    bool *starts, *resumes;
    VEC(Check) checks;
    VEC(Batch) batches;
} Build;

/* ---- types.c: LLVM's types and constants ---- */

LLVMTypeRef vector_of(LLVMTypeRef element); /* 32 of them */
LLVMTypeRef class_type(const Build *build, uint8_t class);
LLVMValueRef const32(const Build *build, uint64_t value);
LLVMValueRef const64(const Build *build, uint64_t value);
LLVMValueRef splat(Build *build, LLVMValueRef scalar);
/* The lanes of one bit that the vector of numbers, 0 or 1, was made of; NULL: it was not. */
LLVMValueRef lanes_of_bits(LLVMValueRef numbers);
/* A vector of these 32 constants. */
LLVMValueRef lanes_constant(LLVMTypeRef element, const uint64_t values[WARP_LANES]);
LLVMValueRef load_at(Build *build, LLVMTypeRef type, LLVMValueRef address, uint64_t offset,
                     uint32_t align);
void store_at(Build *build, LLVMValueRef value, LLVMValueRef address, uint64_t offset,
              uint32_t align);
LLVMBasicBlockRef new_block(Build *build, const char *name);
/* Executed rarely, or never: laid out elsewhere. */
void branch_rarely(Build *build, LLVMValueRef condition, LLVMBasicBlockRef rare,
                   LLVMBasicBlockRef often);
/* Lanes i, i + stride … (count of them) of a vector. */
LLVMValueRef take_lanes(Build *build, LLVMValueRef vector, uint32_t first, uint32_t stride,
                        uint32_t count);
/* The function that is called; "": it has no name. */
const char *called_name(LLVMValueRef call);

/* ---- registers.c ---- */

LLVMValueRef register_read(Build *build, uint32_t offset, uint8_t class);
void register_write(Build *build, uint32_t offset, uint8_t class, LLVMValueRef value);
/* Before a barrier, instruction `number`: what nothing behind it reads need not be stored. */
void registers_pause(Build *build, uint32_t number);
void registers_flush(Build *build); /* memory has them all; values stay known */
/* At a basic block's end memory has those that something behind it reads; none is known. */
void registers_leave(Build *build, uint32_t block);
/* Only memory has them; constants stay known, if they are to. */
void registers_forget(Build *build, bool constants_too);
/* On a way that ends before instruction `number`: into memory, as far as that or something behind it may read them. */
void registers_store_needed(Build *build, uint32_t number);

/* ---- masks.c ---- */

/* A bit for each lane: a vector of them, of a mask, and back. */
LLVMValueRef lanes_of_mask(Build *build, LLVMValueRef mask);
LLVMValueRef mask_of_lanes(Build *build, LLVMValueRef lanes);
/* Whether one of 256 bits is set, four times 64. */
LLVMValueRef any_bit(Build *build, LLVMValueRef bits);
void masks_forget(Build *build);

/* ---- widen.c ---- */

/* The function can be widened. */
bool lane_is_widenable(LLVMValueRef lane);
/* Its result for 32 lanes: arguments and result are vectors of its types. */
LLVMValueRef lane_widen(Build *build, LLVMValueRef lane, LLVMValueRef arguments[]);

/* ---- nan.c ---- */

/* Of one that gives something else where a value is a NaN: that value; else NULL. */
LLVMValueRef nan_choice(LLVMValueRef value);
/* Nothing that the function of one lane gives depends on which NaN its parameter is, where it is one. */
bool nan_is_any(Build *build, LLVMValueRef parameter);
/* The value, with other NaNs where that is less work. */
LLVMValueRef nan_any(Build *build, LLVMValueRef value);
/* The value; the right NaNs are made here, if it has others made so before. */
LLVMValueRef nan_right(Build *build, LLVMValueRef value);

/* ---- places.c ---- */

/* As values of the element's type have them: of 32 bits, or of 64. */
void places_cut(const Build *build, LLVMTypeRef element, uint64_t places[WARP_LANES]);
/* How the value's lanes lie to lane 0's; false: it is not known. */
bool places_known(Build *build, LLVMValueRef value, uint64_t places[WARP_LANES]);
/* The value lies at `places` where and only where what is given back does at what becomes of them. */
LLVMValueRef places_reduce(Build *build, LLVMValueRef value, uint64_t places[WARP_LANES]);
/* From here on it is known; lane0: what lane 0 has. */
void places_learn(Build *build, LLVMValueRef value, LLVMValueRef lane0,
                  const uint64_t places[WARP_LANES]);
/* What lane 0 has, without the other lanes where that is known. */
LLVMValueRef places_lane0(Build *build, LLVMValueRef value);
/* The value, made of lane 0's where it is known and else a long sum. */
LLVMValueRef places_again(Build *build, LLVMValueRef value);
void places_forget(Build *build);

/* ---- insn.c ---- */

/* The instruction, inlined; false: it was not, and nothing was built. */
bool insn_inline(Build *build, const Code *code, uint32_t number);
/* Calls the interpreter's function. */
void insn_call(Build *build, const Code *code, uint32_t number);
/* Mask of the path's lanes for which the guard holds; NULL: they are all 32. */
LLVMValueRef insn_guard(Build *build, const Code *code);
/* Leaves the compiled code. */
void leave(Build *build, Left reason, uint32_t number);

/* ---- access.c ---- */

/* The access, if it is in a group. */
bool access_inline(Build *build, const Code *code, uint32_t number);

/* ---- move.c ---- */

/* Moves the elements of a checked access; address: of lane 0 in the host's memory. */
void move_load(Build *build, const Code *code, const AccessShape *shape, LLVMValueRef address);
void move_store(Build *build, const Code *code, const AccessShape *shape, LLVMValueRef address);

/* ---- stream.c ---- */

/* Stores of the kernel may come into memory in any order. */
bool stream_allowed(const Build *build);
/* Whether a store of all lanes in a row, one element each, from lane 0's address on is to pass the caches; NULL: it is not, wherever
 * it goes. */
LLVMValueRef stream_wanted(Build *build, const Code *code, LLVMValueRef address);
/* Stores whole lines past the caches. */
void stream_store(Build *build, LLVMValueRef value, LLVMValueRef address);

/* ---- block.c ---- */

/* A function of the blocks that are wanted. */
void blocks_build(Build *build, const bool *wanted);
