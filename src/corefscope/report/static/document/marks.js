/** Marks of mentions: bars, tags and carets, and the highlighting of a chain. */
import { h, numbered, visible } from "../shared/dom.js";
import { errorKey } from "../shared/spans.js";
import { state } from "../shared/state.js";
import { MOST_LANES } from "./lanes.js";
import { ZERO, partWords } from "./words.js";
import { isIn, partsOfError } from "./parts.js";
import { focusedChain, pinTag } from "./open.js";
import { mentionFacts, notInText, signOf, signsOf, statusText } from "./wording.js";

/**
 * @typedef {import("./model.js").Mention} Mention
 * @typedef {import("./model.js").Model} Model
 * @typedef {import("./model.js").Side} Side
 * @typedef {import("./open.js").View} View
 */

export const HINT = "Point at a mention to see its entity; click to pin it; Esc unpins.";

/** @param {View} view @param {number} token */
export function isSelected({ context: { errors }, model, selected }, token) {
  return selected !== null && isIn(partsOfError(model.text, errors, selected), token);
}

/** Whether a zero that the key has no token for is the mention of the selected error. @param {View} view @param {Mention} mention */
function isSelectedZero({ context: { errors }, selected }, { key }) {
  return selected !== null && errorKey(errors, selected) === key;
}

/**
 * @param {View} view @param {Mention} mention @param {number} token @param {boolean} isSpaced
 * @param {boolean} isAbove
 */
export function bar(view, mention, token, isSpaced, isAbove) {
  const isEnd = !mention.parts.length || mention.parts.some(([, last]) => last === token);
  const isStart = !mention.parts.length || mention.parts.some(([first]) => first === token);
  const classes = [
    `doc-hue-${mention.hue}`, `doc-lane-${mention.lane}`, `doc-is-${mention.status}`, mention.isSingle && "doc-single",
    isStart && "doc-begins", isEnd && "doc-ends", !isEnd && isSpaced && "doc-goes-on",
    isAbove && "doc-above", view.lit.has(mention.chain) && "doc-lit",
  ].filter(Boolean).join(".");
  return h(`i.doc-bar.${classes}`, { dataset: { m: mention.id, chain: mention.chain }, "aria-hidden": "true" });
}

/**
 * The tags of mentions that end here, outer ones last.
 * @param {View} view @param {number} token @param {Mention[]} mentions
 */
export function tagsAt(view, token, mentions) {
  const ending = mentions.filter((mention) => mention.last === token);
  const deep = ending.filter((mention) => mention.lane >= MOST_LANES);
  const tags = ending.filter((mention) => mention.lane < MOST_LANES).map((mention) => tagOf(view, mention));
  if (deep.length) {
    const each = deep.map((mention) => `${mention.tag} ${statusText(view.shown, mention)}`).join(", ");
    tags.push(tagButton(view, deep[0], `${numbered(deep.length, "deeper mention")}: ${each}`, `+${deep.length}`));
  }
  return tags;
}

/** @param {View} view @param {Mention} mention */
function tagOf(view, mention) {
  const text = `“${partWords(view.shown.text, mention.parts, 60)}”${notInText(view.shown, mention)}`;
  return tagButton(view, mention, `${mention.tag} ${text}: ${statusText(view.shown, mention)}`, mention.tag,
    mention.status !== "right" && h("span.doc-mark", {}, signOf(view.shown, mention)),
    mention.isInKey !== null && h(mention.isInKey ? "span.doc-verdict" : "span.doc-verdict.doc-verdict-wrong", {},
      mention.isInKey ? "✓" : "✗"));
}

/** @param {View} view @param {Mention} mention @param {string} says @param {...import("../shared/dom.js").Child} shown */
function tagButton(view, mention, says, ...shown) {
  const isLit = view.lit.has(mention.chain) ? ".doc-lit" : "";
  return h(`button.doc-tag.doc-hue-${mention.hue}.doc-is-${mention.status}.doc-of-${mention.side}${isLit}`, {
    "aria-label": says, tabindex: "-1", dataset: { m: mention.id, chain: mention.chain },
    "aria-pressed": String(state().entity === pinTag(view, mention)),
  }, shown);
}

/**
 * A sign at the end of each part after which a mention has a gap; its tag is at its last part.
 * @param {number} token @param {Mention[]} mentions
 */
export function gapsAt(token, mentions) {
  const cut = mentions.filter(({ last, lane, parts }) =>
    token !== last && lane < MOST_LANES && parts.some(([, end]) => end === token));
  // Both sides of an overlay share the sign.
  return [...new Map(cut.map((mention) => [mention.key, mention])).values()]
    .map((mention) => h(`span.doc-gap.doc-hue-${mention.hue}`, {
      title: `${mention.tag} goes on after a gap`, "aria-hidden": "true",
    }, "…"));
}

