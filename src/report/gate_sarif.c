/* `warplens check` as SARIF 2.1.0 (OASIS): each gate a rule with its help, each violation a result on its
 * line; where a launch faulted, the invocation did not succeed. Paths are relative to %SRCROOT%. A result's fingerprint is made of
 * its rule, kernel, file and the text of its line, so it stays the same while the line moves. */
#include "report/document.h"
#include "report/gate.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* A path as a URI reference (RFC 3986): other characters than these become %XX. */
static const char *uri_of(Arena *arena, const char *path) {
    char *uri = arena_alloc_aligned(arena, 3 * strlen(path) + 1, 1), *to = uri;
    for (const unsigned char *at = (const unsigned char *)path; *at; at++) {
        if ((*at < 0x80 && isalnum(*at)) || strchr("-._~/", *at))
            *to++ = (char)*at;
        else
            to += snprintf(to, 4, "%%%02X", *at);
    }
    return uri;
}

/* helpUri is an absolute address, or is left out. */
static json_t *rule_of(Arena *arena, const GateInfo *info) {
    const char *help = help_address(arena, arena_printf(arena, "check.md#%s", info->name));
    const char *text = arena_printf(arena, "%s (%s of warplens says more.)", info->text, help);
    const char *markdown = arena_printf(arena, "**%s.** %s\n\n%s%s%s", info->title, info->text,
                                        help_is_link() ? "[More](" : "`", help,
                                        help_is_link() ? ")" : "` of warplens says more.");
    json_t *rule =
        json_pack("{s:s,s:{s:s},s:{s:s},s:{s:s,s:s},s:{s:s}}", "id", info->name, "shortDescription",
                  "text", info->title, "fullDescription", "text", info->text, "help", "text", text,
                  "markdown", markdown, "defaultConfiguration", "level", "error");
    if (help_is_link())
        json_object_set_new(rule, "helpUri", json_string(help));
    return rule;
}

static json_t *rules(Arena *arena) {
    json_t *array = json_array();
    for (int id = 0; id < GATE_COUNT; id++)
        json_array_append_new(array, rule_of(arena, gate_info((GateId)id)));
    return array;
}

/* {"physicalLocation": …}; snippet: NULL, none. */
static json_t *place_of(Arena *arena, const char *path, uint32_t line, const char *snippet) {
    bool absolute = *path == '/';
    json_t *artifact =
        json_pack("{s:s}", "uri",
                  arena_printf(arena, "%s%s", absolute ? "file://" : "", uri_of(arena, path)));
    if (!absolute)
        json_object_set_new(artifact, "uriBaseId", json_string("%SRCROOT%"));
    json_t *physical = json_pack("{s:o}", "artifactLocation", artifact);
    if (line) { /* 0: the compiler's own code */
        json_t *region = json_pack("{s:I}", "startLine", (json_int_t)line);
        if (snippet)
            json_object_set_new(region, "snippet",
                                json_pack("{s:o}", "text", document_text(arena, snippet)));
        json_object_set_new(physical, "region", region);
    }
    return json_pack("{s:o}", "physicalLocation", physical);
}

static const ProfKernel *kernel_of(const GateResult *result, const Violation *violation) {
    return profile_kernel(result->profile, violation->launch);
}

/* NULL: nobody knows. */
static json_t *location_of(Arena *arena, const GateResult *result, const Violation *violation) {
    if (!gate_has_place(violation))
        return NULL;
    json_t *location = place_of(arena, gate_path(arena, result, violation), violation->line,
                                gate_source(arena, result, violation));
    if (violation->launch == NONE) /* of the program itself */
        return location;
    json_object_set_new(location, "logicalLocations",
                        json_pack("[{s:o,s:o,s:s}]", "name",
                                  document_text(arena, gate_kernel(result, violation)),
                                  "fullyQualifiedName",
                                  document_text(arena, kernel_of(result, violation)->demangled),
                                  "kind", "function"));
    return location;
}

