/* What a program on a GPU has sent: its launches, their times, and the cubins that they are from. */
#include "probe/run.h"

#include <string.h>

ProbeRun *probe_run_new(Arena *arena) {
    ProbeRun *run = NEW(arena, ProbeRun);
    run->arena = arena;
    return run;
}

ModuleCode *probed_module(const ProbeRun *run, uint64_t hash) {
    for (uint32_t i = 0; i < run->modules.count; i++)
        if (run->modules.at[i].hash == hash)
            return run->modules.at[i].code;
    return NULL;
}

bool probe_run_take(ProbeRun *run, const void *data, size_t size) {
    ProbeMessage message;
    if (!probe_get(run->arena, data, size, &message))
        return false;
    if (message.kind == PROBE_MESSAGE_LAUNCH)
        *vec_add(run->arena, &run->launches) = message.launch;
    else if (message.kind == PROBE_MESSAGE_TIME)
        *vec_add(run->arena, &run->times) = message.time;
    else if (!probed_module(run, message.module.hash))
        *vec_add(run->arena, &run->modules) =
            (ProbedModule){message.module.hash, module_code(message.module.path)};
    return true;
}

void probe_run_free(ProbeRun *run) {
    for (uint32_t i = 0; i < run->modules.count; i++)
        module_code_free(run->modules.at[i].code);
}

static bool is_first(const ProbeRun *run, const ProbeLaunch *launch) {
    for (uint32_t i = 0; i < run->firsts.count; i++) {
        const ProbeLaunch *first = &run->launches.at[run->firsts.at[i]];
        if (first->module == launch->module && strcmp(first->kernel, launch->kernel) == 0)
            return false;
    }
    return true;
}

ProbeProgress probe_run_progress(ProbeRun *run) {
    for (; run->told < run->launches.count; run->told++)
        if (is_first(run, &run->launches.at[run->told]))
            *vec_add(run->arena, &run->firsts) = run->told;
    return (ProbeProgress){run->launches.count, run->firsts.count};
}

double probe_run_seconds(const ProbeRun *run, const char *kernel) {
    double sum = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < run->times.count; i++) {
        if (strcmp(run->times.at[i].kernel, kernel) != 0)
            continue;
        sum += run->times.at[i].seconds;
        count++;
    }
    return count ? sum / count : 0;
}
