/** Groups of key and response entities that are connected, and a chart of their shared mentions. */
import { h, numbered, svg } from "../shared/dom.js";
import { addTo } from "../shared/spans.js";

/**
 * @typedef {import("./model.js").Model} Model
 * @typedef {import("./model.js").Entity} Entity
 * @typedef {import("./open.js").View} View
 * @typedef {{key: Entity, response: Entity, count: number}} Shared
 *
 * @typedef {object} Group connected entities, the largest first
 * @property {Entity[]} key
 * @property {Entity[]} response
 * @property {number[]} rows their errors, in the order of the text
 */

const MOST_NODES = 10;
/** Widths of the chart, of a label, and of a bar. */
const [ALLUVIAL, LABEL, BAR] = [232, 62, 8];
/** How many entities of a group are shown at once. */
export const MOST_BLOCKS = 10;

/** The groups of a document, by entity. @type {WeakMap<Model, Map<string, Group>>} */
const groupsOfModel = new WeakMap();

/**
 * The entities that are connected with one through shared mentions or errors.
 * @param {View} view @param {Entity} entity @returns {Group}
 */
export function groupOf({ model, context: { errors } }, { tag }) {
  let groups = groupsOfModel.get(model);
  if (!groups) groupsOfModel.set(model, (groups = findGroups(model, errors)));
  return /** @type {Group} */ (groups.get(tag));
}

/** @param {Model} model @param {import("../types.js").ErrorColumns} errors @returns {Map<string, Group>} */
function findGroups({ entities, links, errors: found }, errors) {
  const rows = [...found].sort((a, b) => errors.start[a] - errors.start[b] || a - b);
  /** @type {Map<string, string[]>} */
  const near = new Map([...links].map(([tag, others]) => [tag, [...others.keys()]]));
  for (const row of rows) {
    if (!errors.other[row]) continue;
    addTo(near, errors.entity[row], errors.other[row]);
    addTo(near, errors.other[row], errors.entity[row]);
  }
  /** @type {Map<string, Group>} */
  const groups = new Map();
  for (const entity of [...entities.values()].sort((a, b) => b.mentions.length - a.mentions.length)) {
    if (!groups.has(entity.tag)) {
      const group = { key: [], response: [], rows: [] };
      const seen = new Set([entity.tag]);
      for (const each of seen) for (const other of near.get(each) ?? []) seen.add(other);
      for (const each of seen) groups.set(each, group);
    }
    const group = /** @type {Group} */ (groups.get(entity.tag));
    (entity.side === "L" ? group.key : group.response).push(entity);
  }
  for (const row of rows) groups.get(errors.entity[row])?.rows.push(row);
  return groups;
}

/** @param {Group} group */
export function groupText({ key, response }) {
  if (!response.length && key.length === 1) return "No response entity shares a mention with it.";
  if (!key.length && response.length === 1) return "No key entity shares a mention with it.";
  const counts = [key.length && `${key.length} of the key`, response.length && `${response.length} of the response`];
  return `Entities that share mentions: ${counts.filter(Boolean).join(", ")}`;
}

/**
 * In a large group, entities that share mentions with the given one come first.
 * @param {Model} model @param {Entity[]} entities @param {Entity} entity
 */
export function nearFirst({ links }, entities, entity) {
  if (entities.length <= MOST_BLOCKS) return entities;
  const shared = (/** @type {Entity} */ each) => each === entity ? Infinity : links.get(entity.tag)?.get(each.tag) ?? 0;
  const near = entities.filter(shared).sort((a, b) => shared(b) - shared(a));
  return [...near, ...entities.filter((each) => !shared(each))];
}

/**
 * Key on the left, response on the right, and ribbons for shared mentions. The chart is an image; the buttons below
 * it pin entities.
 * @param {Model} model @param {Group} group @param {Entity} entity
 */
