// kernels: which kernels a file has, what they take and how they are launched, as the program says (kernel --print=kernels).

// {kernels: [{name, symbol, parameters, block, …, or wrong} …]} or {wrong: text}
export async function kernelsOf(program, files, name) {
    const {out, err, status} = await program.run(['kernel', name, '--print=kernels'], {files});
    if (status !== 0) return {wrong: err};
    const kernels = JSON.parse(out);
    return kernels.length ? {kernels} : {wrong: `there is no kernel in ${name}`};
}

// What stands in a form for a parameter, to begin with.
export function example({type, bytes, declared}) {
    const c = declared || '';
    if (type.startsWith('b')) return `bytes=${'00'.repeat(bytes)}`;
    if (type !== 'u64' || !c.includes('*')) return `${type}=${type.startsWith('f') ? '1' : '1024'}`;
    const of = [
        ['float', 'f32'], ['double', 'f64'], ['half', 'f16'], ['unsigned long long', 'u64'],
        ['long long', 's64'], ['unsigned char', 'u8'], ['unsigned short', 'u16'],
        ['unsigned', 'u32'], ['int', 's32']
    ].find(([word]) => c.includes(word));
    return `${of ? of[1] : 'u8'}[1024]${/\bconst\b /.test(c) ? '=random:1' : '=0'}`;
}
