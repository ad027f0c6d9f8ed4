// launch: a launch in numbers, its findings with pictures and advice, its memory tables. The source
// is source.js.

// ---- sums by operation, as the terminal's details page has them ----

const OPERATIONS = [
    ['loads', ['load']],
    ['stores', ['store']],
    ['atomics', ['atomic', 'reduction']],
    ['ldmatrix', ['ldmatrix']],
    ['stmatrix', ['stmatrix']],
    ['cp.async', ['cp_async']],
];

// Of these, requests and bytes are known and nothing else.
const UNMODELLED =
    [['asynchronous copies', 'copy'], ['wgmma', 'wgmma'], ['textures and surfaces', 'texture']];

// A generic access counts where its addresses turned out to be, cp.async in shared and in global
// memory.
function inSpace(site, space) {
    if (UNMODELLED.some(([, op]) => op === site.of.op)) return false;
    if (site.of.op === 'cp_async') return space !== 'local';
    if (site.of.space !== 'generic') return site.of.space === space;
    return space === 'shared' ? site.counters.wavefronts > 0 :
                                space === 'global' && site.counters.sectors > 0;
}

// What accesses to local memory are for, where machine code was executed; before the operation's name.
const USES = [['', 'none'], ['array ', 'array'], ['spill ', 'spill'], ['call ', 'call']];

function operationRows(launch, space) {
    const sites = sitesOf(launch).filter(site => inSpace(site, space));
    const kinds =
        USES.flatMap(([use, id]) => OPERATIONS.map(([name, ops]) => [use + name, ops, id]));
    const rows = kinds
                     .map(([name, ops, use]) => {
                         const own = sites.filter(
                             site => ops.includes(site.of.op) && site.of.local_use === use);
                         return {
                             name,
                             any: own.length > 0,
                             sum: own.reduce((sum, site) => addCounters(sum, site.counters), {})
                         };
                     })
                     .filter(row => row.any);
    const all = rows.reduce((sum, row) => addCounters(sum, row.sum), {});
    return rows.length > 1 ? [...rows, {name: 'all', sum: all}] : rows;
}

// Columns of numbers behind the first, but for those that `texts` has.
function plainTable(caption, heads, rows, texts = []) {
    const kind = i => (i && !texts.includes(i) ? 'number' : 'text');
    return el('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption},
        el('table', {class: 'grid plain'}, el('caption', {}, caption),
            el('thead', {},
                el('tr', {},
                    heads.map((head, i) => el('th', {scope: 'col', class: kind(i)}, head)))),
            el('tbody', {},
                rows.map(row => el('tr', {},
                             row.map((cell, i) => el(i ? 'td' : 'th',
                                         {scope: i ? null : 'row', class: kind(i)}, cell)))))));
}

function sharedTable(launch) {
    const rows = operationRows(launch, 'shared');
    return rows.length &&
        plainTable('Shared memory',
            [
                'operation', 'requests', 'wavefronts', 'ideal', 'excess', 'N-way', 'a request',
                'conflicts'
            ],
            rows.map(({name, sum}) => [name, count(sum.requests), count(sum.wavefronts || 0),
                         count(sum.wavefronts_ideal || 0), count(excessWavefronts(sum)),
                         ratio(sum.wavefronts, sum.wavefronts_ideal),
                         ratio(sum.wavefronts, sum.requests), count(sum.conflicts || 0)]));
}

function sectorTable(launch, space, title) {
    const rows = operationRows(launch, space);
    return rows.length &&
        plainTable(title,
            [
                'operation', 'requests', 'sectors', 'ideal', 'excess', 'a request', 'ideal',
                'bytes used of 32', '128-byte lines'
            ],
            rows.map(({name, sum}) => [name, count(sum.requests), count(sum.sectors || 0),
                         count(sum.sectors_ideal || 0), count(excessSectors(sum)),
                         ratio(sum.sectors, sum.requests), ratio(sum.sectors_ideal, sum.requests),
                         ratio(sum.bytes_used, sum.sectors), count(sum.tag_requests || 0)]));
}

