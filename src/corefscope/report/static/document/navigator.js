/** The navigator: a menu of documents, and the errors of the open one. */
import { counted, documentName, h, fill, keepFocus, label, percent, replaceRows, typeMark } from "../shared/dom.js";
import { state, go } from "../shared/state.js";
import { isFiltered } from "../shared/facets.js";
import { linkToErrors } from "../shared/links.js";
import { remarkOn } from "../shared/remarks.js";
import { spanText } from "../shared/spans.js";
import { ledgerOf, lossOf } from "../shared/tagged.js";
import { openError, steps, turnDocument } from "./open.js";
import { rowsSeen, topToken } from "./seen.js";

/**
 * @typedef {import("./open.js").View} View
 */

/** The height of a line in the list of errors, as in the style sheet. */
const LINE = 30;

/** @param {View} view */
export function drawPick(view) {
  const { summary } = view.context;
  const { document: number, system } = state();
  const open = summary.documents[number];
  const key = `${number} ${system}`;
  if (view.picked === key) return;
  view.picked = key;
  fill(view.pick,
    h("div.doc-pick-line", {},
      h("h2", {}, "Document"), h("span.soft", {}, `${number + 1} of ${summary.documents.length}`),
      turnButton(view, "doc-before", "‹", -1, "Previous document (K)"),
      turnButton(view, "doc-after", "›", 1, "Next document (J)")),
    h("select", {
      id: "doc-select", "aria-label": "Document, with CoNLL", title: open.name,
      onchange: (/** @type {import("../shared/dom.js").Changed} */ event) => go({ document: Number(event.target.value), error: null, entity: null }),
    }, summary.documents.map((each, place) => h("option", {
      value: place, selected: place === number,
    }, `${percent(each.conll[system]) || "–"} · ${documentName(each.name)}${lostIn(summary, system, each.name)}`))),
    h("dl.doc-facts", {}, facts(open, system).map(([what, value]) =>
      h("div", {}, h("dt", {}, what), h("dd", {}, value)))));
}

/**
 * The status of a document whose tagged text did not come back, or not all of it.
 * @param {import("../types.js").Summary} summary @param {number} system @param {string} name
 */
function lostIn(summary, system, name) {
  const ledger = ledgerOf(summary, system, name);
  return lossOf(ledger) && ` (${ledger?.status})`;
}

/** @param {View} view @param {string} id @param {string} sign @param {number} step @param {string} says */
function turnButton(view, id, sign, step, says) {
  const { summary } = view.context;
  return h("button.doc-step", {
    id, title: says, "aria-label": says, onclick: () => turnDocument(view, step),
    disabled: !summary.documents[state().document + step],
  }, sign);
}

/** @param {import("../types.js").ReportDocument} open @param {number} system @returns {Array<[string, string]>} */
function facts(open, system) {
  return [
    ["CoNLL", percent(open.conll[system]) || "–"], ["entities", counted(open.entities)],
    ["mentions", counted(open.mentions)], ["tokens", open.tokens === null ? "–" : counted(open.tokens)],
  ];
}

/** @param {View} view @param {boolean} isMoved whether another error was opened */
export function drawList(view, isMoved) {
  listWindow(view);
  if (isMoved) showLine(view);
  drawListHead(view);
}

/** Scroll to the line of the selected error. @param {View} view */
function showLine(view) {
  const top = view.rows.indexOf(view.selected ?? -1) * LINE;
  const { scrollTop, clientHeight } = view.list;
  if (top < 0 || (top >= scrollTop && top + LINE <= scrollTop + clientHeight)) return;
  view.list.scrollTop = top - clientHeight / 2;
  scrollList(view);
}

/**
 * The next error of the list; without a selected error, the next one in the visible text.
 * @param {View} view @param {number} step @returns {number | undefined}
 */
export function nextRow(view, step) {
  const { start } = view.context.errors;
  const rows = steps(view);
  const { selected } = view;
  const at = rows.indexOf(selected ?? -1);
  if (at >= 0) return rows[at + step];
  const from = selected === null ? topToken(view) : start[selected];
  const after = rows.findIndex((row) => start[row] >= from);
  const next = (after < 0 ? rows.length : after) - (step > 0 ? 0 : 1);
  // Before the first error comes the last.
  return rows[next] ?? (selected === null ? rows.at(-1) : undefined);
}

