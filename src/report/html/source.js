// source: the source of a launch beside its counters. A line opens to its instructions, their pictures and where they
// were inlined; lines without traffic fold away.

const CONTEXT = 2;

// ---- how hot ----

// 0 to 1: the line's part of the launch's excess. A line into which everything was inlined would always be hot.
function heatShare(launch, line) {
  const all = launch.all, sum = line.total;
  if (!line.own.requests && sum.requests === all.requests) return 0;
  const share = (part, whole) => (whole ? part / whole : 0);
  return Math.max(share(excessWavefronts(sum), excessWavefronts(all)) * (excessWavefronts(sum) * 100 >= all.wavefronts ? 1 : 0.3),
    share(excessSectors(sum), excessSectors(all)) * (excessSectors(sum) * 100 >= all.sectors ? 1 : 0.3));
}

// ---- code with comments, words and literals told apart ----

const TOKENS = /(\/\/.*|\/\*.*?(?:\*\/|$))|("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|\b(alignas|auto|bool|break|case|char|class|const|constexpr|continue|default|do|double|else|enum|extern|false|float|for|if|inline|int|long|namespace|nullptr|return|short|signed|sizeof|static|struct|switch|template|true|typedef|typename|union|unsigned|using|void|volatile|while|__global__|__device__|__shared__|__host__|__constant__|__forceinline__|__restrict__|__launch_bounds__)\b|(#\s*\w+)/g;
const TOKEN_CLASSES = ['comment', 'string', 'keyword', 'directive'];

function highlighted(text) {
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(TOKENS)) {
    if (match.index > from) parts.push(text.slice(from, match.index));
    parts.push(el('span', { class: TOKEN_CLASSES[match.slice(1).findIndex(group => group !== undefined)] }, match[0]));
    from = match.index + match[0].length;
  }
  parts.push(text.slice(from));
  return parts;
}

// ---- what a line opens to ----

function chainOf(launch, site) {
  const kernel = kernelOf(launch), chain = site.of.chain;
  if (chain.length < 2) return null;
  return el('ol', { class: 'chain', 'aria-label': 'Inlined' }, [...chain].reverse().map((at, i) =>
    el('li', {}, el('a', { href: lineHash(launch, at) }, placeName(launch, at)), ' ', el('code', {}, at.function || kernel.short),
      i < chain.length - 1 && el('span', { class: 'dim' }, ' calls'))));
}

function siteRow(site) {
  const c = site.counters;
  return [el('code', {}, site.of.words), el('code', { class: 'dim' }, `${site.of.ptx_line}: ${site.of.text}`), count(c.requests),
    c.wavefronts ? `${count(c.wavefronts)} of ${count(c.wavefronts_ideal || 0)}` : '–', c.wavefronts ? ratio(c.wavefronts, c.wavefronts_ideal) : '–',
    c.sectors ? `${count(c.sectors)} of ${count(c.sectors_ideal || 0)}` : '–', c.sectors ? ratio(c.sectors, c.requests) : '–'];
}

function sassNote(launch, place) {
  return kernelOf(launch).sass_differs.filter(at => at.file === place.file && at.line === place.line).map(at =>
    el('p', { class: 'note' }, `The PTX has ${at.ptx} × ${at.operation} (${at.ptx_bytes} bytes a thread), the machine code ${at.sass} (${at.sass_bytes} bytes): a GPU may count otherwise here.`));
}

// Instructions whose recorded accesses look alike are shown by one of them.
function distinctEvidence(sites) {
  const seen = new Map();
  for (const site of sites) {
    if (!site.evidence) continue;
    const pictures = [site.evidence.banks, site.evidence.sectors].map(row => report.pictures[row]);
    const key = [site.of.words, site.evidence.words, ...pictures.map(at => at && `${at.cost} ${at.ideal}`)].join();
    if (!seen.has(key)) seen.set(key, { site, alike: 0 });
    seen.get(key).alike++;
  }
  return [...seen.values()].sort((a, b) => excess(b.site.counters) - excess(a.site.counters)).slice(0, 3);
}

function evidenceBlock(launch, { site, alike }) {
  const evidence = site.evidence;
  return el('div', { class: 'evidence' },
    el('p', {}, el('code', {}, site.of.words), alike > 1 && el('span', { class: 'dim' }, ` (and ${alike - 1} alike)`), `: in a warp, ${evidence.words}.`,
      evidence.alike < evidence.recorded && el('span', { class: 'dim' }, ` ${percent(evidence.alike, evidence.recorded)} of the recorded executions cost as much; this is the kind that costs most.`)),
    el('div', { class: 'figures' }, figuresOf(evidence)), chainOf(launch, site));
}

