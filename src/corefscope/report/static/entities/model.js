/** The entities of a document: how well they fit the entities they are aligned with, and where their mentions are. */
import { namesLost, namesMeasured } from "../shared/named-entities.js";
import { addTo, mentionKeys } from "../shared/spans.js";

/**
 * @typedef {object} EntityPart an entity of the other side that has mentions of this one
 * @property {string} name
 * @property {string} title
 * @property {number} count
 *
 * @typedef {object} EntityRow
 * @property {string} name K3 or R7
 * @property {string} title
 * @property {string} type the type of its name; "" if it is unknown
 * @property {boolean} isNameLost whether it has a name that no response entity has
 * @property {Array<[number, number, number, number | null]>} mentions
 * @property {boolean[]} found by mention: whether the other side has it
 * @property {{name: string, title: string} | null} best the aligned entity
 * @property {number} purity share of the response entity that is in the key entity
 * @property {number} completeness share of the key entity that is in the response entity
 * @property {number} f1
 * @property {number} cost share of the CoNLL recall or precision
 * @property {EntityPart[]} parts
 * @property {number} lost mentions that are not on the other side
 *
 * @typedef {object} EntitiesModel
 * @property {EntityRow[]} key
 * @property {EntityRow[]} response
 * @property {boolean} isNamed whether names were measured
 */

/** @type {WeakMap<import("../types.js").ReportText, Map<number, EntitiesModel>>} */
const modelsOfText = new WeakMap();

/**
 * The rows of a document and a system, which are cached.
 * @param {import("../types.js").Summary} summary @param {import("../types.js").ReportText} text @param {number} system @returns {EntitiesModel}
 */
export function modelOf(summary, text, system) {
  let models = modelsOfText.get(text);
  if (!models) modelsOfText.set(text, (models = new Map()));
  let model = models.get(system);
  if (!model) models.set(system, (model = makeModel(summary, text, system)));
  return model;
}

/** @param {import("../types.js").Summary} summary @param {import("../types.js").ReportText} text @param {number} system @returns {EntitiesModel} */
function makeModel(summary, text, system) {
  const { entities } = text.systems[system];
  const aligned = new Map(entities.map((each, place) => [each.key, place]));
  const key = rowsOf(text.key, entities, (place) => aligned.get(place) ?? -1);
  const response = rowsOf(entities, text.key, (place) => entities[place].key ?? -1);
  key.forEach((row, place) => { row.cost = text.key[place].cost[system]; });
  response.forEach((row, place) => {
    row.cost = entities[place].cost;
    // Purity and completeness have the same meaning on both sides.
    [row.purity, row.completeness] = [row.completeness, row.purity];
  });
  const measured = namesMeasured(summary, system);
  if (measured) addNames(key, measured, text.name);
  return { key, response, isNamed: measured !== null };
}

/** @param {EntityRow[]} rows @param {import("../types.js").NecSystem} measured @param {string} document */
function addNames(rows, measured, document) {
  const byName = new Map(rows.map((row) => [row.name, row]));
  const isHere = (/** @type {{document: string}} */ each) => each.document === document;
  for (const each of measured.detail.filter(isHere)) {
    const row = byName.get(each.entity);
    if (row) row.type = each.type;
  }
  for (const each of namesLost(measured).filter(isHere)) {
    const row = byName.get(each.entity);
    if (row) row.isNameLost = true;
  }
}

/** Numbers of entities by the numbers of their mentions. @param {import("../types.js").EntityText[]} entities @returns {Map<number, number[]>} */
function byMention(entities) {
  /** @type {Map<number, number[]>} */
  const places = new Map();
  entities.forEach((entity, place) => {
    for (const key of mentionKeys(entity)) addTo(places, key, place);
  });
  return places;
}

/**
 * Compare each entity of a side with the other side.
 * @param {import("../types.js").EntityText[]} own @param {import("../types.js").EntityText[]} others
 * @param {(place: number) => number} aligned place of the aligned entity, or -1
 * @returns {EntityRow[]}
 */
function rowsOf(own, others, aligned) {
  const where = byMention(others);
  return own.map((entity, place) => {
    /** @type {Map<number, number>} */
    const shared = new Map();
    const found = mentionKeys(entity).map((key) => {
      const places = where.get(key) ?? [];
      for (const each of places) shared.set(each, (shared.get(each) ?? 0) + 1);
      return places.length > 0;
    });
    const best = aligned(place);
    return {
      name: entity.name, title: entity.title, type: "", isNameLost: false, cost: 0,
      mentions: entity.mentions, found, lost: found.filter((is) => !is).length,
      ...fit(shared.get(best) ?? 0, entity, others[best] ?? null),
      parts: [...shared].sort((one, other) => other[1] - one[1] || one[0] - other[0])
        .map(([each, count]) => ({ name: others[each].name, title: others[each].title, count })),
    };
  });
}

/**
 * How well an entity fits the one that it is aligned with.
 * @param {number} common @param {import("../types.js").EntityText} entity @param {import("../types.js").EntityText | null} other
 */
function fit(common, entity, other) {
  const [size, theirs] = [entity.mentions.length, other?.mentions.length ?? 0];
  return {
    best: other && { name: other.name, title: other.title },
    completeness: size ? common / size : 0,
    purity: theirs ? common / theirs : 0,
    f1: size + theirs ? (2 * common) / (size + theirs) : 0,
  };
}
