/** Statistics: the intervals of scores, and whether systems differ. */
import { copyOrSelect, fill, h, keepFocus, metricName } from "../shared/dom.js";
import { option, state } from "../shared/state.js";
import { estimateWarning, hasTests } from "../shared/estimates.js";
import { panelCard, panelSelect } from "../charts/panels.js";
import { differencesPanel, isMany, scoresPanel } from "./panels.js";

/** All metrics at once: only intervals, because there would be too many distributions. */
const ALL = "all";

/** @param {HTMLElement} root @param {import("../shared/facets.js").Context} context */
export async function render(root, { summary }) {
  const { comparison } = summary;
  const width = Math.min(1464, Math.max(560, root.clientWidth - 66));
  const drawn = JSON.stringify([state().options, width, isMany(summary) && state().system]);
  // Unless there are many systems, nothing depends on the active one, so the view keeps its focus and scroll position.
  if (/** @type {HTMLElement | null} */ (root.firstElementChild)?.dataset.statistics === drawn) return;
  // The mean first, then its parts.
  const ids = ["conll", ...Object.keys(comparison.systems[0].scores).filter((id) => id !== "conll")];
  const chosen = [ALL, ...ids].includes(option("statistics.metric")) ? option("statistics.metric") : ids[0];
  const view = { summary, width, metric: chosen, metrics: chosen === ALL ? ids : [chosen] };
  const { scrollTop } = root;
  keepFocus(() => fill(root, h("div.statistics", { dataset: { statistics: drawn } },
    head(comparison, ids, chosen),
    panelCard(scoresPanel(view)),
    comparison.comparisons.length ? panelCard(differencesPanel(view)) : alone(),
    comparison.sentences?.length > 0 && sentencesOf(summary),
    method(comparison))));
  root.scrollTop = scrollTop;
}

/**
 * The menu of metrics for the whole view.
 * @param {import("../types.js").CompareResult} comparison @param {string[]} ids @param {string} chosen
 */
function head(comparison, ids, chosen) {
  const warning = estimateWarning(comparison, hasTests(comparison) ? "Intervals and p-values" : "Intervals");
  /** @type {Array<[string, string]>} */
  const choices = [
    ...ids.map((id, number) => /** @type {[string, string]} */ ([number ? id : "", metricName(id)])),
    [ALL, "All metrics"]];
  return h("div.statistics-head", {},
    h("label", { for: "statistics-metric" }, "Metric"),
    panelSelect("statistics.metric", "Metric", choices, chosen === ids[0] ? "" : chosen),
    warning && h("p.panel-warning", {}, warning));
}

function alone() {
  return h("section.card", { "aria-labelledby": "statistics-alone" },
    h("h2", { id: "statistics-alone" }, "Differences between systems"),
    h("p.soft", {}, "There is only one system. Make the report with several responses to compare them."));
}

/** @param {import("../types.js").CompareResult} comparison */
function method(comparison) {
  const said = [...Object.entries(comparison.method), ["Signature", h("span.mono", {}, comparison.signature)]];
  return h("section.card", { "aria-labelledby": "statistics-method" },
    h("h2", { id: "statistics-method" }, "How it was computed"),
    h("dl.statistics-method", {}, said.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])));
}

/** Sentences are in the order of the pairs; with many systems, only those of the active system are shown. @param {import("../types.js").Summary} summary */
function sentencesOf(summary) {
  const { sentences, comparisons } = summary.comparison;
  const pairs = comparisons.filter((each) => each.statistic === comparisons[0].statistic);
  const { name } = summary.systems[state().system];
  const isShown = (/** @type {string} */ _, /** @type {number} */ number) =>
    !isMany(summary) || [pairs[number]?.system, pairs[number]?.other].includes(name);
  return h("section.card", { "aria-labelledby": "statistics-sentences" },
    h("h2", { id: "statistics-sentences" }, "Sentences for a paper"),
    h("ul.statistics-sentences", {}, sentences.filter(isShown).map(sentence)));
}

/** A sentence to be copied. @param {string} text @param {number} number */
function sentence(text, number) {
  const shown = h("p", { id: `statistics-sentence-${number}` }, text);
  return h("li", {}, shown, h("button.panel-button", {
    id: `statistics-copy-${number}`, "aria-describedby": shown.id, onclick: () => copyOrSelect(shown),
  }, "Copy"));
}