/** @param {View} view */
function drawListHead(view) {
  const { model, rows } = view;
  const all = model.errors.length;
  const { entity } = state();
  const isOfEntity = entity !== null && steps(view) !== rows;
  fill(view.errorsHead, h("h2", {}, "Errors"),
    h("a", {
      id: "doc-count", title: "Show these errors in the table",
      ...linkToErrors(model.system, { document: [String(state().document)] }, rows.length),
    }, counted(rows.length)),
    rows.length !== all && [h("span.soft", {}, `of ${counted(all)}`), h("button.link.doc-show-all", {
      id: "doc-show-all", title: "Clear the filters", onclick: () => go({ filters: {}, search: "" }),
    }, "show all")],
    h("span.doc-keys.soft", {
      title: isOfEntity ? `j and k move through the errors of ${entity}` : "Next and previous error",
    }, h("kbd", {}, "j"), h("kbd", {}, "k"), isOfEntity && h("span", {}, `in ${entity}`)));
}

/**
 * Draw only visible lines, because a book has tens of thousands. Lines of the same list are kept, so that an element
 * that is pressed while the list is redrawn is still there when the pointer is released.
 * @param {View} view
 */
export function listWindow(view) {
  const { list, rows } = view;
  const isSame = view.linesOf === rows;
  view.linesOf = rows;
  if (!rows.length) {
    view.lines = new Map();
    return fill(list, h("p.doc-empty.soft", {},
      isFiltered() ? "No error in this document matches the filters." : "This document has no errors."));
  }
  if (isSame) {
    scrollList(view);
    for (const row of view.lines.keys()) refreshLine(view, row);
    return;
  }
  view.lines = linesSeen(view, new Map());
  keepFocus(() => fill(list,
    h("div.doc-list-all", { style: { height: `${rows.length * LINE}px` } }, [...view.lines.values()])));
}

/** Update the selection of a line; redraw it if its flag changed. @param {View} view @param {number} row */
function refreshLine(view, row) {
  const line = /** @type {HTMLElement} */ (view.lines.get(row));
  const isFlagged = line.querySelector(".doc-line-flag") !== null;
  if (isFlagged !== remarkOn(view.context.errors, view.context.summary, row).flag) {
    const now = listLine(view, row, view.rows.indexOf(row) * LINE);
    view.lines.set(row, now);
    keepFocus(() => line.replaceWith(now));
  } else if (row === view.selected) line.setAttribute("aria-current", "true");
  else line.removeAttribute("aria-current");
}

/** Draw lines that become visible. @param {View} view */
export function scrollList(view) {
  if (!view.rows.length || !view.list.firstElementChild) return;
  const lines = linesSeen(view, view.lines);
  replaceRows(view.list.firstElementChild, view.lines, lines);
  view.lines = lines;
}

/**
 * The visible lines by row; existing ones are reused.
 * @param {View} view @param {Map<number, HTMLElement>} drawn @returns {Map<number, HTMLElement>}
 */
function linesSeen(view, drawn) {
  const { list, rows } = view;
  const first = Math.max(0, Math.floor(list.scrollTop / LINE) - 10);
  const last = Math.min(rows.length, first + Math.ceil((list.clientHeight || 600) / LINE) + 20);
  return new Map(rows.slice(first, last).map((row, place) =>
    [row, drawn.get(row) ?? listLine(view, row, (first + place) * LINE)]));
}

/** @param {View} view @param {number} row @param {number} top */
function listLine(view, row, top) {
  const { errors, summary } = view.context;
  const type = errors.type[row];
  return h("button.doc-line", {
    id: `doc-error-${row}`, style: { top: `${top}px` }, title: `${label(type)}: ${errors.description[row]}`, dataset: { row },
    "aria-current": row === view.selected ? "true" : null, onclick: () => openError(view, row),
  },
  h("span.doc-glyph", { role: "img", "aria-label": label(type) }, typeMark(type)),
  h("span.doc-line-text", { dir: "auto" },
    remarkOn(errors, summary, row).flag && h("span.doc-line-flag", { role: "img", "aria-label": "flagged" }, "★ "),
    errors.text[row] || `${errors.entity[row]}, ${spanText(errors, row)}`),
  h("span.doc-line-type.soft", { "aria-hidden": "true" },
    label(type).replace(/ (Entities|Mention)$/, "").replace(/ Entity$/, " ent.")),
  h("span.doc-line-place.soft", { title: "Sentence" }, errors.sentence[row] ?? ""));
}

/**
 * Mark the errors whose sentence is visible.
 * @param {View} view @param {number[]} [seen] the first and last row
 */
export function tickLines(view, seen = rowsSeen(view)) {
  const { start } = view.context.errors;
  const [first, last] = seen;
  if (first === undefined) return;
  const [from, to] = [view.shown.rows[first].first, view.shown.rows[last].last];
  for (const line of /** @type {NodeListOf<HTMLElement>} */ (view.list.querySelectorAll(".doc-line"))) {
    const at = start[Number(line.dataset.row)];
    line.classList.toggle("doc-line-seen", from <= at && at <= to);
  }
}
