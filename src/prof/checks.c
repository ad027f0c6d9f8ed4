/* What --sanitize looks for: the words of checks.def. */
#include "prof/prof.h"

DefectCheck defect_check(DefectKind kind) {
    static const DefectCheck checks[DEFECT_KINDS] = {
#define DEFECT(id, name, check, title) [DEFECT_##id] = CHECK_##check,
#include "prof/checks.def"
    };
    return checks[kind];
}

const char *defect_title(DefectKind kind) {
    static const char *const titles[DEFECT_KINDS] = {
#define DEFECT(id, name, check, title) [DEFECT_##id] = title,
#include "prof/checks.def"
    };
    return titles[kind];
}
