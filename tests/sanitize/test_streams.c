/* Operations of streams that nothing orders (src/sanitize/streams.c), and what the host must not do yet (visible.c), against the definition:
 * every pair of operations, each with the set of all that come before it. Random traces of a few streams, events, waits of the host and accesses. */
#include "sanitize/sanitize.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { STREAMS = 4, EVENTS = 3, STEPS = 60, TRACES = 3000, MEMORY = 160, BASE = 4096 * 7 - 64 };
enum { SEEN = 24, SEEN_END = 120 }; /* what the host sees, of MEMORY */

/* Sets of operations, by number. */
typedef struct Set {
    bool has[STEPS];
} Set;

typedef struct Slow {
    Set before[STEPS]; /* of each operation, with itself */
    Set stream[STREAMS], event[EVENTS], host;
    bool reads[STEPS][MEMORY], writes[STEPS][MEMORY];
} Slow;

static void join(Set *to, const Set *from) {
    for (uint32_t i = 0; i < STEPS; i++)
        to->has[i] |= from->has[i];
}

static bool meet(const Slow *slow, uint32_t a, uint32_t b) {
    for (uint32_t i = 0; i < MEMORY; i++)
        if ((slow->writes[a][i] && (slow->reads[b][i] || slow->writes[b][i])) ||
            (slow->reads[a][i] && slow->writes[b][i]))
            return true;
    return false;
}

static uint32_t draw(uint32_t *seed, uint32_t most) {
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % most;
}

/* What is told of the operation is right, and something is told where something is wrong. */
static void compare(const Slow *slow, uint32_t step, const StreamRace *races, uint32_t count,
                    const uint32_t *names) {
    bool wrong = false;
    for (uint32_t i = 0; i < step; i++)
        wrong |= meet(slow, step, i) && !slow->before[step].has[i];
    assert_int_equal(count > 0, wrong);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t other = *(const uint32_t *)races[i].other;
        assert_ptr_equal(races[i].what, &names[step]);
        assert_false(slow->before[step].has[other]);
        assert_true(meet(slow, step, other));
        assert_true(races[i].address >= BASE && races[i].address < BASE + MEMORY);
    }
}

/* What the host sees is an allocation of its own, as what it does not see. */
static void tell(Sanitizer *sanitizer, uint32_t first, uint32_t end, bool writes) {
    const uint32_t bounds[] = {0, SEEN, SEEN_END, MEMORY};
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t from = first > bounds[i] ? first : bounds[i],
                       until = end < bounds[i + 1] ? end : bounds[i + 1];
        if (from < until)
            sanitize_operation_accesses(sanitizer, BASE + from, until - from, writes);
    }
}

static void operate(Sanitizer *sanitizer, Slow *slow, uint32_t step, uint32_t s, Reached *at,
                    const uint32_t *names, uint32_t *seed) {
    uint32_t count;
    sanitize_reached_host(sanitizer, at);
    join(&slow->stream[s], &slow->host);
    slow->stream[s].has[step] = true;
    slow->before[step] = slow->stream[s];
    sanitize_operation_begin(sanitizer, at, &names[step]);
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t first = draw(seed, MEMORY), bytes = 1 + draw(seed, 24) % (MEMORY - first);
        const bool writes = draw(seed, 2);
        tell(sanitizer, first, first + bytes, writes);
        memset(&(writes ? slow->writes : slow->reads)[step][first], true, bytes);
    }
    const StreamRace *races = sanitize_operation_end(sanitizer, &count);
    compare(slow, step, races, count, names);
}

/* ---- the host's own accesses ---- */

enum { PAGE = 4096 };

static bool is_pending(const Slow *slow, uint32_t steps, uint32_t byte, bool writes) {
    for (uint32_t i = 0; i < steps; i++)
        if (!slow->host.has[i] && (slow->writes[i][byte] || (writes && slow->reads[i][byte])))
            return true;
    return false;
}

static void compare_byte(const Sanitizer *sanitizer, const Slow *slow, uint32_t steps,
                         uint32_t byte, bool writes) {
    StreamRace race;
    const bool found = sanitize_host_access(sanitizer, BASE + byte, writes, &race);
    assert_int_equal(found, is_pending(slow, steps, byte, writes));
    if (!found)
        return;
    const uint32_t other = *(const uint32_t *)race.other;
    assert_false(slow->host.has[other]);
    assert_true(race.other_writes ? slow->writes[other][byte] : writes && slow->reads[other][byte]);
}

