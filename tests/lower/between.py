"""Every instruction between two accesses to shared memory: does ptxas still join them, and does warplens?

    between.py WARPLENS            against the stored answers of ptxas 13.0, between.txt; where ptxas and
                                   nvdisasm are installed, one spelling of each OPX row is also compiled anew
    between.py WARPLENS --bless    compiles all spellings and writes between.txt

Four 4-byte loads of 16 aligned bytes are one LDS.128, four stores one STS.128, unless something after the first
keeps that one apart. Compiled with the instruction there and with it before all four, which tells its own LDS and
STS from theirs. An answer is "joined" or "apart", for loads, then for stores. Where lanes of the warp have parted it is
the same on sm_90; on sm_80, loads are then apart across shuffles, votes, matches and reductions, which warplens
takes for joined there too.

Spellings: each word of a row once, with each of its state spaces; of rows that compute lane by lane, and of
products of matrices, the first of each alternative. Operands are made after the row's own list."""

import itertools
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ANSWERS = pathlib.Path(__file__).with_suffix(".txt")
TARGETS = ["sm_90a", "sm_80", "sm_100a"]  # the first that takes a spelling answers
# Where ptxas makes a function or a loop of an instruction, for the target that answered.
EMULATED = {
    r"tex\.grad\.(3d|cube|acube)\.": "gradients of volumes and cubes",
    r"w?mma\..*\.([su]4|b1)\.|mma\.sp.*\.e4m3\.|mma\.sync\.aligned\.m8n8k4\..*f16": "products that sm_90 has no instruction for",
}
# Where warplens keeps stores apart and ptxas does not, or the other way.
STORES = {
    r"^bra": "a branch to the next instruction, which ptxas removes",
    r"^mbarrier\.arrive.*relaxed.*shared::cluster": "only those that release keep stores apart",
    r"^createpolicy\.range\.global": "keeps stores apart in this space, too",
    r"^tensormap\.cp_fenceproxy": "names the space that it writes, not the one that it reads",
}
# Rows that ptxas 13.0 compiles for no target.
GONE = {"shfl", "vote", "ballot"}

TYPES = """pred b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f16 f16x2 bf16 bf16x2 tf32 f32 f64
    e4m3 e5m2 e4m3x2 e5m2x2 u4 s4 b1 u16x2 s16x2 f32x2""".split()  # fmt: skip
BITS = {"b1": 1, "u4": 4, "s4": 4, "e4m3": 8, "e5m2": 8, "u8": 8, "s8": 8, "f16": 16, "bf16": 16, "f64": 64}
SPACES = "const global local param shared shared::cta shared::cluster param::entry param::func".split()
ORDERS = "relaxed acquire release acq_rel".split()
COORDINATES = {"1d": 1, "2d": 2, "3d": 4, "a1d": 2, "a2d": 4, "cube": 4, "acube": 4}
HELD = {"const": "constant", "local": "own", "param": "n", "param::entry": "n", "param::func": "n"}
CONSTANTS = {"cp_async": "16"}
WRITTEN = {  # by hand: N is the probe's number
    "bra": "bra next_N; next_N:",
    "brx_idx": "list_N: .branchtargets one_N, two_N; brx.idx %r98, list_N; one_N: st.volatile.global.u32 [%d1], %r98; two_N:",
    "exit": "@%p9 exit;",
    "ret": "@%p9 ret;",
    "trap": "@%p9 trap;",
    "call": "call.uni callee;",
}  # fmt: skip


# ---- spellings


def pieces(text):
    """The choices of each piece of a spelling: "[.{a,b}.c]" -> [["", ".a.c", ".b.c"]]."""
    for piece in re.findall(r"\[[^]]*\]|\.?\{[^}]*\}|[^[{.]+|\.", text):
        if piece[0] == "[":
            yield [""] + ["".join(words) for words in itertools.product(*pieces(piece[1:-1]))]
        elif piece.endswith("}"):
            dot, words = piece[:-1].split("{")
            yield [dot + word for word in words.split(",")]
        else:
            yield [piece]


def words_of(choices):
    return {word.strip(".") for word in choices if word}


