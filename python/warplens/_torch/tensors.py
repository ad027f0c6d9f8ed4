"""CPU tensors over the bytes of CUDA tensors, and CUDA tensors of what the CPU has computed."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import torch

CPU, META = torch.device("cpu"), torch.device("meta")


def over(tensor: torch.Tensor) -> torch.Tensor:
    """A CPU tensor over the same bytes: same shape, strides and place in the storage."""
    storage = tensor.untyped_storage()
    bytes_of = torch._C._construct_storage_from_data_pointer(storage.data_ptr(), CPU, storage.nbytes())
    made = torch.empty(0, dtype=tensor.dtype, device=CPU)
    made.set_(bytes_of, tensor.storage_offset(), tensor.size(), tensor.stride())
    if tensor.is_conj():
        made = torch._conj(made)
    return torch._neg_view(made) if tensor.is_neg() else made


def tensors_of(value: Any) -> list[torch.Tensor]:
    """Those in a result, in order."""
    if isinstance(value, (list, tuple)):
        return [each for one in value for each in tensors_of(one)]
    return [value] if isinstance(value, torch.Tensor) else []


def fill(cuda: torch.Tensor, tensor: torch.Tensor) -> None:
    """Writes the values of a CPU tensor into a CUDA tensor of the same shape and strides, which has its storage for itself."""
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
    """The arguments of one call, for the CPU or as shapes alone ("meta"), and the way back for its results."""

    def __init__(self, to: torch.device) -> None:
        self._to = to
        self.device: torch.device | None = None
        self.others: list[torch.Tensor] = []  # tensors of the CPU that are no single numbers
        self._pairs: list[_Pair] = []
        self._grown: list[_Pair] = []

    def host(self, value: Any, grows: bool = False) -> Any:
        """The value with CPU tensors for CUDA tensors, and "cpu" for the device. grows: the operator may give them another shape,
        for which their storage may be too small."""
        if isinstance(value, torch.Tensor):
            if not value.is_cuda:
                if value.dim() > 0:
                    self.others.append(value)
                return value
            self.device = value.device
            if grows:
                made = torch.empty(0, dtype=value.dtype, device=CPU)
            elif self._to == META:
                made = torch.empty_strided(value.size(), value.stride(), dtype=value.dtype, device=META)
            else:
                made = over(value)
            pair = _Pair(value, made)
            (self._grown if grows else self._pairs).append(pair)
            return pair.host
        if isinstance(value, (list, tuple)):
            return [self.host(each, grows) for each in value]
        if isinstance(value, torch.device) and value.type == "cuda":
            self.device = value
            return self._to
        return value

    def written(self) -> None:
        """After the call: CUDA tensors get the shapes that the operator gave to the CPU's."""
        for pair in self._grown:
            pair.cuda.resize_([pair.host.untyped_storage().nbytes() // pair.host.itemsize])
            pair.cuda.set_(pair.cuda.untyped_storage(), pair.host.storage_offset(), pair.host.size(), pair.host.stride())
            over(pair.cuda).copy_(pair.host)
        for pair in self._pairs:
            if pair.cuda.size() != pair.host.size() or pair.cuda.stride() != pair.host.stride():
                if self._to == META:
                    pair.cuda.resize_(pair.host.size())
                pair.cuda.set_(pair.cuda.untyped_storage(), pair.host.storage_offset(), pair.host.size(), pair.host.stride())

    def cuda(self, value: Any) -> Any:
        """A result: the argument itself where it is one, else a new CUDA tensor."""
        if isinstance(value, torch.Tensor):
            for pair in (*self._pairs, *self._grown):
                if pair.host is value:
                    return pair.cuda
            device = self.device or torch.device("cuda", torch.cuda.current_device())
            made = torch.empty_strided(value.size(), value.stride(), dtype=value.dtype, device=device)
            if self._to == CPU:
                fill(made, value)
            return made
        if isinstance(value, (list, tuple)):
            results = [self.cuda(each) for each in value]
            return results if isinstance(value, list) else tuple(results)
        return value
