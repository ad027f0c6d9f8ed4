"""What the kernels of recursion.cu compute."""

import itertools

import numpy as np

LANES = np.arange(64)


def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def ackermann(m, n):
    while m:
        n = ackermann(m, n - 1) if n else 1
        m -= 1
    return n + 1


def permutations(i):
    n = 2 + i % 3
    # The order of swapping: the last one has the first and the last element swapped at each level.
    last, count = None, 0

    def permute(items, k):
        nonlocal last, count
        mine = list(items)
        if k == n:
            last = int("".join(map(str, mine)))
            count += 1
            return
        for j in range(k, n):
            mine[k], mine[j] = mine[j], mine[k]
            permute(mine, k + 1)

    permute(range(1, n + 1), 0)
    assert count == len(list(itertools.permutations(range(n))))
    return count * 10000 + last


def sum_to(n, step):
    return sum(range(n, 0, -step))


def unsorted():
    return np.random.default_rng(4).integers(-1000, 1000, 64 * 50).astype(np.int32)


def launch(kernel, expected, *more):
    zero = np.zeros_like(expected)
    return {
        "kernel": kernel,
        "block": "64",
        "arguments": [zero, *more],
        "results": {0: expected},
    }


LAUNCHES = [
    launch("fibonaccis", np.array([fibonacci(i % 14) for i in LANES], np.int32)),
    launch("ackermanns", np.array([ackermann(i % 3, i % 5) for i in LANES], np.int32)),
    launch("parities", np.where(LANES % 2, 2, 1).astype(np.int32)),
    launch("sums", np.array([sum_to(100 + i, 1 + i % 2) for i in LANES], np.int64), "i32=100"),
    launch("sums", np.array([sum_to(1500 + i, 1 + i % 2) for i in LANES], np.int64), "i32=1500"),
    launch("permutations", np.array([permutations(i) for i in LANES], np.int32)),
    {
        "kernel": "sorts",
        "block": "64",
        "arguments": [unsorted(), "i32=50"],
        "results": {0: np.sort(unsorted().reshape(64, 50), axis=1)},
    },
]
