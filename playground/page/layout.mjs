// layout: the picture of a layout as CuTe prints it: a table with the element in each place, its bank, and which value of which thread it is,
// coloured by thread, or by bank where there are none. It is a table for screen readers, too.
import {el} from './elements.mjs';

const BANKS = 32, THREADS = 32;
const hue = (at, of) => `background: hsl(${Math.round((at % of) * 330 / of)} 65% 84%)`;

export const hasLayout = fields => !fields.bytes && /:[^:]*\(|:.*</.test(fields.decl || '');

// {element_bytes, threads, rows} or null: it has no such layout, or the question about the access says what is wrong.
export async function askLayout(program, fields) {
    const words = ['explain', '--layout', '--format=json'];
    if (fields.offset) words.push(`--offset=${fields.offset}`);
    const {out, status} = await program.run([...words, '--', fields.decl]);
    return status === 0 ? JSON.parse(out) : null;
}

export function drawLayout({threads, rows}, declaration) {
    const cell = ({element, bank, thread, value}) => el('td',
        {style: !threads        ? hue(bank, BANKS) :
                thread === null ? null :
                                  hue(thread, THREADS)},
        threads ? el('b', {}, thread === null ? '–' : `T${thread} V${value}`) : null,
        el('span', {}, element), el('small', {}, `bank ${bank}`));
    const caption = threads ? 'A place has the thread and its value, the element, and its bank' :
                              'A place has the element, and its bank';
    return el('div', {class: 'layout', tabindex: '0', role: 'region', 'aria-label': declaration},
        el('table', {}, el('caption', {}, `${caption}.`),
            el('tr', {}, el('td', {}), rows[0].map((_, i) => el('th', {scope: 'col'}, i))),
            rows.map((cells, i) => el('tr', {}, el('th', {scope: 'row'}, i), cells.map(cell)))));
}
