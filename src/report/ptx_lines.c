/* Which PTX instructions came of a source line. The profile has line numbers of memory instructions
 * alone; for the others the module's text is read once more, just far enough: .file directives, once
 * for all its kernels, and .loc directives and the braces of the kernel's body.
 *
 * The number of a .file is matched with a file of the profile through a memory instruction under it
 * (its path may have been rewritten by --source-map), else by its path. */
#include "report/page.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct FileNumber {
    uint32_t number; /* of the .file directive */
    uint32_t file;   /* SourceFile, or NONE */
} FileNumber;

typedef VEC(FileNumber) FileNumbers;

struct ListedModule {
    const Profile *profile;
    VEC(const char *) lines; /* where each begins */
    FileNumbers files;
};

typedef struct Scan {
    Arena *arena;
    const Profile *profile;
    const ProfKernel *kernel;
    FileNumbers files;
    VEC(PtxLine) lines;          /* .file, .at_file hold the directive's number until resolve() */
    uint32_t number, line;       /* of the .loc in force; number NONE: none yet */
    uint32_t at_number, at_line; /* its inlined_at; at_number NONE: it has none */
    int depth;                   /* of braces */
    bool ended;
} Scan;

static FileNumber *file_of(Arena *arena, FileNumbers *files, uint32_t number) {
    for (uint32_t i = 0; i < files->count; i++)
        if (files->at[i].number == number)
            return &files->at[i];
    FileNumber *file = vec_add(arena, files);
    *file = (FileNumber){number, NONE};
    return file;
}

/* .file NUMBER "PATH" */
static void read_file(Arena *arena, ListedModule *of, const char *text) {
    char *end;
    uint32_t number = (uint32_t)strtoul(text, &end, 10);
    const char *open = strchr(end, '"'), *close = open ? strchr(open + 1, '"') : NULL;
    FileNumber *file = file_of(arena, &of->files, number);
    for (uint32_t i = 0; close && i < of->profile->files.count; i++)
        if (str_is((Str){open + 1, (size_t)(close - open - 1)}, of->profile->files.at[i].path))
            file->file = i;
}

