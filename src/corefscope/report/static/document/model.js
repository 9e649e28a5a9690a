/** The mentions of a document with their status, chain, hue, lane and row. */
import { lanesOf } from "./lanes.js";
import { documentErrors } from "../shared/entity-errors.js";
import { addTo, errorKey, mentionKeys } from "../shared/spans.js";
import { chainsOf, huesOf } from "./chains.js";
import { inTextOrder, isIn, sharedTokens, sizeOf, tokensOf, zeroPlaces } from "./parts.js";
import { headWord, rowsOf } from "./words.js";

/**
 * @typedef {import("../shared/facets.js").Context} Context
 * @typedef {import("./words.js").Row} Row
 * @typedef {"L" | "R"} Side left: the key, or another system; right: the active system
 * @typedef {"right" | "missing" | "extra" | "boundary" | "wrong"} Status missing: only on the left; extra: only on the right
 *
 * @typedef {object} Mention
 * @property {number} id place among all mentions of the model
 * @property {Side} side
 * @property {string} tag name of its entity
 * @property {number} first
 * @property {number} last
 * @property {import("./parts.js").Part[]} parts one, or several with gaps between them; none for a zero that the key has no token for
 * @property {import("./parts.js").ZeroPlace | null} zero where a zero without parts stands beside its first token
 * @property {number} key the same for the same mention on the other side
 * @property {number} type 0 for a name, 1 nominal, 2 pronoun, 3 zero, 4 unknown
 * @property {number | null} head token of the head word
 * @property {Status} status
 * @property {string} right for a wrong one: the entity on the other side that has it
 * @property {boolean | null} isInKey of two systems: whether the key entity that its entity is aligned with has it
 * @property {string} chain the chain of its entity
 * @property {number} hue 1 to 8, or 0 for grey
 * @property {boolean} isSingle
 * @property {number} lane
 *
 * @typedef {object} Entity
 * @property {string} tag
 * @property {Side} side
 * @property {string} title the words of a typical mention
 * @property {number} cost share of the recall or precision that it loses
 * @property {string} chain
 * @property {number} hue
 * @property {Mention[]} mentions
 *
 * @typedef {object} Model
 * @property {import("../types.js").ReportText} text the document
 * @property {number} system the active one, at the right
 * @property {number | null} left the system on the left; null for the key
 * @property {Record<Side, string>} letters of the systems; "" for the key
 * @property {Mention[]} mentions
 * @property {Map<string, Entity>} entities by tag
 * @property {Map<string, Entity[]>} chains entities by chain, those on the left first
 * @property {Record<Side, Array<Mention[] | undefined>>} cover mentions by token, inner first
 * @property {Record<Side, Map<number, Mention[]>>} absent zeros that the key has no token for, by the token beside them, in the order of the text
 * @property {Map<number, import("./parts.js").ZeroPlace>} places where these zeros stand, by their number among marked mentions
 * @property {Map<number, string>} zeros lemmas of empty nodes, by token
 * @property {Record<Side, Map<number, Mention[]>>} carets mentions only on the other side, by last token
 * @property {Set<number>} hatched tokens on which a mention and its match disagree
 * @property {Map<string, Map<string, number>>} links the number of mentions that an entity shares with others
 * @property {Record<Side, Map<number, Mention[]>>} spans mentions by their key
 * @property {number[]} errors rows of the active system in the table of errors
 * @property {Row[]} rows
 */

export const SIDES = /** @type {const} */ (["L", "R"]);
/** @type {WeakMap<import("../types.js").ReportText, Map<string, Model>>} */
const modelsOfText = new WeakMap();

/**
 * The comparison of a system with the key or another system, in one document.
 * @param {Context} context @param {import("../types.js").ReportText} text @param {number} system @param {number | null} left
 * @returns {Model}
 */
export function modelOf(context, text, system, left) {
  let models = modelsOfText.get(text);
  if (!models) modelsOfText.set(text, (models = new Map()));
  const name = `${system} ${left}`;
  let model = models.get(name);
  if (!model) models.set(name, (model = makeModel(context, text, system, left)));
  return model;
}

