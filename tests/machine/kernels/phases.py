"""What the threads of a block do together. A phase is text of the kernel's body at its outermost level, where
all threads of the block are; between a write to shared memory and another thread's read is a barrier."""

from kernels import expressions as ex
from kernels import statements as st
from kernels.state import IN, Array

SYNC = " __syncthreads();\n"


def free(s):
    """One thread's code, with what arrays there are."""
    return st.block(s, s.r.choice([2, 3, 3]), False, 1, s.r.randint(2, 5))


def shared(s, count, ctype="unsigned"):
    name = s.new("sh")
    s.shared.append(f"__shared__ {ctype} {name}[{count}];")
    return name


def power(n):
    return 1 << (n - 1).bit_length()


def exchange(s):
    """Each thread writes its element; then all read any."""
    r, b = s.r, s.block
    kind = "f" if s.has("f") and r.random() < 0.3 else "u"
    if not s.has(kind):
        kind = s.types[0]
    ctype = {"u": "unsigned", "f": "float"}[kind]
    stride = r.choice([1, 1, 2, 3, 4, 8, 16, 32, 33])
    if stride * b > 6000:
        stride = 1
    size = power(b * stride)
    name = shared(s, size, ctype)
    text = f" for (int k = (int)tid; k < {size}; k += {b}) {name}[k] = ({ctype})(k * {r.randint(1, 9)});\n{SYNC}"
    text += f" {name}[tid * {stride}u] = {ex.of(s, kind, 1)};\n{SYNC}"
    s.readable.append(Array(name, size, kind))
    if r.random() < 0.5 and "u" in s.types:
        own = shared(s, b)
        text += f" {own}[tid] = {ex.u(s, 1)};\n"
        s.own.append(Array(own, b))
    return text + free(s)


