"""histogram: atomics in global memory, in shared memory, and there with a bank for each lane."""

from harness import Test, np

N, BINS, BLOCKS = 1 << 20, 256, 64
BLOCK_WARPS = BINS // 32
WARPS = BLOCKS * BLOCK_WARPS

test = Test("histogram")
data = np.random.default_rng(1).integers(0, 256, N, dtype=np.uint8)
expected = np.bincount(data, minlength=BINS).astype(np.uint32)
bins = np.zeros(BINS, np.uint32)

# What one request adds to: a warp takes 32 neighbouring bytes at a time.
requests = data.reshape(-1, 32)
REQUESTS = len(requests)


def distinct(rows):
    """How many different values each row has."""
    ordered = np.sort(rows, axis=1)
    return 1 + (ordered[:, 1:] != ordered[:, :-1]).sum(axis=1)


sectors = distinct(requests // 8)  # 8 bins of 4 bytes in a sector
hit = np.zeros((REQUESTS, BINS), bool)
np.put_along_axis(hit, requests.astype(int), True, axis=1)
words = hit.reshape(REQUESTS, BINS // 32, 32).sum(axis=1)  # by bank: bin b lies in bank b % 32
wavefronts = words.max(axis=1)

INPUT = data, bins, f"i32={N}"
LOOP = "atomicAdd(&bins[in[i]], 1u);"
launch = test.launch("histogramGlobal", BLOCKS, BINS, *INPUT)
launch.result(1, expected)
launch.device(LOOP, "load", REQUESTS, REQUESTS, REQUESTS)
launch.device(LOOP, "atomic", REQUESTS, sectors.sum(), np.minimum(sectors, 4).sum())
launch.done()

LOOP, LAST = "atomicAdd(&counts[in[i]], 1u);", "atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);"
launch = test.launch("histogramShared", BLOCKS, BINS, *INPUT)
launch.result(1, expected)
launch.shared("counts[threadIdx.x] = 0;", "store", WARPS, WARPS, WARPS)
launch.device(LOOP, "load", REQUESTS, REQUESTS, REQUESTS)
launch.shared(LOOP, "atomic", REQUESTS, wavefronts.sum(), REQUESTS)
launch.shared(LAST, "load", WARPS, WARPS, WARPS)
launch.device(LAST, "atomic", WARPS, 4 * WARPS, 4 * WARPS)
launch.done()

# Each warp clears BINS / BLOCK_WARPS rows of 32 words and later sums 32 words of each of its bins.
CLEAR, SUM = WARPS * BINS // BLOCK_WARPS, WARPS * 32


def rest_of_per_lane(launch):
    launch.result(1, expected)
    launch.shared("words[row][threadIdx.x % LANES] = 0;", "store", CLEAR, CLEAR, CLEAR)
    launch.shared("sum += words[bin]", "load", SUM, SUM, SUM)
    launch.device("counts.total(threadIdx.x));", "atomic", WARPS, 4 * WARPS, 4 * WARPS)
    launch.done()


launch = test.launch("histogramPerLane(", BLOCKS, BINS, *INPUT)
launch.device("counts.add(in[i]);", "load", REQUESTS, REQUESTS, REQUESTS)
launch.shared("counts.add(in[i]);", "atomic", REQUESTS, REQUESTS, REQUESTS)
rest_of_per_lane(launch)

WORDS = REQUESTS // 4  # requests that load four bytes per thread
launch = test.launch(
    "histogramPerLaneWide", BLOCKS, BINS, data.view(np.uint32), bins, f"i32={N // 4}"
)
launch.device("unsigned bytes = in[i];", "load", WORDS, 4 * WORDS, 4 * WORDS)
for byte in ["bytes & 255", "bytes >> 8", "bytes >> 16", "bytes >> 24"]:
    launch.shared(f"    counts.add({byte}", "atomic", WORDS, WORDS, WORDS)
rest_of_per_lane(launch)

# Four words per load, two loads at a time: 64 * 256 threads take the N / 16 pieces in two rounds.
PIECES = REQUESTS // 16
launch = test.launch(
    "histogramPerLaneWidest", BLOCKS, BINS, data.view(np.uint32), bins, f"i32={N // 16}"
)
launch.device("const uint4 first = in[i]", "load", PIECES, 16 * PIECES, 16 * PIECES)
for word in ["first", "second"]:
    for part in "xyzw":
        launch.shared(f"addBytes(counts, {word}.{part});", "atomic", 2 * PIECES, 2 * PIECES, 2 * PIECES)
rest_of_per_lane(launch)

test.finish()
