"""bank_offset: gcd(offset, 32) wavefronts per load, and three pairs of bytes."""

import math

from harness import Test, np

WORDS, LOADS, BLOCKS, THREADS = 2048, 64, 4, 256
WARPS = BLOCKS * THREADS // 32
READ = "sum += words["

test = Test("bank_offset")

for offset in range(0, 65):
    out = np.zeros(BLOCKS * THREADS, np.uint32)
    launch = test.launch("bankOffset", BLOCKS, THREADS, out, f"u32={offset}", f"u32={LOADS}")

    thread = np.arange(THREADS).reshape(-1, 1)
    sums = ((thread * offset + 32 * np.arange(LOADS)) % WORDS).sum(axis=1).astype(np.uint32)
    launch.result(0, np.tile(sums, BLOCKS))

    requests = WARPS * LOADS
    ways = math.gcd(offset, 32) if offset else 1  # offset 0: all threads read one word
    fills = WORDS // 32 * BLOCKS
    launch.shared("words[i] = i;", "store", fills, fills, fills)
    launch.shared(READ, "load", requests, ways * requests, requests)
    launch.counts(READ, "shared load", conflicts=(ways - 1) * requests)
    launch.device("out[blockIdx.x * blockDim.x", "store", WARPS, 4 * WARPS, 4 * WARPS)
    launch.done()

for first, second, wavefronts in [(0, 128, 2), (0, 132, 1), (0, 0, 1), (0, 4, 1), (64, 2112, 2)]:
    out = np.zeros(2, np.uint32)
    launch = test.launch("twoThreads", 1, 2, out, f"u32={first}", f"u32={second}")
    launch.result(0, np.array([3 * (first // 4), 3 * (second // 4)], np.uint32))
    launch.shared("words[i] = 3 * i;", "store", WORDS // 2, WORDS // 2, WORDS // 2)
    launch.shared("out[threadIdx.x] = words", "load", 1, wavefronts, 1)
    launch.device("out[threadIdx.x] = words", "store", 1, 1, 1)
    launch.done()

test.finish()
