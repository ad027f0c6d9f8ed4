// origin: who made the profile, when and where - the head of the summary.

const programName = () => (report.origin ? report.origin.program : 'Summary');

const ENGINES = {
    interp: 'interpreter',
    plan: 'plans',
    jit: 'JIT',
    auto: 'interpreter, and faster tiers where they pay'
};

function originFacts() {
    const {engine, date, version, host} = report.origin || {};
    const gpus = [...new Set(report.launches.map(launch => launch.gpu_title || launch.gpu))];
    return [
        ['GPU', gpus.join(', ')],
        ['engine', engine && (ENGINES[engine] || engine)],
        ['date', date && date.replace('T', ' ').replace('Z', ' UTC')],
        ['host', host],
        ['warplens', version],
    ].filter(([, value]) => value);
}

function originHead() {
    return el('div', {class: 'origin'}, el('h1', {}, programName()),
        report.command && el('p', {class: 'command'}, el('code', {}, report.command)),
        el('dl', {class: 'origin-facts'}, originFacts().map(([name,
            value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value)))));
}
