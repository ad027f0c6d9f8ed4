/* The proof of a change: the kernel runs again in a memory of its own, and what came out is
 * compared. */
#include "cli/fix.h"

void fix_keep(FixSession *fixing) {
    fixing->results = (Snapshot){.arena = fixing->given->arena};
    snapshot_take(&fixing->results, fixing->before.session->memory);
    session_end(fixing->before.session);
}

uint64_t fix_cost(const KernelRun *run, SiteSpace space) {
    const Profile *profile = run->session->profile;
    if (space == SITE_SHARED)
        return profile_total(profile, run->result.record, NULL).wavefronts;
    return launch_counters(profile, run->result.record, space).sectors;
}

bool fix_prove_as(FixSession *fixing, const Otherwise *otherwise, SiteSpace space, Proof *proof) {
    KernelRun *after = &fixing->after;
    session_free(after->session);
    if (!kernel_run(fixing->given, &fixing->chosen, otherwise, after))
        return false;
    proof->faulted = after->result.status == LAUNCH_FAULT;
    proof->fault = after->result.fault.message;
    proof->bytes = fixing->results.bytes;
    proof->before = fix_cost(&fixing->before, space);
    proof->after = fix_cost(after, space);
    proof->differ = proof->faulted ? 0 : snapshot_differ(&fixing->results, after->session->memory);
    session_end(after->session);
    return true;
}

bool fix_prove(FixSession *fixing, const FixPlan *plan, Proof *proof) {
    const Otherwise otherwise = {.relayouts = plan->relayouts,
                                 .relayout_count = plan->relayout_count};
    const KernelRun *before = &fixing->before;
    *proof = (Proof){.promised = fix_cost(before, SITE_SHARED) - plan->now + plan->promised,
                     .complete = launch_is_complete(before->session->profile, before->result.record,
                                                    SITE_SHARED)};
    return fix_prove_as(fixing, &otherwise, SITE_SHARED, proof);
}
