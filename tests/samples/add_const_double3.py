"""add_const_double3: structures of three doubles, the same doubles flat, and in pairs."""

from harness import Test, np

STRUCTURES, THREADS = 1 << 20, 256
DOUBLES = 3 * STRUCTURES

test = Test("add_const_double3")
data = np.random.default_rng(1).random(DOUBLES)
out = np.zeros(DOUBLES)

# kernel, doubles per thread, lines of load and store, their requests, sectors, ideal sectors
FORMS = [
    ("addConstDouble3", 3, "double3 a = in[i];", "out[i] = a;", 98_304, 2_359_296, 786_432),
    (
        "addConstDouble(int",
        1,
        "out[i] = in[i] + k;",
        "out[i] = in[i] + k;",
        98_304,
        786_432,
        786_432,
    ),
    ("addConstDouble2", 2, "double2 a = in[i];", "out[i] = a;", 49_152, 786_432, 786_432),
]
for kernel, doubles, load, store, requests, sectors, ideal in FORMS:
    count = DOUBLES // doubles
    launch = test.launch(kernel, count // THREADS, THREADS, f"i32={count}", data, "f64=1.5", out)
    launch.result(3, data + 1.5)
    launch.device(load, "load", requests, sectors, ideal)
    launch.device(store, "store", requests, sectors, ideal)
    launch.done()

test.finish()
