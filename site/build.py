#!/usr/bin/env python3
"""Makes the site: site/build.py PLAYGROUND FOLDER [MKDOCS]

docs/ and samples/**/README.md go to FOLDER/pages, with the playground's files (PLAYGROUND: build-playground/page) beside them; links to what is no
page become names in the same words. MkDocs makes FOLDER/html of them, and fails at a link or an anchor that leads nowhere; then its search is made
to work from disk, too, and every page is looked through for what would be loaded from elsewhere.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[1]
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
CODE = re.compile(r"(^```.*?^```$|`[^`\n]*`)", re.MULTILINE | re.DOTALL)
LOADS = re.compile(r"""<(?:script|link|img|iframe|source)\b[^>]*?\b(?:src|href)=["']((?:https?:)?//[^"']+)""")
SECTIONS = {
    "Guide": "guide/*.md",
    "Samples": "samples/*.md",
    "Rules": "rules/*.md",
    "Reference": "*.md",
    "Decisions": "decisions/*.md",
}


def gather():
    """Page of the site → file of the repository."""
    pages = {path.relative_to(TOP / "docs"): path for path in (TOP / "docs").rglob("*.md")}
    pages[pathlib.Path("index.md")] = pages.pop(pathlib.Path("README.md"))
    for path in sorted((TOP / "samples").rglob("README.md")):
        name = "index" if path.parent.name == "samples" else path.parent.name
        pages[pathlib.Path("samples") / f"{name}.md"] = path
    for page in [page for page in pages if page.name == "README.md"]:
        pages[page.with_name("index.md")] = pages.pop(page)
    return pages


def rewritten(text, source, page, places):
    """The text with links as they are between pages of the site."""

    def link(match):
        image, words, target = match.groups()
        path, hash_, anchor = target.partition("#")
        if re.match(r"[a-z]+:", target) or not path:
            return match[0]
        real = (source.parent / path).resolve()
        for candidate in (real, real / "README.md"):
            if candidate in places:
                return f"{image}[{words}]({os.path.relpath(places[candidate], page.parent)}{hash_}{anchor})"
        if real.suffix in (".svg", ".png") and real.exists():
            return f"{image}[{words}]({os.path.relpath(asset(real), page.parent)})"
        return words if "`" in words or "/" in words else f"{words} (`{os.path.relpath(real, TOP)}`)"

    parts = CODE.split(text)
    # Code between brackets of a link belongs to it: links are looked for in whole paragraphs outside of fences.
    out, plain = [], ""
    for part in parts:
        if part.startswith("```"):
            out.append(LINK.sub(link, plain))
            out.append(part)
            plain = ""
        else:
            plain += part
    out.append(LINK.sub(link, plain))
    return "".join(out)


ASSETS = {}


def asset(real):
    name = pathlib.Path("images") / f"{real.parent.parent.name}-{real.name}"
    ASSETS[real] = name
    return name


def title(path):
    match = re.search(r"^# (.*)$", path.read_text(), re.MULTILINE)
    return re.sub(r"[`*]", "", match[1]) if match else path.stem


def navigation(pages):
    lines = ["nav:", "  - Home: index.md", "  - Playground: playground.md"]
    for section, pattern in SECTIONS.items():
        found = sorted(page for page in pages if page.match(pattern) and len(page.parts) == len(pathlib.PurePath(pattern).parts))
        found = [page for page in found if page != pathlib.Path("index.md")]
        found.sort(key=lambda page: (page.name != "index.md", page.name))
        lines.append(f"  - {section}:")
        lines += [f"      - {title(pages[page])!r}: {page}" if "'" not in title(pages[page]) else f'      - "{title(pages[page])}": {page}' for page in found]
    return "\n".join(lines) + "\n"


PLAYGROUND = """# Playground

<iframe class="playground" src="playground/index.html" title="The playground: warplens in a page"></iframe>

[On a page of its own](playground/index.html), or [in one file](playground/warplens-playground.html) to keep. [What it does](guide/playground.md).
"""


FROM_DISK = """const workerOfFile = Worker, searchText = %s;
window.Worker = function(address, options) {
    const own = /search\\/worker\\.js$/.test(address);
    return new workerOfFile(own ? URL.createObjectURL(new Blob([searchText])) : address, options);
};
"""
SERVER = """self.importScripts = () => {};
self.XMLHttpRequest = class {
    addEventListener(name, then) { this.then = then; }
    open() {}
    send() { this.responseText = %s; this.then(); }
};
"""


def search_from_disk(folder):
    """from_disk.js: MkDocs' own search, whose worker asks no server."""
    index, lunr, worker = ((folder / name).read_text() for name in ("search_index.json", "lunr.js", "worker.js"))
    text = SERVER % json.dumps(index) + lunr + "\n" + worker
    (folder / "from_disk.js").write_text(FROM_DISK % json.dumps(text))


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    made, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    mkdocs = sys.argv[3] if len(sys.argv) == 4 else "mkdocs"
    shutil.rmtree(folder / "pages", ignore_errors=True)
    shutil.rmtree(folder / "html", ignore_errors=True)
    pages = gather()
    places = {path.resolve(): page for page, path in pages.items()}
    for page, path in pages.items():
        to = folder / "pages" / page
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(rewritten(path.read_text(), path, page, places))
    (folder / "pages/playground.md").write_text(PLAYGROUND)
    shutil.copytree(made, folder / "pages/playground")
    for name in "site.css", "search_from_disk.js":
        shutil.copyfile(TOP / "site" / name, folder / "pages" / name)
    for real, name in ASSETS.items():
        (folder / "pages" / name).parent.mkdir(exist_ok=True)
        shutil.copyfile(real, folder / "pages" / name)
    for path in (TOP / "docs/images").iterdir(): # in HTML, whose links stay as they are
        (folder / "pages/images").mkdir(exist_ok=True)
        shutil.copyfile(path, folder / "pages/images" / path.name)
    settings = (TOP / "site/mkdocs.yml").read_text().split("nav:\n  - Home")[0]
    (folder / "mkdocs.yml").write_text(settings + navigation(pages))
    subprocess.run([mkdocs, "build", "--quiet", "--config-file", folder / "mkdocs.yml"], check=True)
    search_from_disk(folder / "html/search")
    outside = [f"{path}: {url}" for path in sorted((folder / "html").rglob("*.html")) for url in LOADS.findall(path.read_text())]
    if outside:
        sys.exit("loaded from elsewhere:\n" + "\n".join(outside))
    print(f"{folder}/html: {len(pages) + 1} pages, nothing loaded from elsewhere")


main()
