"""Expressions in C of one thread's values. Nothing here is undefined: shifts are masked, divisors are not
zero, signed sums are computed without a sign, floats that become integers are small."""

FLOATS = ["0.5f", "1.0f", "-1.5f", "3.0f", "0.001f", "7.25f", "0.333f", "-0.125f", "100.0f"]
DOUBLES = ["0.1", "-2.0", "1.75", "3.141592653589793", "1e-3", "0.0625"]
DIVISORS = [2, 3, 4, 5, 7, 8, 9, 10, 12, 16, 24, 31, 33, 60, 100, 255, 641, 1000, 65537]


def index(s, size):
    """An unsigned index below size, a power of two."""
    r, mask = s.r, size - 1
    k = r.randrange(7)
    if k == 0:
        return f"(tid * {r.choice([1, 2, 3, 4, 5, 8, 16, 17, 32, 33])}u + {r.randrange(64)}u) & {mask}u"
    if k == 1 and s.counters:
        return f"((unsigned){r.choice(s.counters)} * {r.choice([1, 2, 4, 32, 33])}u + lane) & {mask}u"
    if k == 2 and s.counters:
        return f"(unsigned)({r.choice(s.counters)} + {r.randrange(8)}) & {mask}u"
    if k == 3:
        return f"(gid + {r.randrange(256)}u) & {mask}u"
    if k == 4:
        return f"({r.randrange(size)}u ^ lane) & {mask}u"
    return f"({u(s, 1)}) & {mask}u"


def array(s, arrays, kind):
    """An element of one of the arrays, as a value of that kind; None where there is no such array."""
    of_kind = [a for a in arrays if a.kind == kind]
    if not of_kind:
        return None
    a = s.r.choice(of_kind)
    return f"{a.name}[{index(s, a.size)}]"


def loaded(s, kind):
    """A value from memory: global, shared or the thread's own array."""
    r = s.r
    if s.locals and r.random() < 0.4:
        text = array(s, s.locals, kind)
        if text:
            return text
    if s.readable and r.random() < 0.5:
        text = array(s, s.readable, kind)
        if text:
            return text
    from kernels.state import IN

    if kind == "f":
        return f"fin[{index(s, IN)}]"
    k = r.randrange(12)
    if k == 0:
        return f"(unsigned)((const unsigned char *)in)[{index(s, IN)}]"
    if k == 1:
        return f"(unsigned)((const short *)in)[{index(s, IN)}]"
    if k == 2:
        return f"((const uint2 *)in)[{index(s, IN // 2)}].{r.choice('xy')}"
    if k == 3:
        return f"((const uint4 *)in)[{index(s, IN // 4)}].{r.choice('xyzw')}"
    return f"in[{index(s, IN)}]"


def leaf_u(s):
    r = s.r
    k = r.randrange(8)
    if k < 4:
        return s.var("u")
    if k == 4:
        return f"{r.getrandbits(r.choice([3, 6, 16, 32]))}u"
    if k == 5 and s.counters:
        return f"(unsigned){r.choice(s.counters)}"
    scalars = [n for t, n in s.scalars if t == "u"]
    if k == 6 and scalars:
        return r.choice(scalars)
    return r.choice(["tid", "lane", "gid", "bid"])