function lineDetail(launch, line) {
  const sites = sitesOf(launch).filter(site => passes(site, line)), finding = findingOf(launch, line);
  const heads = ['access', 'PTX', 'requests', 'wavefronts', 'N-way', 'sectors', 'a request'];
  return el('div', { class: 'opened' },
    finding && el('p', { class: 'advice' }, el('strong', {}, `${ruleOf(finding).title}. `), ruleOf(finding).advice),
    distinctEvidence(sites).map(at => evidenceBlock(launch, at)),
    sassNote(launch, line),
    plainTable(plural(sites.length, 'memory instruction'), heads, sites.map(siteRow)));
}

// ---- the table ----

function counterCells(launch, line) {
  const c = line.total, cells = [], all = launch.all;
  const cell = (text, heat, name) => cells.push(el('td', { class: `number ${name || ''} ${heat || ''}` }, text));
  const marked = heatShare(launch, line) >= 0.1;
  if (all.wavefronts) {
    cell(c.wavefronts ? ratio(c.wavefronts, c.wavefronts_ideal) : '', marked && heatOf(excessWavefronts(c), c.wavefronts));
    cell(c.wavefronts ? short(excessWavefronts(c)) : '', '', 'minor');
  }
  if (all.sectors) {
    const requests = sitesOf(launch).filter(site => site.counters.sectors && passes(site, line)).reduce((sum, site) => sum + site.counters.requests, 0);
    cell(c.sectors ? ratio(c.sectors, requests) : '', marked && heatOf(excessSectors(c), c.sectors));
    cell(c.sectors ? short(excessSectors(c)) : '', '', 'minor');
  }
  cell(short(c.requests), '', 'minor');
  return cells;
}

function counterHeads(launch) {
  const heads = [], head = (name, title, minor) => heads.push(el('th', { scope: 'col', class: `number ${minor ? 'minor' : ''}`, title }, name));
  if (launch.all.wavefronts) {
    head('N-way', 'Shared memory: wavefronts / ideal wavefronts');
    head('excess', 'Wavefronts beyond the ideal', true);
  }
  if (launch.all.sectors) {
    head('sect/req', 'Global memory: 32-byte sectors a request');
    head('excess', 'Sectors beyond the ideal', true);
  }
  head('requests', 'Executions by a warp', true);
  return heads;
}

const placeId = place => `L${place.file === null ? 'ptx' : place.file}-${place.line}`;

// The lines of a file as blocks: {from, to, line} with traffic, {from, to} to show, {from, to, folded: true}.
function blocksOf(lines, total) {
  const blocks = [];
  let next = 1;
  lines.forEach((line, i) => {
    const gap = line.line - next, head = i ? CONTEXT : 0;
    if (gap > head + CONTEXT + 1) {
      if (head) blocks.push({ from: next, to: next + head });
      blocks.push({ from: next + head, to: line.line - CONTEXT, folded: true });
      blocks.push({ from: line.line - CONTEXT, to: line.line });
    } else if (gap > 0) blocks.push({ from: next, to: line.line });
    blocks.push({ from: line.line, to: line.line + 1, line });
    next = line.line + 1;
  });
  if (next <= total) {
    blocks.push({ from: next, to: Math.min(next + CONTEXT, total + 1) });
    if (next + CONTEXT <= total) blocks.push({ from: next + CONTEXT, to: total + 1, folded: true });
  }
  return blocks;
}

// Without the indentation that all lines with traffic have.
function outdented(text, lines) {
  const indents = lines.map(line => text[line.line - 1]).filter(at => at !== undefined && at.trim()).map(at => at.match(/^ */)[0].length);
  const common = Math.min(...indents, 200);
  return text.map(at => at.slice(Math.min(common, at.match(/^ */)[0].length)));
}

