"""access_patterns: one warp, elements of several sizes at several distances."""

from harness import Test, np

STORE, LOAD = "elements[threadIdx.x * STRIDE] =", "out[threadIdx.x] = elements[(WARP - 1"

test = Test("access_patterns")

# kernel, NumPy type of the memory, how many of them per thread, bytes per thread, wavefronts,
# ideal wavefronts, conflicts
PATTERNS = [
    ("ownElement<float, 1>", np.float32, 1, 4, 1, 1, 0),
    ("ownElement<float, 32>", np.float32, 1, 4, 32, 1, 31),
    ("ownElement<float, 33>", np.float32, 1, 4, 1, 1, 0),
    ("ownElement<__half, 1>", np.uint16, 1, 2, 1, 1, 0),
    ("ownElement<unsigned char, 1>", np.uint8, 1, 1, 1, 1, 0),
    ("ownElement<double, 1>", np.float64, 1, 8, 2, 2, 0),
    ("ownElement<float4, 1>", np.float32, 4, 16, 4, 4, 0),
]
for kernel, kind, per_thread, size, wavefronts, ideal, conflicts in PATTERNS:
    data = np.arange(32 * per_thread).astype(kind)
    launch = test.launch(kernel, 1, 32, data, np.zeros_like(data))
    launch.result(1, data.reshape(32, per_thread)[::-1].copy())

    launch.device(STORE, "load", 1, size, size)
    launch.shared(STORE, "store", 1, wavefronts, ideal)
    launch.shared(LOAD, "load", 1, wavefronts, ideal)
    launch.counts(STORE, "shared store", conflicts=conflicts)
    launch.counts(LOAD, "shared load", conflicts=conflicts)
    launch.device(LOAD, "store", 1, size, size)
    launch.done()

    # The same in a loop, by several blocks: each round reverses the order of a block's elements.
    many = kernel.replace("ownElement", "ownElements")
    launch = test.launch(many, 3, 32, data, np.zeros(3 * data.size, kind), "i32=5")
    launch.result(1, np.tile(data.reshape(32, per_thread)[::-1].reshape(-1), 3))
    launch.device("T element = in[threadIdx.x];", "load", 3, 3 * size, 3 * size)
    launch.shared("elements[threadIdx.x * STRIDE] = element;", "store", 15, 15 * wavefronts, 15 * ideal)
    launch.shared("    element = elements[(WARP - 1", "load", 15, 15 * wavefronts, 15 * ideal)
    launch.device("out[blockIdx.x * WARP + threadIdx.x]", "store", 3, 3 * size, 3 * size)
    launch.done()

# A double is broadcast in one wavefront as well: where neighbours read the same address, the whole
# warp is served together.
for kernel, kind, size in [
    ("broadcast<float>", np.float32, 4),
    ("broadcast<double>", np.float64, 8),
]:
    data = np.random.default_rng(1).random(32).astype(kind)
    total = kind(0)
    for value in data:
        total += value
    launch = test.launch(kernel, 1, 32, data, np.zeros_like(data))
    launch.result(1, np.full(32, total, kind))

    launch.device("elements[threadIdx.x] = in[", "load", 1, size, size)
    launch.shared("elements[threadIdx.x] = in[", "store", 1, size // 4, size // 4)
    launch.shared("sum += elements[i];", "load", 32, 32, 32)
    launch.device("out[threadIdx.x] = sum;", "store", 1, size, size)
    launch.done()

test.finish()