def u(s, d):
    r = s.r
    if d <= 0:
        return leaf_u(s)
    a = lambda: u(s, d - 1)
    k = r.randrange(26)
    if k < 5:
        return f"(({a()}) {r.choice('+-*')} ({a()}))"
    if k < 8:
        return f"(({a()}) {r.choice('&|^')} ({a()}))"
    if k == 8:
        return f"(({a()}) {r.choice(['<<', '>>'])} (({a()}) & 31u))"
    if k == 9:
        return f"(({a()}) {r.choice(['<<', '>>'])} {r.randrange(1, 31)})"
    if k == 10:
        return f"(({a()}) {r.choice('/%')} {r.choice(DIVISORS)}u)"
    if k == 11 and r.random() < 0.6:
        return f"(({a()}) {r.choice('/%')} ((({a()}) & {r.choice([7, 255, 65535])}u) + 1u))"
    if k == 12:
        return r.choice(["(unsigned)__popc({})", "(unsigned)__clz((int)({}))", "__brev({})", "(unsigned)__ffs((int)({}))"]).format(a())
    if k == 13:
        return f"__funnelshift_{r.choice('lr')}({a()}, {a()}, {a()})"
    if k == 14:
        return f"__byte_perm({a()}, {a()}, {r.choice([a(), '0x5140u', '0x0123u', '0x7531u'])})"
    if k == 15:
        return f"__umulhi({a()}, {a()})"
    if k == 16:
        return f"(({cond(s, d - 1)}) ? ({a()}) : ({a()}))"
    if k == 17:
        return f"{r.choice(['min', 'max'])}({a()}, {a()})"
    if k == 18 and s.has("i"):
        return f"(unsigned)({i(s, d - 1)})"
    if k == 19 and s.has("q"):
        return f"(unsigned)(({q(s, d - 1)}) >> {r.choice([0, 7, 32, 40])})"
    if k == 20 and s.has("f"):
        return r.choice([f"(unsigned)fminf(fabsf({f(s, d - 1)}), 4e9f)", f"__float_as_uint(canon({f(s, d - 1)}))"])
    if k == 21:
        return r.choice(["__dp4a({}, {}, {})", "__vadd4({}, {})", "__vabsdiffu4({}, {})", "__usad({}, {}, {})", "__vmaxu2({}, {})"]).format(a(), a(), a())
    if k == 22:
        return r.choice(["(unsigned)(unsigned char)({})", "(unsigned)(unsigned short)({})", "(unsigned)(signed char)({})"]).format(a())
    if k == 23 and s.has("d"):
        return f"(unsigned)fmin(fabs({d_(s, d - 1)}), 4e9)"
    if k >= 24 or r.random() < 0.2:
        return loaded(s, "u")
    return leaf_u(s)


def i(s, d):
    r = s.r
    if d <= 0:
        k = r.randrange(6)
        if k < 3:
            return s.var("i")
        if k == 3:
            return str(r.randint(-60, 60))
        scalars = [n for t, n in s.scalars if t == "i"]
        if k == 4 and scalars:
            return r.choice(scalars)
        return r.choice(s.counters) if s.counters else "(int)lane"
    a = lambda: i(s, d - 1)
    k = r.randrange(14)
    if k < 4:
        return f"(int)((unsigned)({a()}) {r.choice('+-*')} (unsigned)({a()}))"
    if k == 4:
        return f"(({a()}) {r.choice('&|^')} ({a()}))"
    if k == 5:
        return f"(({a()}) >> {r.choice([str(r.randrange(1, 31)), f'(({a()}) & 31)'])})"
    if k == 6:
        return f"(({a()}) {r.choice('/%')} {r.choice(DIVISORS)})"
    if k == 7 and r.random() < 0.6:
        return f"(({a()}) {r.choice('/%')} ((({a()}) & {r.choice([7, 255])}) + 2))"
    if k == 8:
        return f"{r.choice(['min', 'max'])}({a()}, {a()})"
    if k == 9:
        return f"(({cond(s, d - 1)}) ? ({a()}) : ({a()}))"
    if k == 10:
        return r.choice(["(int)(signed char)({})", "(int)(short)({})", "__mulhi({}, {})", "abs(({}) >> 1)", "__clz({})", "__dp4a({}, {}, {})"]).format(a(), a(), a())
    if k == 11 and s.has("f"):
        return f"small({f(s, d - 1)})"
    if k == 12 and s.has("l"):
        return f"(int)({l(s, d - 1)})"
    return f"(int)({u(s, d - 1)})"