/** @param {Context} context @param {import("../types.js").ReportText} text @param {number} system @param {number | null} left @returns {Model} */
function makeModel(context, text, system, left) {
  const { summary, errors } = context;
  const letter = (/** @type {number | null} */ number) => number === null ? "" : summary.systems[number].letter;
  /** @type {Model} */
  const model = {
    text, system, left, letters: { L: letter(left), R: letter(system) }, mentions: [], entities: new Map(),
    chains: new Map(), cover: { L: [], R: [] }, absent: { L: new Map(), R: new Map() }, places: zeroPlaces(text), zeros: new Map(text.zeros), carets: { L: new Map(), R: new Map() }, hatched: new Set(),
    links: new Map(), spans: { L: new Map(), R: new Map() }, rows: [], errors: documentErrors(context, system, text.name),
  };
  addEntities(model);
  judge(model);
  matchBoundaries(model, left === null ? spanErrors(model, errors) : hasSameHead);
  placeMentions(model);
  model.rows = rowsOf(text, model.mentions.filter(({ status }) => status !== "right"));
  return model;
}

/** @param {Model} model */
function addEntities(model) {
  const { text, system, left } = model;
  const chains = chainsOf(text, system, left);
  const hues = huesOf(text, system, left, chains);
  const atLeft = left === null ? text.key : text.systems[left].entities;
  const atRight = text.systems[system].entities;
  chains.left.forEach((chain, place) => addEntity(model, "L", atLeft[place], chain, hues));
  chains.right.forEach((chain, place) => addEntity(model, "R", atRight[place], chain, hues));
}

/**
 * @param {Model} model @param {Side} side @param {import("../types.js").KeyEntity | import("../types.js").ResponseEntity} entity @param {string} chain
 * @param {Map<string, number>} hues
 */
function addEntity(model, side, entity, chain, hues) {
  const hue = hues.get(chain) ?? 0;
  // Of two systems, entities of the left one are marked with its letter; errors name those of the right one.
  const tag = side === "L" && model.left !== null ? `${entity.name}·${model.letters.L}` : entity.name;
  const cost = Array.isArray(entity.cost) ? entity.cost[model.system] : entity.cost;
  const aligned = "key" in entity && entity.key !== null ? model.text.key[entity.key] : null;
  const ofKey = new Set(aligned ? mentionKeys(aligned) : []);
  const keys = mentionKeys(entity);
  /** @type {Entity} */
  const made = { tag, side, title: entity.title, cost: cost ?? 0, chain, hue, mentions: [] };
  entity.mentions.forEach(([first, last, type, found], place) => {
    const key = keys[place];
    const head = headWord(model.text.words, first, found);
    /** @type {Mention} */
    const mention = {
      id: model.mentions.length, side, tag, first, last, key, parts: key < 0 ? model.text.marked[-1 - key] : [[first, last]], zero: model.places.get(-1 - key) ?? null, type, head, status: "right", right: "",
      isInKey: model.left === null ? null : ofKey.has(key), chain, hue, isSingle: entity.mentions.length === 1, lane: 0,
    };
    model.mentions.push(mention);
    made.mentions.push(mention);
  });
  model.entities.set(tag, made);
  addTo(model.chains, chain, made);
}

/** Compare each mention with the other side. @param {Model} model */
function judge(model) {
  const { spans } = model;
  for (const mention of model.mentions) addTo(spans[mention.side], mention.key, mention);
  for (const mention of model.mentions) {
    const others = spans[mention.side === "L" ? "R" : "L"].get(mention.key) ?? [];
    if (!others.length) mention.status = mention.side === "L" ? "missing" : "extra";
    else if (!others.some((other) => other.chain === mention.chain)) {
      mention.status = "wrong";
      mention.right = others[0].tag;
    }
    if (mention.side === "L") for (const other of others) link(model, mention, other);
  }
}

/**
 * Count a mention that two entities share, for both.
 * @param {Model} model @param {Mention} one @param {Mention} other
 */
