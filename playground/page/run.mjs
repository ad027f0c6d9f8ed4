// run: the view of a kernel that is executed: its text or file, a form made of its parameters, progress, Stop, and the report beside it.
import {checkOf} from './checks.mjs';
import {Stopped} from './client.mjs';
import {announce, byId, el} from './elements.mjs';
import {download} from './explain.mjs';
import {example, kernelsOf} from './kernels.mjs';
import {readNpy} from './npy.mjs';
import {reportFrame} from './report.mjs';
import {SAMPLES} from './samples.mjs';

const WARP_LIMIT = 1 << 28;  // instructions of a warp without progress: an endless kernel ends soon

export class RunView {
    constructor(program, changed) {
        this.program = program;
        this.changed = changed;
        this.files = {};
        this.name = '/kernel.ptx';
        this.inputs = {};
        this.kernels = [];
        this.result = el('div', {class: 'result'});
        this.parameters = el('fieldset', {class: 'parameters'}, el('legend', {}, 'Arguments'));
        this.element = el('div', {class: 'run'}, this.form(), this.result);
    }

    form() {
        const three = (name, label, value) => {
            this.inputs[name] = el(
                'input', {id: `r-${name}`, value, spellcheck: 'false', oninput: () => this.tell()});
            return el('div', {class: 'field small'}, el('label', {'for': `r-${name}`}, label),
                this.inputs[name]);
        };
        this.menu =
            el('select', {id: 'samples', onchange: () => this.choose(SAMPLES[this.menu.value])},
                el('option', {value: ''}, 'Samples …'),
                SAMPLES.map((at, i) => el('option', {value: i}, at.title)));
        this.text = el('textarea', {
            id: 'r-text',
            rows: 12,
            spellcheck: 'false',
            placeholder: 'PTX',
            oninput: () => this.typed()
        });
        this.kernel = el('select', {id: 'r-kernel', onchange: () => this.showParameters()});
        this.wrong = el('pre', {class: 'wrong', role: 'alert', id: 'r-wrong'});
        this.go = el('button', {type: 'submit', class: 'main', id: 'run'}, 'Run');
        this.halt = el('button',
            {type: 'button', id: 'stop', disabled: true, onclick: () => this.stop()}, 'Stop');
        this.progress = el('p', {class: 'progress', id: 'progress'});
        this.source = el('details', {class: 'source', hidden: true}, el('summary', {}),
            el('pre', {tabindex: '0'}));
        return el('form', {
            class: 'fields',
            onsubmit: event => {
                event.preventDefault();
                this.run();
            }
        },
            el('div', {class: 'field'}, el('label', {'for': 'samples'}, 'Sample'), this.menu),
            this.source,
            el('div', {class: 'field'},
                el('label', {'for': 'r-text'}, 'PTX, or drop a .ptx, .cubin or program here'),
                this.text),
            el('div', {class: 'field'}, el('label', {'for': 'r-file'}, 'File'), el('input', {
                type: 'file',
                id: 'r-file',
                onchange: event => event.target.files[0] && this.take(event.target.files[0])
            })),
            el('div', {class: 'field'}, el('label', {'for': 'r-kernel'}, 'Kernel'), this.kernel),
            el('div', {class: 'row'}, three('grid', 'Grid', '1'), three('block', 'Block', '32'),
                three('shared', 'Dynamic shared bytes', '')),
            this.parameters, this.wrong, el('div', {class: 'row'}, this.go, this.halt),
            this.progress);
    }

    // ---- what is run ----

    async take(file) {
        const bytes = new Uint8Array(await file.arrayBuffer());
        const isText = /\.ptx$/i.test(file.name) ||
            bytes.subarray(0, 4096).every(byte => byte >= 9 && byte < 127);
        this.name = `/${file.name.replace(/[^\w.-]/g, '_')}`;
        this.files = {[this.name]: bytes};
        this.text.value = isText ? new TextDecoder().decode(bytes) : '';
        this.menu.value = '';
        this.text.placeholder = isText ? 'PTX' : `${file.name}, ${bytes.length} bytes`;
        this.showSource(null);
        await this.look();
    }

