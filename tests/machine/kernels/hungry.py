"""Phases that need more registers than a thread is given: large tiles, many live values, sorting networks,
transforms and factorisations whose loops are unrolled. Limits on registers make them spill."""

from kernels import expressions as ex
from kernels.phases import SYNC, shared
from kernels.state import IN


def product(s):
    """A tiled matrix product, a tile of it in each thread's registers."""
    r, b = s.r, s.block
    kind, source = r.choice([("float", "fin"), ("float", "fin"), ("unsigned", "in"), ("double", "fin")])
    m, n = r.choice([(4, 4), (6, 4), (8, 4), (8, 8), (8, 8), (4, 12)])
    if kind == "double" and m * n > 32:
        m, n = 4, 4
    across = r.choice([8, 16])
    down, deep = b // across, r.choice([4, 8])
    pad = r.choice([0, 0, 1, 4])
    rows, columns = down * m, across * n
    x, y = s.new("sh"), s.new("sh")
    s.shared.append(f"__shared__ __align__(16) {kind} {x}[{deep}][{rows + pad}];")
    s.shared.append(f"__shared__ __align__(16) {kind} {y}[{deep}][{columns + pad}];")
    at_row = r.choice([f"ty * {m}u + i", f"ty + i * {down}u"])
    at_column = r.choice([f"tx * {n}u + j", f"tx + j * {across}u"])
    unroll = r.choice(["#pragma unroll\n", "#pragma unroll\n", "#pragma unroll 1\n", ""])
    into = s.var("u")
    return f""" {{ unsigned tx = tid % {across}u, ty = tid / {across}u;
 {kind} acc[{m}][{n}];
 for (unsigned i = 0; i < {m}u; i++) for (unsigned j = 0; j < {n}u; j++) acc[i][j] = ({kind})0;
 for (unsigned step = 0; step < {r.choice([2, 3])}u; step++) {{
  for (unsigned k = tid; k < {deep * rows}u; k += {b}u) {x}[k % {deep}u][k / {deep}u] = ({kind}){source}[(k + step * {deep * rows}u + bid * 64u) & {IN - 1}u];
  for (unsigned k = tid; k < {deep * columns}u; k += {b}u) {y}[k / {columns}u][k % {columns}u] = ({kind}){source}[(k * 3u + step + bid) & {IN - 1}u];
  __syncthreads();
{unroll}  for (unsigned k = 0; k < {deep}u; k++) {{
   {kind} p[{m}], q[{n}];
   for (unsigned i = 0; i < {m}u; i++) p[i] = {x}[k][{at_row}];
   for (unsigned j = 0; j < {n}u; j++) q[j] = {y}[k][{at_column}];
   for (unsigned i = 0; i < {m}u; i++) for (unsigned j = 0; j < {n}u; j++) acc[i][j] += p[i] * q[j];
  }}
  __syncthreads();
 }}
 for (unsigned i = 0; i < {m}u; i++) for (unsigned j = 0; j < {n}u; j++) {into} = {into} * 3u + (unsigned){'small((float)acc[i][j])' if kind != 'unsigned' else 'acc[i][j]'};
 }}
"""


def live(s):
    """Many values that are all needed until the end, through a loop that is not unrolled."""
    r = s.r
    n = r.choice([24, 40, 56, 72, 96])
    turns = r.choice([2, 3, 5])
    kind = "float" if s.has("f") and r.random() < 0.6 else "unsigned"
    source = "fin" if kind == "float" else "in"
    stride = r.choice([1, 16, 33, 64])
    text = f" {{\n"
    for k in range(n):
        text += f" {kind} v{k} = {source}[(gid * {r.choice([1, 1, 4])}u + {k * stride}u) & {IN - 1}u];\n"
    body = ""
    for k in range(n):
        a, b = r.randrange(n), r.randrange(n)
        form = f"fmaf(v{a}, 0.25f, v{b} * 0.5f)" if kind == "float" else f"(v{a} * 3u) ^ (v{b} >> {r.randrange(8)})"
        body += f"  v{k} = {form};\n"
    inside = r.choice(["", f"  if ({ex.cond(s, 0)}) {{\n   v0 = v{n - 1}; v{n // 2} = v1;\n  }}\n"])
    if s.helpers and r.random() < 0.6:
        inside += f"  {s.var('u')} += {r.choice(s.helpers)}({s.var('u')}, (unsigned)turn);\n"
    fold = "".join(f" {s.var('u')} ^= {f'__float_as_uint(canon(v{k}))' if kind == 'float' else f'v{k}'} >> {k % 5};\n" for k in range(n))
    trips = r.choice([str(turns), f"(int)(in[bid] & 3u) + 1", f"(int)(lane & 3u)"])
    return f"{text}#pragma unroll 1\n for (int turn = 0; turn < {trips}; turn++) {{\n{body}{inside} }}\n{fold} }}\n"


def network(s):
    """A bitonic sorting network over a local array, all its indices constants once it is unrolled."""
    r = s.r
    n = r.choice([8, 16, 32, 32])
    kind = "float" if s.has("f") and r.random() < 0.5 else "unsigned"
    source = "fin" if kind == "float" else "in"
    x = s.var("u")
    pragma = r.choice(["#pragma unroll\n", "#pragma unroll\n", ""])
    value = "__float_as_uint(p[k])" if kind == "float" else "p[k]"
    return f""" {{ {kind} p[{n}];
#pragma unroll
 for (int k = 0; k < {n}; k++) p[k] = {source}[(gid + (unsigned)k * {r.choice([32, 64, 1])}u) & {IN - 1}u];
{pragma} for (int a = 2; a <= {n}; a *= 2)
{pragma}  for (int b = a / 2; b > 0; b /= 2)
{pragma}   for (int k = 0; k < {n}; k++) {{
    int m = k ^ b;
    if (m > k && ((k & a) == 0 ? p[k] > p[m] : p[k] < p[m])) {{ {kind} z = p[k]; p[k] = p[m]; p[m] = z; }}
   }}
{r.choice(['#pragma unroll', '#pragma unroll 4'])}
 for (int k = 0; k < {n}; k++) {x} = {x} * 5u + {value};
 }}
"""


