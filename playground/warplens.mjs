#!/usr/bin/env node
// The WebAssembly program on a command line, by node: the tests of the program itself run with it. Files come from and go to the disk.
//     WARPLENS_WASM=build-playground/warplens.wasm playground/warplens.mjs kernel scan.ptx …
// WARPLENS_THREADS=N gives it N - 1 helpers.
import {existsSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {isMainThread, Worker, workerData} from 'node:worker_threads';
import {Files} from './page/wasi.mjs';
import {newMemory} from './page/memory.mjs';
import {runProgram} from './page/program.mjs';
import {help} from './page/threads.mjs';

// Files of the disk, read when they are asked for; those that were written are put there at the end. A name that is relative looks like
// one from "/" here: what is not there is in this folder.
class DiskFiles extends Files {
    constructor() {
        super();
        this.read = new Map();
    }
    static place(name) {
        const whole = Files.whole(name), here = path.join(process.cwd(), whole);
        const outside =
            existsSync(whole) || (existsSync(path.dirname(whole)) && path.dirname(whole) !== '/');
        return whole !== '/' && outside ? whole : here;
    }
    find(name) {
        const whole = Files.whole(name), place = DiskFiles.place(name);
        if (!this.all.has(whole) && existsSync(place) && statSync(place).isFile()) {
            this.put(whole, new Uint8Array(readFileSync(place)));
            this.read.set(whole, this.all.get(whole).bytes.slice());
        }
        return super.find(name);
    }
    isFolder(name) {
        const place = DiskFiles.place(name);
        return super.isFolder(name) || (existsSync(place) && statSync(place).isDirectory());
    }
    store() {
        for (const name of this.all.keys()) {
            const now = this.get(name), before = this.read.get(name);
            if (!before || Buffer.compare(now, before) !== 0)
                writeFileSync(DiskFiles.place(name), now);
        }
    }
}

function main() {
    const here = path.dirname(fileURLToPath(import.meta.url));
    const wasm = process.env.WARPLENS_WASM || path.join(here, '../build-playground/warplens.wasm');
    const module = new WebAssembly.Module(readFileSync(wasm)), files = new DiskFiles();
    const helpers = Number(process.env.WARPLENS_THREADS || 1) - 1, memory = newMemory(helpers);
    const slots = new Int32Array(new SharedArrayBuffer(4 * helpers));
    for (let number = 0; number < helpers; number++)
        new Worker(
            new URL(import.meta.url), {workerData: {module, shared: {memory, slots, number}}});
    const result = runProgram(module, process.argv.slice(2), {files, memory, slots});
    process.stdout.write(result.out);
    process.stderr.write(result.err);
    files.store();
    process.exitCode = result.status ?? 70;
}

if (isMainThread)
    main();
else
    help(workerData.module, workerData.shared);
