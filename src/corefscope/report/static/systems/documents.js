/** The difference of two systems on each document, best first. */
import { h, counted, documentName, percent, points } from "../shared/dom.js";
import { go, option, withOption } from "../shared/state.js";
import { linkTo } from "../shared/links.js";

/**
 * @typedef {object} Delta a document
 * @property {number} number
 * @property {string} name
 * @property {number} by the difference: positive if the active system is better
 * @property {number} ours
 * @property {number} theirs
 *
 * @typedef {object} Scale
 * @property {number} zero where no difference is, from 0 to 1
 * @property {number} width the difference that fills it
 */

const MOST_BARS = 60;
/** With more documents, this many are shown at both ends. */
const BARS_AT_ENDS = 10;
/** How many documents at both ends are emphasized. */
const EXTREMES = 5;

/** @param {import("../types.js").Summary} summary @param {number} ours the active system @param {number} theirs */
export function documentsCard(summary, ours, theirs) {
  const deltas = deltasOf(summary, ours, theirs);
  const wins = deltas.filter(({ by }) => by > 0).length;
  const losses = deltas.filter(({ by }) => by < 0).length;
  if (!wins && !losses) return [h("h3", {}, "CoNLL by document"), h("p.soft", {}, "The scores of all documents are equal.")];
  return [
    h("h3", {}, "CoNLL by document"),
    h("p.soft.systems-note", {},
      `${summary.systems[ours].name} is better on ${counted(wins)}, worse on ${counted(losses)}, equal on `,
      `${counted(deltas.length - wins - losses)}. `,
      h("span.screen-only", {}, "Click a bar to open its document with both systems side by side.")),
    deltaBars(summary, deltas, ours, theirs),
  ];
}

/** @param {import("../types.js").Summary} summary @param {number} ours @param {number} theirs @returns {Delta[]} */
function deltasOf({ documents }, ours, theirs) {
  return documents
    .map(({ name, conll }, number) => ({
      number, name, by: conll[ours] - conll[theirs], ours: conll[ours], theirs: conll[theirs],
    }))
    .sort((/** @type {Delta} */ one, /** @type {Delta} */ next) => next.by - one.by || one.number - next.number);
}

/** @param {import("../types.js").Summary} summary @param {Delta[]} deltas @param {number} ours @param {number} theirs */
function deltaBars(summary, deltas, ours, theirs) {
  const [least, most] = [Math.min(0, deltas[deltas.length - 1].by), Math.max(0, deltas[0].by)];
  const scale = { zero: -least / (most - least || 1), width: most - least || 1 };
  const isLong = deltas.length > MOST_BARS;
  const isFolded = isLong && !option("systems.all");
  const hidden = isFolded ? deltas.length - 2 * BARS_AT_ENDS : 0;
  const shown = isFolded ? [...deltas.slice(0, BARS_AT_ENDS), ...deltas.slice(-BARS_AT_ENDS)] : deltas;
  const isMiddle = (/** @type {number} */ at) => at >= EXTREMES && at < shown.length - EXTREMES;
  const bars = shown.map((each, at) => h("li", {}, bar(summary, each, scale, [ours, theirs], isMiddle(at))));
  if (isFolded) {
    const fold = foldButton(`${counted(hidden)} documents between these: show all`, "on");
    bars.splice(BARS_AT_ENDS, 0, h("li", {}, fold));
  }
  return [
    h("ol.systems-bars", { tabindex: "0", "aria-label": "Documents, best first" }, bars),
    isLong && !isFolded && foldButton("Show only the best and the worst", ""),
  ];
}

/** @param {string} text @param {string} value */
function foldButton(text, value) {
  const onclick = () => go(withOption("systems.all", value));
  return h("button.systems-more", { id: "systems-all-bars", onclick }, text);
}

/**
 * @param {import("../types.js").Summary} summary
 * @param {Delta} delta
 * @param {Scale} scale
 * @param {[number, number]} pair
 * @param {boolean} isMiddle whether it is neither among the best nor among the worst
 */
function bar(summary, delta, scale, [ours, theirs], isMiddle) {
  const width = `${(100 * Math.abs(delta.by)) / scale.width}%`;
  const zero = 100 * scale.zero;
  const values = `${percent(delta.ours)} against ${percent(delta.theirs)}`;
  const left = withOption("document.left", String(theirs));
  return h("a.systems-document", {
    id: `systems-document-${delta.number}`,
    "aria-label": `${documentName(delta.name)}: ${points(delta.by)} points, ${values}`,
    ...linkTo({ tab: "document", document: delta.number, entity: null, ...left }),
  },
  h(`span.systems-document-name${isMiddle ? ".soft" : ""}`, { title: delta.name }, documentName(delta.name)),
  h("span.systems-track", {}, h("span.systems-zero", { style: { left: `${zero}%` } }),
    h(delta.by < 0 ? "span.systems-minus" : "span.systems-plus", {
      style: delta.by < 0 ? { width, right: `${100 - zero}%` } : { width, left: `${zero}%` },
    })),
  h("span.systems-points", {}, points(delta.by)),
  h("span.soft.systems-points", {}, `${summary.systems[ours].letter} ${percent(delta.ours)}`),
  h("span.soft.systems-points", {}, `${summary.systems[theirs].letter} ${percent(delta.theirs)}`));
}