const isUnmodelled = site => site.counters.unmodelled || site.counters.remote;

function unmodelledTable(launch) {
    const sites = sitesOf(launch),
          total = (list, name) => list.reduce((sum, site) => sum + (site.counters[name] || 0), 0);
    const rows = UNMODELLED.map(([name, op]) => [name, sites.filter(site => site.of.op === op)])
                     .filter(([, own]) => total(own, 'requests'))
                     .map(([name, own]) => [name,
                              ...['requests', 'bytes', 'global_moved', 'shared_moved',
                                  'copy_sectors', 'matrix_wavefronts']
                                  .map(counter => count(total(own, counter)))]);
    const remote = sites.filter(site => site.counters.remote);
    if (remote.length)
        rows.push([
            'shared memory of other blocks', count(total(remote, 'remote')), '–', '–', '–',
            ...['remote_sectors', 'remote_wavefronts'].map(counter => count(total(remote, counter)))
        ]);
    return rows.length &&
        plainTable('Copies, wgmma, textures, other blocks',
            [
                'operation', 'requests', 'bytes', 'global bytes', 'shared bytes', 'sectors',
                'wavefronts'
            ],
            rows);
}

function descriptorNote(launch) {
    const sites = sitesOf(launch);
    const read = name => sites.reduce((sum, site) => sum + (site.counters[name] || 0), 0);
    const [plain, by32, by64, by128] =
        ['matrices_plain', 'matrices_swizzle32', 'matrices_swizzle64', 'matrices_swizzle128'].map(
            read);
    const all = plain + by32 + by64 + by128;
    return all > 0 &&
        el('p', {},
            `wgmma read ${count(all)} matrices through descriptors: ${
                count(by128)} with a swizzle ` +
                `of 128 bytes, ${count(by64)} of 64, ${count(by32)} of 32, ${count(plain)} ` +
                'without. All of these layouts are free of bank conflicts by construction.');
}

function variableTable(launch) {
    const variables = kernelOf(launch).shared_variables;
    const bytes = variable => (variable.dynamic ? launch.dynamic_shared : variable.bytes);
    return variables.length &&
        plainTable('Map of shared memory', ['variable', 'offset', 'bytes', 'access', 'first bank'],
            variables.map(
                variable => [variable.name, count(variable.offset), count(bytes(variable)),
                    variable.element_bytes || '–', String(Math.floor(variable.offset / 4) % 32)]));
}

// Classes of machine instructions, by how many there are.
function mixSection(launch) {
    if (!launch.mix) return null;
    const rows = [...launch.mix].sort((a, b) => b.warp_insts - a.warp_insts);
    const most = rows[0].warp_insts;
    return el('section', {'aria-labelledby': 'mix-title'},
        el('h2', {id: 'mix-title'}, 'Instructions as issued'),
        plainTable('Machine instructions by class',
            ['class', 'warp instructions', 'of all', 'thread instructions', 'what they do'],
            rows.map(of => [of.name, withBar(count(of.warp_insts), of.warp_insts / most),
                         percent(of.warp_insts, launch.warp_insts), count(of.thread_insts),
                         el('span', {class: 'dim'}, of.text)]),
            [4]));
}

function memorySection(launch) {
    const tables = [
        sharedTable(launch), sectorTable(launch, 'global', 'Global memory'),
        sectorTable(launch, 'local', 'Local memory'), unmodelledTable(launch), variableTable(launch)
    ].filter(Boolean);
    return tables.length &&
        el('section', {'aria-labelledby': 'memory-title'},
            el('h2', {id: 'memory-title'}, 'Memory by operation'),
            el('div', {class: 'tables'}, tables), descriptorNote(launch));
}

// ---- caches: what --caches estimates ----

const rate = (hits, of) => (of ? `~${(100 * hits / of).toFixed(1)} %` : '–');
const megabytes = bytes => `~${(bytes / 1e6).toFixed(2)} MB`;