def transform(s):
    """Butterflies over registers, as in a Fourier transform, with real weights."""
    r = s.r
    n = r.choice([8, 16, 32])
    x = s.var("u")
    return f""" {{ float a[{n}], b[{n}];
#pragma unroll
 for (int k = 0; k < {n}; k++) {{ a[k] = fin[(gid * {r.choice([1, n])}u + (unsigned)k * {r.choice([1, 32])}u) & {IN - 1}u]; b[k] = 0.25f * (float)k; }}
#pragma unroll
 for (int h = {n // 2}; h > 0; h /= 2) {{
#pragma unroll
  for (int k = 0; k < {n}; k++) if ((k & h) == 0) {{
   float u_ = a[k], v_ = b[k], p = a[k + h], q_ = b[k + h], c = 1.0f / (float)(k % h + 1), t = 0.5f * (float)(k % 3);
   a[k] = u_ + p; b[k] = v_ + q_; a[k + h] = (u_ - p) * c - (v_ - q_) * t; b[k + h] = (u_ - p) * t + (v_ - q_) * c;
  }}
 }}
#pragma unroll
 for (int k = 0; k < {n}; k++) {x} = {x} * 3u + (unsigned)small(a[k] * 16.0f) + (unsigned)small(b[k]);
 }}
"""


def factor(s):
    """A small matrix is factored in registers; rows may change places, by data."""
    r = s.r
    n = r.choice([4, 5, 6, 8])
    kind = r.choice(["float", "float", "double"])
    x = s.var("u")
    pivot = ""
    if r.random() < 0.4:
        pivot = f"""
  int best = k;
  for (int i = k + 1; i < {n}; i++) if (fabs(a[i][k]) > fabs(a[best][k])) best = i;
  for (int j = 0; j < {n}; j++) {{ {kind} z = a[k][j]; a[k][j] = a[best][j]; a[best][j] = z; }}"""
    return f""" {{ {kind} a[{n}][{n}];
#pragma unroll
 for (int i = 0; i < {n}; i++)
#pragma unroll
  for (int j = 0; j < {n}; j++) a[i][j] = ({kind})fin[(gid + (unsigned)(i * {n} + j) * {r.choice([1, 64])}u) & {IN - 1}u] + (i == j ? ({kind})9 : ({kind})0);
#pragma unroll
 for (int k = 0; k < {n}; k++) {{{pivot}
  {kind} d = ({kind})1 / a[k][k];
#pragma unroll
  for (int i = k + 1; i < {n}; i++) {{
   {kind} f_ = a[i][k] * d;
#pragma unroll
   for (int j = k; j < {n}; j++) a[i][j] -= f_ * a[k][j];
  }}
 }}
#pragma unroll
 for (int i = 0; i < {n}; i++) {x} = {x} * 7u + (unsigned)small((float)a[i][i] * 64.0f);
 }}
"""


def table(s):
    """A big array of the thread that is written by constants and read by data."""
    r = s.r
    n = r.choice([64, 100, 128, 200])
    x = s.var("u")
    return f""" {{ unsigned p[{n}];
{r.choice(['#pragma unroll', '#pragma unroll 8', '#pragma unroll 1'])}
 for (int k = 0; k < {n}; k++) p[k] = in[(gid + (unsigned)k * {r.choice([1, 8, 32])}u) & {IN - 1}u];
 for (int turn = 0; turn < {r.choice([2, 4, 9])}; turn++) {{
  unsigned at = ({x} ^ lane) % {n}u;
  {x} = {x} * 5u + p[at]; p[(at + {r.randrange(n)}u) % {n}u] += (unsigned)turn;
 }}
{r.choice(['#pragma unroll', '#pragma unroll 4'])}
 for (int k = 0; k < {n}; k += {r.choice([1, 4])}) {x} ^= p[k] >> (k & 7);
 }}
"""


def window(s):
    """A filter over shared memory whose window and taps are kept in registers."""
    r, b = s.r, s.block
    taps, steps = r.choice([9, 17, 25, 33]), r.choice([4, 8, 16])
    name, x = shared(s, b + taps + steps * b, "float"), s.var("u")
    size = b + taps + steps * b
    return f""" for (int k = (int)tid; k < {size}; k += {b}) {name}[k] = fin[k & {IN - 1}];
{SYNC} {{ float t[{taps}], sum[{steps}];
#pragma unroll
 for (int k = 0; k < {taps}; k++) t[k] = fin[k * 7 + (int)bid];
#pragma unroll
 for (int m = 0; m < {steps}; m++) {{
  sum[m] = 0.0f;
#pragma unroll
  for (int k = 0; k < {taps}; k++) sum[m] = fmaf(t[k], {name}[(int)tid {r.choice([f'* {steps} + m', f'+ m * {b}'])} + k], sum[m]);
 }}
#pragma unroll
 for (int m = 0; m < {steps}; m++) {x} = {x} * 3u + (unsigned)small(sum[m] * 8.0f);
 }}
{SYNC}"""
