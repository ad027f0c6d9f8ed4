/* Operations of streams that nothing orders (src/sanitize/streams.c), and what the host must not do yet (visible.c), against the definition:
 * every pair of operations, each with the set of all that come before it. Random traces of a few streams, events, waits of the host and accesses. */
#include "sanitize/state.h"
#include "sanitize/streams.h"

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

/* ---- memory that comes and goes in the order of streams, and the accesses of warps ---- */

enum { BLOCKS = 4, MOVES = 40, COMINGS = 400, PARTS = 2 * WARP_LANES };
/* One lies in three pages, one in more than are ever known of. */
static const uint64_t block_first[BLOCKS] = {4096 * 100 - 64, 4096 * 110, 4096 * 120 + 32,
                                             4096 * 200},
                      block_bytes[BLOCKS] = {4096 * 2, 512, 96, 4096 * 3000};

typedef struct Part {
    uint64_t first, bytes;
    bool writes, gone; /* gone: of memory that is another one now */
} Part;
typedef struct Move {
    Set before;
    Part parts[2 * PARTS];
    uint32_t count;
} Move;
typedef struct Model {
    Move move[MOVES];
    Set stream[STREAMS], host;
    bool there[BLOCKS];
    uint32_t maker[BLOCKS]; /* NONE: it was there before */
} Model;

static bool overlap(uint64_t first, uint64_t bytes, const Part *part) {
    return !part->gone && first < part->first + part->bytes && part->first < first + bytes;
}

/* Nothing orders it with what accessed these bytes, one of the two writing, or with what allocated them. */
static bool is_wrong(const Model *model, uint32_t step, uint32_t block, uint64_t first,
                     uint64_t bytes, bool writes) {
    const Set *before = &model->move[step].before;
    const uint32_t maker = model->maker[block];
    bool wrong = maker != NONE && !before->has[maker];
    for (uint32_t i = 0; i < step && !wrong; i++)
        for (uint32_t p = 0; p < model->move[i].count && !before->has[i]; p++) {
            const Part *part = &model->move[i].parts[p];
            wrong |= (writes || part->writes) && overlap(first, bytes, part);
        }
    return wrong;
}

static void forget(Model *model, uint32_t block) {
    for (uint32_t i = 0; i < MOVES; i++)
        for (uint32_t p = 0; p < model->move[i].count; p++)
            model->move[i].parts[p].gone |=
                overlap(block_first[block], block_bytes[block], &model->move[i].parts[p]);
}

/* A warp's accesses: all lanes in a row, in two, at a distance, at a place for each half, or some lanes anywhere. */
static uint32_t warp_accesses(Streams *streams, uint64_t first, bool writes, uint32_t how,
                              uint32_t *seed, Part parts[PARTS]) {
    enum { WIDTH = 2 };
    static const int64_t strides[] = {WIDTH, WIDTH, 5, 0, -3};
    uint64_t address[WARP_LANES];
    const uint8_t ways = writes ? ACCESS_WRITES : ACCESS_READS;
    const uint32_t lanes = how < 5 ? UINT32_MAX : 1u | draw(seed, 1u << 16) << 3;
    const int64_t stride = how < 5 ? strides[how] : 4;
    Pattern pattern = {
        .halves = true, .base = {first + 48, first + 48}, .stride = {stride, stride}};
    pattern.base[1] += how == 0 ? RUN_LANES * WIDTH : how == 1 ? 40 : 1;
    for (uint32_t l = 0; l < WARP_LANES; l++)
        address[l] = pattern.base[l / RUN_LANES] + (uint64_t)(stride * (int64_t)(l % RUN_LANES));
    if (how < 5) {
        const WatchedRun run = {.by = {.lanes = lanes, .insn = how},
                                .ways = ways,
                                .space = SPACE_GLOBAL,
                                .width = WIDTH,
                                .pattern = &pattern};
        streams_run(streams, &run);
    } else {
        const WatchedAccess access = {.by = {.lanes = lanes, .insn = how},
                                      .ways = ways,
                                      .space = SPACE_GLOBAL,
                                      .width = WIDTH,
                                      .address = address};
        WatchedAccess other = access; /* not of global memory: nothing is looked at */
        other.space = SPACE_SHARED;
        streams_access(streams, &other);
        streams_access(streams, &access);
    }
    uint32_t count = 0;
    for (uint32_t l = 0; l < WARP_LANES; l++)
        if (lanes >> l & 1)
            parts[count++] = (Part){address[l], WIDTH, writes, false};
    return count;
}

