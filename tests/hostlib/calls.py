"""What the functions of CUDA's host libraries answer: each is called as it should be, then with one argument wrong at a time, and must give the
status that its manual has for that; what is set and described is asked for again; results are those of sums done here.

    calls.py WARPLENS LIBRARY       LIBRARY: libwarplens-host.so, which stands in for all of them"""

import ctypes
import ctypes.util
import os
import subprocess
import sys
from ctypes import byref, c_char_p, c_double, c_float, c_int, c_int64, c_longlong, c_size_t, c_uint, c_void_p

NULL = None
library = driver = None
calls = 0


def argument(value):
    """As the ABI passes it: whole numbers and pointers alike."""
    if isinstance(value, float):
        return c_double(value)
    return value if isinstance(value, (ctypes._SimpleCData, ctypes.Array, ctypes.Structure)) or type(value).__name__ == "CArgObject" else c_longlong(value or 0)


def call(name, *arguments):
    global calls
    calls += 1
    return getattr(library, name)(*map(argument, arguments))


def check(name, good, *wrong, status=0):
    """wrong: (place, value, status), each in the place of what is good; last the call as it should be."""
    for place, value, expected in wrong:
        given = [*good[:place], value, *good[place + 1 :]]
        got = call(name, *given)
        assert got == expected, f"{name}, argument {place + 1} wrong ({value}): {got}, not {expected}"
    got = call(name, *good)
    assert got == status, f"{name}: {got}, not {status}"


def nulls(places, status):
    return [(place, NULL, status) for place in places]


def made(name, *arguments):
    """The object that a function makes, into its first argument."""
    place = c_void_p()
    check(name, (byref(place), *arguments))
    return place


def on_device(text, values):
    """An array in memory of the device, which the host can read, too; text: its type as ctypes has it."""
    array = text * max(len(values), 1)
    place = c_longlong()
    assert driver.cuMemAlloc_v2(byref(place), c_size_t(ctypes.sizeof(array))) == 0
    array = array.from_address(place.value)
    array[: len(values)] = values
    return array


def at(array):
    return ctypes.addressof(array)


def name_of(name, status):
    function = getattr(library, name)
    function.restype = c_char_p
    return function(status).decode()


def versions(prefix, wrong, parts, number, nowhere=None):
    """The version in one number, and in three."""
    value = c_int()
    check(f"{prefix}GetVersion", (byref(value),), (0, NULL, wrong if nowhere is None else nowhere))
    assert value.value == number, (prefix, value.value)
    for which, part in enumerate(parts):
        check(f"{prefix}GetProperty", (which, byref(value)), (0, -1, wrong), (0, 3, wrong), (1, NULL, wrong))
        assert value.value == part, (prefix, which, value.value)


# ---- cuSPARSE ----

SPARSE_NOT_INITIALIZED, SPARSE_INVALID, SPARSE_NOT_SUPPORTED = 1, 3, 10
R_32, R_64, R_16, C_32, C_64 = 0, 1, 2, 4, 5
INDEX_32, INDEX_64 = 2, 3
CSR, CSC, COO, BLOCKED, BSR, SLICED = 1, 2, 3, 5, 6, 7
ROWS, COLUMNS, COUNT = 3, 4, 5
OFFSETS, PLACES, VALUES = [0, 2, 3, 5], [0, 3, 1, 0, 2], [1.0, 2.0, 3.0, 4.0, 5.0]
DENSE = [[1, 0, 0, 2], [0, 3, 0, 0], [4, 0, 5, 0]]


def sparse_handle():
    handle, stream, mode, version = made("cusparseCreate"), c_void_p(1), c_int(7), c_int()
    check("cusparseCreate", (byref(c_void_p()),), (0, NULL, SPARSE_INVALID))
    gone = made("cusparseCreate")
    check("cusparseDestroy", (gone,))
    for name, value in (("Stream", stream), ("PointerMode", mode)):
        check(f"cusparseGet{name}", (handle, byref(value)), (0, NULL, SPARSE_NOT_INITIALIZED), (1, NULL, SPARSE_INVALID))
        check(f"cusparseSet{name}", (handle, 0), (0, NULL, SPARSE_NOT_INITIALIZED))
    assert stream.value is None and mode.value == 0
    check("cusparseGetVersion", (handle, byref(version)), (0, NULL, SPARSE_NOT_INITIALIZED), (1, NULL, SPARSE_INVALID))
    assert version.value == 12603
    check("cusparseDestroy", (NULL,))
    for status, name, text in ((0, "SUCCESS", "success"), (1, "NOT_INITIALIZED", "initialization error"), (2, "ALLOC_FAILED", "out of memory"),
                               (3, "INVALID_VALUE", "invalid value"), (6, "EXECUTION_FAILED", "execution failed"), (9, "ZERO_PIVOT", "zero pivot"),
                               (10, "NOT_SUPPORTED", "operation not supported")):  # fmt: skip
        assert (name_of("cusparseGetErrorName", status), name_of("cusparseGetErrorString", status)) == (f"CUSPARSE_STATUS_{name}", text), status
    assert name_of("cusparseGetErrorName", 77) == name_of("cusparseGetErrorString", 77) == "unrecognized error code"
    return handle


def sizes_wrong(first):
    """Rows, columns and elements from that argument on: less than none, more than there is room for, none of a matrix without rows."""
    return [(first, -1, SPARSE_INVALID), (first + 1, -1, SPARSE_INVALID), (first + 2, -1, SPARSE_INVALID), (first + 2, ROWS * COLUMNS + 1, SPARSE_INVALID),
            (first, 0, SPARSE_INVALID), (first + 1, 0, SPARSE_INVALID)]  # fmt: skip


def types_wrong(index, base, value):
    return [(index, 1, SPARSE_INVALID), (base, -1, SPARSE_INVALID), (base, 2, SPARSE_INVALID), (value, 3, SPARSE_NOT_SUPPORTED), (value, 99, SPARSE_NOT_SUPPORTED)]


def sparse_matrices(o, p, v):
    """One of each format, made by each function that makes it."""
    matrix, huge = c_void_p(), 1 << 62
    compressed = (byref(matrix), ROWS, COLUMNS, COUNT, o, p, v, INDEX_32, INDEX_32, 0, R_32)
    wrong = [(0, NULL, SPARSE_INVALID), *sizes_wrong(1), *types_wrong(7, 9, 10), (8, 9, SPARSE_INVALID), (8, INDEX_64, SPARSE_NOT_SUPPORTED)]
    found = {}
    for name in ("Csr", "ConstCsr", "Csc"):
        check(f"cusparseCreate{name}", compressed, *wrong)
        found[name] = c_void_p(matrix.value)
    check("cusparseCreateCoo", (byref(matrix), ROWS, COLUMNS, COUNT, p, p, v, INDEX_32, 0, R_64), (0, NULL, SPARSE_INVALID), *sizes_wrong(1), *types_wrong(7, 8, 9))
    found["Coo"] = c_void_p(matrix.value)
    check("cusparseCreateBsr", (byref(matrix), 2, 2, 2, 2, 3, o, p, v, INDEX_32, INDEX_32, 0, R_32, 2), (0, NULL, SPARSE_INVALID), (4, 0, SPARSE_INVALID),
          (5, 0, SPARSE_INVALID), (13, 0, SPARSE_INVALID), (13, 3, SPARSE_INVALID), (1, -1, SPARSE_INVALID), (3, 5, SPARSE_INVALID), (1, huge, SPARSE_INVALID),
          (2, huge, SPARSE_INVALID), (3, huge, SPARSE_INVALID), (13, 1, 0), *types_wrong(9, 11, 12))  # fmt: skip
    found["Bsr"] = c_void_p(matrix.value)
    for place in (1, 2, 3):  # which four times over would be few again
        given = [byref(matrix), 2, 2, 2, 4, 4, o, p, v, INDEX_32, INDEX_32, 0, R_32, 2]
        given[place] = (1 << 60 if place == 3 else huge) + 1
        assert call("cusparseCreateBsr", *given) == SPARSE_INVALID, place
    assert call("cusparseCreateBsr", byref(matrix), 1, 1, -1, huge, 4, o, p, v, INDEX_32, INDEX_32, 0, R_32, 2) == SPARSE_INVALID
    check("cusparseCreateSlicedEll", (byref(matrix), ROWS, COLUMNS, COUNT, 8, 2, o, p, v, INDEX_32, INDEX_32, 0, R_32), (0, NULL, SPARSE_INVALID),
          (5, 0, SPARSE_INVALID), (3, -1, SPARSE_INVALID), (4, 4, SPARSE_INVALID), (1, -1, SPARSE_INVALID), *types_wrong(9, 11, 12))  # fmt: skip
    found["SlicedEll"] = c_void_p(matrix.value)
    check("cusparseCreateBlockedEll", (byref(matrix), 4, 4, 2, 2, p, v, INDEX_32, 0, R_32), (0, NULL, SPARSE_INVALID), (1, -1, SPARSE_INVALID), (1, 3, SPARSE_INVALID),
          (2, 3, SPARSE_INVALID), (3, 0, SPARSE_INVALID), (4, -1, SPARSE_INVALID), (4, 1, SPARSE_INVALID), (4, 6, SPARSE_INVALID), (1, huge, SPARSE_INVALID),
          *types_wrong(7, 8, 9))  # fmt: skip
    found["BlockedEll"] = c_void_p(matrix.value)
    call("cusparseCreateCsr", byref(matrix), 0, 4, 0, o, p, v, INDEX_64, INDEX_64, 1, C_64)
    found["empty"] = c_void_p(matrix.value)
    return found


def sparse_described(matrices, o, p, v):
    """What a matrix tells is what it was made of."""
    rows, columns, count, values = c_int64(), c_int64(), c_int64(), [c_longlong() for _ in range(3)]
    index, place, base, type = c_int(), c_int(), c_int(), c_int()
    asked = (byref(rows), byref(columns), byref(count), *map(byref, values), byref(index), byref(place), byref(base), byref(type))
    for name, own, other in (("Csr", "Csr", "Csc"), ("ConstCsr", "ConstCsr", "Coo"), ("Csc", "Csc", "Csr"), ("ConstCsc", "Csc", "Coo")):
        check(f"cusparse{name}Get", (matrices[own], *asked), *nulls(range(11), SPARSE_INVALID), (0, matrices[other], SPARSE_INVALID))
        assert (rows.value, columns.value, count.value, [x.value for x in values]) == (ROWS, COLUMNS, COUNT, [at(o), at(p), at(v)]), name
        assert (index.value, place.value, base.value, type.value) == (INDEX_32, INDEX_32, 0, R_32)
    check("cusparseCooGet", (matrices["Coo"], *asked[:6], *asked[7:]), *nulls(range(10), SPARSE_INVALID), (0, matrices["Csr"], SPARSE_INVALID))
    assert (type.value, values[0].value) == (R_64, at(p))
    number = c_int()
    for name, format in (("Csr", CSR), ("Csc", CSC), ("Coo", COO), ("BlockedEll", BLOCKED), ("Bsr", BSR), ("SlicedEll", SLICED)):
        check("cusparseSpMatGetFormat", (matrices[name], byref(number)), *nulls((0, 1), SPARSE_INVALID))
        assert number.value == format, name
    check("cusparseSpMatGetIndexBase", (matrices["empty"], byref(number)), *nulls((0, 1), SPARSE_INVALID))
    assert number.value == 1
    for name, size in (("Csr", (ROWS, COLUMNS, COUNT)), ("SlicedEll", (ROWS, COLUMNS, COUNT)), ("Bsr", (4, 6, 12)), ("BlockedEll", (4, 4, 8))):
        check("cusparseSpMatGetSize", (matrices[name], *asked[:3]), *nulls(range(4), SPARSE_INVALID))
        assert (rows.value, columns.value, count.value) == size, (name, count.value)
    told = c_longlong()
    check("cusparseSpMatGetValues", (matrices["Csr"], byref(told)), *nulls((0, 1), SPARSE_INVALID))
    assert told.value == at(v)
    check("cusparseSpMatSetValues", (matrices["Csr"], p), (0, NULL, SPARSE_INVALID))
    call("cusparseSpMatGetValues", matrices["Csr"], byref(told))
    assert told.value == at(p)
    call("cusparseSpMatSetValues", matrices["Csr"], v)
    for name in ("Csr", "Csc", "Coo"):
        check(f"cusparse{name}SetPointers", (matrices[name], o if name != "Coo" else p, p, v), (0, NULL, SPARSE_INVALID))
    one, size = c_int(1), ctypes.sizeof(c_int)
    for which in (0, 1):
        check("cusparseSpMatSetAttribute", (matrices["Coo"], which, byref(one), size), *nulls((0, 2), SPARSE_INVALID), (3, 8, SPARSE_INVALID), (1, -1, SPARSE_INVALID),
              (1, 2, SPARSE_INVALID), (2, byref(c_int(2)), SPARSE_INVALID), (2, byref(c_int(-1)), SPARSE_INVALID))  # fmt: skip
    check("cusparseSpMatGetStridedBatch", (matrices["Csr"], byref(number)), *nulls((0, 1), SPARSE_INVALID))
    assert number.value == 1
    check("cusparseCsrSetStridedBatch", (matrices["ConstCsr"], 3, 4, 5), (0, NULL, SPARSE_INVALID), (0, matrices["Coo"], SPARSE_INVALID), (1, 0, SPARSE_INVALID),
          (2, -1, SPARSE_INVALID), (3, -1, SPARSE_INVALID))  # fmt: skip
    check("cusparseCooSetStridedBatch", (matrices["Coo"], 2, 5), (0, NULL, SPARSE_INVALID), (0, matrices["Csr"], SPARSE_INVALID), (1, 0, SPARSE_INVALID), (2, -1, SPARSE_INVALID))
    for name, batch in (("ConstCsr", 3), ("Coo", 2)):
        call("cusparseSpMatGetStridedBatch", matrices[name], byref(number))
        assert number.value == batch


