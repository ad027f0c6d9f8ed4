/* The document's kernels: their shared variables, memory instructions with the chain of places that they
 * were inlined at, all their PTX and machine code, and where ptxas made other instructions of a line. */
#include "report/document.h"

enum { CHAIN_LIMIT = 64 };

uint32_t document_file(Document *document, uint32_t file) {
    if (file == NONE)
        return NONE;
    const SourceFile *of = &document->report->profile->files.at[file];
    uint32_t *row = &document->file_rows[file];
    if (*row != NONE)
        return *row;
    *row = (uint32_t)json_array_size(document->files);
    json_array_append_new(document->files,
                          json_pack("{s:o,s:o}", "path", document_text(document->arena, of->path),
                                    "text", document_text(document->arena, of->text)));
    return *row;
}

/* From the instruction's own line outwards. */
static json_t *chain_of(Document *document, const Site *site) {
    const Profile *profile = document->report->profile;
    json_t *chain = json_array();
    uint32_t at = site->location;
    for (int i = 0; at != NONE && i < CHAIN_LIMIT; i++, at = profile->locations.at[at].inlined_at) {
        const Location *place = &profile->locations.at[at];
        json_array_append_new(
            chain,
            json_pack(
                "{s:o,s:I,s:I,s:o}", "file", document_index(document_file(document, place->file)),
                "line", (json_int_t)place->line, "column", (json_int_t)place->column, "function",
                place->function ? document_text(document->arena,
                                                name_function(document->arena, place->function))
                                : json_null()));
    }
    return chain;
}

/* Which place of the chain the site is counted at. */
static json_int_t place_in_chain(Document *document, const Site *site) {
    const Profile *profile = document->report->profile;
    const SitePlace place = site_place(profile, site);
    json_int_t number = 0;
    for (uint32_t at = site->location; at != place.location && number + 1 < CHAIN_LIMIT; number++)
        at = profile->locations.at[at].inlined_at;
    return number;
}

/* The same without columns and functions, which machine code does not tell. */
static json_t *lines_of(Document *document, uint32_t location) {
    const Profile *profile = document->report->profile;
    json_t *chain = json_array();
    uint32_t at = location;
    for (int i = 0; at != NONE && i < CHAIN_LIMIT; i++, at = profile->locations.at[at].inlined_at) {
        const Location *place = &profile->locations.at[at];
        json_array_append_new(chain, json_pack("{s:o,s:I}", "file",
                                               document_index(document_file(document, place->file)),
                                               "line", (json_int_t)place->line));
    }
    return chain;
}

static json_t *site_of(Document *document, uint32_t number) {
    const Profile *profile = document->report->profile;
    const Site *site = &profile->sites.at[number];
    json_t *object = json_object();
    document_fields(document, object, TABLE_site, site);
    json_object_set_new(object, "words", json_string(site_words(document->arena, site)));
    json_object_set_new(object, "chain", chain_of(document, site));
    json_object_set_new(object, "place", json_integer(place_in_chain(document, site)));
    json_object_set_new(
        object, "inner",
        document_text(document->arena, words_inner(document->arena, profile, number)));
    return object;
}

static json_t *sites_of(Document *document, const ProfKernel *kernel) {
    json_t *sites = json_array();
    for (uint32_t i = 0; i < kernel->site_count; i++)
        json_array_append_new(sites, site_of(document, kernel->first_site + i));
    return sites;
}

static json_t *variables_of(Document *document, const ProfKernel *kernel) {
    json_t *variables = json_array();
    for (uint32_t i = 0; i < kernel->shared.count; i++) {
        const SharedVariable *of = &kernel->shared.at[i];
        const char *name = name_last(of->name);
        json_t *variable = json_pack("{s:o}", "name", document_text(document->arena, name));
        document_fields(document, variable, TABLE_shared_variable, of);
        json_array_append_new(variables, variable);
    }
    return variables;
}

static json_t *call_of(Document *document, const PtxLine *line) {
    if (line->at_file == NONE)
        return json_null();
    return json_pack("{s:o,s:I}", "file", document_index(document_file(document, line->at_file)),
                     "line", (json_int_t)line->at_line);
}

