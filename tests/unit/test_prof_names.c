/* Names: their parts, and short ones of a set, no two of which are alike. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "prof/prof.h"

#include <stdio.h>
#include <string.h>

static void parts(void **state) {
    (void)state;
    Arena *arena = arena_new();
    assert_string_equal(name_function(arena, "void ns::f<int, 4>(int const*)"), "ns::f<int, 4>");
    assert_string_equal(name_function(arena, "a::b(long) const"), "a::b");
    assert_string_equal(name_parameters("float f(int (*)(long))"), "(int (*)(long))");
    assert_string_equal(name_parameters("plain"), "");
    assert_string_equal(name_last("scan<a::b>(int)::tile"), "tile");
    arena_free(arena);
}

enum { MOST = 6 };
typedef struct Set {
    uint32_t width;
    const char *names[MOST], *forms[MOST];
} Set;

static const Set sets[] = {
    {60, {"void ns::scan<0>(int*)", "plain"}, {"scan<0>", "plain"}},
    /* of different scopes, and with different parameters */
    {60, {"a::f(int)", "b::f(int)", "a::g(int)", "a::g(x::y)"}, {"a::f", "b::f", "g(int)", "g(y)"}},
    {60, {"a::f<a::b<c::d>, (e::E)1>(int)"}, {"f<b<d>, (E)1>"}},
    /* where there is no room for all: not what the library wrote, then only what differs */
    {30, {"f<lib::policy<int, long, float, 128>, 4, User>()"}, {"f<…, 4, User>"}},
    {30,
     {"f<lib::policy<int, long>, long, int, 7, 8, 9, 1>()",
      "f<lib::policy<int, long>, long, int, 7, 8, 9, 2>()"},
     {"f<…, long, int, 7, 8, 9, 1>", "f<…, long, int, 7, 8, 9, 2>"}},
    {20,
     {"f<lib::policy<int, long>, long, int, 7, 8, 9, 1>()",
      "f<lib::policy<int, long>, long, int, 7, 8, 9, 2>()"},
     {"f<…, 1>", "f<…, 2>"}},
    {36,
     {"sort<p::P, (s::Order)0, char, long, long, long>()",
      "sort<p::P, (s::Order)0, int, long, long, long>()",
      "sort<p::P, (s::Order)1, short, long, long, long>()"},
     {"sort<…, (Order)0, char, …>", "sort<…, (Order)0, int, …>", "sort<…, (Order)1, short, …>"}},
    {16,
     {"sort<p::P, (s::Order)0, char, long, long, long>()",
      "sort<p::P, (s::Order)0, int, long, long, long>()",
      "sort<p::P, (s::Order)1, short, long, long, long>()"},
     {"sort<…, char, …>", "sort<…, int, …>", "sort<…>"}},
    {26,
     {"k<f::functor<d::ptr<int>, int> >()", "k<f::functor<d::ptr<unsigned long>, int> >()"},
     {"k<functor<ptr<int>, int>>", "k<…>"}},
    /* the name itself is cut; a number */
    {28,
     {"DeviceRadixSortOnesweepKernel<char>()", "DeviceRadixSortOnesweepKernel<long>()"},
     {"DeviceRadix…weepKernel<char>", "DeviceRadix…weepKernel<long>"}},
    {8, {"longername(int)", "longername(int)"}, {"long…ame", "lo…me #2"}},
    {60, {"f(int)", "f(int)", "f(int)"}, {"f", "f #2", "f #3"}},
    /* of several arguments that tell all apart, the shortest */
    {24,
     {"kernelOfThat<Configuration<int>, 10, float, 111>()",
      "kernelOfThat<Configuration<long>, 20, float, 222>()"},
     {"kernelOfThat<…, 10, …>", "kernelOfThat<…, 20, …>"}},
    {0,
     {"void a::f<int>(int)", "void a::f<int>(int)"},
     {"void a::f<int>(int)", "void a::f<int>(int) #2"}},
    {60,
     {"_Z1fPi", "operator<", "f<", ">", "x::(anonymous namespace)::f()"},
     {"_Z1fPi", "operator<", "f<", ">", "f"}},
};

static void short_names(void **state) {
    (void)state;
    bool good = true;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        Arena *arena = arena_new();
        uint32_t count = 0;
        while (count < MOST && sets[i].names[count])
            count++;
        const char **forms = names_short(arena, sets[i].names, count, sets[i].width);
        for (uint32_t n = 0; n < count; n++)
            if (strcmp(forms[n], sets[i].forms[n]) != 0) {
                printf("set %zu: %s: %s, not %s\n", i, sets[i].names[n], forms[n],
                       sets[i].forms[n]);
                good = false;
            }
        arena_free(arena);
    }
    assert_true(good);
}

/* Many of one name, of which every short form is alike. */
static void no_two_are_alike(void **state) {
    (void)state;
    enum { COUNT = 300 };
    for (uint32_t width = 0; width <= 48; width += 12) {
        Arena *arena = arena_new();
        Map *seen = map_new(arena);
        const char *names[COUNT];
        uint64_t there;
        for (uint32_t i = 0; i < COUNT; i++)
            names[i] = arena_printf(arena, "ns::reduceEverything<lib::P<%u>::Q, %u, %u>(int)", i,
                                    i % 10, i / 150);
        const char **forms = names_short(arena, names, COUNT, width);
        for (uint32_t i = 0; i < COUNT; i++) {
            assert_false(map_get(seen, str_of(forms[i]), &there));
            map_put(seen, str_of(forms[i]), 1);
        }
        arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts),
        cmocka_unit_test(short_names),
        cmocka_unit_test(no_two_are_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
