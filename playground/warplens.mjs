#!/usr/bin/env node
// The WebAssembly program on a command line, by node: the tests of the program itself run with it. Files come from and go to the disk.
//     WARPLENS_WASM=build-playground/warplens.wasm playground/warplens.mjs kernel scan.ptx …
import {existsSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {Files} from './page/wasi.mjs';
import {runProgram} from './page/program.mjs';

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

const here = path.dirname(fileURLToPath(import.meta.url));
const wasm = process.env.WARPLENS_WASM || path.join(here, '../build-playground/warplens.wasm');
const files = new DiskFiles();
const result =
    runProgram(new WebAssembly.Module(readFileSync(wasm)), process.argv.slice(2), {files});
process.stdout.write(result.out);
process.stderr.write(result.err);
files.store();
process.exitCode = result.status ?? 70;
