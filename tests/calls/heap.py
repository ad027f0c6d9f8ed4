"""What the kernels of heap.cu compute."""

import numpy as np

N, THREADS, BLOCKS = 20, 64, 4


def sum_of_list(seed):
    values = []
    for _ in range(N):
        seed = (seed * 1664525 + 1013904223) % 2**32
        values.append(seed >> 16)
    return sum(value * place for place, value in enumerate(sorted(values), 1))


LISTS = np.array([sum_of_list(i) for i in range(THREADS * BLOCKS)], np.int64)
MEGABYTE = 1 << 20

LAUNCHES = [
    {
        "kernel": "lists",
        "grid": str(BLOCKS),
        "block": str(THREADS),
        "arguments": [np.zeros_like(LISTS), f"i32={N}"],
        "results": {0: LISTS},
    },
    {  # CUDA's heap has 8 MiB
        "kernel": "exhausted",
        "block": "1",
        "arguments": [np.zeros(4, np.int32), f"i32={MEGABYTE}"],
        "results": {0: np.array([8, 8, 1, 7], np.int32)},
    },
    {
        "kernel": "exhausted",
        "block": "1",
        "arguments": [np.zeros(4, np.int32), f"i32={3 * MEGABYTE}"],
        "results": {0: np.array([2, 2, 1, 7], np.int32)},
    },
    {
        "kernel": "freed_twice",
        "block": "1",
        "arguments": [np.zeros(1, np.int32)],
        "fault": "which malloc did not give, or which is free already",
    },
]
