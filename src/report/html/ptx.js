// ptx: the kernel's PTX beside its source. The instructions of the current line are marked; a click on an instruction
// goes to its line.

function ptxPane(launch, go) {
  const kernel = kernelOf(launch), element = el('aside', { id: 'ptx', class: 'ptx', 'aria-label': 'PTX', hidden: true });
  const executed = new Map((launch.sites || []).map(site => [site.site, site]));
  const rows = []; // {row, at}
  let filled = false;

  function rowOf(at) {
    const site = at.site === null ? null : executed.get(at.site);
    const bad = site && excess(site.counters) > 0 ? verdict(site.counters) : null;
    const row = el('li', { class: at.site === null ? '' : 'memory' },
      el('button', { type: 'button', disabled: at.source_line === null, title: at.source_line === null ? null : `Line ${at.source_line}`, onclick: () => go({ file: at.file, line: at.source_line }) },
        el('span', { class: 'line' }, String(at.line)), el('code', {}, at.text), bad && el('span', { class: `tag ${bad.heat}` }, bad.big)));
    rows.push({ row, at });
    return row;
  }

  const isAt = (at, line, place) => at !== null && at.file === place.file && line === place.line;
  const isOf = (at, place) => place && (isAt(at, at.source_line, place) || isAt(at.inlined_at, at.inlined_at && at.inlined_at.line, place) ||
    (at.site !== null && passes({ of: kernel.sites[at.site] }, place)));

  function toggle() {
    element.hidden = !element.hidden;
    if (!filled) {
      filled = true;
      element.append(el('h3', {}, 'PTX'), el('ol', {}, kernel.ptx.map(rowOf)));
    }
    return !element.hidden;
  }

  function tie(place) {
    let first = null;
    for (const { row, at } of rows) {
      const tied = Boolean(isOf(at, place));
      row.classList.toggle('tied', tied);
      first = first || (tied ? row : null);
    }
    if (first && !element.hidden) element.scrollTop = first.offsetTop - element.clientHeight / 3;
  }

  return { element, toggle, tie };
}
