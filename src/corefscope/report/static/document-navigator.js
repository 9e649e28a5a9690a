/** The navigator: a document to pick, and the list of its errors. */
import { documentName, h, fill, percent, label } from "./dom.js";
import { state, go } from "./state.js";
import { docRowAt } from "./document-model.js";
import { docNumber, docSystem, docHere, docOpenError, docTurn, docKeepFocus } from "./document-open.js";

const DOC_GLYPHS = /** @type {Record<string, string>} */ ({
  missing_mention: "○", extra_mention: "×", span_error: "↔", conflated_entities: "⊕", divided_entity: "÷",
  missing_entity: "◎", extra_entity: "⊠",
});
/** Height of a line of the list of errors, as in the style. */
const DOC_LINE = 30;

/** @param {any} view */
export function docDrawPick(view) {
  const { summary } = view.context;
  const [number, system] = [docNumber(view.context), docSystem(view.context)];
  const open = summary.documents[number];
  const key = `${number} ${system}`;
  if (view.picked === key) return;
  view.picked = key;
  const turn = (/** @type {string} */ id, /** @type {string} */ sign, /** @type {string} */ says, /** @type {number} */ step) =>
    h("button.doc-step", {
      id, title: says, "aria-label": says, onclick: () => docTurn(view, step),
      disabled: !summary.documents[number + step],
    }, sign);
  fill(view.pick,
    h("div.doc-pick-line", {}, h("h3", {}, "Document"), h("span.soft", {}, `${number + 1} of ${summary.documents.length}`),
      turn("doc-before", "‹", "Previous document (K)", -1), turn("doc-after", "›", "Next document (J)", 1)),
    h("select", {
      id: "doc-select", "aria-label": "Document, with CoNLL", title: open.name,
      onchange: (/** @type {any} */ event) => go({ document: Number(event.target.value), error: null, entity: null }),
    }, summary.documents.map((/** @type {any} */ each, /** @type {number} */ place) => h("option", {
      value: place, selected: place === number,
    }, `${percent(each.conll[system])} · ${documentName(each.name)}`))),
    h("dl.doc-facts", {}, docFacts(open, system).map(([what, value]) => h("div", {}, h("dt", {}, what), h("dd", {}, value)))));
}

/** @param {any} open @param {number} system @returns {Array<[string, string]>} */
function docFacts(open, system) {
  return [
    ["CoNLL", percent(open.conll[system])], ["entities", String(open.entities)],
    ["mentions", String(open.mentions)], ["tokens", String(open.tokens)],
  ];
}

/** @param {any} view @param {boolean} isMoved */
export function docDrawList(view, isMoved) {
  const all = view.model.text.systems[view.model.system].errors.length;
  const count = view.rows.length;
  fill(view.errorsHead, h("h3", {}, "Errors"),
    h("button.link", {
      id: "doc-count", title: "Show these in the table of errors",
      onclick: () => go({ tab: "errors", filters: docHere(view) }),
    }, String(count)), count !== all && h("span.soft", {}, `of ${all}`),
    h("span.doc-keys.soft", { "aria-hidden": "true" }, h("kbd", {}, "j"), h("kbd", {}, "k")));
  if (isMoved) {
    const top = view.rows.indexOf(view.selected) * DOC_LINE;
    const { scrollTop, clientHeight } = view.list;
    if (top < scrollTop || top + DOC_LINE > scrollTop + clientHeight) view.scrollList = top - clientHeight / 2;
  }
  docListWindow(view);
  if (view.scrollList !== undefined) {
    view.list.scrollTop = view.scrollList;
    delete view.scrollList;
    docListWindow(view);
  }
}

/** Draw the lines that are seen: a book has tens of thousands. @param {any} view */
export function docListWindow(view) {
  const { list, rows } = view;
  if (!rows.length) {
    const why = Object.keys(state().filters).length || state().search ? "No error here under these filters." : "No errors: all is right here.";
    return fill(list, h("p.doc-empty.soft", {}, why));
  }
  const first = Math.max(0, Math.floor(list.scrollTop / DOC_LINE) - 10);
  const last = Math.min(rows.length, first + Math.ceil((list.clientHeight || 600) / DOC_LINE) + 20);
  const lines = rows.slice(first, last).map((/** @type {number} */ row, /** @type {number} */ place) =>
    docListLine(view, row, (first + place) * DOC_LINE));
  docKeepFocus(() => fill(list, h("div.doc-list-all", { style: { height: `${rows.length * DOC_LINE}px` } }, lines)));
}

/** @param {any} view @param {number} row @param {number} top */
function docListLine(view, row, top) {
  const { errors } = view.context;
  const type = errors.type[row];
  const { rows } = view.model;
  const sentence = rows.length ? rows[docRowAt(rows, errors.start[row])].sentence : "";
  return h("button.doc-line", {
    id: `doc-error-${row}`, style: { top: `${top}px` }, title: `${label(type)}: ${errors.words[row]}`,
    "aria-current": row === view.selected ? "true" : null, onclick: () => docOpenError(row),
  },
  h("span.doc-glyph", { "aria-hidden": "true" }, DOC_GLYPHS[type] ?? "•"),
  h("span.doc-line-text", { dir: "auto" }, errors.text[row] || errors.entity[row]),
  h("span.doc-line-type.soft", {}, label(type).replace(" Entities", "").replace(" Entity", " ent.").replace(" Mention", "")),
  h("span.doc-line-place.soft", {}, sentence));
}
