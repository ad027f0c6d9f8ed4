"""together.py WARPLENS: `warplens fix --patch` changes arrays together that a function of both gets, and a text that does not compile
does not keep other arrays from being changed. 77 without nvcc or libclang."""

import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def main():
    if not shutil.which("nvcc"):
        print("skipped: there is no nvcc")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(HERE / "together.cu", folder)
        words = ["fix", "together.cu", "-k", "three", "--grid", "1", "--block", "32,8", "--arg", "f32[2048]=random:1", "--arg", "f32[1024]",
                 "--patch=fix.patch"]
        said = subprocess.run([pathlib.Path(sys.argv[1]).resolve(), *words], text=True, capture_output=True, timeout=600, cwd=folder)
        if "without libclang" in said.stdout + said.stderr or "needs libclang" in said.stderr:
            print("skipped: there is no libclang")
            return 77
        patch = pathlib.Path(folder, "fix.patch")
        text = patch.read_text() if patch.exists() else ""
        for line in ("+__device__ void fill(float (*to)[33], const float *from) {",
                     "+    __shared__ float a[32][33], b[32][33], c[32][33];"):
            assert line in text, said.stdout + said.stderr + text
    return 0


if __name__ == "__main__":
    sys.exit(main())
