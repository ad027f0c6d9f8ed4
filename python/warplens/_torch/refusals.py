"""Operators that cannot run here: by name, with what to do."""

from __future__ import annotations

import re
from typing import Any

import torch

ADVICE = (
    (r"attention", "let PyTorch choose another: torch.nn.attention.sdpa_kernel(SDPBackend.MATH), which is what warplens sets"),
    (r"cudnn", "let PyTorch choose another: torch.backends.cudnn.enabled = False, which is what warplens sets"),
    (r"miopen", "it is for AMD's GPUs"),
    (r"symm_mem|nccl|nvshmem", "it takes several GPUs"),
    (r"batch_norm_(stats|gather|elemt|backward)", "use torch.nn.BatchNorm, whose statistics are those of one device"),
    (r"", "use operators that have one, or write it as a kernel (Triton), which runs and is counted"),
)

# Tensors whose values do not lie in one strided array have kernels of their own, under other keys. Of these stay those that take such
# a tensor apart, put it together or copy it: they launch nothing, or call operators on its parts. The others would fail, or leave a
# result as it was allocated.
PARTS = {"empty.memory_format", "empty_like", "clone", "copy_", "resize_", "_nnz", "dense_dim", "sparse_dim", "values"}
OTHER_LAYOUTS = {
    "SparseCUDA": ("sparse", PARTS | {"indices", "_indices", "_values", "_dimI", "_dimV", "is_coalesced", "_coalesced_", "sparse_resize_",
                                      "sparse_resize_and_clear_", "copy_sparse_to_sparse_", "_sparse_coo_tensor_with_dims",
                                      "_sparse_coo_tensor_with_dims_and_tensors"}),
    "SparseCsrCUDA": ("sparse", PARTS | {"crow_indices", "col_indices", "ccol_indices", "row_indices"}),
    "NestedTensorCUDA": ("nested", PARTS | {"_nested_tensor_size", "_nested_tensor_strides", "_nested_tensor_storage_offsets", "alias",
                                            "detach", "is_same_size", "unbind.int", "_to_copy"}),
    "QuantizedCUDA": ("quantised", PARTS | {"q_scale", "q_zero_point", "qscheme", "q_per_channel_axis", "q_per_channel_scales",
                                            "q_per_channel_zero_points", "_empty_affine_quantized", "_empty_per_channel_affine_quantized",
                                            "empty_quantized", "empty_strided", "set_.source_Storage_storage_offset"}),
}


def layout_of(tensor: torch.Tensor) -> str | None:
    """What kind of a tensor it is, where it is no array; None: it is one."""
    if tensor.is_nested:
        return "nested"
    if tensor.is_quantized:
        return "quantised"
    return None if tensor.layout in (torch.strided, torch._mkldnn) else "sparse"  # type: ignore[attr-defined, unused-ignore]


def of_layout(name: str, kind: str) -> NotImplementedError:
    """The operator, which takes or makes such tensors."""
    return NotImplementedError(f"warplens: {name} cannot run: what PyTorch {torch.__version__} has for {kind} tensors on \"cuda\" is machine "
                               "code. Instead, do it on the CPU, with tensor.cpu(), or with dense tensors")


def refuse_layout(name: str, kind: str) -> Any:
    """What runs instead of such an operator: an error."""

    def run(*args: Any, **kwargs: Any) -> Any:
        raise of_layout(name, kind)

    return run


def refuse(name: str) -> Any:
    """What runs instead of the operator: an error."""
    advice = next(text for pattern, text in ADVICE if re.search(pattern, name))

    def run(*args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(f"warplens: {name} cannot run: PyTorch {torch.__version__} has a kernel for CUDA alone, which is machine "
                                  f"code, and none for the CPU. Instead, {advice}")

    return run
