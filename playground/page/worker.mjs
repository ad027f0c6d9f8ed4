// worker: takes {module}, then {words, files, keep, progress}; answers {progress: text} while it lasts and {status, out, err, files}.
import {runProgram} from './program.mjs';

let module = null;

addEventListener('message', ({data}) => {
    if (data.module) {
        module = data.module;
        return;
    }
    const result = runProgram(module, data.words, {
        files: data.files,
        progress: data.progress ? text => postMessage({progress: text}) : undefined
    });
    const files = {};
    for (const name of data.keep) {
        const bytes = result.files.get(name);
        if (bytes) files[name] = bytes.slice();
    }
    postMessage({status: result.status, out: result.out, err: result.err, files});
});
