"""The launches that bench/run times: grid, block, arguments, and the expected result of one of them.

Values are small whole numbers, so that float arithmetic is exact in any order.
"""

import array
import random
import struct

FORMATS = {"u8": ("|u1", "B"), "i32": ("<i4", "i"), "u32": ("<u4", "I"), "u64": ("<u8", "Q")}
FORMATS |= {"f32": ("<f4", "f"), "f16": ("<f2", None)}  # .npy's name, array's


def npy(path, kind, values):
    """Writes a one-dimensional .npy file, version 1.0; its bytes of data."""
    name, code = FORMATS[kind]
    header = f"{{'descr': '{name}', 'fortran_order': False, 'shape': ({len(values)},), }}"
    header = header.ljust(117) + "\n"  # 10 + 118 bytes: a multiple of 64
    if code:
        data = array.array(code, values).tobytes()
    else:
        data = struct.pack(f"<{len(values)}e", *values)
    path.write_bytes(
        b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + data
    )
    return len(data)


# Each of these gives a launch: grid, block, arguments, number of the argument with the result, its
# expected values. An argument is (kind, values) for an array, or text for a scalar.


def vecadd(_):
    n = 1 << 20
    a, b = range(n), range(n, 0, -1)
    arrays = ("f32", a), ("f32", b), ("f32", [0] * n)
    return "4096", "256", [*arrays, f"i32={n}"], 2, [n] * n


def product(n, generator, most=100):
    """A, B and A B. B has two entries per column, so that the product takes n * n steps."""
    a = [generator.randrange(-most, most) for _ in range(n * n)]
    b = [0] * (n * n)
    for j in range(n):
        b[j * n + j] = 2
        b[(7 * j + 1) % n * n + j] = 3  # never the same row as above: 6 j + 1 is odd
    c = [2 * a[i * n + j] + 3 * a[i * n + (7 * j + 1) % n] for i in range(n) for j in range(n)]
    return a, b, c


def matmul(n, side, generator):
    a, b, c = product(n, generator)
    arrays = ("f32", a), ("f32", b), ("f32", [0] * n * n)
    return f"{n // side},{n // side}", f"{side},{side}", [*arrays, f"i32={n}"], 2, c


def matmul_naive(generator):
    return matmul(256, 16, generator)


def matmul_tiled(generator):
    return matmul(512, 32, generator)


def transpose(_):
    n = 1024
    turned = [y * n + x for x in range(n) for y in range(n)]
    arrays = ("f32", range(n * n)), ("f32", [0] * n * n)
    return "32,32", "32,8", [*arrays, f"i32={n}"], 1, turned


def scan(generator):
    n, tile = 256, 32
    image = [generator.randrange(256) for _ in range(n * n)]
    sums = list(image)
    for y in range(n):
        for x in range(n):
            left = sums[y * n + x - 1] if x % tile else 0
            above = sums[(y - 1) * n + x] if y % tile else 0
            both = sums[(y - 1) * n + x - 1] if x % tile and y % tile else 0
            sums[y * n + x] += left + above - both
    return "8,8", "32,32", [("u8", image), ("u64", [0] * n * n), f"i32={n}"], 1, sums


def gemm_tensor(generator):
    n = 512
    a, b, c = product(n, generator, 16)
    arrays = ("f16", a), ("f16", b), ("f32", [0] * n * n)
    return f"{n // 64},{n // 64}", "128", [*arrays, f"i32={n}"], 2, c


def reduce(generator):
    values = [generator.randrange(100) for _ in range(1 << 21)]
    arrays = ("i32", values), ("i32", [0])
    return "256", "256", [*arrays, f"i32={len(values)}"], 1, [sum(values)]


def histogram(generator):
    values = [min(generator.randrange(256), generator.randrange(256)) for _ in range(1 << 20)]
    counts = [0] * 256
    for value in values:
        counts[value] += 1
    arrays = ("u8", values), ("u32", [0] * 256)
    return "128", "256", [*arrays, f"i32={len(values)}"], 1, counts


def stencil(generator):
    width, height = 1000, 1000  # blocks at two edges reach over them
    plate = [4 * generator.randrange(1000) for _ in range(width * height)]
    after = list(plate)
    for at in range(width + 1, width * (height - 1) - 1):
        if 0 < at % width < width - 1:
            around = plate[at - 1] + plate[at + 1] + plate[at - width] + plate[at + width]
            after[at] = around / 4
    arrays = ("f32", plate), ("f32", [0] * width * height)
    return "32,125", "32,8", [*arrays, f"i32={width}", f"i32={height}"], 1, after