def q(s, d):
    r = s.r
    if d <= 0:
        return r.choice([s.var("q"), s.var("q"), f"{r.getrandbits(r.choice([8, 40, 63]))}ull", "(unsigned long long)gid"])
    a = lambda: q(s, d - 1)
    k = r.randrange(13)
    if k < 4:
        return f"(({a()}) {r.choice('+-*')} ({a()}))"
    if k < 6:
        return f"(({a()}) {r.choice('&|^')} ({a()}))"
    if k == 6:
        return f"(({a()}) {r.choice(['<<', '>>'])} {r.choice([str(r.randrange(1, 63)), f'(({leaf_u(s)}) & 63u)'])})"
    if k == 7:
        return f"(({a()}) {r.choice('/%')} {r.choice([3, 10, 641, 1000003])}ull)"
    if k == 8 and r.random() < 0.5:
        return f"(({a()}) {r.choice('/%')} ((({a()}) & {r.choice([255, 0xFFFFFFFF, 0xFFFFFFFFFF])}ull) + 1ull))"
    if k == 9:
        return f"(unsigned long long)({u(s, d - 1)}) * ({u(s, d - 1)})"
    if k == 10:
        return r.choice(["__umul64hi({}, {})", "__brevll({})", "(unsigned long long)__popcll({})", "(unsigned long long)__clzll((long long)({}))"]).format(a(), a())
    if k == 11:
        return f"(({cond(s, d - 1)}) ? ({a()}) : ({a()}))"
    return f"((unsigned long long)({u(s, d - 1)}) << 32 | ({u(s, 0)}))"


def l(s, d):
    r = s.r
    if d <= 0:
        return r.choice([s.var("l"), s.var("l"), f"{r.randint(-(2**40), 2**40)}ll"])
    a = lambda: l(s, d - 1)
    k = r.randrange(8)
    if k < 3:
        return f"(long long)((unsigned long long)({a()}) {r.choice('+-*')} (unsigned long long)({a()}))"
    if k == 3:
        return f"(({a()}) >> {r.randrange(1, 60)})"
    if k == 4:
        return f"(({a()}) / {r.choice([3, 7, 1000])})"
    if k == 5:
        return f"(({a()}) < ({a()}) ? ({a()}) : ({a()}))"
    if k == 6 and s.has("i"):
        return f"(long long)({i(s, d - 1)}) * ({i(s, d - 1)})"
    return f"(long long)({u(s, d - 1)})"


def f(s, d):
    r = s.r
    if d <= 0:
        k = r.randrange(5)
        scalars = [n for t, n in s.scalars if t == "f"]
        if k == 3 and scalars:
            return r.choice(scalars)
        return s.var("f") if k < 3 else r.choice(FLOATS)
    a = lambda: f(s, d - 1)
    k = r.randrange(17)
    if k < 4:
        return f"(({a()}) {r.choice('+-*')} ({a()}))"
    if k < 6:
        return f"fmaf({a()}, {a()}, {a()})"
    if k == 6:
        return f"(({a()}) / (1.0f + fabsf({a()})))"
    if k == 7:
        return f"sqrtf(fabsf({a()}))"
    if k == 8:
        return f"{r.choice(['fminf', 'fmaxf'])}({a()}, {a()})"
    if k == 9:
        return f"(({cond(s, d - 1)}) ? ({a()}) : ({a()}))"
    if k == 10:
        return f"(float)({u(s, d - 1)})"
    if k == 11 and s.has("i"):
        return f"(float)({i(s, d - 1)})"
    if k == 12:
        return r.choice(["floorf({})", "truncf({})", "rintf({})", "fabsf({})", "-({})", "__saturatef({})", "ceilf({})"]).format(a())
    if k == 13 and s.has("d"):
        return f"(float)({d_(s, d - 1)})"
    if k == 14 and s.theme.get("approximate", s.r.random() < 0.15):
        return r.choice(
            ["__expf(-fabsf({}))", "__logf(1.0f + fabsf({}))", "rsqrtf(1.0f + fabsf({}))", "__sinf({})", "__fdividef({}, 3.0f)", "exp2f(-fabsf({}))", "tanhf({})", "expf(-fabsf({}))", "sinf({})", "logf(1.5f + fabsf({}))", "powf(fabsf({}), 0.75f)", "cbrtf({})"]
        ).format(a())
    return loaded(s, "f")


