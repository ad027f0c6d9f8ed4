"""Which operators are replaced, and by what."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch._decomp import decomposition_table

from warplens._native import Native
from warplens._torch.formulas import FORMULAS
from warplens._torch.queue import Queue
from warplens._torch.refusals import OTHER_LAYOUTS, layout_of, of_layout, refuse, refuse_layout
from warplens._torch.random import generator_for, seeded_default
from warplens._torch.tensors import CPU, META, Arguments, over, tensors_of

# Allocate, or look at a tensor's shape: they launch nothing, and stay.
KEPT = {"empty", "empty_strided", "_efficientzerotensor", "resize_", "set_", "is_set_to", "record_stream", "_local_scalar_dense"}
# Without a kernel for CUDA: one for all devices, which asks the tensor's device what to call.
ADDED = ("copy_", "convolution", "convolution_backward")
# Take tensors of the CPU beside those of CUDA, as they do on a GPU. All others take single numbers alone.
MIXED = ("copy_", "_copy_from", "index", "_index", "_unsafe_index", "_foreach_", "_fused_", "_pack_padded_sequence", "_ctc_loss")

KEYS = torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)
AUTOCAST = torch._C.DispatchKeySet(torch._C.DispatchKey.AutocastCPU)  # that of CUDA has been at work


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


@contextlib.contextmanager
def below() -> Iterator[None]:
    """Where kernels are: autograd, autocast and the user's modes have been at work."""
    with torch._C.DisableTorchFunction(), torch._C._AutoDispatchBelowAutograd(), torch._C._ExcludeDispatchKeyGuard(AUTOCAST):
        yield


class OnHost:
    """What runs instead of an operator's kernel for CUDA: its kernel for the CPU."""

    def __init__(self, name: str, queue: Queue) -> None:
        self.op = operator_of(name)
        self.name = name
        self.queue = queue
        schema = self.op._schema
        base = schema.name.partition("::")[2]
        self.mixed = base.startswith(MIXED)
        self.wants_tensor = [one.type.kind() == "TensorType" for one in schema.arguments]
        self.outs = {one.name for one in schema.arguments if one.is_out}
        self.written = [bool(one.alias_info and one.alias_info.is_write) for one in schema.arguments]
        # PyTorch hands a number over as a number where it stands for a tensor, which weighs less when types are promoted. Some
        # operators take it back; of others it came from an overload for numbers.
        self.numbers = self.op if torch._C._should_allow_numbers_as_tensors(base) else self.op.overloadpacket
        generators = [(at, one.name) for at, one in enumerate(schema.arguments) if "Generator" in str(one.type)]
        self.generator = generators[0] if generators else None
        self.draws = torch.Tag.nondeterministic_seeded in self.op.tags and not generators

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        with below():
            if torch._C._cuda_isCurrentStreamCapturing():
                return self._capture(args, kwargs)
            try:
                return self._run(args, kwargs, is_empty)
            except RuntimeError as error:
                if not self.outs or "not resizable" not in str(error):
                    raise
            return self._run(args, kwargs, lambda value: True)  # what is to go into out= is larger

    def _check_layouts(self, values: Any) -> None:
        """NotImplementedError: one of the tensors is sparse, nested or quantised."""
        for tensor in tensors_of(values):
            if kind := layout_of(tensor):
                raise of_layout(self.name, kind)

    def _compute(self, args: list[Any], kwargs: dict[str, Any], meta: bool = False) -> Any:
        """The operator on tensors of the CPU, or on shapes alone."""
        if self.generator:
            at, key = self.generator
            if len(args) > at:
                args = [*args[:at], None if meta else generator_for(args[at]), *args[at + 1:]]
            else:
                kwargs = {**kwargs, key: None if meta else generator_for(kwargs.get(key))}
        with seeded_default() if self.draws and not meta else contextlib.nullcontext():
            if any(wanted and isinstance(each, (int, float, complex)) for wanted, each in zip(self.wants_tensor, args)):
                return self.numbers(*args, **kwargs)
            return self.op(*args, **kwargs) if meta else self.op.redispatch(KEYS, *args, **kwargs)

    def _arguments(self, args: Any, kwargs: Any, device: torch.device,
                   grows: Callable[[Any], bool] = lambda value: False) -> tuple[Arguments, list[Any], dict[str, Any]]:
        self._check_layouts((*args, *kwargs.values()))
        call = Arguments(device)
        host_args = [call.host(each) for each in args]
        host_kwargs = {key: call.host(value, key in self.outs and grows(value)) for key, value in kwargs.items()}
        if call.others and call.device and not self.mixed:
            raise RuntimeError(f"Expected all tensors to be on the same device, but found at least two devices, {call.device} and cpu! "
                               f"(when checking arguments of {self.name})")
        return call, host_args, host_kwargs

    def _run(self, args: Any, kwargs: Any, grows: Callable[[Any], bool]) -> Any:
        call, host_args, host_kwargs = self._arguments(args, kwargs, CPU, grows)
        result = None

        def compute() -> None:
            nonlocal result
            result = self._compute(host_args, host_kwargs)

        self.queue.run(self.name.encode(), compute)
        self._check_layouts(result)
        call.written()
        return call.cuda(result)

    def _capture(self, args: Any, kwargs: Any) -> Any:
        """Into the graph that the stream captures: it computes whenever that runs, into the same tensors. Nothing is computed now."""
        shapes, meta_args, meta_kwargs = self._arguments(args, kwargs, META)
        try:
            shape = self._compute(meta_args, meta_kwargs, meta=True)
        except NotImplementedError as error:
            raise RuntimeError(f"warplens: {self.name} cannot be captured: the shape of its result depends on values") from error
        shapes.written()
        result = shapes.cuda(shape)
        _, host_args, host_kwargs = self._arguments(args, kwargs, CPU)
        targets = [over(each) for each in tensors_of(result)]

        def compute() -> None:
            with below():
                for target, value in zip(targets, tensors_of(self._compute(host_args, host_kwargs)), strict=True):
                    if value.data_ptr() != target.data_ptr():
                        target.copy_(value)

        self.queue.record(self.name.encode(), compute)
        return result


