/* Launches of a session, with what they launch, and proofs: the same bytes, and as many wavefronts as
 * promised. */
#include "session/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define SourceLocation CmockaSourceLocation /* cmocka.h has one of its own */
#include <cmocka.h>

#define PATTERNS TESTS_DIR "/../samples/access_patterns/access_patterns.ptx"
#define CHILDREN TESTS_DIR "/exec/cases/children.ptx"

typedef struct Fixture {
    Arena *arena;
    Diags *diags;
    Inputs *inputs;
    Session *session;
    SessionKernel *kernel;
    Arguments *arguments;
} Fixture;

static Fixture begin(const char *file, const char *wanted, const char *const *texts) {
    Fixture it = {.arena = arena_new()};
    const CompileOptions as_usual = {0};
    const Gpu *gpu = gpu_named(str_of("h100"));
    uint32_t input;
    const char *name;
    it.diags = diags_new(it.arena);
    it.inputs = NEW(it.arena, Inputs);
    assert_true(inputs_read(it.arena, &file, 1, gpu, &as_usual, it.inputs, it.diags));
    assert_true(ptx_select(it.arena, it.inputs->list.at, it.inputs->list.count, wanted, &input,
                           &name, it.diags));
    it.session = session_new(it.arena, gpu, it.inputs, it.diags);
    it.kernel = session_kernel(it.session, input, name, it.diags);
    it.arguments =
        arguments_make(it.arena, it.kernel->function, texts, it.kernel->function->params.count,
                       false, it.session->memory, it.diags);
    assert_non_null(it.arguments);
    return it;
}

static LaunchResult run(Fixture *it, Launch launch) {
    LaunchResult result;
    launch.params = it->arguments->params;
    launch.counting = true;
    assert_true(session_launch(it->session, it->kernel, &launch, &result, it->diags));
    return result;
}

static void end(Fixture *it) {
    session_free(it->session);
    arena_free(it->arena);
}

/* ---- families ---- */

static void children_run_in_their_order(void **state) {
    (void)state;
    static const char *const texts[] = {"u32[64]=0"};
    static const uint32_t expected[] = {13, 10,  100, 11,  110, 20,  200,
                                        21, 210, 30,  300, 31,  310, 99};
    Fixture it = begin(CHILDREN, "order", texts);
    LaunchResult result = run(&it, (Launch){.grid = {3, 1, 1}, .block = {2, 1, 1}});
    const uint32_t *array = memory_host(it.session->memory, it.arguments->list[0].address);
    assert_int_equal(result.status, LAUNCH_DONE);
    assert_int_equal(result.record, 0);
    assert_memory_equal(array, expected, sizeof expected);
    assert_int_equal(it.session->profile->launches.count, 4);
    end(&it);
}

static void a_fault_of_a_child_ends_the_family(void **state) {
    (void)state;
    static const char *const texts[] = {"u32[4]=0"};
    Fixture it = begin(CHILDREN, "atFault", texts);
    LaunchResult result = run(&it, (Launch){.grid = {1, 1, 1}, .block = {1, 1, 1}});
    assert_int_equal(result.record, 0);
    assert_int_equal(result.status, LAUNCH_FAULT);
    assert_int_equal(it.session->profile->launches.at[0].status, LAUNCH_DONE);
    assert_true(strlen(result.fault.message) > 0);
    end(&it);
}

/* ---- memory ---- */

static void snapshots_see_each_byte(void **state) {
    (void)state;
    Arena *arena = arena_new();
    Memory *memory = memory_new();
    char own[64] = "the host's";
    uint64_t at = memory_allocate(memory, 100, "array", 1);
    assert_true(memory_adopt(memory, own, sizeof own, "adopted"));
    char *bytes = memory_host(memory, at);
    Snapshot was = {.arena = arena};
    snapshot_take(&was, memory);
    assert_int_equal(was.bytes, 164);
    assert_int_equal(snapshot_differ(&was, memory), 0);
    bytes[0] = bytes[99] = own[3] = 1;
    assert_int_equal(snapshot_differ(&was, memory), 3);
    memory_allocate(memory, 8, "later", 1); /* comes between the two in the table */
    snapshot_restore(&was, memory);
    assert_int_equal(snapshot_differ(&was, memory), 0);
    assert_string_equal(own, "the host's");
    memory_release(memory, at);
    assert_int_equal(snapshot_differ(&was, memory), was.bytes);
    memory_free(memory);
    arena_free(arena);
}

/* ---- proofs ---- */

static void a_plan_keeps_its_promise(void **state) {
    (void)state;
    static const char *const texts[] = {"f32[32]=iota", "f32[32]"};
    Launch launch = {.grid = {1, 1, 1}, .block = {32, 1, 1}, .evidence_blocks = UINT32_MAX};
    Fixture before = begin(PATTERNS, "ownElement<float, 32>", texts);
    LaunchResult result = run(&before, launch);
    const Profile *profile = before.session->profile;
    const FixScope scope = {.profile = profile, .launches = &result.record, .count = 1};
    FixPlan plan = fix_plan(before.arena, &scope);
    Snapshot was = {.arena = before.arena};
    assert_true(launch_is_complete(profile, result.record, SITE_SHARED));
    assert_int_equal(launch_counters(profile, result.record, SITE_SHARED).wavefronts, 64);
    assert_true(plan.relayout_count == 1 && plan.now == 64 && plan.promised == 2);
    snapshot_take(&was, before.session->memory);
    session_end(before.session);

    Fixture after = begin(PATTERNS, "ownElement<float, 32>", texts);
    launch.relayouts = plan.relayouts;
    launch.relayout_count = plan.relayout_count;
    result = run(&after, launch);
    assert_int_equal(snapshot_differ(&was, after.session->memory), 0);
    assert_int_equal(launch_counters(after.session->profile, result.record, SITE_SHARED).wavefronts,
                     plan.promised);
    end(&after);
    end(&before);
}

static void a_proof_holds_or_not(void **state) {
    (void)state;
    const Proof good = {.before = 64, .promised = 2, .after = 2, .complete = true};
    Proof bad = good;
    assert_true(proof_holds(&good));
    bad.after = 3;
    assert_false(proof_holds(&bad));
    bad.complete = false; /* what was promised is not of all accesses */
    assert_true(proof_holds(&bad));
    bad.differ = 1;
    assert_false(proof_holds(&bad));
    bad = good;
    bad.faulted = true;
    assert_false(proof_holds(&bad));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(children_run_in_their_order),
        cmocka_unit_test(a_fault_of_a_child_ends_the_family),
        cmocka_unit_test(snapshots_see_each_byte),
        cmocka_unit_test(a_plan_keeps_its_promise),
        cmocka_unit_test(a_proof_holds_or_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
