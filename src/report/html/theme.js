// theme: colours as the system has them, or as the reader chooses.

const THEMES = [['', '◐', 'as the system'], ['light', '☀', 'light'], ['dark', '☾', 'dark']];

function stored(value) {  // a page opened from disk may have no storage
    try {
        if (value !== undefined) localStorage.setItem('warplens-theme', value);
        return localStorage.getItem('warplens-theme') || '';
    } catch {
        return '';
    }
}

function setTheme(name) {
    const [value, mark, words] = THEMES.find(theme => theme[0] === name) || THEMES[0];
    if (value)
        document.documentElement.dataset.theme = value;
    else
        delete document.documentElement.dataset.theme;
    byId('theme').textContent = mark;
    byId('theme').setAttribute('aria-label', `Colours: ${words}`);
    byId('theme').title = `Colours: ${words}`;
}

function nextTheme() {
    const at =
        THEMES.findIndex(theme => theme[0] === (document.documentElement.dataset.theme || ''));
    const next = THEMES[(at + 1) % THEMES.length][0];
    setTheme(next);
    stored(next);
}

function setUpTheme() {
    setTheme(stored());
    byId('theme').addEventListener('click', nextTheme);
}
