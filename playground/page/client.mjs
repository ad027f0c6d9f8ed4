// client: warplens in a worker, asked from the page. One thing at a time; what is asked meanwhile waits. Stop ends the worker at once,
// whatever it is doing, and the next question starts another.
import {newMemory} from './memory.mjs';
import {WORKER_TEXT} from './worker_text.mjs';

const THREADS_MOST = 16;

export class Stopped extends Error {}

// How many threads a launch may have: memory is shared between workers where nothing of other sites is in the page's process.
export function threadsHere() {
    return self.crossOriginIsolated ? Math.min(navigator.hardwareConcurrency, THREADS_MOST) : 1;
}

export class Program {
    // module: a promise of it. threads: how many a long question may have.
    constructor(module, threads = 1) {
        this.module = module;
        this.threads = threads;
        this.worker = null;
        this.helpers = [];
        this.waiting = [];
        this.current = null;
    }

    // As runProgram; files: name → text or bytes; keep: names of files to bring back; long: whether it is worth threads.
    run(words, {files = {}, keep = [], progress, long = false} = {}) {
        return new Promise((resolve, reject) => {
            this.waiting.push({words, files, keep, progress, long, resolve, reject});
            this.next();
        });
    }

    async next() {
        if (this.current || !this.waiting.length) return;
        const asked = this.current = this.waiting.shift();
        this.worker ??= this.start();
        try {
            const module = await this.module;
            if (this.current === asked) this.ask(module, asked);
        } catch (error) {
            this.end(asked => asked.reject(error));
        }
    }

    ask(module, {words, files, keep, progress, long}) {
        const shared = long && this.threads > 1 ? this.share(module) : {};
        this.worker.postMessage(
            {module, words, files, keep, progress: Boolean(progress), ...shared});
    }

    // Helpers wait in the memory that this returns.
    share(module) {
        const helpers = this.threads - 1, memory = newMemory(helpers);
        const slots = new Int32Array(new SharedArrayBuffer(4 * helpers));
        for (let number = 0; number < helpers; number++) {
            this.helpers[number] ??= this.start();
            this.helpers[number].postMessage({module, help: {memory, slots, number}});
        }
        return {memory, slots};
    }

    start() {
        const address = URL.createObjectURL(new Blob([WORKER_TEXT], {type: 'text/javascript'}));
        const worker = new Worker(address);
        URL.revokeObjectURL(address);
        worker.addEventListener('message', ({data}) => this.take(data));
        worker.addEventListener('error', event => {
            this.end(asked => asked.reject(new Error(event.message || 'the worker failed')));
        });
        return worker;
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
        for (const worker of [this.worker, ...this.helpers]) worker?.terminate();
        this.worker = null;
        this.helpers = [];
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
