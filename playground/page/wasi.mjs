// wasi: the system that a program in WebAssembly calls (WASI preview 1), as far as warplens does: files in memory, two streams, clocks.
// No call reaches anything outside.

const OK = 0, BADF = 8, EXIST = 20, INVAL = 28, ISDIR = 31, NOENT = 44, NOSYS = 52;
const DIRECTORY = 3, REGULAR = 4, TERMINAL = 2;
const ROOT = 3;  // the descriptor of the one folder that there is, "/"

export class Exit extends Error {
    constructor(status) {
        super(`exit ${status}`);
        this.status = status;
    }
}

// Files by their whole name, "/scan.ptx"; folders are what their names say.
export class Files {
    constructor(contents = {}) {
        this.all = new Map();
        this.made = 0;  // files, which their numbers tell apart
        for (const [name, data] of Object.entries(contents)) this.put(name, data);
    }
    static whole(name) {
        const parts = [];
        for (const part of name.split('/')) {
            if (part === '..')
                parts.pop();
            else if (part && part !== '.')
                parts.push(part);
        }
        return '/' + parts.join('/');
    }
    put(name, data) {
        const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
        this.all.set(Files.whole(name), {bytes, size: bytes.length, number: ++this.made});
    }
    find(name) {
        return this.all.get(Files.whole(name));
    }
    get(name) {
        const file = this.find(name);
        return file && file.bytes.subarray(0, file.size);
    }
    isFolder(name) {
        const folder = Files.whole(name);
        if (folder === '/') return true;
        for (const other of this.all.keys())
            if (other.startsWith(folder + '/')) return true;
        return false;
    }
}

function resize(file, size) {
    if (size > file.bytes.length) {
        const larger = new Uint8Array(Math.max(size, 2 * file.bytes.length));
        larger.set(file.bytes.subarray(0, file.size));
        file.bytes = larger;
    } else if (size < file.size) {
        file.bytes = file.bytes.slice(0, size);
    }
    file.size = size;
}

