// ptx: the kernel's PTX beside its source. The instructions of the current line are marked; a click
// on an instruction goes to its line.

class PtxPane {
    // go(place) is called with the line of an instruction that was clicked.
    constructor(launch, go) {
        this.kernel = kernelOf(launch);
        this.executed = new Map(launch.sites.map(site => [site.site, site]));
        this.go = go;
        this.rows = [];  // {row, at}, made when they are first shown
        this.element = el('aside', {id: 'ptx', class: 'ptx', 'aria-label': 'PTX', hidden: true});
    }

    rowOf(at) {
        const site = this.executed.get(at.site), placed = at.source_line !== null;
        const bad = site && excess(site.counters) > 0 ? verdict(site.counters) : null;
        const button = el('button', {
            type: 'button',
            disabled: !placed,
            title: placed && `Line ${at.source_line}`,
            onclick: () => this.go({file: at.file, line: at.source_line}),
        },
            el('span', {class: 'line'}, String(at.line)), el('code', {}, at.text),
            bad && el('span', {class: `tag ${bad.heat}`}, bad.big));
        const row = el('li', {class: at.site === null ? '' : 'memory'}, button);
        this.rows.push({row, at});
        return row;
    }

    // Whether it is shown now.
    toggle() {
        this.element.hidden = !this.element.hidden;
        if (!this.rows.length)
            this.element.append(
                el('h3', {}, 'PTX'), el('ol', {}, this.kernel.ptx.map(at => this.rowOf(at))));
        return !this.element.hidden;
    }

    // Of the line itself, or inlined into it.
    belongs(at, place) {
        const is = (file, line) => file === place.file && line === place.line;
        return is(at.file, at.source_line) ||
            (at.inlined_at !== null && is(at.inlined_at.file, at.inlined_at.line)) ||
            (at.site !== null && passes({of: this.kernel.sites[at.site]}, place));
    }

    tie(place) {
        let first = null;
        for (const {row, at} of this.rows) {
            const tied = place !== null && this.belongs(at, place);
            row.classList.toggle('tied', tied);
            first = first || (tied ? row : null);
        }
        if (first && !this.element.hidden)
            this.element.scrollTop = first.offsetTop - this.element.clientHeight / 3;
    }
}
