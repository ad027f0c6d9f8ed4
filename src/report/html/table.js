// table: a table that can be sorted and filtered.
//
// columns: {name, title, value(row) to sort by, cell(row) -> children, and if need be heat(row),
// class, text: words rather than numbers, head: the row's heading}.
// options: {text(row) to filter by, order(a, b) of equal rows, sort: the column at first}.
// Returns {element, filter(text) -> how many rows are left}.
function sortedTable(caption, columns, rows, options) {
    const state = {column: options.sort || null, descending: true, filter: ''};
    const body = el('tbody');
    const heads = columns.map(column => {
        const button = el('button',
            {type: 'button', title: column.title, onclick: () => sort(column)}, column.name);
        return el('th', {scope: 'col', class: column.text ? 'text' : 'number'}, button);
    });

    function cellOf(column, row) {
        const kind = column.text ? 'text' : 'number', heat = column.heat ? column.heat(row) : '';
        const attributes = {class: `${kind} ${column.class || ''} ${heat}`};
        if (column.head) return el('th', {scope: 'row', ...attributes}, column.cell(row));
        return el('td', attributes, column.cell(row));
    }

    function ordered() {
        const found = rows.filter(row => options.text(row).toLowerCase().includes(state.filter));
        const column = columns.find(at => at.name === state.column);
        if (!column) return found;
        const sign = state.descending ? -1 : 1;
        const compare = (a, b) => (typeof a === 'string' ? a.localeCompare(b) : a - b);
        return found.sort(
            (a, b) => sign * compare(column.value(a), column.value(b)) || options.order(a, b));
    }

    function show() {
        const shown = ordered();
        columns.forEach((column, i) => {
            const sorted = column.name === state.column;
            fill(heads[i],
                {'aria-sort': sorted ? (state.descending ? 'descending' : 'ascending') : 'none'},
                []);
        });
        body.replaceChildren(...shown.map(row => el('tr', {}, columns.map(at => cellOf(at, row)))));
        if (!shown.length)
            body.append(el('tr', {},
                el('td', {colspan: columns.length, class: 'text dim'}, 'Nothing matches.')));
        return shown.length;
    }

    function sort(column) {
        state.descending = state.column === column.name ? !state.descending : !column.text;
        state.column = column.name;
        show();
        announce(
            `Sorted by ${column.name}, ${state.descending ? 'largest first' : 'smallest first'}`);
    }

    show();
    const element = el('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption},
        el('table', {class: 'grid'}, el('caption', {class: 'hidden'}, caption),
            el('thead', {}, el('tr', {}, heads)), body));
    return {
        element,
        filter: text => {
            state.filter = text.trim().toLowerCase();
            return show();
        }
    };
}

// A number with a bar beside it: full up to what is sure, pale up to what may be.
const withRange = (text, least, most) => [text,
    el('span', {class: 'bar-track wide', 'aria-hidden': 'true'},
        ...[['bar-fill pale', most], ['bar-fill over', least]].map(
            ([name, share]) => el('span',
                {class: name, style: `inline-size: ${Math.min(100, 100 * share).toFixed(1)}%`})))];

// A number with a bar of its share beside it.
const withBar = (text, share) => [text,
    el('span', {class: 'bar-track', 'aria-hidden': 'true'},
        el('span',
            {class: 'bar-fill', style: `inline-size: ${Math.min(100, 100 * share).toFixed(1)}%`}))];
