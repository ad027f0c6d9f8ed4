// report: a page of the program's (report, comparison), in a frame of its own: it may run its own script and nothing else, and reaches
// neither this page nor the network.
import {el} from './elements.mjs';

export function reportFrame(page, title) {
    return el('iframe', {class: 'report', title, sandbox: 'allow-scripts', srcdoc: page});
}
