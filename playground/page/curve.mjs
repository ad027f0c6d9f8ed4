// curve: how the cost follows one variable, as bars of N-way (or of sectors): the first lesson's picture.
import {svg} from './elements.mjs';
import {questionWords, withSetting} from './question.mjs';

// [{value, cost, ideal}] for first … last; values that cannot be are left out.
export async function measure(program, fields, name, first, last) {
    const points = [];
    for (let value = first; value <= last; value++) {
        const words = questionWords({...fields, set: withSetting(fields.set, name, value)});
        const {status, out} = await program.run([words[0], '--format=json', ...words.slice(1)]);
        if (status !== 0) continue;
        const {cost, ideal, unit} = JSON.parse(out);
        points.push({value, cost, ideal, unit});
    }
    return points;
}

// chosen: the value that the page shows; pick(value): it is another now.
export function drawCurve(points, name, chosen, pick) {
    const width = 720, height = 200, left = 34, bottom = 36, top = 16;
    const most = Math.max(1, ...points.map(point => point.cost / Math.max(point.ideal, 1)));
    const step = (width - left) / Math.max(points.length, 1);
    const figure = svg('svg', {viewBox: `0 0 ${width} ${height}`, class: 'curve', role: 'img'});
    const unit = points[0]?.unit === 'sectors' ? 'sectors beyond the least' : 'N-way';
    figure.append(svg('title', {},
        `${unit} by ${name}: ` +
            points.map(point => `${point.value}: ${ratio(point)}`).join(', ')));
    let label = null;
    points.forEach((point, i) => {
        const tall = (height - bottom - top) * point.cost / Math.max(point.ideal, 1) / most;
        const x = left + i * step;
        const bar = svg('rect', {
            x: x + 1,
            y: height - bottom - tall,
            width: Math.max(step - 2, 1),
            height: tall,
            class: point.value === chosen ? 'bar chosen' :
                point.cost > point.ideal  ? 'bar worse' :
                                            'bar',
        });
        bar.append(svg('title', {}, `${name} = ${point.value}: ${ratio(point)}`));
        bar.addEventListener('click', () => pick(point.value));
        figure.append(bar);
        if (points.length <= 40 &&
            (points.length <= 17 || point.value % 4 === 0 || point.value === chosen))
            figure.append(
                svg('text', {x: x + step / 2, y: height - 21, class: 'mid'}, String(point.value)));
        if (point.value === chosen)
            label =
                svg('text', {x: x + step / 2, y: height - bottom - tall - 3, class: 'mid strong'},
                    ratio(point));
    });
    if (label) figure.append(label);  // over the bars beside it
    figure.append(svg('text', {x: 0, y: top + 6}, `${Math.round(10 * most) / 10}`));
    figure.append(svg('text', {x: 0, y: height - bottom}, '0'));
    figure.append(svg('text', {x: left, y: height - 5, class: 'dim'}, `${name}`));
    return figure;
}

function ratio(point) {
    const value = point.cost / Math.max(point.ideal, 1);
    return `${Number.isInteger(value) ? value : value.toFixed(1)}${
        point.unit === 'sectors' ? '×' : '-way'}`;
}
