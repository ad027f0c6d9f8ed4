// element: <warplens-explain decl="float tile[32][32 + p]" access="tile[lane][k]" set="p=0, k=0">, a live picture in a lesson. Attributes
// are the fields of the page's view; `range="p=0:33"` is of a slider, `curve="p"` draws the curve. All elements of a page share a program.
import {loadModule} from './assets.mjs';
import {Program} from './client.mjs';
import {drawCurve, measure} from './curve.mjs';
import {picture} from './dom.mjs';
import {el} from './elements.mjs';
import {ask, FIELDS, settings, withSetting} from './question.mjs';

const STYLE = `
:host { display: block; margin: 1em 0; font: 0.95em ui-sans-serif, system-ui, sans-serif; }
.sliders { display: flex; flex-wrap: wrap; gap: 0.3em 1.5em; margin-block-end: 0.4em; }
label { display: inline-flex; gap: 0.5em; align-items: center; font-family: ui-monospace, monospace; }
.picture { overflow-x: auto; max-width: 54rem; }
.wrong { color: light-dark(#b3261e, #ff8a75); }
pre { overflow: auto; max-height: 20em; font-size: 0.85em; }
.curve { width: min(100%, 45rem); font: 11px ui-sans-serif, system-ui, sans-serif; }
.curve text { fill: GrayText; } .curve .mid { text-anchor: middle; } .curve .strong { fill: CanvasText; font-weight: 600; }
.curve .bar { fill: #4a90c8; cursor: pointer; } .curve .worse { fill: #d9822b; } .curve .chosen { stroke: CanvasText; stroke-width: 2; }
`;

let shared = null;
const program = () => shared ??= new Program(loadModule(new URL('warplens.wasm', import.meta.url)));

class WarplensExplain extends HTMLElement {
    static observedAttributes = FIELDS;

    connectedCallback() {
        if (!this.shadowRoot) {
            this.attachShadow({mode: 'open'});
            this.sliders = el('div', {class: 'sliders'});
            this.shown = el('div', {}, '…');
            this.curve = el('div', {});
            this.shadowRoot.append(el('style', {}, STYLE), this.sliders, this.shown, this.curve);
        }
        this.update();
    }

    attributeChangedCallback() {
        if (this.shadowRoot) this.update();
    }

    fields() {
        const fields = {};
        for (const name of FIELDS)
            if (this.hasAttribute(name)) fields[name] = this.getAttribute(name) || '1';
        return fields;
    }

    range(name) {
        const [, least, most] = (this.getAttribute('range') || '')
                                    .match(new RegExp(`(?:^|,\\s*)${name}=(\\d+):(\\d+)`)) ||
            [0, 0, 33];
        return [Number(least), Number(most)];
    }

    set(name, value) {
        this.setAttribute('set', withSetting(this.getAttribute('set'), name, value));
    }

    showSliders() {
        const numbers =
            settings(this.getAttribute('set')).filter(([, value]) => /^\d+$/.test(value));
        if (this.sliders.childElementCount === numbers.length) return;
        this.sliders.replaceChildren(...numbers.map(([name, value]) => {
            const [min, max] = this.range(name), output = el('output', {}, value);
            return el('label', {}, name, el('input', {
                type: 'range',
                min,
                max,
                value,
                oninput: ({target}) => {
                    output.value = target.value;
                    this.set(name, target.value);
                }
            }),
                output);
        }));
    }

    async update() {
        const number = this.asked = (this.asked || 0) + 1, fields = this.fields();
        this.showSliders();
        try {
            const asked = program(), answer = await ask(asked, fields);
            if (number !== this.asked) return;
            if (answer.wrong) {
                this.shown.replaceChildren(el('pre', {class: 'wrong', role: 'alert'}, answer.err));
                return;
            }
            this.shown.replaceChildren(picture(answer.svg),
                el('details', {}, el('summary', {}, 'As text'),
                    el('pre', {tabindex: '0'}, answer.text)));
            this.dataset.ready = '';
            const name = this.getAttribute('curve');
            if (name) await this.showCurve(asked, fields, name);
        } catch (error) {  // without the program (a page of a disk): what the lesson has instead
            this.shown.replaceChildren(el('slot'));
            this.title = error.message;
        }
    }

    async showCurve(asked, fields, name) {
        this.points ??= await measure(asked, fields, name, ...this.range(name));
        const now = settings(this.getAttribute('set')).find(([known]) => known === name);
        this.curve.replaceChildren(drawCurve(this.points, name, Number(now?.[1]), value => {
            this.set(name, value);
            this.sliders.replaceChildren();
            this.showSliders();
        }));
    }
}

customElements.define('warplens-explain', WarplensExplain);
