// dom: pictures that the program wrote. (Elements are made as in the report's pages: elements, which build.py takes from there.)
import {el} from './elements.mjs';

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
