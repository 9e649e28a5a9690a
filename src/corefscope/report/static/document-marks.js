/** The marks of mentions: bars, tags and carets at the words, the light on a chain, and what is said of them. */
import { h } from "./dom.js";
import { state } from "./state.js";
import { MOST_LANES } from "./lanes.js";
import { docText, docCount } from "./document-model.js";
import { docFocus } from "./document-open.js";

/**
 * @typedef {import("./document-model.js").Mention} Mention
 * @typedef {import("./document-model.js").Entity} Entity
 * @typedef {import("./document-model.js").Model} Model
 */

export const DOC_MARKS = { right: "", missing: "○", extra: "×", boundary: "↔", wrong: "⚑" };
export const DOC_SAYS = {
  right: "right", missing: "missing from the response", extra: "not in the key",
  boundary: "found with other boundaries", wrong: "in another entity",
};
export const DOC_HINT = "Point at a mention to see its chain; click to pin it; Esc lets go.";

/** @param {any} view @param {number} token */
export function docIsSelected(view, token) {
  const { errors } = view.context;
  return view.selected !== null && errors.start[view.selected] <= token && token <= errors.end[view.selected];
}

/** @param {any} view @param {Mention} mention @param {number} token @param {boolean} isSpaced @param {boolean} isAbove */
export function docBar(view, mention, token, isSpaced, isAbove) {
  const isEnd = token === mention.last;
  const classes = [
    `doc-hue-${mention.hue}`, `doc-lane-${mention.lane}`, `doc-is-${mention.status}`, mention.isSingle && "doc-single",
    token === mention.first && "doc-begins", isEnd && "doc-ends", !isEnd && isSpaced && "doc-goes-on",
    isAbove && "doc-above", mention.chain === view.lit && "doc-lit",
  ].filter(Boolean).join(".");
  return h(`i.doc-bar.${classes}`, { dataset: { m: mention.id, chain: mention.chain }, "aria-hidden": "true" });
}

/** The tags of the mentions that end here, outer ones last. @param {any} view @param {number} token @param {Mention[]} mentions */
export function docTags(view, token, mentions) {
  const ending = mentions.filter((mention) => mention.last === token);
  const deep = ending.filter((mention) => mention.lane >= MOST_LANES);
  const tags = ending.filter((mention) => mention.lane < MOST_LANES).map((mention) => docTag(view, mention));
  if (deep.length) {
    const says = `${docCount(deep.length, "deeper mention")}: ${deep.map(({ tag, status }) => `${tag} ${DOC_SAYS[status]}`).join(", ")}`;
    tags.push(docTagButton(view, deep[0], says, `+${deep.length}`));
  }
  return tags;
}

/** @param {any} view @param {Mention} mention */
function docTag(view, mention) {
  const { tag, status, right, side } = mention;
  const text = docText(view.model.text, mention.first, mention.last, 60);
  const where = status === "wrong" ? (side === "K" ? `, in ${right}` : `, belongs to ${right}`) : "";
  const says = `${tag} “${text}”: ${DOC_SAYS[status]}${where}`;
  return docTagButton(view, mention, says, tag, status !== "right" && h("span.doc-mark", {}, (status === "wrong" && side === "K" ? "→" : DOC_MARKS[status]) + right));
}

/** @param {any} view @param {Mention} mention @param {string} says @param {...any} shown */
function docTagButton(view, mention, says, ...shown) {
  const isLit = mention.chain === view.lit ? ".doc-lit" : "";
  return h(`button.doc-tag.doc-hue-${mention.hue}.doc-is-${mention.status}.doc-of-${mention.side}${isLit}`, {
    title: says, "aria-label": says, tabindex: "-1", dataset: { m: mention.id, chain: mention.chain },
    "aria-pressed": String(state().entity === mention.tag),
  }, shown);
}

/** Show where the other side has a mention that this one has not. @param {Model} model @param {number} token @param {string} side */
export function docCarets(model, token, side) {
  const absent = side === "KR" ? undefined : model.carets[/** @type {"K" | "R"} */ (side)].get(token);
  if (!absent) return null;
  const says = absent.map(({ tag }) => tag).join(", ");
  return h(`span.doc-caret.doc-caret-${side}`, {
    title: side === "R" ? `not found: a mention of ${says}` : `only in the response: a mention of ${says}`, "aria-hidden": "true",
  }, side === "R" ? "○" : "×");
}

/** Move the mark of the selected error. @param {any} view */
export function docMarkSelected(view) {
  for (const word of view.text.querySelectorAll(".doc-selected")) word.classList.remove("doc-selected");
  if (view.selected === null) return;
  const { errors } = view.context;
  for (let token = errors.start[view.selected]; token <= errors.end[view.selected]; token++) {
    for (const word of view.text.querySelectorAll(`[data-t="${token}"]`)) word.classList.add("doc-selected");
  }
}

/** @param {any} view @param {Mention | null} mention */
export function docHover(view, mention) {
  if (view.hovered === mention) return;
  view.hovered = mention;
  docLight(view);
  view.readout.textContent = mention ? docReadout(view.model, mention) : DOC_HINT;
}

/** @param {Model} model @param {Mention} mention */
function docReadout(model, mention) {
  const entity = /** @type {Entity} */ (model.entities.get(mention.tag));
  const mates = [...model.entities.values()].filter((each) => each.chain === mention.chain && each.side !== mention.side);
  const text = docText(model.text, mention.first, mention.last, 60);
  const of = `“${text}” of ${mention.tag} ${entity.title} (${docCount(entity.mentions.length, "mention")})`;
  const aligned = mates.length ? `aligned with ${mates[0].tag} (${docCount(mates[0].mentions.length, "mention")})` : "aligned with none";
  return `${of}, ${aligned}: ${DOC_SAYS[mention.status]}${mention.right ? `, ${mention.right}` : ""}`;
}

/** Light the chain under the pointer, or the one that is pinned. @param {any} view */
export function docLight(view) {
  const chain = view.hovered?.chain ?? docFocus(view)?.chain ?? null;
  for (const tag of view.text.querySelectorAll('.doc-tag[aria-pressed="true"]')) tag.setAttribute("aria-pressed", "false");
  if (chain !== view.lit) for (const each of view.text.querySelectorAll(".doc-lit")) each.classList.remove("doc-lit");
  view.lit = chain;
  view.text.classList.toggle("doc-has-lit", chain !== null);
  if (chain === null) return;
  for (const each of view.text.querySelectorAll(`[data-chain="${chain}"]`)) {
    each.classList.add("doc-lit");
    if (each.matches(".doc-tag")) {
      const mention = view.model.mentions[Number(each.dataset.m)];
      each.setAttribute("aria-pressed", String(mention.tag === state().entity));
    }
  }
}
