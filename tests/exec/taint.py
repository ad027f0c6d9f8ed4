"""Whether data decide in a kernel, judged apart from the program: a taint over its registers, from the text of its PTX alone.

    taint.py FILE.ptx …          # the share of kernels in which none decide, and the line that does in each of the others

Data are what loads (but of parameters and of constants), atomics and clocks give. A register that is made of data holds data,
and so does one that is written where a guard holds data. Data decide where they are an address, where they guard an access, a
branch or an exit, or are an operand of what is neither arithmetic nor a store's value. It does not look at the order of instructions,
so it says of some kernels that data decide where they do not; never the other way round."""

import collections
import pathlib
import re
import sys

REGISTER = re.compile(r"%[A-Za-z_$][\w$.]*")
ENTRY = re.compile(r"\.entry\s+([\w$]+)")
CLOCKS = {"%clock", "%clock_hi", "%clock64", "%globaltimer", "%globaltimer_lo", "%globaltimer_hi"}
ACCESSES = ("ld", "ldu", "st", "atom", "red", "ldmatrix", "stmatrix", "wmma.load", "wmma.store", "prefetch", "tex", "tld4", "suld",
            "sust", "cp", "ldg")  # fmt: skip
# What threads say to each other goes into results; it decides nothing by itself.
GATHERS = ("shfl", "vote", "match", "redux", "activemask", "elect", "bar.red", "barrier.red", "barrier.cta.red")
# Instructions whose operands decide beside addresses.
DECIDES = ("brx", "bar", "barrier", "mbarrier", "nanosleep", "setmaxnreg", "alloca", "call", "wgmma.wait", "griddepcontrol")


def statements(body):
    """(line of the text, statement) of a function's body: without labels, and braces that open or close a scope."""
    line = 1
    for part in body.split(";"):
        before = re.match(r"(?:\s*[{}]|\s*[\w$]+:(?!:)|\s*\.(?:loc|file|pragma)\b[^\n]*|\s)*", part).end()
        if part[before:].strip():
            yield line + part.count("\n", 0, before), " ".join(part[before:].split())
        line += part.count("\n")


def is_of(name, families):
    return any(name == family or name.startswith(family + ".") for family in families)


def operands(text):
    """Split at commas that are not in braces or brackets."""
    return [part.strip() for part in re.split(r",(?![^{}\[\]()]*[}\])])", text) if part.strip()]


class Insn:
    def __init__(self, line, text):
        self.line, self.text = line, text
        guard = re.match(r"@!?(%[\w$]+)\s+", text)
        self.guard = guard and guard.group(1)
        name, _, rest = text[guard.end() if guard else 0 :].partition(" ")
        self.name, self.operands = name, operands(rest)
        self.access = is_of(name, ACCESSES)
        stores = is_of(name, ("st", "red", "stmatrix", "wmma.store", "sust", "prefetch", "cp", "bar", "barrier", "bra", "brx", "ret",
                              "exit", "membar", "fence", "nanosleep", "trap", "mbarrier.inval", "mbarrier.init"))  # fmt: skip
        stores = stores and not is_of(name, ("bar.red", "barrier.red", "barrier.cta.red", "bar.cta.red"))
        self.written = [] if stores or not self.operands else REGISTER.findall(self.operands[0])
        self.read = REGISTER.findall(" ".join(self.operands if stores else self.operands[1:]))
        self.addresses = [r for part in self.operands if "[" in part for r in REGISTER.findall(part[part.index("[") :])]
        known = is_of(name, ("ld.param", "ld.const")) or name.startswith(("ld.param", "ld.const"))
        loads = is_of(name, ("ld", "ldu", "ldmatrix", "wmma.load", "atom", "tex", "tld4", "suld")) and not known
        self.gives = loads or bool(CLOCKS & set(self.read))

    def sources(self):
        """Registers of which what it writes is made."""
        return [*self.read, *([self.guard] if self.guard else [])]

    def deciding(self):
        branches = is_of(self.name, ("bra", "brx", "ret", "exit", "trap"))
        decides = is_of(self.name, DECIDES) and not is_of(self.name, GATHERS)
        guarded = self.guard and (self.access or branches or decides or is_of(self.name, GATHERS))
        return [*(self.addresses if self.access else []), *([self.guard] if guarded else []),
                *(self.read if decides else [])]  # fmt: skip


def kernels(text):
    """Name -> its instructions."""
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r"/\*.*?\*/", lambda match: "\n" * match.group().count("\n"), text, flags=re.S)
    found = {}
    for entry in ENTRY.finditer(text):
        begin = text.find("{", text.index(")", entry.end()) if "(" in text[entry.end() : entry.end() + 3] else entry.end())
        depth, end = 1, begin + 1
        while depth and end < len(text):
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        first = text.count("\n", 0, begin)
        body = [(first + line, one) for line, one in statements(text[begin + 1 : end - 1])]
        found[entry.group(1)] = [Insn(line, one) for line, one in body if not one.startswith(".")]
    return found


def decides(insns):
    """The instructions in which data decide."""
    data = set()
    while True:
        before = len(data)
        for insn in insns:
            if insn.gives or data & set(insn.sources()):
                data |= set(insn.written)
        if len(data) == before:
            break
    return [insn for insn in insns if data & set(insn.deciding())]


def main():
    none, others = 0, collections.Counter()
    for path in map(pathlib.Path, sys.argv[1:]):
        for name, insns in kernels(path.read_text(errors="replace")).items():
            found = decides(insns)
            none += not found
            if found:
                print(f"{path.name}:{found[0].line}: {name}: {found[0].text}")
                others[re.split(r"[.\s]", found[0].text.split(" ", 1)[-1 if found[0].guard else 0])[0]] += 1
    print(f"{none} of {none + sum(others.values())} kernels: no data decide; else {dict(others.most_common())}")


if __name__ == "__main__":
    main()
