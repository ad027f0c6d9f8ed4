// summary: what hurts most, then a row for each launch, to be sorted and filtered, then the worst
// lines.

// ---- launches ----

const share = (part, whole) => (whole ? part / whole : 0);
// A launch's total; ~ where it is extrapolated to blocks that did not run.
const scaled = (launch, value) =>
    (scaleOf(launch) === 1 ? '' : '~') + short(value * scaleOf(launch));

// ×N: of N launches those that repeat others were counted once (run --once).
function launchCount(launch) {
    const {repeats = 0, count: counted = 1} = launch;
    return repeats > 0 &&
        el('span',
            {title: 'launches, of which those that repeat others were run, and counted once'},
            ` ×${count(counted + repeats)}`);
}

function kernelCell(launch) {
    const kernel = kernelOf(launch), href = launchHash(launch);
    const tag =
        launch.status !== 'done' && el('span', {class: `tag ${launch.status}`}, launch.status);
    const name =
        launch.lines ? el('a', {href, title: kernel.demangled}, kernel.short) : kernelName(launch);
    return [tag, name, launchCount(launch)];
}

const KERNEL_COLUMNS = [
    {
        name: '#',
        title: 'In the order of the program',
        value: launch => (isGroup(launch) ? launch.count : launch.launch),
        cell: launch =>
            isGroup(launch) ? groupButton(launch, launchColumns) : String(launch.launch),
    },
    {
        name: 'kernel',
        title: 'The kernel',
        text: true,
        head: true,
        class: 'code',
        value: launch => kernelOf(launch).short,
        cell: kernelCell,
    },
    {
        name: 'grid',
        title: 'Blocks of the grid',
        value: launch => launch.blocks,
        cell: launch => (launch.grid ? shape(launch.grid) : 'several'),
    },
    {
        name: 'block',
        title: 'Threads of a block',
        value: launch => (launch.block || [0]).reduce((product, size) => product * size),
        cell: launch => (launch.block ? shape(launch.block) : 'several'),
    },
];

function gpuOf(launch) {
    return launch.device ? `${launch.gpu} #${launch.device}` : launch.gpu;
}

const GPU_COLUMN = {
    name: 'GPU',
    title: 'Whose limits applied',
    text: true,
    value: gpuOf,
    cell: gpuOf,
};

function excessCell(launch, excess, total) {
    return total ? withBar(scaled(launch, excess), share(excess, total)) : '';
}

const SHARED_COLUMNS = [
    {
        name: 'N-way',
        title: 'Shared memory: wavefronts / ideal wavefronts',
        class: 'first',
        value: ({shared}) => nWay(shared),
        heat: ({shared}) => heatOf(excessWavefronts(shared), shared.wavefronts),
        cell: ({shared}) => ratio(shared.wavefronts, shared.wavefronts_ideal),
    },
    {
        name: 'excess wavefronts',
        title: 'Shared memory: wavefronts beyond the ideal',
        value: launch => excessWavefronts(launch.shared) * scaleOf(launch),
        cell: launch =>
            excessCell(launch, excessWavefronts(launch.shared), launch.shared.wavefronts),
    },
];

function sectorsCell({global}) {
    if (!global.sectors) return '–';
    const ideal = ` (${ratio(global.sectors_ideal, global.requests)})`;
    return [ratio(global.sectors, global.requests), el('span', {class: 'dim'}, ideal)];
}

const GLOBAL_COLUMNS = [
    {
        name: 'sectors / request',
        title: 'Global memory: 32-byte sectors a request (in brackets: how many would do)',
        class: 'first',
        value: ({global}) => share(global.sectors, global.requests),
        heat: ({global}) => heatOf(excessSectors(global), global.sectors),
        cell: sectorsCell,
    },
    {
        name: 'excess sectors',
        title: 'Global memory: sectors beyond the ideal',
        value: launch => excessSectors(launch.global) * scaleOf(launch),
        cell: launch => excessCell(launch, excessSectors(launch.global), launch.global.sectors),
    },
];

