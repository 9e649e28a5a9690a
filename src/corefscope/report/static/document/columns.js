/** The columns next to the text, which can be resized and hidden. */
import { h } from "../shared/dom.js";
import { noteInAddress, option, withOption } from "../shared/state.js";

/**
 * @typedef {import("./open.js").View} View
 * @typedef {"nav" | "inspector"} Column
 */

/** The limits of the width of a column, and the step of the arrow keys, in pixels. */
const WIDTHS = { nav: { least: 150, most: 420 }, inspector: { least: 200, most: 560 } };
const WIDTH_STEP = 16;
const COLUMN_NAMES = { nav: "Documents and errors", inspector: "Inspector" };

/**
 * The separator between a column and the text: drag it, or use arrow keys; Enter hides the column.
 * @param {View} view @param {Column} column
 */
export function columnSeparator(view, column) {
  const { least, most } = WIDTHS[column];
  let dragged = "";
  const separator = h(`div.doc-separator.doc-separator-${column}`, {
    id: `doc-separator-${column}`, role: "separator", tabindex: "0", "aria-orientation": "vertical",
    "aria-label": `Width of ${COLUMN_NAMES[column]}; Enter hides or shows it`, "aria-controls": `doc-${column}`,
    "aria-valuemin": 0, "aria-valuemax": most, "aria-valuenow": least, title: "Drag to resize; double-click to hide or show",
    ondblclick: () => collapse(view, column),
    onkeydown: (/** @type {KeyboardEvent} */ event) => widen(view, column, event),
    onpointerdown: (/** @type {PointerEvent} */ event) => separator.setPointerCapture(event.pointerId),
    onpointermove: (/** @type {PointerEvent} */ event) => {
      if (event.buttons && separator.hasPointerCapture(event.pointerId)) dragged = drag(view, column, event.clientX);
    },
    onlostpointercapture: () => {
      if (dragged) choose(view, column, dragged);
      dragged = "";
    },
  });
  view.separators[column] = separator;
  return separator;
}

/**
 * Show the width while dragging; it is saved when the pointer is released.
 * @param {View} view @param {Column} column @param {number} x
 */
function drag(view, column, x) {
  const { left, right } = view.root.getBoundingClientRect();
  const width = column === "nav" ? x - left : right - x;
  // A very narrow column is hidden.
  const chosen = width < WIDTHS[column].least / 2 ? "0" : within(column, width);
  showWidth(view, column, chosen);
  return chosen;
}

/** @param {View} view @param {Column} column @param {KeyboardEvent} event */
function widen(view, column, event) {
  if (event.key === "Enter") return collapse(view, column);
  const [towards, width] = [column === "nav" ? WIDTH_STEP : -WIDTH_STEP, widthOf(view, column)];
  const { least, most } = WIDTHS[column];
  const chosen = /** @type {Record<string, number>} */ ({
    ArrowRight: width + towards, ArrowLeft: width - towards, Home: least, End: most,
  })[event.key];
  if (chosen === undefined) return;
  event.preventDefault();
  choose(view, column, within(column, chosen));
}

/** @param {View} view @param {Column} column */
function collapse(view, column) {
  const chosen = option(`document.${column}`);
  if (chosen !== "0") view.widths[column] = chosen;
  choose(view, column, chosen === "0" ? view.widths[column] ?? "" : "0");
}

/** @param {Column} column @param {number} width */
function within(column, width) {
  const { least, most } = WIDTHS[column];
  return String(Math.round(Math.min(most, Math.max(least, width))));
}

/** @param {View} view @param {Column} column @param {string} width "0" hides it, "" is the default */
function choose(view, column, width) {
  noteInAddress(withOption(`document.${column}`, width));
  drawColumns(view);
}

/** @param {View} view @param {Column} column */
function widthOf(view, column) {
  return view.root.querySelector(`#doc-${column}`)?.getBoundingClientRect().width ?? 0;
}

/** Give the columns the widths that were chosen. @param {View} view */
export function drawColumns(view) {
  showWidth(view, "nav", option("document.nav"));
  showWidth(view, "inspector", option("document.inspector"));
}

/** @param {View} view @param {Column} column @param {string} chosen */
function showWidth(view, column, chosen) {
  view.root.classList.toggle(`doc-without-${column}`, chosen === "0");
  if (/^[1-9]\d{0,3}$/.test(chosen)) view.root.style.setProperty(`--${column}`, `${chosen}px`);
  else view.root.style.removeProperty(`--${column}`);
  const width = Math.round(widthOf(view, column));
  view.separators[column].setAttribute("aria-valuenow", String(width));
  view.separators[column].setAttribute("aria-valuetext", chosen === "0" ? "hidden" : `${width} pixels`);
}
