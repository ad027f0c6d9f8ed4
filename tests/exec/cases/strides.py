"""What strides.ptx computes."""


def chains():
    result = []
    for block in range(64):
        for thread in range(64):
            step = 2 * thread if block == 50 else 64  # in elements, whose values are their numbers
            at, total = thread, 0
            for _ in range(6):
                first, second, third = at, at + step, at + 2 * step
                total += first + 3 * second + 5 * third + second
                at += 3 * step
            result += [total, 4 * at]
    return result