/* Empty where there is machine code alone, which `sass` has. */
static json_t *ptx_of(Document *document, const ProfKernel *kernel) {
    uint32_t count;
    if (kernel->sass.count && document->report->profile->modules.at[kernel->module].no_ptx)
        return json_array();
    const Report *report = document->report;
    ListedModule **text = &document->texts[kernel->module];
    if (!*text)
        *text = listed_module(report->arena, report->profile, kernel->module);
    const PtxLine *lines = ptx_lines(document->arena, *text, kernel, &count);
    json_t *ptx = json_array();
    for (uint32_t i = 0; i < count; i++) {
        const PtxLine *line = &lines[i];
        bool placed = line->file != NONE;
        uint32_t site = line->site == NONE ? NONE : line->site - kernel->first_site;
        json_array_append_new(
            ptx, json_pack("{s:I,s:o,s:o,s:o,s:o,s:o}", "line", (json_int_t)line->ptx_line, "text",
                           document_text(document->arena, line->text), "file",
                           document_index(document_file(document, line->file)), "source_line",
                           placed ? json_integer(line->line) : json_null(), "inlined_at",
                           call_of(document, line), "site", document_index(site)));
    }
    return ptx;
}

static json_t *sass_of(Document *document, const ProfKernel *kernel) {
    json_t *sass = json_array();
    for (uint32_t i = 0; i < kernel->sass.count; i++) {
        const SassInst *inst = &kernel->sass.at[i];
        uint32_t site = inst->site == NONE ? NONE : inst->site - kernel->first_site;
        json_array_append_new(sass, json_pack("{s:o,s:o,s:o}", "text",
                                              document_text(document->arena, inst->text), "chain",
                                              lines_of(document, inst->location), "site",
                                              document_index(site)));
    }
    return sass;
}

/* The lines where the machine code's memory instructions are not those of the PTX. */
static json_t *differs_of(Document *document, uint32_t kernel) {
    const Profile *profile = document->report->profile;
    json_t *lines = json_array();
    for (uint32_t i = 0; i < profile->sass_lines.count; i++) {
        const SassLine *line = &profile->sass_lines.at[i];
        if (line->kernel != kernel ||
            (line->ptx == line->sass && line->ptx_bytes == line->sass_bytes))
            continue;
        uint32_t file = document_file(document, line->file);
        json_t *object = json_pack("{s:o}", "file", document_index(file));
        document_fields(document, object, TABLE_sass_line, line);
        json_array_append_new(lines, object);
    }
    return lines;
}

/* Lines of its file. */
static json_t *declarations_of(Document *document, const ProfKernel *kernel, uint32_t file) {
    const Profile *profile = document->report->profile;
    json_t *lines = json_array();
    Lines text = text_split(document->arena, file == NONE ? NULL : profile->files.at[file].text);
    const bool *declared = kernel_declarations(document->arena, profile, kernel, file, text);
    for (uint32_t i = 0; i < text.count; i++)
        if (declared[i])
            json_array_append_new(lines, json_integer(i + 1));
    return lines;
}

uint32_t document_kernel(Document *document, uint32_t kernel) {
    const Profile *profile = document->report->profile;
    const ProfKernel *of = &profile->kernels.at[kernel];
    const ProfModule *module = &profile->modules.at[of->module];
    const Location *place = of->location == NONE ? NULL : &profile->locations.at[of->location];
    uint32_t *row = &document->kernel_rows[kernel];
    if (*row != NONE)
        return *row;
    *row = (uint32_t)json_array_size(document->kernels);
    json_t *object = json_pack(
        "{s:o,s:o,s:o,s:o,s:o,s:o,s:b,s:b,s:b,s:o,s:o,s:I}", "name",
        document_text(document->arena, of->name), "demangled",
        document_text(document->arena, of->demangled), "short",
        document_text(document->arena, document->names[kernel]), "module",
        document_text(document->arena, module->name), "target",
        document_text(document->arena, module->target), "machine",
        document_text(document->arena, module->machine), "nearest", module->nearest, "no_ptx",
        module->no_ptx, "has_lines", module->has_lines, "file",
        document_index(place ? document_file(document, place->file) : NONE), "line",
        place ? json_integer(place->line) : json_null(), "registers", (json_int_t)of->registers);
    json_array_append_new(document->kernels, object);
    if (document->listed && !document->listed[kernel])
        return *row;
    json_object_set_new(object, "shared_variables", variables_of(document, of));
    json_object_set_new(object, "declarations",
                        declarations_of(document, of, place ? place->file : NONE));
    json_object_set_new(object, "sites", sites_of(document, of));
    json_object_set_new(object, "ptx", ptx_of(document, of));
    json_object_set_new(object, "sass", sass_of(document, of));
    document_fields(document, object, TABLE_kernel, of);
    json_object_set_new(object, "sass_differs", differs_of(document, kernel));
    return *row;
}
