#!/usr/bin/env python3
"""Writes CUDA kernels that are made by chance, but always the same for a seed: what machine code is
tested with.

  gen.py SEED              prints kernel g0017 (seed 17) with a main() that launches it once and prints a
                           checksum of what it wrote
  gen.py FIRST-LAST DIR    writes them as g*.cu into DIR, and DIR/kernels.tsv: name, theme, grid, block,
                           parameters behind the five arrays
  gen.py --hash FIRST-LAST a hash of their texts: h200/README.md has that of the kernels that were measured

Results do not depend on the order of threads: each writes what is its own, or by operations that commute
and whose results nobody reads. Indices are masked, divisors are not zero, signed sums cannot overflow."""

import hashlib
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from kernels import expressions as ex  # noqa: E402
from kernels import functions, phases  # noqa: E402
from kernels.state import BIN_WORDS, CTYPE, IN, OUT, State  # noqa: E402
from kernels.themes import THEMES  # noqa: E402

BINS = 16 * BIN_WORDS
COMMON = """static __device__ __forceinline__ int small(float x) { return x > -1e9f && x < 1e9f ? (int)x : 77; }
static __device__ __forceinline__ float canon(float x) { return x == x ? x : 7.0f; }
"""
MAIN = """
static unsigned next(unsigned *x) { *x ^= *x << 13; *x ^= *x >> 17; return *x ^= *x << 5; }
int main() {
 const int n = @OUTPUT@;
 static unsigned in[@IN@], out[n + @BINS@], z = 2463534242u;
 static float fin[@IN@];
 for (unsigned &x : in) x = next(&z);
 for (float &x : fin) x = (float)(next(&z) % 513u) / 64.0f - 4.0f;
 unsigned *d_in, *d_out, *d_bins, *d_scratch;
 float *d_fin;
 cudaMalloc(&d_in, sizeof in); cudaMalloc(&d_fin, sizeof fin); cudaMalloc(&d_out, 4 * n);
 cudaMalloc(&d_bins, 4 * @BINS@); cudaMalloc(&d_scratch, 4 * n);
 cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice); cudaMemcpy(d_fin, fin, sizeof fin, cudaMemcpyHostToDevice);
 cudaMemset(d_out, 0, 4 * n); cudaMemset(d_bins, 0, 4 * @BINS@); cudaMemset(d_scratch, 0, 4 * n);
 @NAME@<<<@GRID@, dim3(@BLOCK@)>>>(d_in, d_fin, d_out, d_bins, d_scratch@ARGUMENTS@);
 cudaMemcpy(out, d_out, 4 * n, cudaMemcpyDeviceToHost); cudaMemcpy(out + n, d_bins, 4 * @BINS@, cudaMemcpyDeviceToHost);
 unsigned long long sum = 14695981039346656037ull;
 for (unsigned x : out) sum = (sum ^ x) * 1099511628211ull;
 printf("@NAME@ %016llx %s\\n", sum, cudaGetErrorString(cudaGetLastError()));
}
"""


