// open: the view of profiles that were made elsewhere: one is read, two are compared.
import {announce, el} from './elements.mjs';
import {reportFrame} from './report.mjs';

export class OpenView {
    constructor(program) {
        this.program = program;
        this.profiles = [];
        this.wrong = el('pre', {class: 'wrong', role: 'alert', id: 'o-wrong'});
        this.list = el('ul', {class: 'files'});
        this.shown = el('div', {class: 'result'});
        this.element = el('div', {class: 'open'},
            el('div', {class: 'field'},
                el('label', {'for': 'o-file'},
                    'Profiles (.wlp): drop one here to read it, a second one to compare'),
                el('input', {
                    type: 'file',
                    id: 'o-file',
                    multiple: true,
                    accept: '.wlp',
                    onchange: event => this.take([...event.target.files])
                })),
            this.list, this.wrong, this.shown);
    }

    async take(files) {
        for (const file of files) {
            const bytes = new Uint8Array(await file.arrayBuffer());
            this.profiles = [...this.profiles, {name: file.name, bytes}].slice(-2);
        }
        await this.update();
    }

    async update() {
        this.wrong.textContent = '';
        this.list.replaceChildren(...this.profiles.map(
            (at, i) => el('li', {}, this.profiles.length === 2 ? `${i ? 'after' : 'before'}: ` : '',
                at.name, ' ',
                el('button', {
                    type: 'button',
                    'aria-label': `Close ${at.name}`,
                    onclick: () => {
                        this.profiles.splice(i, 1);
                        this.update();
                    }
                },
                    '×'))));
        this.shown.replaceChildren();
        if (!this.profiles.length) return;
        const files = Object.fromEntries(
            this.profiles.map((at, i) => [`/${i ? 'after' : 'before'}.wlp`, at.bytes]));
        const words = this.profiles.length === 1 ? ['report', '/before.wlp'] :
                                                   ['diff', '/before.wlp', '/after.wlp'];
        const made = await this.program.run([...words, '--format=html'], {files});
        if (!made.out) {
            this.wrong.textContent = made.err;
            announce(made.err);
            return;
        }
        this.shown.append(
            reportFrame(made.out, this.profiles.length === 1 ? 'Report' : 'Comparison'));
    }
}
