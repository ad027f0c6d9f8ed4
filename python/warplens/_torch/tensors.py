"""CPU tensors over the bytes of CUDA tensors, and CUDA tensors of what the CPU has computed."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import torch

CPU = torch.device("cpu")


def over(tensor: torch.Tensor) -> torch.Tensor:
    """A CPU tensor over the same bytes: same shape, strides and place in the storage."""
    storage = tensor.untyped_storage()
    bytes_of = torch._C._construct_storage_from_data_pointer(storage.data_ptr(), CPU, storage.nbytes())
    made = torch.empty(0, dtype=tensor.dtype, device=CPU)
    made.set_(bytes_of, tensor.storage_offset(), tensor.size(), tensor.stride())
    if tensor.is_conj():
        made = torch._conj(made)
    return torch._neg_view(made) if tensor.is_neg() else made


def copy_to(device: torch.device, tensor: torch.Tensor) -> torch.Tensor:
    """A new CUDA tensor with the values of a CPU tensor."""
    made = torch.empty_strided(tensor.size(), tensor.stride(), dtype=tensor.dtype, device=device)
    fill(made, tensor)
    return made


def fill(cuda: torch.Tensor, tensor: torch.Tensor) -> None:
    """Writes the values of a CPU tensor, of the same shape and strides, into a CUDA tensor that has its storage for itself."""
    size = cuda.untyped_storage().nbytes()
    if cuda.numel() == 0:
        return
    if tensor.storage_offset() == 0 and tensor.untyped_storage().nbytes() >= size and not tensor.is_conj() and not tensor.is_neg():
        ctypes.memmove(cuda.data_ptr(), tensor.data_ptr(), size)
    else:
        over(cuda).copy_(tensor)


@dataclass(frozen=True)
class _Pair:
    cuda: torch.Tensor
    host: torch.Tensor  # over it; or, of what the operator is to give a shape, empty, with memory of the CPU


class Arguments:
    """The arguments of one call, for the CPU, and the way back for its results."""

    def __init__(self) -> None:
        self.device: torch.device | None = None
        self._pairs: list[_Pair] = []
        self._grown: list[_Pair] = []

    def host(self, value: Any, grows: bool = False) -> Any:
        """The value with CPU tensors for CUDA tensors, and "cpu" for the device. grows: the operator may give them another shape,
        for which their storage may be too small."""
        if isinstance(value, torch.Tensor):
            if not value.is_cuda:
                return value
            self.device = value.device
            pair = _Pair(value, torch.empty(0, dtype=value.dtype, device=CPU) if grows else over(value))
            (self._grown if grows else self._pairs).append(pair)
            return pair.host
        if isinstance(value, (list, tuple)):
            return [self.host(each, grows) for each in value]
        if isinstance(value, torch.device) and value.type == "cuda":
            self.device = value
            return CPU
        return value

    def written(self) -> None:
        """After the call: CUDA tensors get the shapes that the operator gave to the CPU's."""
        for pair in self._grown:
            pair.cuda.resize_(pair.host.size())
            pair.cuda.as_strided_(pair.host.size(), pair.host.stride())
            fill(pair.cuda, pair.host)
        for pair in self._pairs:
            if pair.cuda.size() != pair.host.size() or pair.cuda.stride() != pair.host.stride():
                pair.cuda.set_(pair.cuda.untyped_storage(), pair.host.storage_offset(), pair.host.size(), pair.host.stride())

    def cuda(self, value: Any) -> Any:
        """A result: the argument itself where it is one, else a new CUDA tensor, which shares the argument's bytes if it does."""
        if isinstance(value, torch.Tensor):
            for pair in (*self._pairs, *self._grown):
                if pair.host is value:
                    return pair.cuda
            return copy_to(self.device or torch.device("cuda", torch.cuda.current_device()), value)
        if isinstance(value, (list, tuple)):
            return type(value)(self.cuda(each) for each in value) if type(value) in (list, tuple) else tuple(map(self.cuda, value))
        return value
