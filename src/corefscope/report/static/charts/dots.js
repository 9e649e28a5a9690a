/** A scatter plot of precision against recall; the area of a dot shows its size. */
import { svg } from "../shared/dom.js";
import { CHART_LETTER, chartFrame, chartMark, chartPercent, chartShort, chartText, chartTicks } from "./parts.js";

/**
 * @typedef {import("./parts.js").Scale} Scale
 *
 * @typedef {object} Dot
 * @property {number} recall a fraction
 * @property {number} precision a fraction
 * @property {number} size its area, in any unit
 * @property {string} name
 * @property {boolean} isNamed whether its name is shown
 * @property {string} title
 * @property {import("./parts.js").Link} link
 *
 * @typedef {Dot & {x: number, y: number, radius: number}} PlacedDot
 * @typedef {{left: number, right: number, y: number, half: number}} Box half: of its height, from its middle y
 */

const DOT_EDGES = { left: 40, right: 44, top: 22, bottom: 38 };
/** The radius of the largest dot; it is smaller if there are many. @param {number} count */
function dotRadius(count) {
  return Math.max(5, Math.min(14, 75 / Math.sqrt(count)));
}

/** @param {{dots: Dot[], message: string, width: number, height: number}} chart */
export function chartDots({ dots, message, width, height }) {
  const { left, right, top, bottom } = DOT_EDGES;
  const x = (/** @type {number} */ recall) => left + recall * (width - left - right);
  const y = (/** @type {number} */ precision) => height - bottom - precision * (height - top - bottom);
  const most = dotRadius(dots.length);
  // No spread into Math.max, because a corpus may have more documents than a call may have arguments.
  const largest = dots.reduce((so, dot) => Math.max(so, dot.size), 1);
  /** @type {PlacedDot[]} */
  const placed = dots.map((dot) => ({
    ...dot, x: x(dot.recall), y: y(dot.precision),
    radius: Math.max(3, most * Math.sqrt(dot.size / largest)),
  }));
  // Small dots are drawn over large ones, so that all can be clicked.
  placed.sort((one, other) => other.radius - one.radius);
  const drawing = [
    dotAxes(x, y, width, height), dotCurves(x, y),
    placed.map((dot) => svg("circle.chart-dot", { cx: dot.x, cy: dot.y, r: dot.radius })),
    dotNames(placed, width),
  ];
  const marks = placed.map((dot) => {
    const target = svg("circle", { cx: dot.x, cy: dot.y, r: Math.max(8, dot.radius + 2) });
    return chartMark(target, dot.title, dot.link);
  });
  return chartFrame(width, height, message, drawing, marks);
}

/**
 * @param {Scale} x @param {Scale} y @param {number} width
 * @param {number} height
 */
function dotAxes(x, y, width, height) {
  const ticks = chartTicks(0, 1, 5);
  return [
    ticks.flatMap((tick) => [
      svg("line.chart-grid", { x1: x(0), x2: x(1), y1: y(tick), y2: y(tick) }),
      svg("line.chart-grid", { x1: x(tick), x2: x(tick), y1: y(0), y2: y(1) }),
      chartText(x(0) - 8, y(tick), chartPercent(tick), "end", "chart-quiet"),
      chartText(x(tick), y(0) + 13, chartPercent(tick), "middle", "chart-quiet")]),
    chartText((x(0) + x(1)) / 2, height - 8, "B³ recall", "middle", "chart-quiet"),
    chartText(0, 8, "B³ precision", "start", "chart-quiet"),
    chartText(width, 8, "F1", "end", "chart-quiet")];
}

/**
 * Lines of equal F1, which show which of two dots is better.
 * @param {Scale} x @param {Scale} y
 */
function dotCurves(x, y) {
  return [0.2, 0.4, 0.6, 0.8].flatMap((f1) => {
    // From the diagonal to the edge, and the same the other way round.
    const half = Array.from({ length: 25 }, (_, step) => {
      const recall = f1 + (step / 24) * (1 - f1);
      return [recall, (f1 * recall) / (2 * recall - f1)];
    });
    const whole = [...half.slice(1).reverse().map(([recall, precision]) => [precision, recall]), ...half];
    const path = whole.map(([recall, precision]) => `${x(recall).toFixed(1)} ${y(precision).toFixed(1)}`).join("L");
    return [svg("path.chart-curve", { d: `M${path}` }),
      chartText(x(1) + 8, y(f1 / (2 - f1)), chartPercent(f1), "start", "chart-quiet")];
  });
}

/**
 * Names next to their dots, placed so that they overlap nothing, or at least no other name.
 * @param {PlacedDot[]} dots @param {number} width
 */
function dotNames(dots, width) {
  /** @type {Box[]} */
  const names = [];
  /** @type {Box[]} */
  const circles = dots.map(({ x, y, radius }) => ({ left: x - radius, right: x + radius, y, half: radius }));
  return dots.filter((dot) => dot.isNamed).map((dot) => {
    const text = chartShort(dot.name, 190);
    const places = dotPlaces(dot, text.length * CHART_LETTER)
      .filter(({ left, right, y }) => left > DOT_EDGES.left && right < width && y > DOT_EDGES.top);
    const isFree = (/** @type {Box[]} */ taken) => (/** @type {Box} */ place) => !taken.some((other) =>
      other.left < place.right && place.left < other.right && Math.abs(other.y - place.y) < other.half + place.half);
    const place = places.find(isFree([...circles, ...names])) ?? places.find(isFree(names)) ?? places[0];
    if (!place) return null;
    names.push(place);
    // If a name is far from its dot, a line connects them.
    const isFar = Math.abs(place.y - dot.y) > dot.radius + 12;
    const line = { x1: dot.x, x2: dot.x, y1: dot.y, y2: place.y + (place.y > dot.y ? -7 : 7) };
    return [isFar && svg("line.chart-join", line), chartText(place.left, place.y, text, "start", "chart-name")];
  });
}

/** Possible places of a name, best first. @param {PlacedDot} dot @param {number} long @returns {Box[]} */
function dotPlaces({ x, y, radius }, long) {
  const off = radius + 5;
  const levels = [off + 5, -off - 5, off + 26, -off - 26, off + 44, -off - 44];
  /** @type {Array<[number, number]>} */
  const lefts = [
    [x + off, y], [x - off - long, y],
    ...levels.flatMap((by) => [x - long / 2, x - radius, x + radius - long].map(
      (left) => /** @type {[number, number]} */ ([left, y + by])))];
  return lefts.map(([left, middle]) => ({ left, right: left + long, y: middle, half: 7 }));
}
