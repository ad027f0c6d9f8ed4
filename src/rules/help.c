/* Where a rule is explained: in short by a paragraph that the program carries, at length in the documentation. */
#include "rules/rule.h"

#include <string.h>

const char *help_means(const char *page) {
    const RulePage *at = rule_pages;
    while (at->page && strcmp(at->page, page) != 0)
        at++;
    return at->page ? at->means : "";
}

const char *help_address(Arena *arena, const char *page) {
    return arena_printf(arena, "%s/rules/%s", WARPLENS_DOCS, page);
}

bool help_is_link(void) {
    return strstr(WARPLENS_DOCS, "://") != NULL;
}
