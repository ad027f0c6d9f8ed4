// document: the JSON document that a page carries, deflated and in base64, and its counters.

// The listings of kernels come as columns behind the document (html.c): back to rows.
function restoreListings(document, listings) {
    for (const [listing, columns] of Object.entries(listings))
        (document.kernels || []).forEach((kernel, i) => {
            const names = Object.entries(columns);
            kernel[listing] = Array.from({length: kernel[listing]}, (_, at) => {
                const row = {};
                for (const [name, kernels] of names) row[name] = kernels[i][at];
                return row;
            });
        });
    return document;
}

async function openDocument() {
    const bytes =
        Uint8Array.from(atob(byId('document').textContent), character => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    return restoreListings(...JSON.parse(await new Response(stream).text()));
}

// ---- counters ----

const excessWavefronts = c => Math.max(0, (c.wavefronts || 0) - (c.wavefronts_ideal || 0));
const excessSectors = c => Math.max(0, (c.sectors || 0) - (c.sectors_ideal || 0));
const excess = c => excessWavefronts(c) + excessSectors(c);
const nWay = c => (c.wavefronts_ideal ? c.wavefronts / c.wavefronts_ideal : 0);
const sectorRatio = c => (c.sectors_ideal ? c.sectors / c.sectors_ideal : 0);

function addCounters(into, from) {
    for (const name in from) into[name] = (into[name] || 0) + from[name];
    return into;
}

// The words for how bad: as the terminal's pages mark it, by the share of excess.
const heatOf = (part, whole) => (!whole || part / whole < 0.1 ? '' :
        part / whole < 0.5                                    ? 'warm' :
                                                                'hot');
