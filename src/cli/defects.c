#include "cli/defects.h"

uint32_t tell_defects(const Profile *profile) {
    enum { SHOWN = 10 };
    uint32_t found = 0;
    for (uint32_t i = 0; i < profile->defects.count; i++) {
        const Defect *defect = &profile->defects.at[i];
        if (defect->benign)
            continue;
        if (found++ < SHOWN)
            plain_printf(stderr, "warplens: %s: %s\n", defect_kinds[defect->kind], defect->message);
    }
    if (found)
        fprintf(stderr, "warplens: %u defect%s%s\n", found, found > 1 ? "s" : "",
                found > SHOWN ? "; the report has all of them" : "");
    return found;
}
