/* `warplens check` as JUnit XML: a test case for each kernel, failed where a line of it breaks a
 * limit, with an error where a launch of it faulted. */
#include "report/gate.h"

#include <inttypes.h>

/* Character data and attributes; characters that XML cannot hold become '?'. */
static void xml_text(Arena *arena, const char *text, FILE *out) {
    for (const char *at = text_utf8(arena, text); *at; at++) {
        unsigned char c = (unsigned char)*at;
        if (c == '&')
            fputs("&amp;", out);
        else if (c == '<')
            fputs("&lt;", out);
        else if (c == '>')
            fputs("&gt;", out);
        else if (c == '"')
            fputs("&quot;", out);
        else
            fputc((c < ' ' && c != '\n') || c == 0x7f ? '?' : c, out);
    }
}

/* Violations of a kernel: faults, or lines beyond their limits. */
typedef struct Broken {
    bool faults;
    uint32_t count;
} Broken;

static bool is_of(const GateResult *result, const Violation *violation, uint32_t kernel,
                  bool faults) {
    return result->profile->launches.at[violation->launch].kernel == kernel &&
           (violation->gate == GATE_fault) == faults;
}

static Broken broken_by(const GateResult *result, uint32_t kernel, bool faults) {
    Broken broken = {.faults = faults};
    for (uint32_t i = 0; i < result->count; i++)
        broken.count += is_of(result, &result->violations[i], kernel, faults);
    return broken;
}

static void write_violation(Arena *arena, const GateResult *result, const Violation *violation,
                            FILE *out) {
    const char *details = violation->details;
    xml_text(arena,
             arena_printf(arena, "%s:%" PRIu32 ": %s: %s\n    %s\n%s%s",
                          gate_path(arena, result, violation), violation->line,
                          gate_info(violation->gate)->name, gate_message(arena, result, violation),
                          gate_source(arena, result, violation), details ? details : "",
                          details ? "\n" : ""),
             out);
}

/* What went wrong in a test case: an error where a launch faulted, a failure where lines break limits. */
static void write_broken(Arena *arena, const GateResult *result, uint32_t kernel, Broken broken,
                         FILE *out) {
    const char *element = broken.faults ? "error" : "failure",
               *plural = broken.count == 1 ? "" : "s";
    if (!broken.count)
        return;
    fprintf(out, "\n      <%s message=\"%" PRIu32 " line%s", element, broken.count, plural);
    if (broken.faults)
        fputs(" faulted\">", out);
    else
        fprintf(out, " %s beyond %s limits\">", broken.count == 1 ? "is" : "are",
                broken.count == 1 ? "its" : "their");
    for (uint32_t i = 0; i < result->count; i++)
        if (is_of(result, &result->violations[i], kernel, broken.faults))
            write_violation(arena, result, &result->violations[i], out);
    fprintf(out, "</%s>\n    ", element);
}

static void write_case(Arena *arena, const GateResult *result, uint32_t kernel, FILE *out) {
    const ProfKernel *of = &result->profile->kernels.at[kernel];
    const char *of_module = result->profile->modules.at[of->module].name;
    fputs("    <testcase classname=\"", out);
    xml_text(arena, of_module ? of_module : "PTX", out);
    fputs("\" name=\"", out);
    xml_text(arena, result->names[kernel], out);
    fputs("\">", out);
    write_broken(arena, result, kernel, broken_by(result, kernel, true), out);
    write_broken(arena, result, kernel, broken_by(result, kernel, false), out);
    fputs("</testcase>\n", out);
}

/* The test cases: kernels that were launched, and how many of them went wrong. */
typedef struct Cases {
    bool *launched;
    uint32_t count, failures, errors;
} Cases;

static Cases cases_of(Arena *arena, const GateResult *result) {
    const Profile *profile = result->profile;
    Cases cases = {.launched = NEW_ARRAY(arena, bool, profile->kernels.count)};
    for (uint32_t i = 0; i < profile->launches.count; i++) {
        uint32_t kernel = profile->launches.at[i].kernel;
        if (cases.launched[kernel])
            continue;
        cases.launched[kernel] = true;
        cases.count++;
        cases.failures += broken_by(result, kernel, false).count > 0;
        cases.errors += broken_by(result, kernel, true).count > 0;
    }
    return cases;
}

void gate_junit(const GateResult *result, const ReportOptions *options, FILE *out) {
    Arena *arena = arena_new();
    const Cases cases = cases_of(arena, result);
    (void)options;
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
            "  <testsuite name=\"warplens\" tests=\"%" PRIu32 "\" failures=\"%" PRIu32
            "\" errors=\"%" PRIu32 "\">\n",
            cases.count, cases.failures, cases.errors);
    for (uint32_t kernel = 0; kernel < result->profile->kernels.count; kernel++)
        if (cases.launched[kernel])
            write_case(arena, result, kernel, out);
    fputs("  </testsuite>\n</testsuites>\n", out);
    arena_free(arena);
}
