// checks: what the samples' kernels have to leave, computed here from what they were given; as the samples' tests do with NumPy.
// A check gets the arrays of the arguments (null: a number) after the launch and the numbers, and returns which differ, in words, or ''.

const close = (a, b, tolerance) =>
    Math.abs(Number(a) - Number(b)) <= tolerance * Math.max(1, Math.abs(Number(b)));

function compare(got, count, expected, tolerance = 0) {
    for (let i = 0; i < count; i++) {
        const want = expected(i);
        if (tolerance ? !close(got[i], want, tolerance) :
                        got[i] != want)  // eslint-disable-line eqeqeq
            return `element ${i} is ${got[i]}, expected ${want}`;
    }
    return '';
}

function transposed([source, result], [, , n]) {
    return compare(result, n * n, i => source[(i % n) * n + Math.floor(i / n)]);
}

function histogram([data, bins], numbers) {
    const n = numbers[2], counts = new Array(256).fill(0);
    for (let i = 0; i < n; i++) counts[data[i] & 255]++;
    return compare(bins, 256, i => counts[i]);
}

// The prefix sums of squares, along rows and columns of each tile of 32 x 32, with zeros in both of the other arrays.
function scanned([pixels, table], [, , , , nx, ny]) {
    const sums = new BigUint64Array(nx * ny);
    for (let y = 0; y < ny; y++)
        for (let x = 0; x < nx; x++) {
            const left = x % 32 ? sums[y * nx + x - 1] : 0n,
                  above = y % 32 ? sums[(y - 1) * nx + x] : 0n;
            const corner = x % 32 && y % 32 ? sums[(y - 1) * nx + x - 1] : 0n;
            sums[y * nx + x] = left + above - corner + BigInt(pixels[y * nx + x]) ** 2n;
        }
    return compare(table, nx * ny, i => sums[i]);
}

const CHECKS = [[/\btranspose/, transposed], [/\bhistogram/, histogram], [/\bblockScan/, scanned]];

export function checkOf(kernel) {
    return CHECKS.find(([name]) => name.test(kernel))?.[1] || null;
}
