"""For which GPUs a test of machine code has ptxas compile: those that its command line names (--gpus a100,h100), or all."""

import sys

GPUS = {"t4": 75, "a100": 80, "h100": 90, "b200": 100, "rtx5090": 120}


def head(arch, letter=""):
    """The first lines of PTX for it; letter "a": for it alone."""
    return f".version {'8.8' if arch >= 100 else '8.7' if arch >= 90 else '8.5'}\n.target sm_{arch}{letter}\n.address_size 64"


def chosen():
    """GPU -> its architecture's number; takes the option out of the arguments."""
    if "--gpus" not in sys.argv:
        return GPUS
    at = sys.argv.index("--gpus")
    names = sys.argv[at + 1].split(",")
    del sys.argv[at : at + 2]
    return {name: GPUS[name] for name in names}
