/** Intervals: whiskers, and above them how often each value came about when units were resampled. */
import { svg } from "./dom.js";
import { CHART_LETTER, chartFrame, chartGrid, chartShort, chartText, chartTicks } from "./charts.js";

/**
 * @typedef {import("./charts.js").Scale} Scale
 * @typedef {import("./estimates.js").Estimate} Estimate
 * @typedef {Estimate & {name: string, tone: string, text: string}} Whisker
 * @typedef {Whisker & {counts: number[]}} Ridge
 * @typedef {{low: number, high: number}} Range
 */

/**
 * Values with their intervals, in groups on a common axis.
 * @param {{groups: Array<{name: string, rows: Whisker[]}>, axis: Range, message: string, width: number}} chart
 */
export function chartWhiskers({ groups, axis, message, width }) {
  const rows = groups.flatMap((group) => group.rows);
  const title = groups.length > 1 ? 84 : 0, left = title + chartRoomForNames(rows), right = chartRoomForTexts(rows);
  const [line, gap, bottom] = [20, 12, 22];
  const x = chartScale(axis, left, width - right);
  const height = groups.reduce((sum, group) => sum + group.rows.length * line + gap, 0);
  /** @type {any[]} */
  const drawing = chartAxis(axis, x, height);
  let top = gap / 2;
  groups.forEach((group, number) => {
    if (number) drawing.push(svg("line.chart-grid", { x1: 0, x2: width, y1: top - gap / 2, y2: top - gap / 2 }));
    if (title) drawing.push(chartText(0, top + line / 2, chartShort(group.name, title), "start", "chart-strong"));
    for (const row of group.rows) {
      const middle = top + line / 2;
      drawing.push(
        chartText(title, middle, chartShort(row.name, left - title - 8), "start"),
        chartInterval(row, x, middle),
        chartText(width - right + 12, middle, row.text, "start", "chart-number"),
      );
      top += line;
    }
    top += gap;
  });
  return chartFrame(width, height + bottom, message, drawing, []);
}

/**
 * How values spread over resamples, one row each on a common axis, with the interval beneath.
 * @param {{rows: Ridge[], bins: Range, axis: Range, message: string, width: number}} chart
 *     bins: where the counts begin and end
 */
export function chartRidges({ rows, bins, axis, message, width }) {
  const left = chartRoomForNames(rows), right = chartRoomForTexts(rows);
  const [tall, line, bottom] = [34, 58, 22];
  const x = chartScale(axis, left, width - right);
  const smooth = rows.map((row) => chartSmooth(row.counts));
  const most = Math.max(1, ...smooth.flat());
  const drawing = [
    ...chartAxis(axis, x, rows.length * line),
    ...rows.flatMap((row, number) => {
      const floor = number * line + tall + 6;
      return [
        svg(`path.chart-ridge.chart-${row.tone}`, { d: chartRidge(smooth[number], bins, x, floor, tall / most) }),
        svg("line.chart-grid", { x1: left, x2: width - right, y1: floor, y2: floor }),
        chartText(0, floor - 4, chartShort(row.name, left - 8), "start"),
        chartInterval(row, x, floor + 9),
        chartText(width - right + 12, floor - 4, row.text, "start", "chart-number")];
    })];
  return chartFrame(width, rows.length * line + bottom, message, drawing, []);
}

/** Counts without the chance of single bins, and with one more at both ends. @param {number[]} counts */
function chartSmooth(counts) {
  const at = (/** @type {number} */ bin) => counts[bin] ?? 0;
  return [-1, ...counts.keys(), counts.length].map((bin) =>
    (at(bin - 2) + 4 * at(bin - 1) + 6 * at(bin) + 4 * at(bin + 1) + at(bin + 2)) / 16);
}

/**
 * A curve that never goes below its floor: each value pulls it, and it goes through the middles between them.
 * @param {number[]} values with one more bin at both ends @param {Range} bins @param {Scale} x
 * @param {number} floor @param {number} scale
 */
function chartRidge(values, bins, x, floor, scale) {
  const wide = (bins.high - bins.low) / Math.max(1, values.length - 2);
  const all = values.map((value, bin) => [x(bins.low + (bin - 0.5) * wide), floor - value * scale]);
  // From the last bin without a value to the first one after: nothing is drawn where nothing is.
  const first = values.findIndex((value) => value > 0), last = values.findLastIndex((value) => value > 0);
  const places = all.slice(Math.max(0, first - 1), last + 2);
  const point = (/** @type {number} */ at, /** @type {number} */ y) => `${at.toFixed(1)} ${y.toFixed(1)}`;
  const curves = places.slice(0, -1).map(([at, y], n) => {
    const [next, then] = places[n + 1];
    return `Q${point(at, y)} ${point((at + next) / 2, (y + then) / 2)}`;
  });
  return `M${point(places[0][0], floor)}${curves.join("")}L${point(places[places.length - 1][0], floor)}Z`;
}

/** Room for the names of rows. @param {Whisker[]} rows */
function chartRoomForNames(rows) {
  return Math.min(250, Math.max(0, ...rows.map((row) => row.name.length)) * CHART_LETTER + 16);
}

/** Room for the numbers of rows. @param {Whisker[]} rows */
function chartRoomForTexts(rows) {
  return Math.max(0, ...rows.map((row) => row.text.length)) * CHART_LETTER + 20;
}

/** @param {Range} axis @param {number} left @param {number} right @returns {Scale} */
function chartScale({ low, high }, left, right) {
  return (value) => left + ((value - low) / (high - low || 1)) * (right - left);
}

/**
 * The axis below; where it has a zero inside, that is what one looks for.
 * @param {Range} axis @param {Scale} x @param {number} height
 */
function chartAxis({ low, high }, x, height) {
  const zero = low < 0 && high > 0;
  return [
    ...chartGrid(chartTicks(low, high, 6), x, height),
    ...(zero ? [svg("line.chart-zero", { x1: x(0), x2: x(0), y1: 0, y2: height })] : [])];
}

/**
 * One interval, for a cell of a table.
 * @param {Estimate & {from: number, to: number, message: string, width: number}} chart
 *     from and to are the ends of the axis, the same for all cells of a column
 */
export function chartWhisker({ value, low, high, from, to, message, width }) {
  const x = chartScale({ low: from, high: to }, 6, width - 6);
  return chartFrame(width, 18, message, [
    svg("line.chart-grid", { x1: 6, x2: width - 6, y1: 9, y2: 9 }),
    chartInterval({ value, low, high, tone: "accent" }, x, 9, 3)], []);
}

/**
 * A dot with a line from low to high and a stop at both ends.
 * @param {Estimate & {tone: string}} row
 * @param {Scale} x @param {number} y @param {number} [radius]
 */
function chartInterval({ value, low, high, tone }, x, y, radius = 4) {
  const known = low !== null && high !== null;
  return svg(`g.chart-${tone}`, {},
    known && svg("path.chart-line", {
      d: `M${x(low)} ${y}H${x(high)}M${x(low)} ${y - 4}v8M${x(high)} ${y - 4}v8`,
    }),
    svg("circle", { cx: x(value), cy: y, r: radius }));
}
