#!/usr/bin/env python3
"""Makes the pages of warplens.wasm: playground/build.py WASM FOLDER

    FOLDER/index.html                 for a web server, with warplens.wasm beside it
    FOLDER/warplens-playground.html   the same in one file, for file:// too
    FOLDER/warplens-explain.js        the element <warplens-explain>, for other pages; needs warplens.wasm beside it

The modules of page/ become one script: each file once, after what it imports, without its import and export words. What they show of
the samples comes from samples/*/README.md: the commands there, which a test runs. The policy of the pages names the scripts by their
hashes, those of the report's pages among them, so that nothing else runs.
"""

import base64
import gzip
import hashlib
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent
REPORT = TOP / "src/report/html"
IMPORT = re.compile(r"^import \{[^}]*\} from '\./([\w]+)\.mjs';\n", re.MULTILINE)
BLOCK = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (warplens kernel (?:[^\n]*\\\n)*[^\n]*\n)", re.MULTILINE)


def sample_launches():
    """The launches that samples/*/README.md show, each once, and the texts of their files by path."""
    found, texts = {}, {}
    for readme in sorted((TOP / "samples").glob("*/README.md")):
        for block in BLOCK.findall(readme.read_text()):
            for command in COMMAND.findall(block):
                launch = read_command(first_words(command)[2:])
                if not launch:
                    continue
                found.setdefault(f"{readme.parent.name}: {launch['kernel']}, {launch['grid']} × {launch['block']}", launch)
                path = TOP / launch["path"]
                texts[launch["path"]] = [path.read_text(), path.with_suffix(".cu").read_text()]
    return [{"title": title, **launch} for title, launch in found.items()], texts


def samples():
    launches, texts = sample_launches()
    return (
        "// samples: made by build.py of samples/*/README.md.\n"
        f"const SAMPLE_TEXTS = {script_json(texts)};\n"
        f"export const SAMPLES = {script_json(launches)};\n"
        "for (const sample of SAMPLES)\n"
        "    sample.files = () => ({path: sample.path, ptx: SAMPLE_TEXTS[sample.path][0], source: SAMPLE_TEXTS[sample.path][1]});\n"
    )


def first_words(command):
    """Of the first command of a line of a shell, without what its output goes to."""
    lexer = shlex.shlex(command.replace("\\\n", " "), posix=True, punctuation_chars="|;>")
    lexer.whitespace_split = True
    words = list(lexer)
    return words[: next((i for i, word in enumerate(words) if word[0] in "|;>"), len(words))]


def read_command(words):
    launch = {"path": None, "kernel": "", "grid": "1", "block": "32", "shared": "", "arguments": []}
    names = {"-k": "kernel", "--kernel": "kernel", "--grid": "grid", "--block": "block", "--shared": "shared"}
    rest = iter(words)
    for word in rest:
        option, equals, value = word.partition("=")
        if option in names or option in ("--arg", "-o", "--page", "--check", "--dump"):
            value = value if equals and option.startswith("--") else next(rest, "")
            if option in names:
                launch[names[option]] = value
            elif option == "--arg":
                launch["arguments"].append(value)
        elif word.endswith(".ptx"):
            launch["path"] = word
        elif word.startswith("-") and word != "-q":
            return None
    return launch if launch["path"] and "$" not in json.dumps(launch) else None


def script_json(value):
    """JSON that may stand in a script of a page."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c").replace("\u2028", "\\u2028")


def elements():
    """The part of the report's dom.js that makes elements, as a module."""
    text = (REPORT / "dom.js").read_text().removeprefix("'use strict';\n").split("// ---- numbers ----")[0]
    return re.sub(r"^(?=(?:const|function) (?:el|svg|byId|announce)\b)", "export ", text, flags=re.MULTILINE)


def modules():
    """Name → text of all modules, with those that are made here."""
    texts = {path.stem: path.read_text() for path in sorted((HERE / "page").glob("*.mjs"))}
    texts["elements"] = elements()
    texts["samples"] = samples()
    texts["worker_text"] = f"export const WORKER_TEXT = {script_json(bundle(texts, 'worker'))};\n"
    return texts


def bundle(texts, root):
    done, parts = set(), []

    def add(name):
        if name in done:
            return
        done.add(name)
        for needed in IMPORT.findall(texts[name]):
            add(needed)
        body = IMPORT.sub("", texts[name])
        parts.append(re.sub(r"^export (?=(?:async )?(?:const|let|class|function))", "", body, flags=re.MULTILINE))

    add(root)
    text = "\n".join(parts)
    if re.search(r"^(import|export) ", text, re.MULTILINE):
        sys.exit(f"{root}: an import or export that build.py does not know")
    if node := shutil.which("node"):  # a page whose script cannot be read is not made
        checked = subprocess.run([node, "--input-type=module", "--check"], input=text, text=True, capture_output=True)
        if checked.returncode:
            sys.exit(f"{root}: {checked.stderr}")
    return text.replace("</script", "<\\/script")


def hash_of(text):
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def report_scripts():
    """The scripts of report.html and diff.html, as embed.cmake puts them together."""
    names = dict(re.findall(r"^set\(html_(\w+) (.*)\)$", (REPORT / "embed.cmake").read_text(), re.MULTILINE))
    for page in ("report", "diff"):
        files = names[page].replace("${html_shared}", names["shared"]).split()
        yield "\n" + "".join((REPORT / name).read_text() for name in files)


def page(texts, wasm):
    """index.html; wasm: the program, to be in it, or None."""
    script = "\n" + bundle(texts, "main")
    policy = [
        "default-src 'none'",
        f"script-src 'wasm-unsafe-eval' {hash_of(script)} {' '.join(hash_of(text) for text in report_scripts())}",
        "style-src 'unsafe-inline'",
        "img-src data:",
        "worker-src blob:",
        f"connect-src {'blob:' if wasm else chr(39) + 'self' + chr(39)}",
        "form-action 'none'",
        "base-uri 'none'",
    ]
    inside = ""
    if wasm:
        packed = base64.b64encode(gzip.compress(wasm, 9, mtime=0)).decode()
        inside = f'<script id="wasm" type="text/plain">{packed}</script>'
    tokens = (REPORT / "style.css").read_text().split("/* ---- what views share ---- */")[0]
    style = tokens + (HERE / "page/style.css").read_text()
    html = (HERE / "page/index.html").read_text()
    for name, value in (("policy", "; ".join(policy)), ("style.css", style), ("wasm", inside), ("\n{{page.js}}", script)):
        html = html.replace(name if name.startswith("\n") else f"{{{{{name}}}}}", value)
    return html


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    wasm, folder = pathlib.Path(sys.argv[1]).read_bytes(), pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    texts = modules()
    (folder / "index.html").write_text(page(texts, None))
    (folder / "warplens-playground.html").write_text(page(texts, wasm))
    shutil.copyfile(sys.argv[1], folder / "warplens.wasm")
    if "element" in texts:
        (folder / "warplens-explain.js").write_text(bundle(texts, "element"))
    for path in sorted(folder.iterdir()):
        data = path.read_bytes()
        print(f"{path}: {len(data):,} bytes, {len(gzip.compress(data, 9)):,} compressed")


if __name__ == "__main__":
    main()
