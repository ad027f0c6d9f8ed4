"""PTX by shape and size: each function makes a module that has n of what its name says, and a kernel `k` to run."""

HEAD = ".version 8.5\n.target sm_90\n.address_size 64\n"


def lines(pattern, count, start=0):
    """The pattern's lines for i = start, start + 1 …; {p} is the one before, {n} the next."""
    return "".join(pattern.format(i=i, p=i - 1, n=i + 1) + "\n" for i in range(start, start + count))


def kernel(body, parameters="", name="k", registers="", options=""):
    return (f".visible .entry {name}({parameters}){options}\n{{\n.reg .pred %p<4>;\n.reg .b32 %r<8>;\n.reg .b64 %rd<8>;\n{registers}"
            f"mov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\nmov.u64 %rd1, 0;\nsetp.eq.u32 %p1, %r1, 99;\n{body}ret;\n}}\n")


def module(*parts):
    return HEAD + "".join(parts)


ARRAY = ".param .u64 a"
LOAD_ARRAY = "ld.param.u64 %rd2, [a];\ncvta.to.global.u64 %rd3, %rd2;\nmul.wide.u32 %rd4, %r1, 4;\nadd.s64 %rd3, %rd3, %rd4;\n"
FUNCTION = ".func f{i}(.param .b32 x)\n{{\n.reg .b32 %r<3>;\nld.param.b32 %r1, [x];\nadd.s32 %r2, %r1, {i};\n{{\n{body}\n}}\nret;\n}}\n"
CALL = "{{ .param .b32 q; st.param.b32 [q], %r1; call.uni {name}, (q); }}\n"


def function(number, body=""):
    return FUNCTION.format(i=number, body=body)


def call(name):
    return CALL.format(name=name)


def declared(count):
    return lines(".func f{i}(.param .b32 x);", count)


# ---- whole modules ----

def kernels(n):
    return module(*(kernel(LOAD_ARRAY + "st.global.u32 [%rd3], %r1;\n", ARRAY, f"other{i}") for i in range(n)), kernel(""))


def functions(n):
    return module(*map(function, range(n)), kernel(""))


def functions_called(n):
    return module(*map(function, range(n)), kernel("".join(call(f"f{i}") for i in range(n))))


def calls_of_one(n):
    return module(function(0), kernel(call("f0") * n))


def chain(n):
    """f0 calls f1 calls f2 …, and the kernel f0 (where no thread goes)"""
    return module(declared(n), *(function(i, call(f"f{i + 1}") if i + 1 < n else "") for i in range(n)),
                  kernel("@!%p1 bra END;\n" + call("f0") + "END:\n"))


def circle(n):
    return module(declared(n), *(function(i, call(f"f{(i + 1) % n}")) for i in range(n)),
                  kernel("@!%p1 bra END;\n" + call("f0") + "END:\n"))


def tree(n):
    """a function calls two"""
    return module(declared(n), *(function(i, "".join(call(f"f{j}") for j in (2 * i + 1, 2 * i + 2) if j < n)) for i in range(n)),
                  kernel("@!%p1 bra END;\n" + call("f0") + "END:\n"))


def each_calls_many(n):
    """n calls in all: the root of n functions, each calling all behind it"""
    count = int((2 * n) ** 0.5)
    return module(declared(count), *(function(i, "".join(call(f"f{j}") for j in range(i + 1, count))) for i in range(count)),
                  kernel("@!%p1 bra END;\n" + call("f0") + "END:\n"))


def pointers_to_functions(n):
    """n functions whose addresses a table has, and a call through it"""
    names = ", ".join(f"f{i}" for i in range(n))
    return module(*map(function, range(n)), f".global .align 8 .u64 table[{n}] = {{{names}}};\n",
                  kernel("PROTO: .callprototype _ (.param .b32 _);\nmov.u64 %rd2, table;\nld.global.u64 %rd3, [%rd2];\n"
                         "{ .param .b32 q; st.param.b32 [q], %r1; call %rd3, (q), PROTO; }\n"))


