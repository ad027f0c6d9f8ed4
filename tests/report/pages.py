"""pages: what the tests of the HTML page share - profiles, pages made of them, the document inside a page."""

import base64
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import zlib

SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "samples"


class Pages:
    """Profiles and pages in a temporary folder: `with Pages(warplens, write_sample) as pages`."""

    def __init__(self, warplens, write_sample):
        self.warplens, self.write_sample = warplens, write_sample

    def __enter__(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="warplens-pages-")
        self.folder = pathlib.Path(self.temporary.name)
        self.run(self.write_sample, self.folder / "sample.wlp")
        self.run(self.write_sample, self.folder / "many.wlp", "many")
        self.run(self.write_sample, self.folder / "machine.wlp", "machine")
        for name, kernel in ("scan", "blockScan<0>"), ("padded", "blockScan<1>"):
            self.run(self.warplens, "kernel", SAMPLES / "scan2d/scan2d.ptx", "-k", kernel, "--grid", "8,8", "--block", "32,32",
                     "--arg", "u8[65536]=random:1", "--arg", "u64[65536]", "--arg", "u64[2048]=0", "--arg", "u64[2048]=0",
                     "--arg", "i32=256", "--arg", "i32=256", "-q", "--no-sass", "-o", self.folder / f"{name}.wlp")
        self.run(self.warplens, "kernel", SAMPLES / "transpose/transpose.ptx", "-k", "transposeNaive", "--grid", "4,4", "--block", "32,8",
                 "--arg", "f32[16384]=random:1", "--arg", "f32[16384]", "--arg", "i32=128", "-q", "--no-sass",
                 "-o", self.folder / "transpose.wlp")
        self.run(self.warplens, "kernel", SAMPLES.parent / "tests/report/atomics.ptx", "-k", "atomics", "--grid", "1", "--block", "32",
                 "--arg", "u32[32]", "-q", "--no-sass", "-o", self.folder / "atomics.wlp")
        self.run(self.warplens, "kernel", SAMPLES / "sgemm/sgemm.ptx", "-k", "Loader<Async, Plain>, Loader<Async, Skewed>",
                 "--grid", "1,1", "--block", "16,16", "--arg", "f32[65536]=random:1", "--arg", "f32[65536]=random:2",
                 "--arg", "f32[65536]=0", *(word for size in ["i32=256"] * 3 for word in ("--arg", size)),
                 "--arg", "f32=1", "--arg", "f32=0", "-q", "--no-sass", "-o", self.folder / "sgemm.wlp")
        return self

    def __exit__(self, *_):
        self.temporary.cleanup()

    def run(self, *command):
        done = subprocess.run([str(word) for word in command], capture_output=True, timeout=120)
        if done.returncode:
            sys.exit(f"{command}: {done.stderr.decode()}")
        return done.stdout

    def report(self, name, *options):
        return self.run(self.warplens, "report", self.folder / f"{name}.wlp", *options)

    def page(self, name):
        """The path of the profile's page."""
        path = self.folder / f"{name}.html"
        self.report(name, "--format", "html", "-o", path)
        return path

    def diff_page(self, before, after):
        """The path of the page that compares two profiles."""
        path = self.folder / f"{before}-{after}.html"
        self.run(self.warplens, "diff", self.folder / f"{before}.wlp", self.folder / f"{after}.wlp", "--format", "html", "-o", path)
        return path


def document_of(page):
    """The document that a page carries."""
    packed = re.search(r'<script id="document" type="text/plain">([^<]*)</script>', page).group(1)
    document, listings = json.loads(zlib.decompress(base64.b64decode(packed)))
    for listing, columns in listings.items():  # of all kernels, behind the document
        for i, kernel in enumerate(document.get("kernels", [])):
            kernel[listing] = [{name: kernels[i][at] for name, kernels in columns.items()} for at in range(kernel[listing])]
    return document