def dense_described(v):
    """Dense matrices, dense and sparse vectors."""
    matrix, number, long, lead, place = c_void_p(), c_int(), c_int64(), c_int64(), c_longlong()
    rows, type, order = c_int64(), c_int(), c_int()
    for name in ("CreateDnMat", "CreateConstDnMat"):
        check(f"cusparse{name}", (byref(matrix), 3, 4, 5, v, R_32, 1), (0, NULL, SPARSE_INVALID), (1, -1, SPARSE_INVALID), (2, -1, SPARSE_INVALID), (3, 2, SPARSE_INVALID),
              (6, 0, SPARSE_INVALID), (6, 3, SPARSE_INVALID), (5, 3, SPARSE_NOT_SUPPORTED), (6, 2, 0))  # fmt: skip
        check("cusparseDnMatGet", (matrix, byref(rows), byref(long), byref(lead), byref(place), byref(type), byref(order)), *nulls(range(7), SPARSE_INVALID))
        assert (rows.value, long.value, lead.value, place.value, type.value, order.value) == (3, 4, 5, at(v), R_32, 1)
        check("cusparseDnMatGetStridedBatch", (matrix, byref(number), byref(long)), *nulls(range(3), SPARSE_INVALID))
        assert (number.value, long.value) == (1, 0)
        check("cusparseDnMatSetStridedBatch", (matrix, 2, 20), (0, NULL, SPARSE_INVALID), (1, 0, SPARSE_INVALID), (2, -1, SPARSE_INVALID))
        call("cusparseDnMatGetStridedBatch", matrix, byref(number), byref(long))
        assert (number.value, long.value) == (2, 20)
        for value in (8, at(v)):
            check("cusparseDnMatSetValues", (matrix, value), (0, NULL, SPARSE_INVALID))
            check("cusparseDnMatGetValues", (matrix, byref(place)), *nulls((0, 1), SPARSE_INVALID))
            assert place.value == value
        check("cusparseDestroyDnMat", (matrix,))
    for name in ("CreateDnVec", "CreateConstDnVec"):
        check(f"cusparse{name}", (byref(matrix), 5, v, R_32), (0, NULL, SPARSE_INVALID), (1, -1, SPARSE_INVALID), (3, 3, SPARSE_NOT_SUPPORTED))
        check("cusparseDnVecGet", (matrix, byref(rows), byref(place), byref(type)), *nulls(range(4), SPARSE_INVALID))
        assert (rows.value, place.value, type.value) == (5, at(v), R_32)
        check("cusparseDnVecSetValues", (matrix, 8), (0, NULL, SPARSE_INVALID))
        check("cusparseDnVecGetValues", (matrix, byref(place)), *nulls((0, 1), SPARSE_INVALID))
        assert place.value == 8
        check("cusparseDestroyDnVec", (matrix,))
    check("cusparseCreateSpVec", (byref(matrix), 8, 3, v, v, INDEX_64, 1, C_32), (0, NULL, SPARSE_INVALID), (1, -1, SPARSE_INVALID), (2, -1, SPARSE_INVALID),
          (2, 9, SPARSE_INVALID), *types_wrong(5, 6, 7))  # fmt: skip
    index, base = c_int(), c_int()
    check("cusparseSpVecGet", (matrix, byref(rows), byref(long), byref(place), byref(c_longlong()), byref(index), byref(base), byref(type)),
          *nulls(range(8), SPARSE_INVALID))  # fmt: skip
    assert (rows.value, long.value, index.value, base.value, type.value) == (8, 3, INDEX_64, 1, C_32)
    check("cusparseSpVecGetIndexBase", (matrix, byref(base)), *nulls((0, 1), SPARSE_INVALID))
    check("cusparseSpVecSetValues", (matrix, 16), (0, NULL, SPARSE_INVALID))
    check("cusparseSpVecGetValues", (matrix, byref(place)), *nulls((0, 1), SPARSE_INVALID))
    assert place.value == 16
    check("cusparseDestroySpVec", (matrix,))


FLOATS = {R_32: c_float, R_64: c_double}


def sparse_vectors(handle):
    """y[i] with sums done here; an index that is beyond the dense vector is left out."""
    for type, number in FLOATS.items():
        for index_type, whole in ((INDEX_32, c_int), (INDEX_64, c_int64)):
            for base in (0, 1):
                indices, x = on_device(whole, [base + i for i in (3, 0, 5, 9)]), on_device(number, [10, 20, 30, 40])
                y = on_device(number, [1, 2, 3, 4, 5, 6])
                sparse = made("cusparseCreateSpVec", 6, 4, indices, x, index_type, base, type)
                dense, short, other = made("cusparseCreateDnVec", 6, y, type), made("cusparseCreateDnVec", 5, y, type), made("cusparseCreateDnVec", 6, y, 5 - type)
                wrong = lambda h, s, d: [(h, NULL, SPARSE_INVALID), (s, NULL, SPARSE_INVALID), (d, NULL, SPARSE_INVALID), (d, short, SPARSE_INVALID), (d, other, SPARSE_INVALID)]
                alpha, beta = number(2), number(3)
                check("cusparseAxpby", (handle, byref(alpha), sparse, byref(beta), dense), *wrong(0, 2, 4), *nulls((1, 3), SPARSE_INVALID))
                assert list(y) == [3 + 40, 6, 9, 12 + 20, 15, 18 + 60]
                check("cusparseGather", (handle, dense, sparse), *wrong(0, 2, 1))
                assert list(x) == [32, 43, 78, 40]
                x[0], x[2] = 7, 8
                check("cusparseScatter", (handle, sparse, dense), *wrong(0, 1, 2))
                assert list(y) == [43, 6, 9, 7, 15, 8]
                cosine, sine = number(0), number(1)
                check("cusparseRot", (handle, byref(cosine), byref(sine), sparse, dense), *wrong(0, 3, 4), *nulls((1, 2), SPARSE_INVALID))
                assert (list(x), list(y)) == ([7, 43, 8, 40], [-43, 6, 9, -7, 15, -8])
                size, sum = c_size_t(), number()
                check("cusparseSpVV_bufferSize", (handle, 0, sparse, dense, byref(sum), type, byref(size)), *wrong(0, 2, 3), (6, NULL, SPARSE_INVALID))
                check("cusparseSpVV", (handle, 0, sparse, dense, byref(sum), type, x), *wrong(0, 2, 3), *nulls((4, 6), SPARSE_INVALID), (1, 3, SPARSE_INVALID),
                      (5, 5 - type, SPARSE_NOT_SUPPORTED))  # fmt: skip
                assert sum.value == -7 * 7 + 43 * -43 + 8 * -8
                result = on_device(number, [0])
                call("cusparseSetPointerMode", handle, 1)
                check("cusparseSpVV", (handle, 0, sparse, dense, result, type, x))
                call("cusparseSetPointerMode", handle, 0)
                assert result[0] == sum.value


def sparse_products(handle, o, p, v):
    """C = alpha A B + beta C with each operation; scalars on the host and on the device."""
    area = on_device(c_double, [0] * 8)
    matrix = made("cusparseCreateCsr", ROWS, COLUMNS, COUNT, o, p, v, INDEX_32, INDEX_32, 0, R_32)
    for op in (0, 1, 2):
        inner, outer = (ROWS, COLUMNS) if op else (COLUMNS, ROWS)
        b, c = on_device(c_float, range(1, 2 * inner + 1)), on_device(c_float, [1] * (2 * outer))
        alpha, beta, size = on_device(c_float, [2]), on_device(c_float, [3]), c_size_t()
        x, y = made("cusparseCreateDnVec", inner, b, R_32), made("cusparseCreateDnVec", outer, c, R_32)
        left, right = made("cusparseCreateDnMat", inner, 2, inner, b, R_32, 1), made("cusparseCreateDnMat", outer, 2, outer, c, R_32, 1)
        wide, bad = made("cusparseCreateDnMat", outer, 2, outer, c, R_64, 1), made("cusparseCreateDnVec", 9, b, R_32)
        cells = lambda column: [3 + 2 * sum((DENSE[k][i] if op else DENSE[i][k]) * b[column * inner + k] for k in range(inner)) for i in range(outer)]
        vector = (handle, op, byref(c_float(2)), matrix, x, byref(c_float(3)), y, R_32, 0)
        wrong = [*nulls((3, 4, 6), SPARSE_INVALID), (1, 3, SPARSE_INVALID), (1, -1, SPARSE_INVALID), (4, bad, SPARSE_INVALID), (6, bad, SPARSE_INVALID),
                 (7, R_64, SPARSE_NOT_SUPPORTED)]  # fmt: skip
        check("cusparseSpMV_bufferSize", (*vector, byref(size)), *wrong, (0, NULL, SPARSE_INVALID), (8, -1, SPARSE_INVALID), (8, 5, SPARSE_INVALID), (9, NULL, SPARSE_INVALID))
        check("cusparseSpMV_preprocess", (*vector, area), *wrong, *nulls((0, 9), SPARSE_INVALID))
        check("cusparseSpMV", (*vector, area), *wrong, *nulls((0, 2, 5, 9), SPARSE_INVALID))
        assert list(c)[:outer] == cells(0), (op, list(c), cells(0))
        c[:] = [1] * (2 * outer)
        call("cusparseSetPointerMode", handle, 1)
        product = (handle, op, 0, alpha, matrix, left, beta, right, R_32, 0)
        wrong = [*nulls((4, 5, 7), SPARSE_INVALID), (1, 3, SPARSE_INVALID), (2, 3, SPARSE_INVALID), (5, bad, SPARSE_INVALID), (7, bad, SPARSE_INVALID),
                 (7, wide, SPARSE_NOT_SUPPORTED), (2, 1, SPARSE_INVALID)]  # fmt: skip
        check("cusparseSpMM_bufferSize", (*product, byref(size)), *wrong, *nulls((0, 10), SPARSE_INVALID), (9, -1, SPARSE_INVALID), (9, 13, SPARSE_INVALID))
        check("cusparseSpMM_preprocess", (*product, area), *wrong, *nulls((0, 10), SPARSE_INVALID))
        check("cusparseSpMM", (*product, area), *wrong, *nulls((0, 3, 6, 10), SPARSE_INVALID))
        call("cusparseSetPointerMode", handle, 0)
        assert list(c) == cells(0) + cells(1), op
    sampled_products(handle, o, p, area)
    multiplied(handle, o, p, v, area)


def sampled_products(handle, o, p, area):
    a, b, size = on_device(c_float, range(1, 7)), on_device(c_float, range(1, 9)), c_size_t()
    for op_a in (0, 1):
        for op_b in (0, 1):
            values = on_device(c_float, [1] * COUNT)
            matrix = made("cusparseCreateCsr", ROWS, COLUMNS, COUNT, o, p, values, INDEX_32, INDEX_32, 0, R_32)
            left = made("cusparseCreateDnMat", *((2, ROWS, 2) if op_a else (ROWS, 2, ROWS)), a, R_32, 1)
            right = made("cusparseCreateDnMat", *((COLUMNS, 2, COLUMNS) if op_b else (2, COLUMNS, 2)), b, R_32, 1)
            wide, bad = made("cusparseCreateDnMat", 5, 5, 5, b, R_32, 1), made("cusparseCreateDnMat", *((2, ROWS, 2) if op_a else (ROWS, 2, ROWS)), a, R_64, 1)
            given = (handle, op_a, op_b, byref(c_float(1)), left, right, byref(c_float(2)), matrix, R_32, 0)
            wrong = [*nulls((4, 5, 7), SPARSE_INVALID), (1, 3, SPARSE_INVALID), (2, 3, SPARSE_INVALID), (4, wide, SPARSE_INVALID), (5, wide, SPARSE_INVALID),
                     (4, bad, SPARSE_NOT_SUPPORTED), (8, R_64, SPARSE_NOT_SUPPORTED), (5, left, SPARSE_INVALID)]  # fmt: skip
            check("cusparseSDDMM_bufferSize", (*given, byref(size)), *wrong, *nulls((0, 10), SPARSE_INVALID))
            check("cusparseSDDMM_preprocess", (*given, area), *wrong, *nulls((0, 10), SPARSE_INVALID))
            check("cusparseSDDMM", (*given, area), *wrong, *nulls((0, 3, 6, 10), SPARSE_INVALID))
            row = lambda i, k: a[2 * i + k] if op_a else a[ROWS * k + i]
            column = lambda j, k: b[COLUMNS * k + j] if op_b else b[2 * j + k]
            at_rows = [0, 0, 1, 2, 2]
            assert list(values) == [2 + sum(row(i, k) * column(j, k) for k in (0, 1)) for i, j in zip(at_rows, PLACES)]


