"""machine.py WARPLENS [--no-programs]: `warplens fix` counts a change of a source as machine code, before and after: as `warplens kernel`
counts the two sources; and where it cannot, it says so, and why. 77 without nvcc, ptxas, nvdisasm or libclang."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
LAUNCH = "-k turn --grid 2,2 --block 32,32 --arg f32[4096]=random:1 --arg f32[4096] --arg i32=64".split()
COUNTS = ("wavefronts", "sectors")


def expect(fine, *said):
    if not fine:
        print("FAIL", *said, sep="\n")
        sys.exit(1)


class Trial:
    def __init__(self, warplens, folder):
        self.warplens, self.folder = pathlib.Path(warplens).resolve(), pathlib.Path(folder)
        shutil.copy(HERE / "program.cu", folder)
        self.source = self.folder / "program.cu"

    def run(self, *words, env=None):
        whole = {**os.environ, **(env or {})}
        return subprocess.run([self.warplens, *words], cwd=self.folder, text=True, capture_output=True, timeout=600, env=whole)

    def fix(self, *words, env=None):
        return self.run("fix", "program.cu", *LAUNCH, *words, env=env)

    def counted(self):
        """What `warplens kernel` counts of the source as it is now, as machine code."""
        done = self.run("kernel", "program.cu", *LAUNCH, "--machine-code=require", "-q", "-o", "counted.wlp")
        expect(done.returncode == 0, done.stdout, done.stderr)
        launch = json.loads(self.run("report", "counted.wlp", "--format=json").stdout)["launches"][0]
        expect(launch["modelled"] == 0, launch["modelled"])
        return launch["shared"]["wavefronts"], launch["global"]["sectors"], launch["thread_insts"]

    def without_nvdisasm(self):
        """A PATH that has what nvcc and fix need; nvdisasm too, if it is beside nvcc."""
        found = pathlib.Path(shutil.which("nvcc")).resolve().parent
        return {"PATH": f"{found}:/usr/bin:/bin", "CUDA_HOME": "", "CUDA_PATH": ""}


def check_kernel(trial):
    done = trial.fix("--machine-code=on", "--format=json")
    expect(done.returncode == 0, done.stdout, done.stderr)
    machine = json.loads(done.stdout)["machine"]
    expect(machine and machine["why"] is None and machine["differ"] == 0 and machine["bytes"] > 0, machine)
    text = trial.fix("--machine-code=on").stdout
    expect("as machine code, compiled and run" in text and "results differ" in text, text)
    before = trial.counted()
    done = trial.fix("--machine-code=on", "--apply")
    expect(done.returncode == 0 and "applied:" in done.stdout, done.stdout, done.stderr)
    for name, counted in (("before", before), ("after", trial.counted())):
        said = tuple(machine[name][field] for field in (*COUNTS, "thread_insts"))
        expect(said == counted, name, said, counted)
    expect(machine["after"]["wavefronts"] < machine["before"]["wavefronts"], machine)


def check_none(trial):
    """Off, of PTX, and without nvdisasm."""
    done = trial.fix("--machine-code=off", "--format=json")
    expect(json.loads(done.stdout)["machine"] is None, done.stdout)
    subprocess.run(["nvcc", "-ptx", "-lineinfo", "-o", "program.ptx", "program.cu"], cwd=trial.folder, check=True)
    done = trial.run("fix", "program.ptx", *LAUNCH, "--machine-code=on")
    expect(done.returncode == 0 and "counted as PTX" in done.stdout and "no changed source is compiled" in done.stdout, done.stdout)
    env = trial.without_nvdisasm()
    if shutil.which("nvdisasm", path=env["PATH"]):
        return
    done = trial.fix("--machine-code=on", env=env)
    expect(done.returncode == 0 and "counted as PTX" in done.stdout and "nvdisasm" in done.stdout, done.stdout, done.stderr)
    done = trial.fix("--machine-code=require", env=env)
    expect(done.returncode not in (0, 1) and "not counted as machine code" in done.stderr, done.stdout, done.stderr)


def check_program(trial):
    build = "nvcc -lineinfo -o program program.cu"
    subprocess.run(build.split(), cwd=trial.folder, check=True)
    done = trial.run("fix", "--machine-code=on", "--build", build, "--apply", "--", "./program")
    expect(done.returncode == 0 and "applied:" in done.stdout, done.stdout, done.stderr)
    expect(done.stdout.count("as machine code, compiled and run") == 2, done.stdout)
    expect("no fewer cycles" not in done.stdout and "counted as PTX" not in done.stdout, done.stdout)


def main():
    if not all(shutil.which(tool) for tool in ("nvcc", "ptxas", "nvdisasm")):
        print("skipped: there is no nvcc, ptxas or nvdisasm")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(sys.argv[1], folder)
        said = trial.fix("--patch=-")
        if "libclang" in said.stdout + said.stderr:
            print("skipped: there is no libclang")
            return 77
        check_none(trial)
        check_kernel(trial)
        if "--no-programs" not in sys.argv:
            shutil.copy(HERE / "program.cu", folder)
            check_program(trial)
    return 0


if __name__ == "__main__":
    sys.exit(main())
