/* The proof of layouts: the kernel runs again with them, its code untouched (exec/access/relayout.c). All memory
 * of the device must hold the same bytes then, and the wavefronts must be as many as promised. */
#include "cli/fix.h"

#include <string.h>

void snapshot_take(Snapshot *to, const Memory *memory) {
    for (uint32_t i = 0; i < memory_count(memory); i++) {
        const MemoryBlock *block = memory_at(memory, i);
        char *copy = arena_alloc(to->arena, block->bytes + 1);
        memcpy(copy, (const void *)(uintptr_t)block->address, block->bytes);
        *vec_add(to->arena, &to->blocks) = (Str){copy, block->bytes};
        to->bytes += block->bytes;
    }
}

uint64_t snapshot_differ(const Snapshot *first, const Memory *memory) {
    uint64_t differ = 0;
    for (uint32_t i = 0; i < first->blocks.count; i++) {
        Str was = first->blocks.at[i];
        if (i >= memory_count(memory) || memory_at(memory, i)->bytes != was.length)
            return first->bytes;
        const char *is = (const char *)(uintptr_t)memory_at(memory, i)->address;
        for (size_t b = 0; b < was.length; b++)
            differ += is[b] != was.at[b];
    }
    return differ;
}

uint64_t fix_wavefronts(const Session *session) {
    const LaunchRecord *record = &session->profile->launches.at[session->result.record];
    const ProfKernel *kernel = &session->profile->kernels.at[record->kernel];
    uint64_t sum = 0;
    for (uint32_t s = 0; s < kernel->site_count; s++)
        sum += record->counters[s].wavefronts;
    return sum;
}

/* Is every execution of every access to shared memory in the evidence? */
static bool is_complete(const Session *session) {
    const Profile *profile = session->profile;
    const LaunchRecord *record = &profile->launches.at[session->result.record];
    const ProfKernel *kernel = &profile->kernels.at[record->kernel];
    uint64_t made = 0, recorded = 0;
    for (uint32_t s = 0; s < kernel->site_count; s++)
        if (profile->sites.at[kernel->first_site + s].space == SITE_SHARED)
            made += record->counters[s].requests;
    for (uint32_t i = 0; i < profile->patterns.count; i++)
        if (profile->sites.at[profile->patterns.at[i].site].space == SITE_SHARED)
            recorded += profile->patterns.at[i].count;
    return made == recorded;
}

/* ---- running ---- */

bool fix_run(Fixing *fixing, Session *session, const Relayout *relayouts, uint32_t count) {
    *session = (Session){.given = fixing->given,
                         .profile = profile_new(),
                         .evidence_period = fixing->period,
                         .relayouts = relayouts,
                         .relayout_count = count};
    return session_run(session, fixing->input, fixing->kernel, fixing->gpu);
}

void fix_end(Session *session) {
    if (session->memory)
        memory_free(session->memory);
    if (session->profile)
        profile_free(session->profile);
}

static void compare(Fixing *fixing, const FixPlan *plan, Proof *proof) {
    const Snapshot *results = &fixing->results;
    proof->complete = is_complete(&fixing->before);
    proof->before = fix_wavefronts(&fixing->before);
    proof->after = fix_wavefronts(&fixing->after);
    proof->promised = proof->before - plan->now + plan->promised;
    proof->bytes = results->bytes;
    proof->differ = snapshot_differ(results, fixing->after.memory);
}

bool fix_prove(Fixing *fixing, const FixPlan *plan, Proof *proof) {
    *proof = (Proof){0};
    fixing->results = (Snapshot){.arena = fixing->given->arena};
    snapshot_take(&fixing->results, fixing->before.memory);
    memory_free(fixing->before.memory);
    fixing->before.memory = NULL;
    if (!fix_run(fixing, &fixing->after, plan->relayouts, plan->relayout_count))
        return false;
    proof->faulted = fixing->after.result.status == LAUNCH_FAULT;
    proof->fault = fixing->after.result.fault.message;
    if (!proof->faulted)
        compare(fixing, plan, proof);
    return true;
}

bool proof_holds(const Proof *proof) {
    return !proof->faulted && proof->differ == 0 &&
           (!proof->complete || proof->after == proof->promised);
}
