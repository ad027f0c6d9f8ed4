/* The plug-in: from a task to an object file. LLVM's contexts are of one compilation each, so any number of
 * threads may compile. */
#include "jit/jit.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm/Config/llvm-config.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The bitcode of lanes.c (jit.cmake). */
__asm__(".pushsection .rodata\n"
        "lanes_bitcode: .incbin \"" LANES_BITCODE "\"\n"
        "lanes_bitcode_end:\n"
        ".popsection\n");
extern const char lanes_bitcode[] __attribute__((visibility("hidden")));
extern const char lanes_bitcode_end[] __attribute__((visibility("hidden")));

/* ---- LLVM, from its beginning to the process's end ---- */

static _Atomic int compilations; /* that run */
static _Atomic bool over;
static pid_t process; /* whose they are: in a forked one they are not there */

/* Before LLVM's own handlers, which take from under a compilation what it uses: they were there first. */
static void wait_for_compilations(void) {
    const struct timespec moment = {.tv_nsec = 100000};
    over = true;
    while (compilations && process == getpid())
        nanosleep(&moment, NULL);
}

/* By name: which one LLVM takes for its own is a matter of its headers, which may be another machine's. */
#if defined __aarch64__
#define INITIALIZE(what) LLVMInitializeAArch64##what()
#else
#define INITIALIZE(what) LLVMInitializeX86##what()
#endif

static void initialize(void) {
    process = getpid();
    atexit(wait_for_compilations);
    INITIALIZE(TargetInfo);
    INITIALIZE(Target);
    INITIALIZE(TargetMC);
    INITIALIZE(AsmPrinter);
}

static void ready(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, initialize);
}

/* ---- from a task to a module ---- */

static void add_attribute(const Build *build, const char *name, const char *value) {
    LLVMAttributeRef attribute = LLVMCreateStringAttribute(
        build->context, name, (unsigned)strlen(name), value, (unsigned)strlen(value));
    LLVMAddAttributeAtIndex(build->function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            attribute);
}

static bool read_lanes(Build *build) {
    size_t length = (size_t)(lanes_bitcode_end - lanes_bitcode);
    LLVMMemoryBufferRef text =
        LLVMCreateMemoryBufferWithMemoryRange(lanes_bitcode, length, "lanes", false);
    bool failed = LLVMParseBitcodeInContext2(build->context, text, &build->lanes);
    LLVMDisposeMemoryBuffer(text);
    return !failed;
}

static void begin(Build *build) {
    LLVMContextRef context = build->context;
    build->i1 = LLVMInt1TypeInContext(context);
    build->i8 = LLVMInt8TypeInContext(context);
    build->i16 = LLVMInt16TypeInContext(context);
    build->i32 = LLVMInt32TypeInContext(context);
    build->i64 = LLVMInt64TypeInContext(context);
    build->module = LLVMModuleCreateWithNameInContext("kernel", context);
    build->at = LLVMCreateBuilderInContext(context);
}

static void begin_function(Build *build, const char *name) {
    LLVMTypeRef types[5] = {build->i64, build->i64, build->i64, build->i64, build->i64};
    LLVMTypeRef type = LLVMFunctionType(build->i64, types, 5, false);
    build->function = LLVMAddFunction(build->module, name, type);
    build->warp = LLVMGetParam(build->function, 0);
    build->registers = LLVMGetParam(build->function, 1);
    build->frame = LLVMGetParam(build->function, 2);
    if (strcmp(build->task->level, "plain") != 0)
        add_attribute(build, "target-cpu", build->task->level);
}

static void prepare(Build *build) {
    const Program *program = build->program;
    Arena *arena = build->arena;
    size_t cells = program->register_bytes / 4 + 1, codes = program->code_count + 1;
    build->cached = NEW_ARRAY(arena, CachedRegister, cells);
    build->offset = NEW_ARRAY(arena, uint32_t, cells);
    build->needed = NEW_ARRAY(arena, bool, cells);
    build->written = NEW_ARRAY(arena, uint32_t, cells);
    build->fill_at = NEW_ARRAY(arena, const Fill *, cells);
    build->resume = NEW_ARRAY(arena, LLVMBasicBlockRef, codes);
    build->block = NEW_ARRAY(arena, LLVMBasicBlockRef, program->block_count + 1);
    build->body = NEW_ARRAY(arena, LLVMBasicBlockRef, program->block_count + 1);
    for (uint32_t i = 0; i < program->fills.count; i++) {
        const Fill *fill = &program->fills.at[i];
        if (fill->class < CLASS_128)
            build->fill_at[fill->offset / 4] = fill;
    }
}

