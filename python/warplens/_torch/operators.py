"""Which operators are replaced, and by what."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from warplens._native import Native
from warplens._torch.queue import Queue
from warplens._torch.tensors import Arguments

# Allocate, or look at a tensor's shape: they launch nothing, and stay.
KEPT = {"empty", "empty_strided", "_efficientzerotensor", "resize_", "set_", "is_set_to", "record_stream", "_local_scalar_dense"}
# Without a kernel for CUDA: one for all devices, which asks the tensor's device what to call.
ADDED = ("copy_", "convolution", "convolution_backward")


KEYS = torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)
AUTOCAST = torch._C.DispatchKeySet(torch._C.DispatchKey.AutocastCPU)  # has been at work, as that of CUDA


def operator_of(name: str) -> Any:
    """Of "aten::add.Tensor" torch.ops.aten.add.Tensor."""
    namespace, _, rest = name.partition("::")
    packet, _, overload = rest.partition(".")
    return getattr(getattr(getattr(torch.ops, namespace), packet), overload or "default")


def is_view(op: Any) -> bool:
    """Returns what it was given under another shape, and writes nothing."""
    return any(one.alias_info and not one.alias_info.is_write for one in op._schema.returns)


def is_empty(value: Any) -> bool:
    """Of out=: it waits to be given a shape."""
    return isinstance(value, torch.Tensor) and value.numel() == 0


def on_host(name: str, queue: Queue) -> Callable[..., Any]:
    """What runs instead of the operator's kernel for CUDA."""
    op = operator_of(name)
    listed = name.encode()
    wants_tensor = [one.type.kind() == "TensorType" for one in op._schema.arguments]
    # PyTorch hands a number over as a number where it stands for a tensor, which weighs less when types are promoted. Some operators
    # take it back; of others it came from an overload for numbers.
    allowed = torch._C._should_allow_numbers_as_tensors(op._opname)
    numbers = op if allowed else op.overloadpacket
    outs = {one.name for one in op._schema.arguments if one.is_out}

    def attempt(args: Any, kwargs: Any, grows: Callable[[Any], bool]) -> Any:
        call = Arguments()
        host_args = [call.host(each) for each in args]
        host_kwargs = {key: call.host(value, key in outs and grows(value)) for key, value in kwargs.items()}
        result = None

        def compute() -> None:
            nonlocal result
            if any(wanted and not isinstance(each, torch.Tensor) for wanted, each in zip(wants_tensor, host_args)):
                result = numbers(*host_args, **host_kwargs)
            else:
                result = op.redispatch(KEYS, *host_args, **host_kwargs)

        queue.enqueue(listed, compute)
        call.written()
        return call.cuda(result)

    def run(*args: Any, **kwargs: Any) -> Any:
        with torch._C.DisableTorchFunction(), torch._C._AutoDispatchBelowAutograd(), torch._C._ExcludeDispatchKeyGuard(AUTOCAST):
            try:
                return attempt(args, kwargs, is_empty)
            except RuntimeError as error:
                if not outs or "not resizable" not in str(error):
                    raise
            return attempt(args, kwargs, lambda value: True)  # out= is larger than it was

    return run


_library: Any = None  # torch forgets the kernels of one that is gone


def replace(native: Native) -> None:
    """Replaces the kernels for CUDA of all operators that have one for the CPU."""
    global _library
    queue = Queue(native)
    _library = torch.library.Library("aten", "IMPL")
    names = [name for name in torch._C._dispatch_get_registrations_for_dispatch_key("CUDA") if name.startswith("aten::")]
    for name in [*names, *(f"aten::{name}" for name in ADDED)]:
        op = operator_of(name)
        if is_view(op) or op._schema.name.partition("::")[2] in KEPT:
            continue
        if torch._C._dispatch_has_computed_kernel_for_dispatch_key(name, "CPU"):
            _library.impl(name.partition("::")[2], on_host(name, queue), "CUDA", allow_override=True)
