// memory: what an instance of the program has, which it may share with helpers (threads.mjs). Where the page is not isolated it is shared with
// nobody.

const FIRST_PAGES = 256, MOST_PAGES = 16384;  // of 64 KiB, as playground/CMakeLists.txt says

// Memory with helpers has its whole size from the beginning (../wasi/heap.c says why); the system gives of it what is written.
export function newMemory(helpers = 0) {
    return new WebAssembly.Memory(
        {initial: helpers ? MOST_PAGES : FIRST_PAGES, maximum: MOST_PAGES, shared: true});
}