/* Where the instruction itself is, if that is another line; else NULL. */
static json_t *inner_of(Arena *arena, const GateResult *result, const Violation *violation) {
    const Profile *profile = result->profile;
    const char *words = gate_inner(arena, result, violation);
    if (!words)
        return NULL;
    const Location *inner =
        &profile->locations.at[site_place(profile, &profile->sites.at[violation->site]).inner];
    const char *path = inner->file == NONE ? "PTX" : profile->files.at[inner->file].path;
    json_t *location = place_of(arena, profile_path(arena, profile, path), inner->line, NULL);
    json_object_set_new(location, "message",
                        json_pack("{s:o}", "text", document_text(arena, words)));
    return json_pack("[o]", location);
}

/* Of equal violations - two lines with one text - the earlier ones in the list. */
static uint32_t alike_before(Arena *arena, const GateResult *result, uint32_t index) {
    const Violation *of = &result->violations[index];
    uint32_t alike = 0;
    for (uint32_t i = 0; i < index; i++) {
        const Violation *other = &result->violations[i];
        alike += other->gate == of->gate && other->shared == of->shared &&
                 other->launch == of->launch && other->file == of->file &&
                 strcmp(gate_source(arena, result, other), gate_source(arena, result, of)) == 0;
    }
    return alike;
}

static const char *fingerprint(Arena *arena, const GateResult *result, uint32_t index) {
    const Violation *violation = &result->violations[index];
    if (violation->launch == NONE)
        return arena_printf(arena, "%016" PRIx64, str_hash(str_of(violation->message)));
    const char *text =
        arena_printf(arena, "%s\n%s\n%s\n%s\n%s\n%" PRIu32, gate_info(violation->gate)->name,
                     violation->shared ? "shared" : "global",
                     name_function(arena, kernel_of(result, violation)->demangled),
                     gate_path(arena, result, violation), gate_source(arena, result, violation),
                     alike_before(arena, result, index));
    return arena_printf(arena, "%016" PRIx64, str_hash(str_of(text)));
}

static json_t *result_of(Arena *arena, const GateResult *result, uint32_t index) {
    const Violation *violation = &result->violations[index];
    const char *pattern = gate_pattern(arena, result, violation);
    const char *details = violation->details;
    const char *message = arena_printf(arena, "%s%s%s.%s%s", gate_message(arena, result, violation),
                                       pattern ? ". In a warp, " : "", pattern ? pattern : "",
                                       details ? "\n" : "", details ? details : "");
    json_t *object = json_pack(
        "{s:s,s:i,s:s,s:{s:o},s:[o*],s:{s:s}}", "ruleId", gate_info(violation->gate)->name,
        "ruleIndex", (int)violation->gate, "level", "error", "message", "text",
        document_text(arena, message), "locations", location_of(arena, result, violation),
        "partialFingerprints", "warplensLine/v1", fingerprint(arena, result, index));
    json_t *inner = inner_of(arena, result, violation);
    if (inner)
        json_object_set_new(object, "relatedLocations", inner);
    return object;
}

void gate_sarif(const GateResult *result, const ReportOptions *options, FILE *out) {
    Arena *arena = arena_new();
    json_t *results = json_array();
    (void)options;
    for (uint32_t i = 0; i < result->count; i++)
        json_array_append_new(results, result_of(arena, result, i));
    json_t *log =
        json_pack("{s:s,s:s,s:[{s:{s:{s:s,s:s,s:o}},s:[{s:b}],s:s,s:o}]}", "$schema",
                  "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0", "runs",
                  "tool", "driver", "name", "warplens", "semanticVersion", result->version, "rules",
                  rules(arena), "invocations", "executionSuccessful", gate_faults(result) == 0,
                  "columnKind", "unicodeCodePoints", "results", results);
    json_dumpf(log, out, JSON_INDENT(1));
    fputc('\n', out);
    json_decref(log);
    arena_free(arena);
}
