"""PyTorch's own operators on "cuda" tensors, which run on the CPU: results beside the CPU's, and what the profile lists.

Run by pytest, or `test_torch.py` by itself, as ctest does: exit status 77 says that torch or pytest is not installed.
"""

import importlib.util
import sys

MISSING = [name for name in ("torch", "pytest") if not importlib.util.find_spec(name)]
if __name__ == "__main__" and MISSING:
    print(f"skipped, all tests of this file: {', '.join(MISSING)} not installed")
    sys.exit(77)

import warplens  # noqa: E402, I001 - before torch
import pytest  # noqa: E402
import torch  # noqa: E402


def calls(made):
    """What ran on the host, and how often."""
    return {call["function"]: call["calls"] for call in made.document.get("host_calls", []) if call["library"] == "torch"}


def test_one_operator():
    x = torch.arange(6.0, device="cuda").view(2, 3)
    with warplens.profile() as made:
        y = x + 1
    assert y.is_cuda and y.cpu().equal(torch.arange(1.0, 7.0).view(2, 3))
    assert calls(made) == {"aten::add.Tensor": 1}
    assert "On the host, not counted: aten::add.Tensor." in str(made)


def test_printing():
    x = torch.tensor([[1.5, -2.0], [3.25, 0.0]], device="cuda")
    assert str(x) == str(x.cpu())[:-1] + ", device='cuda:0')"


if __name__ == "__main__":
    sys.exit(pytest.main([__file__, "-q", "-p", "no:cacheprovider", *sys.argv[1:]]))