const LAST_COLUMNS = [
    {
        name: 'findings',
        title: 'What the rules hold against it',
        class: 'first',
        value: launch => launch.finding_count,
        cell: launch => launch.finding_count || '–',
    },
    {
        name: 'PTX instructions',
        title:
            'Instructions of the PTX executed, by threads; of machine code where that was executed',
        value: launch => launch.thread_insts * scaleOf(launch),
        cell: launch => launch.ran_on ? '–' : scaled(launch, launch.thread_insts),
    },
];

// ---- what machine code, --time and --caches say: each where a launch has it ----

const knows = (launch, value) => !isGroup(launch) && value(launch) > 0;
const about = text => `~${text}`;

// A column that is there where a launch knows its value; off: only if it is asked for.
const knownColumn = (name, title, value, words, off) => ({
    name,
    title,
    off,
    known: launch => knows(launch, value),
    value: launch => (knows(launch, value) ? value(launch) : 0),
    cell: launch => (knows(launch, value) ? words(value(launch), launch) : '–'),
});

const timeOf = ({time}) => (time && !time.because ? time.us : 0);
const dramBytes = ({caches}) =>
    (caches && !caches.because ? caches.dram_read_bytes + caches.dram_written_bytes : 0);
const operations = ({roofline}) =>
    (roofline ? roofline.fp32_operations + roofline.fp64_operations + roofline.tensor_operations :
                0);
const hitRate = name => ({levels}) => (levels && levels[name] !== null ? 100 * levels[name] : 0);
const interval = ({time}) =>
    el('span', {class: 'dim'}, ` ${estimated(time.least_us)} to ${estimated(time.most_us)}`);
const inTime = (launch, amount) => (timeOf(launch) ? amount(launch) / timeOf(launch) / 1e3 : 0);
const tenth = value => value.toFixed(1);

const KNOWN_COLUMNS = [
    knownColumn('duration', 'What --time estimates, and its interval', timeOf,
        (us, launch) => [estimated(us), interval(launch)]),
    knownColumn('saving', 'What --time estimates that mending all accesses saves',
        ({time}) => (time && time.mended_us > 0 ? time.us - time.mended_us : 0), estimated),
    knownColumn('registers', 'Of a thread', launch => kernelOf(launch).registers, count),
    knownColumn('occupancy', 'Warps that an SM holds at once, of those it could',
        ({occupancy}) => (occupancy ? 100 * occupancy.warps / occupancy.most_warps : 0),
        value => `${value.toFixed(0)} %`),
    knownColumn('L1 hits', 'What --caches estimates, in percent', hitRate('l1_hit_rate'),
        value => about(`${tenth(value)} %`), true),
    knownColumn('L2 hits', 'What --caches estimates, in percent', hitRate('l2_hit_rate'),
        value => about(`${tenth(value)} %`), true),
    knownColumn('DRAM bytes', 'What --caches estimates to be read and written', dramBytes,
        value => about(short(value)), true),
    knownColumn('DRAM GB/s', 'Of the estimated bytes in the estimated duration',
        launch => inTime(launch, dramBytes), value => about(tenth(value)), true),
    knownColumn('operations',
        'Of floating point and tensor cores: add and multiply 1, both in one 2', operations, short,
        true),
    knownColumn('GFLOP/s', 'Of these operations in the estimated duration',
        launch => inTime(launch, operations), value => about(tenth(value)), true),
];

function allColumns(launches) {
    return [
        ...KERNEL_COLUMNS,
        ...(new Set(launches.map(gpuOf)).size > 1 ? [GPU_COLUMN] : []),
        ...KNOWN_COLUMNS.filter(column => launches.some(column.known)),
        ...(launches.some(launch => launch.shared.wavefronts) ? SHARED_COLUMNS : []),
        ...(launches.some(launch => launch.global.sectors) ? GLOBAL_COLUMNS : []),
        ...LAST_COLUMNS,
    ];
}

const chosenColumns = new Map();  // name: whether it is shown, where the reader has said so
const isShown = column =>
    (chosenColumns.has(column.name) ? chosenColumns.get(column.name) : !column.off);
const launchColumns = launches => allColumns(launches).filter(isShown);

