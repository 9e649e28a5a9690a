/** Documents as dots: B³ precision against recall. */
import { counted, documentName, h, numbered, percent } from "../shared/dom.js";
import { linkTo } from "../shared/links.js";
import { chartDots } from "../charts/dots.js";
import { cellCount, cellPercent, panelEmpty, wholeNote } from "../charts/panels.js";

/**
 * @typedef {import("./view.js").Overview} Overview
 * @typedef {object} ScoredDocument
 * @property {string} name
 * @property {number} mentions
 * @property {number} conll
 * @property {[number, number] | null} b3 recall and precision
 * @property {import("../charts/parts.js").Link} link
 */

/** How many documents are named in the chart, and below it. */
const NAMED = 3;
const LEFT_OUT = 5;

/** What was scored as one: documents, their windows, or topics. @param {Overview} view */
export function unitName(view) {
  const units = view.summary.units;
  if (!units) return "document";
  return units.some(({ document }) => document !== null) ? "window" : "topic";
}

/** @param {Overview} view @returns {import("../charts/panels.js").Panel} */
export function documentsPanel(view) {
  const documents = scored(view), what = unitName(view), title = `${what[0].toUpperCase()}${what.slice(1)}`;
  const open = what === "topic" ? null : h("span.screen-only", {}, "Click a dot to open the document.");
  const drawn = documents.filter(({ b3 }) => b3);
  return {
    view: "overview", id: "documents", title: `${title}s`, file: `${view.file}-documents`,
    note: [
      `Each dot is a ${what}; its size shows the number of mentions. `,
      `The three ${what}s with the lowest CoNLL scores are named. `, open, wholeNote()],
    tableNote: ["Lowest scores first. ", h("span.screen-only", {}, "Click a name to open the document."), wholeNote()],
    chart: () => [
      drawn.length ? documentDots(view, drawn) : panelEmpty(`There is no ${what} to draw.`),
      leftOut(documents.filter(({ b3 }) => !b3))],
    table: () => ({
      head: [title, "mentions", "B³ recall", "B³ precision", "CoNLL"],
      rows: documents.map((each) => [{ value: each.name, link: each.link }, cellCount(each.mentions),
        cellPercent(each.b3?.[0] ?? null), cellPercent(each.b3?.[1] ?? null), cellPercent(each.conll)]),
    }),
  };
}

/**
 * The documents with the scores of the active system, worst first.
 * @param {Overview} view @returns {ScoredDocument[]}
 */
function scored(view) {
  const { documents, units } = view.summary;
  /** @type {import("../types.js").ReportUnit[]} */
  const rows = units ?? documents.map((each, document) => ({ ...each, document }));
  return rows.map((each) => ({
    name: documentName(each.name), mentions: each.mentions, conll: each.conll[view.system] ?? 0,
    // Without key mentions there is no recall, and a dot would have no size.
    b3: each.mentions ? each.b3[view.system] : null,
    link: linkTo({ tab: "document", document: each.document ?? 0, entity: null }),
  })).sort((one, other) => one.conll - other.conll);
}

/** @param {Overview} view @param {ScoredDocument[]} documents */
function documentDots(view, documents) {
  const worst = documents[0], best = documents[documents.length - 1];
  return chartDots({
    width: view.width, height: view.height,
    message: `B³ precision against recall of ${numbered(documents.length, unitName(view))}; their CoNLL scores go from ${
      percent(worst.conll)} (${worst.name}) to ${percent(best.conll)} (${best.name}).`,
    dots: documents.map(({ name, mentions, conll, b3, link }, place) => {
      const [recall, precision] = b3 ?? [0, 0];
      return {
        recall, precision, size: mentions, name, link, isNamed: place < NAMED,
        title: `${name}: CoNLL ${percent(conll)}, B³ precision ${percent(precision)}, recall ${percent(recall)}, ${
          numbered(mentions, "mention")}`,
      };
    }),
  });
}

/** The names of documents that cannot be drawn. @param {ScoredDocument[]} documents */
function leftOut(documents) {
  if (!documents.length) return null;
  const more = documents.length - LEFT_OUT;
  return h("p.panel-note", { id: "overview-left-out" }, "Not drawn, because B³ has nothing to count: ",
    documents.slice(0, LEFT_OUT).map(({ name, link }, n) => [n > 0 && ", ", h("a", link, name)]),
    more > 0 && ` and ${counted(more)} more`, ".");
}