def multiplied(handle, o, p, v, area):
    """A sparse matrix times its transpose: first what is needed, then the product; the same again with what was kept."""
    a = made("cusparseCreateCsr", ROWS, COLUMNS, COUNT, o, p, v, INDEX_32, INDEX_32, 0, R_32)
    other = made("cusparseCreateCsr", COLUMNS, COLUMNS, 0, o, p, v, INDEX_32, INDEX_32, 0, R_32)
    single = made("cusparseCreateCsr", ROWS, COLUMNS, COUNT, o, p, v, INDEX_32, INDEX_32, 0, R_64)
    columns = made("cusparseCreateCsc", ROWS, COLUMNS, COUNT, o, p, v, INDEX_32, INDEX_32, 0, R_32)
    dense = [[sum(DENSE[i][k] * DENSE[j][k] for k in range(COLUMNS)) for j in range(ROWS)] for i in range(ROWS)]
    offsets, places, values = on_device(c_int, [0] * 4), on_device(c_int, [0] * 9), on_device(c_float, [0] * 9)
    c = made("cusparseCreateCsr", ROWS, ROWS, 0, offsets, places, values, INDEX_32, INDEX_32, 0, R_32)
    product, one, none, count, more = made("cusparseSpGEMM_createDescr"), c_float(1), c_float(0), c_int64(), c_size_t()
    check("cusparseSpGEMM_createDescr", (byref(c_void_p()),), (0, NULL, SPARSE_INVALID))
    size = c_size_t()
    given = (handle, 0, 1, byref(one), a, a, byref(none), c, R_32, 0, product)
    wrong = [*nulls((0, 3, 4, 5, 6, 7, 10), SPARSE_INVALID), (1, 3, SPARSE_INVALID), (2, -1, SPARSE_INVALID), (5, other, SPARSE_INVALID), (7, a, SPARSE_INVALID),
             (8, R_64, SPARSE_NOT_SUPPORTED), (4, single, SPARSE_NOT_SUPPORTED), (5, single, SPARSE_NOT_SUPPORTED), (4, columns, SPARSE_NOT_SUPPORTED),
             (5, columns, SPARSE_NOT_SUPPORTED)]  # fmt: skip
    check("cusparseSpGEMM_copy", given, status=SPARSE_INVALID)  # nothing was computed
    check("cusparseSpGEMM_workEstimation", (*given, byref(size), NULL), *wrong, (11, NULL, SPARSE_INVALID))
    check("cusparseSpGEMM_workEstimation", (*given, byref(size), area))
    check("cusparseSpGEMM_getNumProducts", (product, byref(count)), *nulls((0, 1), SPARSE_INVALID))
    assert count.value == sum(sum(row[k] != 0 for row in DENSE) for row in DENSE for k in range(COLUMNS) if row[k])
    for where in (NULL, area):
        check("cusparseSpGEMM_estimateMemory", (*given, c_float(1), byref(size), where, byref(more)), *wrong)
    check("cusparseSpGEMM_compute", (*given, byref(size), NULL), *wrong)
    check("cusparseSpGEMM_compute", (*given, byref(size), area))
    elements = [(i, j, x) for i, row in enumerate(dense) for j, x in enumerate(row) if x]
    rows, across = c_int64(), c_int64()
    call("cusparseSpMatGetSize", c, byref(rows), byref(across), byref(count))
    assert count.value == len(elements)
    check("cusparseSpGEMM_copy", given, *wrong)
    assert list(places)[: len(elements)] == [j for _, j, _ in elements] and list(values)[: len(elements)] == [x for *_, x in elements]
    check("cusparseSpGEMM_copy", (*given[:6], byref(one), *given[7:]))  # beta C is added
    assert list(values)[: len(elements)] == [2 * x for *_, x in elements]
    check("cusparseSpGEMM_destroyDescr", (product,))
    check("cusparseSpGEMM_destroyDescr", (NULL,))
    product = made("cusparseSpGEMM_createDescr")
    places[:] = [0] * 9
    given = (handle, 0, 1, a, a, c, 0, product)
    wrong = [*nulls((0, 3, 4, 5, 7), SPARSE_INVALID), (1, 3, SPARSE_INVALID), (4, other, SPARSE_INVALID), (3, single, SPARSE_NOT_SUPPORTED)]
    whole = (handle, 0, 1, byref(one), a, a, byref(none), c, R_32, 0, product)
    check("cusparseSpGEMMreuse_compute", whole, status=SPARSE_INVALID)
    check("cusparseSpGEMMreuse_workEstimation", (*given, byref(size), NULL), *wrong, (8, NULL, SPARSE_INVALID))
    sizes = (byref(size), NULL, byref(more), NULL, byref(more), NULL)
    check("cusparseSpGEMMreuse_nnz", (*given, *sizes), *wrong, (10, NULL, SPARSE_INVALID), (12, NULL, SPARSE_INVALID))
    check("cusparseSpGEMMreuse_copy", (*given, byref(size), area), status=SPARSE_INVALID)
    check("cusparseSpGEMMreuse_nnz", (*given, byref(size), area, byref(more), area, byref(more), area))
    check("cusparseSpGEMMreuse_copy", (*given, byref(size), NULL), *wrong)
    check("cusparseSpGEMMreuse_copy", (*given, byref(size), area))
    v[0] = 3
    check("cusparseSpGEMMreuse_compute", whole, (0, NULL, SPARSE_INVALID), (10, NULL, SPARSE_INVALID), (8, R_64, SPARSE_NOT_SUPPORTED))
    v[0] = 1
    changed = [[3, 0, 0, 2], *DENSE[1:]]
    expected = [sum(changed[i][k] * changed[j][k] for k in range(COLUMNS)) for i, j, _ in elements]
    assert list(places)[: len(elements)] == [j for _, j, _ in elements] and list(values)[: len(elements)] == expected


def sorted_elements(handle):
    """Elements in the order of rows, or of columns, with where they were; equal ones stay as they are; where rows begin."""
    rows, columns, size = [2, 0, 1, 0, 2, 0], [1, 3, 0, 3, 0, 1], c_size_t()
    elements = sorted((row, column, i) for i, (row, column) in enumerate(zip(rows, columns)))
    for name, keys in (("ByRow", lambda e: e), ("ByColumn", lambda e: (e[1], e[0], e[2]))):
        first, second, where = on_device(c_int, rows), on_device(c_int, columns), on_device(c_int, [9] * 6)
        check("cusparseXcoosort_bufferSizeExt", (handle, 3, 4, 6, first, second, byref(size)), (0, NULL, SPARSE_INVALID), (1, -1, SPARSE_INVALID), (2, -1, SPARSE_INVALID),
              (3, -1, SPARSE_INVALID), (6, NULL, SPARSE_INVALID))  # fmt: skip
        check("cusparseCreateIdentityPermutation", (handle, 6, where), (0, NULL, SPARSE_NOT_INITIALIZED), (1, -1, SPARSE_INVALID), (2, NULL, SPARSE_INVALID), (1, 0, 0))
        assert list(where) == list(range(6))
        check(f"cusparseXcoosort{name}", (handle, 3, 4, 6, first, second, where, NULL), (0, NULL, SPARSE_NOT_INITIALIZED), (3, -1, SPARSE_INVALID),
              (1 if name == "ByRow" else 2, -1, SPARSE_INVALID))  # fmt: skip
        wanted = sorted(elements, key=keys)
        assert list(zip(first, second, where)) == wanted, name
        first[:], second[:] = rows, columns
        call(f"cusparseXcoosort{name}", handle, 3, 4, 6, first, second, NULL, NULL)  # where they were is not asked
        assert list(zip(first, second)) == [element[:2] for element in wanted]
    for base in (0, 1):
        description = made("cusparseCreateMatDescr")
        check("cusparseSetMatIndexBase", (description, base), (0, NULL, SPARSE_INVALID), (1, -1, SPARSE_INVALID), (1, 2, SPARSE_INVALID))
        offsets, first = on_device(c_int, [9] * 4), on_device(c_int, [base + element[0] for element in elements])
        check("cusparseXcoo2csr", (handle, first, 6, 3, offsets, base), (0, NULL, SPARSE_NOT_INITIALIZED), (2, -1, SPARSE_INVALID), (3, -1, SPARSE_INVALID), (5, -1, SPARSE_INVALID),
              (5, 2, SPARSE_INVALID))  # fmt: skip
        assert list(offsets) == [base + x for x in (0, 3, 4, 6)]
        first[:] = [9] * 6
        check("cusparseXcsr2coo", (handle, offsets, 6, 3, first, base), (0, NULL, SPARSE_NOT_INITIALIZED), (2, -1, SPARSE_INVALID), (5, 2, SPARSE_INVALID))
        assert list(first) == [base + element[0] for element in elements]
        for name in ("csr", "csc"):
            places, where = on_device(c_int, [base + x for x in (3, 1, 3, 0, 2, 1)]), on_device(c_int, range(6))
            lines = 1 if name == "csr" else 2
            check(f"cusparseX{name}sort_bufferSizeExt", (handle, 3, 3, 6, offsets, places, byref(size)), (0, NULL, SPARSE_INVALID), (1, -1, SPARSE_INVALID), (2, -1, SPARSE_INVALID),
                  (3, -1, SPARSE_INVALID), (6, NULL, SPARSE_INVALID))  # fmt: skip
            check(f"cusparseX{name}sort", (handle, 3, 3, 6, description, offsets, places, where, NULL), (0, NULL, SPARSE_NOT_INITIALIZED), (1, -1, SPARSE_INVALID),
                  (2, -1, SPARSE_INVALID), (3, -1, SPARSE_INVALID), (4, NULL, SPARSE_INVALID), (5, NULL, SPARSE_INVALID), (lines, 0, 0))  # fmt: skip
            assert (list(places), list(where)) == ([base + x for x in (1, 3, 3, 0, 1, 2)], [1, 0, 2, 3, 5, 4]), name
            assert call(f"cusparseX{name}sort", handle, *((0, 3) if name == "csr" else (3, 0)), 0, description, NULL, places, where, NULL) == 0  # nothing to sort


def sparse():
    o, p, v = on_device(c_int, OFFSETS), on_device(c_int, PLACES), on_device(c_float, VALUES)
    handle = sparse_handle()
    matrices = sparse_matrices(o, p, v)
    sparse_described(matrices, o, p, v)
    dense_described(v)
    sorted_elements(handle)
    sparse_vectors(handle)
    sparse_products(handle, o, p, v)
    for matrix in matrices.values():
        check("cusparseDestroySpMat", (matrix,))
    check("cusparseDestroySpMat", (NULL,))


# ---- cuSOLVER ----

SOLVER_NOT_INITIALIZED, SOLVER_INVALID, SOLVER_NOT_SUPPORTED, SOLVER_ZERO_PIVOT = 1, 3, 9, 10


def solver():
    versions("cusolver", SOLVER_INVALID, (12, 0, 0), 12000)
    handle, gone, stream, number = made("cusolverDnCreate"), made("cusolverDnCreate"), c_void_p(1), c_int()
    check("cusolverDnCreate", (byref(c_void_p()),), (0, NULL, SOLVER_INVALID))
    check("cusolverDnDestroy", (gone,), (0, NULL, SOLVER_NOT_INITIALIZED))
    check("cusolverDnSetStream", (handle, NULL), (0, NULL, SOLVER_NOT_INITIALIZED))
    check("cusolverDnGetStream", (handle, byref(stream)), (0, NULL, SOLVER_NOT_INITIALIZED), (1, NULL, SOLVER_INVALID))
    for name, first in (("DeterministicMode", 1), ("MathMode", 1), ("EmulationStrategy", 0)):
        check(f"cusolverDnGet{name}", (handle, byref(number)), (0, NULL, SOLVER_NOT_INITIALIZED), (1, NULL, SOLVER_INVALID))
        assert number.value == first, name
        check(f"cusolverDnSet{name}", (handle, 2), (0, NULL, SOLVER_NOT_INITIALIZED), (1, -1, SOLVER_INVALID), (1, 3, SOLVER_INVALID))
        call(f"cusolverDnGet{name}", handle, byref(number))
        assert number.value == 2, name
    jacobi(handle)
    singular(handle)
    refined(handle)
    ordered()
    systems()
    refactored()


def jacobi(handle):
    for name, other in (("Syevj", "Gesvdj"), ("Gesvdj", "Syevj")):
        info, gone, residual, sweeps, zeros = made(f"cusolverDnCreate{name}Info"), made(f"cusolverDnCreate{name}Info"), c_double(7), c_int(7), (c_int * 64)()
        check(f"cusolverDnCreate{name}Info", (byref(c_void_p()),), (0, NULL, SOLVER_INVALID))
        check(f"cusolverDnDestroy{name}Info", (gone,), (0, NULL, SOLVER_INVALID), (0, zeros, SOLVER_INVALID))
        for setting, value in (("SetTolerance", 1e-3), ("SetMaxSweeps", 0), ("SetSortEig", 0)):
            check(f"cusolverDnX{name.lower()}{setting}", (info, value), (0, NULL, SOLVER_INVALID), (0, zeros, SOLVER_INVALID))
        check(f"cusolverDnX{name.lower()}SetMaxSweeps", (info, 15), (1, -1, SOLVER_INVALID))
        for told, value in (("GetResidual", residual), ("GetSweeps", sweeps)):
            check(f"cusolverDnX{name.lower()}{told}", (handle, info, byref(value)), (0, NULL, SOLVER_NOT_INITIALIZED), (1, NULL, SOLVER_INVALID), (1, zeros, SOLVER_INVALID),
                  (2, NULL, SOLVER_INVALID))  # fmt: skip
        assert (residual.value, sweeps.value) == (0, 0)


