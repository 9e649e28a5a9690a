/** Intervals, and the distributions of values over resamples. */
import { svg } from "../shared/dom.js";
import { CHART_LETTER, chartAxisOver, chartFrame, chartGrid, chartPercent, chartShort, chartText } from "./parts.js";

/**
 * @typedef {import("./parts.js").Scale} Scale
 * @typedef {import("../shared/estimates.js").Estimate} Estimate
 * @typedef {Estimate & {name: string, tone: string, text: string}} Whisker
 * @typedef {{low: number, high: number, counts: number[]}} Histogram bins of equal width from low to high
 * @typedef {Whisker & {histogram: Histogram}} Ridge
 * @typedef {import("./parts.js").Axis} Axis
 */

/** The fixed axis of scores in tables. */
const SCORES = chartAxisOver(0, 1, 2);

/** How many rows of a chart fit on a screen. */
const MOST_SEEN = 25;

/**
 * Values with their intervals, in groups on a common axis.
 * @param {{groups: Array<{name: string, rows: Whisker[]}>, axis: Axis, message: string, width: number}} chart
 */
export function chartWhiskers({ groups, axis, message, width }) {
  const rows = groups.flatMap((group) => group.rows);
  const title = groups.length > 1 ? 84 : 0, left = title + roomForNames(rows), right = roomForTexts(rows);
  const [line, gap, bottom] = [20, 12, 22];
  const x = scale(axis, left, width - right);
  // A chart that is taller than the window has axis labels at the top as well.
  const head = rows.length > MOST_SEEN ? 18 : 0;
  const height = head + groups.reduce((sum, group) => sum + group.rows.length * line + gap, 0);
  /** @type {import("../shared/dom.js").Child[]} */
  const drawing = intervalAxis(axis, x, height);
  if (head) drawing.push(axis.ticks.map((tick) => chartText(x(tick), 7, chartPercent(tick), "middle", "chart-quiet.chart-name")));
  let top = head + gap / 2;
  groups.forEach((group, number) => {
    if (number) drawing.push(svg("line.chart-grid", { x1: 0, x2: width, y1: top - gap / 2, y2: top - gap / 2 }));
    if (title) drawing.push(chartText(0, top + line / 2, chartShort(group.name, title), "start", "chart-strong"));
    for (const row of group.rows) {
      const middle = top + line / 2;
      drawing.push(
        chartText(title, middle, chartShort(row.name, left - title - 8), "start"),
        interval(row, x, middle),
        chartText(width - right + 12, middle, row.text, "start", "chart-number"),
      );
      top += line;
    }
    top += gap;
  });
  return chartFrame(width, height + bottom, message, drawing, []);
}

/**
 * Distributions over resamples, one per row on a common axis, with the interval below. All curves have the same
 * height: on a common scale, most of them would be flat.
 * @param {{rows: Ridge[], axis: Axis, message: string, width: number}} chart
 */
export function chartRidges({ rows, axis, message, width }) {
  const left = roomForNames(rows), right = roomForTexts(rows);
  const [tall, line, bottom] = [34, 58, 22];
  const x = scale(axis, left, width - right);
  const drawing = [
    ...intervalAxis(axis, x, rows.length * line),
    ...rows.flatMap((row, number) => {
      const floor = number * line + tall + 6;
      return [
        svg(`path.chart-ridge.chart-${row.tone}`, { d: ridge(row.histogram, x, floor, tall) }),
        svg("line.chart-grid", { x1: left, x2: width - right, y1: floor, y2: floor }),
        chartText(0, floor - 4, chartShort(row.name, left - 8), "start"),
        interval(row, x, floor + 9),
        chartText(width - right + 12, floor - 4, row.text, "start", "chart-number")];
    })];
  return chartFrame(width, rows.length * line + bottom, message, drawing, []);
}

/** Smoothed counts; the total is preserved at both ends. @param {number[]} counts */
function smooth(counts) {
  const end = counts.length;
  const inside = (/** @type {number} */ bin) => bin < 0 ? -1 - bin : bin >= end ? 2 * end - 1 - bin : bin;
  const at = (/** @type {number} */ bin) => counts[inside(bin)] ?? 0;
  return counts.map((_, bin) =>
    (at(bin - 2) + 4 * at(bin - 1) + 6 * at(bin) + 4 * at(bin + 1) + at(bin + 2)) / 16);
}

