"""What the kernels of stack.cu compute."""

import numpy as np

LANES = np.arange(32)


def mirrored(n):
    return sum((n - 1 - i) ** 2 * i for i in range(n))


def choose(which, value):
    if which == 0:
        return value + 11
    if which == 1:
        return value * 3
    if which in (2, 3):
        return (value ^ 0x55 if which == 2 else value) - 7
    if which == 4:
        return value // 2
    if which == 5:
        return -value
    if which == 6:
        return value * value
    return value % 5 if which == 7 else 0


def switched(i):
    value = int(i)
    for k in range(3):
        value = choose((i + k) % 10, value) & 0xFFFF
    return value


def launch(kernel, expected):
    return {"kernel": kernel, "arguments": [np.zeros_like(expected)], "results": {0: expected}}


def faulting(kernel, message):
    return {"kernel": kernel, "arguments": [np.zeros(32, np.int32)], "fault": message}


LAUNCHES = [
    launch("allocas", np.array([mirrored(i % 7) * 100000 + mirrored(i) for i in LANES], np.int32)),
    launch("deep_allocas", np.array([i * (i + 1) // 2 for i in LANES], np.int32)),
    launch("switches", np.array([switched(i) for i in LANES], np.int32)),
    faulting("overflows", "stack overflow"),
    faulting("asserts", "assertion `value < 5' failed"),
    faulting("traps", "trap executed"),
]
