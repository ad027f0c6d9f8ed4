// listing: the kernel's PTX or machine code beside its source. The instructions of the current line
// are marked; a click on an instruction goes to its line.

// ---- what is in a listing ----
// {number, text, own: its place or null, places: where it counts to, memory, counters: or null; of machine code that was
// executed: sum: its executions, use: of the stack}

function ptxRows(launch) {
    const kernel = kernelOf(launch);
    const executed = new Map(launch.sites.map(site => [site.site, site.counters]));
    return kernel.ptx.map(at => {
        const own = at.source_line === null ? null : {file: at.file, line: at.source_line};
        const memory = at.site !== null, chain = memory ? kernel.sites[at.site].chain : [];
        const unplaced = memory && !chain.length && {file: null, line: at.line};
        return {
            number: String(at.line),
            text: at.text,
            own,
            places: [own, at.inlined_at, unplaced, ...chain].filter(Boolean),
            memory,
            counters: executed.get(at.site),
        };
    });
}

// Loads, stores and atomics of all spaces but the constant one, unless they are padding (@!PT).
const SASS_MEMORY = /^(?:@(?!!PT)\S+ )?(?:LD|ST|ATOM|RED)(?:[GSL]|SM|GSTS)?(?=[. ])/;

const SASS_BYTES = 16;  // an instruction, since sm_70

// How often each machine instruction was executed, by number: {warps, threads}; empty where PTX was executed.
function executions(launch) {
    const sums = [];
    for (const run of launch.inst_runs || [])
        for (let i = run.first; i < run.first + run.insts; i++) {
            const sum = sums[i] || (sums[i] = {warps: 0, threads: 0});
            sum.warps += run.warps;
            sum.threads += run.threads;
        }
    return sums;
}

const LOCAL_USES = {
    spill: 'spill',
    call: 'call'
};  // of the stack, beside the source's arrays

function sassRows(launch) {
    const executed = new Map(launch.sites.map(site => [site.site, site.counters]));
    const kernel = kernelOf(launch), sums = executions(launch);
    return kernel.sass.map((at, i) => ({
        number: (i * SASS_BYTES).toString(16).padStart(4, '0'),
        text: at.text,
        own: at.chain[0] || null,
        places: at.chain,
        memory: SASS_MEMORY.test(at.text),
        counters: at.site === null ? undefined : executed.get(at.site),
        use: at.site === null ? undefined : LOCAL_USES[kernel.sites[at.site].local_use],
        sum: launch.inst_runs && (sums[i] || {warps: 0, threads: 0}),
    }));
}

// What is said of each instruction where machine code was executed: {name, title, minor: left out where there is little
// room, text(row)}.
const COUNTED = [
    {name: 'warps', title: 'executions by warps', text: ({sum}) => short(sum.warps)},
    {
        name: 'threads',
        title: 'executions by threads: by warps times the active lanes',
        minor: true,
        text: ({sum}) => short(sum.threads),
    },
    {
        name: 'reqs',
        title: 'requests: executions with at least one lane that accesses memory',
        minor: true,
        text: ({counters}) => (counters ? short(counters.requests) : ''),
    },
    {
        name: 'wavefr.',
        title: 'wavefronts of shared memory',
        text: ({counters}) => (counters && counters.wavefronts ? short(counters.wavefronts) : ''),
    },
    {
        name: 'sectors',
        title: '32-byte sectors of global or local memory',
        text: ({counters}) => (counters && counters.sectors ? short(counters.sectors) : ''),
    },
];

// {id, name, title, key, rows(launch)}
const LISTINGS = [
    {id: 'ptx', name: 'PTX', title: 'The PTX beside the source', key: 'x', rows: ptxRows},
    {
        id: 'sass',
        name: 'SASS',
        title: 'The machine code that ptxas made, beside the source',
        key: 'm',
        rows: sassRows,
    },
];

// ---- the pane ----

class Listing {
    // toggle() is called by its button, go(place) with the line of an instruction that was clicked.
    constructor(launch, kind, toggle, go) {
        this.launch = launch;
        this.kind = kind;
        this.go = go;
        this.rows = null;   // {row, at}, made when they are first shown
        this.columns = [];  // of COUNTED, those with anything in them
        this.button = el('button', {
            type: 'button',
            id: `${kind.id}-toggle`,
            class: 'listing-toggle',
            'aria-pressed': 'false',
            'aria-controls': kind.id,
            title: `${kind.title} (${kind.key})`,
            onclick: toggle,
        },
            kind.name);
        this.element =
            el('aside', {id: kind.id, class: 'listing', 'aria-label': kind.name, hidden: true});
    }

    rowOf(at) {
        const bad = at.counters && excess(at.counters) > 0 ? verdict(at.counters) : null;
        const button = el('button', {
            type: 'button',
            disabled: !at.own,
            title: at.own && `Line ${at.own.line}`,
            onclick: () => this.go(at.own),
        },
            el('span', {class: 'line'}, at.number),
            this.columns.map(column => this.numberOf(column, column.text(at))),
            el('code', {}, at.text), at.use && el('span', {class: 'tag'}, at.use),
            bad && el('span', {class: `tag ${bad.heat}`}, bad.big));
        const idle = at.sum && !at.sum.warps;
        return {row: el('li', {class: at.memory ? 'memory' : idle ? 'idle' : ''}, button), at};
    }

    numberOf(column, text) {
        return el('span',
            {class: column.minor ? 'count minor' : 'count', title: text && column.title}, text);
    }

    // Over the columns of numbers, where there are any.
    head() {
        if (!this.columns.length) return null;
        return el('p', {class: 'heads'}, el('span', {class: 'line'}, ''),
            this.columns.map(column => this.numberOf(column, column.name)),
            el('span', {}, 'instruction'));
    }

    show(shown) {
        this.element.hidden = !shown;
        this.button.setAttribute('aria-pressed', String(shown));
        if (!shown || this.rows) return;
        const rows = this.kind.rows(this.launch);
        this.columns = COUNTED.filter(({text}) => rows.some(at => at.sum && text(at)));
        this.element.classList.toggle('counted', this.columns.length > 0);
        this.rows = rows.map(at => this.rowOf(at));
        this.element.append(el('h3', {}, this.kind.name), this.head() || '',
            el('ol', {}, this.rows.map(({row}) => row)));
    }

    // Marks what is of the line itself, or inlined into it.
    tie(place) {
        let first = null;
        for (const {row, at} of this.rows || []) {
            const is = ({file, line}) => file === place.file && line === place.line;
            const tied = place !== null && at.places.some(is);
            row.classList.toggle('tied', tied);
            first = first || (tied ? row : null);
        }
        if (first && !this.element.hidden)
            this.element.scrollTop = first.offsetTop - this.element.clientHeight / 3;
    }
}
