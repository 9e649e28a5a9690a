/** Lines: how several figures change from one thing to the next. */
import { svg } from "../shared/dom.js";
import { CHART_LETTER, chartAxisOver, chartFrame, chartMark, chartPercent, chartShort, chartText } from "./parts.js";

/**
 * @typedef {{name: string, tone: string, values: Array<number | null>, marked: boolean[]}} Line
 *     a value for each thing, and which of them have large dots
 * @typedef {(value: number) => number} Scale
 */

/** The smallest range of the axis, so that small changes do not look large. */
const LEAST_SPAN = 0.02;
/** With more things than this, only marked ones have dots. */
const MOST_DOTS = 80;
/** The height of a label at the end of a line. */
const LABEL = 15;

/**
 * Lines with their names at their ends, so that colours are not needed to tell them apart.
 * @param {{names: string[], lines: Line[], text: (value: number | null) => string, isPercent: boolean, message: string, width: number}} chart
 */
export function chartLines({ names, lines, text, isPercent, message, width }) {
  const labels = lines.map((line) => `${line.name} ${text(line.values.at(-1) ?? null)}`);
  const height = Math.max(260, lines.length * LABEL + 40);
  const edges = {
    left: 40, right: Math.max(...labels.map((label) => label.length)) * CHART_LETTER + 28, top: 10, bottom: 24,
  };
  const axis = axisOf(lines);
  const x = (/** @type {number} */ number) => edges.left
    + (names.length < 2 ? 0.5 : number / (names.length - 1)) * (width - edges.left - edges.right);
  const y = (/** @type {number} */ value) => edges.top
    + ((axis.high - value) / (axis.high - axis.low)) * (height - edges.top - edges.bottom);
  const drawing = [
    axis.ticks.flatMap((tick) => [
      svg("line.chart-grid", { x1: edges.left, x2: width - edges.right, y1: y(tick), y2: y(tick) }),
      chartText(edges.left - 8, y(tick), isPercent ? chartPercent(tick) : String(Number(tick.toFixed(4))), "end", "chart-quiet")]),
    ticksOf(names, x, width - edges.left - edges.right, height),
    // The first line is drawn last, on top of the others.
    lines.map((line, number) => drawnLine(line, x, y, names.length, number === 0)).reverse(),
    endLabels(lines, labels, y, width - edges.right + 8, height - edges.bottom),
  ];
  return chartFrame(width, height, message, drawing, marksOf(names, lines, x, y, text));
}

/** @param {Line[]} lines */
function axisOf(lines) {
  const values = lines.flatMap((line) => line.values.filter((value) => value !== null));
  let [least, most] = [Math.min(...values), Math.max(...values)];
  if (most - least < LEAST_SPAN) [least, most] = [(least + most - LEAST_SPAN) / 2, (least + most + LEAST_SPAN) / 2];
  return chartAxisOver(least, most, 5);
}

/** Some of the names, below the axis. @param {string[]} names @param {Scale} x @param {number} width @param {number} height */
function ticksOf(names, x, width, height) {
  const room = 90, every = Math.max(1, Math.ceil((names.length * room) / Math.max(width, room)));
  return withoutCommon(names).map((name, number) => number % every ? null
    : chartText(x(number), height - 10, chartShort(name, room - 10), "middle", "chart-quiet"));
}

/** Names without what all of them begin and end with; numbers stay whole. @param {string[]} names */
function withoutCommon(names) {
  const [first, ...others] = names;
  const common = (/** @type {(name: string, length: number) => string} */ part) => {
    let length = 0;
    while (length < first.length && others.every((each) => part(each, length + 1) === part(first, length + 1))) length++;
    return part(first, length);
  };
  const start = common((name, length) => name.slice(0, length)).replace(/\d+$/, "").length;
  const end = common((name, length) => name.slice(name.length - length)).replace(/^\d+/, "").length;
  const cut = names.map((name) => name.slice(start, name.length - end));
  return others.length && cut.every(Boolean) ? cut : names;
}

/** @param {Line} line @param {Scale} x @param {Scale} y @param {number} count of things @param {boolean} isThick */
function drawnLine({ tone, values, marked }, x, y, count, isThick) {
  let path = "";
  values.forEach((value, number) => {
    if (value === null) return;
    // A gap where there is no value.
    const isStart = number === 0 || values[number - 1] === null;
    path += `${isStart ? "M" : "L"}${x(number).toFixed(1)} ${y(value).toFixed(1)}`;
  });
  return svg(`g.chart-${tone}`, {}, svg(isThick ? "path.chart-line.chart-thick" : "path.chart-line", { d: path }), values.map((value, number) => {
    if (value === null || (count > MOST_DOTS && !marked[number])) return null;
    return svg("circle", { cx: x(number), cy: y(value), r: marked[number] ? 5 : 2 });
  }));
}

/** Names at the ends of lines, moved apart where they would overlap. @param {Line[]} lines @param {string[]} labels @param {Scale} y @param {number} left @param {number} bottom */
function endLabels(lines, labels, y, left, bottom) {
  const places = lines.map((line, number) => {
    const last = line.values.findLast((value) => value !== null) ?? 0;
    return { number, at: y(last) };
  }).sort((one, other) => one.at - other.at);
  places.forEach((place, rank) => {
    if (rank) place.at = Math.max(place.at, places[rank - 1].at + LABEL);
  });
  let lowest = bottom;
  for (const place of places.reverse()) {
    place.at = Math.min(place.at, lowest);
    lowest = place.at - LABEL;
  }
  return places.map(({ number, at }) => [
    svg(`rect.chart-${lines[number].tone}`, { x: left, y: at - 2, width: 10, height: 4, rx: 1 }),
    chartText(left + 15, at, labels[number], "start", number ? "chart-plain" : "chart-strong")]);
}

/** What is under the pointer. @param {string[]} names @param {Line[]} lines @param {Scale} x @param {Scale} y @param {(value: number | null) => string} text */
function marksOf(names, lines, x, y, text) {
  return lines.flatMap((line) => line.values.flatMap((value, number) => value === null ? [] : [
    chartMark(svg("circle", { cx: x(number), cy: y(value), r: 8 }), `${names[number]}: ${line.name} ${text(value)}`, null)]));
}