// A box for each column but the first two, which say what a row is.
function columnChoice(rows, changed) {
    return el('details', {class: 'columns', id: 'columns'}, el('summary', {}, 'Columns'),
        el('fieldset', {}, el('legend', {class: 'hidden'}, 'Columns of the table of launches'),
            allColumns(rows).slice(2).map(column => el('label', {title: column.title}, el('input', {
                type: 'checkbox',
                checked: isShown(column),
                onchange: event => {
                    chosenColumns.set(column.name, event.target.checked);
                    changed();
                },
            }),
                                              ` ${column.name}`))));
}

// ---- the table ----

const savingOf = ({time}) => (time && time.mended_us > 0 ? time.us - time.mended_us : 0);

// The worst first: faults, then by what mending would save, where that is estimated, else by what is
// too much.
function worstFirst(rows) {
    const fault = launch => (launch.status === 'fault' ? 1 : 0);
    const excess = launch => excessOf(launch) * scaleOf(launch);
    const saving = launch => (isGroup(launch) ? 0 : savingOf(launch));
    return [...rows].sort((a, b) => fault(b) - fault(a) || saving(b) - saving(a) ||
            excess(b) - excess(a) || a.launch - b.launch);
}

function launchTable() {
    const rows = worstFirst(launchRows(report.launches));
    const made = () => sortedTable('Launches', launchColumns(rows), rows, {
        text: launch =>
            `${launch.launch} ${kernelOf(launch).demangled} ${launch.gpu} ${launch.status}`,
        order: (a, b) => a.launch - b.launch,
    });
    let table = made();
    const holder = el('div', {}, table.element);
    const total = rows.length, launches = plural(allLaunches(), 'launch', 'launches');
    const shown = el('span', {class: 'dim', id: 'launches-shown'},
        rows.some(isGroup) ? `${launches} of ${plural(total, 'kernel')}` : launches);
    const filter = el('input', {
        type: 'search',
        id: 'filter',
        placeholder: 'Filter by kernel',
        'aria-label': 'Filter the launches by kernel',
        autocomplete: 'off',
        spellcheck: 'false',
        oninput: event => {
            const found = table.filter(event.target.value);
            shown.textContent = `${count(found)} of ${count(total)}`;
            announce(`${found} of ${total} rows`);
        },
    });
    const choice = columnChoice(rows, () => {
        table = made();
        table.filter(filter.value);
        holder.replaceChildren(table.element);
    });
    return el('section', {'aria-labelledby': 'launches-title', id: 'launches'},
        el('div', {class: 'title-row'}, el('h2', {id: 'launches-title'}, 'Launches'), shown,
            el('span', {class: 'grow'}), choice, total > 1 && filter),
        holder);
}

// ---- what hurts most ----

const NO_LINES =
    'These are lines of the PTX: build the program with nvcc -lineinfo to see its source.';
const NO_LINES_MACHINE =
    'These are machine instructions: build the program with nvcc -lineinfo to see its source.';

function worstCard(worst) {
    const {launch, place, counters} = worst, words = verdict(counters),
                          site = worstSite(launch, place), finding = findingOf(launch, place);
    const counted = words.kind === 'banks' ? 'wavefronts' : 'sectors';
    const several = sitesOf(launch).filter(at => passes(at, place) && at.counters[counted]).length;
    return el('section', {class: 'card worst', 'aria-labelledby': 'worst-title'},
        el('div', {class: 'worst-words'},
            el('p', {class: 'eyebrow', id: 'worst-title'}, 'The line that costs most'),
            el('p', {class: `big ${words.heat}`}, words.big,
                el('span', {}, words.kind === 'banks' ? 'bank conflict' : 'the sectors it needs',
                    several > 1 && `, on average over its ${several} accesses`)),
            el('p', {class: 'where'},
                el('a', {href: lineHash(launch, place)}, placeName(launch, place)),
                innerWords(site.of), ' in ', kernelName(launch)),
            el('pre', {class: 'quote'}, el('code', {}, sourceText(launch, place) || site.of.text)),
            !kernelOf(launch).has_lines &&
                el('p', {class: 'note'},
                    launch.ran_on || kernelOf(launch).no_ptx ? NO_LINES_MACHINE : NO_LINES),
            el('p', {}, several > 1 && `The costliest of them (${site.of.words}): `,
                sentence(site.counters),
                site.evidence && el('span', {class: 'dim'}, ` In a warp, ${site.evidence.words}.`)),
            finding &&
                el('p', {class: 'advice'}, el('strong', {}, 'What usually helps. '),
                    ruleOf(finding).advice)),
        el('div', {class: 'figures'}, figuresOf(site.evidence, words.kind)));
}

