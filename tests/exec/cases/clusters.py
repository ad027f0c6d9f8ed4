"""rounds_from(b): the block whose value reaches block b of `rounds` after ten passes."""


def rounds_from(block):
    x, y = block % 4, block // 4
    rank = (y % 2 * 2 + x % 2 - 10) % 4
    return (y // 2 * 2 + rank // 2) * 4 + x // 2 * 2 + rank % 2
