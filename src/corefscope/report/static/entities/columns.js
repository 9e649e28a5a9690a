/** The columns of the tables of entities: their cells and sort keys. */
import { counted, fixed, h, numbered, svg } from "../shared/dom.js";
import { linkTo } from "../shared/links.js";
import { entityErrorLink, entityErrors, entityErrorTypes } from "../shared/entity-errors.js";

/**
 * @typedef {import("./model.js").EntityRow} EntityRow
 *
 * @typedef {object} EntitiesView what the tables are drawn from
 * @property {import("../shared/facets.js").Context} context
 * @property {number} document
 * @property {number} system
 * @property {import("../types.js").ReportText} text
 *
 * @typedef {object} EntitiesColumn
 * @property {string} id
 * @property {string} title
 * @property {string} [hint]
 * @property {boolean} [isNumber]
 * @property {boolean} [isMostFirst] whether the first click sorts the largest first
 * @property {(row: EntityRow, view: EntitiesView) => string | number} key
 * @property {(row: EntityRow, view: EntitiesView) => import("../shared/dom.js").Child} cell
 * @property {(row: EntityRow, view: EntitiesView) => Record<string, unknown>} [about] properties of the cell
 */

const STRIP_WIDTH = 120;
/** How many parts of an entity a cell shows. */
const PARTS = 4;

/** @param {string} name K3 */
function number(name) {
  return Number(name.slice(1)) || 0;
}

/** A link to the document with the entity pinned. @param {string} name @param {import("../shared/dom.js").Child} [content] */
function link(name, content = name) {
  return h("a", linkTo({ tab: "document", entity: name }), content);
}

/** @param {{name: string, title: string}} entity */
function named({ name, title }) {
  return [link(name), " ", h("bdi.entities-words", {}, title)];
}

/**
 * A share in whole percent; 100 % means all and 0 % means none, without rounding.
 * @param {number} share
 */
function percent(share) {
  const rounded = Math.round(100 * share);
  return `${share > 0 && share < 1 ? Math.min(99, Math.max(1, rounded)) : rounded} %`;
}

/**
 * A column of fractions.
 * @param {string} id @param {string} title @param {string} hint @param {(row: EntityRow) => number} key
 * @param {(row: EntityRow) => boolean} isKnown @returns {EntitiesColumn}
 */
function fraction(id, title, hint, key, isKnown) {
  return {
    id, title, hint, isNumber: true, key, cell: (row) => isKnown(row) && percent(key(row)),
    about: (row) => isKnown(row) ? { class: "number entities-share", style: { "--share": `${100 * key(row)}%` } } : {},
  };
}

/** Zeros are grey. @param {number} value */
function quiet(value) {
  return { class: value ? "number" : "number soft" };
}

/**
 * The part of the document between its first and last mention, in tokens.
 * @param {EntityRow} row @returns {[number, number]}
 */
function range(row) {
  return [row.mentions[0]?.[0] ?? 0, row.mentions.reduce((most, [, end]) => Math.max(most, end), 0)];
}

/** @param {EntityRow} row @param {EntitiesView} view */
function where(row, { text }) {
  const [first, last] = range(row);
  const share = percent((last - first + 1) / Math.max(1, text.words.length));
  const alone = `${counted(row.lost)} of ${numbered(row.mentions.length, "mention")} not on the other side`;
  return `tokens ${first + 1} to ${last + 1}, ${share} of the document; ${alone}`;
}

/**
 * The positions of its mentions; mentions that the other side lacks are rings.
 * @param {EntityRow} row @param {EntitiesView} view
 */
function strip(row, view) {
  const length = Math.max(1, view.text.words.length);
  const at = (/** @type {number} */ token) => Math.round(2 * (2 + ((STRIP_WIDTH - 8) * token) / length)) / 2;
  const [first, last] = range(row);
  // Marks on the same half pixel are drawn once, because an entity may have thousands of mentions.
  const [bars, rings] = [true, false].map((is) =>
    [...new Set(row.mentions.filter((_, place) => row.found[place] === is).map(([start]) => at(start)))]);
  const properties = { role: "img", width: STRIP_WIDTH, height: 16, "aria-label": where(row, view) };
  return svg("svg.entities-strip", properties,
    svg("line.entities-span", { x1: at(first), x2: at(last) + 2, y1: 8, y2: 8 }),
    bars.length > 0 && svg("path.entities-found", { d: bars.map((x) => `M${x} 2h2.5v12h-2.5z`).join("") }),
    rings.length > 0 && svg(row.name.startsWith("K") ? "path.entities-lost" : "path.entities-extra", {
      d: rings.map((x) => `M${x - 1} 8a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0z`).join(""),
    }));
}

/**
 * The entities of the other side that contain its mentions; another column has the title of the best.
 * @param {EntityRow} row
 */