const isPartial = launch => launch.status === 'sampled' || launch.status === 'interrupted';

const fine = () => el('section', {class: 'card'},
    el('p', {class: 'big good'}, 'All fine',
        el('span', {},
            report.launches.some(launch => sitesOf(launch).some(isUnmodelled)) ?
                'no access whose cost is modelled costs more than it must' :
                'no access costs more than it must',
            report.launches.some(isPartial) && ', as far as the launches ran')));

// "28,672 wavefronts"; of a line that has both, both.
function excessWords({launch, counters}) {
    return [[excessWavefronts(counters), 'wavefronts'], [excessSectors(counters), 'sectors']]
        .filter(([excess]) => excess)
        .map(([excess, unit]) => `${scaled(launch, excess)} ${unit}`)
        .join(', ');
}

function worstTable(lines) {
    const most = lines[0].excess;
    const columns = [
        {
            name: 'line',
            title: 'Where',
            text: true,
            head: true,
            class: 'code',
            value: at => placeName(at.launch, at.place),
            cell: at => [el('a', {href: lineHash(at.launch, at.place)},
                             placeName(at.launch, at.place)),
                innerWords(worstSite(at.launch, at.place).of)]
        },
        {
            name: 'how bad',
            title: 'Wavefronts or sectors of all its accesses, times what would do',
            value: at => Math.max(nWay(at.counters), sectorRatio(at.counters)),
            heat: at => verdict(at.counters).heat,
            cell: at => verdict(at.counters).big
        },
        {
            name: 'excess',
            title: 'Wavefronts and sectors beyond the ideal',
            value: at => at.excess,
            cell: at => withBar(excessWords(at), at.excess / most)
        },
        {
            name: 'source',
            title: 'The line',
            text: true,
            class: 'code source',
            value: at => sourceText(at.launch, at.place),
            cell: at => sourceText(at.launch, at.place) ||
                el('span', {class: 'dim'}, '(source not in the profile)')
        },
        {
            name: 'kernel',
            title: 'The kernel',
            text: true,
            class: 'code',
            value: at => kernelOf(at.launch).short,
            cell: at => kernelName(at.launch)
        },
    ];
    return el('section', {'aria-labelledby': 'lines-title'},
        el('div', {class: 'title-row'},
            el('h2', {id: 'lines-title'}, 'Lines that cost more than they must'),
            el('span', {class: 'dim'}, lines.length > 20 ? `the worst 20 of ${lines.length}` : '')),
        sortedTable('Lines that cost more than they must', columns, lines.slice(0, 20),
            {text: () => '', order: (a, b) => b.excess - a.excess, sort: 'excess'})
            .element);
}

const SAMPLED = '~ marks totals extrapolated to all blocks of a grid of which only some ran.';
const NOT_MEASURED =
    'The counting rules were measured on an H100 and an H200; other GPUs are assumed to follow them.';

function worstOf(lines) {
    if (lines.length) return worstCard(lines[0]);
    if (!report.launches.length) return el('p', {}, 'The profile has no launches.');
    return !report.launches.some(launch => launch.status === 'fault') && fine();
}

// What ran on the host, of which nothing is counted: "cublasSgemm ×12".
function hostCalls() {
    const calls = report.host_calls || [];
    return calls.length &&
        el('p', {class: 'note', id: 'host-calls'}, 'On the host, not counted: ',
            calls
                .map(call =>
                         call.calls > 1 ? `${call.function} ×${count(call.calls)}` : call.function)
                .join(', '),
            '.');
}

function summaryView() {
    const lines = worstLines(), launches = report.launches;
    return [
        originHead(),
        faultCard(),
        defectCard(),
        worstOf(lines),
        launches.length && launchTable(),
        lines.length > 1 && worstTable(lines),
        rooflineSection(),
        hostCalls(),
        launches.some(launch => scaleOf(launch) !== 1) && el('p', {class: 'note'}, SAMPLED),
        launches.some(launch => !launch.gpu_measured) && el('p', {class: 'note'}, NOT_MEASURED),
    ];
}
