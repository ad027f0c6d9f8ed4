"""`%load_ext warplens`: the magic `%%warplens`, which runs a cell and shows what its kernels cost."""

from __future__ import annotations

from typing import Any

from warplens._profile import profile


def register(shell: Any) -> None:
    def warplens(line: str, cell: str) -> Any:
        """%%warplens [NAME]: runs the cell; its value is the profile, which is also left in NAME."""
        with profile("cell") as made:
            result = shell.run_cell(cell)
        result.raise_error()
        name = line.strip()
        if name:
            shell.user_ns[name] = made
        return made

    shell.register_magic_function(warplens, magic_kind="cell")