function partsCell(row) {
  const parts = row.parts.slice(0, PARTS).map(({ name, title, count }) => h("span.entities-part", { title },
    `${counted(count)} × `, link(name), name !== row.best?.name && [" ", h("bdi.entities-words", {}, title)]));
  const more = row.parts.length - PARTS;
  if (more > 0) parts.push(h("span.entities-part", {}, link(row.name, `and ${counted(more)} more`)));
  return parts.length ? parts : "none";
}

/** @param {EntityRow} row @param {EntitiesView} view */
function errorsOf(row, { context, system, document }) {
  return entityErrors(context, system, document, row.name);
}

/** @param {EntityRow} row @param {EntitiesView} view */
function errorCell(row, view) {
  const rows = errorsOf(row, view);
  return rows.length ? entityErrorLink(view.context, rows) : "0";
}

/** @param {EntityRow} row @param {EntitiesView} view */
function errorHint(row, view) {
  const rows = errorsOf(row, view);
  return { ...quiet(rows.length), title: entityErrorTypes(view.context.errors, rows) || null };
}

/** @param {EntityRow} row */
function none(row) {
  if (row.name.startsWith("R")) return "none";
  return row.parts.length ? "none: its mentions are in other entities" : "none: no mention was found";
}

/** @type {EntitiesColumn[]} */
const WHO = [
  {
    id: "entity", title: "Entity", key: (row) => number(row.name), cell: named,
    about: ({ title }) => ({ title }),
  },
  {
    id: "type", title: "Type", hint: "type of its name; empty if it has none",
    key: (row) => row.type || "\uffff", cell: (row) => row.type,
  },
  {
    id: "size", title: "Size", isNumber: true, isMostFirst: true, hint: "number of mentions",
    key: (row) => row.mentions.length, cell: (row) => counted(row.mentions.length),
  },
  {
    id: "span", title: "In the document", isMostFirst: true,
    hint: "bar: mention on both sides; ring: mention only on this side",
    key: (row) => range(row)[1] - range(row)[0], cell: strip,
    about: (row, view) => ({ title: where(row, view) }),
  },
];

/** @param {string} title @param {string} hint @returns {EntitiesColumn} */
function best(title, hint) {
  return {
    id: "best", title, hint, key: (row) => row.best ? number(row.best.name) : Infinity,
    cell: (row) => row.best ? named(row.best) : none(row),
    about: (row) => row.best ? { title: row.best.title } : { class: "soft" },
  };
}

const FIGURES = [
  fraction("purity", "Purity",
    "precision: share of the response entity's mentions that are in the key entity",
    (row) => row.purity, (row) => row.best !== null),
  fraction("completeness", "Completeness",
    "recall: share of the key entity's mentions that are in the response entity",
    (row) => row.completeness, (row) => row.best !== null),
  fraction("f1", "F1", "harmonic mean of purity and completeness", (row) => row.f1, () => true),
];

/** @param {string} of recall or precision @returns {EntitiesColumn[]} */
function losses(of) {
  return [
    {
      id: "cost", title: "Cost", isNumber: true, isMostFirst: true,
      hint: `points of CoNLL ${of} that it costs, computed without singletons`,
      key: (row) => row.cost, cell: ({ cost }) => cost ? fixed(100 * cost, 2) : "0",
      about: ({ cost }) => quiet(cost),
    },
    {
      id: "errors", title: "Errors", isNumber: true, isMostFirst: true, hint: "its errors; click to list them",
      key: (row, view) => errorsOf(row, view).length, cell: errorCell, about: errorHint,
    },
  ];
}

/** @param {string} id @param {string} title @param {string} side @returns {EntitiesColumn} */
function loneCount(id, title, side) {
  return {
    id, title, isNumber: true, isMostFirst: true, hint: `mentions that are in no ${side} entity`,
    key: (row) => row.lost, cell: (row) => row.lost, about: (row) => quiet(row.lost),
  };
}

/** @type {EntitiesColumn[]} */
const KEY = [
  ...WHO, best("Best response", "the response entity that it is aligned with, one to one"),
  ...FIGURES, ...losses("recall"), loneCount("missing", "Missing", "response"),
  {
    id: "pieces", title: "Pieces", isMostFirst: true, hint: "response entities that contain its mentions",
    key: (row) => row.parts.length, cell: partsCell,
    about: (row) => ({ class: row.parts.length ? "entities-parts" : "soft" }),
  },
];

/** @type {EntitiesColumn[]} */
const RESPONSE = [
  ...WHO.filter(({ id }) => id !== "type"),
  best("Aligned with", "the key entity that it is aligned with, one to one"),
  ...FIGURES, ...losses("precision"), loneCount("extra", "Extra", "key"),
  {
    id: "mixes", title: "Key entities", isMostFirst: true, hint: "key entities that its mentions belong to",
    key: (row) => row.parts.length, cell: partsCell,
    about: (row) => ({ class: row.parts.length ? "entities-parts" : "soft" }),
  },
];

/**
 * The columns of a side; types are shown if names were measured.
 * @param {"key" | "response"} side @param {boolean} isNamed
 */
export function columnsFor(side, isNamed) {
  return side === "response" ? RESPONSE : KEY.filter(({ id }) => isNamed || id !== "type");
}