function cacheLines(launch) {
    const lines = new Map(), {sites} = kernelOf(launch);
    for (const row of launch.caches.sites) {
        const of = sites[row.site];
        const place = of.chain[of.place] || {file: null, line: of.ptx_line};
        const key = `${place.file}:${place.line}`;
        const line = lines.get(key) || {place, l1: 0, l1Hits: 0, l2: 0, l2Hits: 0, dram: 0};
        line.l1 += row.l1_loads + row.l1_others;
        line.l1Hits += row.l1_load_hits + row.l1_other_hits;
        line.l2 += row.l2_sectors;
        line.l2Hits += row.l2_hits;
        line.dram += row.dram_reads;
        lines.set(key, line);
    }
    return [...lines.values()].sort((a, b) => b.l1 - a.l1);
}

function cachesSection(launch) {
    const {caches} = launch, SECTOR = 32, KIB = 1024;
    if (!caches) return null;
    const title = el('h2', {id: 'caches-title'}, 'Caches, as modelled');
    if (caches.because)
        return el('section', {'aria-labelledby': 'caches-title'}, title,
            el('p', {class: 'note'}, `Not modelled: ${caches.because}.`));
    const level = (name, sectors, hits,
        sign) => [name, sign + count(sectors), '~' + count(hits), rate(hits, sectors)];
    return el('section', {'aria-labelledby': 'caches-title', id: 'caches'}, title,
        plainTable('Hits by level', ['level', 'sectors', 'hits', 'rate'],
            [
                level('L1, loads', caches.l1_loads, caches.l1_load_hits, ''),
                level('L1, stores and atomics', caches.l1_others, caches.l1_other_hits, ''),
                level('L1', caches.l1_loads + caches.l1_others,
                    caches.l1_load_hits + caches.l1_other_hits, ''),
                level('L2', caches.l2_sectors, caches.l2_hits, '~')
            ]),
        el('p', {},
            `DRAM: ${megabytes(caches.dram_read_bytes)} read, ${
                megabytes(caches.dram_written_bytes)} written. L1: ${
                count(caches.l1_bytes / KIB)} KiB of an SM.`),
        plainTable('Hits by line',
            ['line', 'L1 sectors', 'L1 hits', 'L2 sectors', 'L2 hits', 'from DRAM'],
            cacheLines(launch).map(
                line => [el('a', {href: lineHash(launch, line.place), class: 'code'},
                             placeName(launch, line.place)),
                    count(line.l1), rate(line.l1Hits, line.l1), '~' + count(line.l2),
                    rate(line.l2Hits, line.l2), megabytes(line.dram * SECTOR)])),
        el('p', {class: 'dim'},
            '~: an estimate, for caches that are empty when the launch begins, as Nsight Compute ' +
                'measures them.'));
}

// ---- time: what --time estimates ----

function estimated(us) {
    return us >= 1e6 ? `~${(us / 1e6).toFixed(2)} s` :
        us >= 1e4 ? `~${(us / 1e3).toFixed(2)} ms` :
                    `~${us.toPrecision(3)} µs`;
}

function timeSection(launch) {
    const {time} = launch;
    if (!time) return null;
    const title = el('h2', {id: 'time-title'}, 'Time, as modelled');
    if (time.because)
        return el('section', {'aria-labelledby': 'time-title'}, title,
            el('p', {class: 'note'}, `Not estimated: ${time.because}.`));
    const saved = us => estimated(Math.max(0, time.us - us));
    const {sites} = kernelOf(launch);
    const placeOf = of => of.chain[of.place] || {file: null, line: of.ptx_line};
    const rows = time.sites.map(row => [placeName(launch, placeOf(sites[row.site])), row.mended_us])
                     .sort((a, b) => a[1] - b[1]);
    if (rows.length > 1) rows.push(['all of them', time.mended_us]);
    return el('section', {'aria-labelledby': 'time-title', id: 'time'}, title,
        el('p', {},
            `${estimated(time.us)} (${estimated(time.least_us)} to ${estimated(time.most_us)}) at ${
                count(time.clock_mhz)} MHz. Decided by: ${time.limit} (busy ~${
                Math.round(100 * time.busy)} % of the time).`),
        rows.length ? plainTable('What mending saves', ['mended', 'saves', 'then'],
                          rows.map(([name, us]) => [name, saved(us), estimated(us)])) :
                      null,
        time.calibrated ?
            null :
            el('p', {class: 'note'}, 'The model was calibrated on H100 and H200, not on this GPU.'),
        el('p', {class: 'dim'},
            '~: an estimate, of a launch that finds empty caches; nine of ten measured ' +
                'launches took a time within the interval.'));
}

