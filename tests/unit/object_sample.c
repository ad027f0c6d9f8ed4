/* What test_exec_object.c loads: code, a table, and a call of the C library. */
#include <math.h>

double fused(double a, double b, double c);
int of_table(unsigned number);

static const int table[] = {7, 11, 13, 17, 19, 23, 29, 31, 37, 41};

double fused(double a, double b, double c) {
    return fma(a, b, c);
}

int of_table(unsigned number) {
    return number < 10 ? table[number] : -1;
}
