"""sgemm: float and double, tiles copied in both ways and laid out in three."""

from harness import Test, np

SIDE = 16  # as in sgemm.cu: threads per side of a block,
CHUNKS, CHUNK_BYTES = 8, 16  # and a tile's row
ALPHA, BETA = 1.5, -0.75

test = Test("sgemm")


def fma(a, b, c):
    """a * b + c in float32, rounded once. The product is exact in float64; the sum is rounded to
    odd there, so that rounding it again, to float32, gives what rounding the exact sum would."""
    product = a.astype(np.float64) * b.astype(np.float64)
    c = c.astype(np.float64)
    total = product + c
    error = total - product  # Knuth's two-sum: total + error is the exact sum
    error = (product - (total - error)) + (c - error)
    even = total.view(np.int64) & 1 == 0
    odd = np.where((error != 0) & even, np.nextafter(total, np.copysign(np.inf, error)), total)
    return odd.astype(np.float32)


def reference_float(A, B, C):
    """The kernels' order: the products along k one after the other, then alpha and beta."""
    total = np.zeros_like(C)
    for k in range(A.shape[1]):
        total = fma(A[:, k : k + 1], B[:, k], total)
    return fma(np.float32(ALPHA), total, np.float32(BETA) * C)


def cp_async_cost(places):
    """Wavefronts and sectors of one cp.async.cg; places: byte addresses (source, destination).
    The rule of docs/memory-model.md, which was measured on an H100."""
    transfers = {}
    for source, destination in places:
        a, b = source // 16, destination // 16
        transfers.setdefault((a // 2, b // 2, (a ^ b) & 1), set()).add(a & 1)
    groups = {}
    for (source, destination, flip), halves in transfers.items():
        key = source // 4, destination // 4, flip, frozenset(halves), (source ^ destination) & 1
        groups.setdefault(key, []).append((source % 4, destination % 4))
    wavefronts = 0
    for slots in groups.values():
        wavefronts += max(max([side.count(slot) for slot in range(4)]) for side in zip(*slots))
    return wavefronts, len(transfers)


def copy_costs(rows, layout, pitch):
    """Of all cp.async that fill one tile of so many rows: source rows are `pitch` bytes apart."""
    cost = np.zeros(2, int)
    for first in range(0, rows * CHUNKS, 32):  # a warp copies 32 chunks at a time
        places = []
        for i in range(first, first + 32):
            row, chunk = divmod(i, CHUNKS)
            place = chunk ^ row % 8 if layout == "Swizzled" else chunk
            row_bytes = (CHUNKS + (layout == "Skewed")) * CHUNK_BYTES
            places.append((row * pitch + chunk * 16, row * row_bytes + place * 16))
        cost += cp_async_cost(places)
    return cost


# element type, loader of A, loader of B, elements of C per thread and side
FORMS = [
    (np.float32, "Sync, Plain", "Sync, Plain", 8),
    (np.float32, "Sync, Plain", "Sync, Skewed", 8),
    (np.float32, "Async, Plain", "Async, Plain", 8),
    (np.float32, "Async, Plain", "Async, Skewed", 8),
    (np.float32, "Async, Plain", "Async, Swizzled", 8),
    (np.float64, "Sync, Plain", "Sync, Plain", 4),
    (np.float64, "Sync, Plain", "Sync, Skewed", 4),
]
random = np.random.default_rng(1)
for kind, loader_a, loader_b, per_side in FORMS:
    name = {np.float32: "float", np.float64: "double"}[kind]
    tile = SIDE * per_side  # rows of a tile
    bk = CHUNKS * CHUNK_BYTES // kind().itemsize
    n = 2 * tile
    blocks, steps = (n // tile) ** 2, n // bk

    if kind == np.float32:
        A, B, C = (random.random((n, n), dtype=np.float32) for _ in range(3))
        expected = reference_float(A, B, C)
    else:  # small integers: every order of summation is exact
        A, B, C = (random.integers(-8, 8, (n, n)).astype(kind) for _ in range(3))
        expected = ALPHA * (A @ B.T) + BETA * C
    scalar = f"f{8 * kind().itemsize}"
    launch = test.launch(
        f"gemm<{name}, {tile}, {tile}, {bk}, {per_side}, {per_side}, "
        f"Loader<{loader_a}>, Loader<{loader_b}> >",
        f"{n // tile},{n // tile}", f"{SIDE},{SIDE}",
        A, B, C, f"i32={n}", f"i32={n}", f"i32={n}", f"{scalar}={ALPHA}", f"{scalar}={BETA}",
    )  # fmt: skip
    launch.result(2, expected)

    # Copies: 32 chunks, so four rows of 128 bytes, a request.
    requests = blocks * steps * tile * CHUNKS // 32
    for text, loader in [("tileA.load(A", loader_a), ("tileB.load(B", loader_b)]:
        copy, layout = loader.split(", ")
        if copy == "Sync":  # a quarter-warp fills a row: every bank once, skewed or not
            launch.device(text, "load", requests, 16 * requests, 16 * requests)
            launch.shared(text, "store", requests, 4 * requests, 4 * requests)
        else:
            wavefronts, sectors = blocks * steps * copy_costs(tile, layout, n * kind().itemsize)
            launch.counts(
                text, "shared cp_async", requests=requests, wavefronts=wavefronts,
                wavefronts_ideal=4 * requests, sectors=sectors, sectors_ideal=16 * requests,
            )  # fmt: skip

    # Reads of 16 bytes. A: neighbours read the same chunk, so a half-warp is served at a time. B: a
    # quarter-warp reads the same chunk of eight rows, which plain rows have in the same four banks.
    requests = blocks * 8 * steps * CHUNKS * per_side
    launch.shared("a[r] = tileA.at(", "load", requests, 2 * requests, 2 * requests)
    conflict = 8 if loader_b.endswith("Plain") else 1
    launch.shared("b[c] = tileB.at(", "load", requests, conflict * 4 * requests, 4 * requests)

    # C: a warp covers 16 elements of two rows.
    requests = blocks * 8 * per_side * per_side
    sectors = requests * kind().itemsize  # 2 * 16 elements / 32 bytes
    launch.device("*element = alpha *", "load", requests, sectors, sectors)
    launch.device("*element = alpha *", "store", requests, sectors, sectors)
    launch.done()

# The two faster kernels: every request of shared memory and of global memory costs its ideal. (Which
# line of inlined functions costs what is compared with measurements in programs.py.)
n = 256
A, B, C = (random.random((n, n), dtype=np.float32) for _ in range(3))
matrices = A, B, C, f"i32={n}", f"i32={n}", f"i32={n}", f"f32={ALPHA}", f"f32={BETA}"
for name, dynamic in [("gemmStages<3>", 3 * 2 * 128 * 128), ("gemmTurned", 0)]:
    launch = test.launch(name, n * n // 128**2, 256, *matrices, shared=dynamic)
    launch.result(2, reference_float(A, B, C))
    for counter in ("wavefronts", "sectors"):
        excess = sum(site[counter] - site[f"{counter}_ideal"] for site in launch.sites)
        test.expect(f"{name}, {counter} beyond the ideal", 0, excess)

# Sizes that the tiles do not divide, and blocks of another shape, are refused by the kernel itself.
zeros = np.zeros((256, 256), np.float32)
for block, k, message in [("16,8", 256, "blockDim.x == SIDE"), ("16,16", 240, "m % BM == 0")]:
    test.fault(
        message, "Loader<Async, Swizzled>", "2,2", block,
        zeros, zeros, zeros, "i32=256", "i32=256", f"i32={k}", "f32=1", "f32=0",
    )  # fmt: skip

test.finish()
