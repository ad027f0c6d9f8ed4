// memory: what an instance of the program has, which it may share with helpers (threads.mjs). Where the page is not isolated it is shared with
// nobody.

const FIRST_PAGES = 256, MOST_PAGES = 16384;  // of 64 KiB, as playground/CMakeLists.txt says

export function newMemory() {
    return new WebAssembly.Memory({initial: FIRST_PAGES, maximum: MOST_PAGES, shared: true});
}
