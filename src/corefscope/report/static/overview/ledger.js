/** What became of tagged text: documents by status, mentions by fate, and scores without failed documents. */
import { counted, fixed, h, metricName, numbered, percent, scrolls } from "../shared/dom.js";

/** @typedef {import("./view.js").Overview} Overview */

/** The ledger of the active system; nothing unless it is tagged text. @param {Overview} view */
export function ledgerCard(view) {
  const ledger = view.summary.ledgers[view.system];
  if (!ledger) return null;
  const { total, statuses, without_failed: rest } = ledger;
  const scored = view.summary.scores.systems[view.system];
  const failed = statuses.failed ?? 0;
  return h("section.card.overview-ledger", { "aria-labelledby": "overview-ledger" },
    h("h2", { id: "overview-ledger" }, "Tagged text"),
    h("p.panel-note", {}, total.style.startsWith("strings")
      ? "The mentions of the response are strings, which were looked up in the words of the key."
      : `The response is text with tags (${total.style}). Its words were aligned with those of the key.`),
    scrolls("Tables of tagged text", h("div.overview-ledger-tables", {},
      countsTable("Documents", Object.entries(statuses)),
      countsTable("Mentions", [["exact", total.exact], ["edited", total.edited], ["shrunk", total.shrunk],
        ...Object.entries(total.dropped).map(([why, count]) => /** @type {[string, number]} */ ([`dropped: ${why}`, count]))]),
      failed > 0 && scoresTable(failed, scored, rest))),
    failed > 0 && h("p.panel-note", {},
      "A failed document counts as empty. Scores without failed documents look better than the system is."));
}

/** @param {string} title @param {Array<[string, number]>} rows */
function countsTable(title, rows) {
  return h("table", {},
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, title), h("th.number", { scope: "col" }, "count"))),
    h("tbody", {}, rows.map(([name, count]) => h("tr", {},
      h("th", { scope: "row" }, name), h("td.number", {}, counted(count))))));
}

/**
 * F1 with and without failed documents.
 * @param {number} failed @param {import("../types.js").ScoredSystem} all @param {import("../types.js").WithoutFailedRecord} rest
 */
function scoresTable(failed, all, rest) {
  const rows = Object.keys(all.metrics).map((id) => /** @type {[string, number | null, number | null]} */ (
    [id, all.metrics[id].f1, rest.metrics[id].f1]));
  return h("table", {},
    h("thead", {}, h("tr", {},
      h("th", { scope: "col" }, "F1"), h("th.number", { scope: "col" }, "all documents"),
      h("th.number", { scope: "col" }, `without ${numbered(failed, "failed document")}`),
      h("th.number", { scope: "col" }, "difference"))),
    h("tbody", {}, [...rows, /** @type {[string, number | null, number | null]} */ (["conll", all.conll, rest.conll])]
      .map(([id, with_, without]) => h("tr", {},
        h("th", { scope: "row" }, metricName(id)), h("td.number", {}, percent(with_)), h("td.number", {}, percent(without)),
        h("td.number", {}, with_ === null || without === null ? "" : fixed(100 * (without - with_), 2))))));
}
