// fault: launches that ended with a fault, before all that is said of costs.

// The first sentence of each message, with its place; all of the only one.
function faultRow(launch, only) {
    const {kernel, fault_at: at} = launch;
    const place = at && placeName(launch, at);
    const href = at && launch.lines ? lineHash(launch, at) : launchHash(launch);
    return el('section', {class: 'fault'},
        el('p', {class: 'where'}, el('strong', {}, (launch.fault || 'fault').split('\n')[0]),
            at && [' at ', launch.lines ? el('a', {href}, place) : el('code', {}, place)]),
        at && sourceText(launch, at) &&
            el('pre', {class: 'quote'}, el('code', {}, sourceText(launch, at))),
        el('details', {open: only},
            el('summary', {}, `Launch ${launch.launch}, ${report.kernels[kernel].short}`),
            el('pre', {}, launch.fault)));
}

// The hero of a profile in which launches faulted; false: none did.
function faultCard() {
    const shown = 5, faults = report.launches.filter(launch => launch.status === 'fault');
    return faults.length > 0 &&
        el('section', {class: 'card faults', 'aria-labelledby': 'faults-title'},
            el('p', {class: 'big hot', id: 'faults-title'}, plural(faults.length, 'fault'),
                el('span', {}, 'counts are of what ran before')),
            faults.slice(0, shown).map(fault => faultRow(fault, faults.length === 1)),
            faults.length > shown &&
                el('p', {}, `and ${plural(faults.length - shown, 'launch', 'launches')} more`));
}
