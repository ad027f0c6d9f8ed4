/* Text as pages want it: styles, widths, wrapping, names, short numbers. */
#include "report/page.h"

#include <string.h>

static const char *const escapes[] = {"", "\033[1m", "\033[2m", "\033[33m", "\033[1;31m"};

void text_print(const Report *report, Style style, const char *text) {
    bool coloured = report->options->colour && style != STYLE_PLAIN && *text;
    if (coloured)
        fputs(escapes[style], report->out);
    uint32_t column = 0;
    for (size_t length; *text; text += length) {
        bool control;
        length = character_length(text, &control);
        if (*text == '\t') {
            do
                fputc(' ', report->out);
            while (++column % 4);
            continue;
        }
        fwrite(control ? "?" : text, 1, control ? 1 : length, report->out);
        column++;
    }
    if (coloured)
        fputs("\033[0m", report->out);
}

uint32_t text_width(const char *text) {
    uint32_t column = 0;
    bool control;
    for (; *text; text += character_length(text, &control))
        column = *text == '\t' ? column / 4 * 4 + 4 : column + 1;
    return column;
}

void text_wrap(const Report *report, uint32_t indent, Style style, const char *text) {
    uint32_t width = report->options->width ? report->options->width : UINT32_MAX;
    uint32_t column = 0;
    while (*text) {
        size_t length = strcspn(text, " \n");
        const char *word = arena_copy(report->arena, text, length);
        if (column && column + 1 + text_width(word) > width) {
            fputc('\n', report->out);
            column = 0;
        }
        fprintf(report->out, "%*s", column ? 1 : (int)indent, "");
        text_print(report, style, word);
        column += (column ? 1 : indent) + text_width(word);
        text += length;
        if (*text == '\n') {
            fputc('\n', report->out);
            column = 0;
        }
        text += *text != 0;
    }
    if (column)
        fputc('\n', report->out);
}

void text_title(const Report *report, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputc('\n', report->out);
    text_print(report, STYLE_TITLE, arena_vprintf(report->arena, format, arguments));
    fputc('\n', report->out);
    va_end(arguments);
}

const char *text_short(Arena *arena, uint64_t value) {
    if (value < 100000)
        return words_count(arena, value);
    double scaled = (double)value;
    int unit = -1;
    for (; scaled >= 999.95; unit++)
        scaled /= 1000;
    int digits = scaled < 9.9995 ? 3 : scaled < 99.995 ? 2 : 1;
    return arena_printf(arena, "%.*f%c", digits, scaled, "kMGTPE"[unit]);
}

const char *text_gpu(Arena *arena, const LaunchRecord *launch) {
    return launch->device ? arena_printf(arena, "%s #%u", launch->gpu, launch->device)
                          : launch->gpu;
}

const char *text_shape(Arena *arena, const uint32_t shape[3]) {
    if (shape[2] != 1)
        return arena_printf(arena, "%ux%ux%u", shape[0], shape[1], shape[2]);
    if (shape[1] != 1)
        return arena_printf(arena, "%ux%u", shape[0], shape[1]);
    return arena_printf(arena, "%u", shape[0]);
}

const char **text_names(Arena *arena, const Profile *profile, const ReportOptions *options,
                        uint32_t width) {
    uint32_t count = profile->kernels.count;
    if (!options->mangled)
        return kernel_names(arena, profile, width);
    const char **names = NEW_ARRAY(arena, const char *, count + 1);
    for (uint32_t i = 0; i < count; i++)
        names[i] = profile->kernels.at[i].name;
    return names_short(arena, names, count, width);
}

const char *text_kernel(const Report *report, const ProfKernel *kernel, bool brief) {
    if (brief)
        return report->names[kernel - report->profile->kernels.at];
    return report->options->mangled ? kernel->name : kernel->demangled;
}

const char *text_origin(const Report *report, const ProfKernel *kernel) {
    return report->profile->modules.at[kernel->module].no_ptx ? "machine code" : "PTX";
}

const char *text_file(const Report *report, uint32_t file, const ProfKernel *kernel) {
    const char *path = file == NONE ? report->profile->modules.at[kernel->module].name
                                    : report->profile->files.at[file].path;
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path ? path : "?";
}

const char *text_line(Arena *arena, const char *text, uint32_t number) {
    for (uint32_t line = 1; text && line < number; line++) {
        const char *end = strchr(text, '\n');
        text = end ? end + 1 : NULL;
    }
    if (!text || !*text || !number)
        return NULL;
    return arena_copy(arena, text, strcspn(text, "\r\n"));
}

Lines text_split(Arena *arena, const char *text) {
    VEC(const char *) lines = {0};
    while (text && *text) {
        size_t length = strcspn(text, "\n");
        size_t end = length && text[length - 1] == '\r' ? length - 1 : length;
        *vec_add(arena, &lines) = arena_copy(arena, text, end);
        text += length + (text[length] == '\n');
    }
    return (Lines){lines.at, lines.count};
}

static const struct {
    const char *words, *mark;
} statuses[] = {{"", ""}, {" (sampled)", "s"}, {" (interrupted)", "i"}, {" (fault)", "!"}};

const char *status_words(LaunchStatus status) {
    return statuses[status].words;
}

const char *status_mark(LaunchStatus status) {
    return statuses[status].mark;
}

typedef enum SiteWords { WORDS_SPACE, WORDS_MATRICES, WORDS_WIDTH, WORDS_ONLY } SiteWords;
static const struct {
    const char *code, *text;
    SiteWords words;
} site_op_words[] = {
#define SITE_OP(id, name, code, words, text, first, last) {code, text, words},
#include "prof/site_ops.def"
};

const char *site_words(Arena *arena, const Site *site) {
    static const char *const spaces[] = {"generic", "global", "shared", "local", "constant"};
    static const char *const uses[] = {
        [LOCAL_NONE] = "", [LOCAL_ARRAY] = "", [LOCAL_SPILL] = ", spill", [LOCAL_CALL] = ", call"};
    const char *text = site_op_words[site->op].text;
    switch (site_op_words[site->op].words) {
    case WORDS_SPACE:
        return arena_printf(arena, "%s %s %u B%s", spaces[site->space], text, site->width,
                            uses[site->local_use]);
    case WORDS_MATRICES:
        return arena_printf(arena, "%s x%u", text, site->matrices);
    case WORDS_WIDTH:
        return arena_printf(arena, "%s %u B", text, site->width);
    case WORDS_ONLY:
        break;
    }
    return text;
}

const char *site_code(Arena *arena, const Site *site) {
    static const char spaces[] = "*GSLC";
    return arena_printf(arena, "%c %s %u", spaces[site->space], site_op_words[site->op].code,
                        site->width);
}

const char *text_utf8(Arena *arena, const char *text) {
    static const char replacement[] = "\xef\xbf\xbd";
    char *copy = arena_alloc_aligned(arena, 3 * strlen(text) + 1, 1), *to = copy;
    for (const char *at = text; *at;) {
        size_t length = utf8_length(at);
        memcpy(to, length ? at : replacement, length ? length : 3);
        to += length ? length : 3;
        at += length ? length : 1;
    }
    return copy;
}

void xml_text(FILE *out, Arena *arena, const char *text) {
    for (const unsigned char *at = (const unsigned char *)text_utf8(arena, text); *at; at++)
        switch (*at) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            fputc((*at < ' ' && *at != '\n') || *at == 0x7f ? ' ' : *at, out);
        }
}
