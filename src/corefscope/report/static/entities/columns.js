/** The columns of the tables of entities: what a cell shows, and how rows are sorted by it. */
import { counted, fixed, h, numbered, svg } from "../shared/dom.js";
import { linkTo } from "../shared/links.js";
import { entitiesErrorLink, entitiesErrors, entitiesErrorTypes } from "../shared/entity-errors.js";

/**
 * @typedef {import("./model.js").EntityRow} EntityRow
 *
 * @typedef {object} EntitiesView what the tables are drawn from
 * @property {import("../shared/facets.js").Context} context
 * @property {number} document
 * @property {number} system
 * @property {any} text
 *
 * @typedef {object} EntitiesColumn
 * @property {string} id
 * @property {string} title
 * @property {string} [hint]
 * @property {boolean} [isNumber]
 * @property {boolean} [isMostFirst] whether the first click brings the largest to the top
 * @property {(row: EntityRow, view: EntitiesView) => string | number} key
 * @property {(row: EntityRow, view: EntitiesView) => any} cell
 * @property {(row: EntityRow, view: EntitiesView) => Record<string, any>} [about] properties of the cell
 */

const ENTITIES_STRIP = 120;
/** Parts of an entity that a cell has place for. */
const ENTITIES_PARTS = 4;

/** @param {string} name K3 */
function entitiesNumber(name) {
  return Number(name.slice(1)) || 0;
}

/** A link to the document with the entity pinned. @param {string} name @param {any} [content] */
function entitiesLink(name, content = name) {
  return h("a", linkTo({ tab: "document", entity: name }), content);
}

/** @param {{name: string, title: string}} entity */
function entitiesNamed({ name, title }) {
  return [entitiesLink(name), " ", h("bdi.entities-words", {}, title)];
}

/**
 * A share in whole per cents, since entities are small; only all is 100 %, and only nothing is 0 %.
 * @param {number} share
 */
function entitiesPercent(share) {
  const rounded = Math.round(100 * share);
  return `${share > 0 && share < 1 ? Math.min(99, Math.max(1, rounded)) : rounded} %`;
}

/**
 * A column of fractions.
 * @param {string} id @param {string} title @param {string} hint @param {(row: EntityRow) => number} key
 * @param {(row: EntityRow) => boolean} isKnown @returns {EntitiesColumn}
 */
function entitiesFraction(id, title, hint, key, isKnown) {
  return {
    id, title, hint, isNumber: true, key, cell: (row) => isKnown(row) && entitiesPercent(key(row)),
    about: (row) => isKnown(row) ? { class: "number entities-share", style: { "--share": `${100 * key(row)}%` } } : {},
  };
}

/** What is as it should be steps back. @param {number} value */
function entitiesQuiet(value) {
  return { class: value ? "number" : "number soft" };
}

/**
 * How much of the document lies between its first and its last mention, in tokens.
 * @param {EntityRow} row @returns {[number, number]}
 */
function entitiesRange(row) {
  return [row.mentions[0]?.[0] ?? 0, row.mentions.reduce((most, [, end]) => Math.max(most, end), 0)];
}

/** @param {EntityRow} row @param {EntitiesView} view */
function entitiesWhere(row, { text }) {
  const [first, last] = entitiesRange(row);
  const share = entitiesPercent((last - first + 1) / Math.max(1, text.words.length));
  const alone = `${counted(row.lost)} of ${numbered(row.mentions.length, "mention")} not on the other side`;
  return `tokens ${first + 1} to ${last + 1}, ${share} of the document; ${alone}`;
}

/**
 * Where in the document its mentions are; those that the other side lacks are rings.
 * @param {EntityRow} row @param {EntitiesView} view
 */
function entitiesStrip(row, view) {
  const length = Math.max(1, view.text.words.length);
  const at = (/** @type {number} */ token) => Math.round(2 * (2 + ((ENTITIES_STRIP - 8) * token) / length)) / 2;
  const [first, last] = entitiesRange(row);
  // What falls on the same half pixel is drawn once: the hero of a book has thousands of mentions.
  const [bars, rings] = [true, false].map((is) =>
    [...new Set(row.mentions.filter((_, place) => row.found[place] === is).map(([start]) => at(start)))]);
  const properties = { role: "img", width: ENTITIES_STRIP, height: 16, "aria-label": entitiesWhere(row, view) };
  return svg("svg.entities-strip", properties,
    svg("line.entities-span", { x1: at(first), x2: at(last) + 2, y1: 8, y2: 8 }),
    bars.length > 0 && svg("path.entities-found", { d: bars.map((x) => `M${x} 2h2.5v12h-2.5z`).join("") }),
    rings.length > 0 && svg(row.name.startsWith("K") ? "path.entities-lost" : "path.entities-extra", {
      d: rings.map((x) => `M${x - 1} 8a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0z`).join(""),
    }));
}

/**
 * The entities of the other side that its mentions are in; the title of the best stands in a column of its own.
 * @param {EntityRow} row
 */
function entitiesParts(row) {
  const parts = row.parts.slice(0, ENTITIES_PARTS).map(({ name, title, count }) => h("span.entities-part", { title },
    `${counted(count)} × `, entitiesLink(name), name !== row.best?.name && [" ", h("bdi.entities-words", {}, title)]));
  const more = row.parts.length - ENTITIES_PARTS;
  if (more > 0) parts.push(h("span.entities-part", {}, entitiesLink(row.name, `and ${counted(more)} more`)));
  return parts.length ? parts : "none";
}