def prototypes(n):
    return module(function(0), kernel(lines("PROTO{i}: .callprototype _ (.param .b32 _);", n) + "mov.u64 %rd3, f0;\n"
                                      "{ .param .b32 q; st.param.b32 [q], %r1; call %rd3, (q), PROTO0; }\n"))


# ---- variables ----

USES = {"shared": "st.shared.u8 [s{i}], %r1;", "global": "ld.global.u8 %r3, [s{i}];", "const": "ld.const.u8 %r3, [s{i}];",
        "local": "st.local.u8 [s{i}], %r1;"}


def shared(n):
    return module(lines(".shared .align 1 .b8 s{i}[1];", n), kernel(lines(USES["shared"], n)))


def shared_unused(n):
    return module(lines(".shared .align 1 .b8 s{i}[1];", n), kernel(""))


def shared_of_functions(n):
    """each of n functions uses its own"""
    return module(lines(".shared .align 1 .b8 s{i}[1];", n), *(function(i, USES["shared"].format(i=i)) for i in range(n)),
                  kernel("".join(call(f"f{i}") for i in range(n))))


def shared_in_functions(n):
    """each of n functions declares its own"""
    return module(*(function(i, ".shared .b8 s[1];\nst.shared.u8 [s], %r1;") for i in range(n)),
                  kernel("".join(call(f"f{i}") for i in range(n))))


def shared_backwards(n):
    """used in the opposite order"""
    return module(lines(".shared .align 1 .b8 s{i}[1];", n), kernel("".join(USES["shared"].format(i=i) + "\n" for i in reversed(range(n)))))


def shared_inside(n):
    return module(kernel(lines(".shared .align 1 .b8 s{i}[1];", n) + lines(USES["shared"], n)))


def shared_in_kernels(n):
    """n kernels, each with its own and one of all"""
    return module(".shared .b8 all[4];\n", *(kernel(".shared .b8 own[4];\nst.shared.u32 [own], %r1;\nst.shared.u32 [all], %r1;\n", name=f"other{i}")
                                            for i in range(n)), kernel(""))


def local(n):
    return module(kernel(lines(".local .align 1 .b8 s{i}[1];", n) + lines(USES["local"], n)))


def constants(n):
    return module(lines(".const .align 1 .b8 s{i}[1] = {{7}};", n), kernel(lines(USES["const"], n)))


def globals_(n):
    return module(lines(".global .align 1 .b8 s{i}[1] = {{7}};", n), kernel(lines(USES["global"], n)))


def globals_unused(n):
    return module(lines(".global .align 1 .b8 s{i}[1] = {{7}};", n), kernel(""))


def global_extern(n):
    """declared, then defined"""
    return module(lines(".extern .global .align 4 .b8 s{i}[4];", n), lines(".visible .global .align 4 .b8 s{i}[4];", n), kernel(""))


def initialiser(n):
    return module(f".global .align 4 .b32 s[{n}] = {{{', '.join(map(str, range(n)))}}};\n", kernel("ld.global.u32 %r3, [s];\n"))


def initialiser_rows(n):
    return module(f".global .align 4 .b32 s[{n}][2] = {{{', '.join('{%d, 2}' % i for i in range(n))}}};\n", kernel("ld.global.u32 %r3, [s];\n"))


def addresses(n):
    """an array of n addresses, each of another variable"""
    return module(lines(".global .align 1 .b8 s{i}[1];", n),
                  f".global .align 8 .u64 table[{n}] = {{{', '.join(f'generic(s{i})' for i in range(n))}}};\n", kernel("ld.global.u64 %rd3, [table];\n"))


# ---- control flow ----

def labels(n):
    return module(kernel(lines("L{i}: add.s32 %r2, %r2, 1;", n)))


def forward(n):
    """each branch over the one instruction behind it"""
    return module(kernel(lines("@%p1 bra L{i};\nadd.s32 %r2, %r2, 1;\nL{i}:", n)))


def forward_nested(n):
    """n conditions, one in another"""
    return module(kernel(lines("@%p1 bra L{i};\nadd.s32 %r2, %r2, 1;", n) + "".join(f"L{i}:\nadd.s32 %r2, %r2, 1;\n" for i in reversed(range(n)))))