def singular(handle):
    """Singular values of diag(3, 2) in a batch, by both methods; what they refuse."""
    for letter, number, parts in (("S", c_float, 1), ("D", c_double, 1), ("C", c_float, 2), ("Z", c_double, 2)):
        spread = lambda values: [value if part == 0 else 0 for value in values for part in range(parts)]
        info, size = made("cusolverDnCreateGesvdjInfo"), c_int()
        a, u, v = (on_device(number, spread([2, 0, 0, 3] * 2)) for _ in range(3))
        values, told, norms = on_device(number, [0] * 4), on_device(c_int, [7, 7]), (c_double * 2)(7, 7)
        many = (handle, 1, 2, 2, a, 2, values, u, 2, v, 2)
        gone = [(0, NULL, SOLVER_NOT_INITIALIZED)]
        name = f"cusolverDn{letter}gesvdjBatched"
        check(f"{name}_bufferSize", (*many, byref(size), info, 2), *gone, (11, NULL, SOLVER_INVALID), (12, NULL, SOLVER_INVALID), (13, -1, SOLVER_INVALID))
        given = (*many, NULL, 0, told, info, 2)
        check(name, given, *gone, (2, 33, SOLVER_INVALID), (3, 33, SOLVER_INVALID), (14, NULL, SOLVER_INVALID), (15, -1, SOLVER_INVALID), (15, 0, 0))
        assert call(name, NULL, *given[1:-1], 0) == SOLVER_NOT_INITIALIZED
        assert list(values) == [3, 2] * 2 and list(told) == [0, 0], (letter, list(values))
        residual = c_double()
        assert call("cusolverDnXgesvdjGetResidual", handle, info, byref(residual)) == 9  # of many there is none
        assert call("cusolverDnXgesvdjGetSweeps", handle, info, byref(size)) == 9
        one = (handle, 1, 0, 2, 2, a, 2, values, u, 2, v, 2)
        check(f"cusolverDn{letter}gesvdj_bufferSize", (*one, byref(size), info), *gone, (12, NULL, SOLVER_INVALID), (13, NULL, SOLVER_INVALID))
        check(f"cusolverDn{letter}gesvdj", (*one, NULL, 0, told, info), *gone, (15, NULL, SOLVER_INVALID), (1, 2, SOLVER_INVALID), (3, -1, SOLVER_INVALID), (4, -1, SOLVER_INVALID),
              (6, 1, SOLVER_INVALID))  # fmt: skip
        check("cusolverDnXgesvdjGetResidual", (handle, info, byref(residual)))
        assert residual.value < 1e-5
        a[:], values[:] = spread([2, 0, 0, 3] * 2), [0] * 4
        name = f"cusolverDn{letter}gesvdaStridedBatched"
        many = (handle, 1, 2, 2, 2, a, 2, 4, values, 2, u, 2, 4, v, 2, 4)
        check(f"{name}_bufferSize", (*many, byref(size), 2), *gone, (16, NULL, SOLVER_INVALID), (17, -1, SOLVER_INVALID))
        given = (*many, NULL, 0, told, norms, 2)
        check(name, given, *gone, (2, -1, SOLVER_INVALID), (2, 3, SOLVER_INVALID), (7, -1, SOLVER_INVALID), (9, -1, SOLVER_INVALID), (12, -1, SOLVER_INVALID), (15, -1, SOLVER_INVALID),
              (20, -1, SOLVER_INVALID), (20, 0, 0))  # fmt: skip
        assert call(name, NULL, *given[1:-1], 0) == SOLVER_NOT_INITIALIZED
        assert list(values) == [3, 2] * 2 and max(norms) < 1e-5, letter
        sy = "he" if parts == 2 else "sy"
        for problem in ("evj", "evjBatched", "gvj"):
            a[:], values[:] = spread([2, 0, 0, 3] * 2), [0] * 4
            u[:] = spread([1, 0, 0, 1] * 2)
            head, tail = ([1], []) if problem == "gvj" else ([], [2] if "Batched" in problem else [])
            second = [u, 2] if problem == "gvj" else []
            jacobi_info = made("cusolverDnCreateSyevjInfo")
            name = f"cusolverDn{letter}{sy}{problem}"
            given = [handle, *head, 1, 0, 2, a, 2, *second, values]
            check(f"{name}_bufferSize", [*given, byref(size), jacobi_info, *tail], *gone, (len(given), NULL, SOLVER_INVALID), (len(given) + 1, NULL, SOLVER_INVALID),
                  *([(len(given) + 2, -1, SOLVER_INVALID)] if tail else []))  # fmt: skip
            last = len(given) + 3
            more = [(1, 0, SOLVER_INVALID), (1, 4, SOLVER_INVALID)] if head else []
            more += [(last + 1, -1, SOLVER_INVALID), (last + 1, 0, 0)] if tail else []
            whole = [*given, NULL, 0, told, jacobi_info, *tail]
            check(name, whole, *gone, (last, NULL, SOLVER_INVALID), (len(head) + 1, 2, SOLVER_INVALID), (len(head) + 2, 2, SOLVER_INVALID), (len(head) + 3, -1, SOLVER_INVALID), *more)
            if tail:
                assert call(name, NULL, *whole[1:-1], 0) == SOLVER_NOT_INITIALIZED
            assert list(values)[:2] == [2, 3], (name, list(values))


def ordered():
    """Orders of a symmetric pattern, a matrix in another order, whether it is symmetric: all on the host."""
    handle, size, yes = made("cusolverSpCreate"), c_size_t(), c_int(7)
    for base in (0, 1):
        description = made("cusparseCreateMatDescr")
        call("cusparseSetMatIndexBase", description, base)
        n, count = 3, 5  # rows 0 and 2 have an element in column 1, which makes it symmetric
        array = lambda values: (c_int * len(values))(*(base + value for value in values))
        offsets, places, order = array([0, 1, 4, 5]), array([1, 0, 1, 2, 1]), (c_int * 3)()
        gone = [(0, NULL, SOLVER_NOT_INITIALIZED), (2, -1, SOLVER_INVALID), (3, NULL, SOLVER_INVALID), (4, NULL, SOLVER_INVALID), (5, NULL, SOLVER_INVALID),
                (2, count - 1, SOLVER_INVALID), (4, array([0, 2, 1, 5]), SOLVER_INVALID), (5, array([1, 0, 1, 3, 1]), SOLVER_INVALID),
                (5, array([1, -1, 1, 2, 1]), SOLVER_INVALID)]  # fmt: skip
        for name, more in (("csrsymrcm", ()), ("csrsymmdq", ()), ("csrsymamd", ()), ("csrmetisnd", (NULL,))):
            given = (handle, n, count, description, offsets, places, *more, order)
            check(f"cusolverSpX{name}Host", given, *gone, (1, -1, SOLVER_INVALID), (len(given) - 1, NULL, SOLVER_INVALID))
            assert sorted(order) == [0, 1, 2], name
        check("cusolverSpXcsrissymHost", (handle, n, count, description, offsets, (c_int * 3)(*offsets[1:]), places, byref(yes)), *gone[:5], (6, NULL, SOLVER_INVALID),
              (5, NULL, SOLVER_INVALID), (7, NULL, SOLVER_INVALID))  # fmt: skip
        assert yes.value == 1
        call("cusolverSpXcsrissymHost", handle, n, count, description, offsets, (c_int * 3)(*offsets[1:]), array([1, 0, 1, 2, 0]), byref(yes))
        assert yes.value == 0  # (2, 0) is there, (0, 2) is not
        p, q, map_ = (c_int * 3)(2, 0, 1), (c_int * 3)(1, 2, 0), (c_int * 5)(*range(5))
        shifted = [(0, NULL, SOLVER_NOT_INITIALIZED), (1, -1, SOLVER_INVALID), (2, -1, SOLVER_INVALID), (3, -1, SOLVER_INVALID), (4, NULL, SOLVER_INVALID), (5, NULL, SOLVER_INVALID),
                   (6, NULL, SOLVER_INVALID), (7, NULL, SOLVER_INVALID), (8, NULL, SOLVER_INVALID)]  # fmt: skip
        check("cusolverSpXcsrperm_bufferSizeHost", (handle, n, n, count, description, offsets, places, p, q, byref(size)), *shifted, (9, NULL, SOLVER_INVALID))
        bad = [(7, (c_int * 3)(2, 0, 3), SOLVER_INVALID), (7, (c_int * 3)(-1, 0, 1), SOLVER_INVALID), (8, (c_int * 3)(1, 1, 0), SOLVER_INVALID), (8, (c_int * 3)(1, 3, 0), SOLVER_INVALID),
               (8, (c_int * 3)(-1, 2, 0), SOLVER_INVALID)]  # fmt: skip
        check("cusolverSpXcsrpermHost", (handle, n, n, count, description, offsets, places, p, q, map_, NULL), *shifted, (9, NULL, SOLVER_INVALID), *bad)
        before = [(0, 1), (1, 0), (1, 1), (1, 2), (2, 1)]
        after = sorted(([2, 0, 1].index(row), [1, 2, 0].index(column), i) for i, (row, column) in enumerate(before))
        assert [x - base for x in places] == [column for _, column, _ in after] and list(map_) == [i for *_, i in after]
        assert [x - base for x in offsets] == [sum(row < line for row, *_ in after) for line in range(4)]


class TwoFloats(ctypes.Structure):
    """A complex number, as it is passed."""

    _fields_ = (("re", c_float), ("im", c_float))


class TwoDoubles(ctypes.Structure):
    _fields_ = (("re", c_double), ("im", c_double))


def systems():
    """[[4, 1], [1, 3]] x = [6, 7] has x = [1, 2], and so has [[1, 0], [0, 1], [1, 1]] x = [1, 2, 3]: at once, and in steps that come from several objects."""
    handle, number, stream = made("cusolverSpCreate"), c_int(7), c_void_p(1)
    gone, no_handle = made("cusolverSpCreate"), (0, NULL, SOLVER_NOT_INITIALIZED)
    check("cusolverSpCreate", (byref(c_void_p()),), (0, NULL, SOLVER_INVALID))
    check("cusolverSpDestroy", (gone,), no_handle)
    check("cusolverSpSetStream", (handle, NULL), no_handle)
    check("cusolverSpGetStream", (handle, byref(stream)), no_handle, (1, NULL, SOLVER_INVALID))
    assert stream.value is None
    inner, work = c_size_t(), c_size_t()
    sizes = (byref(inner), byref(work))
    for letter, kind, parts, passed in (("S", c_float, 1, c_float), ("D", c_double, 1, c_double), ("C", c_float, 2, TwoFloats), ("Z", c_double, 2, TwoDoubles)):
        spread = lambda values: [value if part == 0 else 0 for value in values for part in range(parts)]
        real = c_float if letter in "SC" else c_double
        for base in (0, 1):
            description = made("cusparseCreateMatDescr")
            call("cusparseSetMatIndexBase", description, base)
            array = lambda values: on_device(c_int, [base + value for value in values])
            square = (description, on_device(kind, spread([4, 1, 1, 3])), array([0, 2, 4]), array([0, 1, 0, 1]))
            zero = (description, on_device(kind, spread([1, 2, 2, 4])), *square[2:])
            tall = (description, on_device(kind, spread([1, 1, 1, 1])), array([0, 1, 2, 4]), array([0, 1, 0, 1]))
            b, c, x, large, far = (on_device(kind, spread(values)) for values in ([6, 7], [1, 2, 3], [0, 0], range(2000), [0] * 2000))

            def solved(name, *of):
                got = [round(float(value), 4) for value in x]
                assert got == spread([1, 2]), (name, letter, base, *of, got)
                x[:] = spread([0, 0])

            def untouched(name, *given):
                call(name, *given)
                assert list(x) == spread([0, 0]), (name, letter, base, list(x))

            missing = nulls((3, 4, 5, 6), SOLVER_INVALID)
            for name in ("lsvluHost", "lsvqr", "lsvqrHost", "lsvchol", "lsvcholHost"):
                name = f"cusolverSp{letter}csr{name}"
                given = (handle, 2, 4, *square, b, real(0), 0, x, byref(number))
                check(name, given, no_handle, (1, -1, SOLVER_INVALID), (2, -1, SOLVER_INVALID), *missing, *nulls((7, 10, 11), SOLVER_INVALID))
                assert number.value == -1, name
                solved(name)
                untouched(name, handle, 2, 4, *zero, b, real(0), 0, x, byref(number))
                assert number.value == 1, name
                untouched(name, handle, 2, 3, *square, b, real(0), 0, x, byref(number))  # not so many
                untouched(name, handle, 1, 2, *square, b, real(0), 0, x, byref(number))  # not so wide
            for Host in ("", "Host"):
                for name, Name, args, more in (("csrchol", "Csrchol", (2,), ()), ("csrqr", "Csrqr", (2, 2), ()), ("csrlu", "Csrlu", (2,), (real(1),))):
                    if name == "csrlu" and not Host:
                        continue
                    steps, gone, bytes_ = (*(made(f"cusolverSpCreate{Name}Info{Host}") for _ in range(2)), (c_int * 512)())
                    check(f"cusolverSpCreate{Name}Info{Host}", (byref(c_void_p()),), (0, NULL, SOLVER_INVALID))
                    check(f"cusolverSpDestroy{Name}Info{Host}", (gone,), (0, NULL, SOLVER_INVALID), (0, bytes_, SOLVER_INVALID))
                    last = len(args) + 1
                    pattern = (handle, *args, 4, square[0], *square[2:], steps)
                    check(f"cusolverSpX{name}Analysis{Host}", pattern, no_handle, *nulls(range(last + 1, last + 5), SOLVER_INVALID))
                    check(f"cusolverSp{letter}{name}BufferInfo{Host}", (handle, *args, 4, *square, steps, *sizes), no_handle, *nulls(range(last + 5, last + 8), SOLVER_INVALID))
                    solve, pivot = f"cusolverSp{letter}{name}Solve{Host}", f"cusolverSp{letter}{name}ZeroPivot{Host}"
                    check(pivot, (handle, steps, real(0), byref(number)), no_handle, (1, NULL, SOLVER_INVALID), (3, NULL, SOLVER_INVALID))
                    assert number.value == -1, pivot
                    untouched(solve, handle, *args, b, x, steps, NULL)  # there are no factors yet
                    if name == "csrqr":
                        continue
                    factor = f"cusolverSp{letter}{name}Factor{Host}"
                    call(factor, handle, *args, 4, *zero, steps, *more, NULL)
                    call(pivot, handle, steps, real(0), byref(number))
                    assert number.value == 1, pivot
                    untouched(solve, handle, *args, b, x, steps, NULL)
                    check(factor, (handle, *args, 4, *square, steps, *more, NULL), no_handle, (1, -1, SOLVER_INVALID), (2, -1, SOLVER_INVALID),
                          *nulls(range(last + 1, last + 6), SOLVER_INVALID))  # fmt: skip
                    call(pivot, handle, steps, real(0), byref(number))
                    assert number.value == -1, pivot
                    if name == "csrchol":  # L's diagonal is 2, 1.66 or, in the other order, 1.73, 1.91
                        for tolerance, position in ((1.65, -1), (2.1, 0)):
                            call(pivot, handle, steps, real(tolerance), byref(number))
                            assert number.value == position, (pivot, tolerance)
                    check(solve, (handle, *args, b, x, steps, NULL), no_handle, (1, 1, SOLVER_INVALID), (1, 3, SOLVER_INVALID), *nulls((2, 3, 4), SOLVER_INVALID))
                    solved(solve)
                    if name == "csrlu":
                        extracted(handle, letter, kind, spread, steps, base)
                steps = made(f"cusolverSpCreateCsrqrInfo{Host}")
                shift = lambda re, im=0: passed(re, im) if parts == 2 else passed(re)
                names = [f"cusolverSp{letter}csrqr{step}{Host}" for step in ("Setup", "Factor", "Solve", "ZeroPivot")]
                untouched(names[1], handle, 2, 2, 4, b, x, steps, NULL)  # nothing is set up
                for size, matrix, right in (((2, 2), square, b), ((3, 2), tall, c)):
                    check(names[0], (handle, *size, 4, *matrix, shift(0), steps), no_handle, (1, -1, SOLVER_INVALID), (2, -1, SOLVER_INVALID), (2, 4, SOLVER_INVALID),
                          (3, -1, SOLVER_INVALID), *nulls((4, 5, 6, 7, 9), SOLVER_INVALID))  # fmt: skip
                    if parts == 2:
                        assert call(names[0], handle, *size, 4, *matrix, shift(0, 1), steps) == SOLVER_NOT_SUPPORTED
                    check(names[1], (handle, *size, 4, right, x, steps, NULL), no_handle, (1, 1, SOLVER_INVALID), (6, NULL, SOLVER_INVALID))
                    solved(names[1], size)
                    for nothing in (4, 5):  # factors alone
                        given = [handle, *size, 4, right, x, steps, NULL]
                        given[nothing] = NULL
                        untouched(names[1], *given)
                    check(names[2], (handle, *size, right, x, steps, NULL), no_handle, (1, 1, SOLVER_INVALID), *nulls((3, 4, 5), SOLVER_INVALID))
                    solved(names[2], size)
                    for other in ((2000, 2), (2000, 2000), (1, 1), (3, 1)):  # those are none of the matrix's
                        call(names[1], handle, *other, 4, large, far, steps, NULL)
                        call(names[2], handle, *other, large, far, steps, NULL)
                        assert not any(far), (names, other)
                    call(names[3], handle, steps, real(0), byref(number))
                    assert number.value == -1
                call(names[3], handle, steps, real(1e9), byref(number))
                assert number.value == 0
                call(names[0], handle, 2, 2, 4, *square, shift(4), steps)  # A - 4 is [[0, 1], [1, -1]]: x = [13, 6]
                call(names[1], handle, 2, 2, 4, b, x, steps, NULL)
                assert [round(float(value), 4) for value in x] == spread([13, 6]), (names, list(x))
                x[:] = spread([0, 0])
            batched(handle, letter, square, kind, spread)


