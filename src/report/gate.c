/* What formats of `warplens check` show of a violation, and the two that are plain lines: for a terminal
 * and for GitHub, which puts its lines beside the code of a pull request. */
#include "report/gate.h"

#include <inttypes.h>
#include <string.h>

/* ---- a violation ---- */

static const ProfKernel *kernel_of(const GateResult *result, const Violation *violation) {
    return profile_kernel(result->profile, violation->launch);
}

/* Of the program itself it may be that nobody knows where. */
bool gate_has_place(const Violation *violation) {
    return violation->launch != NONE || violation->file != NONE;
}

const char *gate_path(Arena *arena, const GateResult *result, const Violation *violation) {
    if (!gate_has_place(violation))
        return "the program";
    const char *name = violation->file == NONE
                           ? result->profile->modules.at[kernel_of(result, violation)->module].name
                           : result->profile->files.at[violation->file].path;
    return name ? profile_path(arena, result->profile, name) : "PTX";
}

const char *gate_source(Arena *arena, const GateResult *result, const Violation *violation) {
    const Profile *profile = result->profile;
    const char *text = violation->file == NONE ? NULL : profile->files.at[violation->file].text;
    const char *found = text_line(arena, text, violation->line);
    while (found && (*found == ' ' || *found == '\t'))
        found++;
    if (found && *found)
        return found;
    return violation->site == NONE ? "" : profile->sites.at[violation->site].text;
}

const char *gate_kernel(const GateResult *result, const Violation *violation) {
    if (violation->launch == NONE)
        return "the program";
    return result->names[result->profile->launches.at[violation->launch].kernel];
}

const char *gate_pattern(Arena *arena, const GateResult *result, const Violation *violation) {
    if (violation->site == NONE)
        return NULL;
    return words_pattern(arena, result->profile, violation->launch, violation->site);
}

const char *gate_inner(Arena *arena, const GateResult *result, const Violation *violation) {
    return violation->site == NONE ? NULL : words_inner(arena, result->profile, violation->site);
}

const char *gate_message(Arena *arena, const GateResult *result, const Violation *violation) {
    const char *launches =
        violation->launches == 1
            ? ""
            : arena_printf(arena, ", %s %" PRIu32 " launches",
                           violation->gate == GATE_fault ? "the first of" : "the worst of",
                           violation->launches);
    const char *inner = gate_inner(arena, result, violation);
    return arena_printf(arena, "%s, in %s%s%s%s", violation->message, inner ? inner : "",
                        inner ? ", in " : "", gate_kernel(result, violation), launches);
}

uint32_t gate_faults(const GateResult *result) {
    uint32_t faults = 0;
    while (faults < result->count && result->violations[faults].gate == GATE_fault)
        faults++;
    return faults;
}

/* They follow the faults. */
static uint32_t defects_of(const GateResult *result) {
    uint32_t defects = 0;
    for (uint32_t i = 0; i < result->count; i++)
        defects += result->violations[i].gate == GATE_defect;
    return defects;
}

/* ---- for a terminal ---- */

static void print_violation(const Report *report, const GateResult *result,
                            const Violation *violation) {
    Arena *arena = report->arena;
    const char *pattern = gate_pattern(arena, result, violation);
    text_print(report, STYLE_TITLE,
               gate_has_place(violation)
                   ? arena_printf(arena, "%s:%" PRIu32 ": ", gate_path(arena, result, violation),
                                  violation->line)
                   : "the program: ");
    text_print(report, STYLE_HOT, gate_info(violation->gate)->name);
    text_print(report, STYLE_PLAIN,
               arena_printf(arena, ": %s", gate_message(arena, result, violation)));
    fputs("\n    ", report->out);
    text_print(report, STYLE_PLAIN, gate_source(arena, result, violation));
    fputc('\n', report->out);
    if (pattern)
        text_wrap(report, 4, STYLE_DIM, pattern);
    if (violation->details)
        text_wrap(report, 2, STYLE_DIM, violation->details);
}

void gate_term(const GateResult *result, const ReportOptions *options, FILE *out) {
    Arena *arena = arena_new();
    Report report = {.arena = arena, .profile = result->profile, .options = options, .out = out};
    uint32_t faults = gate_faults(result), defects = defects_of(result);
    uint32_t broken = result->count - faults - defects;
    for (uint32_t i = 0; i < result->count; i++)
        print_violation(&report, result, &result->violations[i]);
    if (faults)
        fprintf(out, "%" PRIu32 " line%s faulted: counts are of what ran before that\n", faults,
                faults == 1 ? "" : "s");
    if (defects)
        fprintf(out, "%" PRIu32 " defect%s found\n", defects, defects == 1 ? " was" : "s were");
    if (broken)
        fprintf(out, "%" PRIu32 " line%s beyond %s limits\n", broken, broken == 1 ? " is" : "s are",
                broken == 1 ? "its" : "their");
    else if (!faults && !defects)
        fprintf(out, "all lines of %" PRIu32 " launch%s are within their limits\n",
                result->profile->launches.count, result->profile->launches.count == 1 ? "" : "es");
    arena_free(arena);
}

/* ---- for GitHub Actions: ::error file=…,line=…,title=…::message ---- */

/* Values have more that must be escaped than messages do. */
static void github_text(FILE *out, const char *text, bool value) {
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '%' || c < ' ' || c == 0x7f || (value && (c == ',' || c == ':')))
            fprintf(out, "%%%02X", c);
        else
            fputc(c, out);
    }
}

/* An annotation has a place in the repository, or none. */
static void github_place(FILE *out, const char *path, uint32_t line, bool in_file) {
    if (*path == '/' || !in_file)
        return;
    fputs("file=", out);
    github_text(out, path, true);
    if (line) /* 0: the compiler's own code */
        fprintf(out, ",line=%" PRIu32, line);
    fputc(',', out);
}

void gate_github(const GateResult *result, const ReportOptions *options, FILE *out) {
    Arena *arena = arena_new();
    (void)options;
    for (uint32_t i = 0; i < result->count; i++) {
        const Violation *violation = &result->violations[i];
        const char *pattern = gate_pattern(arena, result, violation);
        const char *path = gate_path(arena, result, violation);
        fputs("::error ", out);
        github_place(out, path, violation->line, gate_has_place(violation));
        fputs("title=", out);
        github_text(out, gate_info(violation->gate)->title, true);
        fputs("::", out);
        if (*path == '/')
            github_text(out, arena_printf(arena, "%s:%" PRIu32 ": ", path, violation->line), false);
        github_text(out, gate_message(arena, result, violation), false);
        if (pattern)
            github_text(out, arena_printf(arena, ". In a warp, %s.", pattern), false);
        if (violation->details)
            github_text(out, arena_printf(arena, "\n%s", violation->details), false);
        fputc('\n', out);
    }
    arena_free(arena);
}
