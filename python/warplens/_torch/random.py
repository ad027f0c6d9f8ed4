"""Random numbers of "cuda" generators. A CUDA generator's state is a seed and an offset, which each operator moves on; so it stays the
truth here (manual_seed, get_state, set_state, fork_rng have their usual meaning), and each operator gets a generator of the CPU that is
seeded by both. The numbers are not those of a GPU."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import torch

STEP = 4  # offsets are multiples of it


def _mixed(seed: int, offset: int) -> int:
    """Neighbouring seeds and offsets far apart (the finisher of MurmurHash3, twice)."""
    mixed = seed
    for more in (0, offset // STEP + 1):
        mixed = (mixed + more * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        mixed = ((mixed ^ (mixed >> 33)) * 0xFF51AFD7ED558CCD) & 0xFFFFFFFFFFFFFFFF
        mixed = ((mixed ^ (mixed >> 33)) * 0xC4CEB9FE1A85EC53) & 0xFFFFFFFFFFFFFFFF
        mixed ^= mixed >> 33
    return mixed


def generator_for(cuda: torch.Generator | None) -> torch.Generator:
    """A generator of the CPU for one operator; None: of the device's default one, which goes on."""
    made = torch.Generator()
    if cuda is None:
        cuda = torch.cuda.default_generators[torch.cuda.current_device()]
    if cuda.device.type != "cuda":
        raise RuntimeError(f"Expected a 'cuda' device type for generator but found '{cuda.device.type}'")
    offset = cuda.get_offset()
    cuda.set_offset(offset + STEP)
    made.manual_seed(_mixed(cuda.initial_seed(), offset))
    return made


@contextlib.contextmanager
def seeded_default() -> Iterator[None]:
    """For operators that take no generator: the CPU's default one is as the CUDA generator asks for, and as before afterwards."""
    default = torch.default_generator
    before = default.get_state()
    default.set_state(generator_for(None).get_state())
    try:
        yield
    finally:
        default.set_state(before)
