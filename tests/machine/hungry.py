#!/usr/bin/env python3
"""Writes CUDA kernels that want more registers than they are given, by chance but always the same for a seed: tiles of a product
under __launch_bounds__, arrays of a thread indexed by constants and by data, recursion with many live values, functions behind
pointers; a third of them for `ptxas -maxrregcount`. They take the arrays that those of gen.py do.

  hungry.py FIRST-LAST DIR    writes them as h*.cu into DIR, and DIR/kernels.tsv as gen.py does; with a limit for ptxas,
                              DIR/h*.limit has it"""

import pathlib
import random
import sys

IN = 16384


def tile(r, block):
    m, n = r.choice([(4, 8), (8, 8), (8, 8), (10, 8), (6, 12)])
    deep, across = r.choice([4, 8, 16]), r.choice([8, 16])
    rows, columns = block // across * m, across * n
    kind = r.choice(["float", "float", "unsigned"])
    source = "fin" if kind == "float" else "in"
    before = f"__shared__ {kind} sa[{deep}][{rows + r.choice([0, 1, 4])}], sb[{deep}][{columns + r.choice([0, 4])}];"
    unroll = r.choice(["#pragma unroll", "#pragma unroll", "#pragma unroll 2", "#pragma unroll 1"])
    value = "__float_as_uint(acc[i][j])" if kind == "float" else "acc[i][j]"
    return before, f""" {{ const unsigned tx = tid % {across}u, ty = tid / {across}u; {kind} acc[{m}][{n}] = {{}};
#pragma unroll 1
 for (unsigned step = 0; step < {r.choice([2, 3, 5])}u; step++) {{
  for (unsigned k = tid; k < {deep * rows}u; k += {block}u) sa[k / {rows}u][k % {rows}u] = {source}[(k + step * 77u + bid) & {IN - 1}u];
  for (unsigned k = tid; k < {deep * columns}u; k += {block}u) sb[k / {columns}u][k % {columns}u] = {source}[(k * 3u + step) & {IN - 1}u];
  __syncthreads();
{unroll}
  for (int k = 0; k < {deep}; k++) {{
   {kind} p[{m}], q[{n}];
#pragma unroll
   for (int i = 0; i < {m}; i++) p[i] = sa[k][ty * {m} + i];
#pragma unroll
   for (int j = 0; j < {n}; j++) q[j] = sb[k][{r.choice([f'tx * {n} + j', f'tx + j * {across}'])}];
#pragma unroll
   for (int i = 0; i < {m}; i++)
#pragma unroll
    for (int j = 0; j < {n}; j++) acc[i][j] += p[i] * q[j];
  }}
  __syncthreads();
 }}
#pragma unroll
 for (int i = 0; i < {m}; i++)
#pragma unroll
  for (int j = 0; j < {n}; j++) x = x * 3u + ({value} >> {r.randrange(9)});
 }}
"""


def array(r, block):
    """Constants write it, data read it, and the other way round."""
    n = r.choice([16, 48, 96, 160, 300])
    kind = r.choice(["unsigned", "unsigned", "unsigned short", "unsigned char", "float4"])
    fill = r.choice(["#pragma unroll", "#pragma unroll 4", "#pragma unroll 1"])
    if kind == "float4":
        n = r.choice([8, 24, 40])
        put, get = "make_float4(fin[(gid + k * 32) & 16383], 1.0f, (float)k, fin[k])", "__float_as_uint(p[at].x + p[at].w)"
        bump = f"p[(at + 3u) % {n}u].y += 1.0f;"
    else:
        put, get, bump = f"({kind})in[(gid + (unsigned)k * {r.choice([1, 8, 33])}u) & 16383u]", "(unsigned)p[at]", f"p[(at * 5u + 1u) % {n}u] += ({kind})turn;"
    last = "__float_as_uint(p[k].y)" if kind == "float4" else "(unsigned)p[k]"
    trips = r.choice(["6", "(int)(in[gid & 16383u] & 7u)", "(int)(lane & 3u) + 1"])
    return "", f""" {{ {kind} p[{n}];
{fill}
 for (int k = 0; k < {n}; k++) p[k] = {put};
 for (int turn = 0; turn < {trips}; turn++) {{
  const unsigned at = (x >> {r.randrange(8)} ^ {r.choice(['lane', 'tid', '5u'])}) % {n}u;
  x = x * 9u + {get}; {bump}
 }}
{r.choice(['#pragma unroll', '#pragma unroll 1'])}
 for (int k = 0; k < {n}; k += {r.choice([1, 3])}) x ^= {last} << (k & 3);
 }}
"""


