/** What is known of each mention of a document: its status, its chain, its hue, its lane and its row. */
import { lanesOf } from "./lanes.js";

/**
 * @typedef {"right" | "missing" | "extra" | "boundary" | "wrong"} Status
 * @typedef {object} Mention
 * @property {number} id place among all mentions of the model
 * @property {"K" | "R"} side
 * @property {number} entity place of its entity
 * @property {string} tag name of its entity
 * @property {number} first
 * @property {number} last
 * @property {Status} status
 * @property {string} right for a wrong one: the entity on the other side that has it
 * @property {string} chain a key entity and its aligned response entity are one chain
 * @property {number} hue 1 to 8, or 0 for grey
 * @property {boolean} isSingle
 * @property {number} lane
 *
 * @typedef {object} Entity
 * @property {string} tag
 * @property {"K" | "R"} side
 * @property {string} title
 * @property {string} chain
 * @property {number} hue
 * @property {Mention[]} mentions
 *
 * @typedef {object} Model
 * @property {any} text the document
 * @property {number} system
 * @property {Mention[]} mentions
 * @property {Map<string, Entity>} entities by tag
 * @property {Record<"K" | "R", Array<Mention[] | undefined>>} cover mentions by token, inner first
 * @property {Record<"K" | "R", Map<number, Mention[]>>} carets what is on the other side only, by last token
 * @property {Set<number>} hatched tokens on which a mention and its match disagree
 * @property {Map<string, number>} links shared mentions by "K1 R2"
 * @property {Row[]} rows
 *
 * @typedef {object} Row a sentence, or a part of a very long one
 * @property {number} sentence from 1
 * @property {number} first
 * @property {number} last
 * @property {string} speaker
 * @property {boolean} isContinued
 * @property {boolean} differs
 */

/** Tokens of a row: longer sentences are cut into several, so that each is drawn when it is seen. */
const DOC_PIECE = 240;
/** @type {WeakMap<any, Map<number, Model>>} */
const docModels = new WeakMap();
const DOC_CJK = /[\u2e80-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef]/;
const DOC_CLOSING = /^(?:[.,;:!?%)\]}…]+|n['’]t|['’](?:s|re|ve|ll|d|m))$/i;

/** @param {any} text @param {number} system @param {any} errors @returns {Model} */
export function docModel(text, system, errors) {
  let models = docModels.get(text);
  if (!models) docModels.set(text, (models = new Map()));
  let model = models.get(system);
  if (!model) models.set(system, (model = docMakeModel(text, system, errors)));
  return model;
}

/** @param {any} text @param {number} system @param {any} errors @returns {Model} */
function docMakeModel(text, system, errors) {
  const response = text.systems[system].entities;
  const hues = docHues(text.key, response);
  /** @type {Model} */
  const model = {
    text, system, mentions: [], entities: new Map(), cover: { K: [], R: [] },
    carets: { K: new Map(), R: new Map() }, hatched: new Set(), links: new Map(), rows: [],
  };
  text.key.forEach((/** @type {any} */ entity, /** @type {number} */ place) =>
    docAddEntity(model, "K", entity, place, `K${place}`, hues));
  response.forEach((/** @type {any} */ entity, /** @type {number} */ place) =>
    docAddEntity(model, "R", entity, place, docChainOf(entity, place), hues));
  docJudge(model, response);
  docMatchBoundaries(model, errors);
  docPlace(model);
  model.rows = docRows(model);
  return model;
}

/** @param {any} entity of the response @param {number} place */
function docChainOf(entity, place) {
  return entity.key === null || entity.key === undefined ? `R${place}` : `K${entity.key}`;
}

/**
 * Give the eight hues to the largest key entities, what is left to response entities that are aligned
 * with none. The key comes first, so that an entity has its hue whichever system is shown.
 * @param {any[]} key @param {any[]} response @returns {Map<string, number>}
 */
function docHues(key, response) {
  const bySize = (/** @type {any} */ a, /** @type {any} */ b) => b.size - a.size || a.place - b.place;
  const sized = (/** @type {any[]} */ entities, /** @type {(e: any, place: number) => string} */ chain) =>
    entities.map((entity, place) => ({ chain: chain(entity, place), size: entity.mentions.length, place }));
  const keys = sized(key, (_, place) => `K${place}`).sort(bySize);
  const others = sized(response, docChainOf).filter(({ chain }) => chain[0] === "R").sort(bySize);
  return new Map([...keys, ...others].slice(0, 8).map(({ chain }, number) => [chain, number + 1]));
}

/**
 * @param {Model} model @param {"K" | "R"} side @param {any} entity @param {number} place
 * @param {string} chain @param {Map<string, number>} hues
 */
function docAddEntity(model, side, entity, place, chain, hues) {
  const hue = hues.get(chain) ?? 0;
  const mentions = entity.mentions.map((/** @type {number[]} */ [first, last]) => {
    /** @type {Mention} */
    const mention = {
      id: model.mentions.length, side, entity: place, tag: entity.name, first, last, status: "right", right: "",
      chain, hue, isSingle: entity.mentions.length === 1, lane: 0,
    };
    model.mentions.push(mention);
    return mention;
  });
  const title = docTitle(model.text, entity.mentions);
  model.entities.set(entity.name, { tag: entity.name, side, title, chain, hue, mentions });
}

/** The name of an entity: its first name, or its first mention. @param {any} text @param {number[][]} mentions */
function docTitle(text, mentions) {
  const found = mentions.find(([, , type]) => type === 0) ?? mentions.find(([, , type]) => type === 1) ?? mentions[0];
  return found ? docText(text, found[0], found[1], 40) : "";
}