def batched(handle, letter, square, kind, spread):
    steps, sizes = made("cusolverSpCreateCsrqrInfo"), (byref(c_size_t()), byref(c_size_t()))
    no_handle = (0, NULL, SOLVER_NOT_INITIALIZED)
    values = on_device(kind, spread([4, 1, 1, 3, 2, 0, 0, 4]))
    matrix = (square[0], values, *square[2:])
    b, x = on_device(kind, spread([6, 7, 2, 8])), on_device(kind, spread([0] * 4))
    check("cusolverSpXcsrqrAnalysisBatched", (handle, 2, 2, 4, square[0], *square[2:], steps), no_handle, *nulls((4, 5, 6, 7), SOLVER_INVALID))
    check(f"cusolverSp{letter}csrqrBufferInfoBatched", (handle, 2, 2, 4, *matrix, 2, steps, *sizes), no_handle, *nulls((9, 10, 11), SOLVER_INVALID))
    check(f"cusolverSp{letter}csrqrsvBatched", (handle, 2, 2, 4, *matrix, b, x, 2, steps, NULL), no_handle, (1, 1, SOLVER_INVALID), (10, 0, SOLVER_INVALID),
          *nulls((4, 5, 6, 7, 8, 9, 11), SOLVER_INVALID))  # fmt: skip
    assert [round(float(value), 4) for value in x] == spread([1, 2, 1, 2]), (letter, list(x))


def extracted(handle, letter, kind, spread, steps, base):
    """P A Q = L U, of factors that are asked for."""
    counts = c_int(), c_int()
    check("cusolverSpXcsrluNnzHost", (handle, *map(byref, counts), steps), (0, NULL, SOLVER_NOT_INITIALIZED), *nulls((1, 2, 3), SOLVER_INVALID))
    description = made("cusparseCreateMatDescr")
    call("cusparseSetMatIndexBase", description, base)
    p, q = (c_int * 2)(7, 7), (c_int * 2)(7, 7)
    parts = len(spread([0]))
    factors = [(description, (kind * (count.value * parts))(), (c_int * 3)(), (c_int * count.value)()) for count in counts]
    check(f"cusolverSp{letter}csrluExtractHost", (handle, p, q, *factors[0], *factors[1], steps, NULL), (0, NULL, SOLVER_NOT_INITIALIZED), *nulls(range(1, 12), SOLVER_INVALID))
    dense = []
    for _, values, offsets, places in factors:
        rows = [[0, 0], [0, 0]]
        assert offsets[0] == base and offsets[2] == base + len(places)
        for i in range(2):
            for at_ in range(offsets[i] - base, offsets[i + 1] - base):
                rows[i][places[at_] - base] = values[at_ * parts]
        dense.append(rows)
    (lower, upper), a = dense, [[4, 1], [1, 3]]
    assert lower[0] == [1, 0] and lower[1][1] == 1 and upper[1][0] == 0, (lower, upper)
    for i in range(2):
        for j in range(2):
            assert abs(sum(lower[i][k] * upper[k][j] for k in range(2)) - a[p[i]][q[j]]) < 1e-5, (letter, lower, upper, list(p), list(q))


def refactored():
    again, gone, zeros, number = made("cusolverRfCreate"), made("cusolverRfCreate"), (c_int * 512)(), c_int(7)
    wrong = [(0, NULL, SOLVER_NOT_INITIALIZED), (0, zeros, SOLVER_NOT_INITIALIZED)]
    check("cusolverRfCreate", (byref(c_void_p()),), (0, NULL, SOLVER_INVALID))
    check("cusolverRfDestroy", (gone,), *wrong)
    for name, kind, pair in (("MatrixFormat", c_int, (0, 1)), ("NumericProperties", c_double, (0.5, 2.0)), ("Algs", c_int, (1, 2))):
        first, second = kind(), kind()
        check(f"cusolverRfSet{name}", (again, *pair), *wrong)
        check(f"cusolverRfGet{name}", (again, byref(first), byref(second)), wrong[0], (0, zeros, SOLVER_INVALID), (1, NULL, SOLVER_INVALID), (2, NULL, SOLVER_INVALID))
        assert (first.value, second.value) == pair, name
    check("cusolverRfSetResetValuesFastMode", (again, 1), *wrong)
    check("cusolverRfGetResetValuesFastMode", (again, byref(number)), wrong[0], (0, zeros, SOLVER_INVALID), (1, NULL, SOLVER_INVALID))
    assert number.value == 1
    offsets, places = on_device(c_int, [0, 2, 4]), on_device(c_int, [0, 1, 0, 1])
    values, x = on_device(c_double, [4.0, 1.0, 1.0, 3.0]), on_device(c_double, [0.0] * 6)
    nothing = (0, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL)
    check("cusolverRfAnalyze", (again,), *wrong, status=SOLVER_INVALID)
    check("cusolverRfRefactor", (again,), wrong[0], (0, zeros, SOLVER_INVALID), status=SOLVER_INVALID)
    check("cusolverRfSolve", (again, NULL, NULL, 1, NULL, 2, x, 2), wrong[0], (0, zeros, SOLVER_INVALID), status=SOLVER_INVALID)
    for name, more in (("SetupHost", nothing), ("SetupDevice", nothing), ("ResetValues", (NULL, NULL))):
        given = (2, 4, offsets, places, values, *more, again)
        last = len(given) - 1
        call("cusolverRfSetMatrixFormat", again, 1, 0)
        check(f"cusolverRf{name}", given, status=SOLVER_NOT_SUPPORTED)
        call("cusolverRfSetMatrixFormat", again, 0, 0)
        values[:] = [1, 2, 2, 4]
        check(f"cusolverRf{name}", given, (last, NULL, SOLVER_NOT_INITIALIZED), (last, zeros, SOLVER_NOT_INITIALIZED), (0, 0, SOLVER_INVALID), (1, 0, SOLVER_INVALID),
              *nulls((2, 3, 4), SOLVER_INVALID))  # fmt: skip
        check("cusolverRfAnalyze", (again,))
        check("cusolverRfRefactor", (again,), status=SOLVER_ZERO_PIVOT)
        values[:] = [4, 1, 1, 3]
        check(f"cusolverRf{name}", given)
        check("cusolverRfRefactor", (again,))
        x[:] = [6, 7, -1, 9, 5, -1]
        check("cusolverRfSolve", (again, NULL, NULL, 2, NULL, 2, x, 3), (3, -1, SOLVER_INVALID), (6, NULL, SOLVER_INVALID), (7, 1, SOLVER_INVALID))
        assert [round(value, 9) for value in x] == [1, 2, -1, 2, 1, -1], list(x)


