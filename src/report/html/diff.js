// diff: two profiles side by side - a row for each launch, then for each that has changed its lines
// and every counter.

let changes = null;  // the document: docs/report-format.md

const was = (counters, name) => (counters[name] || [0, 0])[0];
const is = (counters, name) => (counters[name] || [0, 0])[1];
const delta = (counters, name) => is(counters, name) - was(counters, name);
const ratioWas = counters => ratio(was(counters, 'wavefronts'), was(counters, 'wavefronts_ideal'));
const ratioIs = counters => ratio(is(counters, 'wavefronts'), is(counters, 'wavefronts_ideal'));
const hasChanged = counters => Object.values(counters).some(([before, after]) => before !== after);

// "−83 %", "+2 %", "="; "new" from nothing.
function change(counters, name) {
    const before = was(counters, name), after = is(counters, name);
    if (before === after) return '=';
    if (!before) return 'new';
    const value = (100 * (after - before)) / before;
    const size = Math.abs(value) < 1 ? '< 1' : Math.abs(value).toFixed(0);
    return `${value < 0 ? '−' : '+'}${size} %`;
}

const heatOfChange = (counters, name) => (delta(counters, name) > 0 ? 'hot' :
        delta(counters, name) < 0                                   ? 'good' :
                                                                      'dim');
const arrow = (before, after) =>
    (before === after ? before : [el('span', {class: 'dim'}, `${before} → `), after]);

const weight = counters =>
    Math.abs(delta(counters, 'wavefronts')) + Math.abs(delta(counters, 'sectors'));

// ---- launches ----

function costColumns(title, group, name) {
    return [
        {
            name: title,
            title: `${title}: before and after`,
            class: 'first',
            value: launch => is(launch[group], name),
            cell: launch => launch[group][name] ?
                arrow(short(was(launch[group], name)), short(is(launch[group], name))) :
                '–'
        },
        {
            name: `change of ${name}`,
            title: `${title}: how they have changed`,
            value: launch => delta(launch[group], name),
            heat: launch => heatOfChange(launch[group], name),
            cell: launch => launch[group][name] ? change(launch[group], name) : ''
        },
    ];
}

function launchesTable() {
    const id = (launch, i) => `change-${i}`;
    const rows = changes.launches.map((launch, i) => ({...launch, id: id(launch, i)}));
    const columns = [
        {
            name: '#',
            title: 'Before and after, in the order of each program',
            value: launch => launch.after ?? -1,
            cell: launch => arrow(String(launch.before ?? '–'), String(launch.after ?? '–'))
        },
        {
            name: 'kernel',
            title: 'The kernel',
            text: true,
            head: true,
            class: 'code',
            value: launch => launch.kernel,
            cell: launch => [tagOf(launch),
                el(hasChanged(launch.all) ? 'a' : 'span', {
                    href: hasChanged(launch.all) ? `#${launch.id}` : null,
                    title: launch.demangled
                },
                    launch.kernel)]
        },
        {
            name: 'N-way',
            title: 'Shared memory: wavefronts / ideal wavefronts',
            value: launch => Number(ratioIs(launch.shared)) || 0,
            cell: launch => launch.shared.wavefronts ?
                arrow(ratioWas(launch.shared), ratioIs(launch.shared)) :
                '–'
        },
        ...costColumns('shared wavefronts', 'shared', 'wavefronts'),
        ...costColumns('global sectors', 'global', 'sectors'),
    ];
    return sortedTable('Launches', columns, rows, {
        text: launch => launch.demangled,
        order: (a, b) => rows.indexOf(a) - rows.indexOf(b)
    }).element;
}

const statusTags = ({status}) => ['before', 'after'].map((side, i) => status[i] &&
        status[i] !== 'done' && el('span', {class: `tag ${status[i]}`}, `${status[i]} ${side}`));
const tagOf = launch => [launch.before === null ? el('span', {class: 'tag'}, 'new') :
        launch.after === null                   ? el('span', {class: 'tag'}, 'gone') :
                                                  null,
    statusTags(launch)];

// ---- a launch ----