export function alluvial(model, group, entity) {
  const largest = (/** @type {Entity[]} */ entities) => nearFirst(model, entities, entity).slice(0, MOST_NODES)
    .sort((a, b) => b.mentions.length - a.mentions.length);
  const [left, right] = [largest(group.key), largest(group.response)];
  const total = Math.max(...[left, right].map((side) => side.reduce((sum, each) => sum + each.mentions.length, 0)), 1);
  const unit = Math.min(14, 190 / total);
  const [ofLeft, ofRight] = [stack(left, unit), stack(right, unit)];
  const height = Math.max(ofLeft.height, ofRight.height, 24);
  const hidden = group.key.length + group.response.length - left.length - right.length;
  const shared = sharedMentions(model, left, right);
  const says = shared.map(sharedText).join("; ") || "They share no mentions.";
  return [
    svg("svg.doc-alluvial", {
      viewBox: `0 0 ${ALLUVIAL} ${height}`, role: "img", "aria-label": `Key and response entities. ${says}`,
    }, ribbons(shared, ofLeft.tops, ofRight.tops, unit),
      left.map((each) => node(each, ofLeft.tops, unit, LABEL)),
      right.map((each) => node(each, ofRight.tops, unit, ALLUVIAL - LABEL - BAR))),
    hidden > 0 && h("p.soft.doc-small", {}, `and ${numbered(hidden, "more entity", "more entities")}`),
  ];
}

/** @param {Entity[]} entities @param {number} unit */
function stack(entities, unit) {
  /** @type {Map<string, number>} */
  const tops = new Map();
  let height = 2;
  for (const entity of entities) {
    tops.set(entity.tag, height);
    height += Math.max(12, entity.mentions.length * unit) + 7;
  }
  return { tops, height };
}

/** @param {Model} model @param {Entity[]} left @param {Entity[]} right @returns {Shared[]} */
function sharedMentions({ links }, left, right) {
  return left.flatMap((key) => right.map((response) => {
    const count = links.get(key.tag)?.get(response.tag) ?? 0;
    return { key, response, count };
  })).filter(({ count }) => count);
}

/** @param {Shared} shared */
function sharedText({ key, response, count }) {
  return `${key.tag} and ${response.tag} share ${numbered(count, "mention")}`;
}

/**
 * @param {Shared[]} shared @param {Map<string, number>} left @param {Map<string, number>} right tops of the bars
 * @param {number} unit
 */
function ribbons(shared, left, right, unit) {
  /** The next free place at each bar. */
  const [from, to] = [new Map(left), new Map(right)];
  const [a, m, b] = [LABEL + BAR, ALLUVIAL / 2, ALLUVIAL - LABEL - BAR];
  return shared.map((each) => {
    const { key, response, count } = each;
    const [y, z, size] = [from.get(key.tag) ?? 0, to.get(response.tag) ?? 0, count * unit];
    from.set(key.tag, y + size);
    to.set(response.tag, z + size);
    return svg(`path.doc-ribbon.doc-hue-${key.hue}`, {
      d: `M${a} ${y} C${m} ${y} ${m} ${z} ${b} ${z} `
        + `L${b} ${z + size} C${m} ${z + size} ${m} ${y + size} ${a} ${y + size} Z`,
    }, svg("title", {}, sharedText(each)));
  });
}

/** @param {Entity} entity @param {Map<string, number>} tops @param {number} unit @param {number} x */
function node(entity, tops, unit, x) {
  const y = tops.get(entity.tag) ?? 0;
  const height = Math.max(3, entity.mentions.length * unit);
  const isKey = entity.side === "L";
  return svg(`g.doc-node.doc-hue-${entity.hue}`, {},
    svg("title", {}, `${entity.tag} ${entity.title}: ${numbered(entity.mentions.length, "mention")}`),
    svg("rect", { x, y, width: BAR, height, rx: 1.5 }),
    svg("text", {
      x: isKey ? x - 6 : x + BAR + 6, y: y + Math.max(10, height / 2 + 4), "text-anchor": isKey ? "end" : "start",
    }, `${entity.tag} · ${entity.mentions.length}`));
}
