// dom: elements. Text of files and of what was typed becomes text nodes and nothing else, so it cannot be markup.

export function el(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
        if (name.startsWith('on'))
            element.addEventListener(name.slice(2), value);
        else if (value === true)
            element.setAttribute(name, '');
        else if (value !== false && value !== null && value !== undefined)
            element.setAttribute(name, value);
    }
    for (const child of children.flat(Infinity))
        if (child !== null && child !== undefined && child !== false) element.append(child);
    return element;
}

export const byId = id => document.getElementById(id);

// Says something to those who cannot see that it happened.
export function announce(text) {
    byId('status').textContent = text;
}

// An SVG that the program wrote, as a node. What could run or load something is left out, whoever wrote it.
export function svgNode(text) {
    const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
    if (parsed.querySelector('parsererror')) return document.createTextNode('');
    for (const bad of parsed.querySelectorAll('script, foreignObject, image, use, a')) bad.remove();
    for (const node of parsed.querySelectorAll('*'))
        for (const {name} of [...node.attributes])
            if (/^on|href$/i.test(name)) node.removeAttribute(name);
    return document.importNode(parsed.documentElement, true);
}

// A picture in a tree of its own: its style and its names are not the page's.
export function picture(text) {
    const host = el('div', {class: 'picture'});
    host.attachShadow({mode: 'open'}).append(svgNode(text));
    const node = host.shadowRoot.querySelector('svg');
    if (node) {
        node.removeAttribute('width');
        node.removeAttribute('height');
        node.style.width = '100%';
        node.style.minWidth = '38rem';  // on a narrow screen it is moved from side to side
    }
    return host;
}
