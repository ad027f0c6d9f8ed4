// pictures: one recorded access of a warp, drawn. Banks: a row for each wavefront, a column for
// each bank, in a cell the lane that is served there. Sectors: a row for each 128-byte line, in it
// the bytes that lanes use.

const BANKS = 32, LINE = 128, SECTOR = 32, LINES_DRAWN = 16;

const laneColour = lane => `--lane: ${lane}`;
const laneNames = lanes => {
    const runs = [];
    for (const lane of lanes) {
        const last = runs[runs.length - 1];
        if (last && last[1] === lane - 1)
            last[1] = lane;
        else
            runs.push([lane, lane]);
    }
    return (lanes.length === 1 ? 'lane ' : 'lanes ') +
        runs.map(([from, to]) => (from === to ? from : `${from}–${to}`)).join(', ');
};

const activeLanes =
    picture => [...picture.address.keys()].filter(lane => picture.address[lane] !== null);

const lanesOf = picture =>
    `${plural(activeLanes(picture).length, 'lane')} of ${picture.width} bytes each`;

// ---- banks ----

// What each wavefront moves: a map from the byte of a word to its lanes. Of a loop around a
// compare-and-swap those of its first load alone.
function wavefrontCells(picture) {
    const rows = 1 + Math.max(-1, ...picture.wavefront.filter(row => row !== null));
    const cells = Array.from({length: rows}, () => new Map());
    for (const lane of activeLanes(picture)) {
        const row = cells[picture.wavefront[lane]];
        if (!row) continue;  // it names no row, or another lane overwrites it
        for (let at = 0; at < picture.width; at += 4) {
            const word = Math.floor((picture.address[lane] + at) / 4);
            row.set(word, [...(row.get(word) || []), lane]);
        }
    }
    return cells;
}

// What the rows leave out, or ''.
function roundWords(picture) {
    if (picture.passes) return `; a compare-and-swap goes through each row ${picture.passes} times`;
    if (!picture.rounds) return '';
    return `; the rows are the load of round 1 of ${picture.rounds}, in which a compare-and-swap ` +
        `takes ${picture.swaps} more`;
}

function bankCell(row, word, lanes, size, step, left) {
    const bank = word % BANKS, x = left + bank * size, y = row * step;
    return svg('g', {class: 'cell', style: laneColour(lanes[0])},
        svg('title', {}, `wavefront ${row + 1}, bank ${bank}: ${laneNames([...new Set(lanes)])}`),
        svg('rect', {x: x + 0.5, y: y + 0.5, width: size - 1, height: step - 1, rx: 2}),
        svg('text', {x: x + size / 2, y: y + step / 2},
            lanes.length > 1 ? '×' + lanes.length : lanes[0]));
}

function bankPicture(picture) {
    const size = 16, left = 26, top = 18, cells = wavefrontCells(picture);
    const step = cells.length > 8 ? 9 : size, height = cells.length * step, width = BANKS * size;
    const served = `served in ${plural(picture.cost, 'wavefront')}; ${picture.ideal} would do`;
    const name = `${lanesOf(picture)}, ${served}`;
    const grid = svg('svg', {
        class: 'picture banks',
        viewBox: `0 0 ${left + width + 1} ${top + height + 1}`,
        role: 'img',
        'aria-label': name,
        style: `max-width: ${left + width + 1}px`,
    });
    for (const bank of [0, 4, 8, 12, 16, 20, 24, 28, 31])
        grid.append(svg('text', {class: 'axis', x: left + (bank + 0.5) * size, y: 9}, bank));
    const body = svg('g', {transform: `translate(0 ${top})`});
    cells.forEach((row, number) => {
        body.append(svg('rect', {
            class: 'row',
            x: left + 0.5,
            y: number * step + 0.5,
            width: width - 1,
            height: step - 1,
            rx: 2
        }));
        if (cells.length <= 8 || number % 4 === 3 || number === 0 || number === cells.length - 1)
            body.append(svg(
                'text', {class: 'axis side', x: left - 6, y: (number + 0.5) * step}, number + 1));
        for (const [word, lanes] of row)
            body.append(bankCell(number, word, lanes, size, step, left));
    });
    grid.append(body);
    return grid;
}

// ---- sectors ----

// The 128-byte lines that are touched, in order: {start, bytes: lane of each byte or undefined}.
function touchedLines(picture) {
    const lines = new Map();
    for (const lane of activeLanes(picture))
        for (let at = 0; at < picture.width; at++) {
            const byte = picture.address[lane] + at, start = Math.floor(byte / LINE) * LINE;
            if (!lines.has(start)) lines.set(start, new Array(LINE));
            const bytes = lines.get(start);
            if (bytes[byte - start] === undefined) bytes[byte - start] = lane;
        }
    return [...lines].sort((a, b) => a[0] - b[0]).map(([start, bytes]) => ({start, bytes}));
}

// Runs of neighbouring bytes that one lane uses first.
function byteRuns(bytes) {
    const runs = [];
    for (let at = 0; at < LINE; at++) {
        if (bytes[at] === undefined) continue;
        const last = runs[runs.length - 1];
        if (last && last.lane === bytes[at] && last.end === at)
            last.end = at + 1;
        else
            runs.push({lane: bytes[at], start: at, end: at + 1});
    }
    return runs;
}

