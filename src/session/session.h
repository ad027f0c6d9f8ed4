/* session: kernels on their way from files to counts. `warplens kernel`, `warplens fix` and
 * libwarplens are doors to it.
 *
 *   files --inputs_read--> PTX texts --session_kernel--> kernel, its arguments --session_launch--> Profile
 *                                                        the same, stored in another way --proof--> equal or not
 *
 * Invariants
 *   - A Session has one Memory and one Profile. All its kernels share the variables of their PTX text.
 *   - A launch is the kernel's with all that it launches from the device: exec's family.
 *   - What cannot be done is said in diagnostics, which name no option of the command line.
 *
 * What it does not do: parse command lines, print, judge counts. */
#pragma once

#include "fix/fix.h"
#include "machine/machine.h"
#include "ptx/ptx.h"
#include "session/arguments.h"
#include "toolchain/toolchain.h"

/* ---- inputs.c: what kernels are looked for in ---- */

typedef struct Inputs {
    VEC(PtxInput) list;
    VEC(PtxIndex *) indexes; /* of each */
} Inputs;

/* PTX, a fat binary or a cubin in memory. false: diags. */
bool inputs_add(Arena *arena, Inputs *inputs, const char *name, const void *image, size_t size,
                const Gpu *gpu, Diags *diags);
/* PTX, what has PTX in it (an executable or library, a fat binary, a cubin), and CUDA sources
 * (.cu), which are compiled. compile->arch NULL: for the GPU. false: diags. */
bool inputs_read(Arena *arena, const char *const *files, uint32_t count, const Gpu *gpu,
                 const CompileOptions *compile, Inputs *inputs, Diags *diags);

/* ---- session.c ---- */

typedef struct SessionKernel SessionKernel;
struct SessionKernel {
    SessionKernel *next;
    uint32_t input; /* that it is from */
    /* why its machine code is not executed; NULL: it is, or was not asked for */
    const char *not_machine;
    const Function *function;
    PreparedKernel *prepared; /* NULL: not yet */
};

typedef struct Session {
    Arena *arena; /* of all below */
    const Gpu *gpu;
    const Inputs *inputs; /* outlive it */
    MachineUse machine;   /* which code of kernels is executed; of those that are not parsed yet */
    Memory *memory;
    Sanitizer *sanitizer; /* what its launches are checked by; NULL: nothing is */
    Profile *profile;
    LoadedModule **loaded;  /* of each input: its variables; NULL: not yet */
    SessionKernel *kernels; /* those that were asked for */
} Session;

/* NULL: diags. */
Session *session_new(Arena *arena, const Gpu *gpu, const Inputs *inputs, Diags *diags);
/* Gives the device's memory back, and what was made ready for it; the profile stays. */
void session_end(Session *session);
void session_free(Session *session); /* NULL is allowed */

/* The kernel of that mangled name, parsed: ptx_select finds it. NULL: diags. */
SessionKernel *session_kernel(Session *session, uint32_t input, const char *name, Diags *diags);
/* The block of a launch that names none (all 0): what the kernel requires (.reqntid). false: it requires none. */
bool session_block(const SessionKernel *kernel, uint32_t block[3]);
/* Makes it ready for the GPU, if it is not. false: diags names what cannot be executed. */
bool session_prepare(Session *session, SessionKernel *kernel, Diags *diags);
/* Launches from now on are checked for what the names say ("all", "races,init=strict"); none of them before was, or what they
 * wrote is not known. `what` asks for it. false: diags says which name is wrong. */
bool session_sanitize(Session *session, const char *names, const char *what, Diags *diags);
/* Runs it, and what it launches. launch has all but the memory. false: it did not start, diags says
 * why. */
bool session_launch(Session *session, SessionKernel *kernel, const Launch *launch,
                    LaunchResult *result, Diags *diags);

/* ---- engine.c ---- */

/* The JIT's plug-in at that path, of which NULL says that none was found. NULL: *why says what is
 * missing. */
