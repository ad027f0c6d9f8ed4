"""Device functions of a kernel, each unsigned f(unsigned a, unsigned b) for its callers: inlined or not,
recursive, through pointers, virtual, with arrays of their own and structures."""


def linkage(s):
    return s.r.choice(["__noinline__", "__noinline__", "__forceinline__", ""])


def mix(s, name):
    r = s.r
    step = r.choice(["b = b * 5u + a;", "b ^= b >> 3; b += a;", "b = (b << 7 | b >> 25) ^ a;"])
    return f"""static __device__ {linkage(s)} unsigned {name}(unsigned a, unsigned b) {{
 unsigned c = 0;
 for (unsigned k = 0; k < (a & {r.choice([3, 7])}u) + {r.randrange(3)}u; k++) {{
  if (b & 1u) {{ c += k; {step} continue; }}
  c ^= b >> (k & 7u);
  if ((c & 63u) == {r.randrange(1, 60)}u) break;
  {step}
 }}
 return c;
}}
"""


def recursive(s, name):
    r = s.r
    k = r.randrange(3)
    if k == 0:
        return f"""static __device__ __noinline__ unsigned {name}_r(unsigned a, unsigned b, int n) {{
 if (n <= 0 || (a & 7u) == {r.randrange(8)}u) return b;
 return {name}_r(a / 3u + 1u, b ^ (a * 17u), n - 1) + {r.randint(1, 9)}u;
}}
static __device__ unsigned {name}(unsigned a, unsigned b) {{ return {name}_r(a, b, {r.randint(2, 6)}); }}
"""
    if k == 1:
        return f"""static __device__ __noinline__ unsigned {name}_r(unsigned a, int n) {{
 if (n < 2) return a + (unsigned)n;
 return {name}_r(a ^ 5u, n - 1) + {name}_r(a * 3u, n - 2) + (a & 1u);
}}
static __device__ unsigned {name}(unsigned a, unsigned b) {{ return {name}_r(a, (int)(b & {r.choice([3, 7])}u)); }}
"""
    return f"""static __device__ __noinline__ unsigned {name}_o(unsigned a, int n);
static __device__ __noinline__ unsigned {name}_e(unsigned a, int n) {{ return n <= 0 ? a : {name}_o(a * 7u + 1u, n - 1) ^ 1u; }}
static __device__ __noinline__ unsigned {name}_o(unsigned a, int n) {{ return n <= 0 ? ~a : {name}_e(a >> 1, n - (int)(a & 1u) - 1) + 2u; }}
static __device__ unsigned {name}(unsigned a, unsigned b) {{ return {name}_e(a, (int)(b & 7u)); }}
"""


def with_array(s, name):
    r = s.r
    n = r.choice([8, 16, 32])
    kind = r.choice(["unsigned", "unsigned", "unsigned short", "unsigned char"])
    return f"""static __device__ __noinline__ unsigned {name}_a(const {kind} *t, unsigned n) {{
 unsigned x = 0;
 for (unsigned k = 0; k < n; k++) x = x * 3u + t[(k * {r.choice([1, 3, 5])}u) & {n - 1}u];
 return x;
}}
static __device__ {linkage(s)} unsigned {name}(unsigned a, unsigned b) {{
 {kind} t[{n}];
 for (unsigned k = 0; k < {n}u; k++) t[k] = ({kind})((a >> (k & 15u)) ^ b);
 for (unsigned k = 0; k < (a & 3u); k++) t[(b + k) & {n - 1}u] += t[(a + k) & {n - 1}u];
 return {r.choice([f'{name}_a(t, (b & 7u) + 1u)', f't[b & {n - 1}u] + t[1]', f'{name}_a(t, {n}u)'])};
}}
"""


def structures(s, name):
    r = s.r
    return f"""struct {name}_s {{ unsigned a; float b; int c; unsigned short e; unsigned char g; double h; }};
static __device__ __noinline__ {name}_s {name}_m(unsigned a, float b) {{
 {name}_s x;
 x.a = a * 3u; x.b = b + 1.0f; x.c = (int)a - 5; x.e = (unsigned short)(a >> 3); x.g = (unsigned char)a; x.h = (double)b * 0.5;
 return x;
}}
static __device__ __noinline__ unsigned {name}_u({name}_s x, {name}_s y) {{
 return x.a + (unsigned)y.c + x.e * y.g + (unsigned)small(y.b) + (unsigned)(x.h > y.h);
}}
static __device__ {linkage(s)} unsigned {name}(unsigned a, unsigned b) {{
 {name}_s x = {name}_m(a, (float)(b & 255u)), y = {name}_m(b, (float)(a & {r.choice([15, 255, 1023])}u));
 return {name}_u(x, y);
}}
"""


