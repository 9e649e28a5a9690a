/**
 * Charts as inline SVG: bars, waterfall, dots, whiskers, histogram.
 *
 * Every chart is a drawing, role="img" with its message in words, and over it a layer of marks that can be
 * clicked: what is inside an image is hidden from readers of the screen, so marks cannot be part of it.
 */
import { h, svg, percent } from "./dom.js";

/**
 * @typedef {{href: string, onclick: (event: MouseEvent) => void, dataset?: {count: number}}} Link where a mark leads
 * @typedef {{value: number, name: string, tone: string, link?: Link | null}} Segment
 * @typedef {{name: string, segments: Segment[], link?: Link | null}} BarRow
 * @typedef {{name: string, from: number, to: number, text: string, tone: string, link?: Link | null}} Step
 * @typedef {{x: number, y: number, name: string, title: string, link?: Link | null}} Dot
 * @typedef {{name: string, value: number, low: number | null, high: number | null, tone: string, text: string}} Whisker
 * @typedef {{name: string, value: number, link?: Link | null}} Bin
 */

/** A letter of 12 pixels is about so wide. */
const CHART_LETTER = 6.9;
/** More marks than this take one stop of the Tab key together, and the arrows go through them. */
const CHART_MOST_STOPS = 30;

/** @type {Record<string, string>} */
const CHART_METRICS = {
  mentions: "Mentions", muc: "MUC", b3: "B³", ceafm: "CEAFm", ceafe: "CEAFe", blanc: "BLANC", lea: "LEA", conll: "CoNLL",
};

/** The name of a metric as it is printed. @param {string} id */
export function chartMetric(id) {
  return CHART_METRICS[id] ?? id;
}

/** The colour of the system or part of a number, as a class. @param {number} number */
export function chartTone(number) {
  return `h${(number % 8) + 1}`;
}

/** A number with commas. @param {number} value */
export function chartCount(value) {
  return value.toLocaleString("en");
}

/** Cut a text to about so many pixels. @param {string} text @param {number} width */
export function chartShort(text, width) {
  const most = Math.max(3, Math.floor(width / CHART_LETTER));
  const letters = [...text];
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : text;
}

/**
 * Return round numbers from low to high, both within.
 * @param {number} low @param {number} high @param {number} about how many
 */
