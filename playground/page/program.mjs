// program: warplens, compiled to WebAssembly, as a function: words of a command line and files go in, what it printed and the files
// that it left come out. Each call is an instance of its own, so nothing of one is left in the next.
import {newMemory} from './memory.mjs';
import {linked, releaseHelpers} from './threads.mjs';
import {Exit, Files} from './wasi.mjs';

// module: of warplens.wasm. words: ['explain', 'float a[32]', …]. files: {'/scan.ptx': text or bytes}. progress(text): what is
// shown on a terminal while it lasts; without it none is shown. memory, slots: what it shares with helpers (threads.mjs), if it has any.
// Returns {status, out, err, files}: its exit status (null: it ran out of memory, or into a bug of ours, which `err` tells).
export function runProgram(
    module, words, {files = {}, progress, memory = newMemory(), slots = []} = {}) {
    const all = files instanceof Files ? files : new Files(files);
    const printed = {1: [], 2: []};
    let status = 0;
    const decoder = new TextDecoder();
    const out = (stream, bytes) => {
        const copy = bytes.slice();
        // A line that begins anew is progress: "\r[####....]  40 % …\x1b[K".
        if (progress && stream === 2 && copy[0] === 13)
            progress(decoder.decode(copy).replace(/\r|\x1b\[K/g, ''));
        else
            printed[stream].push(copy);
    };
    const imports = linked(module, memory, slots,
        {argv: ['warplens', ...words], files: all, out, terminal: Boolean(progress)});
    try {
        new WebAssembly.Instance(module, imports).exports._start();
    } catch (error) {
        if (error instanceof Exit)
            status = error.status;
        else {
            status = null;
            out(2, new TextEncoder().encode(`warplens: error: ${ended(error)}\n`));
        }
    }
    releaseHelpers(slots);
    return {
        status,
        out: joined(printed[1]),
        err: joined(printed[2]).replace(/\x1b\[[0-9;]*[mK]|\r/g, ''),
        files: all
    };
}

function ended(error) {
    if (error instanceof RangeError) return 'the program ended: too many calls within each other';
    return /unreachable|memory access|out of memory/i.test(error.message) ?
        `out of memory, of which a page has 1 GB (${error.message})` :
        error.message;
}

function joined(parts) {
    const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
        whole.set(part, at);
        at += part.length;
    }
    return new TextDecoder().decode(whole);
}
