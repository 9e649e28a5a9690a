/** Bar charts: stacked horizontal bars, waterfalls, and histograms. */
import { svg, counted, numbered } from "../shared/dom.js";
import {
  CHART_LETTER, chartFrame, chartGrid, chartLegend, chartMark, chartShort, chartText, chartTicks,
} from "./parts.js";

/**
 * @typedef {import("./parts.js").Link} Link
 * @typedef {import("./parts.js").Scale} Scale
 * @typedef {import("./parts.js").Part} Part
 * @typedef {{value: number, name: string, tone: string, link?: Link | null}} Segment
 * @typedef {{name: string, segments: Segment[], link?: Link | null}} BarRow
 * @typedef {object} Step
 * @property {string} name
 * @property {number} from
 * @property {number} to
 * @property {string[]} texts the numbers to its right, one per column
 * @property {string} title
 * @property {string} tone
 * @property {Link | null} [link]
 * @typedef {{name: string, value: number, link?: Link | null}} Bin
 */

/** The x position where bars begin. */
const BARS_LEFT = 136;

/**
 * Stacked horizontal bars with the sum at the end.
 * @param {{rows: BarRow[], legend: Part[], message: string, width: number, noun: string}} chart
 */
export function chartBars({ rows, legend, message, width, noun }) {
  const [right, line, top] = [48, 30, 26];
  const sums = rows.map((row) => row.segments.reduce((sum, each) => sum + each.value, 0));
  const scale = (width - BARS_LEFT - right) / Math.max(1, ...sums);
  const drawn = rows.map((row, number) => bar(row, top + number * line, scale, noun));
  return chartFrame(width, top + rows.length * line, message,
    [chartLegend(legend, BARS_LEFT, 8), drawn.map((each) => each.drawing)], drawn.flatMap((each) => each.marks));
}

/** One bar and its marks. @param {BarRow} row @param {number} y @param {number} scale @param {string} noun */
function bar(row, y, scale, noun) {
  const thick = 20, top = y + 5, middle = top + thick / 2;
  /** @type {import("../shared/dom.js").Child[]} */
  const drawing = [chartText(BARS_LEFT - 10, middle, chartShort(row.name, BARS_LEFT - 10), "end")];
  /** @type {SVGElement[]} */
  const marks = [];
  let at = BARS_LEFT;
  const filled = row.segments.filter((each) => each.value > 0);
  for (const segment of filled) {
    const wide = segment.value * scale;
    // A gap separates segments without the help of colour.
    const box = { x: at, y: top, width: Math.max(1, wide - 1), height: thick, rx: 2 };
    drawing.push(svg(`rect.chart-${segment.tone}`, box));
    // A single segment needs no number, because the sum is at the end of the bar.
    if (filled.length > 1) drawing.push(barInside(segment, at, wide, middle));
    const title = `${row.name}, ${segment.name}: ${numbered(segment.value, noun)}`;
    marks.push(chartMark(svg("rect", { ...box, width: Math.max(6, wide - 1) }), title, segment.link));
    at += wide;
  }
  const total = filled.reduce((all, each) => all + each.value, 0), sum = counted(total);
  drawing.push(chartText(at + 6, middle, sum, "start", filled.length ? "chart-strong" : "chart-quiet"));
  if (filled.length) {
    const target = { x: at + 2, y: top, width: sum.length * 7.5 + 8, height: thick, rx: 2 };
    marks.push(chartMark(svg("rect", target), `${row.name}: all ${numbered(total, noun)}`, row.link));
  }
  return { drawing, marks };
}

/**
 * The name and number of a segment, if there is room.
 * @param {Segment} segment @param {number} at @param {number} wide @param {number} middle
 */
function barInside(segment, at, wide, middle) {
  const number = counted(segment.value);
  const text = [`${segment.name} ${number}`, number].find((each) => each.length * CHART_LETTER + 10 < wide);
  return text ? chartText(at + wide / 2, middle, text, "middle", "chart-on") : null;
}

/**
 * A waterfall: each step begins where the last one ended; columns of numbers are on the right.
 * @param {{steps: Step[], columns: string[], message: string, width: number, isJoined?: boolean}} chart values are
 *   fractions; steps that are not joined begin where they say
 */
