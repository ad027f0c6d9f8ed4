"""The C API by ctypes (warplens.h): profiles of files, and what it shows of them."""

from __future__ import annotations

import ctypes
import functools
import os
import pathlib
import threading
import weakref
from typing import Any, ClassVar

from warplens._native import WarplensError, program


class _Error(ctypes.Structure):
    _fields_: ClassVar[list[Any]] = [("status", ctypes.c_int), ("message", ctypes.c_char * 2048)]


def _error(error: _Error) -> Exception:
    message = bytes(error.message).decode(errors="replace")
    no_memory = 7
    return MemoryError(f"warplens: {message}") if error.status == no_memory else WarplensError(message)


class _Page(ctypes.Structure):
    _fields_: ClassVar[list[Any]] = [
        ("format", ctypes.c_char_p), ("pages", ctypes.c_char_p), ("launch", ctypes.POINTER(ctypes.c_uint32)), ("kernel", ctypes.c_char_p),
        ("line", ctypes.c_char_p), ("sort", ctypes.c_char_p), ("top", ctypes.c_uint32), ("ptx", ctypes.c_bool), ("inlined", ctypes.c_bool),
        ("by_line", ctypes.c_bool), ("by_instruction", ctypes.c_bool), ("mangled", ctypes.c_bool), ("exact", ctypes.c_bool),
        ("each_launch", ctypes.c_bool), ("colour", ctypes.c_bool), ("width", ctypes.c_uint32)]


class _Limits(ctypes.Structure):
    _fields_: ClassVar[list[Any]] = [
        ("max_nway", ctypes.c_double), ("max_sector_ratio", ctypes.c_double), ("file_text", ctypes.c_char_p), ("baseline", ctypes.c_void_p),
        ("deny", ctypes.c_char_p), ("format", ctypes.c_char_p)]


def _path() -> pathlib.Path:
    """Beside the program, where a wheel, an installation or a build has it."""
    above = program().parent.parent
    for folder in (program().parent, above / "lib/warplens", above / "lib", above / "lib64", *sorted(above.glob("lib/*-linux-gnu"))):
        for found in sorted(folder.glob("libwarplens.so.*")):
            return found
    raise WarplensError(f"libwarplens.so is not beside {program()}: the installation is not whole")


@functools.cache
def _library() -> ctypes.CDLL:
    loaded = ctypes.CDLL(str(_path()))
    loaded.warplens_version.restype = ctypes.c_char_p
    from warplens import __version__

    version: bytes = loaded.warplens_version()
    if version.decode() != __version__:
        raise WarplensError(f"{_path()} is of version {version.decode()}, the package of {__version__}: install both from one place")
    for name, arguments in (("page", [ctypes.c_void_p, ctypes.POINTER(_Page)]), ("diff", [ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(_Page)]),
                            ("explain", [ctypes.c_void_p, ctypes.POINTER(_Page), ctypes.c_uint32]),
                            ("check", [ctypes.c_void_p, ctypes.POINTER(_Limits), ctypes.POINTER(ctypes.c_int)])):
        function = getattr(loaded, f"warplens_{name}")
        function.restype, function.argtypes = ctypes.c_char_p, [*arguments, ctypes.POINTER(_Error)]
    loaded.warplens_profile_read.restype = ctypes.c_void_p
    loaded.warplens_profile_read.argtypes = [ctypes.c_char_p, ctypes.POINTER(_Error)]
    loaded.warplens_profile_free.restype = None
    loaded.warplens_profile_free.argtypes = [ctypes.c_void_p]
    return loaded


def _encoded(text: str | None) -> bytes | None:
    return None if text is None else text.encode()


def _page(format: str | None, pages: str | None = None, line: str | None = None, kernel: str | None = None, launch: int | None = None) -> _Page:
    number = None if launch is None else ctypes.pointer(ctypes.c_uint32(launch))
    return _Page(format=_encoded(format), pages=_encoded(pages), line=_encoded(line), kernel=_encoded(kernel), launch=number)


class Shown:
    """A profile in memory, as the file was when it was read. By one thread at a time: others wait."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        error = _Error()
        self._handle = _library().warplens_profile_read(os.fsencode(path), ctypes.byref(error))
        if not self._handle:
            raise _error(error)
        self._lock = threading.Lock()
        weakref.finalize(self, _library().warplens_profile_free, self._handle).atexit = False

    def _text(self, name: str, *arguments: Any) -> str:
        """What the function returns. It ends with the profile's next text."""
        error = _Error()
        with self._lock:
            text: bytes | None = getattr(_library(), f"warplens_{name}")(*arguments, ctypes.byref(error))
        if text is None:
            raise _error(error)
        return text.decode(errors="replace")

    def page(self, format: str, pages: str | None = None) -> str:
        """As `warplens report` prints it."""
        return self._text("page", self._handle, ctypes.byref(_page(format, pages)))

    def diff(self, before: Shown, format: str) -> str:
        """What has changed since `before`, as `warplens diff` prints it."""
        return self._text("diff", before._handle, self._handle, ctypes.byref(_page(format)))

    def explain(self, format: str, line: str | None, kernel: str | None, launch: int | None, pattern: int) -> str:
        """As `warplens explain` prints it."""
        return self._text("explain", self._handle, ctypes.byref(_page(format, None, line, kernel, launch)), pattern)

    def check(self, max_nway: float, max_sector_ratio: float) -> tuple[bool, str]:
        """Whether all lines are within the limits (0: no limit), and what `warplens check` prints."""
        verdict = ctypes.c_int()
        limits = _Limits(max_nway=max_nway, max_sector_ratio=max_sector_ratio)
        text = self._text("check", self._handle, ctypes.byref(limits), ctypes.byref(verdict))
        return verdict.value == 0, text
