/* The plug-in: from a task to machine code. LLVM's contexts are of one compilation each, so any number of
 * threads may compile. */
#include "jit/jit.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/ExecutionEngine.h>
#include <llvm-c/Target.h>
#include <llvm/Config/llvm-config.h>
#include <pthread.h>
#include <string.h>

/* The bitcode of lanes.c (jit.cmake). */
__asm__(".pushsection .rodata\n"
        "lanes_bitcode: .incbin \"" LANES_BITCODE "\"\n"
        "lanes_bitcode_end:\n"
        ".popsection\n");
extern const char lanes_bitcode[] __attribute__((visibility("hidden")));
extern const char lanes_bitcode_end[] __attribute__((visibility("hidden")));

/* What a Compiled owns. */
typedef struct PluginState {
    Arena *arena;
    LLVMContextRef context;
    LLVMExecutionEngineRef engine;
} PluginState;

static void initialize(void) {
    LLVMLinkInMCJIT();
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
}

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
    build->fill_at = NEW_ARRAY(arena, const Fill *, cells);
    build->written = NEW_ARRAY(arena, uint32_t, cells);
    build->group_of = NEW_ARRAY(arena, uint32_t, codes);
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
static Version build_version(Build *build, const char *name, const bool *wanted) {
    const Program *program = build->program;
    begin_function(build, name);
    build->starts = NEW_ARRAY(build->arena, bool, program->block_count + 1);
    build->resumes = NEW_ARRAY(build->arena, bool, program->code_count + 1);
    memset(build->written, 0, (program->register_bytes / 4 + 1) * sizeof *build->written);
    blocks_build(build, wanted);
    return (Version){.starts = build->starts, .resumes = build->resumes};
}

/* Machine code of the module, which belongs to *engine from now on. */
static bool generate(Build *build, LLVMExecutionEngineRef *engine, CompiledCode *compiled) {
    struct LLVMMCJITCompilerOptions options;
    LLVMInitializeMCJITCompilerOptions(&options, sizeof options);
    /* 2 gives code no faster, in the same time; 0 takes 0.6 of the time for code that is slower by up to a
     * fifth, and has a place on the stack for each of thousands of vectors. */
    options.OptLevel = 1;
    char *message = NULL;
    if (LLVMCreateMCJITCompilerForModule(engine, build->module, &options, sizeof options,
                                         &message)) {
        LLVMDisposeMessage(message);
        return false;
    }
    compiled->all.run = (CompiledRun)(uintptr_t)LLVMGetFunctionAddress(*engine, "all");
    compiled->some.run = (CompiledRun)(uintptr_t)LLVMGetFunctionAddress(*engine, "some");
    return compiled->all.run && compiled->some.run;
}

static void release(CompiledCode *compiled) {
    PluginState *owned = compiled->owned;
    LLVMDisposeExecutionEngine(owned->engine);
    LLVMContextDispose(owned->context);
    arena_free(owned->arena);
}

static CompiledCode *compile(const CompileTask *task) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, initialize);
    Arena *arena = arena_new();
    LLVMContextRef context = LLVMContextCreate();
    Build *build = NEW(arena, Build);
    *build = (Build){.task = task, .program = task->program, .arena = arena, .context = context};
    if (!read_lanes(build)) {
        LLVMContextDispose(context);
        arena_free(arena);
        return NULL;
    }
    begin(build);
    prepare(build);
    PluginState *owned = NEW(arena, PluginState);
    *owned = (PluginState){.arena = arena, .context = context};
    CompiledCode *compiled = NEW(arena, CompiledCode);
    compiled->owned = owned;
    compiled->all = build_version(build, "all", task->wanted);
    build->masked = true;
    compiled->some = build_version(build, "some", task->parted);
    compiled->check_count = build->checks.count;
    compiled->batch_count = build->batches.count;
    compiled->members = sort_members(build);
    compiled->checks = build->checks.at;
    compiled->batches = build->batches.at;
    compiled->shapes = task->shapes;
    LLVMDisposeBuilder(build->at);
    LLVMDisposeModule(build->lanes);
    if (!generate(build, &owned->engine, compiled)) {
        release(compiled);
        return NULL;
    }
    return compiled;
}

__attribute__((visibility("default"))) extern const Plugin warplens_jit;
const Plugin warplens_jit = {PLUGIN_VERSION, LLVM_VERSION_STRING, compile, release};
