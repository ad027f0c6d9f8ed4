/* `warplens check` as JUnit XML: a test case for each kernel, failed where a line of it breaks a
 * limit, with an error where a launch of it faulted. */
#include "report/gate.h"

#include <inttypes.h>

/* What a test case is judged by: NONE stands for the program itself. */
typedef enum Wrong { WRONG_FAULTS, WRONG_DEFECTS, WRONG_LIMITS, WRONGS } Wrong;

static Wrong wrong_of(const Violation *violation) {
    return violation->gate == GATE_fault    ? WRONG_FAULTS
           : violation->gate == GATE_defect ? WRONG_DEFECTS
                                            : WRONG_LIMITS;
}

static bool is_of(const GateResult *result, const Violation *violation, uint32_t kernel,
                  Wrong wrong) {
    uint32_t of =
        violation->launch == NONE ? NONE : result->profile->launches.at[violation->launch].kernel;
    return of == kernel && wrong_of(violation) == wrong;
}

static uint32_t count_of(const GateResult *result, uint32_t kernel, Wrong wrong) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < result->count; i++)
        count += is_of(result, &result->violations[i], kernel, wrong);
    return count;
}

static void write_violation(Arena *arena, const GateResult *result, const Violation *violation,
                            FILE *out) {
    const char *details = violation->details;
    xml_text(out, arena,
             arena_printf(arena, "%s:%" PRIu32 ": %s: %s\n    %s\n%s%s",
                          gate_path(arena, result, violation), violation->line,
                          gate_info(violation->gate)->name, gate_message(arena, result, violation),
                          gate_source(arena, result, violation), details ? details : "",
                          details ? "\n" : ""));
}

/* What went wrong in a test case: an error where a launch faulted, else a failure. */
static void write_broken(Arena *arena, const GateResult *result, uint32_t kernel, Wrong wrong,
                         FILE *out) {
    const uint32_t count = count_of(result, kernel, wrong);
    const char *element = wrong == WRONG_FAULTS ? "error" : "failure";
    const char *plural = count == 1 ? "" : "s";
    if (!count)
        return;
    fprintf(out, "\n      <%s message=\"%" PRIu32 " %s%s", element, count,
            wrong == WRONG_DEFECTS ? "defect" : "line", plural);
    if (wrong == WRONG_FAULTS)
        fputs(" faulted\">", out);
    else if (wrong == WRONG_DEFECTS)
        fputs("\">", out);
    else
        fprintf(out, " %s beyond %s limits\">", count == 1 ? "is" : "are",
                count == 1 ? "its" : "their");
    for (uint32_t i = 0; i < result->count; i++)
        if (is_of(result, &result->violations[i], kernel, wrong))
            write_violation(arena, result, &result->violations[i], out);
    fprintf(out, "</%s>\n    ", element);
}

static void write_case(Arena *arena, const GateResult *result, uint32_t kernel, FILE *out) {
    const Profile *profile = result->profile;
    const char *of_module =
        kernel == NONE ? "program" : profile->modules.at[profile->kernels.at[kernel].module].name;
    fputs("    <testcase classname=\"", out);
    xml_text(out, arena, of_module ? of_module : "PTX");
    fputs("\" name=\"", out);
    xml_text(out, arena, kernel == NONE ? "the program" : result->names[kernel]);
    fputs("\">", out);
    for (int wrong = 0; wrong < WRONGS; wrong++)
        write_broken(arena, result, kernel, (Wrong)wrong, out);
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
        cases.failures += count_of(result, kernel, WRONG_DEFECTS) > 0 ||
                          count_of(result, kernel, WRONG_LIMITS) > 0;
        cases.errors += count_of(result, kernel, WRONG_FAULTS) > 0;
    }
    if (count_of(result, NONE, WRONG_DEFECTS)) {
        cases.count++;
        cases.failures++;
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
    if (count_of(result, NONE, WRONG_DEFECTS))
        write_case(arena, result, NONE, out);
    fputs("  </testsuite>\n</testsuites>\n", out);
    arena_free(arena);
}
