/**
 * Descriptions and signs of mentions. "Missing" and "extra" are used only in comparison with the key. Between two
 * systems, the text says whether a mention is the same, and whether it is correct according to the key.
 */
import { fixed, numbered } from "../shared/dom.js";
import { MENTION_TYPES, keyName, systemName } from "../shared/facets.js";
import { partWords } from "./words.js";
import { tokensOf } from "./parts.js";

/**
 * @typedef {import("./model.js").Model} Model
 * @typedef {import("./model.js").Mention} Mention
 * @typedef {import("./model.js").Entity} Entity
 * @typedef {import("./model.js").Side} Side
 */

const SIGNS = { right: "", missing: "○", extra: "×", boundary: "↔", wrong: "⚑" };
const SIGNS_OF_TWO = { right: "", missing: "◁", extra: "▷", boundary: "↔", wrong: "→" };

/**
 * The sign after a tag, with the entity on the other side if it differs.
 * @param {Model} model @param {Mention} mention
 */
export function signOf(model, { status, side, right }) {
  // A flag names the correct entity; a mention of the key has none.
  const sign = status === "wrong" && side === "L" ? "→" : signsOf(model)[status];
  return sign + right;
}

/** @param {Model} model */
export function signsOf({ left }) {
  return left === null ? SIGNS : SIGNS_OF_TWO;
}

/** The status of a mention as text. @param {Model} model @param {Mention} mention */
export function statusText(model, mention) {
  return model.left === null ? statusAgainstKey(mention) : statusOfTwo(model, mention);
}

/** @param {Mention} mention */
function statusAgainstKey({ status, side, right }) {
  const whose = side === "L" ? `${right} of the response` : `belongs to ${right}`;
  return {
    right: "right", missing: "missing from the response", extra: "not in the key",
    boundary: "found with different boundaries", wrong: `in another entity: ${whose}`,
  }[status];
}

/** @param {Model} model @param {Mention} mention */
function statusOfTwo(model, mention) {
  return `${differs(model, mention)}; ${mention.isInKey ? "correct" : "wrong"} according to the key`;
}

/** @param {Model} model @param {Mention} mention */
function differs({ letters }, { status, side, right }) {
  const [own, other] = side === "L" ? [letters.L, letters.R] : [letters.R, letters.L];
  if (status === "wrong") return `in another entity in ${other}: ${right}`;
  if (status === "boundary") return `with different boundaries in ${other}`;
  return status === "right" ? `the same in ${letters.L} and ${letters.R}` : `only in ${own}`;
}

/** The full description of a mention, in parts. @param {Model} model @param {Mention} mention @returns {string[]} */
export function mentionFacts(model, mention) {
  const { text } = model;
  const entity = /** @type {Entity} */ (model.entities.get(mention.tag));
  const isLong = mention.first < mention.last && mention.head !== null;
  const head = isLong ? `, head “${text.words[/** @type {number} */ (mention.head)]}”` : "";
  return [
    `“${partWords(text, mention.parts, 80)}”, ${MENTION_TYPES[mention.type]}${head}${notInText(model, mention)}`,
    `${entity.tag} ${entity.title}, ${numbered(entity.mentions.length, "mention")}${aligned(model, entity)}`,
    statusText(model, mention), costText(model, entity),
  ].filter(Boolean);
}

/**
 * What to say of a mention that consists of empty nodes, and of a zero that the key has no token for.
 * @param {Model} model @param {Mention} mention
 */
export function notInText({ text, zeros }, { parts, first, zero }) {
  if (zero) return `, not in the text and not in the key, ${zero.isBefore ? "before" : "after"} “${text.words[first]}”`;
  if (![...tokensOf(parts)].every((token) => zeros.has(token))) return "";
  const lemmas = [...tokensOf(parts)].map((token) => zeros.get(token)).filter(Boolean);
  return lemmas.length ? `, not in the text, lemma “${lemmas.join(" ")}”` : ", not in the text";
}

/** @param {Model} model @param {Entity} entity */
function aligned(model, entity) {
  const mate = mateOf(model, entity);
  return mate ? `, aligned with ${mate.tag}` : "";
}

/** The entity of the same chain on the other side. @param {Model} model @param {Entity} entity */
export function mateOf(model, { chain, side }) {
  return model.chains.get(chain)?.find((each) => each.side !== side) ?? null;
}

/** The cost of an entity; it is not known for another system. @param {Model} model @param {Entity} entity */
export function costText(model, { tag, cost, side }) {
  if (!cost || (side === "L" && model.left !== null)) return "";
  const points = 100 * cost < 0.005 ? "less than 0.01" : fixed(100 * cost, 2);
  return `${tag} costs ${points} points of CoNLL ${side === "L" ? "recall" : "precision"}`;
}

/** The name of a side. @param {import("../types.js").Summary} summary @param {Model} model @param {Side} side */
export function sideName(summary, model, side) {
  const number = side === "L" ? model.left : model.system;
  return number === null ? keyName(summary) : systemName(summary, number);
}
