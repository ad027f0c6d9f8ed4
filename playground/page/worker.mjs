// worker: takes {module, words, files, keep, progress}, with memory and slots where it has helpers; answers {progress: text} while it
// lasts and {status, out, err, files}. A helper takes {module, help: {memory, slots, number}}.
import {runProgram} from './program.mjs';
import {help} from './threads.mjs';

function answer({module, words, files, keep, progress, memory, slots}) {
    const result = runProgram(module, words, {
        files,
        memory,
        slots,
        progress: progress ? text => postMessage({progress: text}) : undefined
    });
    const kept = {};
    for (const name of keep) {
        const bytes = result.files.get(name);
        if (bytes) kept[name] = bytes.slice();
    }
    postMessage({status: result.status, out: result.out, err: result.err, files: kept});
}

addEventListener('message', ({data}) => data.help ? help(data.module, data.help) : answer(data));
