// assets: the program, compiled. It is in the page (#wasm: deflated, base64), or beside the script.

async function inPage(text) {
    const packed = Uint8Array.from(atob(text.trim()), letter => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
    return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

export async function loadModule(address) {
    const inside = document.getElementById('wasm');
    if (inside) return inPage(inside.textContent);
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address}: ${response.status}`);
    if (response.headers.get('Content-Type') === 'application/wasm')  // compiled while it comes
        return WebAssembly.compileStreaming(response);
    return WebAssembly.compile(await response.arrayBuffer());
}