/** @param {EntityRow} row @param {EntitiesView} view */
function entitiesErrorsOf(row, { context, system, document }) {
  return entitiesErrors(context, system, document, row.name);
}

/** @param {EntityRow} row @param {EntitiesView} view */
function entitiesErrorCell(row, view) {
  const rows = entitiesErrorsOf(row, view);
  return rows.length ? entitiesErrorLink(view.context, rows) : "0";
}

/** @param {EntityRow} row @param {EntitiesView} view */
function entitiesErrorHint(row, view) {
  const rows = entitiesErrorsOf(row, view);
  return { ...entitiesQuiet(rows.length), title: entitiesErrorTypes(view.context.errors, rows) || null };
}

/** @param {EntityRow} row */
function entitiesNone(row) {
  if (row.name.startsWith("R")) return "none";
  return row.parts.length ? "none: others have its mentions" : "none: nothing was found";
}

/** @type {EntitiesColumn[]} */
const ENTITIES_WHO = [
  {
    id: "entity", title: "Entity", key: (row) => entitiesNumber(row.name), cell: entitiesNamed,
    about: ({ title }) => ({ title }),
  },
  {
    id: "type", title: "Type", hint: "type of its name; empty where it has none",
    key: (row) => row.type || "\uffff", cell: (row) => row.type,
  },
  {
    id: "size", title: "Size", isNumber: true, isMostFirst: true, hint: "number of mentions",
    key: (row) => row.mentions.length, cell: (row) => counted(row.mentions.length),
  },
  {
    id: "span", title: "In the document", isMostFirst: true,
    hint: "bar: a mention that both sides have; ring: that only this side has",
    key: (row) => entitiesRange(row)[1] - entitiesRange(row)[0], cell: entitiesStrip,
    about: (row, view) => ({ title: entitiesWhere(row, view) }),
  },
];

/** @param {string} title @param {string} hint @returns {EntitiesColumn} */
function entitiesBest(title, hint) {
  return {
    id: "best", title, hint, key: (row) => row.best ? entitiesNumber(row.best.name) : Infinity,
    cell: (row) => row.best ? entitiesNamed(row.best) : entitiesNone(row),
    about: (row) => row.best ? { title: row.best.title } : { class: "soft" },
  };
}

const ENTITIES_FIGURES = [
  entitiesFraction("purity", "Purity",
    "precision of the entity: share of the response entity that is of the key entity",
    (row) => row.purity, (row) => row.best !== null),
  entitiesFraction("completeness", "Completeness",
    "recall of the entity: share of the key entity that is in the response entity",
    (row) => row.completeness, (row) => row.best !== null),
  entitiesFraction("f1", "F1", "of the two entities' mentions", (row) => row.f1, () => true),
];

/** @param {string} of recall or precision @returns {EntitiesColumn[]} */
function entitiesLosses(of) {
  return [
    {
      id: "cost", title: "Cost", isNumber: true, isMostFirst: true,
      hint: `points of the ${of} of the CoNLL score that it loses, counted without singletons`,
      key: (row) => row.cost, cell: ({ cost }) => cost ? fixed(100 * cost, 2) : "0",
      about: ({ cost }) => entitiesQuiet(cost),
    },
    {
      id: "errors", title: "Errors", isNumber: true, isMostFirst: true, hint: "errors about it; a click lists them",
      key: (row, view) => entitiesErrorsOf(row, view).length, cell: entitiesErrorCell, about: entitiesErrorHint,
    },
  ];
}

/** @param {string} id @param {string} title @param {string} side @returns {EntitiesColumn} */
function entitiesAlone(id, title, side) {
  return {
    id, title, isNumber: true, isMostFirst: true, hint: `mentions that are in no ${side} entity`,
    key: (row) => row.lost, cell: (row) => row.lost, about: (row) => entitiesQuiet(row.lost),
  };
}

/** @type {EntitiesColumn[]} */
const ENTITIES_KEY = [
  ...ENTITIES_WHO, entitiesBest("Best response", "the response entity that it is aligned with, one to one"),
  ...ENTITIES_FIGURES, ...entitiesLosses("recall"), entitiesAlone("missing", "Missing", "response"),
  {
    id: "pieces", title: "Pieces", isMostFirst: true, hint: "the response entities that its mentions are in",
    key: (row) => row.parts.length, cell: entitiesParts,
    about: (row) => ({ class: row.parts.length ? "entities-parts" : "soft" }),
  },
];

/** @type {EntitiesColumn[]} */
const ENTITIES_RESPONSE = [
  ...ENTITIES_WHO.filter(({ id }) => id !== "type"),
  entitiesBest("Aligned with", "the key entity that it is aligned with, one to one"),
  ...ENTITIES_FIGURES, ...entitiesLosses("precision"), entitiesAlone("extra", "Extra", "key"),
  {
    id: "mixes", title: "What it mixes", isMostFirst: true, hint: "the key entities that its mentions are of",
    key: (row) => row.parts.length, cell: entitiesParts,
    about: (row) => ({ class: row.parts.length ? "entities-parts" : "soft" }),
  },
];

/**
 * The columns of a side; types are shown where names were measured.
 * @param {"key" | "response"} side @param {boolean} isNamed
 */
export function entitiesColumns(side, isNamed) {
  return side === "response" ? ENTITIES_RESPONSE : ENTITIES_KEY.filter(({ id }) => isNamed || id !== "type");
}
