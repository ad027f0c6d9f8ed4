"""Expected values of progress.cu."""

import itertools


def prefix_sums(count):
    return [value & 0xFFFFFFFF for value in itertools.accumulate(range(count))]
