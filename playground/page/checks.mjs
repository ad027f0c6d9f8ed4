// checks: what the samples' kernels have to leave, computed here from what they were given; as the samples' tests do with NumPy.
// A check gets the arrays of the arguments (null: a number) after the launch, the numbers, and how many threads a block has; it returns which
// differ, in words, '', or null: that cannot be said.

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

// One number for each thread, or two or three.
const added = each => ([, source, , result], [n, , k]) =>
    compare(result, each * n, i => source[i] + k);

function turnedRound([source, result]) {
    return compare(result, source.length, i => source[source.length - 1 - i]);
}

function summed([source, result]) {
    const rounded = source instanceof Float32Array ? Math.fround : value => value;
    const sum = source.reduce((sum, value) => rounded(sum + value), 0);
    return compare(result, result.length, () => sum);
}

function read([result], [, offset, loads], threads) {
    const word = (i, load) => ((i % threads) * offset + 32 * load) % 2048;
    return compare(result, result.length, i => {
        let sum = 0;
        for (let load = 0; load < loads; load++) sum += word(i, load);
        return sum;
    });
}

function readByTwo([result], [, first, second]) {
    return compare(result, 2, i => 3 * Math.floor((i ? second : first) / 4));
}

// What C was is not known any more, so beta is 0.
function multiplied([a, b, c], [, , , m, n, k, alpha, beta]) {
    if (beta !== 0) return null;
    return compare(c, m * n, i => {
        const row = Math.floor(i / n) * k, column = (i % n) * k;
        let sum = 0;
        for (let j = 0; j < k; j++) sum += a[row + j] * b[column + j];
        return alpha * sum;
    }, 1e-4);
}

const CHECKS = [
    [/\btranspose/, transposed], [/\bhistogram/, histogram], [/\bblockScan/, scanned],
    [/\baddConstDouble3\b/, added(3)], [/\baddConstDouble2\b/, added(2)],
    [/\baddConstDouble\b/, added(1)],
    [/\bownElement<(float|double|unsigned char|__half),/, turnedRound], [/\bbroadcast</, summed],
    [/\bbankOffset\b/, read], [/\btwoThreads\b/, readByTwo], [/\bgemm</, multiplied]
];

export function checkOf(kernel) {
    return CHECKS.find(([name]) => name.test(kernel))?.[1] || null;
}
