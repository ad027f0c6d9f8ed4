// main: which view the address asks for, and keys.
//   #/                          the summary
//   #/launch/N                  a launch
//   #/launch/N/FILE/LINE        and a line of it, opened (FILE: row of `files`, or "ptx")

let shownLaunch = null, shownSource = null;

function showCrumbs(launch) {
    byId('crumbs').replaceChildren(...(launch ?
            [
                el('a', {href: '#/'}, 'All launches'),
                el('span', {class: 'dim', 'aria-hidden': 'true'}, '/'),
                el('span', {'aria-current': 'page'}, `${launch.launch} ${kernelOf(launch).short}`)
            ] :
            []));
}

function show(view, title) {
    byId('main').replaceChildren(...view.flat(Infinity).filter(Boolean));
    document.title = title;
    scrollTo(0, 0);
}

function showSummary() {
    shownLaunch = shownSource = null;
    showCrumbs(null);
    show(summaryView(), `${programName()} – warplens`);
}

function showLaunch(launch) {
    shownLaunch = launch;
    shownSource = new SourceSection(launch);
    showCrumbs(launch);
    show(launchView(launch, shownSource.element),
        `${kernelOf(launch).short} – ${programName()} – warplens`);
}

function route(event) {
    const [, what, number, file, line] = location.hash.split('/');
    const launch =
        what === 'launch' && report.launches.find(at => at.launch === Number(number) && at.lines);
    if (!launch)
        showSummary();
    else if (launch !== shownLaunch)
        showLaunch(launch);
    if (launch && line)
        shownSource.open({file: file === 'ptx' ? null : Number(file), line: Number(line)});
    else if (event)
        byId('main').focus({preventScroll: true});
}

// ---- keys ----

function stepLaunch(name) {
    const link = document.querySelector(`.step[rel=${name}]`);
    if (link) location.hash = link.getAttribute('href');
}

const KEYS = {
    '/': () => byId('search').focus(),
    '?': () => byId('keys').showModal(),
    s: () => {
        location.hash = '#/';
    },
    n: () => stepLaunch('next'),
    p: () => stepLaunch('previous'),
    j: () => shownSource && shownSource.step(1),
    k: () => shownSource && shownSource.step(-1),
    h: () => shownSource && shownSource.hottest(),
    x: () => shownSource && shownSource.toggleListing('ptx'),
    m: () => shownSource && shownSource.toggleListing('sass'),
    Escape: () => shownSource && shownSource.toggle(false),
};

function onKey(event) {
    const typing = event.target.closest('input, textarea, select, dialog');
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !KEYS[event.key]) return;
    event.preventDefault();
    KEYS[event.key]();
}

// ---- start ----

async function start() {
    setUpTheme();
    byId('help').addEventListener('click', () => byId('keys').showModal());
    document.addEventListener('keydown', onKey);
    addEventListener('hashchange', route);
    addEventListener('beforeprint', () => document.querySelectorAll('details').forEach(at => {
        at.open = true;
    }));
    report = await openDocument();
    splitSources();
    setUpSearch();
    route();
    document.documentElement.dataset.ready = '';
    performance.mark('shown');
}

start();