/**
 * Zeros that the key has no token for: each has a sign of its own, or a caret if only the other side has it.
 * @param {View} view @param {number} token the word beside them @param {Mention[]} mentions @param {Side | null} side
 * @param {boolean} isBefore whether to show those before the word, or those after it
 */
export function absentZeros(view, token, mentions, side, isBefore) {
  const isHere = (/** @type {Mention} */ { zero }) => zero?.isBefore === isBefore;
  const others = side ? view.shown.absent[side === "L" ? "R" : "L"].get(token) ?? [] : [];
  const lacking = others.filter((mention) => isHere(mention) && (mention.status === "missing" || mention.status === "extra"));
  const spaced = (/** @type {HTMLElement} */ sign) => isBefore ? [sign, " "] : [" ", sign];
  const shown = mentions.filter(isHere).map((mention) => {
    const classes = isSelectedZero(view, mention) ? ".doc-selected" : "";
    return spaced(h(`span.doc-word.doc-zero.doc-absent${classes}`, {
      dataset: { m: mention.id, absent: mention.first }, title: "a zero that the key does not have: not in the text",
    }, ZERO, bar(view, mention, mention.first, false, !side && mention.side === "L"), tagOf(view, mention)));
  });
  return [shown, side && lacking.length > 0 && spaced(caret(view.shown, lacking, side))];
}

/**
 * Mark a mention that only the other side has.
 * @param {Model} model @param {number} token @param {Side} side
 */
export function carets(model, token, side) {
  const absent = model.carets[side].get(token);
  return absent ? caret(model, absent, side) : null;
}

/** @param {Model} model @param {Mention[]} absent @param {Side} side */
function caret(model, absent, side) {
  const tags = absent.map(({ tag }) => tag).join(", ");
  return h(`span.doc-caret.doc-caret-${side}`, {
    title: `a mention of ${tags}: ${statusText(model, absent[0])}`, "aria-hidden": "true",
  }, signsOf(model)[absent[0].status]);
}

/** Update the mark of the selected error. @param {View} view */
export function markSelected(view) {
  for (const word of view.text.querySelectorAll(".doc-selected")) word.classList.remove("doc-selected");
  for (const word of view.text.querySelectorAll("[data-t]")) {
    if (isSelected(view, Number(/** @type {HTMLElement} */ (word).dataset.t))) word.classList.add("doc-selected");
  }
  for (const zero of /** @type {NodeListOf<HTMLElement>} */ (view.text.querySelectorAll(".doc-absent"))) {
    const isMarked = isSelectedZero(view, view.shown.mentions[Number(zero.dataset.m)]);
    if (isMarked) zero.classList.add("doc-selected");
  }
}

/**
 * Describe the mention under the pointer, and highlight its chain.
 * @param {View} view @param {Mention | null} mention @param {HTMLElement} [word]
 */
export function showMention(view, mention, word) {
  const tells = mention && mentionFacts(view.shown, mention);
  // The full description is built on demand, because a page has thousands of words.
  if (tells && word && word.dataset.told === undefined) {
    // A zero already has a title that says that it is not in the text.
    word.title = [word.title, ...tells.map(visible)].filter(Boolean).join("\n");
    word.dataset.told = "";
  }
  if (view.hovered === mention) return;
  view.hovered = mention;
  light(view);
  view.readout.textContent = tells ? visible(tells.join(" · ")) : HINT;
}

/** Highlight the pinned chain, which stays, and the one under the pointer. @param {View} view */
export function light(view) {
  const chains = [focusedChain(view), view.hovered?.chain ?? null].filter((each) => each !== null);
  for (const tag of view.text.querySelectorAll('.doc-tag[aria-pressed="true"]')) {
    tag.setAttribute("aria-pressed", "false");
  }
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (view.text.querySelectorAll(".doc-lit"))) {
    if (!chains.includes(each.dataset.chain ?? "")) each.classList.remove("doc-lit");
  }
  view.lit = new Set(chains);
  view.text.classList.toggle("doc-has-lit", chains.length > 0);
  for (const each of /** @type {HTMLElement[]} */ (chains.flatMap((chain) =>
    [...view.text.querySelectorAll(`[data-chain="${chain}"]`)]))) {
    each.classList.add("doc-lit");
    if (!each.matches(".doc-tag")) continue;
    const mention = view.shown.mentions[Number(each.dataset.m)];
    each.setAttribute("aria-pressed", String(pinTag(view, mention) === state().entity));
  }
}