class Kernel:
    def __init__(self, seed):
        rng = random.Random(seed)
        self.theme = THEMES[seed % len(THEMES)]
        self.name = f"g{seed:04}"
        s = self.state = State(rng, self.theme)
        s.name = self.name
        self.parameters(s)
        functions.add(s, rng.randint(*self.theme["functions"]) if "functions" in self.theme else rng.choice([0, 0, 0, 1]))
        self.limit = self.registers(rng)
        chosen = [s.pick(self.theme["phases"]) for _ in range(rng.choice(self.theme.get("count", [1, 2, 2, 3])))]
        self.body = "".join(phase(s) for phase in chosen)
        if rng.random() < 0.5:  # nothing behind this waits for others
            s.may_exit = self.theme.get("control", 1) > 1
            self.body += phases.free(s)
        self.body += self.output(s)

    def parameters(self, s):
        for kind, values in (("i", range(1, 9)), ("u", range(1, 1 << 16)), ("f", [0.5, 1.25, -3.0])):
            if s.has(kind) and s.r.random() < 0.5:
                s.scalars.append((kind, f"a_{kind}"))
        self.arguments = [(t, n, {"i": s.r.randint(1, 8), "u": s.r.getrandbits(16), "f": 1.25}[t]) for t, n in s.scalars]

    def registers(self, rng):
        b = self.state.block
        if self.theme.get("hungry"):
            few = [f"__maxnreg__({n})" for n in (24, 32, 32, 40, 48, 64)]
            return rng.choice(few + [f"__launch_bounds__({b}, {min(32, 2048 // b)})", f"__launch_bounds__({b}, {max(1, 1024 // b)})", ""])
        few = "__maxnreg__(40)" if self.theme["name"] == "tensor" else "__maxnreg__(24)"
        return rng.choice([""] * 8 + [few, "__maxnreg__(32)", f"__launch_bounds__({b})", f"__launch_bounds__({b}, {min(32, 2048 // b)})"])

    def declarations(self, s):
        tid = "threadIdx.x" if s.across == s.block else f"threadIdx.y * {s.across}u + threadIdx.x"
        text = f" const unsigned tid = {tid}, lane = tid & 31u, bid = blockIdx.x, gid = bid * {s.block}u + tid;\n"
        start = {
            "u": lambda k: f"in[(gid * {s.r.choice([1, 1, 2, 4])}u + {k * 64}u) & {IN - 1}u]" if s.r.random() < 0.6 else f"gid * {2 * k + 3}u",
            "i": lambda k: f"(int)in[gid + {k * 7}u] >> {s.r.choice([8, 20])}" if s.r.random() < 0.4 else f"(int)tid - {k * 5}",
            "q": lambda k: f"(unsigned long long)gid * {s.r.getrandbits(40)}ull",
            "l": lambda k: f"(long long)gid - {k + 3}ll",
            "f": lambda k: f"fin[gid + {k * 32}u]",
            "d": lambda k: f"(double)gid * 0.125 - {k + 1}.0",
            "h": lambda k: f"__floats2half2_rn((float)lane * 0.25f, {k + 1}.0f)",
        }
        for kind in s.types:
            text += f" {CTYPE[kind]} " + ", ".join(f"{kind}{k} = {start[kind](k)}" for k in range(s.count[kind])) + ";\n"
        return text

    def output(self, s):
        """All variables become what is stored: by thread, by column, in vectors."""
        threads, terms = s.block * s.grid, []
        for kind in s.types:
            for k in range(s.count[kind]):
                v = f"{kind}{k}"
                terms.append({
                    "u": v, "i": f"(unsigned){v}", "q": f"(unsigned)({v} ^ ({v} >> 32))", "l": f"(unsigned)({v} ^ ({v} >> 32))",
                    "f": f"__float_as_uint(canon({v}))", "d": f"__float_as_uint(canon((float){v}))",
                    "h": f"__float_as_uint(canon(__low2float({v}))) + __float_as_uint(canon(__high2float({v})))",
                }[kind])  # fmt: skip
        groups = s.r.choice([1, 2, 3, 4])
        sums = [" ^ ".join(f"({t}) * {2 * k + 1}u" for k, t in enumerate(terms) if k % groups == g) or "1u" for g in range(groups)]
        sums = sums + ["tid"] * (groups - len(sums))
        k = s.r.randrange(3)
        if k == 0 and groups in (2, 4):
            return f" ((uint{groups} *)out)[gid] = make_uint{groups}({', '.join(sums)});\n"
        place = f"gid * {groups}u + {{}}u" if k == 1 else f"{{}}u * {threads}u + gid"
        return "".join(f" out[{place.format(g)}] = {sums[g]};\n" for g in range(groups))

    def text(self):
        s = self.state
        declared = self.declarations(s)
        r = "__restrict__ " if s.restrict else ""
        parameters = f"const unsigned *{r}in, const float *{r}fin, unsigned *{r}out, unsigned *bins, unsigned *scratch"
        parameters += "".join(f", {CTYPE[t]} {n}" for t, n in s.scalars)
        text = f"// {self.name}: theme {self.theme['name']}; made by tests/machine/gen.py {int(self.name[1:])}\n#include <stdio.h>\n"
        text += "".join(f"#include <{name}>\n" for name in sorted(s.includes)) + COMMON + "".join(s.prelude)
        text += f'extern "C" __global__ void {self.limit} {self.name}({parameters}) {{\n'
        text += "".join(f" {line}\n" for line in s.shared) + declared + self.body + "}\n"
        values = {"NAME": self.name, "IN": IN, "OUTPUT": OUT * s.block * s.grid, "BINS": BINS, "GRID": s.grid}
        values["BLOCK"] = self.shape()
        values["ARGUMENTS"] = "".join(f", {v}{ {'i': '', 'u': 'u', 'f': 'f'}[t] }" for t, _, v in self.arguments)
        main = MAIN
        for key, value in values.items():
            main = main.replace(f"@{key}@", str(value))
        return text + main

    def shape(self):
        s = self.state
        return f"{s.across},{s.block // s.across}"

    def row(self):
        s = self.state
        arguments = " ".join(f"{ {'i': 'i32', 'u': 'u32', 'f': 'f32'}[t] }={v}" for t, _, v in self.arguments)
        return f"{self.name}\t{self.theme['name']}\t{s.grid}\t{self.shape()}\t{arguments}\n"


def seeds(text):
    first, last = map(int, text.split("-"))
    return range(first, last + 1)


def write(chosen, folder):
    folder.mkdir(parents=True, exist_ok=True)
    rows = ""
    for seed in chosen:
        kernel = Kernel(seed)
        (folder / f"{kernel.name}.cu").write_text(kernel.text())
        rows += kernel.row()
    (folder / "kernels.tsv").write_text(rows)


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--hash":
        texts = "".join(Kernel(seed).text() for seed in seeds(sys.argv[2]))
        print(hashlib.sha256(texts.encode()).hexdigest()[:16])
    elif len(sys.argv) == 3:
        write(seeds(sys.argv[1]), pathlib.Path(sys.argv[2]))
    elif len(sys.argv) == 2:
        sys.stdout.write(Kernel(int(sys.argv[1])).text())
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
