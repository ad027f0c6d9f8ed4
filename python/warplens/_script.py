"""Runs a script as python does, with the package imported before it: what `python -m warplens` starts."""

from __future__ import annotations

import os
import runpy
import sys

del sys.argv[0]
sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
runpy.run_path(sys.argv[0], run_name="__main__")