/* Whether the step is to be told of. */
static bool access_block(Sanitizer *sanitizer, Model *model, uint32_t step, uint32_t b,
                         uint32_t *seed) {
    Move *move = &model->move[step];
    const uint64_t size = block_bytes[b], last = size - 96;
    const uint64_t at = block_first[b] + (draw(seed, 3) ? draw(seed, 200) % (last + 1) : last);
    const bool writes = draw(seed, 2);
    Part parts[PARTS] = {{at, 1 + draw(seed, 96), writes, false}};
    uint32_t count = 1, how = draw(seed, 9);
    if (size > 256 && how < 6 && at + 256 < block_first[b] + size) {
        count = warp_accesses(sanitizer->streams, at, writes, how, seed, parts);
    } else {
        sanitize_operation_accesses(sanitizer, at, parts->bytes, writes);
    }
    bool wrong = false;
    for (uint32_t p = 0; p < count; p++) {
        wrong |= is_wrong(model, step, b, parts[p].first, parts[p].bytes, writes);
        move->parts[move->count++] = parts[p];
    }
    return wrong;
}

static bool change_block(Sanitizer *sanitizer, Model *model, uint32_t step, uint32_t b) {
    const uint64_t first = block_first[b], bytes = block_bytes[b];
    bool wrong = false;
    if (model->there[b]) {
        wrong = is_wrong(model, step, b, first, bytes, true);
        sanitize_operation_frees(sanitizer, first, bytes);
    } else {
        forget(model, b);
        sanitize_operation_makes(sanitizer, first, bytes);
        model->maker[b] = step;
    }
    model->there[b] = !model->there[b];
    return wrong;
}

static void move(Sanitizer *sanitizer, Model *model, uint32_t step, uint32_t s, Reached *at,
                 const uint32_t *names, uint32_t *seed) {
    Move *move = &model->move[step];
    const uint32_t b = draw(seed, BLOCKS);
    uint32_t count;
    if (at) {
        sanitize_reached_host(sanitizer, at);
        join(&model->stream[s], &model->host);
    }
    Set *reached = at ? &model->stream[s] : &model->host; /* else by the host itself */
    reached->has[step] = true;
    move->before = *reached;
    sanitize_operation_begin(sanitizer, at, &names[step]);
    bool wrong = false;
    if (!model->there[b] || draw(seed, 4) == 0)
        wrong = change_block(sanitizer, model, step, b);
    else
        wrong = access_block(sanitizer, model, step, b, seed);
    const StreamRace *races = sanitize_operation_end(sanitizer, &count);
    assert_int_equal(count > 0, wrong);
    for (uint32_t i = 0; i < count; i++) {
        assert_ptr_equal(races[i].what, &names[step]);
        assert_false(move->before.has[*(const uint32_t *)races[i].other]);
        assert_in_range(races[i].address, block_first[b], block_first[b] + block_bytes[b] - 1);
    }
}