// The imports of a program. argv[0] is its name; out(stream, bytes) takes what it prints, 1 or 2; terminal: whether
// standard error is one. memory() is the instance's.
export function system({argv, files, out, terminal, memory}) {
    const view = () => new DataView(memory().buffer);
    const bytes = (at, size) => new Uint8Array(memory().buffer, at, size);
    const text = (at, size) => new TextDecoder().decode(bytes(at, size).slice());
    const open = new Map();
    let next = ROOT + 1;

    const lists = (strings, pointers, at) => {
        for (const string of strings) {
            view().setUint32(pointers, at, true);
            const encoded = new TextEncoder().encode(string + '\0');
            bytes(at, encoded.length).set(encoded);
            at += encoded.length;
            pointers += 4;
        }
        return OK;
    };
    const sizes = (strings, count, size) => {
        view().setUint32(count, strings.length, true);
        view().setUint32(size,
            strings.reduce((sum, string) => sum + new TextEncoder().encode(string).length + 1, 0),
            true);
        return OK;
    };
    const environment = [];

    const stat = (at, type, size, number = 0) => {
        bytes(at, 64).fill(0);
        view().setBigUint64(at + 8, BigInt(number), true);
        view().setUint8(at + 16, type);
        view().setBigUint64(at + 24, 1n, true);
        view().setBigUint64(at + 32, BigInt(size), true);
        return OK;
    };
    // Calls each(bytes of one piece, where it lies in the file); it returns how many it did.
    const pieces = (vector, count, done, each) => {
        let sum = 0;
        for (let i = 0; i < count; i++) {
            const at = view().getUint32(vector + 8 * i, true);
            const size = view().getUint32(vector + 8 * i + 4, true);
            const did = each(bytes(at, size), sum);
            sum += did;
            if (did < size) break;
        }
        view().setUint32(done, sum, true);
        return OK;
    };
    const readAt = (file, from) => (to, sum) => {
        const start = Math.min(from + sum, file.size);
        const part = file.bytes.subarray(start, Math.min(start + to.length, file.size));
        to.set(part);
        return part.length;
    };
    const writeAt = (file, from) => (data, sum) => {
        const end = from + sum + data.length;
        if (end > file.size) resize(file, end);
        file.bytes.set(data, from + sum);
        return data.length;
    };
    const position = descriptor => open.get(descriptor);

    const calls = {
        args_get: (pointers, at) => lists(argv, pointers, at),
        args_sizes_get: (count, size) => sizes(argv, count, size),
        environ_get: (pointers, at) => lists(environment, pointers, at),
        environ_sizes_get: (count, size) => sizes(environment, count, size),
        clock_time_get(clock, precision, at) {
            const now = clock === 0 ? Date.now() : performance.now();
            view().setBigUint64(at, BigInt(Math.round(now * 1e6)), true);
            return OK;
        },
        random_get(at, size) {
            for (let done = 0; done < size; done += 65536)  // not into shared memory itself
                bytes(at, size).set(
                    crypto.getRandomValues(new Uint8Array(Math.min(65536, size - done))), done);
            return OK;
        },
        proc_exit(status) {
            throw new Exit(status);
        },
        poll_oneoff: () => NOSYS,

        fd_prestat_get(descriptor, at) {
            if (descriptor !== ROOT) return BADF;
            view().setUint32(at, 0, true);
            view().setUint32(at + 4, 1, true);
            return OK;
        },
        fd_prestat_dir_name(descriptor, at) {
            bytes(at, 1)[0] = '/'.charCodeAt(0);
            return OK;
        },
        fd_fdstat_get(descriptor, at) {
            const standard = descriptor <= 2, known = standard || descriptor === ROOT;
            if (!known && !open.has(descriptor)) return BADF;
            const type = descriptor === ROOT             ? DIRECTORY :
                standard && descriptor === 2 && terminal ? TERMINAL :
                                                           REGULAR;
            // A terminal is what can neither seek nor tell.
            const rights = type === TERMINAL ? ~(4n | 32n) & 0x1fffffffn : 0x1fffffffn;
            bytes(at, 24).fill(0);
            view().setUint8(at, type);
            view().setBigUint64(at + 8, rights, true);
            view().setBigUint64(at + 16, rights, true);
            return OK;
        },
        fd_fdstat_set_flags: () => OK,
        fd_filestat_get(descriptor, at) {
            if (descriptor === ROOT) return stat(at, DIRECTORY, 0);
            if (descriptor <= 2) return stat(at, TERMINAL, 0);
            const opened = position(descriptor);
            return opened ? stat(at, REGULAR, opened.file.size, opened.file.number) : BADF;
        },
        fd_filestat_set_size(descriptor, size) {
            const opened = position(descriptor);
            if (!opened) return BADF;
            resize(opened.file, Number(size));
            return OK;
        },
        fd_filestat_set_times: () => OK,
        fd_sync: () => OK,
        fd_datasync: () => OK,
        fd_close: descriptor => descriptor <= 2 || open.delete(descriptor) ? OK : BADF,
        fd_read(descriptor, vector, count, done) {
            if (descriptor === 0) return pieces(vector, count, done, () => 0);
            const opened = position(descriptor);
            if (!opened) return BADF;
            pieces(vector, count, done, readAt(opened.file, opened.at));
            opened.at += view().getUint32(done, true);
            return OK;
        },
        fd_pread(descriptor, vector, count, offset, done) {
            const opened = position(descriptor);
            return opened ? pieces(vector, count, done, readAt(opened.file, Number(offset))) : BADF;
        },
        fd_write(descriptor, vector, count, done) {
            if (descriptor === 1 || descriptor === 2)
                return pieces(vector, count, done, data => {
                    out(descriptor, data);
                    return data.length;
                });
            const opened = position(descriptor);
            if (!opened) return BADF;
            if (opened.append) opened.at = opened.file.size;
            pieces(vector, count, done, writeAt(opened.file, opened.at));
            opened.at += view().getUint32(done, true);
            return OK;
        },
        fd_pwrite(descriptor, vector, count, offset, done) {
            const opened = position(descriptor);
            return opened ? pieces(vector, count, done, writeAt(opened.file, Number(offset))) :
                            BADF;
        },
        fd_seek(descriptor, offset, whence, at) {
            const opened = position(descriptor);
            if (!opened) return BADF;
            const from = whence === 0 ? 0 : whence === 1 ? opened.at : opened.file.size;
            if (from + Number(offset) < 0) return INVAL;
            opened.at = from + Number(offset);
            view().setBigUint64(at, BigInt(opened.at), true);
            return OK;
        },
        fd_readdir(descriptor, at, size, cookie, done) {
            view().setUint32(done, 0, true);
            return OK;
        },

        path_open(folder, lookup, at, size, flags, rights, inheriting, modes, result) {
            const name = text(at, size);
            const create = flags & 1, directory = flags & 2, exclusive = flags & 4;
            let file = files.find(name);
            if (!file && (directory || files.isFolder(name)) && !create) {
                if (!files.isFolder(name)) return NOENT;
                file = {bytes: new Uint8Array(0), size: 0};
            }
            if (file && exclusive && create) return EXIST;
            if (!file && !create) return NOENT;
            if (!file) {
                files.put(name, new Uint8Array(0));
                file = files.find(name);
            }
            if (flags & 8) resize(file, 0);
            open.set(next, {file, at: 0, append: modes & 1});
            view().setUint32(result, next++, true);
            return OK;
        },
        path_filestat_get(folder, lookup, at, size, result) {
            const name = text(at, size), file = files.find(name);
            return file              ? stat(result, REGULAR, file.size, file.number) :
                files.isFolder(name) ? stat(result, DIRECTORY, 0) :
                                       NOENT;
        },
        path_readlink: () => INVAL,
        path_create_directory: () => NOSYS,
        path_remove_directory: () => NOSYS,
        path_rename(folder, at, size, toFolder, toAt, toSize) {
            const from = Files.whole(text(at, size)), file = files.all.get(from);
            if (!file) return NOENT;
            files.all.delete(from);
            files.all.set(Files.whole(text(toAt, toSize)), file);
            return OK;
        },
        path_unlink_file(folder, at, size) {
            const name = text(at, size);
            return files.all.delete(Files.whole(name)) ? OK : files.isFolder(name) ? ISDIR : NOENT;
        },
    };
    return {wasi_snapshot_preview1: calls};
}
