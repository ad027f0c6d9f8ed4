// groups: where there are many launches, one row for each kernel, which opens to its launches.

const LAUNCHES_MOST = 30, MEMBERS_SHOWN = 100;

const isGroup = launch => launch.members !== undefined;

// A launch's counters, extrapolated to blocks that did not run.
const scaledCounters = (launch, counters) => Object.fromEntries(
    Object.entries(counters).map(([name, value]) => [name, value * scaleOf(launch)]));

const STATUSES = ['done', 'sampled', 'interrupted', 'fault'];

// Of all launches, those that the page has and those that it has added up.
const allLaunches = () =>
    report.sums.reduce((total, sum) => total + sum.launches, report.launches.length);

// The launches of a kernel as if they were one: sums, the worst status, the most findings.
function groupOf(members) {
    const rest = report.sums.filter(sum => sum.kernel === members[0].kernel);
    const all = [...members, ...rest];
    const sum = name =>
        all.reduce((total, launch) => addCounters(total, scaledCounters(launch, launch[name])), {});
    const same = name => all.every(launch => `${launch[name]}` === `${members[0][name]}`);
    const status = Math.max(...all.map(launch => STATUSES.indexOf(launch.status)));
    return {
        ...(members.find(launch => launch.lines) || members[0]),
        members,
        count: rest.reduce((total, one) => total + one.launches, members.length),
        repeats: all.reduce((total, one) => total + (one.repeats || 0), 0),
        grid: same('grid') ? members[0].grid : null,
        block: same('block') ? members[0].block : null,
        status: STATUSES[status],
        blocks_run: members[0].blocks,  // its sums are of all blocks
        finding_count: Math.max(...all.map(launch => launch.finding_count)),
        thread_insts:
            all.reduce((total, launch) => total + launch.thread_insts * scaleOf(launch), 0),
        shared: sum('shared'),
        global: sum('global'),
    };
}

const excessOf = launch => excessWavefronts(launch.shared) + excessSectors(launch.global);

// The rows of the table of launches.
function launchRows(launches) {
    if (launches.length <= LAUNCHES_MOST) return launches;
    const kernels = new Map();
    for (const launch of launches) {
        if (!kernels.has(launch.kernel)) kernels.set(launch.kernel, []);
        kernels.get(launch.kernel).push(launch);
    }
    return [...kernels.values()].map(groupOf).sort((a, b) => excessOf(b) - excessOf(a));
}

// The launches of a group, in a row below its own.
function memberRow(group, columns) {
    const scaled = launch => excessOf(launch) * scaleOf(launch);
    const members = [...group.members].sort((a, b) => scaled(b) - scaled(a) || a.launch - b.launch);
    const shown = members.slice(0, MEMBERS_SHOWN), more = group.count - shown.length;
    const caption = `Launches of ${kernelOf(group).short}`;
    return el('tr', {class: 'members'},
        el('td', {colspan: columns.length}, sortedTable(caption, columns, shown, {
            text: () => '',
            order: (a, b) => a.launch - b.launch
        }).element,
            more > 0 &&
                el('p', {class: 'dim'}, `The worst ${shown.length} of ${count(group.count)}.`)));
}

function groupButton(group, columns) {
    const words = plural(group.count, 'launch', 'launches');
    const button = el('button', {type: 'button', class: 'group', 'aria-expanded': 'false'}, words);
    let row = null;
    button.addEventListener('click', () => {
        if (row) row.remove();
        row = row ? null : memberRow(group, columns(group.members));
        if (row) button.closest('tr').after(row);
        button.setAttribute('aria-expanded', String(row !== null));
    });
    return button;
}
