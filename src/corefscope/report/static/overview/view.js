/** Overview: what the active system scores, what it loses most by, and where. */
import { counted, fill, fixed, h, keepFocus, numbered, points } from "../shared/dom.js";
import { state } from "../shared/state.js";
import { rowsMatching, systemName, versus } from "../shared/facets.js";
import { linkToOnly } from "../shared/links.js";
import { panelCard } from "../charts/panels.js";
import { costsCard, scoresCard } from "./scores.js";
import { sizesPanel, typesPanel } from "./errors.js";
import { correctionsPanel, f1Of, isOther, correctionSteps } from "./corrections.js";
import { documentsPanel } from "./documents.js";

/**
 * @typedef {object} Overview what the parts of the view are drawn from
 * @property {import("../shared/facets.js").Context} context
 * @property {import("../types.js").Summary} summary
 * @property {number} system the number of the active system
 * @property {import("../types.js").AnalysedSystem} analysed the active system in the JSON of errors
 * @property {number[]} rows the errors of the system under the active filters
 * @property {string} file how what is saved is called
 * @property {number} width of a panel's drawing
 * @property {number} height of a panel's drawing
 */

/** What an error type is, in plain words. @type {Record<string, [string, string]>} */
const TYPES = {
  span_error: ["span errors", "the right mentions with wrong boundaries"],
  conflated_entities: ["conflated entities", "parts of its entities that belong to other ones"],
  extra_mention: ["extra mentions", "mentions that the key lacks, in entities that it has"],
  extra_entity: ["extra entities", "entities of which the key has nothing, or nothing but pronouns"],
  divided_entity: ["divided entities", "parts of key entities that are apart from the rest"],
  missing_mention: ["missing mentions", "mentions that were not found, of entities that were"],
  missing_entity: ["missing entities", "entities of the key of which nothing, or nothing but pronouns, was found"],
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
    lead(view), scoresCard(view), costsCard(view),
    [typesPanel(view), correctionsPanel(view), documentsPanel(view), sizesPanel(view)].map(panelCard))));
  root.scrollTop = scrollTop;
}

/** How wide the drawing of a panel is: two panels beside each other, where there is room. @param {number} room */
function panelWidth(room) {
  const panel = room < NARROW ? room - 32 : (Math.min(1500, room - 32) - 16) / 2;
  return Math.max(420, Math.round(panel - 34));
}

/** The largest loss in one sentence: the largest of the steps, which add up to what is lacking. @param {Overview} view */
function lead(view) {
  const who = h("strong", {}, systemName(view.summary, view.system));
  const steps = correctionSteps(view, "conll").filter(({ count }) => count);
  const total = steps.reduce((sum, { count }) => sum + count, 0);
  if (!total) return h("p.overview-lead", {}, who, " has no errors: nothing is lost.");
  const gain = (/** @type {import("./corrections.js").Correction} */ { from, to }) => to - from;
  const worst = steps.reduce((most, each) => gain(each) > gain(most) ? each : most);
  if (gain(worst) <= 0) return h("p.overview-lead", {}, who, ` has ${numbered(total, "error")}.`);
  const [many, meaning] = TYPES[worst.type];
  const lacking = 1 - f1Of(view.analysed.before, "conll");
  const only = linkToOnly(view.system, { type: [worst.type] }, worst.count);
  return h("div.overview-said", {},
    h("p.overview-lead", {},
      "The largest loss of ", who, " is ", h("strong", {}, many), ` (${meaning}): `,
      h("a", { id: "overview-worst", ...only }, `${counted(worst.count)} of ${numbered(total, "error")}`),
      ` (${Math.round((100 * worst.count) / total)}\u00a0%), `,
      h("strong", {}, `${fixed(100 * gain(worst), 1)} of the ${fixed(100 * lacking, 1)} CoNLL points`),
      " that it lacks", isOther(view, "conll") && " without singletons", "."),
    h("dl.overview-gains", {}, gains(view, worst).map(([what, value]) =>
      h("div", {}, h("dt", {}, what), h("dd", {}, value)))));
}

/**
 * What correcting the largest loss gains, measured in both ways.
 * @param {Overview} view @param {import("./corrections.js").Correction} correction
 * @returns {Array<[string, string]>}
 */
function gains({ analysed }, { type, from, to, alone }) {
  // Each type but span errors is measured on mentions whose spans are right.
  const isAfter = type !== "span_error" && analysed.errors.span_error > 0;
  return [
    [`Corrected alone${isAfter ? ", after span errors" : ""}`, `${points(alone)} points`],
    ["Corrected in steps, after the types before it", `${points(to - from)} points`]];
}