def forward_crossed(n):
    """the first branch to the first label, all of them behind all of the branches"""
    return module(kernel(lines("@%p1 bra L{i};\nadd.s32 %r2, %r2, 1;", n) + lines("L{i}:\nadd.s32 %r2, %r2, 1;", n)))


def forward_to_end(n):
    return module(kernel(lines("@%p1 bra END;\nadd.s32 %r2, %r2, 1;", n) + "END:\n"))


def either_side(n):
    return module(kernel(lines("@%p1 bra A{i};\nadd.s32 %r2, %r2, 1;\nbra B{i};\nA{i}:\nadd.s32 %r2, %r2, 2;\nB{i}:", n)))


def diverging(n):
    """where the lanes part"""
    return module(kernel("setp.lt.u32 %p2, %r1, 7;\n" + lines("@%p2 bra L{i};\nadd.s32 %r2, %r2, 1;\nL{i}:", n)))


def diverging_nested(n):
    """lanes leave one by one"""
    return module(kernel("setp.lt.u32 %p2, %r1, 7;\n" + lines("setp.eq.u32 %p2, %r1, {i};\n@%p2 bra L{i};", n) +
                         "".join(f"L{i}:\nadd.s32 %r2, %r2, 1;\n" for i in reversed(range(n)))))


def exits(n):
    return module(kernel(lines("@%p1 exit;\nadd.s32 %r2, %r2, 1;", n)))


def loops(n):
    return module(kernel(lines("L{i}:\nadd.s32 %r2, %r2, 1;\n@%p1 bra L{i};", n)))


def loops_nested(n):
    return module(kernel(lines("L{i}:\nadd.s32 %r2, %r2, 1;", n) + "".join(f"add.s32 %r2, %r2, 1;\n@%p1 bra L{i};\n" for i in reversed(range(n)))))


def loops_crossed(n):
    return module(kernel(lines("L{i}:\nadd.s32 %r2, %r2, 1;", n) + lines("add.s32 %r2, %r2, 1;\n@%p1 bra L{i};", n)))


def loop_continued(n):
    """n branches back to one label"""
    return module(kernel("L:\n" + lines("add.s32 %r2, %r2, 1;\n@%p1 bra L;", n)))


def loops_counted(n):
    """that run, with a load"""
    return module(kernel(LOAD_ARRAY + lines("mov.u32 %r3, 0;\nL{i}:\nld.global.u32 %r4, [%rd3];\nadd.s32 %r2, %r2, %r4;\nadd.s32 %r3, %r3, 1;\n"
                                            "setp.lt.u32 %p2, %r3, 2;\n@%p2 bra L{i};", n), ARRAY))


def table(n):
    """a table of n targets"""
    n = min(n, 60000)
    return module(kernel("T: .branchtargets " + ", ".join(f"L{i}" for i in range(n)) + ";\nbrx.idx %r2, T;\n" +
                         lines("L{i}:\nadd.s32 %r2, %r2, 1;", n)))


def tables(n):
    return module(kernel(lines("T{i}: .branchtargets A{i}, B{i};\nbrx.idx %r2, T{i};\nA{i}:\nmov.u32 %r3, 1;\nB{i}:\nmov.u32 %r3, 1;", n)))


def table_of_one(n):
    """n times the same target"""
    n = min(n, 60000)
    return module(kernel("T: .branchtargets " + ", ".join(["L"] * n) + ";\nbrx.idx %r2, T;\nL:\n"))


def scopes(n):
    return module(kernel(lines("{{\n.reg .b32 %t;\n.reg .b32 %u<4>;\nmov.u32 %t, %r1;\nmov.u32 %u1, %t;\n}}", n)))


def labels_in_scopes(n):
    return module(kernel(lines("{{\n@%p1 bra L;\nadd.s32 %r2, %r2, 1;\nL:\n}}", n)))


# ---- registers ----