const Plugin *engine_plugin(Arena *arena, const char *path, const char **why);
/* Which engine executes launches, by its name ("auto=1000"); plugin: of the JIT, NULL: there is
 * none. false: diags says why it cannot be had, and names `what` asks for it ("--engine"). */
bool engine_choose(const char *what, const char *name, const char *plugin, Engine *engine,
                   Diags *diags);

/* ---- plan.c: which layouts ---- */

/* What a layout costs as the source would be written: compiled and executed. */
typedef enum FixOffer {
    OFFER_UNKNOWN, /* it was not tried: what follows is 0 */
    OFFER_FINE,
    OFFER_SLOWER,   /* instruction issue takes longer by more than the data stage saves */
    OFFER_DIFFERS,  /* other results, or a fault */
    OFFER_UNWRITTEN /* the source cannot be rewritten so, or does not compile then */
} FixOffer;

typedef struct FixCost {
    FixOffer offer;
    uint32_t form;  /* how much of the source changes: the less the better; of rewrite.h */
    uint32_t index; /* how much of an index; of rewrite.h, too */
    uint64_t thread_insts, warp_insts, wavefronts, sectors; /* of the kernel */
    uint64_t shared;                                        /* bytes of a block */
    uint32_t registers, blocks_per_sm;                      /* registers 0: not known */
    bool written; /* OFFER_UNWRITTEN: it could be written, and does not compile */
} FixCost;

/* Of a launch on a GPU, in seconds, where both were measured; else 0. */
typedef struct FixTime {
    double before, after;
} FixTime;

/* What to change in a kernel. */
typedef struct FixPlan {
    FixScope scope;   /* the launches that were looked at */
    ArrayFix *arrays; /* of each shared array that was accessed */
    uint32_t array_count;
    const Candidate **chosen; /* for each array, NULL: it stays as it is */
    Relayout *relayouts;      /* those that are chosen */
    uint32_t relayout_count;
    uint64_t now, promised;       /* wavefronts of the recorded accesses to these arrays */
    FixCost (*costs)[CANDIDATES]; /* of each array's candidates; NULL: none was tried */
    FixCost as_it_is;             /* where there are costs */
    FixTime *time;                /* of all changes together; copies of the plan have the same */
} FixPlan;

/* The best layout of each array, as far as a block has room for all of them. */
FixPlan fix_plan(Arena *arena, const FixScope *scope);
/* Another choice for an array; NULL: it stays as it is. */
void fix_plan_choose(Arena *arena, FixPlan *plan, uint32_t array, const Candidate *chosen);
const ProfKernel *fix_kernel(const FixPlan *plan);

/* ---- proof.c: the same kernel again, with arrays stored in another way ---- */

/* What the device's memory holds. */
typedef struct Snapshot {
    Arena *arena;
    VEC(MemoryBlock) blocks;
    VEC(const char *) copies; /* of each */
    uint64_t bytes;
} Snapshot;

void snapshot_take(Snapshot *to, const Memory *memory);
/* Bytes that differ from what memory holds. */
uint64_t snapshot_differ(const Snapshot *snapshot, const Memory *memory);
void snapshot_restore(const Snapshot *snapshot, Memory *memory);

/* What came out of a second run. */
typedef struct Proof {
    bool faulted;
    const char *fault;                /* its message */
    uint64_t bytes, differ;           /* of the device's memory */
    uint64_t before, promised, after; /* wavefronts, or sectors */
    bool complete;                    /* all accesses are in the evidence: `promised` is exact */
} Proof;

bool proof_holds(const Proof *proof);
/* Sums over the sites of a launch that have accessed that memory. */
Counters launch_counters(const Profile *profile, uint32_t launch, SiteSpace space);
/* Is every execution of every access to shared or global memory in the evidence? */
bool launch_is_complete(const Profile *profile, uint32_t launch, SiteSpace space);