def refined(handle):
    """Systems that are solved in low precision and refined: settings, what is told of it, each pair of types."""
    PARAMS, PRECISION, SOLVER, ITERATIONS, RESULTS = 12, 14, 15, 16, 25
    prefix = "cusolverDnIRSParams"
    params, gone, number = made(f"{prefix}Create"), made(f"{prefix}Create"), c_int(7)
    zeros = (c_int * 64)()
    check(f"{prefix}Create", (byref(c_void_p()),), (0, NULL, SOLVER_INVALID))
    check(f"{prefix}Destroy", (gone,), (0, NULL, PARAMS), (0, zeros, PARAMS))
    check(f"{prefix}SetRefinementSolver", (params, 1103), (0, NULL, PARAMS), (0, zeros, PARAMS), (1, 1099, SOLVER), (1, 1107, SOLVER))
    for name in ("Tol", "TolInner"):
        check(f"{prefix}Set{name}", (params, 1e-9), (0, NULL, PARAMS), (1, -1.0, SOLVER_INVALID))
    for name in ("MaxIters", "MaxItersInner"):
        check(f"{prefix}Set{name}", (params, 9), (0, NULL, PARAMS), (1, -1, ITERATIONS))
    for name in ("EnableFallback", "DisableFallback"):
        check(f"{prefix}{name}", (params,), (0, NULL, PARAMS))
    check(f"{prefix}GetMaxIters", (params, byref(number)), (0, NULL, PARAMS), (1, NULL, SOLVER_INVALID))
    assert number.value == 9
    n, count = 2, 1
    size, steps = c_size_t(7), c_int(7)
    results = made("cusolverDnIRSInfosCreate")
    check("cusolverDnIRSInfosCreate", (byref(c_void_p()),), (0, NULL, SOLVER_INVALID))
    asked = (handle, params, n, count, byref(size))
    check("cusolverDnIRSXgesv_bufferSize", asked, status=PRECISION)  # of what is not set yet
    check(f"{prefix}SetSolverPrecisions", (params, 1203, 1204), (0, NULL, PARAMS), (1, 1200, PRECISION), (2, 1200, PRECISION))
    for name in ("Main", "Lowest"):
        check(f"{prefix}SetSolver{name}Precision", (params, 1203), (0, NULL, PARAMS), (1, 1200, PRECISION))
    wrong = [(0, NULL, SOLVER_NOT_INITIALIZED), (1, NULL, PARAMS)]
    check("cusolverDnIRSXgesv_bufferSize", asked, *wrong, (4, NULL, SOLVER_INVALID))
    check("cusolverDnIRSXgels_bufferSize", (handle, params, n, n, count, byref(size)), *wrong, (5, NULL, SOLVER_INVALID))
    numbers = {1203: c_double, 1204: c_float}
    for kind, number_type in numbers.items():
        a, b, x = (on_device(number_type, values) for values in ([4, 1, 2, 3], [10, 10], [0, 0]))
        info = on_device(c_int, [7])
        call(f"{prefix}SetSolverMainPrecision", params, kind)
        solve = (n, count, a, n, b, n, x, n, NULL, 0, byref(steps), info)
        check("cusolverDnIRSXgesv", (handle, params, results, *solve), *wrong, (2, NULL, RESULTS), (2, zeros, RESULTS), (9, NULL, SOLVER_INVALID), (13, NULL, SOLVER_INVALID))
        assert (list(x), info[0], steps.value, list(a), list(b)) == ([1, 3], 0, 0, [4, 1, 2, 3], [10, 10]), list(x)
        x[:] = [0, 0]
        check("cusolverDnIRSXgels", (handle, params, results, n, *solve), *wrong, (2, NULL, RESULTS), (3, 1, SOLVER_INVALID), (14, NULL, SOLVER_INVALID))
        assert [round(float(value), 5) for value in x] == [1, 3]
    for name, value in (("GetNiters", 0), ("GetOuterNiters", 0), ("GetMaxIters", 9)):
        check(f"cusolverDnIRSInfos{name}", (results, byref(number)), (0, NULL, RESULTS), (0, zeros, RESULTS), (1, NULL, SOLVER_INVALID))
        assert number.value == value, name
    check("cusolverDnIRSInfosDestroy", (results,), (0, NULL, RESULTS), (0, zeros, RESULTS))
    for pair in ("ZZ", "ZC", "ZK", "ZE", "ZY", "CC", "CK", "CE", "CY", "DD", "DS", "DH", "DB", "DX", "SS", "SH", "SB", "SX"):
        number_type, parts = c_double if pair[0] in "ZD" else c_float, 2 if pair[0] in "ZC" else 1
        spread = lambda values: [value if part == 0 else 0 for value in values for part in range(parts)]
        a, b, x = (on_device(number_type, spread(values)) for values in ([4, 1, 2, 3], [10, 10], [0, 0]))
        pivots, info = on_device(c_int, [0, 0]), on_device(c_int, [7])
        wrong = (0, NULL, SOLVER_NOT_INITIALIZED)
        check(f"cusolverDn{pair}gesv_bufferSize", (handle, n, count, a, n, pivots, b, n, x, n, NULL, byref(size)), wrong, (11, NULL, SOLVER_INVALID))
        check(f"cusolverDn{pair}gesv", (handle, n, count, a, n, pivots, b, n, x, n, NULL, 0, byref(steps), info), wrong, (8, NULL, SOLVER_INVALID), (12, NULL, SOLVER_INVALID))
        assert (list(x), info[0]) == (spread([1, 3]), 0), (pair, list(x))
        x[:] = spread([0, 0])
        check(f"cusolverDn{pair}gels_bufferSize", (handle, n, n, count, a, n, b, n, x, n, NULL, byref(size)), wrong, (1, 1, SOLVER_INVALID), (11, NULL, SOLVER_INVALID))
        check(f"cusolverDn{pair}gels", (handle, n, n, count, a, n, b, n, x, n, NULL, 0, byref(steps), info), wrong, (1, 1, SOLVER_INVALID), (8, NULL, SOLVER_INVALID),
              (12, NULL, SOLVER_INVALID))  # fmt: skip
        assert [round(float(value), 4) for value in x] == spread([1, 3]), pair


# ---- cuBLAS ----

BLAS_NOT_INITIALIZED, BLAS_INVALID, BLAS_NOT_SUPPORTED = 1, 7, 15


def blas():
    number = c_int()
    handle, gone, stream = made("cublasCreate_v2"), made("cublasCreate_v2"), c_void_p(1)
    zeros = (c_int * 64)()
    check("cublasDestroy_v2", (gone,), (0, NULL, BLAS_NOT_INITIALIZED), (0, zeros, BLAS_NOT_INITIALIZED))
    check("cublasGetVersion_v2", (handle, byref(number)), (1, NULL, BLAS_INVALID))
    assert number.value == 130100
    for which, part in enumerate((13, 1, 0)):
        check("cublasGetProperty", (which, byref(number)), (0, -1, BLAS_INVALID), (0, 3, BLAS_INVALID), (1, NULL, BLAS_INVALID))
        assert number.value == part
    library.cublasGetCudartVersion.restype = c_size_t
    assert library.cublasGetCudartVersion() == 13000
    check("cublasSetStream_v2", (handle, NULL), (0, NULL, BLAS_NOT_INITIALIZED))
    check("cublasGetStream_v2", (handle, byref(stream)), (0, NULL, BLAS_NOT_INITIALIZED), (1, NULL, BLAS_INVALID))
    settings = {"PointerMode": ("_v2", 0, 1, (-1, 2)), "MathMode": ("", 0, 3, (-1, 22)), "AtomicsMode": ("", 0, 1, (-1, 2)), "SmCountTarget": ("", 0, 8, (-1,)),
                "EmulationStrategy": ("", 0, 2, (-1, 3)), "EmulationSpecialValuesSupport": ("", 0xFFFF, 1, (-1,)), "FixedPointEmulationMantissaControl": ("", 0, 1, (-1, 2)),
                "FixedPointEmulationMaxMantissaBitCount": ("", 0, 40, (-1,)), "FixedPointEmulationMantissaBitOffset": ("", 0, -3, ())}  # fmt: skip
    for name, (suffix, first, value, wrong) in settings.items():
        for expected in (first, value):
            check(f"cublasGet{name}{suffix}", (handle, byref(number)), (0, NULL, BLAS_NOT_INITIALIZED), (1, NULL, BLAS_INVALID))
            assert number.value == expected, (name, number.value)
            check(f"cublasSet{name}{suffix}", (handle, value), (0, NULL, BLAS_NOT_INITIALIZED), *((1, bad, BLAS_INVALID) for bad in wrong))
        call(f"cublasSet{name}{suffix}", handle, first)
    names = {0: "SUCCESS", 1: "NOT_INITIALIZED", 3: "ALLOC_FAILED", 7: "INVALID_VALUE", 8: "ARCH_MISMATCH", 11: "MAPPING_ERROR", 13: "EXECUTION_FAILED", 14: "INTERNAL_ERROR",
             15: "NOT_SUPPORTED", 16: "LICENSE_ERROR"}  # fmt: skip
    for status, name in names.items():
        assert name_of("cublasGetStatusName", status) == f"CUBLAS_STATUS_{name}" and name_of("cublasGetStatusString", status) != "an unknown status", name
    assert (name_of("cublasGetStatusName", 99), name_of("cublasGetStatusString", 99)) == ("CUBLAS_STATUS_UNKNOWN", "an unknown status")
    products(handle)
    routines(handle)
    light(handle)
    of_any_type(handle)


def products(handle):
    """Products of each type, single, in batches and in strides, with sizes of 32 and 64 bits, beside sums done here; each argument wrong once."""
    m, n, k = 2, 3, 2
    cells = lambda a, b, op_a, op_b: [sum((a[k * i + l] if op_a else a[m * l + i]) * (b[n * l + j] if op_b else b[k * j + l]) for l in range(k)) for j in range(n) for i in range(m)]
    for letter, number, parts in (("S", c_float, 1), ("D", c_double, 1), ("C", c_float, 2), ("Z", c_double, 2), ("Hgemm", None, 1), ("Cgemm3m", c_float, 2)):
        name = letter if "gemm" in letter else f"{letter}gemm"
        spread = lambda values: [value if part == 0 else 0 for value in values for part in range(parts)]
        make = lambda values: on_device(number, spread(values)) if number else on_device(ctypes.c_uint16, [half(value) for value in values])
        of = lambda array: list(array) if number else [of_half(value) for value in array]
        scalar = lambda value: (number * parts)(value) if number else (ctypes.c_uint16 * 1)(half(value))
        for suffix in ("", "_64"):
            for op_a, op_b in ((0, 0), (1, 0), (0, 1), (2, 2)):
                a, b = make([1, 2, 3, 4]), make([1, 2, 3, 4, 5, 6])
                lead_a, lead_b = (k if op_a else m), (n if op_b else k)
                wrong = [(0, NULL, BLAS_NOT_INITIALIZED), (1, 3, BLAS_INVALID), (1, -1, BLAS_INVALID), (2, 3, BLAS_INVALID), (3, -1, BLAS_INVALID), (4, -1, BLAS_INVALID),
                         (5, -1, BLAS_INVALID), (6, NULL, BLAS_INVALID)]  # fmt: skip
                expected = [2 * x + 3 for x in cells([1, 2, 3, 4], [1, 2, 3, 4, 5, 6], op_a, op_b)]
                c = make([1] * 6)
                if name in ("Hgemm", "Sgemm", "Dgemm", "Cgemm", "Zgemm", "Cgemm3m"):
                    version = "" if name in ("Hgemm", "Cgemm3m") else "_v2"
                    check(f"cublas{name}{version}{suffix}", (handle, op_a, op_b, m, n, k, scalar(2), a, lead_a, b, lead_b, scalar(3), c, m), *wrong,
                          *nulls((7, 9, 11, 12), BLAS_INVALID), (8, 1, BLAS_INVALID), (8, 0, BLAS_INVALID), (10, 1, BLAS_INVALID), (13, 1, BLAS_INVALID))  # fmt: skip
                    assert of(c) == spread(expected), (name, suffix, op_a, op_b, of(c), expected)
                c = make([1] * 12)
                two_a, two_b = make([1, 2, 3, 4] * 2), make([1, 2, 3, 4, 5, 6] * 2)
                check(f"cublas{name}StridedBatched{suffix}", (handle, op_a, op_b, m, n, k, scalar(2), two_a, lead_a, 4, two_b, lead_b, 6, scalar(3), c, m, 6, 2), *wrong,
                      *nulls((7, 10, 13, 14), BLAS_INVALID), (8, 1, BLAS_INVALID), (11, 1, BLAS_INVALID), (15, 1, BLAS_INVALID), (17, -1, BLAS_INVALID))  # fmt: skip
                assert of(c) == spread(expected * 2), (name, "strided", of(c))
                each = [make([1] * 6) for _ in range(2)]
                lists = [on_device(c_longlong, [at(x) for x in pair]) for pair in ((a, a), (b, b), each)]
                check(f"cublas{name}Batched{suffix}", (handle, op_a, op_b, m, n, k, scalar(2), lists[0], lead_a, lists[1], lead_b, scalar(3), lists[2], m, 2), *wrong,
                      *nulls((7, 9, 11, 12), BLAS_INVALID), (8, 1, BLAS_INVALID), (10, 1, BLAS_INVALID), (13, 1, BLAS_INVALID), (14, -1, BLAS_INVALID))  # fmt: skip
                assert all(of(c) == spread(expected) for c in each), name


# What each routine of level 3 and of a batch is given behind its handle; a matrix is two arguments, a vector too.
SHAPES = {
    "gemm": "op op size size size scalar matrix matrix scalar result", "symm": "side fill size size scalar matrix matrix scalar result",
    "syrk": "fill op size size scalar matrix scalar result", "herk": "fill op size size real matrix real result",
    "syr2k": "fill op size size scalar matrix matrix scalar result", "her2k": "fill op size size scalar matrix matrix real result",
    "trmm": "side fill op diag size size scalar matrix matrix result", "trsm": "side fill op diag size size scalar matrix result",
    "gemv": "op size size scalar matrix vector scalar vector_result"}  # fmt: skip
SHAPES |= {"hemm": SHAPES["symm"], "syrkx": SHAPES["syr2k"], "herkx": SHAPES["her2k"]}
WAYS = {"op": (0, 1, 2), "side": (0, 1), "fill": (0, 1), "diag": (0, 1)}
SIDE = 3  # of all matrices
LEAD = 4


def ways(kinds):
    """Each choice of operations, sides, triangles and diagonals."""
    lists = [[]]
    for kind in kinds:
        lists = [[*one, way] for one in lists for way in WAYS.get(kind, (None,))]
    return lists


def numbers_of(number, parts, seed):
    """A matrix of whole numbers whose diagonal is 1, 2 or 4, so that what is divided by it stays exact."""
    values = []
    for column in range(SIDE):
        for row in range(LEAD):
            value = (1 << (column % 3)) if row == column else (row * 3 + column * 5 + seed) % 7 - 3
            values += [value, 0 if row == column else (row + column + seed) % 3 - 1][:parts]
    return on_device(number, values)


def given_by(kinds, choice, number, parts, arrays, stride=False):
    """The arguments; arrays: of each matrix and vector in turn what is passed."""
    arguments, arrays = [], iter(arrays)
    for kind, way in zip(kinds, choice):
        if kind in WAYS:
            arguments.append(way)
        elif kind == "size":
            arguments.append(SIDE)
        elif kind in ("scalar", "real"):
            arguments.append((number * 2)(2, 0))
        else:
            arguments += [next(arrays), 1 if "vector" in kind else LEAD, *([LEAD * SIDE] if stride else [])]
    return arguments


