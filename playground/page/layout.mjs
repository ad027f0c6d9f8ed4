// layout: the picture of a layout as CuTe prints it: a table with the element in each place, its bank, which value of which thread it is, and
// the wavefronts of the access that serve it, coloured by thread, or by bank where there are none. It is a table for screen readers, too.
import {el} from './elements.mjs';
import {questionWords} from './question.mjs';

const BANKS = 32, THREADS = 32;
const hue = (at, of) => `background: hsl(${Math.round((at % of) * 330 / of)} 65% 84%)`;

export const hasLayout = fields => !fields.bytes && /:[^:]*\(|:.*</.test(fields.decl || '');

// {element_bytes, threads, rows} or null: it has no such layout, or the question about the access says what is wrong.
export async function askLayout(program, fields) {
    const {decl, offset} = fields;  // of global memory there are no wavefronts
    const [command, ...rest] = questionWords(fields.global ? {decl, offset} : fields);
    const {out, status} = await program.run([command, '--layout', '--format=json', ...rest]);
    return status === 0 ? JSON.parse(out) : null;
}

export function drawLayout({threads, rows}, declaration) {
    const cell = ({element, bank, thread, value, wavefronts = []}) => el('td', {
        style: !threads     ? hue(bank, BANKS) :
            thread === null ? null :
                              hue(thread, THREADS),
        class: wavefronts.length ? 'served' : null
    },
        threads ? el('b', {}, thread === null ? '–' : `T${thread} V${value}`) : null,
        el('span', {}, element), el('small', {}, `bank ${bank}`),
        wavefronts.length ? el('small', {class: 'wavefronts'},
                                `wavefront ${wavefronts.map(number => number + 1).join(', ')}`) :
                            null);
    const caption =
        `A place has ${threads ? 'the thread and its value, ' : ''}the element, its bank` +
        (rows[0][0].wavefronts ? ' and, where the access reaches it, its wavefront' : '');
    return el('div', {class: 'layout', tabindex: '0', role: 'region', 'aria-label': declaration},
        el('p', {id: 'layout-says'}, `${caption}.`),
        el('table', {'aria-describedby': 'layout-says'},
            el('tr', {}, el('td', {}), rows[0].map((_, i) => el('th', {scope: 'col'}, i))),
            rows.map((cells, i) => el('tr', {}, el('th', {scope: 'row'}, i), cells.map(cell)))));
}
