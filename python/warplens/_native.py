"""Where warplens itself is: the program, and the library that stands for CUDA's in this process."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import pathlib
import shutil
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from warplens._gpu import OnGpu

LIBRARY = "libwarplens-cuda.so"
# What other libraries of CUDA in a process are called, which must not be there before this one.
THEIRS = ("libcuda.so", "libcudart.so", "libcudart-")


class WarplensError(RuntimeError):
    """warplens could not do what was asked; the message says why, and what to do."""


def program() -> pathlib.Path:
    """The program `warplens`: $WARPLENS, the wheel's own, or the one on PATH."""
    given = os.environ.get("WARPLENS")
    own = pathlib.Path(__file__).parent / "native" / "bin" / "warplens"
    found = given or (str(own) if own.exists() else shutil.which("warplens"))
    if not found or not pathlib.Path(found).exists():
        raise WarplensError(
            f"the program 'warplens' is not there ({found or 'nor on PATH'}): install the wheel, or set WARPLENS"
        )
    return pathlib.Path(found).resolve()


def _make_names(folder: pathlib.Path) -> None:
    """A wheel has no links: those by which programs ask for CUDA's libraries are made when they are first needed."""
    names = folder / "names"
    if not names.exists():
        return
    for name, target in (line.split() for line in names.read_text().splitlines()):
        if not (folder / name).is_symlink():
            try:
                (folder / name).symlink_to(target)
            except FileExistsError:
                pass  # another process was faster
            except OSError as error:
                raise WarplensError(f"{folder / name}: {error.strerror}; run 'warplens --version' once as who installed it") from error


def library() -> pathlib.Path:
    """The library beside the program, where an installation or a build has it."""
    bin_folder = program().parent
    for folder in (bin_folder / "lib/warplens", bin_folder.parent / "lib/warplens"):
        if (folder / LIBRARY).exists():
            _make_names(folder)
            return folder / LIBRARY
    triplets = sorted(bin_folder.parent.glob(f"lib/*/warplens/{LIBRARY}"))
    if triplets:
        return triplets[0]
    raise WarplensError(f"{LIBRARY} is not beside {program()}: the installation is not whole")


def libraries_loaded() -> set[str]:
    """Files of libraries that this process has mapped."""
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        words = (line.split(maxsplit=5) for line in maps)
        return {row[5].rstrip("\n") for row in words if len(row) == 6 and row[5].startswith("/")}


def _tools() -> dict[str, pathlib.Path]:
    """ptxas and nvdisasm of wheels, by the variables that name them: Triton's, which read its PTX whatever toolkit is installed, else
    NVIDIA's (nvidia-cuda-nvcc, nvidia-cuda-nvdisasm). Others are looked for on PATH by the program."""
    found: dict[str, pathlib.Path] = {}
    places = [(package, folder) for package, folder in (("triton", "backends/nvidia/bin"), ("nvidia", "cu13/bin"),
                                                        ("nvidia", "cuda_nvcc/bin"), ("nvidia", "cuda_nvdisasm/bin"))]
    for package, folder in places:
        spec = importlib.util.find_spec(package)
        for place in (spec.submodule_search_locations or []) if spec else []:
            for name, variable in (("ptxas-blackwell", "WARPLENS_PTXAS"), ("ptxas", "WARPLENS_PTXAS"), ("nvdisasm", "WARPLENS_NVDISASM")):
                path = pathlib.Path(place) / folder / name
                if path.exists():
                    found.setdefault(variable, path)
    return found


def _blas() -> pathlib.Path | None:
    """An OpenBLAS of another package's, on which cuBLAS and cuSOLVER stand where the system has none."""
    for package, pattern in (("scipy_openblas32", "lib/libscipy_openblas.so"), ("scipy", "../scipy.libs/libscipy_openblas-*.so")):
        spec = importlib.util.find_spec(package)
        for place in (spec.submodule_search_locations or []) if spec else []:
            for path in pathlib.Path(place).glob(pattern):
                return path.resolve()
    return None


def prepare_environment(folder: pathlib.Path) -> None:
    """What tools read: where the driver is, caches of their own, so that nothing made here is found by a run without warplens."""
    own = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "warplens"
    # CUB's kernels in CuPy have no PTX for an H100, and CuPy does not look whether they ran: its own, which it compiles, do the same
    os.environ.update({"CUPY_CACHE_IN_MEMORY": "1", "CUPY_CACHE_DIR": str(own / "cupy"), "CUPY_ACCELERATORS": "", "TRITON_CACHE_DIR": str(own / "triton"), "NUMBA_CACHE_DIR": str(own / "numba"),
                       "TORCHINDUCTOR_CACHE_DIR": str(own / "inductor"), "TORCH_EXTENSIONS_DIR": str(own / "torch_extensions"),
                       "CUTE_DSL_CACHE_DIR": str(own / "cute"), "CUDA_TILE_CACHE_DIR": str(own / "cutile"), "WARP_CACHE_PATH": str(own / "warp"),
                       "TILELANG_CACHE_DIR": str(own / "tilelang"), "PYCUDA_CACHE_DIR": str(own / "pycuda"), "CUTE_DSL_LINEINFO": "1"})
    settings = {
        "TRITON_LIBCUDA_PATH": str(folder),
        "NVTX_INJECTION64_PATH": str(folder / LIBRARY),
        "PYCUDA_DEFAULT_NVCC_FLAGS": "-lineinfo",
        # PTX that is handed over has the right lines, and arrays whose layout can be changed; set it to auto for the machine code's counts
        "WARPLENS_MACHINE_CODE": "off",
    }
    jit = importlib.util.find_spec("warplens_jit")  # pip install warplens[jit]
    for place in (jit.submodule_search_locations or []) if jit else []:
        settings |= {"WARPLENS_PLUGIN": str(pathlib.Path(place) / "libwarplens-jit.so"), "WARPLENS_ENGINE": "auto"}
    for tool, path in _tools().items():
        settings[tool] = str(path)
    blas = _blas()
    if blas:
        settings["WARPLENS_BLAS"] = str(blas)
    for name, value in settings.items():
        os.environ.setdefault(name, value)