// The source of a launch: {element, open(place), step(direction), hottest(), toggle(), togglePtx()}.
function sourceSection(launch) {
  const lines = launch.lines.filter(line => line.total.requests);
  const rows = new Map(); // id of a place: {row, line, button, detail}
  const heads = counterHeads(launch), columns = heads.length;
  let current = null, hottestShown = -1;
  const ptx = ptxPane(launch, place => select(place, true));

  function textOf(file, own) {
    if (file !== null) return outdented(report.files[file].lines || [], own);
    const text = [];
    for (const at of kernelOf(launch).ptx) text[at.line - 1] = at.text;
    return text;
  }

  function plainRow(number, text) {
    return el('tr', { class: 'plain' }, heads.map(head => el('td', { class: head.className })), el('td', { class: 'line' }, String(number)), el('td', { class: 'text' }, el('code', {}, highlighted(text || ''))));
  }

  function foldRow(block, text) {
    const unfold = () => row.replaceWith(...range(block, text));
    const row = el('tr', { class: 'fold' }, el('td', { colspan: columns + 2 }, el('button', { type: 'button', onclick: unfold }, `${plural(block.to - block.from, 'line')} without traffic`)));
    return row;
  }

  function range(block, text) {
    const made = [];
    for (let number = block.from; number < block.to; number++) made.push(plainRow(number, text[number - 1]));
    return made;
  }

  function lineRow(line, text) {
    const id = placeId(line), share = heatShare(launch, line), name = `${placeName(launch, line)}${share >= 0.1 ? ', hot' : ''}`;
    const button = el('button', { type: 'button', 'aria-expanded': 'false', 'aria-label': `Line ${name}` }, String(line.line));
    const row = el('tr', { class: `traffic ${share >= 0.1 ? 'marked' : ''}`, id, style: `--heat: ${share.toFixed(3)}` },
      counterCells(launch, line), el('td', { class: 'line' }, button), el('td', { class: 'text' }, el('code', {}, highlighted(text || ''))));
    row.addEventListener('click', event => {
      if (event.target.closest('a') || String(getSelection())) return;
      select(line, false);
      toggle();
    });
    rows.set(id, { row, line, button, detail: null });
    return row;
  }

  function toggle(open) {
    const at = current && rows.get(placeId(current));
    if (!at || open === Boolean(at.detail)) return;
    if (at.detail) at.detail.remove();
    at.detail = at.detail ? null : el('tr', { class: 'detail' }, el('td', { colspan: columns + 2 }, lineDetail(launch, at.line)));
    if (at.detail) at.row.after(at.detail);
    at.button.setAttribute('aria-expanded', String(Boolean(at.detail)));
  }

  // Makes a line the current one and ties its PTX to it.
  function select(place, scroll) {
    const at = rows.get(placeId(place));
    for (const other of rows.values()) other.row.classList.toggle('current', other === at);
    current = place;
    ptx.tie(place);
    if (!at) return false;
    at.button.focus({ preventScroll: true });
    if (scroll) at.row.scrollIntoView({ block: 'center' });
    return true;
  }

  function step(direction) {
    const order = [...rows.values()].map(at => at.line);
    const at = current ? order.findIndex(line => placeId(line) === placeId(current)) : -1;
    const next = at < 0 ? (direction > 0 ? 0 : order.length - 1) : at + direction;
    if (order[next]) select(order[next], true);
  }

  function hottest() {
    const order = [...rows.values()].map(at => at.line).filter(line => heatShare(launch, line) > 0)
      .sort((a, b) => heatShare(launch, b) - heatShare(launch, a));
    if (!order.length) return;
    hottestShown = (hottestShown + 1) % order.length;
    select(order[hottestShown], true);
    announce(`${placeName(launch, order[hottestShown])}`);
  }

  function fileTable(file) {
    const own = lines.filter(line => line.file === file), text = textOf(file, own), path = file === null ? `${kernelOf(launch).module} (PTX)` : report.files[file].path;
    const body = el('tbody', {}, blocksOf(own, text.length).map(block =>
      block.line ? lineRow(block.line, text[block.line.line - 1]) : block.folded ? foldRow(block, text) : range(block, text)));
    const note = file === null
      ? (kernelOf(launch).has_lines ? 'These instructions have no source line.' : 'The PTX has no line information: build it with nvcc -lineinfo to see the source.')
      : report.files[file].lines ? '' : 'The source was not there when the profile was made: line numbers alone.';
    return [el('h3', { class: 'code' }, path, note && el('span', { class: 'dim' }, ` ${note}`)),
      el('div', { class: 'scroll' }, el('table', { class: 'source' }, el('caption', { class: 'hidden' }, `Source: ${path}`),
        el('thead', {}, el('tr', {}, counterHeads(launch), el('th', { scope: 'col', class: 'line' }, 'line'), el('th', { scope: 'col', class: 'text' }, 'source'))), body))];
  }

  // The file that the kernel is in first.
  const home = kernelOf(launch).file;
  const files = [...new Set(lines.map(line => line.file))].sort((a, b) => (b === home) - (a === home));
  const hotButton = el('button', { type: 'button', id: 'hottest', title: 'The line with most excess, then the next (h)', onclick: hottest }, 'Hottest line');
  const ptxButton = el('button', { type: 'button', id: 'ptx-toggle', 'aria-pressed': 'false', 'aria-controls': 'ptx', title: 'The PTX beside the source (x)', onclick: () => togglePtx() }, 'PTX');
  const body = el('div', { class: 'code-area' }, el('div', { class: 'source-side' }, files.map(fileTable)), ptx.element);

  function togglePtx() {
    const shown = ptx.toggle();
    ptxButton.setAttribute('aria-pressed', String(shown));
    body.classList.toggle('with-ptx', shown);
    ptx.tie(current);
  }

  const element = el('section', { 'aria-labelledby': 'source-title', id: 'source' },
    el('div', { class: 'title-row' }, el('h2', { id: 'source-title' }, 'Source'),
      el('span', { class: 'dim' }, 'Heat is the line’s part of the launch’s excess. Open a line for its pictures.'), el('span', { class: 'grow' }), excess(launch.all) > 0 && hotButton, ptxButton),
    lines.length ? body : el('p', {}, 'No memory instruction was executed.'));
  return { element, step, hottest, toggle, togglePtx, open: place => { if (select(place, true)) toggle(true); } };
}
