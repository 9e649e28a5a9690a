/** Overview: the scores of the active system, its costliest errors, and where they are. */
import { counted, fill, fixed, h, keepFocus, numbered, points } from "../shared/dom.js";
import { state } from "../shared/state.js";
import { rowsMatching, systemName, versus } from "../shared/facets.js";
import { linkToOnly } from "../shared/links.js";
import { panelCard } from "../charts/panels.js";
import { costsCard, scoresCard } from "./scores.js";
import { sizesPanel, typesPanel } from "./errors.js";
import { correctionsPanel, f1Of, isOther, correctionSteps } from "./corrections.js";
import { documentsPanel } from "./documents.js";
import { ledgerCard } from "./ledger.js";

/**
 * @typedef {object} Overview the data that all parts of the view are drawn from
 * @property {import("../shared/facets.js").Context} context
 * @property {import("../types.js").Summary} summary
 * @property {number} system the number of the active system
 * @property {import("../types.js").AnalysedSystem} analysed the active system in the JSON of errors
 * @property {number[]} rows the errors of the system that match the filters
 * @property {string} file the name of saved files
 * @property {number} width of a panel's drawing
 * @property {number} height of a panel's drawing
 */

/** The plural and the meaning of each error type. @type {Record<string, [string, string]>} */
const TYPES = {
  span_error: ["span errors", "correct mentions with wrong boundaries"],
  conflated_entities: ["conflated entities", "parts of its entities that belong to other entities"],
  extra_mention: ["extra mentions", "mentions that are not in the key, added to entities of the key"],
  extra_entity: ["extra entities", "entities that the key does not have, except perhaps for pronouns"],
  divided_entity: ["divided entities", "parts of key entities that are separated from the rest"],
  missing_mention: ["missing mentions", "mentions that were not found, of entities that were found"],
  missing_entity: ["missing entities", "key entities that were not found, except perhaps for pronouns"],
};
const NARROW = 1000;

/** @param {HTMLElement} root @param {import("../shared/facets.js").Context} context */
export async function render(root, context) {
  const { summary } = context;
  const { system, filters, search, options } = state();
  const width = panelWidth(root.clientWidth);
  const drawn = JSON.stringify([system, versus(), filters, search, options, width]);
  if (/** @type {HTMLElement | null} */ (root.firstElementChild)?.dataset.overview === drawn) return;
  const { letter, name } = summary.systems[system];
  /** @type {Overview} */
  const view = {
    context, summary, system, width, height: 300,
    analysed: summary.errors.systems[system],
    rows: rowsMatching(context, { filters: { ...filters, system: [String(system)] }, search }),
    file: `${letter}-${name}`.replace(/[^\w.-]+/g, "_"),
  };
  const { scrollTop } = root;
  keepFocus(() => fill(root, h("div.overview", { dataset: { overview: drawn } },
    lead(view), scoresCard(view), costsCard(view), ledgerCard(view),
    [typesPanel(view), correctionsPanel(view), documentsPanel(view), sizesPanel(view)].map(panelCard))));
  root.scrollTop = scrollTop;
}

/** The width of a chart: two panels fit side by side if there is room. @param {number} room */
function panelWidth(room) {
  const panel = room < NARROW ? room - 32 : (Math.min(1500, room - 32) - 16) / 2;
  return Math.max(420, Math.round(panel - 34));
}

/** The costliest error type in one sentence: the one with the largest step. @param {Overview} view */
function lead(view) {
  const who = h("strong", {}, systemName(view.summary, view.system));
  const steps = correctionSteps(view, "conll").filter(({ count }) => count);
  const total = steps.reduce((sum, { count }) => sum + count, 0);
  if (!total) return h("p.overview-lead", {}, who, " has no errors.");
  const gain = (/** @type {import("./corrections.js").Correction} */ { from, to }) => to - from;
  const worst = steps.reduce((most, each) => gain(each) > gain(most) ? each : most);
  if (gain(worst) <= 0) return h("p.overview-lead", {}, who, ` has ${numbered(total, "error")}.`);
  const [many, meaning] = TYPES[worst.type];
  const lacking = 1 - f1Of(view.analysed.before, "conll");
  const only = linkToOnly(view.system, { type: [worst.type] }, worst.count);
  return h("div.overview-said", {},
    h("p.overview-lead", {},
      "The costliest errors of ", who, " are ", h("strong", {}, many), ` (${meaning}): `,
      h("a", { id: "overview-worst", ...only }, `${counted(worst.count)} of ${numbered(total, "error")}`),
      ` (${Math.round((100 * worst.count) / total)}\u00a0%), `,
      h("strong", {}, `${fixed(100 * gain(worst), 1)} of the ${fixed(100 * lacking, 1)} CoNLL points`),
      " that are missing", isOther(view, "conll") && " without singletons", "."),
    h("dl.overview-gains", {}, gains(view, worst).map(([what, value]) =>
      h("div", {}, h("dt", {}, what), h("dd", {}, value)))));
}

/**
 * The gain of correcting the costliest type, measured in two ways.
 * @param {Overview} view @param {import("./corrections.js").Correction} correction
 * @returns {Array<[string, string]>}
 */
function gains({ analysed }, { type, from, to, alone }) {
  // All types but span errors are measured after span errors are corrected.
  const isAfter = type !== "span_error" && analysed.errors.span_error > 0;
  return [
    [`Corrected alone${isAfter ? ", after span errors" : ""}`, `${points(alone)} points`],
    ["Corrected in steps, after the preceding types", `${points(to - from)} points`]];
}
