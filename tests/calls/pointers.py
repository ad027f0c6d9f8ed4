"""What the kernels of pointers.cu compute."""

import numpy as np

LANES = np.arange(64)
OPERATIONS = [lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b]
ADD, SUBTRACT, MULTIPLY = OPERATIONS
CONSTANTS = [MULTIPLY, ADD]


def table(i):
    return OPERATIONS[i % 3](i, 5) + 1000 * CONSTANTS[i // 16 % 2](i, 2)


def twice(operation, a, b):
    return operation(operation(a, b), b)


def measure(i):
    area = 3.0 * i * i if i % 3 == 1 else float(i) * i
    return area + 100.0 * [4, 0, 6][i % 3]


def launch(kernel, expected, *more, **rest):
    return {
        "kernel": kernel,
        "block": "64",
        "arguments": [np.zeros_like(expected), *more],
        "results": {0: expected},
        **rest,
    }


LAUNCHES = [
    launch("table", np.array([table(i) for i in LANES], np.int32), sites={"st.global": {"requests": 2}}),
    launch("passed", np.array([twice(ADD, i, 3) for i in LANES], np.int32), "i32=0"),
    launch(
        "passed",
        np.array([twice(MULTIPLY if i % 2 else SUBTRACT, i, 3) for i in LANES], np.int32),
        "i32=1",
    ),
    launch("shapes", np.array([measure(i) for i in LANES], np.float32)),
    {
        "kernel": "null_call",
        "arguments": [np.zeros(32, np.int32), "u64=0"],
        "fault": "call through a null pointer",
    },
    {
        "kernel": "null_call",
        "arguments": [np.zeros(32, np.int32), "u64=4096"],
        "fault": "call through what is no pointer to a function",
    },
]
