/* Asks ptxas what a kernel becomes, and nvdisasm for the listing of that. Both take tens of milliseconds a kernel
 * and more of large ones, so that their answers are kept (cache.c). */
#include "toolchain/toolchain.h"

#include <errno.h>
#include <string.h>

typedef struct Assembly {
    Arena *arena;
    const SassQuestion *question;
    const char *ptxas, *nvdisasm; /* NULL: not there, or not asked */
    bool whole; /* all sections, with lines of the PTX; else code, with source lines */
    const char *scratch;
    Diags *diags;
} Assembly;

/* What both say; NULL: they were not asked, or refused. */
typedef struct ToolAnswer {
    const char *log, *listing;
} ToolAnswer;

/* Who asks for all sections wants nothing else: `why` says it. */
static void left_out(const Assembly *run, const char *what, const char *why) {
    if (run->whole)
        diags_add(run->diags, DIAG_NOTE, (Place){0}, "%s", why);
    else
        diags_add(run->diags, DIAG_NOTE, (Place){0}, "%s left out: %s", what, why);
}

static const char both[] = "registers and the comparison with machine code are";
static const char comparison[] = "the comparison with machine code is";

/* Of relocatable code ptxas keeps to the calling convention between functions, as it did before the
 * program was linked; and launches from the device call what it is linked with later. */
static bool is_whole(const SassQuestion *question) {
    static const char launches[] = "__cudaCDP2";
    return !question->relocatable &&
           !memmem(question->ptx, question->length, launches, strlen(launches));
}

/* ---- from the cache ---- */

static bool keys_of(const Assembly *run, CacheKey *log, CacheKey *listing) {
    const SassQuestion *question = run->question;
    *log = (CacheKey){{0}};
    cache_key_add_text(log, question->arch);
    cache_key_add_text(log, question->entry ? question->entry : "");
    cache_key_add(log, &question->relocatable, sizeof question->relocatable);
    if (question->options)
        cache_key_add_text(log, question->options);
    cache_key_add(log, question->ptx, question->length);
    if (!cache_key_add_tool(log, run->ptxas))
        return false;
    *listing = *log;
    if (run->whole)
        cache_key_add_text(listing, "whole, with its bits");
    return !run->nvdisasm || cache_key_add_tool(listing, run->nvdisasm);
}

static bool recall(const Assembly *run, const CacheKey *log, const CacheKey *listing,
                   ToolAnswer *answer) {
    answer->log = cache_read(run->arena, log, NULL);
    if (answer->log && run->nvdisasm)
        answer->listing = cache_read(run->arena, listing, NULL);
    return answer->log && (answer->listing || !run->nvdisasm);
}

static void keep(const Assembly *run, const CacheKey *key, const char *answer) {
    cache_write(run->arena, key, answer, strlen(answer));
}

/* ---- asked ---- */

typedef VEC(const char *) Words;

static void add_options(Arena *arena, const char *options, Words *words) {
    while (options && *options) {
        size_t length = strcspn(options, " ");
        if (length)
            *vec_add(arena, words) = arena_copy(arena, options, length);
        options += length + (options[length] == ' ');
    }
}

static const char *const *ptxas_words(const Assembly *run, const char *source) {
    const SassQuestion *question = run->question;
    Arena *arena = run->arena;
    Words words = {0};
    *vec_add(arena, &words) = run->ptxas;
    *vec_add(arena, &words) = "-lineinfo";
    *vec_add(arena, &words) = "-v";
    *vec_add(arena, &words) = arena_printf(arena, "-arch=%s", question->arch);
    add_options(arena, question->options, &words);
    *vec_add(arena, &words) = "-o";
    *vec_add(arena, &words) = arena_printf(arena, "%s/module.cubin", run->scratch);
    *vec_add(arena, &words) = source;
    if (!is_whole(question))
        *vec_add(arena, &words) = "-c";
    else if (question->entry) {
        *vec_add(arena, &words) = "-e";
        *vec_add(arena, &words) = question->entry;
    }
    *vec_add(arena, &words) = NULL;
    return words.at;
}

/* A version of PTX that the tool does not read is said in words of ours. */
const char *tool_complaint(Arena *arena, const char *tool, const ProcessResult *result) {
    const char *output = result->output ? result->output : "";
    if (!output[strspn(output, " \n")])
        return arena_printf(arena, "%s ended with status %d", tool, result->status);
    static const char *const marks[] = {"error ", "fatal "};
    const char *first = NULL;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const char *at = strstr(output, marks[i]);
        first = at && (!first || at < first) ? at : first;
    }
    const char *begin = first ? strchr(first, ':') : NULL;
    begin = begin ? begin + 1 + strspn(begin + 1, " ") : output;
    int length = (int)strcspn(begin, "\n");
    static const char version[] = "Unsupported .version ", most[] = "current version is '";
    const char *known = strstr(begin, most);
    if (strncmp(begin, version, strlen(version)) == 0 && known && known < begin + length) {
        const char *is = begin + strlen(version), *reads = known + strlen(most);
        return arena_printf(arena, "this %s reads PTX up to version %.*s, and the PTX is of %.*s",
                            tool, (int)strcspn(reads, "'"), reads, (int)strcspn(is, ";"), is);
    }
    return arena_printf(arena, "%s says: %.*s", tool, length, begin);
}

