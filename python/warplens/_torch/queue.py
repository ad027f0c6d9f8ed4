"""Work of the host in the order of the current CUDA stream, as the libraries that stand in for cuBLAS and others do theirs."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Callable
from typing import Any

import torch

from warplens._native import Native

LIBRARY = b"torch"


class _Work(ctypes.Structure):
    """HostWork of src/cuda/host.h, and which function of Python it stands for."""

    _fields_ = [("library", ctypes.c_char_p), ("function", ctypes.c_char_p), ("run", ctypes.c_void_p), ("key", ctypes.c_size_t)]


class Queue:
    """The streams of this process's driver."""

    def __init__(self, native: Native) -> None:
        # PyDLL: the call keeps the interpreter's lock, which its callback needs at once.
        library = ctypes.PyDLL(str(native.path))
        self._enqueue = library.warplens_enqueue
        self._enqueue.restype = ctypes.c_int
        self._enqueue.argtypes = [ctypes.c_void_p, ctypes.POINTER(_Work), ctypes.c_size_t]
        self._error_name = library.cuGetErrorName
        self._functions: dict[int, Callable[[], None]] = {}
        self._recorded: list[bytes] = []
        self._keys = itertools.count()
        self._callback = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Work))(self._run)
        self._address = ctypes.cast(self._callback, ctypes.c_void_p)

    def _run(self, work: Any) -> None:
        self._functions[work.contents.key]()

    def _send(self, name: bytes, key: int) -> None:
        work = _Work(LIBRARY, name, self._address, key)
        status = self._enqueue(torch._C._cuda_getCurrentRawStream(torch._C._cuda_getDevice()), work, ctypes.sizeof(work))
        if status:
            text = ctypes.c_char_p()
            self._error_name(status, ctypes.byref(text))
            raise RuntimeError(f"{name.decode()}: CUDA error: {(text.value or b'?').decode()}, left behind by an earlier kernel")

    def run(self, name: bytes, function: Callable[[], None]) -> None:
        """Runs it in the order of the current stream, and lists `name` in the profile. Raises what it raises, or the error that an
        earlier kernel left behind."""
        failed: BaseException | None = None

        def guarded() -> None:  # nothing can be raised through the driver
            nonlocal failed
            try:
                function()
            except BaseException as error:  # noqa: BLE001
                failed = error

        key = next(self._keys)
        self._functions[key] = guarded
        try:
            self._send(name, key)
        finally:
            del self._functions[key]
        if failed is not None:
            raise failed

    def record(self, name: bytes, function: Callable[[], None]) -> None:
        """Puts it into the graph that the current stream captures: it runs when the graph does. It is kept, and what it holds."""
        key = next(self._keys)
        self._functions[key] = function
        self._recorded.append(name)  # the graph has its address
        self._send(name, key)
