/* What a reader of a kernel's source wants beside the lines with traffic: its signature, and where its
 * shared arrays are declared. Found by their words, since a profile knows neither place. */
#include "report/page.h"

#include <ctype.h>
#include <string.h>

enum { SIGNATURE_ABOVE = 4, SIGNATURE_BELOW = 16 }; /* lines beside the one with the name */

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Behind the word in a line that is no comment, or NULL. */
static const char *behind_word(const char *line, const char *word) {
    size_t length = strlen(word);
    const char *start = line + strspn(line, " \t"), *at = start;
    if (!length || (start[0] == '/' && start[1] == '/'))
        return NULL;
    for (; (at = strstr(at, word)); at += length)
        if ((at == start || !is_word(at[-1])) && !is_word(at[length]))
            return at + length;
    return NULL;
}

/* "gemm" of "void lib::gemm<float, 8>(float*)". */
static const char *plain_name(Arena *arena, const ProfKernel *kernel) {
    const char *name = name_last(name_function(arena, kernel->demangled));
    return arena_copy(arena, name, strcspn(name, "<("));
}

static bool names_kernel(const char *line, const char *name) {
    const char *behind = behind_word(line, name);
    return behind && behind[strspn(behind, " \t")] == '(';
}

static bool ends_statement(const char *line) {
    return !line[strspn(line, " \t\r")] || strpbrk(line, ";}#") || strstr(line, "//");
}

/* Marks the lines of the signature. Returns the first of them; 0: there is none. */
static uint32_t mark_signature(Lines text, const char *name, uint32_t begin, bool *declared) {
    uint32_t at = begin < text.count ? begin : text.count;
    while (at > 0 && !names_kernel(text.at[at - 1], name))
        at--;
    if (at == 0)
        return 0;
    uint32_t first = at, last = at;
    while (first > 1 && at - first < SIGNATURE_ABOVE && !ends_statement(text.at[first - 2]))
        first--;
    while (last < text.count && last - at < SIGNATURE_BELOW && !strchr(text.at[last - 1], '{'))
        last++;
    memset(declared + first - 1, true, last - first + 1);
    return first;
}

/* The declaration of an array that stands above the kernel, as extern ones may. */
static void mark_above(Lines text, const SharedVariable *variable, uint32_t signature,
                       bool *declared) {
    const char *name = variable->dynamic ? "extern" : name_last(variable->name);
    for (uint32_t at = signature; at-- > 1;)
        if (behind_word(text.at[at - 1], "__shared__") && behind_word(text.at[at - 1], name)) {
            declared[at - 1] = true;
            return;
        }
}

static uint32_t last_line(const Profile *profile, const ProfKernel *kernel, uint32_t file) {
    uint32_t last = 0;
    for (uint32_t i = 0; i < kernel->site_count; i++) {
        uint32_t at = profile->sites.at[kernel->first_site + i].location;
        for (; at != NONE; at = profile->locations.at[at].inlined_at) {
            const Location *place = &profile->locations.at[at];
            if (place->file == file && place->inlined_at == NONE && place->line > last)
                last = place->line;
        }
    }
    return last;
}

bool *kernel_declarations(Arena *arena, const Profile *profile, const ProfKernel *kernel,
                          uint32_t file, Lines text) {
    bool *declared = NEW_ARRAY(arena, bool, text.count + 1);
    const Location *begin =
        kernel->location == NONE ? NULL : &profile->locations.at[kernel->location];
    while (begin && begin->inlined_at != NONE)
        begin = &profile->locations.at[begin->inlined_at];
    if (!begin || file == NONE || begin->file != file)
        return declared;
    uint32_t signature = mark_signature(text, plain_name(arena, kernel), begin->line, declared);
    uint32_t last = last_line(profile, kernel, file), inside = 0;
    for (uint32_t at = signature; signature && at <= last && at <= text.count; at++)
        if (behind_word(text.at[at - 1], "__shared__")) {
            declared[at - 1] = true;
            inside++;
        }
    for (uint32_t i = 0; signature && inside == 0 && i < kernel->shared.count; i++)
        mark_above(text, &kernel->shared.at[i], signature, declared);
    return declared;
}
