"""printf of kernels: formats made by chance, of every flag, width, precision, length and letter, each with its arguments in local
memory as a compiler puts them, against the C library's snprintf."""

import ctypes
import os
import pathlib
import random
import struct
import subprocess
import sys

import harness

FORMATS = 400
WORDS = ["", "warp", "a longer text, with blanks", "%d"]
LENGTHS = {"hh": 4, "h": 4, "": 4, "l": 8, "ll": 8, "q": 8, "j": 8, "z": 8, "t": 8}
libc = ctypes.CDLL(None)


class Format:
    """A format: its text, its arguments as bytes in their array and as snprintf takes them."""

    def __init__(self, source):
        self.source, self.text, self.array, self.values, self.strings = source, "", b"", [], []
        for _ in range(source.randint(1, 4)):
            self.text += source.choice(["", "x", "lane ", "100%% ", "\t"])
            self.conversion()
        self.text += source.choice(["", "\n", "."])

    def add(self, code, value, given):
        size = struct.calcsize(code)
        self.array += b"\0" * (-len(self.array) % size) + struct.pack("<" + code, value)
        self.values.append(given)

    def number(self, text_of):
        """A width or a precision, of the format or an argument."""
        if self.source.random() < 0.3:
            value = self.source.choice([0, 1, 5, 17, -1, -9])
            self.add("i", value, ctypes.c_int(value))
            return "*"
        return text_of

    def conversion(self):
        r = self.source
        letter = r.choice("diuxXofFeEgGaAcsp")
        allowed = {"c": "-", "s": "-", "p": "-", "d": "-+ 0", "i": "-+ 0", "u": "-0"}.get(letter, "-+ #0")
        flags = "".join(r.choice(allowed) for _ in range(r.choice([0, 0, 1, 1, 2, 4])))
        flags = flags.replace("+", "").replace(" ", "") if letter in "uxXo" else flags
        text = "%" + flags
        if r.random() < 0.6:
            text += self.number(str(r.choice([1, 3, 8, 20])))
        if r.random() < 0.5 and letter not in "cp":
            text += "." + self.number(r.choice(["", "0", "1", "4", "12"]))
        if letter in "diuxXo":
            length = r.choice(list(LENGTHS))
            bits = r.getrandbits(64) >> r.randrange(64)
            signed = bits - (1 << 64) if bits >> 63 else bits
            if LENGTHS[length] == 4:
                word = bits & 0xFFFFFFFF
                self.add("I", word, ctypes.c_uint(word))
            else:
                self.add("q", signed, ctypes.c_longlong(signed))
            text += length
        elif letter == "c":
            value = r.randint(33, 126)
            self.add("i", value, ctypes.c_int(value))
        elif letter == "s":
            word = r.choice(WORDS)
            self.strings.append((len(self.array) + -len(self.array) % 8, WORDS.index(word)))
            self.add("Q", 0, ctypes.c_char_p(word.encode()))
        elif letter == "p":
            value = r.getrandbits(47)
            self.add("Q", value, ctypes.c_void_p(value))
        else:
            value = r.choice([0.0, -0.0, 1.5, float("inf"), float("-inf"), r.uniform(-1e3, 1e3), r.uniform(-1, 1) * 10.0 ** r.randint(-30, 30)])
            self.add("d", value, ctypes.c_double(value))
            text += r.choice(["", "l"])
        self.text += text + letter

    def expected(self):
        out = ctypes.create_string_buffer(1 << 14)
        length = libc.snprintf(out, len(out), self.text.encode(), *self.values)
        return out.raw[:length]


class Plain:
    """What is no conversion, and is printed as it is."""

    array, values, strings = b"", [], []

    def __init__(self, text):
        self.text = text

    def expected(self):
        return self.text.encode()


def variable(name, data):
    return f".global .align 8 .b8 {name}[{len(data) + 1}] = {{{', '.join(map(str, data + bytes(1)))}}};\n"


def module(formats):
    text = harness.HEAD + ".extern .func (.param .b32 r) vprintf(.param .b64 format, .param .b64 arguments);\n"
    text += "".join(variable(f"word{i}", word.encode()) for i, word in enumerate(WORDS))
    lines = [".local .align 8 .b8 array[256]; .reg .b64 %a; mov.u64 %d1, array; cvta.local.u64 %a, %d1;"]
    for i, one in enumerate(formats):
        text += variable(f"format{i}", one.text.encode())
        array = bytearray(one.array + b"\0" * (-len(one.array) % 8))
        for at in range(0, len(array), 8):
            lines.append(f"mov.u64 %d2, {int.from_bytes(array[at : at + 8], 'little')}; st.local.u64 [%d1+{at}], %d2;")
        for at, word in one.strings:
            lines.append(f"mov.u64 %d2, word{word}; cvta.global.u64 %d2, %d2; st.local.u64 [%d1+{at}], %d2;")
        lines.append(f"mov.u64 %d3, format{i}; cvta.global.u64 %d3, %d3;")
        lines.append("{ .param .b64 p0; st.param.b64 [p0], %d3; .param .b64 p1; st.param.b64 [p1], %a; .param .b32 r0;")
        lines.append("call.uni (r0), vprintf, (p0, p1); ld.param.b32 %r1, [r0]; add.u32 %r2, %r2, %r1; }")
    lines.insert(0, "mov.u32 %r2, 0;")
    return text + harness.entry("prints", {"out": "u64"}, "\n".join(lines + ["ld.param.u64 %d4, [out]; st.global.u32 [%d4], %r2; ret;"]))


def main():
    tool = harness.Tool(sys.argv[1])
    source = random.Random(12)
    formats = [Format(source) for _ in range(FORMATS)] + [Plain(text) for text in ("", "none", "5 %y", "%-+5.3l", "%", "%7")]
    path = pathlib.Path(tool.folder.name) / "prints.ptx"
    path.write_text(module(formats))
    # The sum of what printf returns: the number of arguments.
    harness.write_npy(path.with_suffix(".npy"), "u32", [sum(len(one.values) for one in formats)])
    command = [tool.warplens, "kernel", path, "-q", f"--check=0={path.with_suffix('.npy')}", "--no-save", "--no-sass", "--grid", "1", "--block", "1"]
    command += ["--arg", "u32[1]=0"]
    done = subprocess.run(command, capture_output=True, env=dict(os.environ, LC_ALL="C"))
    tool.launches += 1
    tool.expect("exit status", (0, True), (done.returncode, done.stderr.endswith(b": 1 elements agree\n")))
    at = 0
    for one in formats:
        expected = one.expected()
        if done.stdout[at : at + len(expected)] != expected:
            tool.fail(f"{one.text!r} of {[v.value for v in one.values]}: expected {expected}, is {done.stdout[at : at + len(expected) + 8]}")
            break
        at += len(expected)
    tool.expect("all that is printed", at, len(done.stdout))
    sys.exit(tool.finish("printf"))


if __name__ == "__main__":
    main()
