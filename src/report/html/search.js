// search: kernels, findings and source lines, as one list under the box.

const HITS = 40;

function searchEntries() {
    const entries = [], seen = new Set();
    for (const launch of report.launches.filter(at => at.lines)) {
        entries.push({
            kind: 'launch',
            text: kernelOf(launch).demangled,
            detail: `launch ${launch.launch}`,
            href: launchHash(launch)
        });
        for (const {finding} of findingsOf(launch))
            if (finding.lines.length)
                entries.push({
                    kind: 'finding',
                    text: ruleOf(finding).title,
                    detail: `${kernelOf(launch).short}, ${placeName(launch, finding.lines[0])}`,
                    href: lineHash(launch, finding.lines[0])
                });
        for (const line of launch.lines) {
            const key = `${launch.kernel} ${line.file} ${line.line}`,
                  text = sourceText(launch, line);
            if (seen.has(key) || !text || !line.total.requests) continue;
            seen.add(key);
            entries.push({
                kind: 'line',
                text,
                detail: `${placeName(launch, line)}, ${kernelOf(launch).short}`,
                href: lineHash(launch, line)
            });
        }
    }
    return entries;
}

function setUpSearch() {
    const box = byId('search'), list = byId('hits'), entries = searchEntries();
    let hits = [], active = -1;

    function show() {
        const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
        const fits = entry =>
            words.every(word => `${entry.text} ${entry.detail}`.toLowerCase().includes(word));
        hits = words.length ? entries.filter(fits).slice(0, HITS) : [];
        active = -1;
        list.replaceChildren(
            ...hits.map((hit, i) => el('li', {
                role: 'option',
                id: `hit-${i}`,
                'aria-selected': 'false',
                onmousedown: event => {
                    event.preventDefault();
                    go(i);
                }
            },
                            el('span', {class: 'tag'}, hit.kind), el('code', {}, hit.text),
                            el('span', {class: 'dim'}, hit.detail))));
        if (words.length && !hits.length)
            list.append(el(
                'li', {class: 'dim', role: 'option', 'aria-selected': 'false'}, 'Nothing found.'));
        list.hidden = !words.length;
        box.setAttribute('aria-expanded', String(words.length > 0));
    }

    function move(direction) {
        if (!hits.length) return;
        active = (active + direction + hits.length) % hits.length;
        [...list.children].forEach(
            (item, i) => item.setAttribute('aria-selected', String(i === active)));
        list.children[active].scrollIntoView({block: 'nearest'});
        box.setAttribute('aria-activedescendant', `hit-${active}`);
    }

    function close() {
        list.hidden = true;
        box.setAttribute('aria-expanded', 'false');
        box.removeAttribute('aria-activedescendant');
    }

    function go(i) {
        if (!hits[i]) return;
        box.value = '';
        close();
        box.blur();
        if (location.hash === hits[i].href)
            route();
        else
            location.hash = hits[i].href;
    }

    const keys = {
        ArrowDown: () => move(1),
        ArrowUp: () => move(-1),
        Enter: () => go(Math.max(0, active)),
        Escape: () => {
            box.value = '';
            close();
            box.blur();
        }
    };
    box.addEventListener('input', show);
    box.addEventListener('focus', show);
    box.addEventListener('blur', close);
    box.addEventListener('keydown', event => {
        if (!keys[event.key]) return;
        event.preventDefault();
        event.stopPropagation();
        keys[event.key]();
    });
}