def many_arguments(s, name):
    n = s.r.choice([12, 20, 28])
    declared = ", ".join(f"unsigned p{k}" for k in range(n))
    used = " + ".join(f"(p{k} {s.r.choice('^*')} {k + 1}u)" for k in range(n))
    given = ", ".join(s.r.choice([f"a + {k}u", f"b * {k}u", f"a ^ (b >> {k})"]) for k in range(n))
    return f"""static __device__ __noinline__ unsigned {name}_n({declared}) {{ return {used}; }}
static __device__ unsigned {name}(unsigned a, unsigned b) {{ return {name}_n({given}); }}
"""


def pointers(s, name):
    r = s.r
    text = ""
    n = r.choice([2, 4])
    bodies = ["a * 3u + b", "a ^ (b << 5)", "a > b ? a - b : b - a", "(a & b) + __popc(a)", "a / ((b & 7u) + 1u)"]
    for k in range(n):
        text += f"static __device__ __noinline__ unsigned {name}_{k}(unsigned a, unsigned b) {{ return {r.choice(bodies)}; }}\n"
    text += f"typedef unsigned (*{name}_t)(unsigned, unsigned);\n"
    table = ", ".join(f"{name}_{k}" for k in range(n))
    if r.random() < 0.5:
        text += f"__device__ {name}_t {name}_table[{n}] = {{{table}}};\n"
        which = f"{name}_table[({r.choice(['a', 'b', 'a + b'])}) & {n - 1}u]"
    else:
        which = f"(b & 1u) ? {name}_0 : {name}_1"
    return text + f"static __device__ unsigned {name}(unsigned a, unsigned b) {{ {name}_t f = {which}; return f(a, b) + f(b, 1u); }}\n"


def virtual(s, name):
    k = s.r.randint(2, 9)
    return f"""struct {name}_v {{ unsigned w; __device__ {name}_v(unsigned x) : w(x) {{}} __device__ virtual unsigned f(unsigned a) = 0; }};
struct {name}_x : {name}_v {{ unsigned z; __device__ {name}_x(unsigned x) : {name}_v(x), z(x * {k}u) {{}} __device__ unsigned f(unsigned a) {{ return a * w + z; }} }};
struct {name}_y : {name}_v {{ __device__ {name}_y(unsigned x) : {name}_v(x) {{}} __device__ unsigned f(unsigned a) {{ return (a >> 1) ^ w; }} }};
static __device__ __noinline__ unsigned {name}_c({name}_v *o, unsigned a) {{ return o->f(a) + o->w; }}
static __device__ unsigned {name}(unsigned a, unsigned b) {{
 {name}_x x(a); {name}_y y(b);
 {name}_v *o = (a ^ b) & 1u ? ({name}_v *)&x : ({name}_v *)&y;
 return {name}_c(o, b);
}}
"""


def generic(s, name):
    """Reads through a pointer that is to memory of either kind."""
    return f"""__device__ unsigned {name}_g[16] = {{1u, 5u, 9u, 2u, 6u, 5u, 3u, 5u, 8u, 9u, 7u, 9u, 3u, 2u, 3u, 8u}};
static __device__ __noinline__ unsigned {name}_p(const unsigned *p, unsigned n) {{ return p[n & 7u] + p[(n >> 3) & 7u]; }}
static __device__ {linkage(s)} unsigned {name}(unsigned a, unsigned b) {{
 unsigned t[8];
 for (unsigned k = 0; k < 8u; k++) t[k] = a + k * b;
 return {name}_p((a & {s.r.choice([1, 2, 4])}u) ? t : {name}_g + (b & 7u), b);
}}
"""


KINDS = {
    mix: 4,
    recursive: 2,
    with_array: 2,
    structures: 1,
    many_arguments: 1,
    pointers: 1.5,
    virtual: 0.7,
    generic: 0.8,
}


def add(s, count):
    for _ in range(count):
        name = f"{s.name}_f{len(s.helpers)}"
        s.prelude.append(s.pick(KINDS)(s, name))
        s.helpers.append(name)
