// npy: arrays of NumPy's files (format 1.0, little-endian, one-dimensional), as the program dumps them.

const KINDS = {
    '<f2': Uint16Array,  // their bits
    '<f4': Float32Array,
    '<f8': Float64Array,
    '|u1': Uint8Array,
    '|i1': Int8Array,
    '<u2': Uint16Array,
    '<i2': Int16Array,
    '<u4': Uint32Array,
    '<i4': Int32Array,
    '<u8': BigUint64Array,
    '<i8': BigInt64Array
};

export function readNpy(bytes) {
    const length = bytes[8] | bytes[9] << 8;
    const head = new TextDecoder().decode(bytes.subarray(10, 10 + length));
    const kind = KINDS[head.match(/'descr': *'([^']+)'/)[1]];
    return new kind(bytes.slice(10 + length).buffer);
}
