/** The navigator: a document to pick, and the list of its errors. */
import { counted, documentName, h, fill, keepFocus, label, percent, replaceRows, typeMark } from "../shared/dom.js";
import { state, go } from "../shared/state.js";
import { isFiltered } from "../shared/facets.js";
import { linkToErrors } from "../shared/links.js";
import { remarkOn } from "../shared/remarks.js";
import { spanText } from "../shared/spans.js";
import { openError, steps, turnDocument } from "./open.js";
import { rowsSeen, topToken } from "./seen.js";

/**
 * @typedef {import("./open.js").View} View
 */

/** Height of a line of the list of errors, as in the style. */
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
    }, `${percent(each.conll[system]) || "–"} · ${documentName(each.name)}`))),
    h("dl.doc-facts", {}, facts(open, system).map(([what, value]) =>
      h("div", {}, h("dt", {}, what), h("dd", {}, value)))));
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

/** Bring the line of the selected error into the list. @param {View} view */
function showLine(view) {
  const top = view.rows.indexOf(view.selected ?? -1) * LINE;
  const { scrollTop, clientHeight } = view.list;
  if (top < 0 || (top >= scrollTop && top + LINE <= scrollTop + clientHeight)) return;
  view.list.scrollTop = top - clientHeight / 2;
  scrollList(view);
}

/**
 * The next error of those at hand; with none selected, the next one from what is seen.
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
  // From the beginning back is the end.
  return rows[next] ?? (selected === null ? rows.at(-1) : undefined);
}

/** @param {View} view */
function drawListHead(view) {
  const { model, rows } = view;
  const all = model.text.systems[model.system].errors.length;
  const { entity } = state();
  const isOfEntity = entity !== null && steps(view) !== rows;
  fill(view.errorsHead, h("h2", {}, "Errors"),
    h("a", {
      id: "doc-count", title: "Show these in the table of errors",
      ...linkToErrors(model.system, { document: [String(state().document)] }, rows.length),
    }, counted(rows.length)),
    rows.length !== all && [h("span.soft", {}, `of ${counted(all)}`), h("button.link.doc-show-all", {
      id: "doc-show-all", title: "Clear the filters", onclick: () => go({ filters: {}, search: "" }),
    }, "show all")],
    h("span.doc-keys.soft", {
      title: isOfEntity ? `j and k go through the errors of ${entity}` : "Next and previous error",
    }, h("kbd", {}, "j"), h("kbd", {}, "k"), isOfEntity && h("span", {}, `in ${entity}`)));
}

/**
 * Draw the lines that are seen: a book has tens of thousands. Lines of the same list stay, whatever else changes: what
 * is pressed when the list is drawn is still there when it is let go.
 * @param {View} view
 */
export function listWindow(view) {
  const { list, rows } = view;
  const isSame = view.linesOf === rows;
  view.linesOf = rows;
  if (!rows.length) {
    view.lines = new Map();
    return fill(list, h("p.doc-empty.soft", {},
      isFiltered() ? "No error here under these filters." : "No errors: all is right here."));
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

/** Show whether a line is the selected one; one that was flagged since is drawn again. @param {View} view @param {number} row */
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

/** Draw the lines that come into sight. @param {View} view */
export function scrollList(view) {
  if (!view.rows.length || !view.list.firstElementChild) return;
  const lines = linesSeen(view, view.lines);
  replaceRows(view.list.firstElementChild, view.lines, lines);
  view.lines = lines;
}

/**
 * The lines in sight by their rows, those that are drawn already as they are.
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
 * Tick the errors whose sentence is on the screen.
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
