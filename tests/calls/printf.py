"""What the kernels of printf.cu print, by the C library's printf."""

import ctypes

import numpy as np

C = ctypes.CDLL(None)
TEXT = b"a word"


def c(form, *arguments):
    """One line as snprintf makes it."""
    out = ctypes.create_string_buffer(4096)
    C.snprintf(out, ctypes.c_size_t(4096), form.encode(), *arguments)
    return out.value.decode() + "\n"


def d(value):
    return ctypes.c_double(value)


def q(value):
    return ctypes.c_ulonglong(value)


FORMATS = "".join(
    [
        c("plain, 100%%"),
        c("[%d] [%i] [%5d] [%-5d] [%05d] [%+d] [% d] [%.3d] [%8.3d]", 42, -42, 42, 42, 42, 42, 42, 7, -7),
        c("[%u] [%x] [%X] [%#x] [%o] [%#o] [%08X]", ctypes.c_uint(4000000000), 48879, 48879, 255, 8, 8, 48879),
        c("[%lld] [%lld]", q(-1234567890123), q(-9223372036854775808)).rstrip("\n")
        + " "
        + c("[%llu] [%llx] [%llX]", q(18446744073709551615), q(81985529216486895), q(3735928559)),
        c("[%hd] [%hu] [%hhd] [%hhx]", -2, 65535, -3, 200),
        c("[%c] [%3c] [%-3c]", ord("x"), ord("y"), ord("z")),
        c("[%s] [%10s] [%-10s] [%.3s] [%s]", TEXT, TEXT, TEXT, TEXT, b"(null)"),
        c("[%f] [%.2f] [%10.3f] [%-10.1f] [%+f] [%010.2f] [%.0f] [%#.0f]", d(3.25), d(2.675), d(-1.5), d(9.96), d(0.5), d(-3.14159), d(2.5), d(3.0)),
        c("[%e] [%.3E] [%g] [%G] [%g] [%a] [%A] [%F]", d(12345.678), d(0.00012), d(1e-5), d(1e20), d(100000.0), d(1.0), d(float(np.float32(0.1))), d(float("inf"))),
        c("[%*d] [%-*d] [%.*f] [%*.*f]", 6, 42, 6, 42, 2, d(3.14159), 9, 3, d(2.71828)),
        c("[%d] [%f] [%lld] [%c] [%f]", 1, d(2.0), q(3), ord("4"), d(5.0)),
    ]
)

# Lanes print in their order; what the lanes of a warp print at once is not torn.
SOME = np.full(32, -5, np.int32)
SOME[3::8] = 2
SOME[0] = 0
NUMBERS = "".join(f"{i} " for i in range(32))

LAUNCHES = [
    {"kernel": "formats", "block": "1", "arguments": [], "output": FORMATS},
    {
        "kernel": "some",
        "arguments": [np.zeros(32, np.int32)],
        "results": {0: SOME},
        "output": "".join(f"lane {i} of block 0\n" for i in range(3, 32, 8)) + "no arguments\n" + NUMBERS,
    },
]
