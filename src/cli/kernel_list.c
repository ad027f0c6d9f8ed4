/* warplens kernel --print=kernels: the kernels of the files, what each takes, and how it is launched, as JSON. */
#include "cli/kernel_run.h"

#include <jansson.h>
#include <string.h>

/* Names come from PTX, whose bytes need not be UTF-8. */
static json_t *text_of(const char *text) {
    json_t *string = json_string(text);
    return string ? string : json_string("?");
}

static json_t *parameters_of(Arena *arena, const Function *kernel) {
    json_t *list = json_array();
    const char *const *declared = arguments_declared(arena, kernel);
    for (uint32_t i = 0; i < kernel->params.count; i++) {
        const Variable *param = kernel->params.at[i];
        json_t *words = declared[i] ? text_of(declared[i]) : json_null();
        json_array_append_new(list,
                              json_pack("{s:s,s:I,s:o}", "type", type_name(param->type), "bytes",
                                        (json_int_t)param->bytes, "declared", words));
    }
    return list;
}

/* null: any. */
static json_t *block_of(const uint32_t threads[3]) {
    return threads[0] ? json_pack("[iii]", (int)threads[0], (int)threads[1], (int)threads[2])
                      : json_null();
}

static json_t *kernel_of(Options *given, const Inputs *inputs, uint32_t input, const char *symbol) {
    Arena *arena = given->arena;
    Diags *diags = diags_new(arena);
    const Module *module = ptx_parse_kernel(arena, inputs->indexes.at[input], symbol, diags);
    json_t *object =
        json_pack("{s:o,s:o,s:o}", "name", text_of(name_demangled(arena, symbol, true)), "symbol",
                  text_of(symbol), "file", text_of(inputs->list.at[input].name));
    if (module) {
        const Function *kernel = module_function(module, str_of(symbol));
        uint32_t variables = kernel->shared.count;
        bool dynamic = variables && kernel->shared.at[variables - 1]->bytes == 0;
        json_object_update_new(
            object, json_pack("{s:o,s:o,s:o,s:i,s:b}", "parameters", parameters_of(arena, kernel),
                              "block", block_of(kernel->required_threads), "most_threads",
                              block_of(kernel->max_threads), "shared", (int)kernel->shared_bytes,
                              "dynamic_shared", dynamic));
        return object;
    }
    PrintedText printed;
    diags_print(diags, printed_begin(&printed, arena), false);
    json_object_set_new(object, "wrong", text_of(printed_end(&printed)));
    return object;
}

bool kernel_list(Options *given) {
    Chosen chosen;
    if (!(given->kernel ? kernel_choose : kernel_read)(given, &chosen))
        return false;
    json_t *list = json_array();
    for (uint32_t i = 0; i < chosen.inputs.list.count; i++) {
        const PtxInput *input = &chosen.inputs.list.at[i];
        for (uint32_t e = 0; e < input->entry_count; e++) {
            const char *symbol = input->entries[e].name;
            if (!given->kernel || (i == chosen.input && strcmp(symbol, chosen.name) == 0))
                json_array_append_new(list, kernel_of(given, &chosen.inputs, i, symbol));
        }
    }
    json_dumpf(list, stdout, JSON_INDENT(1));
    putchar('\n');
    json_decref(list);
    return true;
}