function sectorRow(line, y, left, scale, gap) {
    const x = byte => left + byte * scale + Math.floor(byte / SECTOR) * gap, height = 14;
    const row = svg('g', {},
        svg('text', {class: 'axis side', x: left - 6, y: y + height / 2}, count(line.start)));
    for (let sector = 0; sector < LINE / SECTOR; sector++) {
        const used = line.bytes.slice(sector * SECTOR, (sector + 1) * SECTOR)
                         .filter(lane => lane !== undefined)
                         .length;
        row.append(svg('g', {},
            svg('title', {},
                used ? `sector fetched, ${used} of 32 bytes used` : 'sector not fetched'),
            svg('rect', {
                class: used ? 'fetched' : 'untouched',
                x: x(sector * SECTOR),
                y,
                width: SECTOR * scale,
                height,
                rx: 2
            })));
    }
    for (const run of byteRuns(line.bytes))
        for (let from = run.start; from < run.end;) {
            const to = Math.min(run.end, (Math.floor(from / SECTOR) + 1) * SECTOR);
            const bytes = plural(run.end - run.start, 'byte');
            row.append(svg('g', {class: 'cell', style: laneColour(run.lane)},
                svg('title', {}, `lane ${run.lane}: ${bytes} at ${count(line.start + run.start)}`),
                svg('rect', {
                    x: x(from) + 0.5,
                    y: y + 1.5,
                    width: (to - from) * scale - 1,
                    height: height - 3,
                    rx: 1
                })));
            from = to;
        }
    return row;
}

function sectorPicture(picture) {
    const lines = touchedLines(picture), drawn = lines.slice(0, LINES_DRAWN);
    const digits = count(drawn.length ? drawn[drawn.length - 1].start : 0).length;
    const left = Math.max(26, digits * 6 + 10), scale = 4, gap = 4, step = 17,
          more = lines.length - drawn.length;
    const width = left + LINE * scale + 3 * gap + 1, height = drawn.length * step + (more ? 18 : 0);
    const touched = `${plural(picture.cost, 'sector')}; ${picture.ideal} would do`;
    const name = `${lanesOf(picture)} touch ${touched}`;
    const drawing = svg('svg', {
        class: 'picture sectors',
        viewBox: `0 0 ${width} ${height}`,
        role: 'img',
        'aria-label': name,
        style: `max-width: ${width}px`,
    });
    drawn.forEach(
        (line, number) => drawing.append(sectorRow(line, number * step, left, scale, gap)));
    if (more)
        drawing.append(svg('text', {class: 'axis more', x: left, y: drawn.length * step + 9},
            `… and ${plural(more, 'line')} more of 128 bytes`));
    return drawing;
}

// ---- with their captions ----

// Why more sectors are moved than would do. A cp.async.cg moves a sector more than once where it
// straddles two of the destination, or where its halves change places.
function sectorWords(picture) {
    if (picture.cost <= picture.ideal) return ': as few as can be';
    let used = 0;
    const sectors = new Set();
    for (const {start, bytes} of touchedLines(picture))
        bytes.forEach((lane, at) => {
            used++;
            sectors.add(start + Math.floor(at / SECTOR) * SECTOR);
        });
    if (sectors.size < picture.cost)
        return ` moved where ${picture.ideal} would do: source and destination do not line up`;
    const share = percent(used, picture.cost * SECTOR);
    return ` where ${picture.ideal} would do: ${share} of the bytes moved are used`;
}

const figure = (drawing, ...caption) => el('figure', {}, el('figcaption', {}, ...caption), drawing);

function bankFigures(evidence) {
    const before = report.pictures[evidence.banks];
    const figures = [figure(bankPicture(before),
        el('strong', {class: before.cost > before.ideal ? 'bad' : 'good'},
            plural(before.cost, 'wavefront')),
        before.cost > before.ideal ? ` where ${before.ideal} would do` : ': as few as can be',
        el('span', {class: 'dim'}, ' · rows are wavefronts, columns banks', roundWords(before)))];
    return [...figures, ...evidence.fixes.map(fixFigure)];
}

// The access where its array has another layout; what that does for all accesses to the array.
function fixFigure(fix) {
    const after = report.pictures[fix.banks];
    const sum = `recorded accesses to ${fix.array}: ${count(fix.before)} → ${
                    count(fix.after)} wavefronts, ` +
        `${plural(fix.bytes, 'byte')}`;
    return figure(bankPicture(after),
        el('strong', {class: after.cost > after.ideal ? '' : 'good'},
            plural(after.cost, 'wavefront')),
        ' with ', el('span', {class: 'fix'}, fix.words),
        fix.pieces > 1 && ` (of the first of ${fix.pieces} accesses that it takes then)`,
        el('span', {class: 'dim'}, ` · ${sum}`));
}

function sectorFigures(evidence) {
    const picture = report.pictures[evidence.sectors];
    const style = picture.cost > picture.ideal ? 'bad' : 'good';
    return [figure(sectorPicture(picture),
        el('strong', {class: style}, plural(picture.cost, 'sector')), sectorWords(picture),
        el('span', {class: 'dim'}, ' · a row is 128 bytes, a box a sector'))];
}

// The pictures of an instruction's recorded access; what: 'banks', 'sectors' or undefined for both.
function figuresOf(evidence, what) {
    const figures = [];
    if (evidence && evidence.banks !== null && what !== 'sectors')
        figures.push(...bankFigures(evidence));
    if (evidence && evidence.sectors !== null && what !== 'banks')
        figures.push(...sectorFigures(evidence));
    return figures;
}
