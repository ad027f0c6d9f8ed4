#!/usr/bin/env python3
"""Forms of machine instructions, each beside a model of what it computes that was written from its description alone: integers of Python,
exact fractions rounded once. No tool of CUDA's is needed.

    forms.py FORMS [WORD …]      FORMS: the program of forms.c; with words, only forms whose text contains one of them

A form is executed by a warp whose lanes have different operands (those of borders among them)
  - as it is written,
and, with two of those alike,
  - under a guard that half of the lanes have, where the others must keep what was in the results,
  - with each result in the first source's registers.
What is like these two, but not known, must be refused with the instruction's text: with an unknown modifier, without its last operand, with one
more, with any operand in whose place a name stands that nothing has. REFUSED are further forms, with what is said of them."""

import re
import subprocess
import sys

import forms_float
import forms_integer
import forms_memory
from forms_model import LANES, Lane, operands_of

FORMS = forms_integer.FORMS + forms_float.FORMS + forms_memory.FORMS
REFUSED = forms_integer.REFUSED + forms_float.REFUSED + forms_memory.REFUSED
OLD = 0xDEAD0000  # what is in a result before
MASK = 0x5A5A5A5A  # lanes that have the guard


class Case:
    def __init__(self, form, code, inputs, expected, told):
        self.form, self.code, self.inputs, self.expected, self.told = form, code, inputs, expected, told

    def line(self):
        given = [f"{name}={','.join(f'{v:x}' for v in values)}" if isinstance(values, list) else f"{name}={values}" for name, values in self.inputs.items()]
        return "\t".join((self.form.arch, " ".join(given), self.code, " ".join(self.expected or ["R4"])))


def written_as(text, names):
    """The text with registers named otherwise."""
    return re.sub(r"\b(U?[RP]\d+)\b", lambda m: names.get(m[1], m[1]), text)


def executed(form, plainly):
    inputs = operands_of(form)
    lanes = [Lane({name: values[i] if isinstance(values, list) else values for name, values in inputs.items()}, i) for i in range(LANES)]
    expected = {name: [model(lane) for lane in lanes] for name, model in form.results.items()}
    yield Case(form, form.text, inputs, expected, "")
    if plainly or form.alone or form.text[0] == "@" or ";" in form.text:
        return
    before = dict(inputs)
    for name in expected:
        before.setdefault(name, [OLD + i if name[0] == "R" else 1 for i in range(LANES)])
    before["P6"] = [MASK >> i & 1 for i in range(LANES)]
    kept = {name: [values[i] if MASK >> i & 1 else before[name][i] for i in range(LANES)] for name, values in expected.items()}
    yield Case(form, "@P6 " + form.text, before, kept, " (guarded)")
    sources = [name for name in inputs if name[0] == "R" and name not in expected]
    results = [name for name in expected if name[0] == "R"]
    if results and len(sources) >= len(results):
        names = dict(zip(results, sources))
        yield Case(form, written_as(form.text, names), inputs, {names.get(name, name): values for name, values in expected.items()}, " (in place)")


def unknown(form):
    """Texts like the form's that must be refused."""
    if form.text[0] == "@" or ";" in form.text:
        return
    opcode, _, operands = form.text.partition(" ")
    words = operands.split(", ") if operands else []
    yield f"{opcode}.QUX {operands}"
    if words and not form.shorter:
        yield f"{opcode} {', '.join(words[:-1])}"
    if not form.longer:
        yield f"{opcode} {', '.join([*words, 'R3'])}"
    for i in range(len(words)):
        if i not in form.ignored:
            yield f"{opcode} {', '.join([*words[:i], 'QUX', *words[i + 1:]])}"


LIKE = {}


def seen_twice(form):
    """Forms of the same opcode with as many modifiers and the same kinds of operands, of which two stand for all."""
    opcode, _, operands = form.text.partition(" ")
    name, *mods = opcode.split(".")
    key = form.arch, name, len(mods), re.sub(r"\d+", "", operands), form.becomes and opcode
    LIKE[key] = LIKE.get(key, 0) + 1
    return LIKE[key] > 2


def cases_of(form):
    known = seen_twice(form)
    if form.results:
        yield from executed(form, known)
    elif form.becomes:
        yield Case(form, form.text, {"?": "1"}, None, form.becomes)
    for text in () if known else unknown(form):
        yield Case(form, text, {}, None, None)


def agrees(case, got):
    """What is wrong with the answer; None: nothing."""
    if case.told is None:
        return None if got.startswith("! ") and case.code.strip() in got else f"is not refused: {got}"
    if case.form.becomes:
        return None if got == case.told else f"becomes {got}\n  not   {case.told}"
    if not case.expected:
        return None if got == f"! {case.told}" else f"gave {got}"
    if got.startswith("! "):
        return got
    for (name, wanted), values in zip(case.expected.items(), got.split(" ")):
        if name[0] == "M":
            if values != wanted[0]:
                return f"{name} is {values}, not {wanted[0]}"
            continue
        for lane, (value, right) in enumerate(zip((int(v, 16) for v in values.split(",")), wanted)):
            if value != right:
                given = {k: f"{v[lane]:x}" for k, v in case.inputs.items() if isinstance(v, list)}
                return f"lane {lane}: {name} is {value:#x}, not {right:#x}, of {given}"
    return None


def main():
    chosen = [form for form in FORMS if not sys.argv[2:] or any(word in form.text for word in sys.argv[2:])]
    cases = [case for form in chosen for case in cases_of(form)]
    cases += [Case(form, form.text, {}, None, form.why) for form in REFUSED if not sys.argv[2:] or any(word in form.text for word in sys.argv[2:])]
    done = subprocess.run([sys.argv[1]], input="".join(case.line() + "\n" for case in cases), capture_output=True, text=True)
    answers = done.stdout.splitlines()
    failures = 0
    for case, got in zip(cases, answers):
        wrong = agrees(case, got)
        if wrong:
            failures += 1
            print(f"FAIL {case.form.arch} {case.code}{case.told if case.expected else ''}: {wrong}")
    if done.returncode or len(answers) != len(cases):
        print(f"FAIL: status {done.returncode}, {len(answers)} answers of {len(cases)}; behind {cases[len(answers) - 1].line() if answers else 'none'}\n{done.stderr}")
        failures += 1
    print(f"{len(chosen)} forms, {len(cases)} cases: {failures} failed" if failures else f"{len(chosen)} forms, {len(cases)} cases: all as expected")
    sys.exit(1 if failures or not cases else 0)


if __name__ == "__main__":
    main()
