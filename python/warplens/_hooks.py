"""What is changed in other packages when they are imported: as little as makes their kernels run and have their lines."""

from __future__ import annotations

import ctypes
import functools
import hashlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import pathlib
import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from warplens._gpu import OnGpu
from warplens._native import Native
from warplens._tried import TRIED, warn


def _triton(compiler: ModuleType) -> None:
    """Triton hands over PTX, which has the lines of the source, and not the machine code that it made of it."""
    kernel: Any = getattr(compiler, "CompiledKernel", None)
    if kernel is None:
        return
    original = kernel.__init__

    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        original(self, *args, **kwargs)
        ptx = self.asm.get("ptx") if hasattr(self.asm, "get") else None
        if isinstance(ptx, str) and isinstance(self.kernel, bytes):
            self.kernel = ptx.encode()

    kernel.__init__ = init


def _triton_paths(jit: ModuleType) -> None:
    """Triton finds a kernel in its cache by its text and line, wherever the file was: the lines that it has would be of another file, which may
    be gone. Here it is found by its path, too."""
    function: Any = getattr(jit, "JITFunction", None)
    original = getattr(function, "cache_key", None)
    if not isinstance(original, property) or original.fget is None:
        return
    key: Callable[[Any], str] = original.fget

    def cache_key(self: Any) -> str:
        path = getattr(getattr(getattr(self, "fn", None), "__code__", None), "co_filename", "")
        return hashlib.sha256(f"{key(self)} {path}".encode()).hexdigest()

    function.cache_key = property(cache_key)


def _numba(decorators: ModuleType) -> None:
    """Numba compiles with line information, without which the machine code that it links has no PTX in it, and cannot be run."""
    original: Any = decorators.jit

    @functools.wraps(original)
    def jit(func_or_sig: Any = None, *args: Any, **options: Any) -> Any:
        if not options.get("debug"):  # which has lines, and does not go with lineinfo
            options.setdefault("lineinfo", True)
        return original(func_or_sig, *args, **options)

    decorators.jit = jit  # type: ignore[attr-defined]


def _numba_flags(debuginfo: ModuleType) -> None:
    """Numba's modules with lines and NVRTC's, which has them here, too, say in two ways how the version of line information is to be compared when
    they are linked (for half precision they are): as errors, and as a warning. Of Numba's it is said that it stands (4, "override")."""
    builder: Any = getattr(debuginfo, "DIBuilder", None)
    original = getattr(builder, "_set_module_flags", None)
    if original is None or not hasattr(builder, "_const_int"):
        return

    def set_module_flags(self: Any) -> Any:
        constant = self._const_int
        self._const_int = lambda value, *args: constant(4 if value == 2 else value, *args)  # 2: a warning
        try:
            return original(self)
        finally:
            del self._const_int

    builder._set_module_flags = set_module_flags


def _triton_testing(testing: ModuleType) -> None:
    """Times of this machine would choose the configuration that a CPU runs fastest."""
    from warplens._tune import replace_benchmarks

    replace_benchmarks(testing)


def _cute(dsl: ModuleType) -> None:
    """CuTe DSL's own runtime has CUDA's linked in. Its compiler opens it from C++, and closes it: it is opened before that, and stays."""
    base: Any = getattr(dsl, "BaseDSL", None)
    if base is None or not hasattr(base, "get_shared_libs"):
        return
    original = base.get_shared_libs

    def get_shared_libs(self: Any) -> Any:
        libraries = original(self)
        for library in libraries:
            ctypes.CDLL(library)
        return libraries

    base.get_shared_libs = get_shared_libs


def _cutile(_: ModuleType) -> None:
    """cuTile launches blocks of one thread: how many a tile takes is in the kernel."""
    from warplens._native import native

    native().tile_launches()


def _kept(variable: str, code: str) -> str:
    """The code, whose lines are those of a copy, beside the cache that the variable names: who compiles it removes the file. A statement that
    the code has #line for stays there, and that one alone: the next is of the copy again, and not a line further down in the other file."""
    said: dict[int, str] = {}  # by the number of the copy's line that it is for
    copy: list[str] = []
    for text in code.split("\n"):
        if text.startswith("#line "):
            said[len(copy) + 1] = text
        else:
            copy.append(text)
    path = pathlib.Path(os.environ[variable]) / "sources" / f"{hashlib.sha256(code.encode()).hexdigest()[:16]}.cu"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(copy))
    lines, elsewhere = [f'#line 1 "{path}"'], ""
    for number, text in enumerate(copy, 1):
        if number in said:
            elsewhere = said[number]
            lines.append(elsewhere)
        lines.append(text)
        if elsewhere and text.lstrip().startswith("#"):  # "#pragma unroll" is of the loop behind it
            lines.append(elsewhere)
        elif elsewhere and text.rstrip().endswith((";", "{", "}")):  # where nothing is open: no string, no macro's arguments
            elsewhere = ""
            lines.append(f'#line {number + 1} "{path}"')
    return "\n".join(lines)


def _tilelang(nvcc: ModuleType) -> None:
    """TileLang compiles the CUDA that it generates with nvcc."""
    original: Any = getattr(nvcc, "compile_cuda", None)
    if original is None:
        return

    @functools.wraps(original)
    def compile_cuda(code: str, *args: Any, **options: Any) -> Any:
        return original(_kept("TILELANG_CACHE_DIR", code), *args, **options)

    nvcc.compile_cuda = compile_cuda  # type: ignore[attr-defined]


