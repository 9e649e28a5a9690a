/** Overview: the scores of the active system, its costliest errors, and where they are. */
import { counted, fill, fixed, h, keepFocus, numbered } from "../shared/dom.js";
import { state } from "../shared/state.js";
import { rowsMatching, systemName, versus } from "../shared/facets.js";
import { linkTo, linkToOnly } from "../shared/links.js";
import { panelCard } from "../charts/panels.js";
import { costsCard, scoresCard } from "./scores.js";
import { sizesPanel, typesPanel } from "./errors.js";
import { correctionsPanel, f1Of, isOther, rules } from "../charts/corrections.js";
import { documentsPanel, unitName } from "./documents.js";
import { ledgerCard } from "./ledger.js";
import { agreementCard } from "./agreement.js";

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

/** The plural and the meaning of each action. @type {Record<string, [string, string]>} */
const ACTIONS = {
  span_error: ["span errors", "correct mentions with wrong boundaries"],
  wrong_links: ["wrong links", "mentions in the wrong entity: conflated and divided entities"],
  extra_mention: ["extra mentions", "mentions that are not in the key, added to entities of the key"],
  extra_entity: ["extra entities", "entities that the key does not have, except perhaps for pronouns"],
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
    doubtsBanner(view), summary.agreement ? agreementCard(view, summary.agreement) : lead(view), scoresCard(view), costsCard(view), ledgerCard(view),
    [typesPanel(view), correctionsPanel(view), documentsPanel(view), sizesPanel(view)].map(panelCard))));
  root.scrollTop = scrollTop;
}

/** The width of a chart: two panels fit side by side if there is room. @param {number} room */
function panelWidth(room) {
  const panel = room < NARROW ? room - 32 : (Math.min(1500, room - 32) - 16) / 2;
  return Math.max(420, Math.round(panel - 34));
}

/** What one should know before reading on, if anything doubts the results. @param {Overview} view */
function doubtsBanner({ summary }) {
  /** @type {Map<string, import("../types.js").ReportFinding[]>} */
  const byCode = new Map();
  for (const finding of summary.findings.filter((each) => each.is_doubt)) {
    byCode.set(finding.code, [...byCode.get(finding.code) ?? [], finding]);
  }
  if (!byCode.size) return null;
  return h("section.card.overview-doubts", { id: "overview-doubts", "aria-labelledby": "overview-doubts-title" },
    h("h2", { id: "overview-doubts-title" }, "⚠ Before you rely on these results"),
    h("ul", {}, [...byCode].map(([code, found]) => h("li", { dataset: { code } },
      found[0].file && h("span.mono", {}, `${found[0].file}: `), found[0].message,
      found.length > 1 && ` (and ${numbered(found.length - 1, "more such finding")})`,
      " ", h("span.mono.soft", {}, code)))),
    h("p.soft.screen-only", {}, h("a", linkTo({ tab: "data" }), "All findings are in Data"), "."));
}

/** What to correct first in one sentence: the action that gains most alone. @param {Overview} view */
function lead(view) {
  const who = h("strong", {}, systemName(view.summary, view.system));
  const { actions, errors } = view.analysed;
  const total = Object.values(errors).reduce((sum, count) => sum + count, 0);
  if (!total) return h("p.overview-lead", {}, who, noErrors(view));
  const [first] = actions;
  if (!first.is_recommended) {
    return h("p.overview-lead", {}, who, ` has ${numbered(total, "error")}; correcting one kind alone gains nothing.`);
  }
  const [many, meaning] = ACTIONS[first.action], gain = f1Of(first.gain, "conll");
  const lacking = 1 - f1Of(view.analysed.before, "conll");
  const only = linkToOnly(view.system, { type: first.types }, first.errors);
  const isAfter = first.action !== "span_error" && errors.span_error > 0;
  return h("div.overview-said", {},
    h("p.overview-lead", {},
      "Correct first in ", who, ": ", h("strong", {}, many), ` (${meaning}), `,
      h("a", { id: "overview-worst", ...only }, `${counted(first.errors)} of ${numbered(total, "error")}`),
      ` (${Math.round((100 * first.errors) / total)}\u00a0%). Alone, this gains `,
      h("strong", {}, `${fixed(100 * gain, 1)} of the ${fixed(100 * lacking, 1)} CoNLL points`),
      ` that are missing${isOther(view, "conll") ? ` ${rules(view)}` : ""}`,
      isAfter && ", after span errors are corrected", "."));
}

/** Errors are those of documents; links across documents are scored, but not analysed. @param {Overview} view */
function noErrors(view) {
  return unitName(view) === "topic"
    ? " has no errors within documents. Links across documents are scored, but not analysed." : " has no errors.";
}