static bool assemble(const Assembly *run, ToolAnswer *answer) {
    const SassQuestion *question = run->question;
    const char *source = arena_printf(run->arena, "%s/module.ptx", run->scratch);
    if (!file_write(source, question->ptx, question->length)) {
        left_out(run, both, strerror(errno));
        return false;
    }
    ProcessResult result = process_run(run->arena, ptxas_words(run, source), run->scratch, NULL);
    if (result.status == 0)
        answer->log = result.output;
    else
        left_out(run, both, tool_complaint(run->arena, "ptxas", &result));
    return result.status == 0;
}

/* NULL: *result is what it says. flows: its analysis of the control flow, which takes a quarter of its time and adds
 * nothing but the targets of branches through tables. */
static const char *list(const Assembly *run, bool flows, ProcessResult *result) {
    const char *cubin = arena_printf(run->arena, "%s/module.cubin", run->scratch);
    const char *listing = arena_printf(run->arena, "%s/module.sass", run->scratch);
    const char *const code[] = {run->nvdisasm, "-c", "-gi", cubin, flows ? NULL : "-ndf", NULL};
    const char *const all[] = {run->nvdisasm, "-gp", "-hex", cubin, flows ? NULL : "-ndf", NULL};
    size_t size;
    *result = process_run(run->arena, run->whole ? all : code, run->scratch, listing);
    return result->status == 0 ? file_read(run->arena, listing, &size) : NULL;
}

static void disassemble(const Assembly *run, ToolAnswer *answer) {
    ProcessResult result;
    answer->listing = list(run, false, &result);
    if (!answer->listing || strstr(answer->listing, " BRX") || strstr(answer->listing, " JMX"))
        answer->listing = list(run, true, &result);
    if (!answer->listing)
        left_out(run, comparison, tool_complaint(run->arena, "nvdisasm", &result));
}

static bool ask(Assembly *run, ToolAnswer *answer) {
    run->scratch = scratch_new(run->arena);
    if (!run->scratch) {
        left_out(run, both, strerror(errno));
        return false;
    }
    bool assembled = assemble(run, answer);
    if (assembled && run->nvdisasm)
        disassemble(run, answer);
    scratch_remove(run->scratch);
    return assembled;
}

/* From the cache, or asked and kept there. */
static bool answer_all(Assembly *run, ToolAnswer *answer) {
    CacheKey log, listing;
    run->ptxas = toolchain_find(run->arena, "ptxas");
    if (!run->ptxas) {
        left_out(run, both, "there is no ptxas on PATH or under CUDA_HOME");
        return false;
    }
    if (!run->question
             ->resources) /* without one, the page that would have the machine code says so */
        run->nvdisasm = toolchain_find(run->arena, "nvdisasm");
    bool keyed = keys_of(run, &log, &listing);
    if (keyed && recall(run, &log, &listing, answer))
        return true;
    if (!ask(run, answer))
        return false;
    if (keyed)
        keep(run, &log, answer->log);
    if (keyed && answer->listing)
        keep(run, &listing, answer->listing);
    return true;
}

const char *toolchain_listing(Arena *arena, const SassQuestion *question, Diags *diags) {
    Assembly run = {.arena = arena, .question = question, .diags = diags, .whole = true};
    ToolAnswer answer = {.log = NULL};
    if (!answer_all(&run, &answer))
        return NULL;
    if (!answer.listing && !run.nvdisasm)
        left_out(&run, comparison, "there is no nvdisasm on PATH or under CUDA_HOME");
    return answer.listing;
}

Sass *toolchain_sass(Arena *arena, const SassQuestion *question, Diags *diags) {
    Assembly run = {.arena = arena, .question = question, .diags = diags};
    ToolAnswer answer = {.log = NULL};
    if (!answer_all(&run, &answer))
        return NULL;
    Sass *sass = NEW(arena, Sass);
    sass->ops = memory_ops_new(arena);
    sass->listed = answer.listing != NULL;
    sass_read_ptxas(arena, answer.log, sass);
    if (answer.listing)
        sass_read_listing(arena, answer.listing, sass);
    return sass;
}

/* ---- several kernels ---- */

static bool find_tools(Assembly *run) {
    run->ptxas = toolchain_find(run->arena, "ptxas");
    run->nvdisasm = toolchain_find(run->arena, "nvdisasm");
    return run->ptxas && run->nvdisasm;
}

bool toolchain_part(Arena *arena, const SassQuestion *question, SassPart *part) {
    Assembly run = {.arena = arena, .question = question, .whole = true};
    ToolAnswer answer = {.log = NULL};
    *part = (SassPart){.entry = question->entry};
    if (!cache_usable(arena) || !find_tools(&run) || !keys_of(&run, &part->log, &part->listing))
        return false;
    part->known = recall(&run, &part->log, &part->listing, &answer);
    return true;
}

void toolchain_ask_parts(Arena *arena, const SassQuestion *question, const SassPart *parts,
                         uint32_t count) {
    /* what is wrong with another kernel is not told */
    Assembly run = {.arena = arena, .question = question, .diags = diags_new(arena), .whole = true};
    ToolAnswer answer = {.log = NULL};
    if (!find_tools(&run) || !ask(&run, &answer) || !answer.listing)
        return;
    Map *kernels = map_new(arena);
    for (uint32_t i = 0; i < count; i++)
        map_put(kernels, str_of(parts[i].entry), i);
    for (uint32_t i = 0; i < count; i++) {
        keep(&run, &parts[i].log, sass_log_of(arena, answer.log, parts[i].entry));
        keep(&run, &parts[i].listing,
             sass_listing_of(arena, answer.listing, kernels, parts[i].entry));
    }
}
