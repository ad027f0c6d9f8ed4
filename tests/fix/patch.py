"""warplens fix --patch and --apply: sources that prove themselves, and sources that are left as they were.

    patch.py WARPLENS

Samples, patch.cu and layouts.cu are copied, patched and applied there. Exit status 77: there is no libclang, or neither nvcc
nor clang.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SAMPLES = HERE.parent.parent / "samples"

TRANSPOSE = "--grid 4,4 --block 32,8 --arg f32[16384]=random:1 --arg f32[16384] --arg i32=128"
SCAN = "--grid 4,4 --block 32,32 --arg u8[16384]=random:1 --arg u64[16384] --arg u64[512]=0 --arg u64[512]=0"
SCAN += " --arg i32=128 --arg i32=128"
GEMM = "--grid 1 --block 16,16 --arg f32[16384]=random:1 --arg f32[16384]=random:2 --arg f32[16384]=0"
GEMM += " --arg i32=128 --arg i32=128 --arg i32=128 --arg f32=1 --arg f32=0"
PLAIN = "gemm<float, 128, 128, 32, 8, 8, Loader<Sync, Plain>, Loader<Sync, Plain> >"
BANKS = "--grid 4 --block 256 --arg u32[1024] --arg u32=32 --arg u32=64"
OWN = "--block 32 --arg f32[1024]=random:1 --arg f32[1024]"
HALVES = "--block 32 --arg u32[2048]=random:1 --arg u32[2048]"
NUMBERED = "--block 32 --arg i32[1024]=random:1 --arg i32[32] --arg i32=0"

# They use intrinsics that clang has from the toolkit alone; and clang makes accesses of 4 bytes of those of 16 in layouts.cu.
NEEDS_NVCC = ("scan2d/scan2d.cu", "sgemm/sgemm.cu", "layouts.cu")

# file, kernel, launch, N-way of the whole kernel afterwards (None: the source stays as it is), what is said
APPLIED = [
    ("transpose/transpose.cu", "transposeTiled<0>", TRANSPOSE, "1.0", "this changes all instances of the template"),
    ("bank_offset/bank_offset.cu", "bankOffset", BANKS, "1.0", "pad_1_per_32|swizzle_5_0_5"),
    ("scan2d/scan2d.cu", "blockScan<0>", SCAN, "1.0", "this changes the class PaddedTile<0>, wherever it is used"),
    ("sgemm/sgemm.cu", PLAIN, GEMM, "1.0", "changes with tileB, which has the same declaration"),
    ("layouts.cu", "halves", HALVES, "1.0", "write Swizzle<3, 3, 3> in its type"),
    ("layouts.cu", "floats", OWN + " --prefer swizzle", "1.0", "write Swizzle<5, 0, 5> in its type"),
    ("patch.cu", "overrun", OWN, None, "it has other results"),
    ("patch.cu", "numbered", NUMBERED, None, r"wavefronts were promised, and \S+ counted"),
    ("patch.cu", "passed", OWN, "1.0", r"declare tile\[TILE\]\[TILE \+ 1\]"),
]


class Failure(Exception):
    pass


def expect(condition, *told):
    if not condition:
        raise Failure("\n".join(str(part) for part in told))


def fix(warplens, folder, path, kernel, launch, *more, **environment):
    words = [warplens, "fix", path, "-k", kernel, *launch.split(), *more]
    # In a process that has loaded libclang, LeakSanitizer itself ends with signal 11 now and then, on a busy machine ("Tracer
    # caught signal 11"); fix/changes, fix/samples and cli/fix look for leaks of the same code.
    leaks = ":".join(filter(None, [os.environ.get("ASAN_OPTIONS"), "detect_leaks=0"]))
    whole = dict(os.environ, ASAN_OPTIONS=leaks, **environment)
    return subprocess.run(words, cwd=folder, text=True, capture_output=True, timeout=600, env=whole)


def copy(path, folder):
    """A copy of a sample, or of a source here, under the same name."""
    target = pathlib.Path(folder, path)
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(SAMPLES / path if "/" in path else HERE / path, target)
    return target


def wavefronts(text):
    """(now, with the best layouts) as the proof has them."""
    found = re.search(r"the kernel's ([\d,]+) wavefronts of shared memory become ([\d,]*\d)", text)
    expect(found, "no proof:", text)
    return found.groups()


def check_patch(warplens, folder, case, applied):
    """The diff alone is on standard output, and makes the text that --apply writes."""
    path, kernel, launch = case[:3]
    source = copy(path, folder)
    text = source.read_text()
    done = fix(warplens, folder, path, kernel, launch, "--patch")
    expect(done.returncode == 0 and done.stdout.startswith(f"--- a/{path}\n"), "--patch:", done.stdout, done.stderr)
    expect(source.read_text() == text, "--patch changes the source")
    if shutil.which("patch"):
        subprocess.run(["patch", "-s", "-p1"], cwd=folder, input=done.stdout, text=True, check=True)
        expect(source.read_text() == applied, "patch -p1 makes another text than --apply")


def check_apply(warplens, folder, case, **environment):
    path, kernel, launch, way, said = case
    source = copy(path, folder)
    before = source.read_text()
    done = fix(warplens, folder, path, kernel, launch, "--apply", **environment)
    text = done.stdout + done.stderr
    expect(re.search(said, text), f"'{said}' is not said:", text)
    expect(sorted(os.listdir(source.parent)) == [source.name], "something is left behind", os.listdir(source.parent))
    after = source.read_text()
    if way is None:
        expect(done.returncode == 1 and after == before, f"exit status {done.returncode}:", text)
        return
    expect(done.returncode == 0 and "\napplied: " in text and after != before, f"exit status {done.returncode}:", text)
    promised = wavefronts(text)[1]
    again = fix(warplens, folder, path, kernel, launch, **environment)
    shared = again.stdout.split("global memory:")[0]
    rows = re.findall(r"as it is +([\d,]+) +([\d.]+)", shared)
    total = sum(int(row[0].replace(",", "")) for row in rows)
    expect(rows and {row[1] for row in rows} == {way}, "the new source is not cured:", again.stdout)
    expect(f"{total:,}" == promised, f"{promised} wavefronts were promised:", again.stdout)
    if not environment:
        check_patch(warplens, folder, case, after)


def check_ptx(warplens, folder):
    """PTX knows its source, but not how it was compiled."""
    case = ("samples/transpose/transpose.ptx", "transposeTiled<0>", TRANSPOSE)
    os.symlink(SAMPLES, pathlib.Path(folder, "samples"))
    done = fix(warplens, folder, *case, "--patch=out.diff")
    expect(done.returncode == 0 and "the patch is in out.diff" in done.stdout, done.stdout, done.stderr)
    diff = pathlib.Path(folder, "out.diff").read_text()
    expect(diff.startswith("--- a/samples/transpose/transpose.cu\n"), diff)
    done = fix(warplens, folder, *case, "--apply")
    expect(done.returncode == 3 and "name samples/transpose/transpose.cu in place of" in done.stderr, done.stderr)


def check_profile(warplens, folder):
    """A profile knows its source, too. What has changed since is said."""
    source = copy("patch.cu", folder)
    words = [warplens, "kernel", source.name, "-k", "overrun", *OWN.split(), "-q", "--no-sass", "-o", "x.wlp"]
    subprocess.run(words, cwd=folder, check=True)
    words = [warplens, "fix", "x.wlp", "--patch"]
    done = subprocess.run(words, cwd=folder, text=True, capture_output=True)
    expect(done.returncode == 0 and done.stdout.startswith("--- a/patch.cu\n"), done.stdout, done.stderr)
    expect("not proven" in done.stderr and "has changed" not in done.stderr, done.stderr)
    source.write_text("// Another line.\n" + source.read_text())
    done = subprocess.run(words, cwd=folder, text=True, capture_output=True)
    expect("it has changed since the profile was made" in done.stderr, done.stderr)


def check_program(warplens, folder):
    """All kernels of a program, in one patch; the patched program needs no other."""
    copy("program.cu", folder)
    for patched in (False, True):
        subprocess.run(["nvcc", "-lineinfo", "-o", "program", "program.cu"], cwd=folder, check=True)
        words = [warplens, "fix", "--patch", "--", "./program"]
        done = subprocess.run(words, cwd=folder, text=True, capture_output=True)
        expect(done.returncode == 0, done.stdout, done.stderr)
        expect(patched or "all changes, the largest saving first:" in done.stderr, done.stderr)
        if patched:
            expect(done.stdout == "" and "no conflicts in shared memory:" in done.stderr, done.stdout, done.stderr)
        elif shutil.which("patch"):
            subprocess.run(["patch", "-s", "-p1"], cwd=folder, input=done.stdout, text=True, check=True)
        else:
            return


def check_build(warplens, folder):
    """--build --apply: the sources change where the built program keeps the promise, and are as they were otherwise."""
    source = copy("program.cu", folder)
    before, compile_ = source.read_text(), "nvcc -lineinfo -o program program.cu"
    subprocess.run(compile_.split(), cwd=folder, check=True)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    person = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in (("NAME", "a"), ("EMAIL", "a@b"))}

    def apply(*words, status):
        done = subprocess.run([warplens, "fix", *words, "--", "./program"], cwd=folder, text=True, capture_output=True,
                              env=dict(os.environ, **person))
        expect(done.returncode == status, words, done.stdout, done.stderr)
        return done.stdout + done.stderr

    expect("needs --build COMMAND" in apply("--apply", status=3), "no --build")
    expect("--build is of --apply" in apply("--build", "true", status=3), "no --apply")
    said = apply("--apply", "--build", f"{compile_} && echo enough >&2 && exit 5", status=1)
    expect("enough\nit ends with status 5" in said and "the build fails" in said and source.read_text() == before, said)
    said = apply("--apply", "--build", "true", status=1)
    expect("320 wavefronts" not in said and "wavefronts were promised" in said and source.read_text() == before, said)
    if shutil.which("git"):
        for words in (["init", "-q"], ["add", "program.cu"], ["commit", "-q", "-m", "first"]):
            subprocess.run([*git, *words], cwd=folder, check=True)
        said = apply("--apply", "--build", compile_, "--branch", "banks", status=0)
        expect("committed to the branch banks" in said and source.read_text() == before, said)
        shown = subprocess.run(["git", "show", "--format=%B", "banks"], cwd=folder, text=True, capture_output=True).stdout
        expect("5,280 wavefronts of shared memory become 320" in shown and "+    __shared__ float tile[TILE][TILE + 1];" in shown, shown)
        tree = subprocess.run(["git", "status", "--short", "-uno"], cwd=folder, text=True, capture_output=True).stdout
        expect(tree == "", "the working tree", tree)
        expect("there is a branch banks already" in apply("--apply", "--build", compile_, "--branch", "banks", status=3), "twice")
    said = apply("--apply", "--build", f"{compile_} && grep -q 'row.TILE . TILE.;' program.cu", status=0)
    now = source.read_text()
    expect("what was kept:" in said and "tile[TILE][TILE + 1]" in now and "row[TILE * TILE];" in now, "one change of two", said, now)
    source.write_text(before)
    subprocess.run(compile_.split(), cwd=folder, check=True)
    said = apply("--until", "30", status=0)
    expect("1 of 2 changes are enough: 992 wavefronts beyond the ideal are left" in said and "1,056 wavefronts become" not in said, said)
    said = apply("--apply", "--build", compile_, status=0)
    expect("applied: program.cu. 5,280 wavefronts of shared memory become 320" in said and "tile[TILE][TILE + 1]" in source.read_text(), said)


def check_without(warplens, folder):
    path, kernel, launch = APPLIED[0][:3]
    source = copy(path, folder)
    done = fix(warplens, folder, path, kernel, launch, "--patch", WARPLENS_LIBCLANG="none")
    expect(done.returncode == 3 and "apt-get install libclang" in done.stderr, done.stderr)
    expect(done.stdout == "", done.stdout)
    source.chmod(0o640)
    fix(warplens, folder, path, kernel, launch, "--apply")
    expect(source.stat().st_mode & 0o777 == 0o640, "the source's mode is another one now")


def has_compiler():
    return any(shutil.which(tool) for tool in ("nvcc", "clang"))


def main():
    warplens = pathlib.Path(sys.argv[1]).resolve()
    os.environ["PATH"] += ":/usr/local/cuda/bin"
    checks = []
    for case in APPLIED:
        if case[0] in NEEDS_NVCC and not shutil.which("nvcc"):
            print(f"{case[1]}: left out, since {case[0]} needs nvcc")
        else:
            checks.append((case[1], check_apply, (case,), {}))
    if shutil.which("clang"):
        checks.append(("transposeTiled<0>, by clang", check_apply, (APPLIED[0],), {"WARPLENS_NVCC": "none"}))
    if "--no-programs" in sys.argv:
        print("a program: left out of this build")
    elif shutil.which("nvcc"):
        checks.append(("a program", check_program, (), {}))
        checks.append(("a program that is built", check_build, (), {}))
    checks += [("a PTX file", check_ptx, (), {}), ("a profile", check_profile, (), {}),
               ("no libclang", check_without, (), {})]
    with tempfile.TemporaryDirectory() as folder:
        source = copy("patch.cu", folder)
        tried = fix(warplens, folder, source.name, "overrun", OWN, "--patch") if has_compiler() else None
        if not tried or "needs libclang" in tried.stderr or "without libclang" in tried.stderr:
            print(f"skipped: {tried.stderr.strip() if tried else 'there is neither nvcc nor clang'}")
            return 77
    failed = 0
    for name, check, arguments, environment in checks:
        with tempfile.TemporaryDirectory() as folder:
            try:
                check(warplens, folder, *arguments, **environment)
                print(f"{name}: as expected")
            except Failure as failure:
                print(f"{name}: FAILED: {failure}")
                failed += 1
    print(f"fix --patch, --apply: {len(checks)} checks, {failed} failures")
    return 1 if failed else 0


sys.exit(main())
