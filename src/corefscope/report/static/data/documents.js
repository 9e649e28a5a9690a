/** The documents: their sizes, and the score of each system. */
import { h, counted, documentName, percent, scrolls, sortHeading } from "../shared/dom.js";
import { go, option, withOption } from "../shared/state.js";
import { systemName } from "../shared/facets.js";
import { card, documentLink } from "./parts.js";

/**
 * @typedef {{number: number, document: import("../types.js").ReportDocument}} Listed
 * @typedef {"tokens" | "mentions" | "entities"} Count
 * @typedef {object} Column
 * @property {string} id
 * @property {string} title
 * @property {boolean} isNumber
 * @property {"asc" | "desc"} first how it is sorted first
 * @property {(each: Listed) => string | number | null} value
 * @property {(each: Listed) => HTMLElement} cell
 */

const MOST_DOCUMENTS = 500;
/** @type {Count[]} */
const COUNTS = ["tokens", "mentions", "entities"];

/** @param {import("../types.js").Summary} summary */
export function documentsCard(summary) {
  const columns = columnsOf(summary);
  const sorted = sortedDocuments(summary, columns);
  const shown = option("data.all") ? sorted : sorted.slice(0, MOST_DOCUMENTS);
  return card("documents", `Documents: ${counted(sorted.length)}`,
    h("p.soft.data-note", {},
      "Mentions and entities of the key; CoNLL in per cent by system. Click a name to open the document."),
    scrolls("Table: documents",
      h("table.data-table.data-documents", {},
        h("thead", {}, h("tr", {}, columns.map(sorter))),
        h("tbody", {}, shown.map((each) => h("tr", {}, columns.map((column) => column.cell(each))))),
        totals(summary))),
    shown.length < sorted.length && h("button.data-all", {
      id: "data-all-documents", onclick: () => go(withOption("data.all", "on")),
    }, `Show all ${counted(sorted.length)}`));
}

/** @param {import("../types.js").Summary} summary */
function totals(summary) {
  return h("tfoot", {}, h("tr", {}, h("th", { scope: "row", colspan: "2" }, "All"),
    COUNTS.map((name) => h("td.number", {}, summed(summary.documents.map((each) => each[name])))),
    summary.comparison.systems.map(({ scores }) =>
      h("td.number", {}, percent(scores.conll?.value)))));
}

/** The sum of counts; a dash if one of them is not known. @param {Array<number | null>} counts */
function summed(counts) {
  let sum = 0;
  for (const count of counts) {
    if (count === null) return "–";
    sum += count;
  }
  return counted(sum);
}

/** The documents sorted by a column, or in corpus order. @param {import("../types.js").Summary} summary @param {Column[]} columns @returns {Listed[]} */
function sortedDocuments(summary, columns) {
  const [column, way] = option("data.sort").split(".");
  const { value } = columns.find((each) => each.id === column) ?? columns[0];
  /** @type {Listed[]} */
  const listed = [...summary.documents.entries()].map(([number, document]) => ({ number, document }));
  return listed.sort((one, other) => {
    const [left, right] = [value(one) ?? 0, value(other) ?? 0];
    const before = left < right ? -1 : left > right ? 1 : 0;
    return (way === "desc" ? -before : before) || one.number - other.number;
  });
}

/** @param {import("../types.js").Summary} summary @returns {Column[]} */
function columnsOf(summary) {
  /** @param {Count} id @returns {Column} */
  const count = (id) => ({
    id, title: id[0].toUpperCase() + id.slice(1), isNumber: true, first: "desc", value: ({ document }) => document[id],
    cell: ({ document }) => h("td.number", {}, summed([document[id]])),
  });
  /** The first click sorts the worst first. @param {unknown} _ @param {number} place @returns {Column} */
  const score = (_, place) => ({
    id: `conll-${place}`, title: systemName(summary, place), isNumber: true, first: "asc",
    value: ({ document }) => document.conll[place],
    cell: ({ document }) => h("td.number", {}, percent(document.conll[place])),
  });
  return [
    {
      id: "number", title: "No.", isNumber: true, first: "asc", value: (each) => each.number,
      cell: (each) => h("td.number.soft", {}, each.number + 1),
    },
    {
      id: "name", title: "Document", isNumber: false, first: "asc",
      value: (each) => documentName(each.document.name), cell: documentCell,
    },
    ...COUNTS.map(count), ...summary.systems.map(score),
  ];
}

/** @param {Listed} each */
function documentCell({ number, document }) {
  const { name } = document;
  const link = h("a", { id: `data-document-${number}`, title: name, ...documentLink(number) }, documentName(name));
  return h("td", {}, link);
}

/** @param {Column} column */
function sorter({ id, title, isNumber, first }) {
  const { button, order } = sortHeading({
    id: `data-sort-${id}`, title, column: id, sort: option("data.sort"), first,
    onsort: (sort) => go(withOption("data.sort", sort)),
  });
  return h(isNumber ? "th.number" : "th", { scope: "col", "aria-sort": order }, button);
}