/** @param {any} text @param {number} first @param {number} last @param {number} [most] letters */
export function docText(text, first, last, most = 60) {
  let words = "";
  for (let token = first; token <= last && words.length <= most; token++) {
    words += text.words[token] + (token < last ? docSpace(text.words, token) : "");
  }
  const letters = [...words];
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : words;
}

/** What stands after a token: nothing between Chinese words and before a comma. @param {string[]} words @param {number} token */
export function docSpace(words, token) {
  const [word, next] = [words[token], words[token + 1] ?? ""];
  const isJoined = DOC_CJK.test(word.slice(-1)) && DOC_CJK.test(next.slice(0, 1)) && !/[\uac00-\ud7a3]/.test(word + next);
  return isJoined || DOC_CLOSING.test(next) ? "" : " ";
}

/** Compare each mention with the other side. @param {Model} model @param {any[]} response */
function docJudge(model, response) {
  const bySpan = { K: new Map(), R: new Map() };
  for (const mention of model.mentions) docPush(bySpan[mention.side], `${mention.first}-${mention.last}`, mention);
  for (const mention of model.mentions) {
    /** @type {Mention[]} */
    const others = bySpan[mention.side === "K" ? "R" : "K"].get(`${mention.first}-${mention.last}`) ?? [];
    if (!others.length) mention.status = mention.side === "K" ? "missing" : "extra";
    else if (!others.some((other) => other.chain === mention.chain)) {
      mention.status = "wrong";
      mention.right = others[0].tag;
    }
    if (mention.side === "K") for (const other of others) docLink(model, mention, other);
  }
}

/** @param {Model} model @param {Mention} key @param {Mention} response */
function docLink(model, key, response) {
  const name = `${key.tag} ${response.tag}`;
  model.links.set(name, (model.links.get(name) ?? 0) + 1);
}

/** @template T @param {Map<any, T[]>} map @param {any} name @param {T} value */
export function docPush(map, name, value) {
  const found = map.get(name);
  if (found) found.push(value);
  else map.set(name, [value]);
}

/**
 * Find what a mention with wrong boundaries stands for. Which these are is said by the errors of the
 * table, so that the marks agree with the list; their match is the missing mention with most in common.
 * @param {Model} model @param {any} errors
 */
function docMatchBoundaries(model, errors) {
  const rows = model.text.systems[model.system].errors;
  const spans = new Set(rows.filter((/** @type {number} */ row) => errors.type[row] === "span_error")
    .map((/** @type {number} */ row) => `${errors.start[row]}-${errors.end[row]}`));
  if (!spans.size) return;
  const missing = model.mentions.filter((mention) => mention.status === "missing");
  for (const found of model.mentions) {
    if (found.status !== "extra" || !spans.has(`${found.first}-${found.last}`)) continue;
    const meant = docNearest(found, missing);
    if (!meant) continue;
    found.status = meant.status = "boundary";
    docLink(model, meant, found);
    for (const [from, to] of docDifference(found, meant)) {
      for (let token = from; token <= to; token++) model.hatched.add(token);
    }
  }
}

/** @param {Mention} found @param {Mention[]} missing */
function docNearest(found, missing) {
  let best = null;
  let most = 0;
  for (const mention of missing) {
    if (mention.status !== "missing") continue;
    const shared = Math.min(mention.last, found.last) - Math.max(mention.first, found.first) + 1;
    const all = Math.max(mention.last, found.last) - Math.min(mention.first, found.first) + 1;
    if (shared > 0 && shared / all > most) [best, most] = [mention, shared / all];
  }
  return best;
}

/** The tokens in one of two overlapping mentions only. @param {Mention} one @param {Mention} other */
function docDifference(one, other) {
  return [
    [Math.min(one.first, other.first), Math.max(one.first, other.first) - 1],
    [Math.min(one.last, other.last) + 1, Math.max(one.last, other.last)],
  ];
}

/** Give each mention its lane and each token its mentions. @param {Model} model */
function docPlace(model) {
  for (const side of /** @type {const} */ (["K", "R"])) {
    const mentions = model.mentions.filter((mention) => mention.side === side);
    const lanes = lanesOf(mentions.map(({ first, last }) => /** @type {[number, number]} */ ([first, last])));
    const cover = model.cover[side];
    mentions.forEach((mention, place) => {
      mention.lane = lanes[place];
      for (let token = mention.first; token <= mention.last; token++) (cover[token] ??= []).push(mention);
      const isOnlyHere = mention.status === "missing" || mention.status === "extra";
      if (isOnlyHere) docPush(model.carets[side === "K" ? "R" : "K"], mention.last, mention);
    });
    for (const each of cover) each?.sort((a, b) => a.lane - b.lane);
  }
}

/** @param {Model} model @returns {Row[]} */
function docRows({ text, mentions }) {
  /** @type {Row[]} */
  const rows = [];
  text.sentences.forEach((/** @type {number[]} */ [first, last], /** @type {number} */ number) => {
    const speaker = text.speakers?.[number] ?? "";
    for (let from = first; from <= last; from += DOC_PIECE) {
      rows.push({
        sentence: number + 1, first: from, last: Math.min(last, from + DOC_PIECE - 1),
        speaker: speaker === "-" ? "" : speaker, isContinued: from > first, differs: false,
      });
    }
  });
  for (const mention of mentions) {
    if (mention.status === "right") continue;
    for (let at = docRowAt(rows, mention.first); at < rows.length && rows[at].first <= mention.last; at++) {
      rows[at].differs = true;
    }
  }
  return rows;
}

/** The place of the row that holds a token. @param {Row[]} rows @param {number} token */
export function docRowAt(rows, token) {
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (rows[middle].first <= token) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** @param {number} number @param {string} one @param {string} [many] */
export function docCount(number, one, many = `${one}s`) {
  return `${number} ${number === 1 ? one : many}`;
}