export function chartTicks(low, high, about) {
  const rough = (high - low) / Math.max(1, about);
  if (!(rough > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((each) => each >= rough) ?? rough;
  const ticks = [];
  // A zero is added since the ceiling of a little less than zero is minus zero.
  for (let n = Math.ceil(low / step - 1e-9) + 0; n * step <= high + 1e-9; n++) ticks.push(n * step);
  return ticks;
}

/**
 * Bars that lie, in parts of several colours, with the sum at the end.
 * @param {{rows: BarRow[], message: string, width: number, noun?: string}} chart
 */
export function chartBars({ rows, message, width, noun = "" }) {
  const [left, right, line, thick] = [136, 48, 30, 20];
  const sums = rows.map((row) => row.segments.reduce((sum, each) => sum + each.value, 0));
  const scale = (width - left - right) / Math.max(1, ...sums);
  const drawing = [], marks = [];
  rows.forEach((row, number) => {
    const top = number * line + (line - thick) / 2;
    drawing.push(chartText(left - 10, top + thick / 2, chartShort(row.name, left - 10), "end"));
    let at = left;
    const filled = row.segments.filter((each) => each.value > 0);
    for (const segment of filled) {
      const wide = segment.value * scale;
      // A gap between parts shows where one ends without the help of colour.
      const box = { x: at, y: top, width: Math.max(1, wide - 1), height: thick, rx: 2 };
      drawing.push(svg(`rect.chart-${segment.tone}`, box));
      // The number of a part that is all is at the end of the bar already.
      if (filled.length > 1) drawing.push(chartInside(segment, at, wide, top + thick / 2));
      const title = `${row.name}, ${segment.name}: ${chartCount(segment.value)} ${noun}`.trim();
      marks.push(chartMark(svg("rect", { ...box, width: Math.max(6, wide - 1) }), title, segment.link));
      at += wide;
    }
    const sum = chartCount(sums[number]);
    drawing.push(chartText(at + 6, top + thick / 2, sum, "start", sums[number] ? "chart-strong" : "chart-quiet"));
    if (sums[number]) {
      const target = { x: at + 2, y: top, width: sum.length * 7.5 + 8, height: thick, rx: 2 };
      marks.push(chartMark(svg("rect", target), `${row.name}: all ${sum} ${noun}`.trim(), row.link));
    }
  });
  return chartFrame(width, rows.length * line, message, drawing, marks);
}

/** The name and number of a part, as far as there is room. @param {Segment} segment @param {number} at @param {number} wide @param {number} middle */
function chartInside(segment, at, wide, middle) {
  const number = chartCount(segment.value);
  const text = [`${segment.name} ${number}`, number].find((each) => each.length * CHART_LETTER + 10 < wide);
  return text ? chartText(at + wide / 2, middle, text, "middle", "chart-on") : null;
}

/**
 * Steps from one value to another, each beginning where the last one ended.
 * @param {{steps: Step[], message: string, width: number}} chart values are fractions
 */
export function chartWaterfall({ steps, message, width }) {
  const [left, right, line, thick, bottom] = [136, 116, 26, 16, 22];
  const x = (/** @type {number} */ value) => left + value * (width - left - right);
  const height = steps.length * line;
  const drawing = chartGrid(chartTicks(0, 1, 5), x, height, percentTick);
  const marks = /** @type {Array<SVGElement | null>} */ ([]);
  steps.forEach((step, number) => {
    const top = number * line + (line - thick) / 2;
    const [from, to] = [x(Math.min(step.from, step.to)), x(Math.max(step.from, step.to))];
    const box = { x: from, y: top, width: Math.max(2, to - from), height: thick, rx: 2 };
    drawing.push(
      chartText(left - 10, top + thick / 2, chartShort(step.name, left - 10), "end"),
      chartText(width - right + 12, top + thick / 2, step.text, "start", "chart-number"),
    );
    if (step.from !== step.to) drawing.push(svg(`rect.chart-${step.tone}`, box));
    if (number + 1 < steps.length) {
      const begin = step.from === step.to ? top : top + thick;
      drawing.push(svg("line.chart-join", { x1: x(step.to), x2: x(step.to), y1: begin, y2: top + line }));
    }
    if (step.link) {
      const whole = svg("rect", { x: 0, y: number * line + 1, width, height: line - 2, rx: 4 });
      marks.push(chartMark(whole, `${step.name}: ${step.text}`, step.link));
    }
  });
  return chartFrame(width, height + bottom, message, drawing, marks);
}

/**
 * Points of two values; the named ones say who they are.
 * @param {{dots: Dot[], message: string, width: number, height: number, across: string, up: string, named?: number}} chart
 *     up is a fraction, across any number; named is how many of the lowest are labelled
 */
export function chartDots({ dots, message, width, height, across, up, named = 3 }) {
  const [left, right, top, bottom] = [44, 12, 22, 40];
  const [least, most] = chartRange(dots.map((dot) => dot.x), 10, Infinity);
  const [low, high] = chartRange(dots.map((dot) => dot.y), 0.1, 1);
  const x = (/** @type {number} */ value) => left + ((value - least) / (most - least)) * (width - left - right);
  const y = (/** @type {number} */ value) => height - bottom - ((value - low) / (high - low)) * (height - top - bottom);
  const drawing = [
    ...chartTicks(low, high, 5).flatMap((tick) => [
      svg("line.chart-grid", { x1: left, x2: width - right, y1: y(tick), y2: y(tick) }),
      chartText(left - 8, y(tick), percentTick(tick), "end", "chart-quiet")]),
    ...chartTicks(least, most, 6).map((tick) =>
      chartText(x(tick), height - bottom + 14, chartCount(tick), "middle", "chart-quiet")),
    chartText((left + width - right) / 2, height - 8, across, "middle", "chart-quiet"),
    chartText(0, 8, up, "start", "chart-quiet"),
    ...dots.map((dot) => svg("circle.chart-dot", { cx: x(dot.x), cy: y(dot.y), r: 5 })),
    ...chartDotNames(dots, named, x, y, width),
  ];
  const inOrder = [...dots].sort((one, other) => one.y - other.y);
  const marks = inOrder.map((dot) => chartMark(svg("circle", { cx: x(dot.x), cy: y(dot.y), r: 9 }), dot.title, dot.link));
  return chartFrame(width, height, message, drawing, marks);
}

/**
 * Return an axis for values: round ends with some room, where points need no zero.
 * @param {number[]} values @param {number} round @param {number} limit no value is above it
 */
function chartRange(values, round, limit) {
  // Not spread into Math.min: a corpus may have more documents than a call has arguments.
  const low = values.reduce((least, each) => Math.min(least, each), Infinity);
  const high = values.reduce((most, each) => Math.max(most, each), -Infinity);
  const room = (high - low) * 0.05;
  const to = Math.min(limit, Math.ceil((high + room) / round) * round);
  const from = Math.max(0, Math.min(Math.floor((low - room) / round) * round, to - 2 * round));
  return [from, Math.max(to, from + 2 * round)];
}

/**
 * Label the lowest points, each at a side where it hits nothing.
 * @param {Dot[]} dots @param {number} most @param {(value: number) => number} x @param {(value: number) => number} y
 * @param {number} width
 */
function chartDotNames(dots, most, x, y, width) {
  /** @type {Array<[number, number, number]>} */
  const taken = dots.map((dot) => [x(dot.x) - 5, x(dot.x) + 5, y(dot.y)]);
  const lowest = [...dots].sort((one, other) => one.y - other.y).slice(0, most);
  return lowest.map((dot) => {
    const text = chartShort(dot.name, 170);
    const long = text.length * CHART_LETTER;
    const [at, level] = [x(dot.x), y(dot.y)];
    /** @type {Array<[number, number, number, string]>} */
    const places = [
      [at + 9, 0, level, "start"], [at - 9, long, level, "end"],
      [at, long / 2, level + 14, "middle"], [at, long / 2, level - 14, "middle"]];
    const free = places.find(([anchor, back, height]) => anchor - back > 30 && anchor - back + long < width
      && !taken.some(([a, b, other]) => a < anchor - back + long && anchor - back < b && Math.abs(other - height) < 12));
    if (!free) return null;
    const [anchor, back, height, side] = free;
    taken.push([anchor - back, anchor - back + long, height]);
    return chartText(anchor, height, text, side);
  });
}

/**
 * Values with their intervals, in groups on a common axis.
 * @param {{groups: Array<{name: string, rows: Whisker[]}>, message: string, width: number, low: number, high: number}} chart
 */
export function chartWhiskers({ groups, message, width, low, high }) {
  const names = Math.max(0, ...groups.flatMap((group) => group.rows.map((row) => row.name.length)));
  const title = 84, left = title + Math.min(190, names * CHART_LETTER + 16), right = 150;
  const [line, gap, bottom] = [20, 12, 22];
  const x = (/** @type {number} */ value) => left + ((value - low) / (high - low)) * (width - left - right);
  const height = groups.reduce((sum, group) => sum + group.rows.length * line + gap, 0);
  const drawing = chartGrid(chartTicks(low, high, 6), x, height, percentTick);
  let top = gap / 2;
  groups.forEach((group, number) => {
    if (number) drawing.push(svg("line.chart-grid", { x1: 0, x2: width, y1: top - gap / 2, y2: top - gap / 2 }));
    drawing.push(chartText(0, top + line / 2, chartShort(group.name, title), "start", "chart-strong"));
    for (const row of group.rows) {
      const middle = top + line / 2;
      drawing.push(
        chartText(title, middle, chartShort(row.name, left - title - 8), "start"),
        chartInterval(row, x, middle, 4),
        chartText(width - right + 12, middle, row.text, "start", "chart-number"),
      );
      top += line;
    }
    top += gap;
  });
  return chartFrame(width, height + bottom, message, drawing, []);
}

/**
 * One interval, for a cell of a table.
 * @param {{value: number, low: number | null, high: number | null, from: number, to: number, message: string, width?: number, tone?: string}} chart
 *     from and to are the ends of the axis, the same for all cells of a column
 */
export function chartWhisker({ value, low, high, from, to, message, width = 130, tone = "accent" }) {
  const x = (/** @type {number} */ at) => 6 + ((at - from) / (to - from || 1)) * (width - 12);
  const zero = from < 0 && to > 0 ? x(0) : null;
  return chartFrame(width, 18, message, [
    svg("line.chart-grid", { x1: 6, x2: width - 6, y1: 9, y2: 9 }),
    zero !== null && svg("line.chart-join", { x1: zero, x2: zero, y1: 0, y2: 18 }),
    chartInterval({ value, low, high, tone }, x, 9, 4),
  ], []);
}

/**
 * A dot with a line from low to high and a stop at both ends.
 * @param {{value: number, low: number | null, high: number | null, tone: string}} row
 * @param {(value: number) => number} x @param {number} y @param {number} radius
 */
function chartInterval({ value, low, high, tone }, x, y, radius) {
  const known = low !== null && high !== null;
  return svg(`g.chart-${tone}`, {},
    known && svg("path.chart-line", {
      d: `M${x(low)} ${y}H${x(high)}M${x(low)} ${y - 4}v8M${x(high)} ${y - 4}v8`,
    }),
    svg("circle", { cx: x(value), cy: y, r: radius }));
}

/**
 * Bars that stand, one for each class.
 * @param {{bins: Bin[], message: string, width: number, height: number, across: string, noun?: string}} chart
 */
export function chartHistogram({ bins, message, width, height, across, noun = "" }) {
  const [top, bottom] = [22, 40];
  const most = Math.max(1, ...bins.map((bin) => bin.value));
  const wide = width / Math.max(1, bins.length);
  const floor = height - bottom;
  const drawing = [
    svg("line.chart-join", { x1: 0, x2: width, y1: floor, y2: floor }),
    chartText(width / 2, height - 8, across, "middle", "chart-quiet"),
  ];
  const marks = /** @type {Array<SVGElement | null>} */ ([]);
  bins.forEach((bin, number) => {
    const tall = (bin.value / most) * (floor - top);
    const thick = Math.min(96, wide * 0.7);
    const middle = (number + 0.5) * wide;
    const box = { x: middle - thick / 2, y: floor - tall, width: thick, height: tall, rx: 2 };
    drawing.push(
      svg("rect.chart-accent", box),
      chartText(middle, floor - tall - 9, chartCount(bin.value), "middle", bin.value ? "chart-strong" : "chart-quiet"),
      chartText(middle, floor + 14, bin.name, "middle"),
    );
    if (bin.value) {
      const target = svg("rect", { ...box, y: box.y - 18, height: tall + 18 });
      marks.push(chartMark(target, `${bin.name}: ${chartCount(bin.value)} ${noun}`.trim(), bin.link));
    }
  });
  return chartFrame(width, height, message, drawing, marks);
}

/**
 * What colours mean, in the order in which they are drawn.
 * @param {Array<{name: string, tone: string}>} parts
 */
export function chartLegend(parts) {
  return h("ul.chart-legend", {}, parts.map(({ name, tone }) => h("li", {},
    svg("svg", { width: 10, height: 10, "aria-hidden": "true" }, svg(`rect.chart-${tone}`, { width: 10, height: 10, rx: 2 })),
    name)));
}

/**
 * Lines across the drawing at each tick, with numbers below.
 * @param {number[]} ticks @param {(value: number) => number} x @param {number} height
 * @param {(value: number) => string} show
 */
function chartGrid(ticks, x, height, show) {
  return ticks.flatMap((tick) => [
    svg("line.chart-grid", { x1: x(tick), x2: x(tick), y1: 0, y2: height }),
    chartText(x(tick), height + 12, show(tick), "middle", "chart-quiet")]);
}

/** A fraction on an axis: whole percent where it is one. @param {number} value */
function percentTick(value) {
  return Number(percent(value)).toString().replace("-", "−");
}

/** @param {number} x @param {number} y @param {string} text @param {string} anchor @param {string} [look] */
function chartText(x, y, text, anchor, look = "chart-plain") {
  return svg(`text.${look}`, { x, y, "text-anchor": anchor, "dominant-baseline": "central" }, text);
}

/**
 * A shape over the drawing that leads somewhere, or only tells what it is.
 * @param {SVGElement} shape @param {string} title @param {Link | null | undefined} link
 */
function chartMark(shape, title, link) {
  const about = svg("title", {}, title);
  return link
    ? svg("a.chart-mark", { href: link.href, onclick: link.onclick, dataset: link.dataset, "aria-label": title }, about, shape)
    : svg("g.chart-still", { "aria-hidden": "true" }, about, shape);
}

/**
 * Lay the marks over the drawing.
 * @param {number} width @param {number} height @param {string} message
 * @param {Array<any>} drawing @param {Array<SVGElement | null>} marks
 */
function chartFrame(width, height, message, drawing, marks) {
  const size = { viewBox: `0 0 ${width} ${height}`, width, height };
  const links = marks.filter((mark) => mark?.getAttribute("href"));
  const layer = marks.length
    ? svg("svg.chart-marks", { ...size, role: "group", "aria-label": "Marks of the chart" }, marks) : null;
  if (layer && links.length > CHART_MOST_STOPS) chartWalk(layer, /** @type {SVGElement[]} */ (links));
  return h("div.chart", {},
    svg("svg.chart-drawing", { ...size, role: "img", "aria-label": message }, drawing), layer);
}

/** Let the arrows go from mark to mark. @param {SVGElement} layer @param {SVGElement[]} links */
function chartWalk(layer, links) {
  layer.setAttribute("aria-label", "Marks of the chart; arrow keys go through them");
  links.forEach((link, number) => link.setAttribute("tabindex", number ? "-1" : "0"));
  layer.addEventListener("keydown", (event) => {
    const key = /** @type {KeyboardEvent} */ (event).key;
    const way = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key];
    const at = links.indexOf(/** @type {SVGElement} */ (document.activeElement));
    if (!way || at < 0) return;
    event.preventDefault();
    const next = links[(at + way + links.length) % links.length];
    links[at].setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  });
}
