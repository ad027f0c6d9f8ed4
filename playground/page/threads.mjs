// threads: helpers of a program, each in a worker of its own, in memory that all share (../wasi/threads.c). They are there before it
// begins, and wait at a slot of theirs for what they are to run.
import {system} from './wasi.mjs';

const NOT_THERE = 52;       // what a call of the system returns that wasi.mjs has not
const NONE = 0, OVER = -1;  // in a slot, beside the address of what is run
const ENDED = 1, DIED = 2;  // of what was run: Thread.state

// What a program calls to start threads; slots: an Int32Array in shared memory, one for each helper.
function starter(slots) {
    return {
        threads: () => slots.length + 1,
        start(thread) {
            for (let i = 0; i < slots.length; i++) {
                if (Atomics.compareExchange(slots, i, NONE, thread) !== NONE) continue;
                Atomics.notify(slots, i);
                return 1;
            }
            return 0;
        }
    };
}

// What an instance is linked with; asked: as for system.
export function linked(module, memory, slots, asked) {
    const imports = {
        ...system({...asked, memory: () => memory}),
        warplens: starter(slots),
        env: {memory}
    };
    for (const {module: from, name} of WebAssembly.Module.imports(module))
        imports[from][name] ??= () => NOT_THERE;
    return imports;
}

export function releaseHelpers(slots) {
    for (let i = 0; i < slots.length; i++) {
        Atomics.store(slots, i, OVER);
        Atomics.notify(slots, i);
    }
}

// What a helper does, until it is released.
export function help(module, {memory, slots, number}) {
    const imports = linked(module, memory, [], {argv: []});
    let instance = null;
    for (;;) {
        Atomics.wait(slots, number, NONE);
        const thread = Atomics.load(slots, number);
        if (thread === OVER) return;
        let state = ENDED;
        try {
            instance ??= new WebAssembly.Instance(module, imports);
            const {__stack_pointer: stack, __indirect_function_table: table} = instance.exports;
            const [enter, end] = new Int32Array(memory.buffer, thread + 4, 2);  // Thread.enter …
            stack.value = end;
            table.get(enter)(thread);
        } catch (error) {
            console.error(error);
            state = DIED;
        }
        Atomics.compareExchange(slots, number, thread, NONE);
        const states = new Int32Array(memory.buffer);
        Atomics.store(states, thread >> 2, state);
        Atomics.notify(states, thread >> 2);
    }
}
