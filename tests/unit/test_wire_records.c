/* What a program records is what `warplens run` gets: every field of every table, equal rows of several
 * programs as one, and of a stream that is cut short or damaged whole launches or nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "sample_rows.h"
#include "wire/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* What a recorder sends of the profile that fill_profile makes. */
typedef struct Stream {
    Recorder *recorder;
    uint8_t bytes[1 << 16];
    size_t size;
} Stream;

static int record(void **state) {
    char folder[] = "/tmp/warplens-wire-XXXXXX";
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    static Stream kept; /* a recorder lives as long as its program */
    Stream *stream = *state = &kept;
    assert_non_null(mkdtemp(folder));
    snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", folder);
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(listener, 1), 0);
    stream->recorder = recorder_new(address.sun_path);
    fill_profile(recorder_profile(stream->recorder));
    const Profile *profile = recorder_profile(stream->recorder);
    for (uint32_t i = 0; i < profile->host_calls.count; i++)
        recorder_call(stream->recorder, &profile->host_calls.at[i]);
    recorder_launch(stream->recorder);
    assert_int_equal(recorder_profile(stream->recorder)->launches.count, 0);
    int from = accept(listener, NULL, NULL);
    ssize_t n;
    while ((n = recv(from, stream->bytes + stream->size, sizeof stream->bytes - stream->size,
                     MSG_DONTWAIT)) > 0)
        stream->size += (size_t)n;
    close(from);
    close(listener);
    unlink(address.sun_path);
    rmdir(folder);
    return 0;
}

static void take_text(void *context, RecordKind kind, const char *text, uint32_t pid) {
    (void)context;
    (void)kind;
    (void)text;
    (void)pid;
}

static bool feed(Profile *profile, const uint8_t *bytes, size_t size) {
    const RecordSink sink = {.profile = profile, .text = take_text};
    RecordReader *reader = record_reader_new(&sink, 1);
    bool good = record_reader_feed(reader, bytes, size);
    record_reader_free(reader);
    return good;
}

/* Also a field that was added just now. Machine code is read by warplens itself, not by the program. */
static void every_field_travels(void **state) {
    Stream *stream = *state;
    Profile *made = profile_new(), *got = profile_new();
    fill_profile(made);
    assert_true(feed(got, stream->bytes, stream->size));
    for (int i = 0; i < TABLES; i++)
        if (i != TABLE_sass_line && i != TABLE_origin) /* warplens's own */
            expect_equal_tables(made, got, (TableId)i);
    profile_free(made);
    profile_free(got);
}

static void equal_rows_are_one(void **state) {
    Stream *stream = *state;
    Profile *got = profile_new();
    for (int program = 0; program < 3; program++)
        assert_true(feed(got, stream->bytes, stream->size));
    assert_int_equal(got->files.count, ROWS_EACH);
    assert_int_equal(got->modules.count, ROWS_EACH);
    assert_int_equal(got->locations.count, ROWS_EACH);
    assert_int_equal(got->kernels.count, ROWS_EACH);
    assert_int_equal(got->kernels.at[0].shared.count, ROWS_EACH);
    assert_int_equal(got->sites.count, ROWS_EACH * ROWS_EACH);
    assert_int_equal(got->launches.count, 3 * ROWS_EACH);
    assert_int_equal(got->launches.at[5].kernel, 1);
    assert_int_equal(got->launches.at[5].launched_by, 5);
    assert_int_equal(got->patterns.at[4].launch, 4);
    assert_int_equal(got->host_calls.count, ROWS_EACH);
    uint64_t calls = recorder_profile(stream->recorder)->host_calls.at[1].calls;
    assert_int_equal(got->host_calls.at[1].calls, 3 * calls);
    profile_free(got);
}

static void whole_launches_or_none(void **state) {
    Stream *stream = *state;
    for (size_t size = 1; size < stream->size; size++) {
        Profile *got = profile_new();
        assert_true(feed(got, stream->bytes, size));
        assert_int_equal(got->launches.count + got->patterns.count, 0);
        profile_free(got);
    }
}

/* Every reference of what was taken leads to a row. */
static void expect_sound(const Profile *profile) {
    for (uint32_t i = 0; i < profile->kernels.count; i++)
        assert_true(profile->kernels.at[i].first_site + profile->kernels.at[i].site_count <=
                    profile->sites.count);
    for (uint32_t i = 0; i < profile->launches.count; i++) {
        assert_true(profile->launches.at[i].kernel < profile->kernels.count);
        assert_non_null(profile->launches.at[i].counters);
    }
    for (uint32_t i = 0; i < profile->patterns.count; i++) {
        assert_true(profile->patterns.at[i].launch < profile->launches.count);
        assert_true(pattern_fits(profile, &profile->patterns.at[i]));
    }
}

static void nothing_is_trusted(void **state) {
    Stream *stream = *state;
    uint32_t refused = 0;
    for (size_t at = 0; at < stream->size; at++)
        for (int bit = 0; bit < 8; bit++) {
            Profile *got = profile_new();
            stream->bytes[at] ^= (uint8_t)(1 << bit);
            bool good = feed(got, stream->bytes, stream->size);
            stream->bytes[at] ^= (uint8_t)(1 << bit);
            refused += !good;
            assert_true(good || got->launches.count == 0);
            expect_sound(got);
            profile_free(got);
        }
    assert_true(refused > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_travels),
        cmocka_unit_test(equal_rows_are_one),
        cmocka_unit_test(whole_launches_or_none),
        cmocka_unit_test(nothing_is_trusted),
    };
    return cmocka_run_group_tests(tests, record, NULL);
}
