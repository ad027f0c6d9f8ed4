// source: the source of a launch beside its counters. A line with traffic opens (line.js); lines
// without fold away.

const CONTEXT = 2;  // lines that are shown around a line with traffic

// ---- how hot ----

// 0 to 1: the line's part of the launch's excess. A line into which everything was inlined would
// always be hot; a line whose excess is below 1 % of all that was counted is never very hot.
function heatShare(launch, line) {
    const all = launch.all, sum = line.total;
    if (!line.own.requests && sum.requests === all.requests) return 0;
    const share = (part, whole, counted) =>
        whole ? part / whole * (part * 100 >= counted ? 1 : 0.3) : 0;
    return Math.max(share(excessWavefronts(sum), excessWavefronts(all), all.wavefronts || 0),
        share(excessSectors(sum), excessSectors(all), all.sectors || 0));
}

const isMarked = (launch, line) => heatShare(launch, line) >= 0.1;

// ---- the counters of a line ----

// Columns of a launch's tables: {name, title, minor: left out where there is little room,
// text(line), heat(line)}.
function counterColumns(launch) {
    const heat = (line, part, whole) => isMarked(launch, line) ? heatOf(part, whole) : '';
    const shared = [
        {
            name: 'N-way',
            title: 'Shared memory: wavefronts / ideal wavefronts',
            text: ({total}) => total.wavefronts && ratio(total.wavefronts, total.wavefronts_ideal),
            heat: line => heat(line, excessWavefronts(line.total), line.total.wavefronts),
        },
        {
            name: 'excess wavefronts',
            title: 'Wavefronts beyond the ideal',
            minor: true,
            text: ({total}) => total.wavefronts && short(excessWavefronts(total)),
        },
    ];
    const sectors = [
        {
            name: 'sect/req',
            title: 'Global memory: 32-byte sectors a request',
            text: line =>
                line.total.sectors && ratio(line.total.sectors, requestsWithSectors(launch, line)),
            heat: line => heat(line, excessSectors(line.total), line.total.sectors),
        },
        {
            name: 'excess sectors',
            title: 'Sectors beyond the ideal',
            minor: true,
            text: ({total}) => total.sectors && short(excessSectors(total)),
        },
    ];
    const requests = {
        name: 'requests',
        title: 'Executions by a warp',
        minor: true,
        text: ({total}) => short(total.requests),
    };
    return [
        ...(launch.all.wavefronts ? shared : []),
        ...(launch.all.sectors ? sectors : []),
        requests,
    ];
}

function requestsWithSectors(launch, line) {
    let sum = 0;
    for (const site of sitesOf(launch))
        if (site.counters.sectors && passes(site, line)) sum += site.counters.requests;
    return sum;
}

// ---- a file as blocks ----

// {from, to, line}: a line with traffic; {from, to}: lines to show; {from, to, folded}: to fold.
// declared: lines that are shown without traffic.
function blocksOf(lines, total, declared) {
    const traffic = new Map(lines.map(line => [line.line, line])), near = new Set(declared);
    for (const {line} of lines)
        for (let at = line - CONTEXT; at <= line + CONTEXT; at++) near.add(at);
    const shown = at => near.has(at) || (near.has(at - 1) && near.has(at + 1));
    const blockAt = line => ({from: line.line, to: line.line + 1, line});
    const blocks = lines.filter(({line}) => line < 1).map(blockAt);
    for (let from = 1, to; from <= total; from = to) {
        to = from + 1;
        if (traffic.has(from)) {
            blocks.push(blockAt(traffic.get(from)));
            continue;
        }
        while (to <= total && !traffic.has(to) && shown(to) === shown(from)) to++;
        blocks.push({from, to, folded: !shown(from)});
    }
    return [...blocks, ...lines.filter(({line}) => line > total).map(blockAt)];
}

const placeId = place => `L${place.file === null ? 'ptx' : place.file}-${place.line}`;

// ---- the section ----

class SourceSection {
    constructor(launch) {
        this.launch = launch;
        this.lines = launch.lines.filter(line => line.total.requests);
        this.columns = counterColumns(launch);
        this.rows = new Map();  // id of a place: {line, row, button, detail}
        this.current = null;    // a place
        this.hottestShown = -1;
        const go = place => this.select(place, true);
        this.listings =
            LISTINGS.filter(({id}) => kernelOf(launch)[id].length)
                .map(kind => new Listing(launch, kind, () => this.toggleListing(kind.id), go));
        this.body = el('div', {class: 'code-area'},
            el('div', {class: 'source-side'}, this.files().map(file => this.fileTable(file))),
            this.listings.map(({element}) => element));
        this.element = el('section', {'aria-labelledby': 'source-title', id: 'source'}, this.head(),
            this.lines.length ? this.body : el('p', {}, 'No memory instruction was executed.'));
    }

    head() {
        const hottest = el('button', {
            type: 'button',
            id: 'hottest',
            title: 'The line with most excess, then the next (h)',
            onclick: () => this.hottest(),
        },
            'Hottest line');
        const hint =
            'Heat is the line’s part of the launch’s excess. Open a line for its pictures.';
        return el('div', {class: 'title-row'}, el('h2', {id: 'source-title'}, 'Source'),
            el('span', {class: 'dim'}, hint), el('span', {class: 'grow'}),
            excess(this.launch.all) > 0 && hottest, this.listings.map(({button}) => button));
    }

    // ---- tables ----

    // The file that the kernel is in first.
    files() {
        const home = kernelOf(this.launch).file;
        return [...new Set(this.lines.map(line => line.file))].sort(
            (a, b) => (b === home) - (a === home));
    }

