"""The Python package: what a profile says, what is refused, other processes, the plug-in of pytest."""

import ctypes
import importlib.util
import json
import multiprocessing
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest
from unittest import mock

import device
import warplens
from device import launch

HERE = pathlib.Path(__file__).parent
CONFLICT, FREE = 128, 4  # pitches


def python(text, *arguments, folder=None, **environment):
    return subprocess.run([sys.executable, "-B", *arguments, *(["-c", text] if text else [])], capture_output=True, text=True,
                          cwd=folder or HERE, env=os.environ | {"PYTHONPATH": f"{os.environ.get('PYTHONPATH', '')}:{HERE}"} | environment)


class Profiles(unittest.TestCase):
    def profiled(self, pitch, name=None):
        with warplens.profile(name) as made:
            self.assertEqual(launch(pitch), list(range(32)))
        return made

    def test_lines(self):
        made = self.profiled(CONFLICT)
        lines = {line.line: line for line in made.lines()}
        self.assertEqual(len(made), 1)
        self.assertEqual(set(lines), {3, 4})
        self.assertEqual((lines[3].wavefronts, lines[3].wavefronts_ideal, lines[3].n_way), (32, 1, 32))
        self.assertEqual((lines[4].sectors, lines[4].sectors_ideal, lines[4].sector_ratio), (4, 4, 1))
        self.assertEqual(made.lines()[0].line, 3)
        self.assertEqual(made.lines()[0].kernel, "column")

    def test_findings(self):
        worst = self.profiled(CONFLICT).findings[0]
        self.assertEqual((worst.rule, worst.line, worst.excess, worst.unit), ("uncoalesced-shared", 3, 31, "wavefronts"))
        self.assertTrue(worst.advice)
        self.assertEqual(self.profiled(FREE).findings, [])

    def test_launches_of_a_kernel_add_up(self):
        with warplens.profile() as made:
            launch(CONFLICT)
            launch(FREE)
        line = next(line for line in made.lines() if line.line == 3)
        self.assertEqual((len(made), line.launches, line.wavefronts, line.wavefronts_ideal), (2, 2, 33, 2))

    def test_what_is_launched_outside_is_not_counted(self):
        launch(CONFLICT)
        made = self.profiled(FREE)
        launch(CONFLICT)
        self.assertEqual(len(made), 1)

    def test_names_outlive_modules(self):
        made = [self.profiled(CONFLICT) for _ in range(4)]  # each loads and unloads the module
        self.assertEqual([p.lines()[0].kernel for p in made], ["column"] * 4)

    def test_check(self):
        conflict, free = self.profiled(CONFLICT).check(max_nway=1), self.profiled(FREE).check(max_nway=1)
        self.assertFalse(conflict)
        self.assertIn("column.py:3", conflict.message)
        self.assertTrue(free, free.message)

    def test_save_load_diff(self):
        with tempfile.TemporaryDirectory() as folder:
            saved = self.profiled(CONFLICT).save(pathlib.Path(folder) / "conflict.wlp")
            loaded = warplens.load(saved)
            self.assertEqual(loaded.lines()[0].wavefronts, 32)
            launches = self.profiled(FREE).diff(loaded).document()["launches"]
            self.assertEqual(launches[0]["all"]["wavefronts"], [32, 1])
            broken = pathlib.Path(folder) / "broken.wlp"
            broken.write_text("no profile")
            self.assertRaises(warplens.WarplensError, warplens.load, broken)
            self.assertRaises(warplens.WarplensError, warplens.load, pathlib.Path(folder) / "none.wlp")

    def test_pages(self):
        made = self.profiled(CONFLICT, "name of it")
        self.assertIn("1 of 1 launch", str(made))
        self.assertIn("<iframe srcdoc=", made._repr_html_())
        self.assertIn("document", made.html())
        self.assertEqual(made.document["origin"]["program"], "name of it")

    def test_the_library_shows_what_the_program_does(self):
        """The structures of _library.py are those of warplens.h, and no program is started."""
        old, new = self.profiled(CONFLICT), self.profiled(FREE)
        with mock.patch("subprocess.Popen", side_effect=AssertionError("a program was started")):
            shown = (str(old), old.html(), json.dumps(old.document), str(new.diff(old)), new.diff(old)._repr_html_() != "",
                     old.check().message, old.check(max_nway=32).passed, new.diff(old).document() != {})

        def printed(*words):
            return subprocess.run([warplens.program(), *words], capture_output=True, text=True, check=False).stdout

        self.assertEqual(shown, (printed("report", old.path, "--page", "summary"), printed("report", old.path, "--format", "html"),
                                 json.dumps(json.loads(printed("report", old.path, "--format", "json"))), printed("diff", old.path, new.path), True,
                                 printed("check", old.path).strip(), True, True))
        self.assertFalse(old.check(max_nway=31.5))
        for limit in (0, 0.5, float("nan")):
            self.assertRaisesRegex(warplens.WarplensError, "no limit", old.check, max_nway=limit)

    def test_explain(self):
        made = self.profiled(CONFLICT)
        worst = made.explain()
        self.assertIn("32 wavefronts", str(worst))
        self.assertIn("<svg", worst._repr_svg_())
        self.assertEqual((worst.document["cost"], worst.document["ideal"], worst.document["lanes"][1]["words"]), (32, 1, [32]))
        self.assertEqual(made.explain("column.py:3", kernel="column", launch=0).document["lanes"], worst.document["lanes"])
        self.assertNotEqual(str(made.explain(4)), str(worst))
        for wrong in ({"line": 5}, {"pattern": 3}, {"launch": 1}, {"line": "no line"}):
            self.assertRaises(warplens.WarplensError, made.explain, **wrong)

    def test_pages_by_many_threads(self):
        made = self.profiled(CONFLICT)
        whole, errors = made.html(), []

        def show():
            for _ in range(5):
                if made.html() != whole or not str(made):
                    errors.append(1)

        threads = [threading.Thread(target=show) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(errors, [])

    def test_fix(self):
        conflict = self.profiled(CONFLICT)
        fix = conflict.fix("tile")
        self.assertEqual((len(fix), fix[0].kernel, fix[0].wavefronts, fix[0].ideal, fix[0].best.wavefronts), (1, "column", 32, 1, 1))
        self.assertIn("* ", str(fix))
        with warplens.profile(layouts=fix) as proof:
            self.assertEqual(launch(CONFLICT), list(range(32)))
        self.assertEqual(next(line.wavefronts for line in proof.lines() if line.line == 3), 1)
        self.assertEqual(self.profiled(CONFLICT).lines()[0].wavefronts, 32)  # the layouts are of that block alone
        self.assertEqual([(one.best, one.verdict) for one in self.profiled(FREE).fix()], [(None, "ideal")])
        with self.assertRaisesRegex(warplens.WarplensError, "there are: 'tile' of column"):
            conflict.fix("other")
        with self.assertRaisesRegex(warplens.WarplensError, 'no launch of a kernel whose name matches "row"; kernels:\n.*column'):
            conflict.fix(kernel="row")

    @unittest.skipUnless(importlib.util.find_spec("jsonschema"), "jsonschema is not installed")
    def test_fix_is_as_its_schema_says(self):
        import jsonschema

        with tempfile.TemporaryDirectory() as folder:
            saved = self.profiled(CONFLICT).save(pathlib.Path(folder) / "conflict.wlp")
            said = subprocess.run([warplens.program(), "fix", saved, "--format=json"], capture_output=True, text=True, check=True)
        schema = json.loads((HERE.parent.parent / "docs/fix.schema.json").read_text())
        jsonschema.validate(json.loads(said.stdout), schema)

    def test_dataframe(self):
        table = self.profiled(CONFLICT).to_dataframe()
        self.assertEqual(list(table["n_way"])[0], 32)

    def test_nothing_launched(self):
        with warplens.profile() as made:
            pass
        self.assertEqual((len(made), made.lines(), made.findings, str(made)), (0, [], [], "no kernel was launched\n"))
        self.assertFalse(made.check())
        self.assertRaises(warplens.WarplensError, made.save, "none.wlp")

    def test_annotate(self):
        with warplens.profile() as made, warplens.annotate("epoch 1"), warplens.annotate("forward"):
            launch(FREE)
        self.assertEqual(made.document["launches"][0]["range"], "epoch 1/forward")

    def test_an_exception_ends_the_profile(self):
        with self.assertRaises(ZeroDivisionError), warplens.profile() as made:
            launch(CONFLICT)
            raise ZeroDivisionError
        self.assertEqual(len(made), 1)
        self.assertEqual(len(self.profiled(FREE)), 1)

    def test_no_nesting(self):
        with warplens.profile(), self.assertRaisesRegex(warplens.WarplensError, "do not nest"):
            with warplens.profile():
                pass

    def test_threads_and_forks(self):
        with warplens.profile() as made:
            threads = [threading.Thread(target=launch, args=(FREE,)) for _ in range(3)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            child = os.fork()
            if child == 0:
                os._exit(0 if launch(CONFLICT) == list(range(32)) else 1)
            self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertEqual(len(made), 4)
        self.assertEqual(len(self.profiled(FREE)), 1)

    def test_multiprocessing(self):
        """A pool of each kind, in a block: all launches of its processes are counted, those outside are not."""
        text = ("import multiprocessing, sys\nfrom device import launch\nimport warplens\n"
                "if __name__ == '__main__':\n"
                "    launch(4)\n"
                "    with warplens.profile() as made, multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:\n"
                "        assert pool.map(launch, [128] * 3) == [list(range(32))] * 3\n"
                "        pool.close()\n        pool.join()\n"
                "    with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool: pool.map(launch, [4])\n"
                "    print(len(made), made.lines()[0].wavefronts, made.lines()[0].launches)\n")
        for method in multiprocessing.get_all_start_methods():
            with self.subTest(method), tempfile.TemporaryDirectory() as folder:
                (pathlib.Path(folder) / "pool.py").write_text(text)
                ran = python(None, "pool.py", method, folder=folder)
                self.assertEqual(ran.stdout, "3 96 3\n", ran.stderr)

    def test_a_fork_makes_its_own_profile(self):
        launch(FREE)
        ends, begins = os.pipe()
        child = os.fork()
        if child == 0:
            with warplens.profile() as own:
                launch(CONFLICT)
            os.write(begins, f"{len(own)} {own.lines()[0].wavefronts}".encode())
            os._exit(0)
        os.close(begins)
        self.assertEqual((os.read(ends, 99), os.waitpid(child, 0)[1]), (b"1 32", 0))
        os.close(ends)
        self.assertEqual(len(self.profiled(FREE)), 1)

    @unittest.skipUnless(importlib.util.find_spec("_xxsubinterpreters"), "this Python has no _xxsubinterpreters")
    def test_sub_interpreters(self):
        """They share the GPU; what they launch is counted in the main interpreter's block, and a block of their own is refused."""
        own = "try:\n  with device.warplens.profile(): pass\nexcept device.warplens.WarplensError as error: print(error, flush=True)"
        ran = python("import _xxsubinterpreters as interpreters\nimport warplens\nfrom device import launch\n"
                     "other = interpreters.create()\n"
                     "with warplens.profile() as made:\n"
                     "    launch(4)\n"
                     "    interpreters.run_string(other, 'import device; assert device.launch(128) == list(range(32))')\n"
                     "print(len(made), made.lines()[0].wavefronts, flush=True)\n"
                     f"interpreters.run_string(other, {own!r})\n")
        self.assertRegex(ran.stdout, r"^2 33\na profile cannot be made here \(.*\): make it in the main interpreter", ran.stderr)

    def test_processes_that_are_started(self):
        text = "import device\ndevice.launch(4)\n"
        with warplens.profile() as made:
            python(text + "import warplens\nwith warplens.profile() as own: device.launch(4)\nassert len(own) == 1\ndevice.launch(4)")
            launch(FREE)
        self.assertEqual(len(made), 3)  # but not what the other process has profiled itself
        with warplens.profile() as made:
            pass
        self.assertEqual(python(text).returncode, 0)
        self.assertEqual(len(made), 0)


@unittest.skipUnless(os.path.exists(f"{os.environ.get('FAKES')}/libnvrtc.so.13"), "no stand-ins for CUDA's libraries: FAKES names no folder")
class Compilers(unittest.TestCase):
    """Libraries that are opened after warplens, as Numba and CuPy do."""

    def test_sources_of_nvrtc(self):
        nvrtc = ctypes.CDLL(f"{os.environ['FAKES']}/libnvrtc.so.13")

        def compiled(text):
            """What NVRTC makes of it (the stand-in's programs are PTX already), and the options that it was asked for."""
            program, size = ctypes.c_void_p(), ctypes.c_size_t()
            options = (ctypes.c_char_p * 1)(b"-arch=sm_90")
            self.assertEqual(nvrtc.nvrtcCreateProgram(ctypes.byref(program), text, b"column.py", 0, None, None), 0)
            self.assertEqual(nvrtc.nvrtcCompileProgram(program, 1, options), 0)
            log = ctypes.create_string_buffer(256)
            nvrtc.nvrtcGetProgramLog(program, log)
            nvrtc.nvrtcGetCUBINSize(program, ctypes.byref(size))
            image = ctypes.create_string_buffer(size.value)
            nvrtc.nvrtcGetCUBIN(program, image)
            nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
            return image.value + b"\0", log.value

        image, options = compiled(device.PTX)
        self.assertEqual(options, b"-arch=compute_90 | -lineinfo")
        with warplens.profile() as made:
            launch(CONFLICT, image)
        lines = device.PTX.decode().split("\n")
        self.assertEqual([line.text for line in made.lines()], [lines[2], lines[3]])  # of lines 3 and 4 of what was compiled
        _, again = compiled(device.PTX.replace(b"tile", b"other"))  # another source of that name keeps its own
        self.assertEqual(again, options)

    @unittest.skipUnless(os.path.exists(f"{os.environ.get('FAKES')}/plugins/libplugin.so"), "no library with a runtime in it")
    def test_before_constructors(self):
        """A library with a CUDA runtime linked in calls ours from its constructor on, whoever opens it, and again after it was closed."""
        own = ctypes.CDLL(None)
        own.dlopen.restype = own.dlsym.restype = ctypes.c_void_p
        own.dlsym.argtypes, own.dlclose.argtypes = (ctypes.c_void_p, ctypes.c_char_p), (ctypes.c_void_p,)
        for _ in range(3):
            plugin = own.dlopen(f"{os.environ['FAKES']}/plugins/libplugin.so".encode(), os.RTLD_NOW)
            self.assertTrue(plugin)
            self.assertEqual(ctypes.CFUNCTYPE(ctypes.c_int)(own.dlsym(plugin, b"plugin_devices"))(), 101)
            self.assertEqual(own.dlclose(plugin), 0)

    def test_linked_code_has_its_ptx(self):
        linker = ctypes.CDLL(f"{os.environ['FAKES']}/libnvJitLink.so.13")
        linker.fake_options.restype = ctypes.c_char_p
        for name in ("nvJitLinkCreate", "__nvJitLinkCreate_13_0"):
            for given, asked in (([b"-arch=sm_90", b"-lto"], b"-arch=sm_90 | -lto | -lineinfo"), ([b"-g"], b"-g"), ([], b"-lineinfo")):
                handle = ctypes.c_void_p()
                self.assertEqual(getattr(linker, name)(ctypes.byref(handle), len(given), (ctypes.c_char_p * 3)(*given)), 0)
                self.assertEqual(linker.fake_options(handle), asked)


class Libraries(unittest.TestCase):
    """cuBLAS and the like are machine code: in their place are libraries of the host, whoever asks for them, and how."""

    def fft(self, name):
        """Of 1, 2, 3, 4, by the library of that name; and the profile."""
        cufft, cudart = ctypes.CDLL(name), ctypes.CDLL("libcudart.so.13")
        plan, memory, c2c, there, back = ctypes.c_int(), ctypes.c_void_p(), 0x29, 1, 2
        values = (ctypes.c_float * 8)(1, 0, 2, 0, 3, 0, 4, 0)
        with warplens.profile() as made:
            device.check(cudart.cudaMalloc(ctypes.byref(memory), 32))
            device.check(cudart.cudaMemcpy(memory, values, 32, there))
            device.check(cufft.cufftPlan1d(ctypes.byref(plan), 4, c2c, 1))
            device.check(cufft.cufftExecC2C(plan, memory, memory, -1))
            device.check(cudart.cudaMemcpy(values, memory, 32, back))
        return list(values), made

    def test_by_name(self):
        values, made = self.fft("libcufft.so.12")
        self.assertEqual(values, [10, 0, -2, 2, -2, 0, -2, -2])
        self.assertEqual([call["function"] for call in made.document["host_calls"]], ["cufftExecC2C"])

    def test_by_path(self):
        """As packages do that know where NVIDIA's wheels are. What ours has not stays theirs."""
        with tempfile.TemporaryDirectory() as folder:
            theirs = pathlib.Path(folder) / "libcufft.so.12.2.0.57"
            built = subprocess.run(["cc", "-shared", "-fPIC", "-xc", "-", "-Wl,-soname,libcufft.so.12", "-o", theirs], text=True, capture_output=True,
                                   input="int cufftPlan1d(void) { return 5; } int cufftExecC2C(void) { return 5; } int theirs(void) { return 7; }")
            if built.returncode:
                self.skipTest("no compiler")
            values, made = self.fft(str(theirs))
            self.assertEqual(ctypes.CDLL(str(theirs)).theirs(), 7)
        self.assertEqual((values, len(made.document["host_calls"])), ([10, 0, -2, 2, -2, 0, -2, -2], 1))


    def test_blas(self):
        """cuBLAS stands on the BLAS that WARPLENS_BLAS names, by a Python package's names of functions, too."""
        with tempfile.TemporaryDirectory() as folder:
            blas = pathlib.Path(folder) / "blas.so"
            built = subprocess.run(["cc", "-shared", "-fPIC", "-xc", "-", "-o", blas], text=True, capture_output=True,
                                   input="void scipy_sgemm_(char *a, char *b, int *m, int *n, int *k, float *one, float *x, int *p, float *y, int *q,"
                                         " float *zero, float *out, int *r) { *out = 42; }")
            if built.returncode:
                self.skipTest("no compiler")
            ran = python("import ctypes, device\nblas, cudart = ctypes.CDLL('libcublas.so.13'), ctypes.CDLL('libcudart.so.13')\n"
                         "handle, memory, one = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_float(1)\n"
                         "device.check(cudart.cudaMalloc(ctypes.byref(memory), 12))\n"
                         "device.check(blas.cublasCreate_v2(ctypes.byref(handle)))\n"
                         "device.check(blas.cublasSgemm_v2(handle, 0, 0, 1, 1, 1, ctypes.byref(one), memory, 1, memory, 1, ctypes.byref(one), memory, 1))\n"
                         "out = ctypes.c_float()\ndevice.check(cudart.cudaMemcpy(ctypes.byref(out), memory, 4, 2))\nprint(out.value)", WARPLENS_BLAS=str(blas))
        self.assertEqual(ran.stdout, "42.0\n", ran.stderr)


class Types(unittest.TestCase):
    @unittest.skipUnless(importlib.util.find_spec("mypy") and importlib.util.find_spec("torch"), "mypy, or torch, whose types it needs, is not installed")
    def test_strict(self):
        package = pathlib.Path(warplens.__file__).parent
        with tempfile.TemporaryDirectory() as folder:
            ran = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--no-warn-unused-ignores", "--cache-dir", folder, package],
                                 capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stdout)


class Processes(unittest.TestCase):
    def test_faults_are_told_without_a_profile(self):
        ran = python("import device\ntry: device.launch(1 << 20)\nexcept AssertionError: pass")
        self.assertRegex(ran.stderr, r"warplens: fault: write of 4 bytes.*\n.*column\n.*column\.py:3")

    def test_memory_that_ends(self):
        """In a launch it is an error of CUDA's, and of all later ones; in a page a MemoryError. The process goes on."""
        begin = ("import resource, device, warplens\n"
                 "def limit(more):\n"
                 "    pages = int(open('/proc/self/statm').read().split()[0])\n"
                 "    resource.setrlimit(resource.RLIMIT_AS, (pages * 4096 + more, resource.RLIM_INFINITY))\n")
        ran = python(begin + "image = device.PTX.replace(b'.version', b'//' + b'x' * (1 << 25) + b'\\n.version')\n"
                     "assert device.launch(4) == list(range(32))\nlimit(1 << 16)\n"
                     "for pitch in (4, 4):\n    try: device.launch(pitch, image)\n    except AssertionError as error: print(error)")
        self.assertEqual(ran.stdout, "CUDA error 2\nCUDA error 2\n", ran.stderr)
        self.assertIn("out of memory: no kernel runs in this process any more", ran.stderr)
        ran = python(begin + "with warplens.profile() as made: device.launch(128)\nmade.html()\nlimit(1 << 22)\nheld = []\n"
                     "try:\n    while True: held.append(made.html())\n"
                     "except MemoryError: held = []\nlimit(1 << 40)\nprint(len(warplens.load(made.path)))")
        self.assertEqual((ran.stdout, ran.returncode), ("1\n", 0), ran.stderr)

    def test_tiles(self):
        ran = python("import device, warplens\nfrom warplens._native import native\n"
                     "image = device.PTX.replace(b')\\n{', b')\\n.reqntid 32\\n{')\n"
                     "try: device.launch(4, image, 1)\nexcept AssertionError as error: print(error)\n"
                     "native().tile_launches()\nprint(device.launch(4, image, 1) == list(range(32)))")
        self.assertEqual(ran.stdout, "CUDA error 1\nTrue\n", ran.stderr)

    def test_too_late(self):
        with tempfile.TemporaryDirectory() as folder:
            other = pathlib.Path(folder) / "libcuda.so.1"
            built = subprocess.run(["cc", "-shared", "-xc", "-", "-o", other], input="int none;", text=True, capture_output=True)
            if built.returncode:
                self.skipTest("no compiler")
            ran = python(f"import ctypes; ctypes.CDLL({str(other)!r}); import warplens")
            self.assertIn("must come before torch", ran.stderr)
            self.assertNotEqual(ran.returncode, 0)
            elsewhere = python("import device; print(device.launch(4) == list(range(32)))", LD_LIBRARY_PATH=folder)
        self.assertEqual(elsewhere.stdout, "True\n", elsewhere.stderr)  # where a toolkit is on the path, as is usual

    def test_versions(self):
        """Tools of versions that were not tried are named, once, with the range; a torch that is too old is refused."""
        for package, module, distribution, version, said in (
                ("triton", "triton/compiler/compiler.py", "triton", "3.1.0", "triton 3.1.0 is older than what warplens was tried with, triton 3.5 to 3.9"),
                ("triton", "triton/compiler/compiler.py", "triton", "3.10.0", "triton 3.10.0 is newer than what warplens was tried with"),
                ("triton", "triton/compiler/compiler.py", "triton", "3.9.2.post1", None),
                ("cupy", "cupy/__init__.py", "cupy_cuda13x", "13.0.0rc1", "cupy-cuda13x 13.0.0rc1 is older than .*, cupy-cuda13x 14.2$"),
                ("torch", "torch/__init__.py", "torch", "1.13.1", "WarplensError: torch 1.13.1 is older .* torch 2.9 to 2.15: it is too old")):
            with self.subTest(distribution, version=version), tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                for made in (folder / module, *((folder / module).parents[0] / "__init__.py", folder / package / "__init__.py")):
                    made.parent.mkdir(parents=True, exist_ok=True)
                    made.write_text(f"class version: cuda = '13'\n__version__ = {version!r}\n")
                about = folder / f"{distribution}-{version}.dist-info" / "METADATA"
                about.parent.mkdir()
                about.write_text(f"Metadata-Version: 2.1\nName: {distribution.replace('_', '-')}\nVersion: {version}\n")
                name = module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
                ran = python(f"import sys; sys.path.insert(0, {str(folder)!r}); import warplens, {name}")
                told = [line for line in ran.stderr.splitlines() if "tried with" in line]
                self.assertEqual(len(told), 0 if said is None else 2 if "Error" in said else 1, ran.stderr)
                self.assertRegex(told[-1] if told else "", said or "^$")

    def test_lines_that_a_generator_says(self):
        """Of CUDA with #line: a statement stays where it says, the next is of the copy, whose lines are those of the code without them."""
        from warplens._hooks import _kept

        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, {"HERE": folder}):
            text = _kept("HERE", 'void f() {\n#line 7 "k.py"\n#pragma unroll\nfor (;;) {\na();\n#line 9 "k.py"\nb(1,\n2);\n}\n}')
            (copy,) = pathlib.Path(folder).rglob("*.cu")
            self.assertEqual(copy.read_text(), "void f() {\n#pragma unroll\nfor (;;) {\na();\nb(1,\n2);\n}\n}")
        self.assertEqual(text.replace(str(copy), "copy"),
                         '#line 1 "copy"\nvoid f() {\n#line 7 "k.py"\n#pragma unroll\n#line 7 "k.py"\nfor (;;) {\n#line 4 "copy"\na();\n'
                         '#line 9 "k.py"\nb(1,\n2);\n#line 7 "copy"\n}\n}')

    def test_script(self):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder) / "script.py"
            script.write_text("import sys, device\nassert __name__ == '__main__'\nprint(sys.argv)\ndevice.launch(128)\nsys.exit(5)\n")
            ran = python(None, "-m", "warplens", "--page=none", "script.py", "a", "--b", folder=folder)
            self.assertEqual((ran.returncode, ran.stdout), (5, "['script.py', 'a', '--b']\n"), ran.stderr)
            made = warplens.load(pathlib.Path(folder) / "script.wlp")
        self.assertEqual(made.lines()[0].wavefronts, 32)
        self.assertEqual(made.document["command"], "script.py")

    def test_profile_under_run_is_refused(self):
        ran = subprocess.run([warplens.program(), "run", "--no-save", "--page", "none", sys.executable, "-B", "-c",
                              "import warplens\nwith warplens.profile(): pass"], capture_output=True, text=True)
        self.assertIn("use one or the other", ran.stderr)

    @unittest.skipUnless(importlib.util.find_spec("pytest"), "pytest is not installed")
    def test_pytest(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "test_it.py").write_text(
                "import pytest\n"
                "@pytest.mark.warplens(max_nway=1)\n"
                "def test_conflict():\n    from device import launch\n    launch(128)\n"
                "@pytest.mark.warplens(max_nway=1)\n"
                "def test_free():\n    from device import launch\n    launch(4)\n"
                "def test_unmarked():\n    from device import launch\n    launch(128)\n"
                "def test_no_kernel():\n    pass\n")
            marked = python(None, "-m", "pytest", "-p", "warplens.pytest_plugin", "-p", "no:cacheprovider", "-q", folder=folder)
            every = python(None, "-m", "pytest", "-p", "warplens.pytest_plugin", "-p", "no:cacheprovider", "-q", "--warplens",
                           folder=folder)
        self.assertIn("1 failed, 3 passed", marked.stdout, marked.stdout + marked.stderr)
        self.assertIn("column.py:3", marked.stdout)
        self.assertIn("2 failed, 2 passed", every.stdout, every.stdout + every.stderr)


if __name__ == "__main__":
    unittest.main()
