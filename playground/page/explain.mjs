// explain: the view of one access: fields, sliders of its variables, its picture, the same as text, and the curve.
import {drawCurve, measure} from './curve.mjs';
import {picture} from './dom.mjs';
import {announce, el} from './elements.mjs';
import {GALLERY} from './gallery.mjs';
import {askLayout, drawLayout, hasLayout} from './layout.mjs';
import {ask, questionCommand, settings, withSetting} from './question.mjs';

const OPERATIONS = [
    'load', 'store', 'cas', 'increment', 'ldmatrix.x1', 'ldmatrix.x2', 'ldmatrix.x4', 'stmatrix.x4',
    'cp.async.ca', 'cp.async.cg', 'atom.add.f32', 'atom.add.u32', 'atom.add.f64', 'ld.shared.v4.f32'
];
const MAIN = [
    ['decl', 'Declaration', 'float tile[32][33]'],
    ['access', 'What each lane accesses', 'tile[threadIdx.x][k]'],
    ['set', 'Variables', 'k=0, p=1'],
];
const MORE = [
    ['op', 'Operation', 'load', 'load, store, atom.add.f32, ldmatrix.x4, cp.async.cg …'],
    ['swizzle', 'Swizzle B,M,S', '', 'CuTe\'s Swizzle<B,M,S> on element numbers'],
    ['vector', 'Elements a lane', '', 'so many, one after the other, from there on'],
    ['block', 'Block', '', 'threads of a block: 32,8'],
    ['warp', 'Warp', '', 'of the block'],
    ['lanes', 'Lanes', '', 'that take part: 0-15,24 or 0xffff'],
    ['if', 'Only if', '', 'lane < 16'],
    ['offset', 'Array begins at byte', '', ''],
    ['width', 'Bytes a lane', '', ''],
    ['at', 'from byte of the element', '', ''],
    ['bytes', 'Addresses instead', '', 'byte addresses of lanes 0, 1, … or a formula: lane * 8'],
];
const RANGE = [0, 33];  // of a slider whose example says nothing else

export class ExplainView {
    constructor(program, changed) {
        this.program = program;
        this.changed = changed;
        this.slide = {};
        this.inputs = {};
        this.answers = el('div', {class: 'answer'});
        this.sliders = el('div', {class: 'sliders'});
        this.curve = el('div', {class: 'curve-place'});
        this.about = el('p', {class: 'about'});
        this.element = el('div', {class: 'explain'}, this.form(),
            el('div', {}, this.about, this.answers, this.curve));
        this.asked = 0;
    }

    form() {
        const field = ([name, label, placeholder, help]) => {
            const id = `f-${name}`;
            const input = el('input', {
                id,
                name,
                placeholder,
                list: name === 'op' ? 'operations' : null,
                spellcheck: 'false',
                autocomplete: 'off',
                autocapitalize: 'off',
                'aria-describedby': `${id}-says`,
                oninput: () => this.typed()
            });
            this.inputs[name] = input;
            return el('div', {class: 'field'}, el('label', {'for': id}, label), input,
                el('div', {class: 'says', id: `${id}-says`, role: 'alert'}, ''),
                help ? el('div', {class: 'help'}, help) : null);
        };
        this.inputs.global =
            el('input', {type: 'checkbox', id: 'f-global', onchange: () => this.typed()});
        const groups = [...new Set(GALLERY.map(at => at.group))];
        this.choice = el('select',
            {id: 'gallery', onchange: () => this.choose(GALLERY[this.choice.value])},
            el('option', {value: ''}, 'Examples …'),
            groups.map(
                group => el('optgroup', {label: group},
                    GALLERY.map((at, i) => at.group === group ? el('option', {value: i}, at.title) :
                                                                null))));
        return el('form', {class: 'fields', onsubmit: event => event.preventDefault()},
            el('div', {class: 'field'}, el('label', {'for': 'gallery'}, 'Gallery'), this.choice),
            MAIN.map(field), this.sliders,
            el('div', {class: 'field check'}, this.inputs.global,
                el('label', {'for': 'f-global'}, 'in global memory: sectors')),
            el('details', {class: 'more'}, el('summary', {}, 'More: operation, swizzle, lanes …'),
                MORE.map(field)),
            el('datalist', {id: 'operations'}, OPERATIONS.map(value => el('option', {value}))));
    }

    fields() {
        const fields = {};
        for (const [name, input] of Object.entries(this.inputs)) {
            const value = name === 'global' ? input.checked && '1' : input.value.trim();
            if (value) fields[name] = value;
        }
        return fields;
    }

    // Of an address or an example.
    show(fields, slide = {}) {
        for (const [name, input] of Object.entries(this.inputs)) {
            if (name === 'global')
                input.checked = Boolean(fields.global);
            else
                input.value = fields[name] || '';
        }
        this.slide = slide;
        this.element.querySelector('details.more').open = MORE.some(([name]) => fields[name]);
        return this.update();
    }

    choose(example) {
        if (!example) return;
        this.about.textContent = example.text;
        this.show(example.fields, example.slide);
    }