@dataclass(frozen=True)
class Place:
    """Where what launches cost is sent: what a `warplens run` tells its program in its environment."""

    socket: str
    patches: str = ""  # folders, of launches on a GPU
    folder: str = ""


class Native:
    """The library in this process. `record` says where what launches cost is sent."""

    on = "cpu"

    def __init__(self) -> None:
        path = self.path = library()
        self.runs_under_warplens = "WARPLENS_SOCKET" in os.environ and str(path) in libraries_loaded()
        theirs = sorted(file for file in libraries_loaded()
                        if pathlib.Path(file).name.startswith(THEIRS) and pathlib.Path(file).parent != path.parent)
        if theirs:
            raise WarplensError(
                f"{theirs[0]} is loaded already: 'import warplens' must come before torch, cupy and whatever else opens CUDA"
            )
        prepare_environment(path.parent)
        self._library = ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
        self._library.warplens_attach.restype = ctypes.c_bool
        self._library.warplens_record.restype = ctypes.c_bool
        self._library.warplens_record.argtypes = [ctypes.c_char_p]
        self._library.warplens_range_push.argtypes = self._library.warplens_layouts.argtypes = [ctypes.c_char_p]
        for name in ("warplens_objects_changed", "warplens_layouts", "warplens_tile_launches", "warplens_range_push", "warplens_range_pop"):
            getattr(self._library, name).restype = None
        if not self.runs_under_warplens and not self._library.warplens_attach():
            raise WarplensError(f"{path} cannot take the place of CUDA's libraries in this process")

    def record(self, place: Place | None) -> None:
        """Launches are counted and sent to `place` from now on; None: they just run."""
        if not self._library.warplens_record(place.socket.encode() if place else None):
            raise WarplensError(f"{place and place.socket}: the path of the socket is too long")

    def layouts(self, layouts: str | None) -> None:
        """Kernels have these layouts of shared arrays from the next launch on (`Fix.layouts`); None: their own."""
        self._library.warplens_layouts(layouts.encode() if layouts else None)

    def tile_launches(self) -> None:
        """From now on a block of one thread stands for the block that the kernel requires."""
        self._library.warplens_tile_launches()

    def clock_khz(self) -> int:
        """The GPU's boost clock."""
        value = ctypes.c_int()
        clock_rate = 13  # CU_DEVICE_ATTRIBUTE_CLOCK_RATE
        if self._library.cuInit(0) or self._library.cuDeviceGetAttribute(ctypes.byref(value), clock_rate, 0):
            raise WarplensError("there is no device: CUDA_VISIBLE_DEVICES names none")
        return value.value

    def range_push(self, name: str) -> None:
        """Launches of this thread are in the range until `range_pop`."""
        self._library.warplens_range_push(name.encode())

    def range_pop(self) -> None:
        """Ends the last range of this thread."""
        self._library.warplens_range_pop()

    def objects_changed(self) -> None:
        """Libraries were loaded: the CUDA runtimes that are linked into them are led here, and NVRTC."""
        self._library.warplens_objects_changed()


_native: Native | OnGpu | None = None


def _choose() -> Native | OnGpu:
    """By WARPLENS_ON: "cpu" (default), "gpu", or "auto", the GPU where launches can be counted there."""
    from warplens import _gpu

    where = os.environ.get("WARPLENS_ON") or "cpu"
    if where not in ("cpu", "gpu", "auto"):
        raise WarplensError(f"WARPLENS_ON={where}: expected cpu, gpu or auto")
    if _gpu.is_watched_by_run():
        return _gpu.OnGpu(None)
    if where != "cpu" and "WARPLENS_SOCKET" not in os.environ:
        sanitizer = _gpu.find(where)
        if sanitizer:
            return _gpu.OnGpu(sanitizer)
    return Native()


def native() -> Native | OnGpu:
    """The process's one; loaded at the first call."""
    global _native
    if _native is None:
        if sys.platform != "linux":
            raise WarplensError(f"warplens runs on Linux, not on {sys.platform}")
        _native = _choose()
    return _native
