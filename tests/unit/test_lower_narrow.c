/* narrow_pieces against the machine code of ptxas 13.0 (sm_80 and sm_90, global and shared memory):
 * for each subset of a vector's elements that is read later, the loads it becomes. */
#include "lower/narrow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct Case {
    uint32_t count, bytes;
    const char *used;  /* element 0 first */
    const char *loads; /* bytes@offset, as in LDG.64 [R2+0x8]: 8@8 */
} Case;

static const Case cases[] = {
    {4, 4, "1000", "4@0"},      {4, 4, "0100", "4@4"},     {4, 4, "1100", "8@0"},
    {4, 4, "0010", "4@8"},      {4, 4, "1010", "4@0 4@8"}, {4, 4, "0110", "4@4 4@8"},
    {4, 4, "1110", "16@0"},     {4, 4, "0001", "4@12"},    {4, 4, "1001", "4@0 4@12"},
    {4, 4, "0101", "4@4 4@12"}, {4, 4, "1101", "16@0"},    {4, 4, "0011", "8@8"},
    {4, 4, "1011", "16@0"},     {4, 4, "0111", "16@0"},    {4, 4, "1111", "16@0"},
    {2, 4, "10", "4@0"},        {2, 4, "01", "4@4"},       {2, 4, "11", "8@0"},
    {2, 8, "10", "8@0"},        {2, 8, "01", "8@8"},       {2, 8, "11", "16@0"},
    {4, 2, "1000", "2@0"},      {4, 2, "0100", "2@2"},     {4, 2, "1100", "4@0"},
    {4, 2, "0010", "2@4"},      {4, 2, "1010", "8@0"},     {4, 2, "0110", "8@0"},
    {4, 2, "1110", "8@0"},      {4, 2, "0001", "2@6"},     {4, 2, "1001", "8@0"},
    {4, 2, "0101", "8@0"},      {4, 2, "1101", "8@0"},     {4, 2, "0011", "4@4"},
    {4, 2, "1011", "8@0"},      {4, 2, "0111", "8@0"},     {4, 2, "1111", "8@0"},
    {4, 1, "0100", "4@0"},      {4, 1, "0011", "4@0"},     {4, 1, "1111", "4@0"},
    {2, 2, "10", "2@0"},        {2, 2, "01", "2@2"},       {2, 2, "11", "4@0"},
    {1, 4, "1", "4@0"},         {1, 4, "0", ""},           {4, 4, "0000", ""},
};

static void test_pieces(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Case *one = &cases[i];
        uint32_t used = 0;
        for (uint32_t e = 0; one->used[e]; e++)
            used |= (uint32_t)(one->used[e] == '1') << e;
        VectorPiece pieces[2];
        char loads[64] = "";
        uint32_t count = narrow_pieces(one->count, one->bytes, used, pieces);
        for (uint32_t p = 0; p < count; p++)
            snprintf(loads + strlen(loads), sizeof loads - strlen(loads), "%s%u@%u", p ? " " : "",
                     pieces[p].count * one->bytes, pieces[p].first * one->bytes);
        assert_string_equal(loads, one->loads);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pieces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
