'use strict';
// dom: elements. Text from the profile becomes text nodes and nothing else, so it cannot be markup.

const SVG = 'http://www.w3.org/2000/svg';

function fill(element, attributes, children) {
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

// el('a', {href: '#/'}, 'text', el(…))
const el = (tag, attributes, ...children) =>
    fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) =>
    fill(document.createElementNS(SVG, tag), attributes, children);

const byId = id => document.getElementById(id);

// Says something to those who cannot see that it happened.
function announce(text) {
    byId('status').textContent = text;
}

// ---- numbers ----

const count = value => Math.round(value).toLocaleString('en-US');

// At most 6 characters: exact below 100,000, else four digits.
function short(value) {
    if (value < 100000) return count(value);
    let unit = -1;
    for (; value >= 999.95; unit++) value /= 1000;
    return value.toFixed(value < 9.9995 ? 3 : value < 99.995 ? 2 : 1) + 'kMGTPE'[unit];
}

const ratio = (part, whole) => (whole ? (part / whole).toFixed(1) : '–');
const ratioBare = (part, whole) => ratio(part, whole).replace(/\.0$/, '');

function percent(part, whole) {
    const value = whole ? (100 * part) / whole : 0;
    return part && value < 1 ? '< 1 %' : value.toFixed(0) + ' %';
}

const plural = (number, word, words) =>
    `${count(number)} ${number === 1 ? word : words || word + 's'}`;

function shape(dimensions) {
    const used = dimensions[2] !== 1 ? 3 : dimensions[1] !== 1 ? 2 : 1;
    return dimensions.slice(0, used).join(' × ');
}

const baseName = path => (path || '').split('/').pop();