def tile(s):
    """A tile is filled along rows and read along columns, with a padding or without."""
    r, b = s.r, s.block
    columns = r.choice([8, 16, 32, 32, 64])
    rows = max(1, r.choice([b, 2 * b, 4 * b]) // columns)
    pad = r.choice([0, 0, 1, 2, 4])
    name = shared(s, rows * (columns + pad))
    x = s.var("u")
    walk = r.choice(["k / ROWS + (k % ROWS) * PITCH", "(k % ROWS) * PITCH + (k / ROWS)", "((k * 7) % ROWS) * PITCH + (k * 3) % COLUMNS"])
    walk = walk.replace("ROWS", str(rows)).replace("PITCH", str(columns + pad)).replace("COLUMNS", str(columns))
    base = r.choice(["bid * 64u", "bid", "0u", "bid * 100u + 3u"])
    return (
        f"{st.unroll(s, 1)} for (int k = (int)tid; k < {rows * columns}; k += {b})\n"
        f"  {name}[k / {columns} * {columns + pad} + k % {columns}] = in[({base} + (unsigned)k) & {IN - 1}u];\n{SYNC}"
        f"{st.unroll(s, 1)} for (int k = (int)tid; k < {rows * columns}; k += {b}) {x} = {x} * 3u + {name}[{walk}];\n{SYNC}"
    )


def reduce(s):
    """A tree in shared memory, from strides that halve, or with conflicts from strides that double."""
    r, n = s.r, power(s.block)
    kind = r.choice([k for k in s.types if k in "ufdq"])
    from kernels.state import CTYPE

    ctype, name, x = CTYPE[kind], shared(s, n, CTYPE[kind]), s.var(kind)
    text = f" {name}[tid] = {ex.of(s, kind, 1)};\n"
    if n > s.block:
        text += f" if (tid < {n - s.block}u) {name}[tid + {s.block}u] = 0;\n"
    text += SYNC
    if r.random() < 0.5:
        text += f" for (int k = {n // 2}; k > {r.choice([0, 0, 16])}; k >>= 1) {{\n  if ((int)tid < k) {name}[tid] += {name}[tid + k];\n  __syncthreads();\n }}\n"
    else:
        text += f" for (int k = 1; k < {n}; k *= 2) {{\n  int at = 2 * k * (int)tid;\n  if (at + k < {n}) {name}[at] += {name}[at + k];\n  __syncthreads();\n }}\n"
    return text + f" {x} = {name}[{r.choice(['0', 'tid', f'tid ^ 1u'])}];\n" + SYNC


def scan(s):
    b = s.block
    name, x = shared(s, 2 * b), s.var("u")
    return (
        f" {{ int from = 0, to = {b};\n {name}[tid] = {ex.u(s, 1)};\n{SYNC}"
        f" for (int k = 1; k < {b}; k <<= 1) {{\n"
        f"  {name}[to + tid] = (int)tid >= k ? {name}[from + tid] + {name}[from + tid - k] : {name}[from + tid];\n"
        f"  int z = from; from = to; to = z;\n  __syncthreads();\n }}\n {x} = {name}[from + tid]; }}\n{SYNC}"
    )


def histogram(s):
    r, b = s.r, s.block
    n = r.choice([8, 16, 64, 256])
    name, copies = s.new("sh"), r.choice([1, 1, 2, 4])
    s.shared.append(f"__shared__ unsigned {name}[{n * copies}];")
    what = r.choice(["atomicAdd(&{}, 1u)", "atomicAdd(&{}, (unsigned)k)", "atomicMax(&{}, (unsigned)k)", "atomicXor(&{}, in[k])", "atomicOr(&{}, 1u << (k & 31))"])
    if s.block == 32:
        what = r.choice([what, "x0 += atomicAdd(&{}, 2u)", "x0 ^= atomicExch(&{}, (unsigned)k)"])
    place = f"{name}[{f'(tid % {copies}u) * {n}u + ' if copies > 1 else ''}(in[(bid * 512u + (unsigned)k) & {IN - 1}u] >> {r.choice([0, 4, 20])}) & {n - 1}u]"
    condition = r.choice(["", f"if (in[k] & {r.choice([1, 3])}u) ", "if (k % 3) "])
    return (
        f" {{ unsigned x0 = 0u;\n for (int k = (int)tid; k < {n * copies}; k += {b}) {name}[k] = 0u;\n{SYNC}"
        f" for (int k = (int)tid; k < {r.choice([b, 2 * b, 3 * b + 5])}; k += {b}) {condition}{what.format(place)};\n{SYNC}"
        f" {s.var('u')} += {name}[tid & {n - 1}u] + x0; }}\n{SYNC}"
    )


def warp(s):
    """Shuffles, votes, matches and reductions of full warps."""
    r = s.r
    out = ""
    for _ in range(r.randint(2, 5)):
        x, y = s.var("u"), s.var("u")
        kind = r.choice([k for k in s.types if k != "h"] + (["h"] if s.has("h") else []))
        v, w = s.var(kind), r.choice([32, 32, 16, 8])
        forms = [
            f"{v} = __shfl_xor_sync(~0u, {v}, {r.randint(1, 31) % w}, {w});",
            f"{v} = __shfl_down_sync(~0u, {v}, {r.randint(1, 15)}, {w});",
            f"{v} = __shfl_up_sync(~0u, {v}, {x} & 7u, {w});",
            f"{v} = __shfl_sync(~0u, {v}, (int)({x} & 31u), {w});",
            f"{x} ^= __ballot_sync(~0u, {ex.cond(s, 1)});",
            f"{x} += __any_sync(~0u, {ex.cond(s, 1)}) ? {y} : 3u;",
            f"{x} += __all_sync(~0u, {ex.cond(s, 0)}) ? 1u : 2u;",
            f"{x} = __reduce_{r.choice(['add', 'min', 'max', 'and', 'or', 'xor'])}_sync(~0u, {y});",
            f"{x} ^= __match_any_sync(~0u, {y} & {r.choice([1, 3, 7])}u);",
            f"{{ int all; {x} += __match_all_sync(~0u, {y} >> 31, &all); {y} += (unsigned)all; }}",
            f"for (int k = {r.choice([16, 8])}; k > 0; k >>= 1) {x} += __shfl_down_sync(~0u, {x}, k);",
            f"for (int k = 1; k < 32; k <<= 1) {{ unsigned z = __shfl_up_sync(~0u, {x}, k); if ((int)lane >= k) {x} += z; }}",
            f"{{ unsigned m = __ballot_sync(~0u, {ex.cond(s, 0)}); {x} += __popc(m & ((1u << lane) - 1u)); if (m >> lane & 1u) {y} ^= __shfl_sync(m, {x}, __ffs((int)m) - 1); }}",
            f"if ((in[tid / 32u + bid] & 3u) != 0u) {{ {x} += __shfl_xor_sync(~0u, {y}, 5); }} else {{ {y} ^= __ballot_sync(~0u, {x} & 1u); }}",
            f"__syncwarp(); {x} += __popc(__activemask());",
            f"{x} += (unsigned)__syncthreads_{r.choice(['count', 'or', 'and'])}((int)({y} & 3u));",
            f"{{ int n = (int)(in[tid / 32u] & 7u); for (int k = 0; k < n; k++) {x} = __shfl_sync(~0u, {x} + (unsigned)k, (int)((lane + {x}) & 31u)); }}",
        ]
        out += " " + r.choice(forms) + "\n"
    return out


def residue(s):
    """Shared memory by a counter whose base leaves a residue of 16 bytes: which loads may be one?"""
    r, b = s.r, s.block
    size = r.choice([512, 1024, 2048])
    kind = r.choice(["unsigned", "unsigned", "float"]) if s.has("f") else "unsigned"
    name, x = shared(s, size, kind), s.var("f" if kind == "float" else "u")
    step, width = r.choice([1, 2, 3, 4, 4, 8]), r.choice([1, 2, 3, 4])
    low, count = r.choice([3, 35, 36, 67, 140]), r.choice([4, 5, 8, 12, 16])
    back = r.randrange(low + 1)
    lanes = r.choice(["0", "(int)lane", "(int)lane * 4", "(int)tid / 8", "(int)(lane & 3u) * 16", f"(int)(in[0] & 1u)"])
    at = [f"{name}[c - {back} + {lanes} + {k}]" for k in range(width)]
    if r.random() < 0.4:  # down instead of up
        head = f"for (int c = {low + step * (count - 1)}; c >= {low}; c -= {step})"
    else:
        head = f"for (int c = {low}; c < {low} + {count} * {step}; c += {step})"
    mixed = " ^ ".join(at) if kind == "unsigned" else " + ".join(at)
    body = r.choice([f"{x} += {mixed};", f"if ({x} {'& 1u' if kind == 'unsigned' else '> 2.0f'}) {x} += {mixed}; else {x} = {at[0]};", f"{x} = {x} * 3{'u' if kind == 'unsigned' else '.0f'} + {mixed};"])
    pragma = r.choice(["", "", "#pragma unroll 1\n", "#pragma unroll 2\n", "#pragma unroll 4\n"])
    return f" for (int k = (int)tid; k < {size}; k += {b}) {name}[k] = ({kind})(in[k] & 1023u);\n{SYNC}{pragma} {head} {{ {body} }}\n{SYNC}"


def uneven(s):
    """Loops whose trips differ by lane, over memory; the compiler unrolls them with a rest."""
    r = s.r
    x = s.var("u")
    n = f"(int)(in[{r.choice(['tid', 'gid', 'lane', 'tid / 32u'])}] & {r.choice([7, 15, 31])}u)"
    stride = r.choice(["k", "k * 32 + (int)lane", "k * 4", "k + (int)tid", "k * (int)gid"])
    body = r.choice([f"{x} += in[({stride}) & {IN - 1}];", f"{x} = {x} * 5u + in[({stride}) & {IN - 1}]; if ({x} % 7u == 0u) break;", f"unsigned z = in[({stride}) & {IN - 1}]; if (z & 1u) {x} += z; else {x} ^= z >> 3;"])
    inner = ""
    if r.random() < 0.4:
        inner = f"\n  for (int m = 0; m < (int)({x} & 3u); m++) {x} += in[(m + {r.randint(1, 200)}) & {IN - 1}];"
    return f" {{ int n = {n};\n{st.unroll(s, 1)} for (int k = {r.choice(['0', '0', '(int)(lane & 1u)'])}; k < n; k++) {{ {body}{inner} }} }}\n"


def stencil(s):
    r, b = s.r, s.block
    halo = r.choice([1, 2, 3, 4])
    kind = "float" if s.has("f") else "unsigned"
    name, x = shared(s, b + 2 * halo, kind), s.var("f" if kind == "float" else "u")
    source = "fin" if kind == "float" else "in"
    sums = " + ".join(f"{name}[tid + {k}]" for k in range(0, 2 * halo + 1))
    return (
        f" {name}[tid + {halo}] = {source}[(gid + {halo}u) & {IN - 1}u];\n"
        f" if (tid < {halo}u) {name}[tid] = {source}[gid & {IN - 1}u];\n"
        f" if (tid >= {b - halo}u) {name}[tid + {2 * halo}] = {source}[(gid + {2 * halo}u) & {IN - 1}u];\n"
        f"{SYNC} {x} += {sums};\n{SYNC}"
    )


def vectors(s):
    """Shared memory in 8 and 16 bytes, and as structures and small types."""
    r, b = s.r, s.block
    x = s.var("u")
    ctype, fields = r.choice([("uint2", "xy"), ("uint4", "xyzw"), ("uint3", "xyz"), ("ushort4", "xyzw"), ("uchar4", "xyzw"), ("short2", "xy"), ("double2", "xy"), ("ulonglong2", "xy")])
    pad = r.choice([0, 0, 1])
    name = shared(s, b + b // 8 * pad + 1, ctype)
    at = f"tid + tid / 8u * {pad}u" if pad else "tid"
    y = r.choice([f"(tid * {r.choice([3, 5, 7])}u) % {b}u", "tid ^ 1u", f"tid / {r.choice([2, 4, 32])}u", f"({ex.u(s, 1)}) % {b}u"])
    fill = "".join(f" z.{c} = {'in' if k < 2 else 'tid + in'}[(gid * 4u + {k}u) & {IN - 1}u];" for k, c in enumerate(fields))
    use = " + ".join(f"(unsigned)w.{c}" for c in r.sample(fields, r.randint(1, len(fields))))
    if ctype == "double2":
        use = "(unsigned)fmin(w.x, 1e9) + (unsigned)fmin(w.y, 1e9)"
    return f" {{ {ctype} z;{fill}\n {name}[{at}] = z;\n{SYNC} {{ {ctype} w = {name}[{f'({y}) + ({y}) / 8u' if pad else y}]; {x} += {use}; }}\n{SYNC} }}\n"


def structure(s):
    """Global memory as arrays of structures, 16-bit and 8-bit elements, misaligned vectors, cache hints."""
    r = s.r
    x = s.var("u")
    n = r.choice([2, 3, 4, 5, 6, 7, 8])
    name = f"{s.name}_{s.new('t')}"
    fields = "".join(f" {r.choice(['unsigned', 'unsigned', 'int', 'short', 'unsigned char', 'float'])} m{k};" for k in range(n))
    s.prelude.append(f"struct {name} {{{fields} }};\n")
    read = r.sample(range(n), r.randint(1, n))
    use = " + ".join(f"(unsigned)(int)(p->m{k} * 1)" if "float" not in fields.split(";")[k] else f"__float_as_uint(p->m{k})" for k in read)
    k = r.randrange(5)
    if k == 0:
        return f" {{ const unsigned *p = in + gid * {r.choice([2, 4])}u; {x} += __ldg(p) ^ __ldcg(p + 1) ^ __ldcs(p + 1) ^ __ldca(p); }}\n"
    if k == 1:
        return f" {{ const unsigned short *p = (const unsigned short *)in + gid * {r.choice([1, 2, 3])}u; {x} += p[0] + p[1] * 3u; const volatile unsigned *v = in + tid; {x} ^= v[0] + v[0]; }}\n"
    if k == 2:
        return f" {{ ulonglong2 w = ((const ulonglong2 *)in)[(gid * {r.choice([1, 3])}u) & {IN // 4 - 1}u]; {x} += (unsigned)(w.x >> 7) ^ (unsigned)w.y; }}\n"
    return f" {{ const {name} *p = (const {name} *)in + ((gid * {r.choice([1, 1, 2, 5])}u + {r.randrange(9)}u) & 511u); {x} += {use}; }}\n"


def copies(s):
    """cp.async of 4, 8 and 16 bytes, in one stage or in two that alternate."""
    r, b = s.r, s.block
    s.includes.add("cuda_pipeline.h")
    size = r.choice([4, 8, 16, 16])
    words, x = size // 4, s.var("u")
    stages = r.choice([1, 2, 3])
    name = s.new("sh")
    s.shared.append(f"__shared__ __align__(16) unsigned {name}[{stages}][{b * words}];")
    at = r.choice(["gid", "gid * 2u", "(gid ^ 1u)", "tid + bid * 3u"])
    copy = f"__pipeline_memcpy_async(&{name}[STAGE][tid * {words}u], &in[(({at} + (unsigned)(K) * {b}u) * {words}u) & {IN - 1}u], {size}); __pipeline_commit();"
    read = f"{name}[STAGE][{r.choice([f'(tid * 5u) % {b * words}u', f'tid', f'tid * {words}u', f'{b * words - 1}u - tid'])}]"
    if stages == 1:
        return f" {copy.replace('STAGE', '0').replace('K', '0')}\n __pipeline_wait_prior(0);\n{SYNC} {x} += {read.replace('STAGE', '0')};\n{SYNC}"
    n = r.choice([3, 4, 6])
    head = "".join(f" {copy.replace('STAGE', str(k)).replace('K', str(k))}\n" for k in range(stages - 1))
    return (
        f"{head} for (int k = 0; k < {n}; k++) {{\n"
        f"  if (k + {stages - 1} < {n}) {{ {copy.replace('STAGE', f'(k + {stages - 1}) % {stages}').replace('K', f'k + {stages - 1}')} }} else __pipeline_commit();\n"
        f"  __pipeline_wait_prior({stages - 1});\n  __syncthreads();\n  {x} += {read.replace('STAGE', f'k % {stages}')};\n  __syncthreads();\n }}\n"
    )


def matrices(s):
    """A product by tensor cores: each warp one tile, through shared or global memory."""
    r = s.r
    s.includes.add("mma.h")
    warps = s.block // 32
    pitch, name = r.choice([16, 16, 24, 32]), s.new("sh")
    s.shared.append(f"__shared__ __align__(32) __half {name}[{warps}][16 * {pitch}];")
    s.shared.append(f"__shared__ __align__(32) float {name}_c[{warps}][256];")
    s.includes.add("cuda_fp16.h")
    la, lb = r.choice(["row", "col"]), r.choice(["row", "col"])
    x = s.var("u")
    return f""" {{ using namespace nvcuda::wmma;
 unsigned w = tid / 32u;
 for (unsigned k = lane; k < 16u * {pitch}u; k += 32u) {name}[w][k] = __float2half((float)(in[(k + w * 77u + bid) & {IN - 1}u] & 7u) * 0.25f);
 __syncwarp();
 fragment<matrix_a, 16, 16, 16, __half, {la}_major> a;
 fragment<matrix_b, 16, 16, 16, __half, {lb}_major> b;
 fragment<accumulator, 16, 16, 16, float> c;
 fill_fragment(c, {r.choice(['0.0f', '1.0f'])});
 for (int k = 0; k < {r.choice([1, 2, 3])}; k++) {{
  load_matrix_sync(a, {name}[w], {pitch});
  load_matrix_sync(b, {name}[{r.choice(['w', f'(w + 1u) % {warps}u']) if warps == 1 else 'w'}], {pitch});
  mma_sync(c, a, b, c);
 }}
 store_matrix_sync({name}_c[w], c, 16, mem_{r.choice(['row', 'col'])}_major);
 __syncwarp();
 {x} += (unsigned){name}_c[w][lane * {r.choice([1, 8, 7])}u] + (unsigned){name}_c[w][255u - lane];
 }}
{SYNC}"""


def fragments(s):
    """mma and ldmatrix as they are written by hand."""
    r, x = s.r, s.var("u")
    warps, pitch, name = s.block // 32, r.choice([8, 12, 16, 20]), s.new("sh")
    s.shared.append(f"__shared__ __align__(16) unsigned {name}[{warps}][16 * {pitch}];")
    trans = r.choice(["", ".trans"])
    return f""" {{ unsigned w = tid / 32u, a0, a1, a2, a3; float d0_ = 0.0f, d1_ = 0.0f, d2_ = 0.0f, d3_ = 0.0f;
 for (unsigned k = lane; k < 16u * {pitch}u; k += 32u) {name}[w][k] = 0x3c003800u + ((in[(k + w) & {IN - 1}u] & 0x0100u) << 2);
 __syncwarp();
 unsigned p = (unsigned)__cvta_generic_to_shared(&{name}[w][(lane & 15u) * {pitch}u + (lane >> 4) * 4u]);
 asm volatile("ldmatrix.sync.aligned.m8n8.x4{trans}.shared.b16 {{%0, %1, %2, %3}}, [%4];" : "=r"(a0), "=r"(a1), "=r"(a2), "=r"(a3) : "r"(p) : "memory");
 for (int k = 0; k < {r.choice([1, 2, 4])}; k++)
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {{%0, %1, %2, %3}}, {{%4, %5, %6, %7}}, {{%8, %9}}, {{%0, %1, %2, %3}};"
   : "+f"(d0_), "+f"(d1_), "+f"(d2_), "+f"(d3_) : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(a{r.choice('0123')}), "r"(a{r.choice('0123')}));
 {x} += (unsigned)(d0_ * 4.0f) + (unsigned)(d1_ + d3_) * 3u + (unsigned)d2_;
 }}
{SYNC}"""


def local(s):
    """An array of the thread, by data and by constants, then free code over it."""
    r = s.r
    size = r.choice([4, 8, 16, 16, 32, 64])
    name = s.new("la")
    kind = "f" if s.has("f") and r.random() < 0.4 else "u"
    ctype = "float" if kind == "f" else "unsigned"
    text = f" {ctype} {name}[{size}];\n"
    how = r.randrange(4)
    if how == 0:
        text += f"#pragma unroll\n for (int k = 0; k < {size}; k++) {name}[k] = ({ctype})(tid * (unsigned)(k + 1));\n"
    elif how == 1:
        text += f" for (int k = 0; k < {size}; k++) {name}[k] = ({ctype})in[(gid + (unsigned)k * 16u) & {IN - 1}u] * {'0.001f' if kind == 'f' else '3u'};\n"
    else:
        text += f"#pragma unroll {r.choice([1, 2, 4])}\n for (int k = 0; k < {size}; k++) {name}[(k * {r.choice([1, 3, 5])}) & {size - 1}] = ({ctype})(k + (int)lane);\n"
    a = Array(name, size, kind)
    s.locals.append(a)
    text += free(s)
    k = r.randrange(4)
    zero = "f" if kind == "f" else "u"
    x = s.var(zero) if s.has(zero) else None
    if x and k == 0:
        text += f" for (int k = 0; k < {size}; k++) {x} = {x} * {'0.5f' if kind == 'f' else '31u'} + {name}[k];\n"
    if x and k == 1:
        text += f"#pragma unroll\n for (int k = 0; k < {size}; k++) {x} += {name}[k];\n"
    if k == 2:  # insertion by comparisons: every index by data
        text += f" for (int k = 1; k < {min(size, 16)}; k++) {{ {ctype} z = {name}[k]; int m = k; while (m > 0 && {name}[m - 1] > z) {{ {name}[m] = {name}[m - 1]; m--; }} {name}[m] = z; }}\n"
    if r.random() < 0.5:
        s.locals.remove(a)
    return text


def planes(s):
    """Local arrays of other types and of two dimensions; a stack of a search."""
    r = s.r
    x = s.var("u")
    k = r.randrange(4)
    if k == 0:
        t = r.choice(["unsigned char", "short", "unsigned short", "double", "unsigned long long"])
        n = r.choice([8, 16, 24])
        return f" {{ {t} p[{n}];\n for (int k = 0; k < {n}; k++) p[k] = ({t})((tid + (unsigned)k * 7u) & 127u);\n for (unsigned k = 0; k < ({x} & 7u); k++) p[({x} + k) % {n}u] = ({t})(p[(k * 5u) % {n}u] + ({t})1);\n {x} += (unsigned)p[{x} % {n}u] + (unsigned)p[3]; }}\n"
    if k == 1:
        m, n = r.choice([(4, 4), (3, 5), (8, 3)])
        return f" {{ unsigned p[{m}][{n}];\n for (int a = 0; a < {m}; a++) for (int b = 0; b < {n}; b++) p[a][b] = in[(gid + (unsigned)(a * {n} + b)) & {IN - 1}u];\n for (int k = 0; k < {r.choice([2, 3])}; k++) {{ unsigned a = {x} % {m}u, b = ({x} >> 8) % {n}u; p[a][b] ^= {x}; {x} = {x} * 9u + p[b % {m}u][a % {n}u]; }}\n for (int a = 0; a < {m}; a++) {x} += p[a][{r.randrange(n)}]; }}\n"
    if k == 2:
        return f" {{ struct {{ unsigned a; unsigned short b; unsigned char c; }} p[8];\n for (unsigned k = 0; k < 8u; k++) {{ p[k].a = k * gid; p[k].b = (unsigned short)(k + tid); p[k].c = (unsigned char)k; }}\n for (unsigned k = 0; k < {r.choice([2, 4])}u; k++) {x} += p[({x} + k) & 7u].a ^ p[{x} & 7u].b + p[({x} >> 3) & 7u].c; }}\n"
    return f" {{ unsigned stack[24]; int top = 0; stack[top++] = ({x} & 63u) + 1u;\n for (int turn = 0; top > 0 && turn < 40; turn++) {{ unsigned n = stack[--top]; {x} += n; if (n > 2u && top < 22) {{ if (n & 1u) stack[top++] = n / 2u; stack[top++] = n / 3u; }} }} }}\n"


def machine_of_states(s):
    """A loop over a switch whose cases choose the next: no structure that a compiler knows."""
    r, x, y = s.r, s.var("u"), s.var("u")
    n = r.choice([3, 4, 5])
    cases = ""
    for k in range(n):
        to = r.sample(range(n + 1), 2)
        cases += f"  case {k}: {x} = {x} * {r.choice([3, 5, 9])}u + {y}; state = ({x} >> {r.randrange(4)}) & 1u ? {to[0]} : {to[1]}; break;\n"
    return f" {{ int state = (int)({x} % {n}u);\n for (int turn = 0; turn < {r.choice([6, 10, 16])} && state != {n}; turn++) {{\n  switch (state) {{\n{cases}  }}\n }} }}\n"


def jumps(s):
    """goto into the middle of another arm: flow that no nesting describes."""
    r, x, y = s.r, s.var("u"), s.var("u")
    a, b = s.new("L"), s.new("L")
    return f""" {{ int turn = 0;
 if ({ex.cond(s, 0)}) goto {a};
 {x} += {y} * 3u;
 if ({x} & {r.choice([1, 2, 4])}u) goto {b};
 {y} ^= {x} >> 2;
{a}:
 {x} = {x} * 5u + 1u;
 if (turn++ > {r.randint(1, 6)}) goto {b};
 if ({y} & 1u) {{ {y} = {y} / 2u + {x}; goto {a}; }}
{b}:
 {y} += {x}; }}
"""


def results(s):
    """To the thread's own words of the scratch array, and back."""
    r, x = s.r, s.var("u")
    k = r.randrange(3)
    place = r.choice(["gid * 4u + K", "K * threads + gid", "(gid ^ 1u) * 4u + K"])
    if "threads" in place:
        place = place.replace("threads", f"{s.block * s.grid}u")
    w, v = place.replace("K", f"({x} & 3u)"), place.replace("K", str(r.randrange(4)) + "u")
    if k == 0:
        return f" scratch[{w}] = {ex.u(s, 1)};\n {x} += scratch[{v}];\n"
    if k == 1:
        return f" for (unsigned k = 0; k < 4u; k++) scratch[{place.replace('K', 'k')}] = {x} + k;\n {x} += scratch[{w}];\n"
    return f" ((uint2 *)scratch)[gid * 2u + 1u] = make_uint2({x}, {s.var('u')});\n {x} ^= ((unsigned char *)scratch)[gid * 16u + ({x} & 15u)];\n"


def halves(s):
    """16-bit floats, alone and in pairs, through shared memory; bfloat16."""
    r, b, x = s.r, s.block, s.var("u")
    s.includes |= {"cuda_fp16.h", "cuda_bf16.h"}
    one, two = r.choice([("__half", "__half2"), ("__half", "__half2"), ("__nv_bfloat16", "__nv_bfloat162")])
    name, turn = shared(s, 2 * b, one), r.choice(["k + 1", "k * 7", "b - k"]).replace("b", str(b))
    to = "__float2half" if one == "__half" else "__float2bfloat16"
    back = "__half2float" if one == "__half" else "__bfloat162float"
    low, high = ("__low2float", "__high2float")
    return f""" {name}[tid] = {to}(fin[gid & {IN - 1}u]); {name}[tid + {b}u] = {to}((float)lane * {r.choice(['0.5f', '0.03125f'])});
{SYNC} {{ {two} v = (({two} *){name})[tid], w = (({two} *){name})[(tid * {r.choice([1, 3, 5])}u + 1u) % {b}u];
 for (int k = 0; k < {r.choice([1, 2, 3])}; k++) {{
  v = __hfma2(v, w, {r.choice(['v', 'w'])});
  if (__hgt(__low2{one.strip('_').replace('nv_', '')}(v), __high2{one.strip('_').replace('nv_', '')}(w))) w = __h{r.choice(['min', 'max', 'add'])}2(v, w);
 }}
 float z = {low}(v) + {high}(w) * 0.5f + {back}({name}[(unsigned)({turn.replace('k', '(int)tid')}) % {2 * b}u]);
 {x} += (unsigned)small(z); }}
{SYNC}"""


def constants(s):
    """Constant memory by a constant, by the block, by the lane; variables of the module."""
    r, x = s.r, s.var("u")
    n = r.choice([16, 64])
    name = f"{s.name}_{s.new('k')}"
    values = ", ".join(f"{r.getrandbits(16)}u" for _ in range(n))
    s.prelude.append(f"__constant__ unsigned {name}[{n}] = {{{values}}};\n__device__ unsigned {name}_d[{n}] = {{{values}}};\n")
    at = r.choice([f"{r.randrange(n)}u", "bid & 3u", f"lane & {n - 1}u", f"{x} & {n - 1}u", f"(tid / 32u) & {n - 1}u"])
    return f" for (unsigned k = 0; k < {r.choice([1, 3, 4])}u; k++) {x} = {x} * 3u + {name}[({at} + k) & {n - 1}u] + {name}_d[({x} + k) & {n - 1}u];\n"


def wide(s):
    """Products of 128 bits, sums with carries, divisions of 64 bits in branches."""
    r, x, y = s.r, s.var("u"), s.var("u")
    return f""" {{ unsigned long long a = (unsigned long long){x} << {r.choice([7, 21, 32])} | {y}, b = (unsigned long long)gid * {r.getrandbits(48)}ull + 3ull;
 unsigned __int128 p = (unsigned __int128)a * b + {y};
 p += (unsigned __int128)b << {r.choice([3, 40, 65])};
 if ({ex.cond(s, 0)}) a = b / (a | 1ull); else b = a % ((b >> {r.choice([1, 20])}) | 1ull);
 {x} ^= (unsigned)(p >> {r.choice([0, 50, 64, 97])}) + (unsigned)a + (unsigned)(b >> 32); }}
"""
