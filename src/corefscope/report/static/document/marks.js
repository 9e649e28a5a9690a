/** Marks of mentions: bars, tags and carets, and the highlighting of a chain. */
import { h, numbered, visible } from "../shared/dom.js";
import { state } from "../shared/state.js";
import { MOST_LANES } from "./lanes.js";
import { spanWords } from "./words.js";
import { focusedChain, pinTag } from "./open.js";
import { statusText, signOf, signsOf, mentionFacts } from "./wording.js";

/**
 * @typedef {import("./model.js").Mention} Mention
 * @typedef {import("./model.js").Model} Model
 * @typedef {import("./model.js").Side} Side
 * @typedef {import("./open.js").View} View
 */

export const HINT = "Point at a mention to see its entity; click to pin it; Esc unpins.";

/** @param {View} view @param {number} token */
export function isSelected({ context: { errors }, selected }, token) {
  return selected !== null && errors.start[selected] <= token && token <= errors.end[selected];
}

/**
 * @param {View} view @param {Mention} mention @param {number} token @param {boolean} isSpaced
 * @param {boolean} isAbove
 */
export function bar(view, mention, token, isSpaced, isAbove) {
  const isEnd = token === mention.last;
  const classes = [
    `doc-hue-${mention.hue}`, `doc-lane-${mention.lane}`, `doc-is-${mention.status}`, mention.isSingle && "doc-single",
    token === mention.first && "doc-begins", isEnd && "doc-ends", !isEnd && isSpaced && "doc-goes-on",
    isAbove && "doc-above", mention.chain === view.lit && "doc-lit",
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
  const text = spanWords(view.shown.text, mention.first, mention.last, 60);
  return tagButton(view, mention, `${mention.tag} “${text}”: ${statusText(view.shown, mention)}`, mention.tag,
    mention.status !== "right" && h("span.doc-mark", {}, signOf(view.shown, mention)),
    mention.isInKey !== null && h(mention.isInKey ? "span.doc-verdict" : "span.doc-verdict.doc-verdict-wrong", {},
      mention.isInKey ? "✓" : "✗"));
}

/** @param {View} view @param {Mention} mention @param {string} says @param {...import("../shared/dom.js").Child} shown */
function tagButton(view, mention, says, ...shown) {
  const isLit = mention.chain === view.lit ? ".doc-lit" : "";
  return h(`button.doc-tag.doc-hue-${mention.hue}.doc-is-${mention.status}.doc-of-${mention.side}${isLit}`, {
    "aria-label": says, tabindex: "-1", dataset: { m: mention.id, chain: mention.chain },
    "aria-pressed": String(state().entity === pinTag(view, mention)),
  }, shown);
}

/**
 * Mark a mention that only the other side has.
 * @param {Model} model @param {number} token @param {Side} side
 */
export function carets(model, token, side) {
  const absent = model.carets[side].get(token);
  if (!absent) return null;
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
}

/**
 * Describe the mention under the pointer, and highlight its chain.
 * @param {View} view @param {Mention | null} mention @param {HTMLElement} [word]
 */
export function showMention(view, mention, word) {
  const tells = mention && mentionFacts(view.shown, mention);
  // The full description is built on demand, because a page has thousands of words.
  if (tells && word && !word.title) word.title = tells.map(visible).join("\n");
  if (view.hovered === mention) return;
  view.hovered = mention;
  light(view);
  view.readout.textContent = tells ? visible(tells.join(" · ")) : HINT;
}

/** Highlight the chain under the pointer, or the pinned one. @param {View} view */
export function light(view) {
  const chain = view.hovered?.chain ?? focusedChain(view);
  for (const tag of view.text.querySelectorAll('.doc-tag[aria-pressed="true"]')) {
    tag.setAttribute("aria-pressed", "false");
  }
  if (chain !== view.lit) for (const each of view.text.querySelectorAll(".doc-lit")) each.classList.remove("doc-lit");
  view.lit = chain;
  view.text.classList.toggle("doc-has-lit", chain !== null);
  if (chain === null) return;
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (view.text.querySelectorAll(`[data-chain="${chain}"]`))) {
    each.classList.add("doc-lit");
    if (!each.matches(".doc-tag")) continue;
    const mention = view.shown.mentions[Number(each.dataset.m)];
    each.setAttribute("aria-pressed", String(pinTag(view, mention) === state().entity));
  }
}