export function chartWaterfall({ steps, columns, message, width, isJoined = true }) {
  const [column, line, bottom, top] = [56, 28, 22, 22];
  const right = columns.length * column + 4;
  const x = (/** @type {number} */ value) => BARS_LEFT + value * (width - BARS_LEFT - right);
  const height = top + steps.length * line;
  const numbers = (/** @type {string[]} */ texts, /** @type {number} */ y, /** @type {string} */ look) =>
    texts.map((text, at) => chartText(width - (columns.length - 1 - at) * column, y, text, "end", look));
  const drawing = [
    ...chartGrid(chartTicks(0, 1, 5), x, height),
    ...numbers(columns, top / 2, "chart-quiet"),
    ...steps.flatMap((step, number) => waterfallStep(step, top + number * line, line, x, isJoined && number + 1 < steps.length)),
    ...steps.flatMap(({ texts }, number) => numbers(texts, top + (number + 0.5) * line, "chart-number")),
  ];
  const marks = steps.flatMap((step, number) => {
    const whole = svg("rect", { x: 0, y: top + number * line + 1, width, height: line - 2, rx: 4 });
    return step.link ? [chartMark(whole, step.title, step.link)] : [];
  });
  return chartFrame(width, height + bottom, message, drawing, marks);
}

/**
 * @param {Step} step @param {number} y @param {number} line @param {Scale} x
 * @param {boolean} isJoined whether another one follows
 */
function waterfallStep(step, y, line, x, isJoined) {
  const thick = 18, top = y + (line - thick) / 2;
  const [from, to] = [x(Math.min(step.from, step.to)), x(Math.max(step.from, step.to))];
  const isStep = step.from !== step.to;
  const join = { x1: x(step.to), x2: x(step.to), y1: isStep ? top + thick : top, y2: top + line };
  return [
    chartText(BARS_LEFT - 10, y + line / 2, chartShort(step.name, BARS_LEFT - 10), "end"),
    isStep && svg(`rect.chart-${step.tone}`, { x: from, y: top, width: Math.max(2, to - from), height: thick, rx: 2 }),
    isJoined && svg("line.chart-join", join)];
}

/**
 * A histogram with one bar per class.
 * @param {{bins: Bin[], message: string, width: number, height: number, across: string, noun: string}} chart
 */
export function chartHistogram({ bins, message, width, height, across, noun }) {
  const wide = width / Math.max(1, bins.length);
  const lines = bins.map((bin) => binLines(bin.name, wide));
  const top = 22, bottom = 28 + 14 * Math.max(1, ...lines.map((each) => each.length));
  const most = Math.max(1, ...bins.map((bin) => bin.value));
  const thick = Math.min(80, wide * 0.6), floor = height - bottom;
  const boxes = bins.map((bin, number) => {
    const tall = (bin.value / most) * (floor - top);
    return { x: (number + 0.5) * wide - thick / 2, y: floor - tall, width: thick, height: tall, rx: 2 };
  });
  const drawing = [
    svg("line.chart-join", { x1: 0, x2: width, y1: floor, y2: floor }),
    chartText(width / 2, height - 8, across, "middle", "chart-quiet"),
    bins.map((bin, number) => histogramBin(bin, (number + 0.5) * wide, boxes[number], floor, lines[number])),
  ];
  const marks = bins.flatMap((bin, number) => {
    const target = svg("rect", { ...boxes[number], y: boxes[number].y - 18, height: boxes[number].height + 18 });
    return bin.value ? [chartMark(target, `${bin.name}: ${numbered(bin.value, noun)}`, bin.link)] : [];
  });
  return chartFrame(width, height, message, drawing, marks);
}

/**
 * @param {Bin} bin @param {number} middle @param {Record<string, number>} box @param {number} floor
 * @param {string[]} lines its name
 */
function histogramBin(bin, middle, box, floor, lines) {
  return [
    svg("rect.chart-accent", box),
    chartText(middle, box.y - 9, counted(bin.value), "middle", bin.value ? "chart-strong" : "chart-quiet"),
    lines.map((text, line) => chartText(middle, floor + 14 + 14 * line, text, "middle"))];
}

/** A name, wrapped into lines. @param {string} name @param {number} wide */
function binLines(name, wide) {
  /** @type {string[]} */
  const lines = [];
  for (const word of name.split(" ")) {
    const longer = lines.length ? `${lines[lines.length - 1]} ${word}` : word;
    if (lines.length && longer.length * CHART_LETTER < wide - 6) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