function linesTable(launch, lines) {
    const place = line => `${baseName(line.path)}:${line.after ?? line.before}`;
    const signed = (line, name) => (line.counters[name] ?
            (delta(line.counters, name) === 0 ? '=' :
                                                (delta(line.counters, name) < 0 ? '−' : '+') +
                        count(Math.abs(delta(line.counters, name)))) :
            '');
    const columns = [
        {
            name: 'line',
            title: 'Where it is now (before)',
            text: true,
            head: true,
            class: 'code',
            value: place,
            cell: line => [place(line),
                line.before !== line.after &&
                    el('span', {class: 'dim'},
                        line.after === null      ? ' gone' :
                            line.before === null ? ' new' :
                                                   ` (${line.before})`)]
        },
        {
            name: 'N-way',
            title: 'Wavefronts / ideal wavefronts',
            value: line => Number(ratioIs(line.counters)) || 0,
            cell: line => line.counters.wavefronts ?
                arrow(ratioWas(line.counters), ratioIs(line.counters)) :
                ''
        },
        {
            name: 'wavefronts',
            title: 'How wavefronts have changed',
            value: line => delta(line.counters, 'wavefronts'),
            heat: line => heatOfChange(line.counters, 'wavefronts'),
            cell: line => signed(line, 'wavefronts')
        },
        {
            name: 'sectors',
            title: 'How sectors have changed',
            value: line => delta(line.counters, 'sectors'),
            heat: line => heatOfChange(line.counters, 'sectors'),
            cell: line => signed(line, 'sectors')
        },
        {
            name: 'requests',
            title: 'How requests have changed',
            value: line => delta(line.counters, 'requests'),
            cell: line => signed(line, 'requests')
        },
        {
            name: 'source',
            title: 'The line',
            text: true,
            class: 'code source',
            value: line => line.text || '',
            cell: line => line.text || ''
        },
    ];
    return sortedTable(`Lines of ${launch.kernel}`, columns, lines, {
        text: place,
        order: (a, b) => weight(b.counters) - weight(a.counters)
    }).element;
}

function countersTable(launch) {
    const rows = changes.counters.filter(counter => launch.all[counter.name]);
    return el('div', {
        class: 'scroll',
        tabindex: 0,
        role: 'region',
        'aria-label': `Counters of ${launch.kernel}`
    },
        el('table', {class: 'grid plain'}, el('caption', {}, 'Counters'),
            el('thead', {},
                el('tr', {},
                    ['counter', 'before', 'after', 'change'].map(
                        (head, i) =>
                            el('th', {scope: 'col', class: i ? 'number' : 'text'}, head)))),
            el('tbody', {},
                rows.map(({name, text}) =>
                             el('tr', {title: text}, el('th', {scope: 'row', class: 'text'}, name),
                                 el('td', {class: 'number'}, count(was(launch.all, name))),
                                 el('td', {class: 'number'}, count(is(launch.all, name))),
                                 el('td', {class: 'number'}, change(launch.all, name)))))));
}

function launchSection(launch, i) {
    const lines = launch.lines.filter(line => hasChanged(line.counters))
                      .sort((a, b) => weight(b.counters) - weight(a.counters));
    if (!hasChanged(launch.all) && !lines.length) return null;
    return el('section', {id: `change-${i}`, 'aria-labelledby': `title-${i}`},
        el('h2', {id: `title-${i}`, class: 'code', title: launch.demangled}, launch.kernel,
            tagOf(launch)),
        launch.before !== null && launch.after !== null && lines.length > 0 &&
            linesTable(launch, lines),
        launch.memory_chart &&
            drawn(launch.memory_chart,
                'Arrows of both are as wide as the bytes that flow, by one scale.'),
        countersTable(launch));
}

// ---- the page ----

async function start() {
    setUpTheme();
    changes = await openDocument();
    const sections = changes.launches.map(launchSection).filter(Boolean);
    const command = (name, text) =>
        text && el('p', {class: 'command'}, el('strong', {}, name), ' ', el('code', {}, text));
    byId('main').append(...[el('h1', {}, 'Before and after'), command('Before', changes.before),
        command('After', changes.after),
        changes.other_code > 0 &&
            el('p', {},
                `Launches that were executed as machine code on one side and as PTX on the other: ${
                    changes.other_code}. What has changed there may be how it was counted.`),
        el('section', {'aria-label': 'Launches'}, launchesTable()),
        ...(sections.length ? sections : [el('p', {}, 'No counter has changed.')])]
                            .filter(Boolean));
    document.documentElement.dataset.ready = '';
}

start();
