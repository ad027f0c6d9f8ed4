/* A session: kernels of some PTX texts, parsed and made ready once each, in one memory of the
 * device. */
#include "session/session.h"

#include <string.h>

Session *session_new(Arena *arena, const Gpu *gpu, const Inputs *inputs, Diags *diags) {
    Session *session = NEW(arena, Session);
    *session = (Session){.arena = arena, .gpu = gpu, .inputs = inputs, .memory = memory_new()};
    if (!session->memory) {
        diags_error(
            diags, "no address space for the device's memory: ulimit -v must leave 1 GiB at least");
        return NULL;
    }
    session->profile = profile_new();
    session->loaded = NEW_ARRAY(arena, LoadedModule *, inputs->list.count + 1);
    return session;
}

void session_end(Session *session) {
    for (SessionKernel *kernel = session->kernels; kernel; kernel = kernel->next)
        prepared_free(kernel->prepared);
    session->kernels = NULL;
    memory_free(session->memory);
    session->memory = NULL;
    sanitizer_free(session->sanitizer);
    session->sanitizer = NULL;
}

void session_free(Session *session) {
    if (!session)
        return;
    session_end(session);
    profile_free(session->profile);
}

/* The kernel's machine code in place of its PTX, where that can be. false: it must be, and diags says why it cannot. */
static bool take_machine_code(const Session *session, SessionKernel *kernel, Diags *diags) {
    const PtxIndex *index = session->inputs->indexes.at[kernel->input];
    const Function *machine =
        machine_kernel(session->arena, index, kernel->function, session->gpu, &kernel->not_machine);
    const bool all = machine_is_all(kernel->function);
    if (machine)
        kernel->function = machine;
    else if (all || session->machine == MACHINE_REQUIRED)
        diags_add(diags, DIAG_ERROR, (Place){0}, "the machine code of %s cannot be executed%s: %s",
                  kernel->function->name, all ? ", and there is no PTX of it" : "",
                  kernel->not_machine);
    return machine || (!all && session->machine != MACHINE_REQUIRED);
}

SessionKernel *session_kernel(Session *session, uint32_t input, const char *name, Diags *diags) {
    for (SessionKernel *known = session->kernels; known; known = known->next)
        if (known->input == input && strcmp(known->function->name, name) == 0)
            return known;
    const Module *module =
        ptx_parse_kernel(session->arena, session->inputs->indexes.at[input], name, diags);
    if (!module)
        return NULL;
    SessionKernel *kernel = NEW(session->arena, SessionKernel);
    *kernel = (SessionKernel){.next = session->kernels,
                              .input = input,
                              .function = module_function(module, str_of(name))};
    if ((machine_is_all(kernel->function) || machine_is_asked(session->machine)) &&
        !take_machine_code(session, kernel, diags))
        return NULL;
    return session->kernels = kernel;
}

/* The variables that all kernels of the input share. */
static const LoadedModule *load(Session *session, uint32_t input, Diags *diags) {
    LoadedModule **loaded = &session->loaded[input];
    if (*loaded)
        return *loaded;
    const Module *variables =
        ptx_parse_variables(session->arena, session->inputs->indexes.at[input], diags);
    if (variables)
        *loaded = module_load(session->arena, variables, session->memory, NULL, diags);
    return *loaded;
}

bool session_block(const SessionKernel *kernel, uint32_t block[3]) {
    const uint32_t *required = kernel->function->required_threads;
    for (uint32_t i = 0; required[0] && i < 3; i++)
        block[i] = required[i] ? required[i] : 1;
    return required[0] > 0;
}

bool session_prepare(Session *session, SessionKernel *kernel, Diags *diags) {
    if (kernel->prepared)
        return true;
    const LoadedModule *loaded = load(session, kernel->input, diags);
    if (loaded)
        kernel->prepared = kernel_prepare(kernel->function, loaded, session->gpu, diags);
    if (kernel->prepared)
        prepared_modelled(kernel->prepared, kernel->not_machine);
    return kernel->prepared;
}

bool session_sanitize(Session *session, const char *names, const char *what, Diags *diags) {
    SanitizeOptions options;
    if (!sanitize_parse(names, what, &options, diags))
        return false;
    sanitizer_free(session->sanitizer);
    session->sanitizer = sanitizer_new(&options);
    return true;
}

/* ---- launching ---- */

typedef struct LaunchContext {
    Session *session;
    SessionKernel *kernel;
    Diags *diags;
} LaunchContext;

static bool run(void *context, const char *name, Launch *launch, LaunchResult *result) {
    const LaunchContext *at = context;
    SessionKernel *kernel =
        name ? session_kernel(at->session, at->kernel->input, name, at->diags) : at->kernel;
    return kernel && session_prepare(at->session, kernel, at->diags) &&
           launch_run(launch, kernel->prepared, at->session->profile, result, at->diags);
}

bool session_launch(Session *session, SessionKernel *kernel, const Launch *launch,
                    LaunchResult *result, Diags *diags) {
    LaunchContext launching = {session, kernel, diags};
    const Family family = {.context = &launching, .run = run};
    Launch first = *launch;
    first.memory = session->memory;
    first.sanitizer = sanitizer_of_launches(session->sanitizer);
    return family_run(&first, &family, result);
}
