// question: what is asked about one access: fields, the words of `warplens explain` that they are, and the answer.

// name → option; `decl` is the first word. Lists are told apart by commas or ends of lines.
const OPTIONS = {
    access: '--access',
    bytes: '--bytes',
    op: '--op',
    vector: '--vector',
    width: '--width',
    at: '--at',
    offset: '--offset',
    swizzle: '--swizzle',
    block: '--block',
    warp: '--warp',
    lanes: '--lanes',
    if: '--if',
    source: '--source',
    bank: '--bank-bytes'
};

export const FIELDS = ['decl', ...Object.keys(OPTIONS), 'set', 'global'];

// "p=1, k=lane/2" → [['p', '1'], ['k', 'lane/2']]
export function settings(text) {
    return (text || '').split(/[,\n]/).map(part => part.trim()).filter(Boolean).map(part => {
        const at = part.indexOf('=');
        return at < 0 ? [part, ''] : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
    });
}

export function withSetting(text, name, value) {
    return settings(text)
        .map(([known, old]) => `${known}=${known === name ? value : old}`)
        .join(', ');
}

export function questionWords(fields) {
    const words = ['explain'];
    for (const [name, option] of Object.entries(OPTIONS))
        if (fields[name]) words.push(`${option}=${fields[name]}`);
    for (const [name, value] of settings(fields.set)) words.push(`--set=${name}=${value}`);
    if (fields.global) words.push('--global');
    if (fields.decl && !fields.bytes) words.push('--', fields.decl);
    return words;
}

// The command that asks the same in a terminal.
export function questionCommand(fields) {
    const quoted = word =>
        /^[\w.\/=,:+-]+$/.test(word) ? word : `'${word.replaceAll('\'', '\'\\\'\'')}'`;
    const words = questionWords(fields);
    const dashes = words.indexOf('--');
    if (dashes > 0) {
        const [, declaration] = words.splice(dashes, 2);
        words.splice(1, 0, declaration);
    }
    return ['warplens', ...words.map(quoted)].join(' ');
}

// "--access:1:8: error: expected …" → {field: 'access', line, column, message}; without a place the field is null, or the
// one whose option the message names.
export function diagnostics(text) {
    const byOption =
        Object.fromEntries(Object.entries(OPTIONS).map(([name, option]) => [option, name]));
    byOption['--set'] = 'set';
    byOption.declaration = 'decl';
    const found = [];
    for (const line of text.split('\n')) {
        const placed = line.match(/^([^:\s]+):(\d+):(\d+): (error|warning|note): (.*)/);
        const plain = line.match(/^warplens(?: \w+)?: (?:error: )?(.*)/);
        if (placed)
            found.push({
                field: byOption[placed[1]] || null,
                column: Number(placed[3]),
                message: placed[5]
            });
        else if (plain) {
            const named = plain[1].match(/(--[a-z-]+)/);
            found.push(
                {field: (named && byOption[named[1]]) || null, column: 0, message: plain[1]});
        }
    }
    return found;
}

// {data: docs/explain.schema.json, svg, text} or {wrong: diagnostics}.
export async function ask(program, fields) {
    const words = questionWords(fields);
    const [command, ...rest] = words;
    const json = await program.run([command, '--format=json', ...rest]);
    if (json.status !== 0) return {wrong: diagnostics(json.err), err: json.err};
    const drawn = await program.run([command, '--format=svg', ...rest]);
    const listed = await program.run([command, '--format=term', ...rest]);
    return {data: JSON.parse(json.out), svg: drawn.out, text: listed.out};
}