static void coming(uint32_t seed) {
    const SanitizeOptions options = {.checks = 1u << CHECK_races};
    Sanitizer *sanitizer = sanitizer_new(&options);
    Model *model = calloc(1, sizeof *model);
    Reached *at[STREAMS];
    uint32_t line[STREAMS], names[MOVES];
    assert_non_null(model);
    for (uint32_t i = 0; i < STREAMS; i++)
        at[i] = sanitize_reached_new(line[i] = sanitize_line_new(sanitizer));
    for (uint32_t b = 0; b < BLOCKS; b++) {
        model->there[b] = draw(&seed, 2);
        model->maker[b] = NONE;
    }
    for (uint32_t step = 0; step < MOVES; step++) {
        const uint32_t what = draw(&seed, 12), s = draw(&seed, STREAMS), t = draw(&seed, STREAMS);
        names[step] = step;
        if (what < 8) {
            move(sanitizer, model, step, s, what ? at[s] : NULL, names, &seed);
        } else if (what == 8) {
            sanitize_reached_join(at[s], at[t]);
            join(&model->stream[s], &model->stream[t]);
        } else if (what == 9) {
            sanitize_host_reaches(sanitizer, at[s]);
            join(&model->host, &model->stream[s]);
        } else if (
            what ==
            10) { /* another stream, which may get the line of one whose operations are over */
            sanitize_reached_free(at[s]);
            sanitize_line_free(sanitizer, line[s]);
            at[s] = sanitize_reached_new(line[s] = sanitize_line_new(sanitizer));
            model->stream[s] = (Set){0};
        } else { /* memory that comes and goes at once */
            const uint32_t b = draw(&seed, BLOCKS);
            sanitize_operations_forget(sanitizer, block_first[b], block_bytes[b]);
            forget(model, b);
            model->maker[b] = NONE;
        }
    }
    for (uint32_t i = 0; i < STREAMS; i++)
        sanitize_reached_free(at[i]);
    sanitizer_free(sanitizer);
    free(model);
}

static void random_comings(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= COMINGS; seed++)
        coming(seed);
}

/* ---- cases ---- */

typedef struct Two {
    Sanitizer *sanitizer;
    Reached *at[2];
    uint32_t name[2];
} Two;

static Two two_begin(void) {
    const SanitizeOptions options = {.checks = 1u << CHECK_races};
    Two two = {.sanitizer = sanitizer_new(&options)};
    for (uint32_t i = 0; i < 2; i++)
        two.at[i] = sanitize_reached_new(sanitize_line_new(two.sanitizer));
    sanitize_host_reaches(two.sanitizer, two.at[0]); /* the host has a line */
    return two;
}

static void two_end(Two *two) {
    for (uint32_t i = 0; i < 2; i++)
        sanitize_reached_free(two->at[i]);
    sanitizer_free(two->sanitizer);
}

/* More memory than there are buckets for its pages at first; and no more races are told of than there is room for. */
static void much(void **state) {
    (void)state;
    enum { PAGES = 2500, INSNS = 40 };
    Two two = two_begin();
    uint32_t count;
    sanitize_operation_begin(two.sanitizer, two.at[0], &two.name[0]);
    for (uint32_t page = 0; page < PAGES; page++)
        streams_range(two.sanitizer->streams, (uint64_t)page * PAGE * 3, 4, true, page % INSNS);
    sanitize_operation_end(two.sanitizer, &count);
    assert_int_equal(count, 0);
    sanitize_operation_begin(two.sanitizer, two.at[1], &two.name[1]);
    uint32_t sum = 0;
    for (uint32_t page = 0; page < PAGES; page++)
        streams_range(two.sanitizer->streams, (uint64_t)page * PAGE * 3 + 2, 4, false, 7);
    const StreamRace *races = sanitize_operation_end(two.sanitizer, &count);
    assert_int_equal(count, 32);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(races[i].other_writes && !races[i].writes && races[i].insn == 7);
        assert_int_equal(races[i].address, (uint64_t)races[i].other_insn * PAGE * 3 + 2);
        sum += (uint32_t)races[i].count;
    }
    assert_int_equal(sum, PAGES / INSNS * 32 + PAGES % INSNS);
    two_end(&two);
}