def registers(n):
    return module(kernel(lines("mov.u32 %t{i}, %r1;", n), registers=f".reg .b32 %t<{n}>;\n"))


def registers_by_name(n):
    return module(kernel(lines("mov.u32 x{i}, %r1;", n), registers=lines(".reg .b32 x{i};", n)))


def registers_live(n):
    """all of them have values at once"""
    return module(kernel(lines("mov.u32 %t{i}, %r1;", n) + lines("add.s32 %r2, %r2, %t{i};", n), registers=f".reg .b32 %t<{n}>;\n"))


def registers_live_in_blocks(n):
    return module(kernel(lines("mov.u32 %t{i}, %r1;\n@%p1 bra L{i};\nadd.s32 %r2, %r2, 1;\nL{i}:", n) + lines("add.s32 %r2, %r2, %t{i};", n),
                         registers=f".reg .b32 %t<{n}>;\n"))


def registers_live_in_loops(n):
    return module(kernel(lines("mov.u32 %t{i}, %r1;\nL{i}:\nadd.s32 %r2, %r2, 1;\n@%p1 bra L{i};", n) + lines("add.s32 %r2, %r2, %t{i};", n),
                         registers=f".reg .b32 %t<{n}>;\n"))


def registers_in_turn(n):
    """each made of the one before"""
    return module(kernel("mov.u32 %t0, %r1;\n" + lines("add.s32 %t{i}, %t{p}, 1;", n - 1, 1), registers=f".reg .b32 %t<{n}>;\n"))


def predicates(n):
    return module(kernel(lines("setp.eq.u32 %q{i}, %r1, {i};\n@%q{i} add.s32 %r2, %r2, 1;", n), registers=f".reg .pred %q<{n}>;\n"))


# ---- instructions ----

def instructions(n):
    return module(kernel("add.s32 %r2, %r2, %r1;\n" * n))


def moves(n):
    return module(kernel("mov.b64 {%r3, %r4}, %rd1;\nmov.b64 %rd1, {%r3, %r4};\n" * n))


def loads(n):
    return module(kernel(LOAD_ARRAY + "ld.global.u32 %r3, [%rd3];\n" * n, ARRAY))


def stores(n):
    return module(kernel(LOAD_ARRAY + "st.global.u32 [%rd3], %r1;\n" * n, ARRAY))


def loads_and_stores(n):
    return module(kernel(LOAD_ARRAY + "ld.global.u32 %r3, [%rd3];\nst.global.u32 [%rd3], %r3;\n" * n, ARRAY))


def loads_at_offsets(n):
    return module(kernel(LOAD_ARRAY + lines("ld.global.u32 %t{i}, [%rd3+{i}];", n).replace("+", "+4*") +
                         lines("add.s32 %r2, %r2, %t{i};", n), ARRAY, registers=f".reg .b32 %t<{n}>;\n"))


def shared_accesses(n):
    return module(kernel(".shared .b32 s[64];\nmov.u32 %r4, s;\nshl.b32 %r5, %r1, 2;\nadd.s32 %r4, %r4, %r5;\n" +
                         "st.shared.u32 [%r4], %r1;\nld.shared.u32 %r3, [%r4];\n" * n))


def addresses_computed(n):
    """each address of the one before"""
    return module(kernel(LOAD_ARRAY + "ld.global.u32 %r3, [%rd3];\nadd.s64 %rd3, %rd3, 4;\n" * n, ARRAY))


def local_accesses(n):
    return module(kernel(".local .b32 s[64];\nmov.u64 %rd4, s;\n" + "st.local.u32 [%rd4+4], %r1;\nld.local.u32 %r3, [%rd4+4];\n" * n))


def atomics(n):
    return module(kernel(LOAD_ARRAY + "atom.global.add.u32 %r3, [%rd3], %r1;\n" * n, ARRAY))


def barriers(n):
    return module(kernel("bar.sync 0;\n" * n))


def shuffles(n):
    return module(kernel("shfl.sync.bfly.b32 %r3|%p2, %r2, 1, 31, -1;\n" * n))


