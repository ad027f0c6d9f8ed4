"""pytest: limits on what the kernels of a test cost.

    @pytest.mark.warplens(max_nway=1, max_sector_ratio=1.05)
    def test_matmul(): ...

A test with the mark is profiled, and fails where a line of a kernel is beyond the limits; its report has the line. `--warplens` does so
for all tests that launch a kernel, with the limits of `warplens check`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from warplens import Profile

KEY = pytest.StashKey["Profile"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("warplens")
    group.addoption("--warplens", action="store_true",
                    help="run CUDA kernels without a GPU, and fail tests whose kernels have bank conflicts or uncoalesced accesses")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "warplens(max_nway=N, max_sector_ratio=R): profile the test's kernels, and fail beyond these")
    if config.getoption("--warplens"):
        import warplens  # noqa: F401 - before tests import torch


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    mark = item.get_closest_marker("warplens")
    if mark is None and not item.config.getoption("--warplens"):
        yield
        return
    if mark is not None and (mark.args or set(mark.kwargs) - {"max_nway", "max_sector_ratio"}):
        raise pytest.UsageError(f"{item.nodeid}: warplens takes max_nway=N and max_sector_ratio=R")
    import warplens

    with warplens.profile(item.nodeid) as made:
        yield
    if mark is None and len(made) == 0:
        return
    limits = mark.kwargs if mark else {}
    judged = made.check(limits.get("max_nway"), limits.get("max_sector_ratio"))
    if not judged:
        pytest.fail(f"warplens: {judged.message}", pytrace=False)