static void tell_word(const Two *two, uint64_t place, uint8_t ways, bool strong, Scope scope) {
    const uint64_t address[WARP_LANES] = {place};
    const WatchedAccess access = {.by = {.lanes = 1, .insn = 1},
                                  .ways = ways,
                                  .order = strong ? ORDER_RELEASE : ORDER_WEAK,
                                  .scope = scope,
                                  .space = SPACE_GLOBAL,
                                  .width = 4,
                                  .address = address};
    streams_access(two->sanitizer->streams, &access);
}

/* What sees a flag that another operation has set, by accesses that are strong for the whole GPU, comes behind it. */
static void flags(void **state) {
    (void)state;
    enum { DATA = 64, FLAG = 4096 * 5 };
    for (uint32_t way = 0; way < 3; way++) {
        Two two = two_begin();
        uint32_t count;
        sanitize_operation_begin(two.sanitizer, two.at[0], &two.name[0]);
        tell_word(&two, DATA, ACCESS_WRITES, false, SCOPE_GPU);
        tell_word(&two, FLAG, ACCESS_WRITES, true, way == 2 ? SCOPE_CTA : SCOPE_GPU);
        sanitize_operation_end(two.sanitizer, &count);
        sanitize_operation_begin(two.sanitizer, two.at[1], &two.name[1]);
        if (way != 1)
            tell_word(&two, FLAG, ACCESS_READS, true, SCOPE_GPU);
        tell_word(&two, DATA, ACCESS_READS, false, SCOPE_GPU);
        const StreamRace *races = sanitize_operation_end(two.sanitizer, &count);
        assert_int_equal(count, way != 0);
        if (count) /* the data; the flag, too, where it is not strong enough */
            assert_int_equal(races->count, way);
        two_end(&two);
    }
}

/* A flag that the host can see tells it that the operation may be over, as far as it is; another one does not. */
static void host_flags(void **state) {
    (void)state;
    enum { DATA = 4096 * 3, FLAG = DATA + 256, OTHER = 4096 * 9 };
    for (uint32_t way = 0; way < 4; way++) {
        Two two = two_begin();
        StreamRace race;
        uint32_t count;
        sanitize_visible(two.sanitizer, DATA, 512);
        sanitize_operation_begin(two.sanitizer, two.at[0], &two.name[0]);
        tell_word(&two, DATA, ACCESS_WRITES, false, SCOPE_GPU);
        assert_true(sanitize_host_access(two.sanitizer, DATA, false, &race));
        tell_word(&two, way == 1 ? OTHER : FLAG, way == 2 ? ACCESS_READS : ACCESS_WRITES, true,
                  way == 3 ? SCOPE_GPU : SCOPE_SYS);
        sanitize_operation_end(two.sanitizer, &count);
        assert_int_equal(count, 0);
        assert_int_equal(sanitize_host_access(two.sanitizer, DATA, false, &race), way != 0);
        two_end(&two);
    }
}

/* Nobody runs: a fence tells nothing, memory that is freed or made is nobody's. */
static void nobody(void **state) {
    (void)state;
    Two two = two_begin();
    uint32_t count;
    sanitize_operation_talks(two.sanitizer);
    sanitize_operation_makes(two.sanitizer, 4096, 64);
    sanitize_operation_frees(two.sanitizer, 4096, 64);
    assert_false(streams_busy(two.sanitizer->streams));
    sanitize_operation_end(two.sanitizer, &count);
    assert_int_equal(count, 0);
    sanitize_operation_begin(two.sanitizer, NULL, &two.name[0]);
    assert_true(streams_busy(two.sanitizer->streams));
    assert_false(sanitize_host_reaches(two.sanitizer, two.at[0]));
    sanitize_operation_end(two.sanitizer, &count);
    assert_true(sanitize_host_reaches(two.sanitizer, two.at[0]));
    two_end(&two);
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
                                       cmocka_unit_test(random_comings),
                                       cmocka_unit_test(much),
                                       cmocka_unit_test(flags),
                                       cmocka_unit_test(host_flags),
                                       cmocka_unit_test(nobody),
                                       cmocka_unit_test(launches_of_checks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
