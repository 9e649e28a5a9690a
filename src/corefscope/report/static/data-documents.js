/** The documents: how large they are, and how each system does on them. */
import { h, counted, documentName, percent } from "./dom.js";
import { go, option, withOption } from "./state.js";
import { linkTo } from "./links.js";
import { dataCard } from "./data-parts.js";

/**
 * @typedef {{number: number, document: any}} Listed
 * @typedef {object} Column
 * @property {string} id
 * @property {string} title
 * @property {boolean} isNumber
 * @property {(each: Listed) => any} value
 * @property {(each: Listed) => HTMLElement} cell
 */

const DATA_MOST_DOCUMENTS = 500;

/** @param {any} summary */
export function dataDocuments(summary) {
  const columns = dataColumns(summary);
  const sorted = dataSorted(summary, columns);
  const shown = option("data.all") ? sorted : sorted.slice(0, DATA_MOST_DOCUMENTS);
  return dataCard("documents", `Documents: ${counted(sorted.length)}`,
    h("p.soft.data-note", {},
      "Mentions and entities are those of the key; CoNLL in percent by system. A name opens the document."),
    h("div.scrolls", { tabindex: "0", role: "region", "aria-label": "Table: documents" },
      h("table.data-table.data-documents", {},
        h("thead", {}, h("tr", {}, columns.map(dataSorter))),
        h("tbody", {}, shown.map((each) => h("tr", {}, columns.map((column) => column.cell(each))))),
        dataTotals(summary))),
    shown.length < sorted.length && h("button.data-all", {
      id: "data-all-documents", onclick: () => go(withOption("data.all", "on")),
    }, `Show all ${counted(sorted.length)}`));
}

/** @param {any} summary */
function dataTotals(summary) {
  const sum = (/** @type {string} */ name) =>
    summary.documents.reduce((/** @type {number} */ all, /** @type {any} */ each) => all + each[name], 0);
  return h("tfoot", {}, h("tr", {}, h("th", { scope: "row", colspan: "2" }, "All"),
    ["tokens", "mentions", "entities"].map((name) => h("td.number", {}, counted(sum(name)))),
    summary.comparison.systems.map((/** @type {any} */ { scores }) =>
      h("td.number", {}, percent(scores.conll?.value)))));
}

/** How the documents are sorted: by a column, up or down. */
function dataOrder() {
  const [column, direction] = (option("data.sort") || "number.asc").split(".");
  return { column, isDown: direction === "desc" };
}

/** @param {any} summary @param {Column[]} columns @returns {Listed[]} */
function dataSorted(summary, columns) {
  const { column, isDown } = dataOrder();
  const { value } = columns.find((each) => each.id === column) ?? columns[0];
  /** @type {Listed[]} */
  const listed = [...summary.documents.entries()].map(([number, document]) => ({ number, document }));
  return listed.sort((one, other) => {
    const [left, right] = [value(one), value(other)];
    const before = left < right ? -1 : left > right ? 1 : 0;
    return (isDown ? -before : before) || one.number - other.number;
  });
}

/** @param {any} summary @returns {Column[]} */
function dataColumns(summary) {
  /** @type {(id: string, title: any, value: (each: Listed) => number, show?: (value: number) => string) => Column} */
  const numbers = (id, title, value, show = counted) => ({
    id, title, isNumber: true, value, cell: (each) => h("td.number", {}, show(value(each))),
  });
  return [
    {
      id: "number", title: "No.", isNumber: true, value: (each) => each.number,
      cell: (each) => h("td.number.soft", {}, each.number + 1),
    },
    {
      id: "name", title: "Document", isNumber: false, value: (each) => documentName(each.document.name),
      cell: dataDocumentCell,
    },
    ...["tokens", "mentions", "entities"].map((id) =>
      numbers(id, id[0].toUpperCase() + id.slice(1), (each) => each.document[id])),
    ...summary.systems.map((/** @type {any} */ system, /** @type {number} */ place) =>
      numbers(`conll-${place}`, `${system.letter} ${system.name}`, (each) => each.document.conll[place], percent)),
  ];
}

/** @param {Listed} each */
function dataDocumentCell({ number, document }) {
  const { name } = document;
  const link = linkTo({ tab: "document", document: number, entity: null });
  return h("td", {}, h("a", { id: `data-document-${number}`, title: name, ...link }, documentName(name)));
}

/** The head of a column, a button that sorts by it: numbers first from the greatest. @param {Column} column */
function dataSorter({ id, title, isNumber }) {
  const { column, isDown } = dataOrder();
  const isChosen = column === id;
  const next = isChosen ? !isDown : isNumber && id !== "number";
  const direction = isDown ? "descending" : "ascending";
  return h(isNumber ? "th.number" : "th", { scope: "col", "aria-sort": isChosen && direction },
    h("button.data-sort", {
      id: `data-sort-${id}`, onclick: () => go(withOption("data.sort", `${id}.${next ? "desc" : "asc"}`)),
    }, title, h("span.data-arrow", { "aria-hidden": "true" }, isChosen ? (isDown ? "▼" : "▲") : "")));
}
