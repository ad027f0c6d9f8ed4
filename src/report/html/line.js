// line: what a line of the source opens to - its accesses with pictures, where they were inlined,
// its instructions.

function chainOf(launch, site) {
    const kernel = kernelOf(launch), chain = site.of.chain;
    if (chain.length < 2) return null;
    return el('ol', {class: 'chain', 'aria-label': 'Inlined'},
        [...chain].reverse().map(
            (at, i) => el('li', {}, el('a', {href: lineHash(launch, at)}, placeName(launch, at)),
                ' ', el('code', {}, at.function || kernel.short),
                i < chain.length - 1 && el('span', {class: 'dim'}, ' calls'))));
}

function siteRow(site) {
    const c = site.counters;
    return [
        el('code', {}, site.of.words),
        el('code', {class: 'dim'}, `${site.of.ptx_line}: ${site.of.text}`), count(c.requests),
        c.wavefronts ? `${count(c.wavefronts)} of ${count(c.wavefronts_ideal || 0)}` : '–',
        c.wavefronts ? ratio(c.wavefronts, c.wavefronts_ideal) : '–',
        c.sectors ? `${count(c.sectors)} of ${count(c.sectors_ideal || 0)}` : '–',
        c.sectors ? ratio(c.sectors, c.requests) : '–'
    ];
}

// Where ptxas made other memory instructions of the line.
function sassNote(launch, place) {
    const differs = kernelOf(launch).sass_differs;
    return differs.filter(at => at.file === place.file && at.line === place.line).map(at => {
        const ptx = `The PTX has ${at.ptx} × ${at.operation} (${at.ptx_bytes} bytes a thread)`;
        const sass = `the machine code ${at.sass} (${at.sass_bytes} bytes)`;
        return el('p', {class: 'note'}, `${ptx}, ${sass}: a GPU may count otherwise here.`);
    });
}

// Instructions whose recorded accesses look alike are shown by one of them.
function distinctEvidence(sites) {
    const seen = new Map();
    for (const site of sites) {
        if (!site.evidence) continue;
        const pictures =
            [site.evidence.banks, site.evidence.sectors].map(row => report.pictures[row]);
        const key = [
            site.of.words, site.evidence.words,
            ...pictures.map(at => at && `${at.cost} ${at.ideal}`)
        ].join();
        if (!seen.has(key)) seen.set(key, {site, alike: 0});
        seen.get(key).alike++;
    }
    return [...seen.values()]
        .sort((a, b) => excess(b.site.counters) - excess(a.site.counters))
        .slice(0, 3);
}

function evidenceBlock(launch, {site, alike}) {
    const {words, recorded, alike: same} = site.evidence;
    const others = alike > 1 && el('span', {class: 'dim'}, ` (and ${alike - 1} alike)`);
    const costliest = same < recorded &&
        el('span', {class: 'dim'},
            ` The costliest kind: ${percent(same, recorded)} of the recorded executions.`);
    return el('div', {class: 'evidence'},
        el('p', {}, el('code', {}, site.of.words), others, `: in a warp, ${words}.`, costliest),
        el('div', {class: 'figures'}, figuresOf(site.evidence)), chainOf(launch, site));
}

// Whose instructions were counted.
function countedAs(launch, line) {
    const kernel = kernelOf(launch);
    const lanes = line.warp_insts > 0 &&
        `; ${short(line.warp_insts)} instructions of warps, with ${
            ratio(line.thread_insts, line.warp_insts)} of 32 lanes active`;
    const machine = launch.modelled ?
        'As machine code, in an order of parted lanes that is modelled' :
        'As machine code: what ptxas made of the line';
    const how = kernel.machine_code ? machine :
        kernel.modelled             ? `As modelled, from PTX: ${kernel.modelled}` :
                                      'As modelled, from PTX';
    return el('p', {class: 'dim'}, `${how}${lanes || ''}.`);
}

function lineDetail(launch, line) {
    const sites = sitesOf(launch).filter(site => passes(site, line));
    const finding = findingOf(launch, line), rule = finding && ruleOf(finding);
    const code = kernelOf(launch).machine_code ? 'machine code' : 'PTX';
    const heads = ['access', code, 'requests', 'wavefronts', 'N-way', 'sectors', 'a request'];
    return el('div', {class: 'opened'},
        rule && el('p', {class: 'advice'}, el('strong', {}, `${rule.title}. `), rule.advice),
        rule && aboutRule(rule), distinctEvidence(sites).map(at => evidenceBlock(launch, at)),
        sassNote(launch, line), countedAs(launch, line),
        plainTable(plural(sites.length, 'memory instruction'), heads, sites.map(siteRow)));
}
