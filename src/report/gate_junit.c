/* `warplens check` as JUnit XML: a test case for each kernel, failed where a line of it breaks a limit. */
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

static uint32_t kernel_of(const GateResult *result, const Violation *violation) {
    return result->profile->launches.at[violation->launch].kernel;
}

static uint32_t broken_by(const GateResult *result, uint32_t kernel) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < result->count; i++)
        count += kernel_of(result, &result->violations[i]) == kernel;
    return count;
}

static void write_failure(Arena *arena, const GateResult *result, uint32_t kernel, uint32_t count,
                          FILE *out) {
    fprintf(out, "\n      <failure message=\"%" PRIu32 " line%s beyond %s limits\">", count,
            count == 1 ? " is" : "s are", count == 1 ? "its" : "their");
    for (uint32_t i = 0; i < result->count; i++) {
        const Violation *violation = &result->violations[i];
        if (kernel_of(result, violation) != kernel)
            continue;
        xml_text(arena,
                 arena_printf(
                     arena, "%s:%" PRIu32 ": %s: %s\n    %s\n", gate_path(arena, result, violation),
                     violation->line, gate_info(violation->gate)->name,
                     gate_message(arena, result, violation), gate_source(arena, result, violation)),
                 out);
    }
    fputs("</failure>\n    ", out);
}

static void write_case(Arena *arena, const GateResult *result, uint32_t kernel, FILE *out) {
    const ProfKernel *of = &result->profile->kernels.at[kernel];
    const char *of_module = result->profile->modules.at[of->module].name;
    uint32_t count = broken_by(result, kernel);
    fputs("    <testcase classname=\"", out);
    xml_text(arena, of_module ? of_module : "PTX", out);
    fputs("\" name=\"", out);
    xml_text(arena, text_function(arena, of->demangled), out);
    fputs("\">", out);
    if (count)
        write_failure(arena, result, kernel, count, out);
    fputs("</testcase>\n", out);
}

/* Kernels that were launched. */
static bool *launched(Arena *arena, const Profile *profile, uint32_t *count, uint32_t *failures,
                      const GateResult *result) {
    bool *kernels = NEW_ARRAY(arena, bool, profile->kernels.count);
    *count = *failures = 0;
    for (uint32_t i = 0; i < profile->launches.count; i++) {
        uint32_t kernel = profile->launches.at[i].kernel;
        if (!kernels[kernel]) {
            ++*count;
            *failures += broken_by(result, kernel) > 0;
        }
        kernels[kernel] = true;
    }
    return kernels;
}

void gate_junit(const GateResult *result, const ReportOptions *options, FILE *out) {
    Arena *arena = arena_new();
    uint32_t count, failures;
    const bool *kernels = launched(arena, result->profile, &count, &failures, result);
    (void)options;
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
            "  <testsuite name=\"warplens\" tests=\"%" PRIu32 "\" failures=\"%" PRIu32
            "\" errors=\"0\">\n",
            count, failures);
    for (uint32_t kernel = 0; kernel < result->profile->kernels.count; kernel++)
        if (kernels[kernel])
            write_case(arena, result, kernel, out);
    fputs("  </testsuite>\n</testsuites>\n", out);
    arena_free(arena);
}