def d_(s, d):
    r = s.r
    if d <= 0:
        return r.choice([s.var("d"), s.var("d"), r.choice(DOUBLES)])
    a = lambda: d_(s, d - 1)
    k = r.randrange(11)
    if k < 4:
        return f"(({a()}) {r.choice('+-*')} ({a()}))"
    if k == 4:
        return f"(({a()}) / (1.0 + fabs({a()})))"
    if k == 5:
        return f"sqrt(fabs({a()}))"
    if k == 6:
        return f"fma({a()}, {a()}, {a()})"
    if k == 7:
        return f"(({a()}) < ({a()}) ? ({a()}) : ({a()}))"
    if k == 8:
        return r.choice(["floor({})", "fmax({}, 0.5)", "fabs({})", "rint({})"]).format(a())
    if k == 9:
        return f"(double)({u(s, d - 1)})"
    return f"(double)({f(s, d - 1)})" if s.has("f") else a()


def h(s, d):
    r = s.r
    if d <= 0:
        return r.choice([s.var("h"), s.var("h"), "__float2half2_rn(0.5f)", "__floats2half2_rn(1.5f, -0.25f)"])
    a = lambda: h(s, d - 1)
    k = r.randrange(9)
    if k < 3:
        return f"{r.choice(['__hadd2', '__hmul2', '__hsub2'])}({a()}, {a()})"
    if k < 5:
        return f"__hfma2({a()}, {a()}, {a()})"
    if k == 5:
        return f"{r.choice(['__hmin2', '__hmax2'])}({a()}, {a()})"
    if k == 6:
        return r.choice(["__lowhigh2highlow({})", "__low2half2({})", "__habs2({})", "__hneg2({})"]).format(a())
    if k == 7 and s.has("f"):
        return f"__floats2half2_rn(__saturatef({f(s, d - 1)}), 0.5f)"
    return f"(__hlt(__low2half({a()}), __high2half({a()})) ? ({a()}) : ({a()}))"


def cond(s, d):
    r = s.r
    k = r.randrange(11)
    if k == 0:
        return f"(({u(s, d)}) & {r.choice([1, 2, 3, 4, 8])}u) != 0u"
    if k == 1 and s.has("i"):
        return f"({i(s, d)}) {r.choice(['<', '>', '!=', '<='])} ({i(s, d)})"
    if k == 2:
        return f"({u(s, d)}) {r.choice(['<', '>', '==', '>='])} ({u(s, d)})"
    if k == 3 and s.has("f"):
        return f"({f(s, d)}) {r.choice(['<', '>=', '!='])} ({f(s, d)})"
    if k == 4 and d > 0:
        return f"({cond(s, d - 1)}) {r.choice(['&&', '||'])} ({cond(s, d - 1)})"
    if k == 5:
        return f"lane {r.choice(['<', '>', '=='])} {r.randrange(32)}u"
    if k == 6 and s.has("q"):
        return f"({q(s, d)}) {r.choice(['<', '>'])} ({q(s, d)})"
    if k == 7 and s.has("d"):
        return f"({d_(s, d)}) < ({d_(s, d)})"
    if k == 8 and s.has("h"):
        return f"__hgt(__low2half({h(s, 0)}), __high2half({h(s, 0)}))"
    if k == 9 and s.has("l"):
        return f"({l(s, d)}) {r.choice(['<', '>='])} ({l(s, d)})"
    return f"((({u(s, 0)}) >> {r.randrange(8)}) & {r.choice([1, 3])}u) == {r.choice([0, 1])}u"


OF = {"u": u, "i": i, "q": q, "l": l, "f": f, "d": d_, "h": h}


def of(s, kind, depth):
    return OF[kind](s, depth)
