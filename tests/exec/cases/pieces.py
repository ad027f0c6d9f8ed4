"""What each lane of pieces.ptx adds up, of words that are their own numbers."""


def pieces():
    sums = []
    for lane in range(32):
        first, total = 4 * lane, 0
        for _ in range(20):
            for value in (
                3 * (first + 128 + 2) + first + 128 + 3, 3 * (first + 256) + first + 256 + 3, 3 * (first + 384 + 1) + 1,
                3 * (first + 1) + first,
            ):  # fmt: skip
                total = (31 * total + value) & (1 << 64) - 1
        sums.append(total)
    return sums
