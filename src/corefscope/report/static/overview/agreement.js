/** Annotators: how far they agree, and the entities that they dispute most. */
import { counted, documentName, fixed, h, metricName, numbered, percent, scrolls } from "../shared/dom.js";
import { keyName } from "../shared/facets.js";
import { linkTo } from "../shared/links.js";
import { option, withOption } from "../shared/state.js";

/**
 * @typedef {import("./view.js").Overview} Overview
 * @typedef {import("../types.js").AgreementResult} Agreement
 */

/** How many disputed entities are shown at first. */
const MOST = 10;
const PAIR_METRICS = ["mentions", "muc", "b3", "ceafe"];
const CONLL = "conll";
const KINDS = [
  ["Boundaries differ", "mentions that both marked with different boundaries"],
  ["One entity here, several there", "entities of one whose mentions are in several entities of the other"],
  ["Marked by one only", "mentions that only one of the two marked"],
];

/** @param {Overview} view @param {Agreement} agreement */
export function agreementCard(view, agreement) {
  return h("section.card.overview-agreement", { id: "overview-agreement", "aria-labelledby": "overview-agreement-title" },
    h("h2", { id: "overview-agreement-title" }, "Do the annotators agree?"),
    said(agreement),
    h("div.overview-agreement-parts", {}, pairs(agreement), disputed(view, agreement)),
    h("p.panel-note", {}, `In all other parts of the report, ${keyName(view.summary)} is in the place of the key: `,
      "what other annotators have differently is listed as their errors."));
}

/** The figures over all annotators. @param {Agreement} agreement */
function said({ alpha, annotators, mean, mentions }) {
  const total = mentions.marked_by.reduce((sum, count) => sum + count, 0);
  const show = (/** @type {number | null} */ value) => h("strong", {}, value === null ? "not defined" : fixed(value, 3));
  return h("p.overview-lead", {},
    `${numbered(annotators.length, "annotator")}: mean CoNLL F1 of pairs `, h("strong", {}, percent(mean.conll ?? null)),
    ", Krippendorff’s α ", show(alpha.passonneau), " (Passonneau) and ", show(alpha.masi), " (MASI). ",
    total > 0 && `All marked ${counted(mentions.by_all)} of ${numbered(total, "mention")} (${Math.round((100 * mentions.by_all) / total)}\u00a0%).`);
}

/** The scores of each pair, and how often it disagrees. @param {Agreement} agreement */
function pairs({ pairs: found, mean }) {
  const ids = [...PAIR_METRICS, CONLL].filter((id) => id in mean);
  return h("div", {}, h("h3", {}, "F1 of each pair"),
    pairTable("overview-pairs", "F1 of each pair", ids.map((id) => [metricName(id), ""]),
      found.map(({ a, b, metrics, conll }) => [`${a} – ${b}`,
        ids.map((id) => percent(id === CONLL ? conll : metrics[id].f1))]),
      ["mean", ids.map((id) => percent(mean[id]))]),
    h("h3", {}, "Where they disagree"),
    pairTable("overview-kinds", "Disagreements of each pair", KINDS,
      found.map(({ a, b, disagreements: { boundaries, one_in_a, one_in_b, only_in_a, only_in_b } }) =>
        [`${a} – ${b}`, [boundaries, one_in_a + one_in_b, only_in_a + only_in_b].map(counted)])));
}

/**
 * A table with one row per pair, and a total.
 * @param {string} id @param {string} label @param {string[][]} columns titles and hints @param {Array<[string, string[]]>} rows
 * @param {[string, string[]]} [total]
 */
function pairTable(id, label, columns, rows, total) {
  const cells = (/** @type {[string, string[]]} */ [name, figures]) => [h("th", { scope: "row" }, name), figures.map((each) => h("td.number", {}, each))];
  return scrolls(label, h("table", { id, "aria-label": label },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Pair"),
      columns.map(([title, hint]) => h("th.number", { scope: "col", title: hint || null }, title)))),
    h("tbody", {}, rows.map((row) => h("tr", {}, cells(row))), total && h("tr.overview-total", {}, cells(total)))));
}

/** The entities that others agree with least; each opens with its annotator as the reference. @param {Overview} view @param {Agreement} agreement */
function disputed({ summary }, { annotators, entities }) {
  if (!entities.length) return h("div", {}, h("p", {}, "All annotators have the same entities."));
  const isAll = option("overview.disputed") === "all";
  const shown = isAll ? entities : entities.slice(0, MOST);
  const place = new Map(summary.documents.map(({ name }, number) => [name, number]));
  return h("div", {}, h("h3", {}, "Most disputed entities"),
    h("p.panel-note", {}, "Mean B³: how much of an entity the other annotators have. ",
      h("span.screen-only", {}, "Click an entity to see it in the text, with its annotator as the reference.")),
    scrolls("Table of disputed entities", h("table", { id: "overview-disputed" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Entity"), h("th", { scope: "col" }, "Annotator"),
        summary.documents.length > 1 && h("th", { scope: "col" }, "Document"),
        h("th.number", { scope: "col" }, "Mentions"), h("th.number", { scope: "col" }, "Mean B³"))),
      h("tbody", {}, shown.map((each) => h("tr", {},
        h("td", {}, h("a", linkTo({
          tab: "document", document: place.get(each.document) ?? 0, entity: `K${each.place}`, system: 0, versus: null, filters: {},
          ...withOption("reference", referenceOf(annotators.indexOf(each.annotator))),
        }), each.title)),
        h("td", {}, each.annotator),
        summary.documents.length > 1 && h("td", {}, documentName(each.document)),
        h("td.number", {}, counted(each.mentions)), h("td.number", {}, percent(each.b3))))))),
    entities.length > MOST && h("p.screen-only", {}, h("a", {
      id: "overview-disputed-all", ...linkTo(withOption("overview.disputed", isAll ? "" : "all")),
    }, isAll ? "Show fewer" : `Show ${counted(entities.length)}`)));
}

/** The value of the option in the address. @param {number} number */
function referenceOf(number) {
  return number > 0 ? String(number) : "";
}
