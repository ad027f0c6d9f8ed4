"""Themes of kernels: which phases a kernel is made of, and what its free code prefers. seed % len(THEMES)
is a kernel's theme; a hungry one has a limit of registers, too."""

from kernels import hungry as hu
from kernels import phases as ph

THEMES = [
    {"name": "divergence", "phases": {ph.free: 6, ph.uneven: 1, ph.machine_of_states: 2, ph.jumps: 2}, "control": 3},
    {"name": "calls", "phases": {ph.free: 6, ph.exchange: 1}, "functions": (1, 3), "calls": 5},
    {"name": "local", "phases": {ph.local: 5, ph.planes: 3, ph.free: 1}, "control": 1.5},
    {"name": "tiles", "phases": {ph.tile: 4, ph.stencil: 2, ph.exchange: 2, ph.vectors: 2, ph.residue: 1}},
    {"name": "global", "phases": {ph.structure: 4, ph.results: 3, ph.free: 2, ph.uneven: 2, ph.constants: 3}},
    {"name": "atomics", "phases": {ph.histogram: 4, ph.free: 3, ph.exchange: 1}, "atomics": 6},
    {"name": "warp", "phases": {ph.warp: 6, ph.free: 1, ph.scan: 1}},
    {"name": "arithmetic", "phases": {ph.free: 5, ph.reduce: 1, ph.halves: 2, ph.wide: 2}, "types": "uifdqlh", "approximate": True},
    {"name": "copies", "phases": {ph.copies: 5, ph.free: 1, ph.vectors: 1}, "types": "uif"},
    {"name": "tensor", "phases": {ph.matrices: 3, ph.fragments: 3, ph.free: 1}, "types": "uif", "blocks": [32, 64, 128]},
    {"name": "residues", "phases": {ph.residue: 5, ph.uneven: 3, ph.stencil: 1}},
    {"name": "products", "phases": {hu.product: 5, ph.free: 1}, "hungry": True, "blocks": [64, 128, 256], "types": "uif"},
    {"name": "live", "phases": {hu.live: 4, hu.window: 2, ph.free: 1}, "hungry": True, "functions": (0, 2), "types": "uif"},
    {"name": "registers", "phases": {hu.network: 3, hu.transform: 3, hu.factor: 3, hu.table: 3, ph.local: 1}, "hungry": True, "types": "uif"},
    {"name": "trees", "phases": {ph.reduce: 3, ph.scan: 2, ph.histogram: 1, ph.warp: 2, ph.vectors: 2, ph.halves: 2}},
    {
        "name": "mixed",
        "phases": {
            ph.free: 6, ph.exchange: 2, ph.tile: 1, ph.warp: 2, ph.histogram: 1, ph.local: 2, ph.planes: 1,
            ph.uneven: 1, ph.residue: 1, ph.structure: 1, ph.results: 1, ph.jumps: 1, ph.vectors: 1,
            ph.constants: 1, ph.halves: 1, ph.wide: 1, ph.copies: 1,
        },
        "functions": (0, 2), "control": 1.5, "calls": 2,
    },
]  # fmt: skip