/* Nothing is kept from the host unless all that it sees of the page is. */
static void compare_page(const Sanitizer *sanitizer, const Slow *slow, uint32_t steps,
                         uint64_t page) {
    HostMay may = HOST_MAY_NOTHING;
    for (uint32_t byte = SEEN; byte < SEEN_END; byte++) {
        if ((BASE + byte) / PAGE != page)
            continue;
        if (!is_pending(slow, steps, byte, true))
            may = HOST_MAY_ALL;
        else if (!is_pending(slow, steps, byte, false) && may == HOST_MAY_NOTHING)
            may = HOST_MAY_READ;
    }
    assert_int_equal(sanitize_host_may(sanitizer, page), may);
}

static void compare_host(const Sanitizer *sanitizer, const Slow *slow, uint32_t steps) {
    uint32_t pages;
    bool listed[2] = {false, false};
    for (uint32_t byte = SEEN; byte < SEEN_END; byte++)
        for (uint32_t writes = 0; writes < 2; writes++)
            compare_byte(sanitizer, slow, steps, byte, writes);
    const uint64_t *list = sanitize_visible_pages(sanitizer, &pages);
    for (uint32_t i = 0; i < pages; i++)
        listed[list[i] - BASE / PAGE] = true;
    for (uint32_t i = 0; i < 2; i++) {
        compare_page(sanitizer, slow, steps, BASE / PAGE + i);
        assert_true(listed[i] || sanitize_host_may(sanitizer, BASE / PAGE + i) == HOST_MAY_ALL);
    }
}

static void trace(uint32_t seed) {
    const SanitizeOptions options = {.checks = 1u << CHECK_races};
    Sanitizer *sanitizer = sanitizer_new(&options);
    Slow *slow = calloc(1, sizeof *slow);
    Reached *at[STREAMS], *event[EVENTS];
    uint32_t names[STEPS];
    assert_non_null(slow);
    const uint32_t streams =
        seed % 5 ? STREAMS : 1; /* of one stream only what the host sees is kept */
    for (uint32_t i = 0; i < STREAMS; i++)
        at[i] = sanitize_reached_new(i < streams ? sanitize_line_new(sanitizer) : NONE);
    sanitize_visible(sanitizer, BASE + SEEN, SEEN_END - SEEN);
    for (uint32_t i = 0; i < EVENTS; i++)
        event[i] = sanitize_reached_new(NONE);
    for (uint32_t step = 0; step < STEPS; step++) {
        const uint32_t what = draw(&seed, 8), s = draw(&seed, streams), e = draw(&seed, EVENTS);
        names[step] = step;
        if (what < 4)
            operate(sanitizer, slow, step, s, at[s], names, &seed);
        else if (what == 4) {
            sanitize_reached_free(event[e]);
            event[e] = sanitize_reached_new(NONE);
            sanitize_reached_join(event[e], at[s]);
            slow->event[e] = slow->stream[s];
        } else if (what == 5) {
            sanitize_reached_join(at[s], event[e]);
            join(&slow->stream[s], &slow->event[e]);
        } else if (what == 6) {
            sanitize_host_reaches(sanitizer, at[s]);
            join(&slow->host, &slow->stream[s]);
        } else if (draw(&seed, 4) == 0)
            for (uint32_t i = 0; i < streams; i++) { /* then all is forgotten */
                sanitize_host_reaches(sanitizer, at[i]);
                join(&slow->host, &slow->stream[i]);
            }
        compare_host(sanitizer, slow, step + 1);
    }
    for (uint32_t i = 0; i < STREAMS; i++)
        sanitize_reached_free(at[i]);
    for (uint32_t i = 0; i < EVENTS; i++)
        sanitize_reached_free(event[i]);
    sanitizer_free(sanitizer);
    free(slow);
}

static void random_traces(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= TRACES; seed++)
        trace(seed);
}

/* Checks of calls alone leave launches as fast as they are. */
static void launches_of_checks(void **state) {
    (void)state;
    for (uint32_t check = 0; check < CHECKS; check++) {
        const SanitizeOptions options = {.checks = 1u << check};
        Sanitizer *sanitizer = sanitizer_new(&options);
        const bool calls = check == CHECK_leaks || check == CHECK_api;
        assert_ptr_equal(sanitizer_of_launches(sanitizer), calls ? NULL : sanitizer);
        sanitizer_free(sanitizer);
    }
    assert_null(sanitizer_of_launches(NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_traces),
                                       cmocka_unit_test(launches_of_checks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