ListedModule *listed_module(Arena *arena, const Profile *profile, uint32_t module) {
    ListedModule *of = NEW(arena, ListedModule);
    of->profile = profile;
    for (const char *text = profile->modules.at[module].text; text && *text;) {
        *vec_add(arena, &of->lines) = text;
        const char *word = text + strspn(text, " \t\r\f\v");
        if (strncmp(word, ".file", 5) == 0)
            read_file(arena, of, word + 5);
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return of;
}

/* .loc NUMBER LINE COLUMN [, function_name LABEL, inlined_at NUMBER LINE COLUMN] */
static void scan_loc(Scan *scan, const char *text, size_t length) {
    static const char inlined_at[] = "inlined_at";
    char *end;
    scan->number = (uint32_t)strtoul(text, &end, 10);
    scan->line = (uint32_t)strtoul(end, NULL, 10);
    const char *at = memmem(text, length, inlined_at, strlen(inlined_at));
    scan->at_number = at ? (uint32_t)strtoul(at + strlen(inlined_at), &end, 10) : NONE;
    scan->at_line = at ? (uint32_t)strtoul(end, NULL, 10) : 0;
}

static bool is_instruction(const char *text, size_t length) {
    if (!length || *text == '.' || *text == '/' || *text == '{' || *text == '}' || *text == '(')
        return false;
    return text[length - 1] != ':';
}

/* With single blanks for runs of them, as the profile has its memory instructions. */
static const char *squeezed(Arena *arena, const char *text, size_t length) {
    char *copy = arena_copy(arena, text, length), *to = copy;
    for (const char *from = copy; *from; from++)
        if (!isspace((unsigned char)*from))
            *to++ = *from;
        else if (to > copy && to[-1] != ' ')
            *to++ = ' ';
    *to = 0;
    return copy;
}

static void add_line(Scan *scan, uint32_t ptx_line, uint32_t site, const char *text) {
    *vec_add(scan->arena, &scan->lines) =
        (PtxLine){ptx_line, scan->number, scan->line, scan->at_number, scan->at_line, site, text};
}

/* The instruction, or of machine code behind it those that ptxas made of it: several, where it unrolls a loop. */
static void scan_instruction(Scan *scan, const char *text, size_t length, uint32_t ptx_line) {
    const ProfKernel *kernel = scan->kernel;
    const uint32_t before = scan->lines.count;
    if (kernel->machine_code && is_instruction(text, length))
        add_line(scan, ptx_line, NONE, squeezed(scan->arena, text, length));
    for (uint32_t site = kernel->first_site; site < kernel->first_site + kernel->site_count;
         site++) {
        const Site *of = &scan->profile->sites.at[site];
        if (of->ptx_line != ptx_line)
            continue;
        add_line(scan, ptx_line, site, of->text);
        if (of->location != NONE && scan->number != NONE)
            file_of(scan->arena, &scan->files, scan->number)->file =
                scan->profile->locations.at[of->location].file;
    }
    if (scan->lines.count == before && is_instruction(text, length))
        add_line(scan, ptx_line, NONE, squeezed(scan->arena, text, length));
}

static void scan_braces(Scan *scan, const char *text, size_t length) {
    for (size_t i = 0; i < length && !scan->ended; i++) {
        if (text[i] == '/' && i + 1 < length && text[i + 1] == '/')
            return;
        scan->depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
        scan->ended = text[i] == '}' && scan->depth == 0;
    }
}

static void scan_line(Scan *scan, const char *text, size_t length, uint32_t ptx_line) {
    for (; length && isspace((unsigned char)*text); text++)
        length--;
    for (; length && (isspace((unsigned char)text[length - 1]) || text[length - 1] == ';');)
        length--;
    if (length > 5 && strncmp(text, ".loc", 4) == 0 && isspace((unsigned char)text[4]))
        scan_loc(scan, text + 4, length - 4);
    else if (scan->depth > 0)
        scan_instruction(scan, text, length, ptx_line);
    scan_braces(scan, text, length);
}

/* The kernel's lines. */
static void scan_text(Scan *scan, const ListedModule *text) {
    for (uint32_t i = scan->kernel->ptx_line ? scan->kernel->ptx_line - 1 : 0;
         i < text->lines.count && !scan->ended; i++)
        scan_line(scan, text->lines.at[i], strcspn(text->lines.at[i], "\n"), i + 1);
}

static uint32_t resolved(Scan *scan, uint32_t number) {
    return number == NONE ? NONE : file_of(scan->arena, &scan->files, number)->file;
}

/* Numbers of directives become files; a memory instruction's own location is the better witness. */
static void resolve(Scan *scan) {
    for (uint32_t i = 0; i < scan->lines.count; i++) {
        PtxLine *line = &scan->lines.at[i];
        line->file = resolved(scan, line->file);
        line->at_file = resolved(scan, line->at_file);
        if (line->site == NONE)
            continue;
        uint32_t location = scan->profile->sites.at[line->site].location;
        line->file = location == NONE ? NONE : scan->profile->locations.at[location].file;
        line->line = location == NONE ? line->ptx_line : scan->profile->locations.at[location].line;
    }
}

/* Memory instructions that the text did not show: there is none, or it is not what was run; or ptxas made them of no instruction of the
 * kernel's own. */
static void add_sites(Scan *scan) {
    const ProfKernel *kernel = scan->kernel;
    bool *seen = NEW_ARRAY(scan->arena, bool, kernel->site_count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < scan->lines.count; i++) {
        uint32_t site = scan->lines.at[i].site;
        count += site != NONE;
        if (site != NONE)
            seen[site - kernel->first_site] = true;
    }
    if (!kernel->machine_code && count < kernel->site_count) {
        scan->lines.count = 0;
        memset(seen, 0, kernel->site_count * sizeof *seen);
    }
    for (uint32_t i = 0; i < kernel->site_count; i++) {
        const Site *of = &scan->profile->sites.at[kernel->first_site + i];
        if (!seen[i])
            *vec_add(scan->arena, &scan->lines) =
                (PtxLine){of->ptx_line, NONE, 0, NONE, 0, kernel->first_site + i, of->text};
    }
}

PtxLine *ptx_lines(Arena *arena, const ListedModule *text, const ProfKernel *kernel,
                   uint32_t *count) {
    Scan scan = {.arena = arena,
                 .profile = text->profile,
                 .kernel = kernel,
                 .number = NONE,
                 .at_number = NONE};
    for (uint32_t i = 0; i < text->files.count; i++)
        *vec_add(arena, &scan.files) = text->files.at[i];
    scan_text(&scan, text);
    add_sites(&scan);
    resolve(&scan);
    *count = scan.lines.count;
    return scan.lines.at;
}
