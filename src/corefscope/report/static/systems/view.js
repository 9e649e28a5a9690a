/** Systems: scores, errors by type, shared errors, and the changes between two systems. */
import { h, fill, keepFocus } from "../shared/dom.js";
import { state, go } from "../shared/state.js";
import { systemName, versus } from "../shared/facets.js";
import { badge } from "./counts.js";
import { matrixCard } from "./matrix.js";
import { typesCard } from "./types.js";
import { sharedCard } from "./upset.js";
import { documentsCard } from "./documents.js";
import { changeLists } from "./changes.js";

/** @typedef {import("../shared/facets.js").Context} Context */

/** With more systems than this, a table needs the full width. */
const MOST_BESIDE = 4;

/**
 * Draw the view without moving the scroll position.
 * @param {HTMLElement} root
 * @param {Context} context
 */
export function render(root, context) {
  const { scrollTop } = root;
  const isAlone = context.summary.systems.length < 2;
  const isMany = context.summary.systems.length > MOST_BESIDE;
  keepFocus(() => fill(root, h("div.systems", {},
    isAlone && hint(),
    matrixCard(context),
    h(`div.systems-cards${isMany ? "" : ".systems-beside"}`, {},
      typesCard(context), !isAlone && sharedCard(context)),
    !isAlone && pair(context))));
  root.scrollTop = scrollTop;
}

/** The message for a single system. */
function hint() {
  return h("section.card.systems-alone", {},
    h("h2", {}, "There is only one system, so nothing can be compared"),
    h("p", {}, "With several responses, this view shows which of them is better and which errors they share: ",
      h("code.mono", {}, "corefscope report KEY A B -o report.html")));
}

/** The comparison of two systems. @param {Context} context */
function pair(context) {
  const { summary } = context;
  const [ours, theirs] = [state().system, versus()];
  return h("section.card", { "aria-labelledby": "systems-pair-title" },
    h("div.systems-pair-head", {},
      h("h2", { id: "systems-pair-title" }, badge(summary, ours), ` ${summary.systems[ours].name} against `),
      picker(summary, ours, theirs)),
    h("p.systems-note", {}, sentence(summary, ours, theirs)),
    documentsCard(summary, ours, theirs),
    changeLists(context));
}

/** @param {import("../types.js").Summary} summary @param {number} ours @param {number} theirs */
function picker(summary, ours, theirs) {
  return h("select.systems-picker", {
    id: "systems-versus", "aria-label": "The system to compare with",
    onchange: (/** @type {import("../shared/dom.js").Changed} */ event) => go({ versus: Number(event.target.value) }),
  }, summary.systems.map((_, place) => place !== ours
    && h("option", { value: place, selected: place === theirs }, systemName(summary, place))));
}

/**
 * The sentence about a pair of systems; sentences are in the order of pairs.
 * @param {import("../types.js").Summary} summary @param {number} ours @param {number} theirs
 */
function sentence(summary, ours, theirs) {
  const { comparisons, sentences } = summary.comparison;
  const names = [summary.systems[ours].name, summary.systems[theirs].name];
  const pairs = comparisons.filter((each) => each.statistic === comparisons[0].statistic);
  const at = pairs.findIndex((each) => names.includes(each.system) && names.includes(each.other));
  return pairs.length === sentences.length && at >= 0 ? sentences[at] : "";
}