def mandelbrot(_):
    width, height, limit = 192, 128, 256
    steps = []
    for py in range(height):
        for px in range(width):
            cx, cy, x, y, step = -2.0 + 3.0 * px / width, -1.0 + 2.0 * py / height, 0.0, 0.0, 0
            while step < limit and x * x + y * y <= 4.0:
                x, y, step = x * x - y * y + cx, 2 * x * y + cy, step + 1
            steps.append(step)
    arguments = [("i32", [0] * len(steps)), f"i32={width}", f"i32={height}", f"i32={limit}"]
    return f"{width // 16},{height // 16}", "16,16", arguments, 0, steps


def growing(blocks):
    """The one that is launched with grids of many sizes; its result is not looked at."""
    arrays = ("u32", [i * 2654435761 % (1 << 32) for i in range(1 << 14)]), ("u32", [0] * 256)
    return str(blocks), "256", list(arrays), 1, None


# Kernel -> its file, and its launch.
FIVE = {
    "vecadd": ("kernels.ptx", vecadd),
    "matmulNaive": ("kernels.ptx", matmul_naive),
    "matmulTiled": ("kernels.ptx", matmul_tiled),
    "transpose": ("kernels.ptx", transpose),
    "scan": ("kernels.ptx", scan),
}
MORE = {
    "gemmTensor": ("more.ptx", gemm_tensor),
    "reduce": ("more.ptx", reduce),
    "histogram": ("more.ptx", histogram),
    "stencil": ("more.ptx", stencil),
    "mandelbrot": ("more.ptx", mandelbrot),
}
KERNELS = FIVE | MORE


# Launches that last: grid, block, arguments that are filled by warplens; results are not looked at.
LONG = {
    "vecadd": ("65536", "256", "f32[16777216]=random:1 f32[16777216]=random:2 f32[16777216] i32=16777216"),
    "matmulNaive": ("32,32", "16,16", "f32[262144]=random:1 f32[262144]=random:2 f32[262144] i32=512"),
    "matmulTiled": ("32,32", "32,32", "f32[1048576]=random:1 f32[1048576]=random:2 f32[1048576] i32=1024"),
    "transpose": ("128,128", "32,8", "f32[16777216]=random:1 f32[16777216] i32=4096"),
    "scan": ("64,64", "32,32", "u8[4194304]=random:1 u64[4194304] i32=2048"),
    "gemmTensor": ("16,16", "128", "f16[1048576]=random:1 f16[1048576]=random:2 f32[1048576] i32=1024"),
    "reduce": ("4096", "256", "i32[67108864]=random:1 i32[1] i32=67108864"),
    "histogram": ("1024", "256", "u8[8388608]=random:1 u32[256] i32=8388608"),
    "stencil": ("125,500", "32,8", "f32[16000000]=random:1 f32[16000000] i32=4000 i32=4000"),
    "mandelbrot": ("48,32", "16,16", "i32[393216] i32=768 i32=512 i32=256"),
}


def prepare_long(kernel):
    """The command line of the launch that lasts."""
    grid, block, arguments = LONG[kernel]
    command = [f"bench/{KERNELS[kernel][0]}", "-k", kernel, "--grid", grid, "--block", block]
    return command + [part for argument in arguments.split() for part in ("--arg", argument)]


def prepare(kernel, folder, blocks=None):
    """Writes the arrays. The command line of the launch, the options that check its result, and the
    bytes of the arrays. blocks: of the kernel `growing`."""
    file, make = KERNELS.get(kernel, ("more.ptx", growing))
    grid, block, arguments, result, expected = make(blocks or random.Random(1))
    command = [f"bench/{file}", "-k", kernel, "--grid", grid, "--block", block]
    array_bytes = 0
    for number, argument in enumerate(arguments):
        if isinstance(argument, tuple):
            kind, values = argument
            path = folder / f"{kernel}{number}.npy"
            array_bytes += npy(path, kind, values)
            argument = f"{kind}[{len(values)}]={path}"
        command += ["--arg", argument]
    if expected is None:
        return command, [], array_bytes
    npy(folder / "expected.npy", arguments[result][0], expected)
    return command, ["--check", f"{result}={folder / 'expected.npy'}"], array_bytes