def varied(choices):
    """Each word of a list of choices once, in each of three spaces; operations of atomics with each type."""
    first = [words[0] for words in choices]
    space = [i for i, words in enumerate(choices) if words_of(words) <= set(SPACES)]
    scope = next((i for i, words in enumerate(choices) if "gpu" in words_of(words)), None)
    order = next((i for i, words in enumerate(choices) if words_of(words) & set(ORDERS)), None)
    operation = [i for i, words in enumerate(choices) if {"add", "min"} & words_of(words)]
    kind = [i for i, words in enumerate(choices) if words_of(words) <= set(TYPES)]
    for spaces in itertools.product(*(choices[i] for i in space)):
        base = list(first)
        for i, word in zip(space, spaces):
            base[i] = word
        yield "".join(base)
        for i, words in enumerate(choices if set(spaces) <= {"", ".global", ".shared"} else []):
            for word in words[1:] if i not in space else []:
                one = base[:i] + [word] + base[i + 1 :]
                if i == order and scope is not None and word.strip(".") in ORDERS:
                    one[scope] = ".gpu"
                if i == scope and order is not None:
                    one[order] = ".relaxed"
                yield "".join(one)
        if operation and kind and spaces in ((".global",), (".shared",)):
            for words in itertools.product(*(choices[i] for i in operation + kind)):
                one = list(base)
                for i, word in zip(operation + kind, words):
                    one[i] = word
                yield "".join(one)


def spellings(row, syntax, by_lane):
    for alternative in syntax.split(" | "):
        choices = list(pieces(alternative))
        if by_lane or re.match("w?g?mma", row):
            yield "".join(words[0] for words in choices)
        else:
            yield from varied(choices)


# ---- operands


