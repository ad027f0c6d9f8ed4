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
        self._failed: dict[int, BaseException] = {}
        self._keys = itertools.count()
        self._callback = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Work))(self._run)
        self._address = ctypes.cast(self._callback, ctypes.c_void_p)

    def _run(self, work: Any) -> None:
        key = work.contents.key
        try:
            self._functions[key]()
        except BaseException as error:  # noqa: BLE001 - nothing can be raised through the driver
            self._failed[key] = error

    def enqueue(self, name: bytes, function: Callable[[], None]) -> None:
        """Runs it in the order of the current stream, and lists `name` in the profile. Raises what it raises, or the error that an
        earlier kernel left behind."""
        key = next(self._keys)
        self._functions[key] = function
        work = _Work(LIBRARY, name, self._address, key)
        try:
            status = self._enqueue(torch._C._cuda_getCurrentRawStream(torch._C._cuda_getDevice()), work, ctypes.sizeof(work))
        finally:
            del self._functions[key]
        failed = self._failed.pop(key, None)
        if failed is not None:
            raise failed
        if status:
            text = ctypes.c_char_p()
            self._error_name(status, ctypes.byref(text))
            raise RuntimeError(f"{name.decode()}: CUDA error: {(text.value or b'?').decode()}, left behind by an earlier kernel")