def vectors(n):
    return module(kernel(LOAD_ARRAY + "ld.global.v2.u32 {%r3, %r4}, [%rd2];\n" * n, ARRAY))


def selects(n):
    return module(kernel("selp.u32 %r2, %r2, %r1, %p1;\nsetp.ne.u32 %p2, %r2, 5;\n" * n))


def warp_barriers(n):
    return module(kernel(LOAD_ARRAY + "ld.global.u32 %r3, [%rd3];\nst.global.u32 [%rd3], %r3;\nbar.warp.sync -1;\n" * n, ARRAY))


def used_bytes(n):
    return module(kernel(LOAD_ARRAY + '.pragma "used_bytes_mask 0xf";\nld.global.v2.u32 {%r3, %r4}, [%rd2];\n' * n, ARRAY))


# ---- text ----

def locations(n):
    return module(kernel(lines(".loc 1 {n} 5\nadd.s32 %r2, %r2, 1;", n)), '.file 1 "nowhere.cu"\n')


def accesses_at_lines(n):
    return module(kernel(LOAD_ARRAY + lines(".loc 1 {n} 5\nld.global.u32 %r3, [%rd3];", n), ARRAY), '.file 1 "nowhere.cu"\n')


def files(n):
    return module(kernel(LOAD_ARRAY + lines(".loc {n} 7 5\nld.global.u32 %r3, [%rd3];", n), ARRAY), lines('.file {n} "nowhere{i}.cu"', n))


def inlined(n):
    """a chain: inlined where the one before was"""
    return module(kernel(LOAD_ARRAY + ".loc 1 1 1\nld.global.u32 %r3, [%rd3];\n" +
                         lines(".loc 1 {n} 1, function_name $L__info_string0, inlined_at 1 {i} 1\nld.global.u32 %r3, [%rd3];", n - 1, 1), ARRAY),
                  '.file 1 "nowhere.cu"\n', ".section .debug_str\n{\n$L__info_string0:\n.b8 102,0\n}\n")


def inlined_at_lines(n):
    return module(kernel(LOAD_ARRAY + lines(".loc 1 {n} 1\nadd.s32 %r2, %r2, 1;\n"
                                            ".loc 1 7 2, function_name $L__info_string{i}, inlined_at 1 {n} 1\nld.global.u32 %r3, [%rd3];", n), ARRAY),
                  '.file 1 "nowhere.cu"\n', ".section .debug_str\n{\n", lines("$L__info_string{i}:\n.b8 102,48,0", n), "}\n")


def sections(n):
    return module(kernel(""), lines(".section .debug_x{i}\n{{\n.b8 1,2,3\n}}", n))


def section_lines(n):
    return module(kernel(""), ".section .debug_info\n{\n", ".b8 1,2,3,4\n.b32 7\n" * n, "}\n")


def comments(n):
    return module("// a comment\n/* another\n*/\n" * n, kernel("/* here, too */\n" * n))


def long_comment(n):
    return module("//" + " long" * n + "\n", kernel(""))


def long_line(n):
    return module(kernel("add.s32 %r2, %r2, %r1; " * n + "\n"))


def long_line_of_accesses(n):
    return module(kernel(LOAD_ARRAY + "ld.global.u32 %r3, [%rd3]; " * n + "\n", ARRAY))


def long_name(n):
    name = "x" * n
    return module(kernel(f"mov.u32 {name}, %r1;\nadd.s32 {name}, {name}, 1;\n", registers=f".reg .b32 {name};\n"))


def expression(n):
    return module(kernel("mov.u32 %r2, 1" + "+1" * n + ";\n"))


def pragmas(n):
    return module('.pragma "nounroll";\n' * n, kernel('.pragma "nounroll";\n' * n))


def empty(n):
    return module(";" * n, kernel(";" * n))


def kernels_long(n):
    """for a name among many"""
    return module(*(kernel("", name=f"_ZN9namespace6kernelILi{i}EEEvPi") for i in range(n)), kernel(""))


SHAPES = {name.rstrip("_"): make for name, make in list(globals().items())
          if callable(make) and make not in (lines, kernel, module, function, call, declared)}