    textOf(file, lines) {
        if (file !== null) return outdented(report.files[file].lines || [], lines);
        const text = [];
        for (const at of kernelOf(this.launch).ptx) text[at.line - 1] = at.text;
        return text;
    }

    noteOf(file) {
        if (file !== null)
            return report.files[file].lines ? '' :
                                              'The source was not there when the profile was made.';
        return kernelOf(this.launch).has_lines ?
            'These instructions have no source line.' :
            `The ${
                originOf(kernelOf(
                    this.launch))} has no line information: build it with nvcc -lineinfo to see the source.`;
    }

    fileTable(file) {
        const kernel = kernelOf(this.launch), note = this.noteOf(file);
        const lines = this.lines.filter(line => line.file === file);
        const path =
            file === null ? `${kernel.module} (${originOf(kernel)})` : report.files[file].path;
        const text = this.textOf(file, lines);
        const heads = this.columns.map(
            ({name, title, minor}) =>
                el('th', {scope: 'col', class: `number ${minor ? 'minor' : ''}`, title}, name));
        const declared = file !== null && file === kernel.file ? kernel.declarations : [];
        const rows = blocksOf(lines, text.length, declared).map(block => {
            if (block.line) return this.lineRow(block.line, text[block.from - 1]);
            return block.folded ? this.foldRow(block, text) : this.plainRows(block, text);
        });
        return [
            el('h3', {class: 'code'}, path, note && el('span', {class: 'dim'}, ` ${note}`)),
            el('div', {class: 'scroll'},
                el('table', {class: 'source'}, el('caption', {class: 'hidden'}, `Source: ${path}`),
                    el('thead', {},
                        el('tr', {}, heads, el('th', {scope: 'col', class: 'line'}, 'line'),
                            el('th', {scope: 'col', class: 'text'}, 'source'))),
                    el('tbody', {}, rows))),
        ];
    }

    // ---- rows ----

    plainRows(block, text) {
        const empty = () => this.columns.map(({minor}) => el('td', {class: minor && 'minor'}));
        const rows = [];
        for (let number = block.from; number < block.to; number++)
            rows.push(el('tr', {class: 'plain'}, empty(), el('td', {class: 'line'}, String(number)),
                el('td', {class: 'text'}, el('code', {}, highlighted(text[number - 1] || '')))));
        return rows;
    }

    foldRow(block, text) {
        const words = `${plural(block.to - block.from, 'line')} without traffic`;
        const unfold = () => row.replaceWith(...this.plainRows(block, text));
        const row = el('tr', {class: 'fold'},
            el('td', {colspan: this.columns.length + 2},
                el('button', {type: 'button', onclick: unfold}, words)));
        return row;
    }

    lineRow(line, text) {
        const marked = isMarked(this.launch, line), id = placeId(line);
        const name = `Line ${placeName(this.launch, line)}${marked ? ', hot' : ''}`;
        const button = el('button', {type: 'button', 'aria-expanded': 'false', 'aria-label': name},
            String(line.line));
        const style = `--heat: ${heatShare(this.launch, line).toFixed(3)}`;
        const cells = this.columns.map(
            ({text: words, heat, minor}) =>
                el('td', {class: `number ${minor ? 'minor' : ''} ${heat ? heat(line) : ''}`},
                    words(line) || ''));
        const row = el('tr', {class: `traffic ${marked ? 'marked' : ''}`, id, style}, cells,
            el('td', {class: 'line'}, button),
            el('td', {class: 'text'}, el('code', {}, highlighted(text || ''))));
        row.addEventListener('click', event => {
            if (event.target.closest('a') || String(getSelection())) return;
            this.select(line, false);
            this.toggle();
        });
        this.rows.set(id, {line, row, button, detail: null});
        return row;
    }

    // ---- the current line ----

    // Makes a line the current one and ties its instructions to it.
    select(place, scroll) {
        const at = this.rows.get(placeId(place));
        for (const other of this.rows.values()) other.row.classList.toggle('current', other === at);
        this.current = place;
        for (const listing of this.listings) listing.tie(place);
        if (!at) return false;
        at.button.focus({preventScroll: true});
        if (scroll) at.row.scrollIntoView({block: 'center'});
        return true;
    }

    open(place) {
        if (this.select(place, true)) this.toggle(true);
    }

    // Opens or closes the current line; open: which of both.
    toggle(open) {
        const at = this.current && this.rows.get(placeId(this.current));
        if (!at || open === Boolean(at.detail)) return;
        if (at.detail) {
            at.detail.remove();
            at.detail = null;
        } else {
            at.detail = el('tr', {class: 'detail'},
                el('td', {colspan: this.columns.length + 2}, lineDetail(this.launch, at.line)));
            at.row.after(at.detail);
        }
        at.button.setAttribute('aria-expanded', String(Boolean(at.detail)));
    }

    step(direction) {
        const order = [...this.rows.keys()];
        const at = this.current ? order.indexOf(placeId(this.current)) : -1;
        const next = at < 0 && direction < 0 ? order.length - 1 : at + direction;
        if (order[next]) this.select(this.rows.get(order[next]).line, true);
    }

    hottest() {
        const share = line => heatShare(this.launch, line);
        const order =
            this.lines.filter(line => share(line) > 0).sort((a, b) => share(b) - share(a));
        if (!order.length) return;
        this.hottestShown = (this.hottestShown + 1) % order.length;
        this.select(order[this.hottestShown], true);
        announce(placeName(this.launch, order[this.hottestShown]));
    }

    // Shows a listing instead of the other one, or hides it.
    toggleListing(id) {
        if (!this.listings.some(({kind}) => kind.id === id)) return;
        for (const listing of this.listings) {
            listing.show(listing.kind.id === id && listing.element.hidden);
            listing.tie(this.current);
        }
    }
}