def routines(handle):
    """Routines of cublasXt, on memory of the host, and of batches: the same numbers, and the same statuses, as of the routine itself."""
    xt, gone, zeros, number_of = made("cublasXtCreate"), made("cublasXtCreate"), (c_int * 64)(), c_int()
    check("cublasXtCreate", (byref(c_void_p()),), (0, NULL, BLAS_INVALID))
    check("cublasXtDestroy", (gone,), (0, NULL, BLAS_NOT_INITIALIZED), (0, zeros, BLAS_NOT_INITIALIZED))
    check("cublasXtDeviceSelect", (xt, 1, (c_int * 1)(0)), (0, NULL, BLAS_NOT_INITIALIZED), (1, 0, BLAS_INVALID), (1, 99, BLAS_INVALID), (2, NULL, BLAS_INVALID),
          (2, (c_int * 1)(-1), BLAS_INVALID), (2, (c_int * 1)(99), BLAS_INVALID))  # fmt: skip
    for name, first, value, wrong in (("BlockDim", 2048, 512, (0, -1)), ("PinningMemMode", 0, 1, (-1, 2))):
        for expected in (first, value):
            check(f"cublasXtGet{name}", (xt, byref(number_of)), (0, NULL, BLAS_NOT_INITIALIZED), (1, NULL, BLAS_INVALID))
            assert number_of.value == expected, name
            check(f"cublasXtSet{name}", (xt, value), (0, NULL, BLAS_NOT_INITIALIZED), *((1, bad, BLAS_INVALID) for bad in wrong))
    share = [(0, NULL, BLAS_NOT_INITIALIZED), (1, -1, BLAS_INVALID), (1, 12, BLAS_INVALID), (2, -1, BLAS_INVALID), (2, 4, BLAS_INVALID)]
    check("cublasXtSetCpuRoutine", (xt, 0, 3, zeros), *share, (3, NULL, BLAS_INVALID))
    check("cublasXtSetCpuRatio", (xt, 11, 0, c_float(0.5)), *share, (3, c_float(-1), BLAS_INVALID), (3, c_float(1.5), BLAS_INVALID))
    of_complex = ("hemm", "herk", "her2k", "herkx")
    for letter, number, parts in (("S", c_float, 1), ("D", c_double, 1), ("C", c_float, 2), ("Z", c_double, 2)):
        for name, shape in SHAPES.items():
            if name in of_complex and parts == 1:
                continue
            suffix, kinds = "" if name in ("syrkx", "herkx") else "_v2", shape.split(" ")
            for choice in ways(kinds):
                places = [kind for kind in kinds if "matrix" in kind or "result" in kind or kind == "vector"]
                make = lambda: [numbers_of(number, parts, seed) for seed in range(len(places))]
                arrays = make()
                status = call(f"cublas{letter}{name}{suffix}", handle, *given_by(kinds, choice, number, parts, arrays))
                wanted = list(arrays[-1])
                told = (letter, name, choice)
                if name != "gemv":
                    own = [(number * len(array))(*array) for array in make()]
                    assert call(f"cublasXt{letter}{name}", xt, *given_by(kinds, choice, number, parts, own)) == status, told
                    assert list(own[-1]) == wanted, told
                if name in ("gemv", "trsm"):
                    pairs = [make(), make()]
                    lists = [on_device(c_longlong, [at(pair[i]) for pair in pairs]) for i in range(len(places))]
                    for wide in ("", "_64"):
                        assert call(f"cublas{letter}{name}Batched{wide}", handle, *given_by(kinds, choice, number, parts, lists), 2 if not wide else 0) == status, told
                    assert all(list(pair[-1]) == wanted for pair in pairs), told
                if name == "gemv":
                    twice = [on_device(number, list(array) * 2) for array in make()]
                    assert call(f"cublas{letter}gemvStridedBatched", handle, *given_by(kinds, choice, number, parts, twice, stride=True), 2) == status, told
                    assert list(twice[-1]) == wanted * 2, told
            if name != "gemv":
                assert call(f"cublasXt{letter}{name}", NULL, *given_by(kinds, choice, number, parts, own)) == BLAS_NOT_INITIALIZED
    grouped(handle)


def grouped(handle):
    """Two groups of products, of one and of two, with shapes of their own; each argument wrong once, and each group's."""
    for name, number, types in (("Sgemm", c_float, None), ("Dgemm", c_double, None), ("Gemm", c_float, (R_32, R_32, R_32, 68))):
        for suffix, whole in (("", c_int), ("_64", c_int64)):
            ops, sizes, scalars = (c_int * 2)(0, 1), whole * 2, number * 2
            matrices = [on_device(number, [1, 2, 3, 4]) for _ in range(3)] + [on_device(number, [1, 1, 0, 1]) for _ in range(3)]
            results = [on_device(number, [1] * 4) for _ in range(3)]
            of = lambda arrays: (c_longlong * 3)(*map(at, arrays))
            two, count = sizes(2, 2), sizes(1, 2)
            # the pointers are the device's, too
            a, b, c = (on_device(c_longlong, list(of(arrays))) for arrays in (matrices[:3], matrices[3:], results))
            type_of = lambda i: [types[i]] if types else []
            given = [handle, ops, ops, two, two, two, scalars(2, 3), a, *type_of(0), two, b, *type_of(1), two, scalars(1, 0), c, *type_of(2), two, 2, count, *type_of(3)]
            leads = [i for i, value in enumerate(given) if value is two]
            others = [i for i, value in enumerate(given) if isinstance(value, ctypes.Array) and value not in (a, b, c)]
            bad_op, bad_size = (c_int * 2)(0, 7), sizes(2, -1)
            groups = len(given) - (3 if types else 2)
            full = f"cublas{name}GroupedBatched{'Ex' if types else ''}{suffix}"
            wrong = [(0, NULL, BLAS_NOT_INITIALIZED), *nulls(others, BLAS_INVALID), (1, bad_op, BLAS_INVALID), (2, bad_op, BLAS_INVALID), (groups, -1, BLAS_INVALID),
                     (groups, 0, 0), (groups + 1, sizes(1, -1), BLAS_INVALID), *((i, bad_size, BLAS_INVALID) for i in leads)]  # fmt: skip
            wrong += [(len(given) - 1, 5, BLAS_INVALID), (len(given) - 1, 70, BLAS_NOT_SUPPORTED)] if types else []
            check(full, given, *wrong)
            product = lambda x, y: [sum(x[2 * i + k] * y[2 * k + j] for k in (0, 1)) for j in (0, 1) for i in (0, 1)]  # both turned
            turned = [3 * x for x in product([1, 2, 3, 4], [1, 1, 0, 1])]
            plain = [2 * sum([1, 2, 3, 4][2 * k + i] * [1, 1, 0, 1][2 * j + k] for k in (0, 1)) + 1 for j in (0, 1) for i in (0, 1)]
            assert [list(x) for x in results] == [plain, turned, turned], (full, [list(x) for x in results], plain, turned)


def light(handle):
    """cublasLt: attributes that are set are got; products by layouts, each part wrong once."""
    layouts, number, size = [made("cublasLtMatrixLayoutCreate", R_32, 2, 2, 2) for _ in range(4)], c_int(), c_size_t()
    matmul, preference = made("cublasLtMatmulDescCreate", 68, R_32), made("cublasLtMatmulPreferenceCreate")
    for name, more in (("MatrixLayout", (R_32, 2, 2, 2)), ("MatmulDesc", (68, R_32)), ("MatmulPreference", ())):
        check(f"cublasLt{name}Create", (byref(c_void_p()), *more), (0, NULL, BLAS_INVALID))
        memory = (c_int64 * 64)()
        check(f"cublasLt{name}Init_internal", (memory, 512, *more), (0, NULL, BLAS_INVALID), (1, 8, BLAS_INVALID))
        check(f"cublasLt{name}Destroy", (NULL,))
    for name, of, which, first in (("MatrixLayout", layouts[0], 1, 0), ("MatmulDesc", matmul, 3, 0), ("MatmulPreference", preference, 3, -1)):
        for value in (first, 1):
            check(f"cublasLt{name}GetAttribute", (of, which, byref(number), 4, byref(size)), (0, NULL, BLAS_INVALID), (1, 99, BLAS_INVALID), (2, NULL, BLAS_INVALID), (3, 3, BLAS_INVALID),
                  (4, NULL, 0))  # fmt: skip
            assert (number.value, size.value) == (value, 4), name
            check(f"cublasLt{name}GetAttribute", (of, which, NULL, 0, byref(size)), (4, NULL, BLAS_INVALID))
            check(f"cublasLt{name}SetAttribute", (of, which, byref(c_int(1)), 4), (0, NULL, BLAS_INVALID), (1, 99, BLAS_INVALID), (2, NULL, BLAS_INVALID), (3, 8, BLAS_INVALID))
        call(f"cublasLt{name}SetAttribute", of, which, byref(c_int(first)), 4)
    a, b, c, d = (on_device(c_float, values) for values in ([1, 2, 3, 4], [5, 6, 7, 8], [1, 1, 1, 1], [0] * 4))
    alpha, beta, results, count = c_float(2), c_float(3), (c_int64 * 32)(), c_int(7)
    wide, single = made("cublasLtMatrixLayoutCreate", R_32, 3, 2, 3), made("cublasLtMatrixLayoutCreate", R_64, 2, 2, 2)
    complexes, unknown = made("cublasLtMatrixLayoutCreate", C_32, 2, 2, 2), made("cublasLtMatrixLayoutCreate", 77, 2, 2, 2)
    rows = made("cublasLtMatrixLayoutCreate", R_32, 2, 2, 2)
    call("cublasLtMatrixLayoutSetAttribute", rows, 1, byref(c_int(1)), 4)
    many, fifth, planes = (made("cublasLtMatrixLayoutCreate", R_32, 2, 2, 2) for _ in range(3))
    call("cublasLtMatrixLayoutSetAttribute", many, 5, byref(c_int(3)), 4)
    call("cublasLtMatrixLayoutSetAttribute", fifth, 1, byref(c_int(5)), 4)
    call("cublasLtMatrixLayoutSetAttribute", planes, 8, byref(c_int(1)), 4)
    wrong = lambda la, lb, lc, ld: [*nulls((la, lb, lc, ld), BLAS_INVALID), *((place, wide, BLAS_INVALID) for place in (la, lb, lc, ld)), (la, many, BLAS_INVALID), (lb, many, BLAS_INVALID),
                                    *((place, bad, BLAS_NOT_SUPPORTED) for place in (la, lb, lc, ld) for bad in (unknown, fifth, planes)), (lc, rows, BLAS_NOT_SUPPORTED),
                                    (la, single, BLAS_NOT_SUPPORTED), (lb, single, BLAS_NOT_SUPPORTED), (ld, single, BLAS_NOT_SUPPORTED), (la, complexes, BLAS_NOT_SUPPORTED),
                                    (lb, complexes, BLAS_NOT_SUPPORTED), (ld, complexes, BLAS_NOT_SUPPORTED)]  # fmt: skip
    given = (handle, matmul, byref(alpha), a, layouts[0], b, layouts[1], byref(beta), c, layouts[2], d, layouts[3], NULL, NULL, 0, NULL)
    asked = (handle, matmul, *layouts, preference, 1, results, byref(count))
    check("cublasLtMatmulAlgoGetHeuristic", asked, (0, NULL, BLAS_NOT_INITIALIZED), (1, NULL, BLAS_INVALID), *wrong(2, 3, 4, 5), (6, NULL, BLAS_INVALID), (7, 0, BLAS_INVALID),
          (8, NULL, BLAS_INVALID), (9, NULL, BLAS_INVALID))  # fmt: skip
    assert count.value == 1
    check("cublasLtMatmul", given, (0, NULL, BLAS_NOT_INITIALIZED), (1, NULL, BLAS_INVALID), *nulls((2, 3, 5, 7, 10), BLAS_INVALID), *wrong(4, 6, 9, 11))
    assert list(d) == [2 * sum(a[2 * l + i] * b[2 * j + l] for l in (0, 1)) + 3 for j in (0, 1) for i in (0, 1)], list(d)
    for which, value, status in ((0, 5, BLAS_INVALID), (0, 70, BLAS_NOT_SUPPORTED), (1, C_32, BLAS_NOT_SUPPORTED), (1, R_64, BLAS_NOT_SUPPORTED), (2, 2, BLAS_NOT_SUPPORTED),
                                 (5, 1, BLAS_NOT_SUPPORTED), (6, 0, BLAS_NOT_SUPPORTED), (7, 7, BLAS_INVALID), (7, 4, BLAS_INVALID), (7, 512, BLAS_NOT_SUPPORTED), (7, 130, BLAS_INVALID),
                                 (31, 1, BLAS_NOT_SUPPORTED), (37, 1, BLAS_NOT_SUPPORTED)):  # fmt: skip
        before = c_int()
        call("cublasLtMatmulDescGetAttribute", matmul, which, byref(before), 4, NULL)
        assert call("cublasLtMatmulDescSetAttribute", matmul, which, byref(c_int(value)), 4) == 0
        assert call("cublasLtMatmul", *given) == status, (which, value)
        call("cublasLtMatmulDescSetAttribute", matmul, which, byref(before), 4)
    for which in (21, 23, 24, 36, 38):  # pointers to what is not known here
        call("cublasLtMatmulDescSetAttribute", matmul, which, byref(c_longlong(at(d))), 8)
        assert call("cublasLtMatmul", *given) == BLAS_NOT_SUPPORTED, which
        call("cublasLtMatmulDescSetAttribute", matmul, which, byref(c_longlong(0)), 8)
    check("cublasLtMatmul", given)


