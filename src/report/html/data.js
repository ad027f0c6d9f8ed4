// data: the document that the page carries (docs/report-format.md), and what is looked up in it.

let report = null;

function splitSources() {
    for (const file of report.files)
        file.lines = file.text === null ? null : file.text.split(/\r?\n/);
}

// ---- places ----

// Where only some blocks ran: what to multiply by for the whole grid.
const scaleOf = launch =>
    (launch.status === 'sampled' || launch.status === 'interrupted') && launch.blocks_run ?
    launch.blocks / launch.blocks_run :
    1;

const kernelOf = launch => report.kernels[launch.kernel];
// What the text of its module is.
const originOf = kernel => kernel.no_ptx ? 'machine code' : 'PTX';
// Findings with their parts, which speak of the same lines: {finding, parts}.
function findingsOf(launch) {
    const all = [];
    for (const finding of launch.findings || [])
        if (finding.part)
            all[all.length - 1].parts.push(finding);
        else
            all.push({finding, parts: []});
    return all;
}

// Short, and whole where one points at it.
const kernelName = launch =>
    el('span', {title: kernelOf(launch).demangled}, kernelOf(launch).short);
const ruleOf = finding => report.rules.find(rule => rule.name === finding.rule);
// What a rule is about: in short, and where there is more.
const aboutRule = rule => el('details', {class: 'about'}, el('summary', {}, 'What this means'),
    el('p', {}, rule.means, ' ',
        rule.help.includes('://') ?
            el('a', {href: rule.help}, 'More in the documentation') :
            el('span', {class: 'dim'}, `(${rule.help} of warplens says more.)`)));
const fileName = (launch, file) =>
    baseName(file === null ? kernelOf(launch).module : report.files[file].path);
const placeName = (launch, place) => `${fileName(launch, place.file)}:${place.line}`;

function sourceText(launch, place) {
    const lines = place.file === null ? null : report.files[place.file].lines;
    const text = lines ? lines[place.line - 1] : undefined;  // line 0 is the compiler's own
    return text === undefined ? '' : text.trim();
}

const launchHash = launch => `#/launch/${launch.launch}`;
const lineHash = (launch, place) =>
    `${launchHash(launch)}/${place.file === null ? 'ptx' : place.file}/${place.line}`;

// The executed instructions of a launch with their description: {site, counters, evidence, of}.
const sitesOfLaunch = new Map();
function sitesOf(launch) {
    if (!sitesOfLaunch.has(launch))
        sitesOfLaunch.set(launch,
            (launch.sites || []).map(site => ({...site, of: kernelOf(launch).sites[site.site]})));
    return sitesOfLaunch.get(launch);
}

// Whether an instruction is at the line or was inlined into it.
function passes(site, place) {
    if (!site.of.chain.length) return place.file === null && site.of.ptx_line === place.line;
    return site.of.chain.some(at => at.file === place.file && at.line === place.line);
}

// Whether its cost is counted at the line: each instruction's is at one.
function countedAt(site, place) {
    const at = site.of.chain[site.of.place];
    return at ? at.file === place.file && at.line === place.line : passes(site, place);
}

// Where inside its line an instruction is, if that was inlined from elsewhere.
const innerWords = of => (of.inner ? el('span', {class: 'dim'}, `, in ${of.inner}`) : '');

// What is worst about counters in few words: {kind, big, heat}.
function verdict(counters) {
    if (excessWavefronts(counters) >= excessSectors(counters) && counters.wavefronts)
        return {
            kind: 'banks',
            big: `${ratioBare(counters.wavefronts, counters.wavefronts_ideal)}-way`,
            heat: heatOf(excessWavefronts(counters), counters.wavefronts),
        };
    return {
        kind: 'sectors',
        big: `${ratioBare(counters.sectors, counters.sectors_ideal)}×`,
        heat: heatOf(excessSectors(counters), counters.sectors),
    };
}

// The same of an instruction, as a sentence.
function sentence(counters) {
    const [unit, cost, ideal] = verdict(counters).kind === 'banks' ?
        ['wavefronts', counters.wavefronts, counters.wavefronts_ideal] :
        ['sectors', counters.sectors, counters.sectors_ideal];
    const each = value => ratioBare(value, counters.requests);
    return `${each(cost)} ${unit} a request where ${each(ideal)} would do.`;
}

// The lines that cost most beyond their ideal, over all launches, each kernel's once:
// {launch, place, counters, excess}.
function worstLines() {
    const seen = new Map();
    for (const launch of report.launches)
        for (const line of launch.lines || []) {
            const key = `${launch.kernel} ${line.file} ${line.line}`;
            const cost = excess(line.own) * scaleOf(launch);
            if (cost && (!seen.has(key) || seen.get(key).excess < cost))
                seen.set(key, {
                    launch,
                    place: {file: line.file, line: line.line},
                    counters: line.own,
                    excess: cost
                });
        }
    return [...seen.values()].sort((a, b) => b.excess - a.excess);
}

// The instruction of a line that costs most.
function worstSite(launch, place) {
    return sitesOf(launch)
        .filter(site => countedAt(site, place))
        .sort((a, b) => excess(b.counters) - excess(a.counters))[0];
}

// The finding that a line weighs most in.
function findingOf(launch, place) {
    const share = finding => {
        const line = finding.lines.find(at => at.file === place.file && at.line === place.line);
        return line ? line.excess : -1;
    };
    const found = (launch.findings || [])
                      .filter(finding => !finding.part)
                      .sort((a, b) => share(b) - share(a))[0];
    return found && share(found) > 0 ? found : null;
}