function link({ links }, one, other) {
  for (const [from, to] of [[one.tag, other.tag], [other.tag, one.tag]]) {
    let shared = links.get(from);
    if (!shared) links.set(from, (shared = new Map()));
    shared.set(to, (shared.get(to) ?? 0) + 1);
  }
}

/**
 * Mentions with wrong boundaries are those with span errors, so that marks agree with the list of errors.
 * @param {Model} model @param {import("../types.js").ErrorColumns} errors @returns {(found: Mention) => boolean}
 */
function spanErrors(model, errors) {
  const spans = new Set(model.errors.filter((/** @type {number} */ row) => errors.type[row] === "span_error")
    .map((/** @type {number} */ row) => errorKey(errors, row)));
  return ({ key }) => spans.has(key);
}

/**
 * Between two systems, mentions with the same head are the same mention with different boundaries.
 * @param {Mention} found @param {Mention} [meant]
 */
function hasSameHead(found, meant) {
  return !meant || (found.head !== null && found.head === meant.head);
}

/**
 * Find the counterpart of a mention with different boundaries: the mention on the left with the largest overlap.
 * @param {Model} model @param {(found: Mention, meant?: Mention) => boolean} fits
 */
function matchBoundaries(model, fits) {
  /** @type {Map<number, Mention[]>} */
  const missing = new Map();
  for (const mention of model.mentions) {
    if (mention.status !== "missing") continue;
    for (const token of tokensOf(mention.parts)) addTo(missing, token, mention);
  }
  for (const found of model.mentions) {
    if (found.status !== "extra" || !fits(found)) continue;
    const meant = nearest(found, missing, fits);
    if (!meant) continue;
    found.status = meant.status = "boundary";
    link(model, meant, found);
    hatch(model, found, meant);
  }
}

/**
 * @param {Mention} found @param {Map<number, Mention[]>} missing by token
 * @param {(found: Mention, meant?: Mention) => boolean} fits
 */
function nearest(found, missing, fits) {
  let best = null;
  let most = 0;
  for (const token of tokensOf(found.parts)) {
    for (const mention of missing.get(token) ?? []) {
      if (mention.status !== "missing" || !fits(found, mention)) continue;
      const shared = sharedTokens(mention.parts, found.parts);
      const all = sizeOf(mention.parts) + sizeOf(found.parts) - shared;
      if (shared / all > most) [best, most] = [mention, shared / all];
    }
  }
  return best;
}

/**
 * Hatch the tokens that are in only one of two overlapping mentions.
 * @param {Model} model @param {Mention} one @param {Mention} other
 */
function hatch(model, one, other) {
  for (const [own, theirs] of [[one, other], [other, one]]) {
    for (const token of tokensOf(own.parts)) if (!isIn(theirs.parts, token)) model.hatched.add(token);
  }
}

/** Give each mention its lane and each token its mentions. @param {Model} model */
function placeMentions(model) {
  for (const side of SIDES) {
    const ofSide = model.mentions.filter((mention) => mention.side === side);
    for (const mention of ofSide) {
      const isOnlyHere = mention.status === "missing" || mention.status === "extra";
      if (!mention.parts.length) addTo(model.absent[side], mention.first, mention);
      else if (isOnlyHere) addTo(model.carets[side === "L" ? "R" : "L"], mention.last, mention);
    }
    for (const zeros of model.absent[side].values()) zeros.sort(inTextOrder);
    // A zero without a token is drawn beside the words, so it needs no lane of its own.
    const mentions = ofSide.filter(({ parts }) => parts.length);
    const lanes = lanesOf(mentions.map(({ first, last }) => /** @type {[number, number]} */ ([first, last])));
    const cover = model.cover[side];
    mentions.forEach((mention, place) => {
      mention.lane = lanes[place];
      for (const token of tokensOf(mention.parts)) (cover[token] ??= []).push(mention);
    });
    for (const each of cover) each?.sort((a, b) => a.lane - b.lane);
  }
}
