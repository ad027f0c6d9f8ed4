// kernels: which kernels a file has and what they take, as the program says.

// {kernels: [name …]} or {wrong: text}
export async function kernelsOf(program, files, name) {
    const {err, status} = await program.run(['kernel', name, '--print=lowered'], {files});
    if (status === 0) return {kernels: ['']};
    const kernels =
        [...err.matchAll(/: note: (.*)$/gm)].map(match => match[1].replace(/^void /, ''));
    return /kernels; name one/.test(err) ? {kernels} : {wrong: err};
}

// {takes: [{type, c}], block: what it requires or null} or {wrong: text}. A launch without arguments is refused with the list.
export async function parametersOf(program, files, name, kernel) {
    const words = ['kernel', name, '--no-save', '--quiet', ...(kernel ? ['-k', kernel] : [])];
    const first = await program.run([...words, '--block=1'], {files});
    const takes = [...first.err.matchAll(/^ +\d+ {2}(\S+)(?: {2}(.*))?$/gm)].map(
        ([, type, c]) => ({type, c: c || ''}));
    if (!takes.length && !/0 arguments for a kernel of 0|^$/.test(first.err))
        return {wrong: first.err};
    return {takes};
}

// What stands in a form for a parameter, to begin with.
export function example({type, c}) {
    const pointer = type === 'u64' && /\*/.test(c);
    if (!pointer) return `${type}=${/ ^[fb] /.test(type) ? '1' : '1024'}`;
    const of = [
        ['float', 'f32'], ['double', 'f64'], ['half', 'f16'], ['unsigned long long', 'u64'],
        ['long long', 's64'], ['unsigned char', 'u8'], ['unsigned short', 'u16'],
        ['unsigned', 'u32'], ['int', 's32']
    ].find(([word]) => c.includes(word));
    return `${of ? of[1] : 'u8'}[1024]${/ const /.test(c) ? '=random:1' : '=0'}`;
}