    typed() {
        this.about.textContent = '';
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.update(), 120);
    }

    // Variables whose value is a number have sliders.
    showSliders(fields) {
        const numbers = settings(fields.set).filter(([, value]) => /^-?\d+$/.test(value));
        const names = numbers.map(([name]) => name).join();
        if (this.sliders.dataset.names === names) {
            for (const [name, value] of numbers) {
                const range = this.sliders.querySelector(`[name="${CSS.escape(name)}"]`);
                range.value = value;
                range.nextElementSibling.value = value;
            }
            return;
        }
        this.sliders.dataset.names = names;
        this.sliders.replaceChildren(...numbers.map(([name, value]) => {
            const [least, most] = this.slide[name] || RANGE;
            const output = el('output', {'for': `s-${name}`}, value);
            return el('div', {class: 'slider'}, el('label', {'for': `s-${name}`}, name),
                el('input', {
                    type: 'range',
                    id: `s-${name}`,
                    name,
                    min: Math.min(least, value),
                    max: Math.max(most, value),
                    value,
                    oninput: event => {
                        output.value = event.target.value;
                        this.set(name, event.target.value);
                    }
                }),
                output,
                el('button', {type: 'button', onclick: () => this.showCurve(name)}, 'Curve'));
        }));
    }

    set(name, value) {
        this.inputs.set.value = withSetting(this.inputs.set.value, name, value);
        this.update();
    }

    async update() {
        const fields = this.fields(), number = ++this.asked;
        this.showSliders(fields);
        this.changed(fields);
        if (!fields.bytes && !(fields.decl && fields.access)) {
            this.say([]);
            this.answers.replaceChildren(
                el('p', {class: 'dim'}, 'Give a declaration and what each lane accesses of it.'));
            return;
        }
        const answer = await ask(this.program, fields);
        if (number !== this.asked) return;  // there is a newer question
        this.say(answer.wrong || []);
        if (answer.wrong) {
            this.answers.classList.add('stale');
            announce(answer.wrong.map(at => at.message).join('; '));
            return;
        }
        this.answers.classList.remove('stale');
        const layout = hasLayout(fields) ? await askLayout(this.program, fields) : null;
        if (number !== this.asked) return;
        const {cost, ideal, unit} = answer.data;
        announce(`${cost} ${unit}, at best ${ideal}`);
        this.answers.replaceChildren(picture(answer.svg),
            layout ? el('details', {open: true}, el('summary', {}, 'The layout, as CuTe prints it'),
                         drawLayout(layout, fields.decl)) :
                     '',
            el('details', {}, el('summary', {}, 'Lane by lane, as text'),
                el('pre', {tabindex: '0'}, answer.text)),
            el('details', {}, el('summary', {}, 'The same in a terminal'),
                el('pre', {}, questionCommand(fields))),
            el('p', {class: 'save'},
                el('button', {
                    type: 'button',
                    onclick: () => download('access.svg', answer.svg, 'image/svg+xml')
                },
                    'Save the picture')));
        if (this.curveOf) this.markCurve();
    }

    say(wrong) {
        for (const [name, input] of Object.entries(this.inputs)) {
            const place = this.element.querySelector(`#f-${name}-says`);
            if (!place) continue;
            const here = wrong.filter(at => at.field === name);
            place.replaceChildren(...here.flatMap(
                at => [at.column ? el('pre', {class: 'caret', 'aria-hidden': 'true'},
                                       `${input.value}\n${' '.repeat(at.column - 1)}^`) :
                                   '',
                    at.message]));
            input.toggleAttribute('aria-invalid', here.length > 0);
            if (here.length) input.setAttribute('aria-invalid', 'true');
            if (here.length && MORE.some(([known]) => known === name))
                this.element.querySelector('details.more').open = true;
        }
        const general = wrong.filter(at => !at.field);
        this.element.querySelector('.general')?.remove();
        if (general.length)
            this.answers.before(el('p', {class: 'general wrong', role: 'alert'},
                general.map(at => at.message).join('; ')));
    }

    async showCurve(name) {
        const [first, last] = this.slide[name] || [1, 33];
        this.curve.replaceChildren(el('p', {class: 'dim'}, 'Asking …'));
        const points = await measure(this.program, this.fields(), name, first, last);
        this.curveOf = {name, points};
        this.markCurve();
    }

    markCurve() {
        const {name, points} = this.curveOf;
        const now = settings(this.inputs.set.value).find(([known]) => known === name);
        if (!now || !points.length) {
            this.curveOf = null;
            this.curve.replaceChildren();
            return;
        }
        this.curve.replaceChildren(el('h3', {}, `By ${name}`),
            drawCurve(points, name, Number(now[1]), value => this.set(name, value)),
            el('details', {}, el('summary', {}, 'As a table'),
                el('table', {},
                    el('tr', {}, el('th', {}, name), el('th', {}, points[0].unit),
                        el('th', {}, 'at best')),
                    points.map(point => el('tr', {}, el('td', {}, point.value),
                                   el('td', {}, point.cost), el('td', {}, point.ideal))))));
    }
}

export function download(name, content, type) {
    const link = el('a', {href: URL.createObjectURL(new Blob([content], {type})), download: name});
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
