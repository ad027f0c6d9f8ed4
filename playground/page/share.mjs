// share: what the page shows, in the fragment of its address: "#explain?decl=float+a[32]&access=a[lane]". Nothing of an address is more
// than text in fields.

const MOST = 6000;  // letters of an address that every browser and forum takes

export function toFragment(view, fields) {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(fields))
        if (value) query.set(name, value === true ? '1' : value);
    const text = query.toString();
    return `#${view}${text ? `?${text}` : ''}`;
}

// null: too long to be one.
export function address(view, fields) {
    const fragment = toFragment(view, fields);
    return fragment.length <= MOST ? location.href.split('#')[0] + fragment : null;
}

// {view, fields}: only fields of these names, as text of at most so many letters.
export function fromFragment(fragment, names) {
    const [view, query = ''] = fragment.replace(/^#/, '').split(/\?(.*)/s);
    const given = new URLSearchParams(query.slice(0, 4 * MOST)), fields = {};
    for (const name of names)
        if (given.has(name)) fields[name] = given.get(name).slice(0, MOST);
    return {view, fields};
}
