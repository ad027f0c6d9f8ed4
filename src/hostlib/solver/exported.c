/* What the files with exported functions share. */
#include "hostlib/solver/exported.h"

bool is_handle(const SolverHandle *handle) {
    return handle && handle->tag == HANDLE_TAG;
}

static char letter(int number, const char *letters, int count) {
    return number >= 0 && number < count ? letters[number] : '\0';
}

char operation(int number) {
    return letter(number, "NTC", 3);
}

char fill(int number) {
    return letter(number, "LU", 2);
}

char side(int number) {
    return letter(number, "LR", 2);
}

char vectors(int number) {
    return letter(number, "NV", 2);
}

char diagonal(int number) {
    return letter(number, "NU", 2);
}

char singular(int job) {
    return job == 'A' || job == 'S' || job == 'O' || job == 'N' ? (char)job : '\0';
}

SolverStatus work_size(const SolverHandle *handle, int *size) {
    if (!is_handle(handle))
        return SOLVER_NOT_INITIALIZED;
    if (!size)
        return SOLVER_INVALID_VALUE;
    *size = 1;
    return SOLVER_SUCCESS;
}
