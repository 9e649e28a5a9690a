/**
 * Common parts of charts: axes, texts, links and the frame.
 *
 * Every chart is a drawing with role="img" and a description, with a layer of links on top: screen readers do not see
 * what is inside an image.
 */
import { h, svg, percent, visible } from "../shared/dom.js";

/**
 * @typedef {{href: string, onclick: (event: MouseEvent) => void, dataset?: {count: number}}} Link the target of a mark
 * @typedef {{name: string, tone: string}} Part of a bar, and its colour
 * @typedef {(value: number) => number} Scale from a value to its place in the drawing
 * @typedef {{low: number, high: number, ticks: number[]}} Axis the first and last tick are its ends
 */

/** The approximate width of a letter of 12 pixels. */
export const CHART_LETTER = 6.9;
/** With more marks than this, they are one stop of the Tab key, and arrow keys move through them. */
const MOST_STOPS = 30;

/** The class with the colour of a system. @param {number} number */
export function chartTone(number) {
  return `h${(number % 8) + 1}`;
}

/** Cut a text to about this many pixels. @param {string} text @param {number} width */
export function chartShort(text, width) {
  const most = Math.max(3, Math.floor(width / CHART_LETTER));
  const letters = [...visible(text)];
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : letters.join("");
}

/** The next round number: 1, 2 or 5 times a power of ten. @param {number} rough more than zero */
function roundUp(rough) {
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((times) => times * power).find((each) => each >= rough) ?? rough;
}

/**
 * An axis that begins and ends at a tick, so that both ends are labelled.
 * @param {number} least @param {number} most more than the least @param {number} about how many ticks
 * @returns {Axis}
 */
export function chartAxisOver(least, most, about) {
  const step = roundUp((most - least) / about);
  const [first, last] = [Math.floor(least / step + 1e-9), Math.ceil(most / step - 1e-9)];
  // Adding 0 turns minus zero into zero.
  const ticks = Array.from({ length: last - first + 1 }, (_, n) => (first + n) * step + 0);
  return { low: ticks[0], high: ticks[ticks.length - 1], ticks };
}

/**
 * Return round numbers between low and high.
 * @param {number} low @param {number} high @param {number} about how many
 */
export function chartTicks(low, high, about) {
  const rough = (high - low) / Math.max(1, about);
  if (!(rough > 0)) return [low];
  const step = roundUp(rough);
  const ticks = [];
  // Adding 0 turns minus zero into zero.
  for (let n = Math.ceil(low / step - 1e-9) + 0; n * step <= high + 1e-9; n++) ticks.push(n * step);
  return ticks;
}

/**
 * Lines across the drawing at each tick, with percentages below.
 * @param {number[]} ticks @param {Scale} x @param {number} height
 */
export function chartGrid(ticks, x, height) {
  return ticks.flatMap((tick) => [
    svg("line.chart-grid", { x1: x(tick), x2: x(tick), y1: 0, y2: height }),
    chartText(x(tick), height + 12, chartPercent(tick), "middle", "chart-quiet")]);
}

/** A fraction on an axis, in percent. @param {number} value */
export function chartPercent(value) {
  return Number(percent(value)).toString().replace("-", "−");
}

/** @param {number} x @param {number} y @param {string} text @param {string} anchor @param {string} [look] */
export function chartText(x, y, text, anchor, look = "chart-plain") {
  return svg(`text.${look}`, { x, y, "text-anchor": anchor, "dominant-baseline": "central" }, text);
}

/**
 * A legend in one line, in drawing order.
 * @param {Part[]} parts @param {number} x @param {number} y the middle of the line
 */
export function chartLegend(parts, x, y) {
  let at = x;
  return parts.flatMap(({ name, tone }) => {
    const box = svg(`rect.chart-${tone}`, { x: at, y: y - 5, width: 10, height: 10, rx: 2 });
    const text = chartText(at + 16, y, name, "start", "chart-quiet");
    at += 16 + name.length * CHART_LETTER + 16;
    return [box, text];
  });
}

/**
 * A shape on top of the drawing, with a link or only a title.
 * @param {SVGElement} shape @param {string} title @param {Link | null | undefined} link
 */
export function chartMark(shape, title, link) {
  const about = svg("title", {}, title);
  return link
    ? svg("a.chart-mark", { ...link, "aria-label": title }, about, shape)
    : svg("g", { "aria-hidden": "true" }, about, shape);
}

/**
 * Put the marks on top of the drawing.
 * @param {number} width @param {number} height @param {string} message
 * @param {import("../shared/dom.js").Child[]} drawing @param {SVGElement[]} marks
 */
export function chartFrame(width, height, message, drawing, marks) {
  const size = { viewBox: `0 0 ${width} ${height}`, width, height };
  const links = marks.filter((mark) => mark.getAttribute("href"));
  const layer = marks.length
    ? svg("svg.chart-marks", { ...size, role: "group", "aria-label": "Marks of the chart" }, marks) : null;
  if (layer && links.length > MOST_STOPS) walk(layer, links);
  return h("div.chart", {},
    svg("svg.chart-drawing", { ...size, role: "img", "aria-label": message }, drawing), layer);
}

/** Let arrow keys move between marks. @param {SVGElement} layer @param {SVGElement[]} links */
function walk(layer, links) {
  layer.setAttribute("aria-label", "Marks of the chart; arrow keys move through them");
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
