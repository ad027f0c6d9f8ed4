/* The machine code of what was counted, by nvdisasm: one question for each module, several at once. PyTorch's modules take seconds
 * each, so whoever waits is told how far it is, and may stop it. */
#include "probe/run.h"

#include <pthread.h>
#include <string.h>

typedef struct Listing {
    const char *nvdisasm;
    const ListingWatch *watch;
    VEC(ModuleCode *) modules; /* to be asked for */
    pthread_mutex_t lock;
    uint32_t next, done;
} Listing;

static void want_all(const ProbeRun *run) {
    for (uint32_t i = 0; i < run->launches.count; i++) {
        const ProbeLaunch *launch = &run->launches.at[i];
        ModuleCode *module = probed_module(run, launch->module);
        uint32_t last = NONE;
        if (!module)
            continue;
        module_want(module, launch->kernel);
        for (uint32_t k = 0; k < launch->slots.count; k++) {
            uint32_t function = launch->slots.at[k].function;
            if (function != NONE && function != last)
                module_want(module, launch->functions.at[function]);
            last = function;
        }
    }
}

uint32_t probe_run_recall(ProbeRun *run, Diags *diags) {
    const char *nvdisasm = toolchain_find(run->arena, "nvdisasm");
    uint32_t unknown = 0;
    if (!nvdisasm && run->launches.count)
        diags_add(diags, DIAG_NOTE, (Place){0},
                  "machine code and lines left out: there is no nvdisasm on PATH or under "
                  "CUDA_HOME");
    if (!nvdisasm)
        return 0;
    want_all(run);
    for (uint32_t i = 0; i < run->modules.count; i++)
        unknown += !module_recall(run->modules.at[i].code, nvdisasm);
    return unknown;
}

static ModuleCode *take(Listing *listing) {
    ModuleCode *module = NULL;
    pthread_mutex_lock(&listing->lock);
    if (listing->next < listing->modules.count && !*listing->watch->stop)
        module = listing->modules.at[listing->next++];
    pthread_mutex_unlock(&listing->lock);
    return module;
}

static void tell(Listing *listing, uint32_t more) {
    const ListingWatch *watch = listing->watch;
    pthread_mutex_lock(&listing->lock);
    listing->done += more;
    if (watch->progress && !*watch->stop)
        watch->progress(watch->context, listing->done, listing->modules.count);
    pthread_mutex_unlock(&listing->lock);
}

static void work(void *context, uint32_t worker) {
    (void)worker;
    Listing *listing = context;
    for (ModuleCode *module; (module = take(listing));) {
        module_list(module, listing->nvdisasm, listing->watch->stop);
        tell(listing, 1);
    }
}

/* Each note once: many modules may be refused for one reason. */
static void add_notes(const Listing *listing, Diags *diags) {
    for (uint32_t i = 0; i < listing->modules.count; i++) {
        const Diags *own = listing->modules.at[i]->diags;
        bool said = own->list.count == 0;
        for (uint32_t k = 0; !said && k < diags->list.count; k++)
            said = strcmp(diags->list.at[k].message, own->list.at[0].message) == 0;
        if (!said)
            diags_add(diags, DIAG_NOTE, (Place){0}, "%s", own->list.at[0].message);
    }
}

uint32_t probe_run_list(ProbeRun *run, const ListingWatch *watch, Diags *diags) {
    enum { AT_ONCE = 8 }; /* nvdisasm takes memory by the size of the module */
    Listing listing = {.nvdisasm = toolchain_find(run->arena, "nvdisasm"), .watch = watch};
    uint32_t workers = workers_default(), left = 0;
    pthread_mutex_init(&listing.lock, NULL);
    for (uint32_t i = 0; listing.nvdisasm && i < run->modules.count; i++) {
        ModuleCode *module = run->modules.at[i].code;
        if (module->symbols.count && !module->listed)
            *vec_add(run->arena, &listing.modules) = module;
    }
    tell(&listing, 0);
    workers = workers < AT_ONCE ? workers : AT_ONCE;
    workers_run(workers < listing.modules.count ? workers : listing.modules.count, work, &listing);
    pthread_mutex_destroy(&listing.lock);
    add_notes(&listing, diags);
    for (uint32_t i = 0; i < listing.modules.count && *watch->stop; i++)
        left += !listing.modules.at[i]->listed;
    return left;
}