// ---- the head ----

// What runs on the GPU where this PTX was executed.
function origin(kernel, launch) {
    const own = kernel.nearest ? ', which has none of its own' : '';
    const version = report.origin && report.origin.ptxas;
    if (launch.ran_on) return `for ${kernel.machine}, as the program has it`;
    if (kernel.no_ptx) return `for ${kernel.machine}, as the program has it: there is no PTX`;
    if (kernel.machine_code)
        return `of PTX for ${kernel.target}, by ptxas${version ? ' ' + version : ''}`;
    return `${kernel.target}, ${
        kernel.machine ? `for the GPU's machine code ${kernel.machine}${own}` :
                         'which the driver compiles'}`;
}

function occupancyWords({blocks, warps, most_warps, limit}) {
    return `${plural(blocks, 'block')}, ${warps} of ${most_warps} warps of an SM (limit: ${limit})`;
}

function stack(kernel) {
    const spills = kernel.spill_store_bytes + kernel.spill_load_bytes > 0 &&
        `; ptxas -v: spills of ${count(kernel.spill_store_bytes)} B stored, ${
            count(kernel.spill_load_bytes)} B loaded`;
    return `${count(kernel.stack_bytes)} B a thread${spills || ''}`;
}

function duration(seconds) {
    return seconds < 1e-3 ? `${(seconds * 1e6).toFixed(1)} us` :
        seconds < 1 ? `${(seconds * 1e3).toFixed(2)} ms` :
                      `${seconds.toFixed(2)} s`;
}

function facts(launch) {
    const kernel = kernelOf(launch), threads = launch.block[0] * launch.block[1] * launch.block[2];
    const fixed = kernel.shared_variables.reduce(
        (sum, variable) => sum + (variable.dynamic ? 0 : variable.bytes), 0);
    const lanes = ratio(launch.thread_insts, launch.warp_insts);
    const list = [
        ['grid', shape(launch.grid)],
        ['block', `${shape(launch.block)} (${plural(Math.ceil(threads / 32), 'warp')})`],
        ['GPU', gpuOf(launch)],
        ['blocks run', `${count(launch.blocks_run)} of ${count(launch.blocks)}`],
        ['registers', kernel.registers ? `${kernel.registers} a thread` : 'not known'],
        launch.occupancy && ['occupancy', occupancyWords(launch.occupancy)],
        kernel.stack_bytes > 0 && ['stack', stack(kernel)],
        [kernel.machine_code ? 'machine code' : 'PTX', origin(kernel, launch)],
        ['shared memory', `${count(fixed + launch.dynamic_shared)} B`],
        [
            kernelOf(launch).machine_code ? 'machine instructions' : 'PTX instructions',
            launch.ran_on ? `not counted on ${launch.ran_on}` :
                            `${short(launch.thread_insts)} (${lanes} lanes active)`
        ],
        launch.seconds && ['takes', `${duration(launch.seconds)} where nothing is counted`],
        launch.range && ['range', launch.range],
        kernel.sass.length &&
            [
                'code',
                kernel.ptx.length ? `${plural(kernel.ptx.length, 'PTX instruction')}, ${
                                        count(kernel.sass.length)} of machine code` :
                                    plural(kernel.sass.length, 'machine instruction')
            ],
    ];
    return el('dl', {class: 'facts'}, list.filter(Boolean).map(([name,
        value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))));
}

function tile(value, name, detail, heat) {
    return el('div', {class: `tile ${heat}`}, el('p', {class: 'value'}, value),
        el('p', {class: 'name'}, name), el('p', {class: 'dim'}, detail));
}

const tooMany = (excess, total, words) => excess ?
    `${short(excess)} of ${short(total)} ${words} too many (${percent(excess, total)})` :
    `${short(total)} ${words}, as few as can be`;

function tiles(launch) {
    const {shared, global} = launch, ideal = ratio(global.sectors_ideal, global.requests);
    const wouldDo = excessSectors(global) ? `${ideal} would do; ` : '';
    return el('div', {class: 'tiles'},
        shared.wavefronts &&
            tile(`${ratio(shared.wavefronts, shared.wavefronts_ideal)}-way`, 'shared memory',
                tooMany(excessWavefronts(shared), shared.wavefronts, 'wavefronts'),
                heatOf(excessWavefronts(shared), shared.wavefronts) || 'good'),
        global.sectors &&
            tile(ratio(global.sectors, global.requests), 'sectors a request',
                wouldDo + tooMany(excessSectors(global), global.sectors, 'sectors'),
                heatOf(excessSectors(global), global.sectors) || 'good'));
}

function launchNotes(launch) {
    const notes = [], ran = count(launch.blocks_run), all = count(launch.blocks);
    if (launch.fault)
        notes.push(el('div', {class: 'note fault', role: 'note'},
            el('strong', {}, 'The launch ended with a fault; counts are of what ran before it.'),
            el('pre', {}, launch.fault)));
    if (scaleOf(launch) !== 1)
        notes.push(
            el('p', {class: 'note'}, `Counts are of the ${ran} blocks that ran, of ${all}.`));
    if (launch.sampled)
        notes.push(el('p', {class: 'note'},
            `Accesses were counted in ${count(launch.sampled.blocks)} of ${all} blocks, which ` +
                'behave alike: counters are those of all blocks, within 1 %.'));
    if (launch.representatives)
        notes.push(el('p', {class: 'note'},
            `${all} blocks by ${count(launch.representatives)} that ran: counters are those of ` +
                'all blocks, exactly.'));
    if (kernelOf(launch).modelled)
        notes.push(el('p', {class: 'note'},
            `Executed as PTX, not as machine code: ${kernelOf(launch).modelled}.`));
    if (kernelOf(launch).machine_code && launch.modelled)
        notes.push(el('p', {class: 'note'},
            'The order in which parted lanes went on is as modelled: some yielded while others ' +
                'could go on at several places. A GPU may let others share a request; counts are ' +
                'not said to be exact.'));
    if (!launch.gpu_measured)
        notes.push(el('p', {class: 'note'},
            `The counting rules were measured on an H100 and an H200, not on this GPU (${
                launch.gpu}).`));
    return notes;
}

// ---- stages ----

function stagesSection(launch) {
    const stages = launch.stages.filter(stage => stage.most > 0),
          longest = stages.length && Math.max(...stages.map(stage => stage.most));
    const cycles = value => (value > 0 ? count(value) : '–');
    if (!longest) return null;
    return el('section', {'aria-labelledby': 'stages-title', id: 'stages'},
        el('h2', {id: 'stages-title'}, 'Stages'),
        plainTable('Cycles that each stage is busy', ['stage', 'at least', 'at most'],
            stages.map(({stage, least, most, estimated}) => [stage,
                           (estimated && least > 0 ? '~' : '') + cycles(least),
                           withRange(cycles(most), least / longest, most / longest)])),
        el('p', {class: 'dim'},
            `Bounds from the counts, per SM at the boost clock of ${
                launch.gpu}; no time that the ` +
                'kernel takes: hits in caches, latencies and barriers are not modelled. ~: an estimate.'));
}

// ---- findings ----

const LINES_SHOWN = 5;

function findingLines(launch, finding) {
    const shown = finding.lines.slice(0, LINES_SHOWN), more = finding.lines.length - shown.length;
    return el('ol', {class: 'lines'},
        shown.map(
            line => el('li', {},
                el('span', {},
                    el('a', {href: lineHash(launch, line), class: 'code'}, placeName(launch, line)),
                    innerWords(kernelOf(launch).sites[line.site])),
                el('code', {}, sourceText(launch, line) || kernelOf(launch).sites[line.site].text),
                el('span', {class: 'dim number'}, percent(line.excess, finding.excess)))),
        more > 0 && el('li', {class: 'dim'}, `and ${more} more`));
}

function findingCard(launch, {finding, parts}, number) {
    const rule = ruleOf(finding), worst = finding.lines[0];
    const site = worst && (launch.sites || []).find(at => at.site === worst.site);
    const what = finding.unit === 'wavefronts' ? 'banks' : 'sectors';
    const share = `${percent(finding.share, 1)} of the launch’s wavefronts and sectors`;
    const heat = finding.severity === 'high' ? 'hot' : finding.severity === 'medium' ? 'warm' : '';
    return el('details', {class: 'finding', open: number === 0},
        el('summary', {}, el('span', {class: `severity ${heat}`}, finding.severity),
            el('span', {class: 'finding-title'}, rule.title), el('span', {class: 'dim'}, share)),
        el('div', {class: 'finding-body'},
            el('div', {}, el('p', {}, finding.message + '.'),
                parts.length > 0 &&
                    el('ul', {class: 'parts'}, parts.map(part => el('li', {}, part.message + '.'))),
                finding.matters && el('p', {}, finding.matters.words + '.'),
                finding.shape &&
                    el('p', {}, `Shape: ${finding.shape.name} (${finding.shape.words}).`),
                findingLines(launch, finding),
                el('p', {class: 'advice'}, el('strong', {}, 'What usually helps. '), rule.advice),
                aboutRule(rule)),
            el('div', {class: 'figures'}, site && site.evidence && [
                el('p', {class: 'dim'}, `${placeName(launch, worst)}: ${site.evidence.words}`),
                figuresOf(site.evidence, what)
            ])));
}

function findingsSection(launch) {
    return el('section', {'aria-labelledby': 'findings-title'},
        el('h2', {id: 'findings-title'}, 'Findings'),
        launch.findings.length ?
            findingsOf(launch).map((of, i) => findingCard(launch, of, i)) :
            el('p', {},
                sitesOf(launch).some(isUnmodelled) ?
                    'None: no access whose cost is modelled costs more than it must.' :
                    'None: no access costs more than it must.'));
}

// ---- the view ----

function launchSteps(launch) {
    const at = report.launches.indexOf(launch);
    const whole = direction => {
        let i = at + direction;
        while (report.launches[i] && !report.launches[i].lines) i += direction;
        return report.launches[i];
    };
    const step = (to, rel, mark) => {
        const label = to && `${rel} launch: ${kernelOf(to).short}`;
        return to && el('a', {class: 'step', href: launchHash(to), rel, 'aria-label': label}, mark);
    };
    return el(
        'span', {class: 'steps'}, step(whole(-1), 'previous', '←'), step(whole(1), 'next', '→'));
}

function launchView(launch, source) {
    const kernel = kernelOf(launch);
    return [
        el('div', {class: 'launch-head'}, el('h1', {class: 'code'}, kernel.short),
            el('span', {class: 'dim'}, `launch ${launch.launch}`), launchSteps(launch)),
        kernel.demangled !== kernel.short &&
            el('p', {class: 'dim code signature'}, kernel.demangled),
        launchNotes(launch),
        el('div', {class: 'head-row'}, tiles(launch), facts(launch)),
        findingsSection(launch),
        source,
        stagesSection(launch),
        levelsSection(launch),
        occupancySection(launch),
        mixSection(launch),
        memorySection(launch),
        cachesSection(launch),
        timeSection(launch),
    ];
}