class Probe:
    """An instruction with operands, what loads those, and what uses its results."""

    def __init__(self, row, spelling, operands, by_lane):
        self.row, self.spelling, self.by_lane = row, spelling, by_lane
        self.words = re.split(r"\.(?!:)", spelling)
        self.types = [word for word in self.words if word in TYPES]
        self.spaces = [word for word in self.words[1:] if word in SPACES]
        self.before, self.after, self.used, self.addresses, self.barriers = [], [], {}, 0, 0
        specs = re.split(r",\s*(?![^{]*\})", operands) if operands else []
        listed = [self.operand(spec) for spec in specs]
        self.text = WRITTEN.get(row, f"{spelling} {', '.join(one for one in listed if one)};")

    def register(self, kind, written=False, read=True):
        kind = {"u8": "b16", "s8": "b16", "b8": "b16", "f16": "b16", "bf16": "b16"}.get(kind, kind)
        kind = {"e4m3x2": "b16", "e5m2x2": "b16", "f32x2": "b64"}.get(kind, kind)
        letter = {"pred": "p", "f32": "f", "f64": "g", "b128": "q"}.get(kind)
        letter = letter or {"16": "h", "64": "d"}.get(kind.lstrip("busf"), "r")
        self.used[letter] = self.used.get(letter, 20) + 1
        name, at = f"%{letter}{self.used[letter]}", f"[%d1+{8 * sum(self.used.values()) % 4000}]"
        load, store = {
            "p": (f"ld.volatile.global.b32 %r99, {at}; setp.eq.u32 {name}, %r99, 1;",
                  f"selp.u32 %r99, 1, 0, {name}; st.volatile.global.b32 {at}, %r99;"),
            "q": (f"mov.b128 {name}, {{%d1, %d1}};",
                  f"mov.b128 {{%d8, %d9}}, {name}; st.volatile.global.b64 {at}, %d9;"),
        }.get(letter) or (lambda t: (f"ld.volatile.global.{t} {name}, {at};",
                                     f"st.volatile.global.{t} {at}, {name};"))(
            {"h": "b16", "r": "b32", "d": "b64", "f": "f32", "g": "f64"}[letter])  # fmt: skip
        self.before += [load] if read else []
        self.after += [store] if written else []
        return name

    def vector(self, count, kind, written=False, read=True):
        return "{" + ", ".join(self.register(kind, written, read) for _ in range(count)) + "}"

    def address(self):
        """Of global memory, unless the spelling names another space; the last of several, a barrier's."""
        index, self.addresses = self.addresses, self.addresses + 1
        if self.row in ("st_async", "red_async"):
            return ["other", "barrier"][index]
        if index == len(self.spaces) > 0:
            return "barrier"
        space = self.spaces[index] if index < len(self.spaces) else None
        if space is None and re.match(r"mbarrier|[ls][dt]matrix|cp_async_mbarrier", self.row):
            return "%d3"
        if space is None or space == "global":
            return "%d1"
        if space.startswith("shared"):
            return "barrier" if "mbarrier" in self.row else "other"
        return HELD[space]

    def fragment(self, matrix):
        shape = next(filter(None, (re.fullmatch(r"m(\d+)n(\d+)k(\d+)", word) for word in self.words)))
        m, n, k = map(int, shape.groups())
        wmma = self.row.startswith("wmma")
        if self.row in ("wmma_load", "wmma_store"):
            kind, matrix = self.types[0], self.words[2]
        elif wmma and len(self.types) == 2:
            kind = {"d": self.types[0], "c": self.types[1]}.get(matrix, "f16")
        else:
            kind = self.types[{"d": 0, "a": 1, "b": 2, "c": -1}[matrix]]
        bits = BITS.get(kind, 32)
        cells = {"a": m * k, "b": k * n}.get(matrix, m * n)
        cells //= (4 if self.row.startswith("wgmma") else 1) * (2 if "_sp" in self.row and matrix == "a" else 1)
        cells *= 4 if self.row == "mma" and (m, k) == (8, 4) and "f64" not in self.types else 1
        count = 8 if wmma and matrix in "ab" and kind == "f16" else cells * bits // (32 * max(32, bits))
        return count, kind if kind in ("f32", "f64", "s32") else "b32"

    def optional(self, spec):
        if spec == "b64?" and "L2::cache_hint" in self.spelling:
            return "%d1"
        return "0" if spec == "bit?" and "{" not in self.spelling and self.row.startswith("wgmma") else None

    def operand(self, spec):
        if "(" in spec:  # "u32#(24..256/8)": any constant that is allowed
            return re.findall(r"\d+", spec.split("(")[1])[0]
        written, read, spec = spec[0] in "=+", spec[0] != "=", spec.lstrip("=+!")
        kind = self.types[0] if self.types else "b32"
        vector = next((int(word[1:]) for word in self.words if word in ("v2", "v4", "v8")), 1)
        fixed = {"sign": "1", "bit": "1", "none": "0", "_": "_", "u32#": CONSTANTS.get(self.row, "0")}
        if spec in fixed:
            return fixed[spec]
        if spec.isdigit() or spec in ("label", "labels"):
            return spec
        if spec.endswith("?"):
            if spec == "u32?" and "noComplete" in self.words:
                return self.register("u32")
            return self.optional(spec)
        if spec == "[m]":
            return f"[{self.address()}]"
        if spec == "[x]":
            geometry = next(word for word in self.words if word in COORDINATES)
            if self.row in ("suld", "sust"):
                return f"[%d1, {self.vector(COORDINATES[geometry], 's32')}]"
            index = [self.register("u32")] if geometry[0] == "a" else []
            kinds = [self.register(self.types[1]) for _ in range(COORDINATES[geometry] - len(index))]
            return f"[%d1, {{{', '.join(index + kinds)}}}]"
        dimensions = next((int(word[0]) for word in self.words if re.fullmatch("[1-5]d", word)), 0)
        if spec == "[t]":
            self.addresses += 1
            return f"[%d1, {self.vector(dimensions, 's32')}]"
        if spec == "{b16}*offsets":
            return self.vector(dimensions - 2, "b16")
        if spec in ("{t>}", "{t}") and vector > 1:
            return self.vector(vector, kind, written, read)
        if spec == "{t}*4":
            return self.vector(4, kind, written, read)
        if spec == "{b32}*matrices":
            count = next(int(word[1]) for word in self.words if re.fullmatch("x[124]", word))
            return self.vector(count, "b32", written, read)
        if spec == "<a>|b64":
            return self.register("b64")
        if spec[0] == "<":
            return self.vector(*self.fragment(spec[1]), written, read)
        if spec == "any":
            return self.anything()
        if self.row.startswith("bar_") and spec == "u32" and read:
            self.barriers += 1
            return ["0", "64"][self.barriers - 1]
        if self.row == "elect" and written:
            return f"{self.register('b32', True, False)}|{self.register('pred', True, False)}"
        if spec == "w":
            kind = f"{kind[0]}{2 * int(kind[1:])}"
        elif spec.startswith("t2"):
            kind = self.types[1]
        elif not re.fullmatch(r"t[>&]?|\{t>?\}", spec):
            kind = spec.split("|")[0]
        return self.register(kind, written, read)

    def anything(self):
        if self.row == "isspacep":
            return "%d1"
        if self.row == "tex_grad":
            geometry = next(word for word in self.words if word in COORDINATES)
            return self.vector({"1d": 1, "a1d": 1, "2d": 2, "a2d": 2}.get(geometry, 4), "f32")
        return self.register("pred")


