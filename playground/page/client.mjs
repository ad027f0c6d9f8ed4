// client: warplens in a worker, asked from the page. One thing at a time; what is asked meanwhile waits. Stop ends the worker at once,
// whatever it is doing, and the next question starts another.
import {WORKER_TEXT} from './worker_text.mjs';

export class Stopped extends Error {}

export class Program {
    constructor(module) {
        this.module = module;
        this.worker = null;
        this.waiting = [];
        this.current = null;
    }

    // As runProgram; files: name → text or bytes; keep: names of files to bring back.
    run(words, {files = {}, keep = [], progress} = {}) {
        return new Promise((resolve, reject) => {
            this.waiting.push({words, files, keep, progress, resolve, reject});
            this.next();
        });
    }

    next() {
        if (this.current || !this.waiting.length) return;
        this.current = this.waiting.shift();
        const {words, files, keep, progress} = this.current;
        if (!this.worker) this.start();
        this.worker.postMessage({words, files, keep, progress: Boolean(progress)});
    }

    start() {
        const address = URL.createObjectURL(new Blob([WORKER_TEXT], {type: 'text/javascript'}));
        this.worker = new Worker(address);
        URL.revokeObjectURL(address);
        this.worker.postMessage({module: this.module});
        this.worker.addEventListener('message', ({data}) => this.take(data));
        this.worker.addEventListener('error', event => {
            this.end(asked => asked.reject(new Error(event.message || 'the worker failed')));
        });
    }

    take(data) {
        if (data.progress !== undefined) {
            this.current?.progress?.(data.progress);
            return;
        }
        const {resolve} = this.current;
        this.current = null;
        if (data.status === null) this.drop();  // its memory may be full
        resolve(data);
        this.next();
    }

    drop() {
        this.worker?.terminate();
        this.worker = null;
    }

    end(tell) {
        const asked = [this.current, ...this.waiting].filter(Boolean);
        this.drop();
        this.current = null;
        this.waiting = [];
        asked.forEach(tell);
    }

    stop() {
        this.end(asked => asked.reject(new Stopped('stopped')));
    }
}
