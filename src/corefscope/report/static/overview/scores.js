/** Scores with their intervals, and the costliest entities. */
import { counted, documentName, fixed, h, metricName, numbered, percent, scrolls } from "../shared/dom.js";
import { isNarrowed } from "../shared/facets.js";
import { wholeNote } from "../charts/panels.js";
import { linkTo } from "../shared/links.js";
import { chartWhisker, chartWhiskerAxis } from "../charts/intervals.js";
import { unitName } from "./documents.js";
import { estimateConfidence, estimateLimits, hasIntervals } from "../shared/estimates.js";

/**
 * @typedef {import("./view.js").Overview} Overview
 */

/** @param {Overview} view */
export function scoresCard(view) {
  const { comparison, scores } = view.summary;
  const scored = scores.systems[view.system];
  const estimates = comparison.systems[view.system].scores;
  return h("section.card.overview-scores", { "aria-labelledby": "overview-scores" },
    h("h2", { id: "overview-scores" }, "Scores"),
    isNarrowed() && h("p.panel-note", {}, wholeNote()),
    scrolls("Table of scores", h("table", {},
      h("thead", {}, h("tr", {},
        h("th", { scope: "col" }, "Metric"), h("th.number", { scope: "col" }, "Recall"),
        h("th.number", { scope: "col" }, "Precision"), h("th.number", { scope: "col" }, "F1"),
        h("th.overview-whisker", { scope: "col" }, `${estimateConfidence(comparison)} interval`,
          hasIntervals(comparison) && chartWhiskerAxis(whiskerWidth(view))))),
      metrics(view, scored, estimates))),
    coverage(scored.documents, view.summary.units ? `, in ${numbered(view.summary.units.length, unitName(view))}` : ""),
    h("p.mono.soft.overview-signature", {}, scored.signature));
}

/** BLANC is the mean of two ratios, so it has no counts. @param {Overview} view @param {import("../types.js").ScoredSystem} scored @param {Record<string, import("../types.js").Estimate>} estimates */
function metrics(view, scored, estimates) {
  const interval = (/** @type {string} */ id) => intervalOf(view, metricName(id), estimates[id]);
  return h("tbody", {},
    Object.entries(scored.metrics).map(([id, value]) => h("tr", { dataset: { metric: id } },
      h("th", { scope: "row" }, metricName(id)),
      part(value.recall, id === "blanc" ? undefined : value.recall_counts),
      part(value.precision, id === "blanc" ? undefined : value.precision_counts),
      h("td.number", {}, percent(value.f1)), interval(id))),
    h("tr.overview-total", { dataset: { metric: "conll" } },
      h("th", { scope: "row" }, metricName("conll")),
      h("td.soft.overview-mean", { colspan: 2 }, "mean F1 of MUC, B³ and CEAFe"),
      h("td.number", {}, percent(scored.conll)), interval("conll")));
}

/** A recall or precision with its counts. @param {number | null} value @param {[number, number] | undefined} counts */
function part(value, counts) {
  const show = (/** @type {number} */ count) => Number.isInteger(count) ? counted(count) : fixed(count, 2);
  return h("td.number", {}, percent(value),
    counts && h("span.overview-counts", {}, `${show(counts[0])} / ${show(counts[1])}`));
}

/** @param {Overview} view */
function whiskerWidth({ width }) {
  return Math.max(76, Math.min(190, width - 450));
}

/** An interval as a drawing and as text. @param {Overview} view @param {string} name @param {import("../types.js").Estimate | undefined} estimate */
function intervalOf(view, name, estimate) {
  if (!estimate || estimate.low === null || estimate.high === null) return h("td.overview-whisker.soft", {}, "none");
  const text = estimateLimits(estimate.low, estimate.high);
  const confidence = estimateConfidence(view.summary.comparison);
  const message = `${name} F1 ${percent(estimate.value)}, ${confidence} interval ${text}`;
  return h("td.overview-whisker", {},
    chartWhisker({ ...estimate, message, width: whiskerWidth(view) }), h("span.overview-counts", {}, text));
}

/** The numbers of scored, missing and extra documents. @param {{scored: number, missing: string[], extra: string[]}} documents @param {string} inUnits */
function coverage({ scored, missing, extra }, inUnits) {
  const names = (/** @type {string[]} */ list) =>
    list.slice(0, 5).map(documentName).join(", ") + (list.length > 5 ? ` and ${counted(list.length - 5)} more` : "");
  return h("p.overview-coverage", {},
    h("span", {}, `${numbered(scored, "document")} scored${inUnits}`),
    missing.length
      ? h("strong.overview-missing", {},
        `⚠ ${counted(missing.length)} of them missing from the response: ${names(missing)}`)
      : h("span.soft", {}, "none missing"),
    extra.length > 0 && h("span.soft", {}, `${counted(extra.length)} not in the key: ${names(extra)}`));
}

/** The costliest entities. @param {Overview} view */
export function costsCard(view) {
  const costs = view.analysed.dearest;
  const most = Math.max(...costs.map((cost) => cost.share));
  const { documents } = view.summary;
  const place = new Map(documents.map(({ name }, number) => [name, number]));
  return h("section.card", { "aria-labelledby": "overview-costs" },
    h("h2", { id: "overview-costs" }, "Costliest entities"),
    h("p.panel-note", {}, costs.length
      ? "Cost in points of the mean recall (key entities) or precision (response entities) of MUC, B³ and CEAFe, "
        + "computed without singletons, as errors are."
      : "No entity costs anything.", wholeNote()),
    h("ol.overview-costs", {}, costs.map((cost, number) => h("li", {},
      h("span.overview-tag", {}, cost.entity),
      h("a.overview-entity", {
        id: `overview-cost-${number}`, dir: "auto", title: `${cost.title} (${documentName(cost.document)})`,
        ...linkTo({ tab: "document", document: place.get(cost.document) ?? 0, entity: cost.entity }),
      }, cost.title),
      h("span.overview-fate", {}, `${fate(cost)} · ${documentName(cost.document)}`),
      h("span.overview-share", {}, `${fixed(100 * cost.share, 2)} ${cost.loses}`),
      h("span.overview-bar", { "aria-hidden": "true" },
        h("span", { style: { width: `${(100 * cost.share) / most}%` } }))))));
}

/** Where the mentions of an entity are on the other side. @param {import("../types.js").CostRecord} cost */
function fate({ side, size, unmatched, pieces }) {
  const found = size - unmatched;
  const mentions = numbered(size, "mention");
  const other = side === "key" ? "response" : "key";
  if (!found) return `${mentions}, none in the ${other}`;
  const absent = unmatched ? `, ${counted(unmatched)} ${side === "key" ? "not found" : "not in the key"}` : "";
  return `${mentions}: ${counted(found)} in ${numbered(pieces, `${other} entity`, `${other} entities`)}${absent}`;
}