def all_probes(warplens):
    """As ops.def has them."""
    listing = subprocess.run([warplens, "ops"], check=True, capture_output=True, text=True).stdout
    source = (pathlib.Path(__file__).resolve().parents[2] / "src/isa/ops.def").read_text()
    others = set(re.findall(r"^OPX\((\w+)", source, re.M))
    for line in listing.splitlines():
        head, operands = line.split("\t")
        row, syntax = head.split(None, 1)
        for spelling in dict.fromkeys(spellings(row, syntax, row not in others)):
            yield Probe(row, spelling, operands, row not in others)


# ---- kernels

REGISTERS = """.reg .pred %p<256>; .reg .b16 %h<256>; .reg .b32 %r<256>; .reg .b64 %d<256>; .reg .f32 %f<256>;
.reg .f64 %g<256>; .reg .b128 %q<64>; .local .align 16 .b8 own[64];
ld.param.u64 %d1, [out]; ld.param.u32 %r98, [n]; setp.eq.u32 %p9, %r98, 77; mov.u32 %r1, %tid.x;
shl.b32 %r2, %r1, 4; mov.u32 %r3, sm; add.u32 %r4, %r3, %r2;
mov.u32 %r5, barrier; cvt.u64.u32 %d2, %r5; cvta.shared.u64 %d3, %d2;
"""
VARIABLES = """.shared .align 128 .b8 sm[32768]; .shared .align 128 .b8 other[4096]; .shared .align 8 .b64 barrier;
.const .align 16 .b8 constant[64];
.func callee() { .reg .b32 %r<4>; mov.u32 %r1, %clock; st.volatile.shared.u32 [other], %r1; ret; }
"""


def module(target, entries):
    text = f".version 9.0\n.target {target}\n.address_size 64\n{VARIABLES}"
    for name, body in entries.items():
        text += f".visible .entry {name}(.param .u64 out, .param .u32 n) {{\n{REGISTERS}{body}ret;\n}}\n"
    return text


LOADS = ("ld.shared.f32 %f{0}, [%r4+{1}];", "st.volatile.global.f32 [%d1+{1}], %f{0};")
STORES_OF = ("st.shared.f32 [%r4+{1}], %f{0};", "ld.volatile.global.f32 %f{0}, [%d1+{1}];")


def body(probe, number, stores=False, before=False, offset=0):
    text = probe.text.replace("_N", f"_{number}")
    access, other = STORES_OF if stores else LOADS
    others = [other.format(10 + i, 4096 + 4 * i) for i in range(4)]
    lines = list(probe.before) + (others if stores else []) + ([text] if before else [])
    for i in range(4):
        lines += [access.format(10 + i, offset + 4 * i)]
        lines += [text] if i == 0 and not before else []
    lines += [] if stores else others
    return "\n".join(lines + probe.after) + "\n"


# ---- ptxas

BLAME = r"line '?(\d+)(?:; (?:error|fatal)|' which is conflicting)"  # the latter: addresses of 32 bits


def compiled(target, entries, folder):
    """How many LDS and STS each entry has; those that ptxas does not take are missing."""
    counts, todo = {}, [dict(itertools.islice(entries.items(), i, i + 400)) for i in range(0, len(entries), 400)]
    while todo:
        batch = todo.pop()
        text = module(target, batch)
        (folder / "x.ptx").write_text(text)
        done = subprocess.run(
            ["ptxas", f"-arch={target}", "x.ptx", "-o", "x.cubin"], cwd=folder, capture_output=True, text=True
        )
        if done.returncode == 0:
            sass = subprocess.run(["nvdisasm", "x.cubin"], cwd=folder, check=True, capture_output=True, text=True)
            for part in sass.stdout.split("\n.text.")[1:]:
                counts[part.split(":")[0]] = [len(re.findall(rf"\b{name}\b", part)) for name in ("LDS", "STS")]
            continue
        lines, name, names = text.split("\n"), None, []
        for line in lines:
            entry = re.match(r"\.visible \.entry (\w+)", line)
            name = entry[1] if entry else name
            names.append(name)
        wrong = {names[int(at) - 1] for at in re.findall(BLAME, done.stderr)}
        if None in wrong or not wrong:
            sys.exit(done.stderr)
        todo += [{name: one for name, one in batch.items() if name not in wrong}] if len(wrong) < len(batch) else []
    return counts


