// defects: what --sanitize has found, as urgent as faults.

function defectRow(defect, only) {
    const {at} = defect, file = at && at.file !== null && report.files[at.file].path;
    return el('section', {class: 'fault'},
        el('p', {class: 'where'}, el('strong', {}, defect.message.split('\n')[0]),
            at && [' at ', el('code', {}, file ? `${file}:${at.line}` : `PTX line ${at.line}`)]),
        el('details', {open: only},
            el('summary', {}, `${defect.title}, ${plural(defect.count, 'time')}`),
            el('pre', {}, defect.message)));
}

// The card of a profile with defects; false: there are none.
function defectCard() {
    const shown = 20, defects = (report.defects || []).filter(defect => !defect.benign);
    return defects.length > 0 &&
        el('section', {class: 'card faults', 'aria-labelledby': 'defects-title'},
            el('p', {class: 'big hot', id: 'defects-title'}, plural(defects.length, 'defect'),
                el('span', {}, 'found by --sanitize')),
            defects.slice(0, shown).map(defect => defectRow(defect, defects.length === 1)),
            defects.length > shown && el('p', {}, `and ${defects.length - shown} more`));
}