# torch forgets the kernels of one that is gone
libraries: dict[str, Any] = {name: torch.library.Library(name, "IMPL") for name in ("aten", "quantized")}  # type: ignore[no-untyped-call, unused-ignore]


def operators() -> list[str]:
    """All that have a kernel for CUDA, and ADDED."""
    names = [name for name in torch._C._dispatch_get_registrations_for_dispatch_key("CUDA") if name.startswith("aten::")]
    return sorted({*names, *(f"aten::{name}" for name in ADDED)})


def stays(op: Any) -> bool:
    """Whether the operator launches nothing."""
    return is_view(op) or op._schema.name.partition("::")[2] in KEPT


def substitute(name: str) -> Callable[..., Any] | None:
    """What does the work of an operator that has no kernel for the CPU; None: nothing."""
    return FORMULAS.get(name) or decomposition_table.get(operator_of(name))


def refused() -> list[str]:
    """Operators that nothing stands in for."""
    return [name for name in operators() if not stays(operator_of(name)) and not substitute(name)
            and not torch._C._dispatch_has_computed_kernel_for_dispatch_key(name, "CPU")]


def replace_layout(key: str, kind: str, kept: set[str]) -> None:
    """Refuses all operators on tensors of another layout but `kept`."""
    for name in torch._C._dispatch_get_registrations_for_dispatch_key(key):
        namespace, _, rest = name.partition("::")
        if namespace in libraries and rest not in kept:
            libraries[namespace].impl(rest, refuse_layout(name, kind), key, allow_override=True)


def replace(native: Native) -> None:
    """Replaces all kernels for CUDA but those that launch nothing."""
    queue, none = Queue(native), set(refused())
    for name in operators():
        if stays(operator_of(name)):
            continue
        if name in none:
            kernel = refuse(name)
        elif torch._C._dispatch_has_computed_kernel_for_dispatch_key(name, "CPU"):
            kernel = OnHost(name, queue)
        else:
            kernel = substitute(name)
        libraries["aten"].impl(name.partition("::")[2], kernel, "CUDA", allow_override=True)
    for key, (kind, kept) in OTHER_LAYOUTS.items():
        replace_layout(key, kind, kept)
    # Of several ways of doing the same, those that have kernels for the CPU.
    torch.backends.mha.set_fastpath_enabled(False)  # its nested tensors
    torch.backends.cudnn.enabled = False
    torch.backends.cuda.enable_flash_sdp(False)
    torch.backends.cuda.enable_mem_efficient_sdp(False)
    torch.backends.cuda.enable_cudnn_sdp(False)
