"""What the kernels of direct.cu compute."""

import numpy as np

LANES = np.arange(128)


def weigh(value, weight):
    return value * weight + 1


def structs():
    out = np.zeros(128)
    for i in LANES:
        first, second = int(i + 0.75), i * 0.5
        matrix = [i * 10 + k for k in range(9)]
        matrix = [matrix[k % 3 * 3 + k // 3] for k in range(9)]
        trace = sum(0 if k == i % 4 else matrix[4 * k] for k in range(3))
        out[i] = first + second + trace + 1000 * matrix[i % 9]
    return out


def counted():
    out = np.zeros((128, 16), np.uint8)
    for i in LANES:
        for k in range(16):
            out[i, k] = (k + (i - 5 if k % 2 == i % 2 or (i % 2 == 0 and k % 2 == 0) else 0)) % 256
    return out


def divergent():
    out = np.zeros(128, np.int64)
    for i in LANES:
        total = 0
        if i % 3 == 0:
            total = weigh(i, 5)
        elif i % 3 == 1:
            total = weigh(i, 7) - weigh(1, i)
        for k in range(i % 5):
            total = weigh(total, k)
        out[i] = total
    return out.astype(np.int32)


def leaving():
    out = np.full(128, -1, np.int32)
    for i in LANES:
        if i % 7 >= 4:
            out[i] = i + 4
    return out


def empty(kind=np.int32):
    return np.full(128, -1, kind)


FROM_TWO_PLACES = np.where(LANES % 2, 1000 + (LANES ^ 1) * 20, 2000 + (LANES ^ 1) * 2).astype(np.int32)

LAUNCHES = [
    {
        "kernel": "scalars",
        "block": "128",
        "arguments": [empty()],
        "results": {0: (weigh(LANES, 3) + weigh(7, LANES)).astype(np.int32)},
    },
    {
        "kernel": "structs",
        "block": "128",
        "arguments": [empty(np.float64)],
        "results": {0: structs()},
    },
    {
        "kernel": "bytes",
        "block": "128",
        "arguments": [np.zeros(128 * 16, np.uint8)],
        "results": {0: counted()},
    },
    {
        "kernel": "divergent",
        "block": "128",
        "arguments": [empty()],
        "results": {0: divergent()},
        "sites": {"st.global": {"requests": 4}},  # the lanes are together again
    },
    {
        "kernel": "together",
        "grid": "3",
        "block": "128",
        "arguments": [np.full(3 * 128, -1, np.int32)],
        "results": {0: np.tile(sum(i * i for i in range(128)) + (LANES ^ 1), 3).astype(np.int32)},
        "sites": {"st.shared": {"requests": 3 * (4 + 2 + 1 + 1 + 1 + 1 + 1 + 1 + 4 - 4)}},
    },
    {
        "kernel": "from_two_places",
        "block": "128",
        "arguments": [empty()],
        "results": {0: FROM_TWO_PLACES},
    },
    {
        "kernel": "leaving",
        "block": "128",
        "arguments": [empty()],
        "results": {0: leaving()},
    },
]