/**
 * A curve from the lowest to the highest value and not beyond. It passes midway between the bins and never goes below
 * its floor. A single value is a vertical line.
 * @param {Histogram} histogram @param {Scale} x @param {number} floor @param {number} tall
 */
function ridge({ low, high, counts }, x, floor, tall) {
  const values = smooth(counts), most = Math.max(...values);
  const wide = (high - low) / values.length;
  const places = values.map((value, bin) => [x(low + (bin + 0.5) * wide), floor - (tall * value) / most]);
  const point = (/** @type {number} */ at, /** @type {number} */ y) => `${at.toFixed(2)} ${y.toFixed(1)}`;
  const curves = places.slice(0, -1).map(([at, y], n) => {
    const [next, then] = places[n + 1];
    return `Q${point(at, y)} ${point((at + next) / 2, (y + then) / 2)}`;
  });
  const [left, right] = [x(low), x(high)];
  return `M${point(left, floor)}L${point(left, places[0][1])}${curves.join("")}L${
    point(right, places[places.length - 1][1])}L${point(right, floor)}Z`;
}

/** The width of the names of rows. @param {Whisker[]} rows */
function roomForNames(rows) {
  return Math.min(250, Math.max(0, ...rows.map((row) => row.name.length)) * CHART_LETTER + 16);
}

/** The width of the numbers of rows. @param {Whisker[]} rows */
function roomForTexts(rows) {
  return Math.max(0, ...rows.map((row) => row.text.length)) * CHART_LETTER + 20;
}

/** @param {Axis} axis @param {number} left @param {number} right @returns {Scale} */
function scale({ low, high }, left, right) {
  return (value) => left + ((value - low) / (high - low)) * (right - left);
}

/**
 * The axis; zero is emphasized if it is inside.
 * @param {Axis} axis @param {Scale} x @param {number} height
 */
function intervalAxis({ low, high, ticks }, x, height) {
  const zero = low < 0 && high > 0;
  return [
    ...chartGrid(ticks, x, height),
    ...(zero ? [svg("line.chart-zero", { x1: x(0), x2: x(0), y1: 0, y2: height })] : [])];
}

/** Half the width of the label at the end of an axis in a table cell. */
const WHISKER_EDGE = 12;

/** One interval of a score, for a cell of a table. @param {Estimate & {message: string, width: number}} chart */
export function chartWhisker({ value, low, high, message, width }) {
  const x = scale(SCORES, WHISKER_EDGE, width - WHISKER_EDGE);
  return chartFrame(width, 18, message, [
    svg("line.chart-grid", { x1: x(0), x2: x(1), y1: 9, y2: 9 }),
    SCORES.ticks.map((tick) => svg("line.chart-grid", { x1: x(tick), x2: x(tick), y1: 3, y2: 15 })),
    interval({ value, low, high, tone: "accent" }, x, 9, 3)], []);
}

/** The axis of such cells, for the head of their column. @param {number} width */
export function chartWhiskerAxis(width) {
  const x = scale(SCORES, WHISKER_EDGE, width - WHISKER_EDGE);
  return chartFrame(width, 14, "Axis from 0 to 100", SCORES.ticks.map((tick) =>
    chartText(x(tick), 7, chartPercent(tick), "middle", "chart-quiet")), []);
}

/**
 * A dot with a line from low to high that has a cap at both ends.
 * @param {Estimate & {tone: string}} row
 * @param {Scale} x @param {number} y @param {number} [radius]
 */
function interval({ value, low, high, tone }, x, y, radius = 4) {
  const known = low !== null && high !== null;
  return svg(`g.chart-${tone}`, {},
    known && svg("path.chart-line", {
      d: `M${x(low)} ${y}H${x(high)}M${x(low)} ${y - 4}v8M${x(high)} ${y - 4}v8`,
    }),
    svg("circle", { cx: x(value), cy: y, r: radius }));
}
