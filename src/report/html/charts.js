// charts: what flows between levels of memory, occupancy, the roofline.

// ---- from level to level ----

const FLOW_SIGNS = {
    counted: '',
    estimated: '~',
    'at most': '≤ '
};

function flowTable({flows}) {
    const cell = (flow, name) => flow[name] ? FLOW_SIGNS[flow.basis] + count(flow[name]) : '–';
    return plainTable('Between the levels of memory',
        ['from', 'to', 'what', 'requests', 'wavefronts', 'sectors', 'bytes', 'which is'],
        flows.map(
            flow => [flow.from, flow.to, flow.what,
                ...['requests', 'wavefronts', 'sectors', 'bytes'].map(name => cell(flow, name)),
                flow.basis]),
        [1, 2, 7]);
}

function levelsSection(launch) {
    const {levels} = launch;
    if (!levels || !levels.flows.length) return null;
    return el('section', {'aria-labelledby': 'levels-title', id: 'levels'},
        el('h2', {id: 'levels-title'}, 'Memory chart'),
        drawn(launch.memory_chart,
            'Arrows are as wide as the bytes that flow. Global memory moves whole sectors of 32 bytes.'),
        el('details', {}, el('summary', {}, 'The same in numbers'), flowTable(levels)));
}

// ---- occupancy ----

function occupancySection(launch) {
    const {occupancy} = launch;
    if (!occupancy || !occupancy.limits) return null;
    const rows =
        Object.entries(occupancy.limits)
            .map(([name, blocks]) => [name === occupancy.limit ? el('strong', {}, name) : name,
                     withBar(plural(blocks, 'block'),
                         blocks * occupancy.block_warps / occupancy.most_warps),
                     `${count(Math.min(occupancy.most_warps, blocks * occupancy.block_warps))} of ${
                         occupancy.most_warps}`]);
    const words = occupancy.steps.map(
        step => el('li', {},
            `${count(step.to)} ${step.unit} in place of ${count(step.from)}: ${
                plural(step.blocks, 'block')}, ${step.warps} of ${occupancy.most_warps} warps`));
    return el('section', {'aria-labelledby': 'occupancy-title', id: 'occupancy'},
        el('h2', {id: 'occupancy-title'}, 'Occupancy'),
        el('p', {},
            `${plural(occupancy.blocks, 'block')}, ${occupancy.warps} of ${
                occupancy.most_warps} warps of an SM at once; `,
            `what runs out first: ${occupancy.limit}.`),
        plainTable('What each alone leaves room for, on an SM', ['limit', 'blocks', 'warps'], rows),
        words.length > 0 && el('p', {}, 'The least that would make room for more:'),
        words.length > 0 && el('ul', {class: 'parts'}, words));
}

// ---- the roofline ----

function rooflineSection() {
    if (!report.roofline_chart) return null;
    return el('section', {'aria-labelledby': 'roofline-title', id: 'roofline'},
        el('h2', {id: 'roofline-title'}, 'Roofline'),
        drawn(report.roofline_chart,
            'A number for each kernel, at its operations a byte of each level. Ceilings are of the ' +
                'data sheet; that of tensor cores is of FP16, and other types have others.'));
}