/* The members of each batch, one behind the other. */
static const uint32_t *sort_members(Build *build) {
    uint32_t *members = NEW_ARRAY(build->arena, uint32_t, build->batched.count + 1);
    for (uint32_t i = 0; i < build->batched.count; i++)
        build->batches.at[build->batched.at[i].batch].count++;
    for (uint32_t b = 0, first = 0; b < build->batches.count; b++) {
        build->batches.at[b].first = first;
        first += build->batches.at[b].count;
        build->batches.at[b].count = 0;
    }
    for (uint32_t i = 0; i < build->batched.count; i++) {
        Batch *batch = &build->batches.at[build->batched.at[i].batch];
        members[batch->first + batch->count++] = build->batched.at[i].insn;
    }
    return members;
}

/* The function of a version; its code is not generated yet. */
static void build_version(Build *build, const char *name, const bool *wanted) {
    const Program *program = build->program;
    begin_function(build, name);
    build->starts = NEW_ARRAY(build->arena, bool, program->block_count + 1);
    build->resumes = NEW_ARRAY(build->arena, bool, program->code_count + 1);
    groups_begin(&build->groups, build->arena, build->task);
    build->streams = !build->masked && stream_allowed(build);
    blocks_build(build, wanted);
}

/* 2 gives code no faster, in the same time; 0 takes 0.6 of the time for code that is slower by up to a
 * fifth, and has a place on the stack for each of thousands of vectors. */
static LLVMTargetMachineRef make_machine(void) {
    char *triple = LLVMGetDefaultTargetTriple(), *message = NULL;
    LLVMTargetRef target;
    LLVMTargetMachineRef machine = NULL;
    if (LLVMGetTargetFromTriple(triple, &target, &message))
        LLVMDisposeMessage(message);
    else
        machine = LLVMCreateTargetMachine(target, triple, "", "", LLVMCodeGenLevelLess,
                                          LLVMRelocPIC, LLVMCodeModelSmall);
    LLVMDisposeMessage(triple);
    return machine;
}

/* The module as an object file. */
static bool generate(Build *build, CodeImage *image) {
    LLVMTargetMachineRef machine = make_machine();
    if (!machine)
        return false;
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
    LLVMSetModuleDataLayout(build->module, layout);
    LLVMDisposeTargetData(layout);
    LLVMMemoryBufferRef object;
    char *message = NULL;
    bool failed = LLVMTargetMachineEmitToMemoryBuffer(machine, build->module, LLVMObjectFile,
                                                      &message, &object);
    if (failed) {
        LLVMDisposeMessage(message);
    } else {
        image->object_bytes = LLVMGetBufferSize(object);
        image->object = arena_copy(build->arena, LLVMGetBufferStart(object), image->object_bytes);
        LLVMDisposeMemoryBuffer(object);
    }
    LLVMDisposeTargetMachine(machine);
    return !failed;
}

static void build_versions(Build *build, CodeImage *image) {
    build_version(build, "all", build->task->wanted);
    image->all_starts = build->starts;
    image->all_resumes = build->resumes;
    build->masked = true;
    build_version(build, "some", build->task->parted);
    image->some_starts = build->starts;
    image->some_resumes = build->resumes;
    image->members = sort_members(build);
    image->member_count = build->batched.count;
    image->check_count = build->checks.count;
    image->checks = build->checks.at;
    image->batch_count = build->batches.count;
    image->batches = build->batches.at;
}

static bool build_image(const CompileTask *task, Arena *arena, CodeImage *image) {
    LLVMContextRef context = LLVMContextCreate();
    Build *build = NEW(arena, Build);
    *build = (Build){.task = task, .program = task->program, .arena = arena, .context = context};
    *image = (CodeImage){.object = NULL};
    bool good = read_lanes(build);
    if (good) {
        begin(build);
        prepare(build);
        build_versions(build, image);
        LLVMDisposeBuilder(build->at);
        LLVMDisposeModule(build->lanes);
        good = generate(build, image);
        LLVMDisposeModule(build->module);
    }
    LLVMContextDispose(context);
    return good;
}

static bool compile(const CompileTask *task, Arena *arena, CodeImage *image) {
    compilations++;
    bool good = !over && build_image(task, arena, image);
    compilations--;
    return good;
}

__attribute__((visibility("default"))) extern const Plugin warplens_jit;
const Plugin warplens_jit = {PLUGIN_VERSION, LLVM_VERSION_STRING, ready, compile};
