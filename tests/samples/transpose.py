"""transpose: without shared memory, and with a tile in three layouts."""

from harness import Test, np

N, TILE = 1024, 32
REQUESTS = N * N // 32

test = Test("transpose")
data = np.arange(N * N, dtype=np.float32)
arguments = data, np.zeros_like(data), f"i32={N}"
expected = data.reshape(N, N).T.copy()
grid, block = f"{N // TILE},{N // TILE}", f"{TILE},8"

launch = test.launch("transposeNaive", grid, block, *arguments)
launch.result(1, expected)
launch.device("float value = in[", "load", REQUESTS, 4 * REQUESTS, 4 * REQUESTS)
launch.device("out[(size_t)x * n + y + j] = value;", "store", REQUESTS, 32 * REQUESTS, 4 * REQUESTS)
launch.done()

FILL, COLUMN = "tile[threadIdx.y + j][threadIdx.x] =", "tile[threadIdx.x][threadIdx.y + j];"
FILL_SWIZZLED, COLUMN_SWIZZLED = (
    "[threadIdx.x ^ (threadIdx.y + j)] =",
    "[(threadIdx.y + j) ^ threadIdx.x];",
)
FORMS = [
    ("transposeTiled<0>", 32, FILL, COLUMN),
    ("transposeTiled<1>", 1, FILL, COLUMN),
    ("transposeSwizzled", 1, FILL_SWIZZLED, COLUMN_SWIZZLED),
]
for kernel, column_wavefronts, fill, column in FORMS:
    launch = test.launch(kernel, grid, block, *arguments)
    launch.result(1, expected)
    launch.device(fill, "load", REQUESTS, 4 * REQUESTS, 4 * REQUESTS)
    launch.shared(fill, "store", REQUESTS, REQUESTS, REQUESTS)
    launch.shared(column, "load", REQUESTS, column_wavefronts * REQUESTS, REQUESTS)
    launch.device(column, "store", REQUESTS, 4 * REQUESTS, 4 * REQUESTS)
    launch.done()

WIDE = "tile[threadIdx.y + j][threadIdx.x + i] =", "tile[threadIdx.x + i][threadIdx.y + j];"
launch = test.launch("transposeWide", f"{N // 64},{N // 64}", block, *arguments)
launch.result(1, expected)
launch.device(WIDE[0], "load", REQUESTS, 4 * REQUESTS, 4 * REQUESTS)
launch.shared(WIDE[0], "store", REQUESTS, REQUESTS, REQUESTS)
launch.shared(WIDE[1], "load", REQUESTS, REQUESTS, REQUESTS)
launch.device(WIDE[1], "store", REQUESTS, 4 * REQUESTS, 4 * REQUESTS)
launch.done()

test.finish()