def _tilelang_lines(kernel: ModuleType) -> None:
    """TileLang writes #line of Python for statements that it knows it of, where it is asked to, from 0.1.15 on."""
    made: Any = getattr(kernel, "JITKernel", None)
    key = getattr(getattr(kernel, "PassConfigKey", None), "TL_EMIT_LINE_DIRECTIVES", None)
    if key is None or not hasattr(made, "_compile_artifact"):
        return
    original = made._compile_artifact

    def compile_artifact(self: Any, func: Any, pass_configs: Any, *args: Any, **options: Any) -> Any:
        return original(self, func, {key: True, **(pass_configs or {})}, *args, **options)

    made._compile_artifact = compile_artifact


def _pycuda(compiler: ModuleType) -> None:
    """PyCUDA compiles with nvcc to machine code, which has no PTX in it without lines."""
    original: Any = getattr(compiler, "compile_plain", None)
    if original is None:
        return

    @functools.wraps(original)
    def compile_plain(source: str, options: list[str], *args: Any, **more: Any) -> Any:
        lines = [] if {"-lineinfo", "--generate-line-info", "-G"} & set(options) else ["-lineinfo"]
        return original(_kept("PYCUDA_CACHE_DIR", str(source)), [*options, *lines], *args, **more)

    compiler.compile_plain = compile_plain  # type: ignore[attr-defined]


def _warp(config: ModuleType) -> None:
    """Warp compiles for the device, with lines of Python, and hands over the PTX: its compilers are linked in, and would make machine code."""
    settings: Any = config
    if getattr(settings, "cuda_output", "") is None:
        settings.cuda_output = "ptx"
    if getattr(settings, "ptx_target_arch", 0) is None:
        settings.ptx_target_arch = 1 << 10  # at most; the device's is less
    settings.lineinfo = True


def _jax(hardware: ModuleType) -> None:
    """JAX looks for device files before it asks the driver, and XLA's machine code has no PTX in it without lines. Measuring takes kernels
    of XLA's own, which are machine code."""
    if hasattr(hardware, "has_visible_nvidia_gpu"):
        hardware.has_visible_nvidia_gpu = lambda: True  # type: ignore[attr-defined]
    os.environ.setdefault("JAX_SKIP_CUDA_CONSTRAINTS_CHECK", "1")  # of CUPTI, which is for a GPU
    flags = os.environ.get("XLA_FLAGS", "")
    for flag in ("--xla_gpu_generate_line_info=true", "--xla_gpu_autotune_level=0"):
        if flag.partition("=")[0] not in flags:
            flags = f"{flags} {flag}".strip()
    os.environ["XLA_FLAGS"] = flags


def _torch(torch: ModuleType) -> None:
    """PyTorch's own operators run on the CPU over the same bytes."""
    from warplens._native import Native, native
    from warplens._torch import install as install_operators

    here = native()
    assert isinstance(here, Native)  # on a GPU it has its own
    install_operators(torch, here)


def _nothing(_: ModuleType) -> None:
    """It runs as it is; which version was tried is said."""


AFTER: dict[str, Callable[[ModuleType], None]] = {
    "cupy": _nothing,
    "triton.compiler.compiler": _triton,
    "triton.runtime.jit": _triton_paths,
    "triton.testing": _triton_testing,
    "numba_cuda.numba.cuda.decorators": _numba,
    "numba.cuda.decorators": _numba,
    "numba_cuda.numba.cuda.debuginfo": _numba_flags,
    "numba.cuda.debuginfo": _numba_flags,
    "cutlass.base_dsl.dsl": _cute,
    "cuda.tile": _cutile,
    "tilelang.contrib.nvcc": _tilelang,
    "tilelang.jit.kernel": _tilelang_lines,
    "pycuda.compiler": _pycuda,
    "jax._src.hardware_utils": _jax,
    "torch": _torch,
    "warp.config": _warp,
}


class _Loader(importlib.abc.Loader):
    """Another loader, and what is to be done when it has run."""

    def __init__(self, loader: Any, after: Callable[[ModuleType], None]) -> None:
        self._loader, self._after = loader, after

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        module: ModuleType | None = self._loader.create_module(spec)
        return module

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        if module.__name__ in TRIED:
            warn(module.__name__)
        self._after(module)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self) -> None:
        self._looking: set[str] = set()

    def find_spec(self, fullname: str, path: Sequence[str] | None,
                  target: ModuleType | None = None) -> importlib.machinery.ModuleSpec | None:
        if fullname not in AFTER or fullname in self._looking:
            return None
        self._looking.add(fullname)
        try:
            spec = importlib.util.find_spec(fullname)
        finally:
            self._looking.discard(fullname)
        if spec and spec.loader:
            spec.loader = _Loader(spec.loader, AFTER[fullname])
        return spec


def _after_each(owner: Any, name: str, then: Callable[[], None]) -> None:
    original = getattr(owner, name)

    def call(*args: Any, **kwargs: Any) -> Any:
        result = original(*args, **kwargs)
        then()
        return result

    setattr(owner, name, call)


ON_GPU = ("numba_cuda.numba.cuda.decorators", "numba.cuda.decorators")  # lines; the rest is there


def install(native: Native | OnGpu) -> None:
    """Once, when warplens is imported."""
    if native.on == "gpu":
        for name in set(AFTER) - set(ON_GPU):
            del AFTER[name]
    sys.meta_path.insert(0, _Finder())
    for name, after in AFTER.items():
        if name in sys.modules:
            after(sys.modules[name])
    if not native.runs_under_warplens and native.on == "cpu":  # there the dynamic loader tells of what it loads
        _after_each(importlib.machinery.ExtensionFileLoader, "create_module", native.objects_changed)
        _after_each(ctypes.CDLL, "__init__", native.objects_changed)
        native.objects_changed()