def live_values(r, count, name):
    """Declarations of values that stay alive, code that changes them, and what they add up to."""
    first = "".join(f" unsigned {name}{k} = a * {2 * k + 3}u + (b >> {k % 13});\n" for k in range(count))
    change = "".join(f" {name}{k} = ({name}{r.randrange(count)} ^ {name}{r.randrange(count)}) + {k}u;\n" for k in range(count))
    return first, change, " + ".join(f"({name}{k} ^ {k}u)" for k in range(count))


def recursion(r, block):
    first, change, total = live_values(r, r.choice([6, 14, 28, 44]), "v")
    depth = r.choice(["3", "(int)(x & 3u)", "(int)(in[gid & 16383u] % 6u)", "5"])
    second = r.choice(["", f" if ((a & {r.choice([1, 3])}u) == 1u) b += rec(b * 5u, a, n - 2);\n"])
    function = f"""static __device__ __noinline__ unsigned rec(unsigned a, unsigned b, int n) {{
 if (n <= 0) return a ^ b;
{first} b += rec(a * 7u + 1u, b ^ (unsigned)n, n - 1);
{second}{change} return {total} + b;
}}
"""
    return function, f" x += rec(x, gid, {depth});\n"


def pointers(r, block):
    count, text = r.choice([2, 3, 4]), ""
    for k in range(count):
        first, change, total = live_values(r, r.choice([4, 12, 30, 50]), "w")
        text += f"static __device__ __noinline__ unsigned fun{k}(unsigned a, unsigned b) {{\n{first}{change}{r.choice(['', change])} return {total};\n}}\n"
    names = ", ".join(f"fun{k}" for k in range(count))
    text += f"typedef unsigned (*Fun)(unsigned, unsigned);\n__device__ Fun funs[{count}] = {{{names}}};\n"
    which = r.choice([f"x % {count}u", f"bid % {count}u", f"tid / 32u % {count}u", f"lane % {count}u"])
    keep = r.choice([0, 8, 24])
    values = "".join(f" const unsigned k{k} = in[(gid + {k * 32}u) & 16383u];\n" for k in range(keep))
    use = "".join(f" x += k{k} >> {k % 7};\n" for k in range(keep))
    return text, f" {{\n{values} for (int turn = 0; turn < {r.choice([1, 2, 3])}; turn++) x = funs[{which}](x, gid + (unsigned)turn);\n{use} }}\n"


PARTS = [tile, array, recursion, pointers]


def kernel(seed):
    """The kernel's text, its row of kernels.tsv, and its limit for ptxas or None."""
    r = random.Random(seed * 977 + 13)
    name, block, grid = f"h{seed:04}", r.choice([32, 64, 128, 256]), r.choice([1, 2, 3])
    chosen = [PARTS[seed % len(PARTS)]] + r.choice([[], [], [r.choice(PARTS)]])
    chosen = list(dict.fromkeys(chosen))
    if tile in chosen:
        block = max(block, 64)
    limit = r.choice([None, None, 24, 32, 40, 64])
    bounds = "" if limit or r.random() < 0.4 else f"__launch_bounds__({block}, {r.choice([2048, 1536, 1024]) // block})"
    if bounds and int(bounds.split(",")[1][:-1]) > 32:
        bounds = f"__launch_bounds__({block}, 32)"
    parts = [part(r, block) for part in chosen]
    outside = "".join(text for part, (text, _) in zip(chosen, parts) if part is not tile)
    inside = "".join(f" {text}\n" for part, (text, _) in zip(chosen, parts) if part is tile)
    text = f"// {name}: made by tests/machine/hungry.py\n{outside}"
    text += f'extern "C" __global__ void {bounds} {name}(const unsigned *in, const float *fin, unsigned *out, unsigned *bins, unsigned *scratch) {{\n'
    text += f"{inside} const unsigned tid = threadIdx.x, lane = tid & 31u, bid = blockIdx.x, gid = bid * {block}u + tid;\n unsigned x = in[gid & 16383u] + lane;\n"
    text += "".join(body for _, body in parts) + f" out[gid] = x;\n scratch[gid] = bid;\n if (lane == 40u) bins[0] = (unsigned)fin[0];\n}}\n"
    return text, f"{name}\t{'+'.join(p.__name__ for p in chosen)}\t{grid}\t{block},1\t\n", limit


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    first, last = map(int, sys.argv[1].split("-"))
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    rows = ""
    for seed in range(first, last + 1):
        text, row, limit = kernel(seed)
        name = row.split("\t")[0]
        (folder / f"{name}.cu").write_text(text)
        if limit:
            (folder / f"{name}.limit").write_text(f"{limit}\n")
        rows += row
    (folder / "kernels.tsv").write_text(rows)


if __name__ == "__main__":
    main()
