"""pages.py PAGE [--bless]: runs the Python of a page and compares what it prints.

A program is all blocks of the language `python` up to a heading of the page, or its end, and runs as a file of its own. What a block prints
stands in a block of the language `text` right behind it; a block without one prints nothing that the page shows. With --bless the outputs
are written into the page. Times, addresses and folders of this machine do not belong on a page.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

PART = re.compile(r"(?m)^(?=#)")
BLOCK = re.compile(r"^```python\n(?P<program>.*?)^```\n(?P<output>\n```text\n.*?^```\n)?", re.MULTILINE | re.DOTALL)
MARK = "=== the next block ==="


def execute(part, environment=None):
    """The part with what its blocks print now; and why the program failed, or None."""
    blocks = list(BLOCK.finditer(part))
    if not any(block["output"] for block in blocks):
        return part, None
    program = "".join(f"{block['program']}\nprint({MARK!r})\n" for block in blocks)
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "page.py").write_text(program)
        ran = subprocess.run([sys.executable, "-B", "page.py"], cwd=folder, text=True, capture_output=True, env=environment)
    if ran.returncode:
        return part, ran.stderr
    printed = iter(ran.stdout.split(f"{MARK}\n"))

    def show(block):
        output = next(printed)
        head = f"```python\n{block['program']}```\n"
        return f"{head}\n```text\n{output.rstrip()}\n```\n" if block["output"] else head

    return BLOCK.sub(show, part), None


def check(path, environment=None):
    """The page as it should be; and why a program failed, or None."""
    text = ""
    for part in PART.split(path.read_text()):
        done, failed = execute(part, environment)
        if failed:
            return None, failed
        text += done
    return text, None


if __name__ == "__main__":
    page = pathlib.Path(sys.argv[1])
    now, wrong = check(page)
    if wrong:
        sys.exit(wrong)
    if "--bless" in sys.argv:
        page.write_text(now)
    elif now != page.read_text():
        sys.exit(f"{page}: another output; see it by --bless")