    typed() {
        this.name = '/kernel.ptx';
        this.menu.value = '';
        this.progress.textContent = '';
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.look(), 400);
    }

    showSource(text, of = '') {
        this.source.hidden = !text;
        this.source.querySelector('summary').textContent = `CUDA source: ${of}`;
        this.source.querySelector('pre').textContent = text || '';
    }

    async choose(sample) {
        if (!sample) return;
        const {ptx, source, path} = sample.files();
        this.name = `/${path}`;
        this.files = {[this.name]: ptx, [`/${path.replace(/ptx$/, 'cu')}`]: source};
        this.text.value = ptx;
        this.showSource(source, path.replace(/.*\/|ptx$/g, '') + 'cu');
        await this.look(sample);
    }

    async show(fields) {
        const sample = SAMPLES.find(at => at.title === fields.sample);
        if (sample) {
            this.menu.value = SAMPLES.indexOf(sample);
            return this.choose(sample);
        }
        if (!fields.ptx) return null;
        this.text.value = fields.ptx;
        this.files = {};
        return this.look({
            kernel: fields.kernel || '',
            grid: fields.grid,
            block: fields.block,
            shared: fields.shared,
            arguments: (fields.args || '').split('\n').filter(Boolean)
        });
    }

    fields() {
        const sample = SAMPLES[this.menu.value];
        if (sample && this.name === `/${sample.path}`) return {sample: sample.title};
        return {
            ptx: this.text.value,
            kernel: this.kernel.value,
            grid: this.inputs.grid.value,
            block: this.inputs.block.value,
            shared: this.inputs.shared.value,
            args: this.arguments().join('\n')
        };
    }

    tell() {
        this.changed(this.fields());
    }

    contents() {
        return this.text.value ? {...this.files, [this.name]: this.text.value} : this.files;
    }

    // ---- the form of a kernel ----

    // wanted: what the form shall have; without it what it has stays, where the text has such a kernel.
    async look(wanted) {
        const before = {kernel: this.kernel.value, arguments: this.arguments()};
        this.wrong.textContent = '';
        this.kernel.replaceChildren();
        this.parameters.replaceChildren(el('legend', {}, 'Arguments'));
        if (!Object.keys(this.contents()).length) return;
        const {kernels, wrong} = await kernelsOf(this.program, this.contents(), this.name);
        if (wrong) {
            this.wrong.textContent = wrong;
            announce(wrong);
            return;
        }
        this.kernels = kernels;
        this.kernel.replaceChildren(
            ...kernels.map(({symbol, name}) => el('option', {value: symbol}, name)));
        if (wanted) {
            const found = kernels.find(({symbol}) => symbol === wanted.kernel) ||
                kernels.find(({name}) => name.includes(wanted.kernel)) || kernels[0];
            this.kernel.value = found.symbol;
            this.inputs.grid.value = wanted.grid || '1';
            this.inputs.block.value = wanted.block || '32';
            this.inputs.shared.value = wanted.shared || '';
        }
        const again = !wanted && kernels.find(({symbol}) => symbol === before.kernel);
        if (again) this.kernel.value = again.symbol;
        const same = again && again.parameters?.length === before.arguments.length;
        this.showParameters(same ? before.arguments : wanted?.arguments);
    }

    chosen() {
        return this.kernels.find(({symbol}) => symbol === this.kernel.value);
    }

    showParameters(texts = []) {
        const {parameters = [], block, wrong = ''} = this.chosen();
        this.wrong.textContent = wrong;
        if (wrong) announce(wrong);
        if (block) this.inputs.block.value = block.join();
        this.parameters.replaceChildren(
            el('legend', {}, parameters.length || wrong ? 'Arguments' : 'It takes no arguments'),
            ...parameters.map((takes, i) => el('div', {class: 'field'},
                                  el('label', {'for': `a-${i}`}, `${i}: `,
                                      el('code', {}, takes.declared || takes.type)),
                                  el('input', {
                                      id: `a-${i}`,
                                      class: 'argument',
                                      value: texts[i] || example(takes),
                                      spellcheck: 'false',
                                      oninput: () => this.tell()
                                  }))));
        this.tell();
    }

    arguments() {
        return [...this.parameters.querySelectorAll('.argument')].map(input => input.value);
    }

    words() {
        const words = [
            'kernel', this.name, `--grid=${this.inputs.grid.value}`,
            `--block=${this.inputs.block.value}`
        ];
        if (this.kernel.value) words.push(`--kernel=${this.kernel.value}`);
        if (this.inputs.shared.value) words.push(`--shared=${this.inputs.shared.value}`);
        words.push(...this.arguments().map(text => `--arg=${text}`));
        return words;
    }

    // ---- running ----

    async run() {
        this.wrong.textContent = '';
        this.go.disabled = true;
        this.halt.disabled = false;
        this.progress.textContent = 'Running …';
        this.result.replaceChildren();
        const started = performance.now();
        try {
            await this.launch();
            this.progress.textContent = `${((performance.now() - started) / 1000).toFixed(1)} s`;
        } catch (error) {
            this.progress.textContent = error instanceof Stopped ? 'Stopped.' : error.message;
        }
        announce(this.progress.textContent);
        this.go.disabled = false;
        this.halt.disabled = true;
    }

    async launch() {
        const arrays = this.arguments().map(text => /^\w+\[/.test(text));
        const dumps = arrays.flatMap((is, i) => is ? [`--dump=${i}=/argument${i}.npy`] : []);
        const check = checkOf(this.chosen()?.name || '');
        const ran = await this.program.run(
            [
                ...this.words(), '--output=/out.wlp', '--page=none', `--limit=${WARP_LIMIT}`,
                ...(check ? dumps : [])
            ],
            {
                files: this.contents(),
                long: true,
                keep: ['/out.wlp', ...arrays.map((is, i) => `/argument${i}.npy`)],
                progress: text => {
                    this.progress.textContent = text;
                }
            });
        const profile = ran.files['/out.wlp'];
        const said = ran.err.split('\n')
                         .filter(line => !/^warplens: profile saved/.test(line))
                         .join('\n')
                         .trim();
        if (ran.status !== 0) this.wrong.textContent = said;
        if (ran.out.trim())
            this.result.append(el('h3', {}, 'It printed'),
                el('pre', {class: 'printed', id: 'printed', tabindex: '0'}, ran.out));
        if (!profile) return;
        if (check && ran.status === 0) this.showCheck(check, ran.files);
        const page = await this.program.run(
            ['report', '/out.wlp', '--format=html'], {files: {'/out.wlp': profile}});
        this.profile = profile;
        this.result.append(
            el('p', {class: 'row'},
                el('button', {
                    type: 'button',
                    id: 'save-profile',
                    onclick: () => download('kernel.wlp', profile, 'application/octet-stream')
                },
                    'Save the profile'),
                el('button',
                    {type: 'button', onclick: () => download('report.html', page.out, 'text/html')},
                    'Save the page')),
            reportFrame(page.out, 'Report of this launch'));
    }

    showCheck(check, files) {
        const texts = this.arguments();
        const arrays = texts.map(
            (text, i) => files[`/argument${i}.npy`] ? readNpy(files[`/argument${i}.npy`]) : null);
        const numbers = texts.map(text => Number(text.match(/^\w+=(-?[\d.]+)$/)?.[1]));
        const threads = this.inputs.block.value.split(',').reduce((all, size) => all * size, 1);
        const differs = check(arrays, numbers, threads);
        if (differs === null) return;
        this.result.append(el('p', {class: differs ? 'wrong' : 'good', id: 'check'},
            differs ? `✗ The result is wrong: ${differs}` : '✓ The result is as it should be'));
    }

    stop() {
        this.program.stop();
    }
}
