// drawn: pictures that warplens has drawn, as SVG.

// The text is warplens's own; it is parsed as XML, in which nothing runs.
function drawn(text, caption) {
    if (!text) return null;
    const picture = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
    return el('figure', {class: 'drawn'},
        el('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption},
            document.importNode(picture, true)),
        el('figcaption', {class: 'dim'}, caption));
}
