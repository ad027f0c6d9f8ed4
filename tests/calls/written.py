"""What the kernels of written.ptx compute."""

import numpy as np


def exchange(a, b, depth):
    if depth == 0:
        return a, b
    quotient, rest = exchange(b, a, depth - 1)
    return quotient + a, rest - b


def jump(i):
    return [3, 2, 3, 4][i % 4] if i < 24 else 1000


def add_up(i):
    which, items = i % 8, [i, 2, 3, 4, 5, 6, 7, i]
    return [9] * 4 if which == 5 else [1000 + sum(items[: which + 1]), which + 1, i, which]


def pointed(i):
    if i == 7:
        return 99  # has left
    if i % 2:
        return 3 * i
    return 2 * i + (i <= 20)


def launch(kernel, expected, **rest):
    expected = np.array(expected).astype(np.uint32)
    filled = np.full_like(expected, 99)
    return {"kernel": kernel, "arguments": [filled], "results": {0: expected}, **rest}


LANES = range(32)
LAUNCHES = [
    launch("registers", [exchange(i, 100, i % 5) for i in LANES]),
    launch("jumps", [jump(i) for i in LANES], sites={"st.global": {"requests": 1}}),
    launch("arrays", [add_up(i) for i in LANES]),
    launch("rounds", [10000 + i for i in LANES]),
    launch("pointers", [pointed(i) for i in LANES], sites={"st.global": {"requests": 1, "lanes": 31}}),
    launch("halves", [[(3 << 16) + 3 * i + 1000, 99, i, i + 1] for i in LANES]),
]
