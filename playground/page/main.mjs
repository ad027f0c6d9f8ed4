// main: the views, which one the address asks for, and the program that they share.
import {loadModule} from './assets.mjs';
import {Program, threadsHere} from './client.mjs';
import {announce, byId, el} from './elements.mjs';
import {download, ExplainView} from './explain.mjs';
import {OpenView} from './open.mjs';
import {FIELDS} from './question.mjs';
import {RunView} from './run.mjs';
import {address, fromFragment, toFragment} from './share.mjs';

const RUN_FIELDS = ['sample', 'ptx', 'kernel', 'grid', 'block', 'shared', 'args'];
const FIRST = {
    decl: 'float tile[32][32 + p]',
    access: 'tile[lane][k]',
    set: 'p=0, k=0'
};
const state = {
    view: 'explain',
    explain: {},
    'run-view': {}
};

function showView(name) {
    state.view = name;
    for (const tab of document.querySelectorAll('[role=tab]')) {
        const chosen = tab.dataset.view === name;
        tab.setAttribute('aria-selected', chosen);
        tab.tabIndex = chosen ? 0 : -1;
        byId(tab.dataset.view).hidden = !chosen;
    }
}

function keepAddress() {
    const fields = state[state.view] || {};
    history.replaceState(null, '',
        address(state.view, fields) === null ? `#${state.view}` : toFragment(state.view, fields));
}

async function share() {
    const fields = state[state.view] || {}, link = address(state.view, fields);
    if (link === null) {
        download('playground.json', JSON.stringify({view: state.view, fields}, null, 1),
            'application/json');
        announce(byId('shared').textContent =
                     'Too long for an address: saved as a file, which can be dropped here');
        return;
    }
    try {
        await navigator.clipboard.writeText(link);
        announce(byId('shared').textContent = 'Copied');
    } catch {
        announce(byId('shared').textContent = 'It is in the address bar');
    }
    keepAddress();
}

function changed(view) {
    return fields => {
        state[view] = fields;
        byId('shared').textContent = '';
        if (state.view === view) keepAddress();
    };
}

async function start() {
    const module = loadModule('warplens.wasm');  // while it comes, the page is put together
    const quick = new Program(module), slow = new Program(module, threadsHere());
    const explain = new ExplainView(quick, changed('explain'));
    const run = new RunView(slow, changed('run-view'));
    const open = new OpenView(quick);
    byId('explain').append(explain.element);
    byId('run-view').append(run.element);
    byId('open').append(open.element);

    const route = async () => {
        const names = location.hash.startsWith('#run') ? RUN_FIELDS : FIELDS;
        const {view, fields} = fromFragment(location.hash, names);
        const given = Object.keys(fields).length > 0;
        showView(view === 'run' || view === 'run-view' ? 'run-view' :
                view === 'open'                        ? 'open' :
                                                         'explain');
        if (state.view === 'run-view') {
            if (given) await run.show(fields);
        } else if (state.view === 'explain') {
            await explain.show(given ? fields : FIRST);
        }
    };
    const tabs = [...document.querySelectorAll('[role=tab]')];
    tabs.forEach((tab, i) => {
        tab.addEventListener('click', () => {
            showView(tab.dataset.view);
            keepAddress();
        });
        tab.addEventListener('keydown', event => {
            const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
            if (!step) return;
            const next = tabs[(i + step + tabs.length) % tabs.length];
            next.click();
            next.focus();
        });
    });
    byId('share').addEventListener('click', share);

    // Files that are dropped anywhere go where they belong.
    addEventListener('dragover', event => event.preventDefault());
    addEventListener('drop', async event => {
        event.preventDefault();
        const files = [...event.dataTransfer.files];
        if (!files.length) return;
        if (files.every(file => /\.wlp$/i.test(file.name))) {
            showView('open');
            await open.take(files);
        } else if (/\.json$/i.test(files[0].name)) {
            await load(files[0], explain, run);
        } else {
            showView('run-view');
            await run.take(files[0]);
        }
    });
    addEventListener('hashchange', route);
    await route();
    await module;
    document.documentElement.dataset.ready = '';
    performance.mark('ready');
}

// A file that Share has saved.
async function load(file, explain, run) {
    const known = {explain: FIELDS, 'run-view': RUN_FIELDS};
    try {
        const {view, fields} = JSON.parse(await file.text());
        const clean = {};
        for (const name of known[view] || [])
            if (typeof fields[name] === 'string') clean[name] = fields[name];
        showView(view in known ? view : 'explain');
        await (view === 'run-view' ? run : explain).show(clean);
    } catch (error) {
        announce(byId('shared').textContent =
                     `${file.name}: not a file of this page (${error.message})`);
    }
}

start().catch(error => {
    byId('explain').append(
        el('p', {class: 'wrong', role: 'alert'}, `The page could not start: ${error.message}`));
});