def ask_ptxas(probes):
    """(row, spelling) -> answers"""
    answers = {}
    with tempfile.TemporaryDirectory() as folder:
        for target in TARGETS:
            left = [(i, probe) for i, probe in enumerate(probes) if (probe.row, probe.spelling) not in answers]
            kinds = list(itertools.product((False, True), (False, True)))
            entries = {f"k{i}_{s:d}{b:d}": body(probe, i, s, b) for i, probe in left for s, b in kinds}
            counts = compiled(target, entries, pathlib.Path(folder))
            for i, probe in left:
                if all(f"k{i}_{s:d}{b:d}" in counts for s, b in kinds):
                    more = [counts[f"k{i}_{s}0"][s] > counts[f"k{i}_{s}1"][s] for s in (0, 1)]
                    answers[probe.row, probe.spelling] = ["apart" if one else "joined" for one in more]
    return answers


# ---- warplens


def lowered(warplens, probes, stores):
    """What becomes of the access that is the wide one if all four join: the first load, the last store.
    All in one kernel, each in blocks of its own, and printed without being run."""
    text = ""
    for i, probe in enumerate(probes):
        text += f"@%p9 bra behind_{i};\n{body(probe, i, stores, offset=16 * i)}behind_{i}:\n"
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
        file.write(module("sm_100a", {"all": text}))
        file.flush()
        done = subprocess.run([warplens, "kernel", file.name, "--gpu", "b200", "--print=lowered"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    wide = r"st\.shared\.f32 \[%r4\+?(\d*)\], %f13" if stores else r"ld\.shared\.f32 %f10, \[%r4\+?(\d*)\]"
    found = re.findall(wide + r".*: (?:load|store) of (\d+) bytes", done.stdout)
    return {int(offset or 0) // 16: "joined" if width == "16" else "apart" for offset, width in found}


def ask_warplens(warplens, probes):
    loads, stores = lowered(warplens, probes, False), lowered(warplens, probes, True)
    return {(probe.row, probe.spelling): [loads.get(i), stores.get(i)] for i, probe in enumerate(probes)}


# ---- the test


def differences(probes, answers, made):
    for probe in probes:
        key = probe.row, probe.spelling
        if any(re.search(pattern, probe.spelling) for pattern in EMULATED):
            continue
        count = 1 if any(re.search(pattern, probe.spelling) for pattern in STORES) else 2
        if made[key][:count] != answers[key][:count]:
            yield f"{probe.text}: ptxas {' '.join(answers[key])}, warplens {made[key]}"


def main():
    warplens, bless = str(pathlib.Path(sys.argv[1]).resolve()), "--bless" in sys.argv
    probes = list(all_probes(warplens))
    if bless:
        answers = ask_ptxas(probes)
        head = "# ptxas 13.0: see between.py, which writes this file\n"
        lines = [f"{loads:6} {stores:6} {row} {spelling}\n" for (row, spelling), (loads, stores) in answers.items()]
        order = {(probe.row, probe.spelling): i for i, probe in enumerate(probes)}
        lines.sort(key=lambda line: order[tuple(line.split()[2:])])
        ANSWERS.write_text(head + "".join(lines))
    stored = {}
    for line in ANSWERS.read_text().splitlines()[1:]:
        loads, stores, row, spelling = line.split()
        stored[row, spelling] = [loads, stores]
    failures = []
    known = [probe for probe in probes if (probe.row, probe.spelling) in stored]
    silent = {probe.row for probe in probes} - {probe.row for probe in known} - GONE
    failures += [f"row {row}: no answer of ptxas; --bless compiles it" for row in sorted(silent)]
    failures += differences(known, stored, ask_warplens(warplens, known))
    one = list({probe.row: probe for probe in reversed(known) if not probe.by_lane}.values())
    if not bless and shutil.which("ptxas") and shutil.which("nvdisasm"):
        anew = ask_ptxas(one)
        failures += [
            f"{probe.text}: stored {stored[key]}, ptxas now {anew[key]}"
            for probe in one
            if anew[key := (probe.row, probe.spelling)] != stored[key]
        ]
    print("\n".join(failures))
    print(f"between: {len(known)} spellings of {len(set(probe.row for probe in known))} rows: {len(failures)} failures")
    return 1 if failures else 0


sys.exit(main())
