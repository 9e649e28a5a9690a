/** What became of tagged text: documents by status, mentions by fate, and scores without failed documents. */
import { counted, documentName, fixed, h, metricName, numbered, percent, scrolls } from "../shared/dom.js";
import { linkTo } from "../shared/links.js";

/**
 * @typedef {import("./view.js").Overview} Overview
 * @typedef {[import("../shared/dom.js").Child, number]} CountRow what is counted, and how many there are
 */

/** How many documents of a status are named. */
const NAMED = 5;
/** The statuses of documents that are named. */
const LOST = ["cut off", "failed"];
/** Reasons why tags give no mention; all others are about mentions. */
const OF_TAGS = ["no entity name", "opened but never closed", "closed but never opened"];

/** The ledger of the active system; nothing unless it is tagged text. @param {Overview} view */
export function ledgerCard(view) {
  const ledger = view.summary.ledgers[view.system];
  if (!ledger) return null;
  const { total, statuses, without_failed: rest } = ledger;
  const scored = view.summary.scores.systems[view.system];
  const failed = statuses.failed ?? 0;
  const tables = [
    countsTable("Documents", Object.entries(statuses).map(([status, count]) =>
      [[status, LOST.includes(status) && namesOf(view, ledger, status)], count])),
    countsTable("Mentions and tags", [["exact", total.exact], ["edited", total.edited], ["shrunk", total.shrunk],
      ...Object.entries(total.dropped).map(([why, count]) => /** @type {CountRow} */ (
        [`dropped ${OF_TAGS.includes(why) ? "tags" : "mentions"}: ${why}`, count]))]),
    failed > 0 && scoresTable(failed, scored, rest)];
  return h("section.card.overview-ledger", { "aria-labelledby": "overview-ledger" },
    h("h2", { id: "overview-ledger" }, "Tagged text"),
    h("p.panel-note", {}, sourceOf(ledger)),
    h("div.overview-ledger-tables", {}, tables),
    failed > 0 && h("p.panel-note", {}, "A failed document counts as empty.",
      isBetter(scored, rest) && " Scores without failed documents look better than the system is."));
}

/** What the response is. @param {import("../types.js").CorpusLedgerRecord} ledger */
function sourceOf({ total, documents }) {
  const { style } = total;
  if (style === "none") return "No tags or entities were found in the response.";
  if (style === "strings") return "The mentions of the response are strings, which were looked up in the words of the key.";
  const bare = Object.values(documents).filter((each) => each.style === "none").length;
  return [`The response is text with tags of the style ${style}. Its words were aligned with those of the key.`,
    bare > 0 && ` ${numbered(bare, "document has", "documents have")} no tags.`];
}

/**
 * Links to the documents of a status.
 * @param {Overview} view @param {import("../types.js").CorpusLedgerRecord} ledger @param {string} status
 */
function namesOf({ summary }, ledger, status) {
  const names = Object.keys(ledger.documents).filter((name) => ledger.documents[name].status === status);
  if (!names.length) return null;
  const links = names.slice(0, NAMED).map((name) => h("li", {}, h("a", linkTo({
    tab: "document", document: summary.documents.findIndex((each) => each.name === name), entity: null,
  }), documentName(name))));
  const more = names.length - links.length;
  return h("ul.overview-ledger-names", {}, links, more > 0 && h("li", {}, `and ${counted(more)} more`));
}

/**
 * Whether a score is higher without failed documents.
 * @param {import("../types.js").ScoredSystem} all @param {import("../types.js").OtherScoresRecord} rest
 */
function isBetter(all, rest) {
  return Object.keys(all.metrics).some((id) => (rest.metrics[id].f1 ?? 0) > (all.metrics[id].f1 ?? 0));
}

/** @param {string} title @param {CountRow[]} rows */
function countsTable(title, rows) {
  return scrolls(`Tagged text: ${title}`, h("table", {},
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, title), h("th.number", { scope: "col" }, "count"))),
    h("tbody", {}, rows.map(([name, count]) => h("tr", {},
      h("th", { scope: "row" }, name), h("td.number", {}, counted(count)))))));
}

/**
 * F1 with and without failed documents.
 * @param {number} failed @param {import("../types.js").ScoredSystem} all @param {import("../types.js").OtherScoresRecord} rest
 */
function scoresTable(failed, all, rest) {
  const rows = Object.keys(all.metrics).map((id) => /** @type {[string, number | null, number | null]} */ (
    [id, all.metrics[id].f1, rest.metrics[id].f1]));
  return scrolls("Tagged text: scores with and without failed documents", h("table", {},
    h("thead", {}, h("tr", {},
      h("th", { scope: "col" }, "F1"), h("th.number", { scope: "col" }, "all documents"),
      h("th.number", { scope: "col" }, `without ${numbered(failed, "failed document")}`),
      h("th.number", { scope: "col" }, "difference"))),
    h("tbody", {}, [...rows, /** @type {[string, number | null, number | null]} */ (["conll", all.conll, rest.conll])]
      .map(([id, with_, without]) => h("tr", {},
        h("th", { scope: "row" }, metricName(id)), h("td.number", {}, percent(with_)), h("td.number", {}, percent(without)),
        h("td.number", {}, with_ === null || without === null ? "" : fixed(100 * (without - with_), 2)))))));
}
