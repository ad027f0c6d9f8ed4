#!/usr/bin/env python3
"""How fast the page runs kernels, beside the native interpreter: bench/playground.py WARPLENS PAGE [REPEATS]

Each repeat runs the five kernels natively (one thread, interpreted) and in a worker of headless Chromium, one after the other. What is compared
is processor time, as other work on the machine has no part in it: of the process, and of all of Chromium's processes. Each kernel runs once in
Chromium before it is timed, so that V8 has compiled it. Then it runs there on one thread and on two, in turns, by wall time: what threads
gain needs a machine that does nothing else. The medians and their ratios are printed as a table. Then the page is opened, many times, in a tab
that has not seen it: until it has answered its first question. PAGE: build-playground.
"""

import functools
import http.server
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

TOP = pathlib.Path(__file__).resolve().parents[1]
sys.dont_write_bytecode = True
sys.path.insert(0, str(TOP / "playground"))
import build  # noqa: E402

LAUNCHES = {
    "vecadd": ("16384", "256", "f32[4194304]=random:1 f32[4194304]=random:2 f32[4194304] i32=4194304"),
    "matmulNaive": ("32,32", "16,16", "f32[262144]=random:1 f32[262144]=random:2 f32[262144] i32=512"),
    "matmulTiled": ("24,24", "32,32", "f32[589824]=random:1 f32[589824]=random:2 f32[589824] i32=768"),
    "transpose": ("64,64", "32,8", "f32[4194304]=random:1 f32[4194304] i32=2048"),
    "scan": ("64,64", "32,32", "u8[4194304]=random:1 u64[4194304] i32=2048"),
}
OPTIONS = ["--no-save", "--no-sass", "--quiet", "--engine", "interp", "--machine-code", "off"]
STARTS = 15
HARNESS = """<!DOCTYPE html><script type="module">
%s
const module = loadModule('warplens.wasm'), texts = {'/kernels.ptx': %s};
const programs = {1: new Program(module), 2: new Program(module, 2)};
window.launch = (words, threads, done) => programs[threads].run(words, {files: texts, long: true}).then(
    ran => done(ran.status === 0 ? '' : ran.err || 'failed'));
document.documentElement.dataset.ready = '';
</script>"""


def words(kernel, threads=1):
    grid, block, arguments = LAUNCHES[kernel]
    return ["-k", kernel, "--threads", str(threads), "--grid", grid, "--block", block, *(part for text in arguments.split() for part in ("--arg", text)), *OPTIONS]


def native_seconds(warplens, kernel):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([warplens, "kernel", TOP / "bench/kernels.ptx", *words(kernel)], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def processes_of(root):
    """The process and all that descend from it."""
    parents = {}
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(path.parent.name)] = int(path.read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            pass
    found = {root}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def spent(root):
    """Seconds of processor time of all that the process has started and that runs."""
    total = 0
    for process in processes_of(root):
        try:
            fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
            total += int(fields[11]) + int(fields[12])
        except OSError:
            pass
    return total / 100  # clock ticks a second, on Linux


def run_in_page(browser, kernel, threads=1):
    """Wall seconds."""
    started = time.monotonic()
    wrong = browser.execute_async_script("window.launch(...arguments)", ["kernel", "/kernels.ptx", *words(kernel, threads)], threads)
    assert not wrong, wrong
    return time.monotonic() - started


def page_seconds(driver, browser, kernel):
    before = spent(driver)
    run_in_page(browser, kernel)
    return spent(driver) - before


def start_ups(driver, browser, address, repeats):
    """(wall ms from the navigation to the first answer, processor ms) of each."""
    found = []
    for _ in range(repeats):
        browser.get("about:blank")
        browser.execute_cdp_cmd("Network.clearBrowserCache", {})
        before = spent(driver)
        browser.get(address)
        while (mark := browser.execute_script("return performance.getEntriesByName('ready')[0]?.startTime")) is None:
            time.sleep(0.02)
        found.append((mark, 1000 * (spent(driver) - before)))
    return [sorted(column) for column in zip(*found)]


class Isolated(http.server.SimpleHTTPRequestHandler):
    def end_headers(self):
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        super().end_headers()

    def log_message(self, *_):
        pass


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    warplens, page = sys.argv[1], pathlib.Path(sys.argv[2])
    repeats = int(sys.argv[3]) if len(sys.argv) == 4 else 5
    texts = build.modules()
    texts["harness"] = "import {loadModule} from './assets.mjs';\nimport {Program} from './client.mjs';\n"
    with tempfile.TemporaryDirectory() as folder:
        for name in "warplens.wasm", "index.html":
            shutil.copy(page / "page" / name, folder)
        script = HARNESS % (build.bundle(texts, "harness"), build.script_json((TOP / "bench/kernels.ptx").read_text()))
        (pathlib.Path(folder) / "harness.html").write_text(script)
        server = http.server.ThreadingHTTPServer(("localhost", 0), functools.partial(Isolated, directory=folder))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        options = Options()
        options.binary_location = shutil.which("chromium")
        for argument in "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage":
            options.add_argument(argument)
        service = Service(shutil.which("chromedriver"))
        browser = webdriver.Chrome(service=service, options=options)
        browser.set_script_timeout(600)
        try:
            address = f"http://localhost:{server.server_port}/"
            browser.get(address + "harness.html")
            while "ready" not in browser.execute_script("return Object.keys(document.documentElement.dataset).join()"):
                pass
            assert browser.execute_script("return crossOriginIsolated")
            times = {kernel: ([], [], [], []) for kernel in LAUNCHES}
            for kernel in LAUNCHES:
                page_seconds(service.process.pid, browser, kernel)
                run_in_page(browser, kernel, 2)
            for _ in range(repeats):
                for kernel, (native, other, one, two) in times.items():
                    native.append(native_seconds(warplens, kernel))
                    other.append(page_seconds(service.process.pid, browser, kernel))
                    one.append(run_in_page(browser, kernel))
                    two.append(run_in_page(browser, kernel, 2))
            wall, processor = start_ups(service.process.pid, browser, address, STARTS)
        finally:
            browser.quit()
    print("| kernel | native, s | page, s | of the native speed | wall, 1 thread | 2 threads | times as fast |\n|" + " --- |" * 7)
    for kernel, lists in times.items():
        native, other, one, two = (statistics.median(values) for values in lists)
        print(f"| `{kernel}` | {native:.2f} | {other:.2f} | {native / other:.2f} | {one:.2f} | {two:.2f} | {one / two:.2f} |")
    print(f"\nstart, ms: wall {wall[0]:.0f} at best, {statistics.median(wall):.0f} median; processor {statistics.median(processor):.0f} median")


main()