def of_any_type(handle):
    """Vectors with their types as numbers: sums done here; each argument wrong once."""
    for suffix, index in (("", c_int), ("_64", c_int64)):
        for type, number in FLOATS.items():
            x, y = on_device(number, [1, -2, 3]), on_device(number, [4, 5, 6])
            alpha, sine, result, place = number(2), number(1), number(), index()
            none, vectors = (0, NULL, BLAS_NOT_INITIALIZED), [(3, 77, BLAS_NOT_SUPPORTED), (3, C_32, BLAS_NOT_SUPPORTED)]
            both = [none, (2, NULL, BLAS_INVALID), (5, NULL, BLAS_INVALID), *vectors, (6, 77, BLAS_NOT_SUPPORTED), (1, 0, 0), (1, -1, 0)]
            check(f"cublasAxpyEx{suffix}", (handle, 3, byref(alpha), type, x, type, 1, y, type, 1, type), none, *nulls((2, 4, 7), BLAS_INVALID), (3, 77, BLAS_NOT_SUPPORTED),
                  (5, 77, BLAS_NOT_SUPPORTED), (8, C_32, BLAS_NOT_SUPPORTED), (1, -1, 0))  # fmt: skip
            assert list(y) == [6, 1, 12]
            check(f"cublasScalEx{suffix}", (handle, 3, byref(alpha), type, x, type, 1, type), none, *nulls((2, 4), BLAS_INVALID), (3, 77, BLAS_NOT_SUPPORTED), (5, 77, BLAS_NOT_SUPPORTED))
            assert list(x) == [2, -4, 6]
            check(f"cublasRotEx{suffix}", (handle, 3, x, type, 1, y, type, 1, byref(number(0)), byref(sine), type, type), *both, *nulls((8, 9), BLAS_INVALID), (10, 77, BLAS_NOT_SUPPORTED))
            assert (list(x), list(y)) == ([6, 1, 12], [-2, 4, -6])
            check(f"cublasSwapEx{suffix}", (handle, 3, x, type, 1, y, type, -1), *both)
            assert (list(x), list(y)) == ([-6, 4, -2], [12, 1, 6])
            for name in ("DotEx", "DotcEx"):
                check(f"cublas{name}{suffix}", (handle, 3, x, type, 1, y, type, 1, byref(result), type, type), *both, (8, NULL, BLAS_INVALID), (9, 77, BLAS_NOT_SUPPORTED))
                assert result.value == -6 * 12 + 4 * 1 - 2 * 6
            for name, value in (("Nrm2Ex", 56**0.5), ("AsumEx", 12)):
                check(f"cublas{name}{suffix}", (handle, 3, x, type, 1, byref(result), type, type), none, *nulls((2, 5), BLAS_INVALID), *vectors[:1], (6, 77, BLAS_NOT_SUPPORTED))
                assert abs(result.value - value) < 1e-5
            for name, value in (("IamaxEx", 1), ("IaminEx", 3)):
                check(f"cublas{name}{suffix}", (handle, 3, x, type, 1, byref(place)), none, *nulls((2, 5), BLAS_INVALID), *vectors[:1])
                assert place.value == value, name
            check(f"cublasCopyEx{suffix}", (handle, 3, x, type, 1, y, type, 1), *both)
            assert list(y) == list(x)
            call("cublasSetPointerMode_v2", handle, 1)
            factor, told = on_device(number, [3]), on_device(number, [0])
            check(f"cublasScalEx{suffix}", (handle, 3, factor, type, x, type, 1, type))
            check(f"cublasAsumEx{suffix}", (handle, 3, x, type, 1, told, type, type))
            call("cublasSetPointerMode_v2", handle, 0)
            assert (list(x), told[0]) == ([-18, 12, -6], 36)


def half(value):
    import struct

    return struct.unpack("<H", struct.pack("<e", value))[0]


def of_half(bits):
    import struct

    return struct.unpack("<e", struct.pack("<H", bits))[0]


# ---- cuFFT ----

FFT_INVALID_PLAN, FFT_INVALID_TYPE, FFT_INVALID, FFT_INVALID_SIZE = 1, 3, 4, 8
R2C, C2R, C2C, D2Z, Z2D, Z2Z = 0x2A, 0x2C, 0x29, 0x6A, 0x6C, 0x69


def fft():
    import cmath

    versions("cufft", FFT_INVALID, (12, 0, 0), 12000, nowhere=0)
    size, plan = c_size_t(7), c_int()
    work = lambda: byref(size)
    sizes = (c_int * 3)(2, 3, 4)
    many = (3, sizes, NULL, 1, 24, NULL, 1, 24, C2C, 1)
    for name, given in (("1d", (8, C2C, 1)), ("2d", (4, 8, C2C)), ("3d", (2, 4, 8, C2C)), ("Many", many)):
        check(f"cufftEstimate{name}", (*given, work()), (len(given), NULL, FFT_INVALID))
        call("cufftCreate", byref(plan))
        check(f"cufftGetSize{name}", (plan.value, *given, work()), (0, 99, FFT_INVALID_PLAN), (0, 0, FFT_INVALID_PLAN), (0, -1, FFT_INVALID_PLAN), (len(given) + 1, NULL, FFT_INVALID))
        check("cufftGetSize", (plan.value, work()), status=FFT_INVALID_PLAN)  # it is for nothing yet
        check(f"cufftMakePlan{name}", (plan.value, *given, work()), (0, 99, FFT_INVALID_PLAN), (1, 0, FFT_INVALID if name == "Many" else FFT_INVALID_SIZE))
        check(f"cufftMakePlan{name}", (plan.value, *given, work()), status=FFT_INVALID_PLAN)  # it is made
        check("cufftGetSize", (plan.value, work()), (0, 99, FFT_INVALID_PLAN), (1, NULL, FFT_INVALID))
        for setting in ("cufftSetWorkArea", "cufftSetAutoAllocation", "cufftSetStream"):
            check(setting, (plan.value, 0), (0, 99, FFT_INVALID_PLAN))
        check("cufftDestroy", (plan.value,), (0, 99, FFT_INVALID_PLAN))
        made_at_once = (byref(plan), *given)
        check(f"cufftPlan{name}", made_at_once, (0, NULL, FFT_INVALID), (1, 0, FFT_INVALID if name == "Many" else FFT_INVALID_SIZE))
        check("cufftDestroy", (plan.value,))
    check("cufftCreate", (byref(plan),), (0, NULL, FFT_INVALID))
    check("cufftMakePlanMany", (plan.value, *many, NULL), (1, 4, FFT_INVALID), (2, NULL, FFT_INVALID))
    call("cufftCreate", byref(plan))
    long = (c_longlong * 3)(2, 3, 4)
    check("cufftMakePlanMany64", (plan.value, 3, long, *many[2:], NULL), (1, 0, FFT_INVALID), (2, NULL, FFT_INVALID), (10, 0, FFT_INVALID_SIZE))
    for name in ("cufftEstimateMany", "cufftGetSizeMany"):
        first = (plan.value,) if "Get" in name else ()
        check(name, (*first, *many, work()), (len(first), 0, FFT_INVALID), (len(first) + 1, NULL, FFT_INVALID))
    for kind, number, parts_in, parts_out, execute in ((C2C, c_float, 2, 2, "C2C"), (Z2Z, c_double, 2, 2, "Z2Z"), (R2C, c_float, 1, 2, "R2C"), (D2Z, c_double, 1, 2, "D2Z"),
                                                      (C2R, c_float, 2, 1, "C2R"), (Z2D, c_double, 2, 1, "Z2D")):  # fmt: skip
        for count in (4, 5, 6):
            numbers = [complex(k + 1, (-1) ** k if parts_in == 2 and parts_out == 2 else 0) for k in range(count)]
            transformed = [sum(x * cmath.exp(-2j * cmath.pi * i * k / count) for k, x in enumerate(numbers)) for i in range(count)]
            kept = count // 2 + 1 if 1 in (parts_in, parts_out) else count
            source, result = (numbers, transformed[:kept]) if parts_out == 2 else (transformed[:kept], [count * x for x in numbers])
            flat = lambda values, parts: [part for x in values for part in ((x.real, x.imag) if parts == 2 else (x.real,))]
            a, b = on_device(number, flat(source, parts_in)), on_device(number, [0] * (len(result) * parts_out))
            check("cufftPlan1d", (byref(plan), count, kind, 1), (1, -1, FFT_INVALID_SIZE), (2, 0, FFT_INVALID_TYPE), (3, 0, FFT_INVALID_SIZE))
            direction = (-1,) if execute in ("C2C", "Z2Z") else ()
            check(f"cufftExec{execute}", (plan.value, a, b, *direction), (0, 99, FFT_INVALID_PLAN), *(((3, 0, FFT_INVALID),) if direction else ()))
            near = max(abs(x - y) for x, y in zip(b, flat(result, parts_out)))
            assert near < 1e-4 * count, (execute, count, near)
            b[:] = [0] * len(b)
            check("cufftXtExec", (plan.value, a, b, -1), (0, 99, FFT_INVALID_PLAN))
            assert max(abs(x - y) for x, y in zip(b, flat(result, parts_out))) < 1e-4 * count
            call("cufftDestroy", plan.value)
    embeds = (c_int * 3)(2, 3, 4)
    for wrong in ((3, 0), (3, -1), (4, 0), (6, 0), (7, -1)):
        given = [1, sizes, embeds, 1, 2, embeds, 1, 2, C2C, 1]
        given[wrong[0]] = wrong[1]
        assert call("cufftPlanMany", byref(plan), *given) == FFT_INVALID, wrong
    assert call("cufftPlanMany", byref(plan), 2, sizes, (c_int * 2)(2, 0), 1, 2, embeds, 1, 2, C2C, 1) == FFT_INVALID


# ---- cuRAND ----

RAND_NOT_INITIALIZED, RAND_TYPE, RAND_RANGE, RAND_LENGTH = 101, 103, 104, 105


def rand():
    versions("curand", RAND_RANGE, (10, 4, 0), 10400)
    for host in ("", "Host"):
        generator, zeros = made(f"curandCreateGenerator{host}", 100), (c_int * 64)()
        check(f"curandCreateGenerator{host}", (byref(c_void_p()), 100), (0, NULL, RAND_NOT_INITIALIZED), (1, 7, RAND_TYPE))
        memory = (c_double * 64)() if host else on_device(c_double, [0] * 64)
        check("curandSetStream", (generator, NULL), (0, NULL, RAND_NOT_INITIALIZED), (0, zeros, RAND_NOT_INITIALIZED))
        check("curandSetPseudoRandomGeneratorSeed", (generator, 5), (0, NULL, RAND_NOT_INITIALIZED))
        check("curandSetGeneratorOffset", (generator, 0), (0, NULL, RAND_NOT_INITIALIZED))
        check("curandSetGeneratorOrdering", (generator, 101), (0, NULL, RAND_NOT_INITIALIZED), (1, 99, RAND_RANGE), (1, 105, RAND_RANGE),
              *(((1, 104, RAND_RANGE),) if host else ((1, 104, 0),)), (1, 102, 0), (1, 103, 0), (1, 100, 0))  # fmt: skip
        check("curandSetQuasiRandomGeneratorDimensions", (generator, 2), (0, NULL, RAND_NOT_INITIALIZED), status=RAND_TYPE)
        check("curandGenerateSeeds", (generator,), (0, NULL, RAND_NOT_INITIALIZED))
        for name, more in (("", ()), ("Uniform", ()), ("UniformDouble", ()), ("Normal", (c_float(0), c_float(1))), ("NormalDouble", (0.0, 1.0)), ("LogNormal", (c_float(0), c_float(1))),
                           ("LogNormalDouble", (0.0, 1.0))):  # fmt: skip
            check(f"curandGenerate{name}", (generator, memory, 32, *more), (0, NULL, RAND_NOT_INITIALIZED), (0, zeros, RAND_NOT_INITIALIZED), (2, 0, 0),
                  *(((2, 31, RAND_LENGTH),) if "Normal" in name else ()))  # fmt: skip
        assert all(memory[i] > 0 for i in range(32)) and len(set(memory[:32])) == 32  # of the last: logarithms are of any sign
        check("curandGenerateLongLong", (generator, memory, 8), (0, NULL, RAND_NOT_INITIALIZED), status=RAND_TYPE)
        check("curandGeneratePoisson", (generator, memory, 32, 10.0), (0, NULL, RAND_NOT_INITIALIZED), (3, 0.0, RAND_RANGE), (3, -1.0, RAND_RANGE), (3, 1e9, RAND_RANGE),
              (3, float("nan"), RAND_RANGE), (3, 0.5, 0), (3, 5000.0, 0))  # fmt: skip
        assert call("curandGeneratePoisson", NULL, memory, 32, 0.0) == RAND_NOT_INITIALIZED
        check("curandDestroyGenerator", (generator,), (0, NULL, RAND_NOT_INITIALIZED), (0, zeros, RAND_NOT_INITIALIZED))


NEED_BLAS = ("blas", "solver")
ROOMS = {"blas": blas, "fft": fft, "rand": rand, "solver": solver, "sparse": sparse}


def inside(path, room):
    global library, driver
    driver, library = ctypes.CDLL(None), ctypes.CDLL(path)
    context, memory = c_void_p(), c_int()
    assert driver.cuInit(0) == 0 and driver.cuDevicePrimaryCtxRetain(byref(context), 0) == 0 and driver.cuCtxSetCurrent(context) == 0, memory
    ROOMS[room]()
    print(f"{room}: {calls} calls", flush=True)


def main():
    if sys.argv[1] == "--inside":
        return inside(*sys.argv[2:])
    warplens, path = sys.argv[1:3]
    failed = 0
    for room in sys.argv[3:] or ROOMS:
        if room in NEED_BLAS and not ctypes.util.find_library("openblas"):
            print(f"{room}: skipped: there is no OpenBLAS")
            continue
        command = [warplens, "run", "-q", "--no-save", sys.executable, "-B", os.path.abspath(__file__), "--inside", path, room]
        done = subprocess.run(command, capture_output=True, text=True)
        print(done.stdout, end="")
        if done.returncode:
            failed += 1
            print(f"{room}: status {done.returncode}\n{done.stderr[-3000:]}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
