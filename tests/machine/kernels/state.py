"""What the code of a generated kernel may refer to: a thread's variables, arrays, functions."""

# Words of the input arrays and of each thread's part of the output.
IN = 16384
OUT = 8
# Regions of `bins`, one for each atomic operation, so that the result is the same in every order.
BIN_WORDS = 64

SUFFIX = {"u": "u", "i": "", "q": "ull", "l": "ll", "f": "f", "d": ""}
CTYPE = {
    "u": "unsigned",
    "i": "int",
    "q": "unsigned long long",
    "l": "long long",
    "f": "float",
    "d": "double",
    "h": "__half2",
}


class Array:
    """An array of unsigned or float: size is a power of two, kind "u" or "f"."""

    def __init__(self, name, size, kind="u"):
        self.name, self.size, self.kind = name, size, kind


class State:
    """Of one kernel while it is written. Lists hold what may be used at this place."""

    def __init__(self, rng, theme):
        self.r, self.theme = rng, theme
        self.block = rng.choice(theme.get("blocks", [32, 64, 96, 128, 128, 192, 256]))
        self.across = rng.choice([self.block, self.block, 32, 16, 8])  # threadIdx.x, if it is not all
        self.grid = rng.choice(theme.get("grids", [1, 2, 3, 4]))
        self.types = theme.get("types") or rng.choice(
            ["ui", "uif", "uif", "uifd", "uiq", "uiql", "uifql", "uifdq", "uifh", "uf"]
        )
        self.count = {t: rng.randint(2, 5) if t in "uif" else rng.randint(1, 2) for t in self.types}
        self.counters = []  # loop counters, int
        self.locals = []  # Array: of the thread alone
        self.readable = []  # Array in shared memory that nobody writes now
        self.own = []  # Array in shared memory: element tid is this thread's
        self.helpers = []  # functions: unsigned f(unsigned, unsigned)
        self.scalars = []  # (type, name): parameters
        self.restrict = rng.random() < 0.5
        self.may_exit = False
        self.serial = 0
        self.prelude = []  # text before the kernel
        self.shared = []  # declarations
        self.includes = set()
        if "h" in self.types:
            self.includes.add("cuda_fp16.h")

    def new(self, stem):
        self.serial += 1
        return f"{stem}{self.serial}"

    def var(self, kind):
        return f"{kind}{self.r.randrange(self.count[kind])}"

    def has(self, kind):
        return kind in self.count

    def pick(self, weights):
        """A key of {key: weight}."""
        keys = [k for k, w in weights.items() if w]
        return self.r.choices(keys, [weights[k] for k in keys])[0]
