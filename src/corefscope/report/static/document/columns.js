/** The columns beside the text: their widths can be changed, and they can be put away. */
import { h } from "../shared/dom.js";
import { noteInAddress, option, withOption } from "../shared/state.js";

/**
 * @typedef {import("./open.js").View} View
 * @typedef {"nav" | "inspector"} Column
 */

/** Pixels that a column may take, and a step of the arrow keys. */
const DOC_WIDTHS = { nav: { least: 150, most: 420 }, inspector: { least: 200, most: 560 } };
const DOC_WIDTH_STEP = 16;
const DOC_COLUMN_NAMES = { nav: "Documents and errors", inspector: "Inspector" };

/**
 * The bar between a column and the text: drag it, or use arrows; Enter puts the column away.
 * @param {View} view @param {Column} column
 */
export function docSeparator(view, column) {
  const { least, most } = DOC_WIDTHS[column];
  let dragged = "";
  const separator = h(`div.doc-separator.doc-separator-${column}`, {
    id: `doc-separator-${column}`, role: "separator", tabindex: "0", "aria-orientation": "vertical",
    "aria-label": `Width of ${DOC_COLUMN_NAMES[column]}; Enter hides or shows it`, "aria-controls": `doc-${column}`,
    "aria-valuemin": 0, "aria-valuemax": most, "aria-valuenow": least, title: "Drag; double click hides or shows",
    ondblclick: () => docCollapse(view, column),
    onkeydown: (/** @type {KeyboardEvent} */ event) => docWiden(view, column, event),
    onpointerdown: (/** @type {PointerEvent} */ event) => separator.setPointerCapture(event.pointerId),
    onpointermove: (/** @type {PointerEvent} */ event) => {
      if (event.buttons && separator.hasPointerCapture(event.pointerId)) dragged = docDrag(view, column, event.clientX);
    },
    onlostpointercapture: () => {
      if (dragged) docChoose(view, column, dragged);
      dragged = "";
    },
  });
  view.separators[column] = separator;
  return separator;
}

/**
 * Show the width that is dragged to; it is noted when the bar is let go.
 * @param {View} view @param {Column} column @param {number} x
 */
function docDrag(view, column, x) {
  const { left, right } = view.root.getBoundingClientRect();
  const width = column === "nav" ? x - left : right - x;
  // A column that is made very narrow is meant to go.
  const chosen = width < DOC_WIDTHS[column].least / 2 ? "0" : docWithin(column, width);
  docShowWidth(view, column, chosen);
  return chosen;
}

/** @param {View} view @param {Column} column @param {KeyboardEvent} event */
function docWiden(view, column, event) {
  if (event.key === "Enter") return docCollapse(view, column);
  const [towards, width] = [column === "nav" ? DOC_WIDTH_STEP : -DOC_WIDTH_STEP, docWidth(view, column)];
  const { least, most } = DOC_WIDTHS[column];
  const chosen = /** @type {Record<string, number>} */ ({
    ArrowRight: width + towards, ArrowLeft: width - towards, Home: least, End: most,
  })[event.key];
  if (chosen === undefined) return;
  event.preventDefault();
  docChoose(view, column, docWithin(column, chosen));
}

/** @param {View} view @param {Column} column */
function docCollapse(view, column) {
  const chosen = option(`document.${column}`);
  if (chosen !== "0") view.widths[column] = chosen;
  docChoose(view, column, chosen === "0" ? view.widths[column] ?? "" : "0");
}

/** @param {Column} column @param {number} width */
function docWithin(column, width) {
  const { least, most } = DOC_WIDTHS[column];
  return String(Math.round(Math.min(most, Math.max(least, width))));
}

/** @param {View} view @param {Column} column @param {string} width "0" puts it away, "" is as at first */
function docChoose(view, column, width) {
  noteInAddress(withOption(`document.${column}`, width));
  docDrawColumns(view);
}

/** @param {View} view @param {Column} column */
function docWidth(view, column) {
  return view.root.querySelector(`#doc-${column}`)?.getBoundingClientRect().width ?? 0;
}

/** Give the columns the widths that were chosen. @param {View} view */
export function docDrawColumns(view) {
  docShowWidth(view, "nav", option("document.nav"));
  docShowWidth(view, "inspector", option("document.inspector"));
}

/** @param {View} view @param {Column} column @param {string} chosen */
function docShowWidth(view, column, chosen) {
  view.root.classList.toggle(`doc-without-${column}`, chosen === "0");
  if (/^[1-9]\d{0,3}$/.test(chosen)) view.root.style.setProperty(`--${column}`, `${chosen}px`);
  else view.root.style.removeProperty(`--${column}`);
  const width = Math.round(docWidth(view, column));
  view.separators[column].setAttribute("aria-valuenow", String(width));
  view.separators[column].setAttribute("aria-valuetext", chosen === "0" ? "hidden" : `${width} pixels`);
}
