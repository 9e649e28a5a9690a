/** Documents as dots: which are wrong, and whether by too much or by too little. */
import { counted, documentName, h, numbered, percent } from "../shared/dom.js";
import { linkTo } from "../shared/links.js";
import { chartDots } from "../charts/dots.js";
import { cellCount, cellPercent, panelEmpty } from "../charts/panels.js";
import { wholeNote } from "./scores.js";

/**
 * @typedef {import("./view.js").Overview} Overview
 * @typedef {object} ScoredDocument
 * @property {string} name
 * @property {number} mentions
 * @property {number} conll
 * @property {[number, number] | null} b3 recall and precision
 * @property {import("../charts/parts.js").Link} link
 */

/** Documents that are named in the drawing, and below it. */
const NAMED = 3;
const LEFT_OUT = 5;

/** @param {Overview} view @returns {import("../charts/panels.js").Panel} */
export function documentsPanel(view) {
  const documents = scored(view);
  const drawn = documents.filter(({ b3 }) => b3);
  return {
    view: "overview", id: "documents", title: "Documents", file: `${view.file}-documents`,
    note: [
      "Each dot is a document, the larger the more mentions it has; ",
      "the three with the lowest CoNLL score have their names. ",
      h("span.screen-only", {}, "Click one to open it."), wholeNote()],
    tableNote: ["The lowest score first. ", h("span.screen-only", {}, "Click a name to open it."), wholeNote()],
    chart: () => [
      drawn.length ? documentDots(view, drawn) : panelEmpty("No document can be drawn."),
      leftOut(documents.filter(({ b3 }) => !b3))],
    table: () => ({
      head: ["Document", "mentions", "B³ recall", "B³ precision", "CoNLL"],
      rows: documents.map((each) => [{ value: each.name, link: each.link }, cellCount(each.mentions),
        cellPercent(each.b3?.[0] ?? null), cellPercent(each.b3?.[1] ?? null), cellPercent(each.conll)]),
    }),
  };
}

/**
 * The documents as the active system does on them, the worst first.
 * @param {Overview} view @returns {ScoredDocument[]}
 */
function scored(view) {
  return view.summary.documents.map((each, number) => ({
    name: documentName(each.name), mentions: each.mentions, conll: each.conll[view.system] ?? 0,
    // Where the key has no mentions there is no recall, and a dot would have no size.
    b3: each.mentions ? each.b3[view.system] : null, link: linkTo({ tab: "document", document: number, entity: null }),
  })).sort((one, other) => one.conll - other.conll);
}

/** @param {Overview} view @param {ScoredDocument[]} documents */
function documentDots(view, documents) {
  const worst = documents[0], best = documents[documents.length - 1];
  return chartDots({
    width: view.width, height: view.height,
    message: `B³ precision against recall of ${numbered(documents.length, "document")}; their CoNLL scores go from ${
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

/** Name the documents that have no place in the drawing. @param {ScoredDocument[]} documents */
function leftOut(documents) {
  if (!documents.length) return null;
  const more = documents.length - LEFT_OUT;
  return h("p.panel-note", { id: "overview-left-out" }, "Not drawn, since B³ has nothing to count there: ",
    documents.slice(0, LEFT_OUT).map(({ name, link }, n) => [n > 0 && ", ", h("a", link, name)]),
    more > 0 && ` and ${counted(more)} more`, ".");
}
