/** Facets, and the rows of errors that match the filters. */
import { documentName, label } from "./dom.js";
import { state } from "./state.js";

/**
 * @typedef {object} Context all data of the page except the texts
 * @property {import("../types.js").Summary} summary
 * @property {import("../types.js").ErrorColumns} errors columns of the table of errors
 *
 * @typedef {object} Facet
 * @property {string} id the name in the address
 * @property {(context: Context) => string} title
 * @property {(context: Context, row: number) => string} value
 * @property {(value: string, context: Context) => string} show
 * @property {(summary: import("../types.js").Summary) => boolean} [isIdle] whether all errors have the same value
 *
 * @typedef {object} Known data that is derived from the table of errors once
 * @property {number[]} firsts the first row of each system
 * @property {string[]} makers by row: the letters of the systems that make the same error
 * @property {Map<string, string>} forms the most frequent spelling of each lower-case text
 * @property {Map<string, string>} titles by document and entity
 */

export const SIZES = ["1", "2", "3–5", "6–10", "more than 10"];
export const DISTANCES = ["first of its entity", "up to 10 tokens", "11–50", "51–200", "more than 200"];
export const MENTION_TYPES = ["name", "nominal", "pronoun", "zero", "unknown"];
/** What the other system does instead of an error; its own errors are not compared with themselves. */
const CHANGES = /** @type {Record<string, (letter: string) => string>} */ ({
  right: (letter) => `${letter} is right`, same: (letter) => `${letter} makes the same error`,
  differently: (letter) => `${letter} makes a different error`, own: (letter) => `${letter}'s own errors`,
});
/** The meaning of the marks of changes between two systems. @type {Record<string, string>} */
export const CHANGE_MARKS = { "=": "same", "~": "differently", "-": "right", "+": "right" };

/** @param {number} size */
function bucket(size) {
  return SIZES[size <= 2 ? size - 1 : size <= 5 ? 2 : size <= 10 ? 3 : 4];
}

/** @param {number | null} tokens */
function distanceBucket(tokens) {
  if (tokens === null) return DISTANCES[0];
  return DISTANCES[tokens <= 10 ? 1 : tokens <= 50 ? 2 : tokens <= 200 ? 3 : 4];
}

/** @type {Facet[]} */
export const FACETS = [
  { id: "type", title: () => "Error type", value: ({ errors }, row) => errors.type[row], show: label },
  { id: "mention_type", title: () => "Type of the first mention", value: ({ errors }, row) => errors.mention_type[row], show: plain },
  {
    id: "system",
    title: () => "System",
    value: ({ errors }, row) => String(errors.system[row]),
    show: (value, { summary }) => systemName(summary, Number(value)),
    isIdle: isAlone,
  },
  {
    id: "change",
    title: ({ summary }) => `Against ${systemName(summary, versus())}`,
    value: changeOf,
    show: (value, { summary }) =>
      Object.hasOwn(CHANGES, value) ? CHANGES[value](summary.systems[versus()]?.letter ?? "?") : value,
    isIdle: isAlone,
  },
  {
    id: "makers",
    title: () => "Made by",
    value: (context, row) => known(context).makers[row],
    show: (value, { summary }) => value.split(" ").length === summary.systems.length ? "all systems" : `${value} only`,
    isIdle: isAlone,
  },
  {
    id: "document",
    title: () => "Document",
    value: ({ errors }, row) => String(errors.document[row]),
    show: (value, { summary }) => documentName(summary.documents[Number(value)]?.name ?? `no document ${value}`),
  },
  {
    id: "entity_type",
    title: () => "Entity type",
    value: ({ errors }, row) => errors.entity_type[row] ?? "null",
    show: (value) => value === "null" ? "no name" : value,
  },
  {
    id: "distance",
    title: () => "Distance to the previous mention",
    value: ({ errors }, row) => distanceBucket(errors.distance[row]),
    show: plain,
  },
  { id: "entity", title: () => "Entity", value: entityOf, show: showEntity },
  { id: "size", title: () => "Mentions in the error", value: ({ errors }, row) => bucket(errors.size[row]), show: plain },
  {
    id: "text",
    title: () => "Text of the first mention",
    value: ({ errors }, row) => (errors.text[row] ?? "").toLowerCase(),
    show: (value, context) => known(context).forms.get(value) ?? value,
  },
];

/** @param {string} value */
function plain(value) {
  return value;
}

/** @param {import("../types.js").Summary} summary */
function isAlone(summary) {
  return summary.systems.length < 2;
}

/** The key, or the annotator in its place. @param {import("../types.js").Summary} summary */
export function keyName({ agreement, reference }) {
  return agreement ? agreement.annotators[reference ?? 0] : "Key";
}

/** The letter and name of a system. @param {import("../types.js").Summary} summary @param {number} number */
export function systemName(summary, number) {
  const system = summary.systems[number];
  return system ? `${system.letter} ${system.name}` : `no system ${number}`;
}

/** The value of an entity in the address; key entities are the same for all systems. @param {Context} context @param {number} row */
function entityOf({ errors, summary }, row) {
  const of = errors.entity[row].startsWith("K") ? "" : `/${summary.systems[errors.system[row]].letter}`;
  return `${errors.document[row]}/${errors.entity[row]}${of}`;
}

/** @param {string} value @param {Context} context */
function showEntity(value, context) {
  const [document, name, letter] = value.split("/");
  const title = known(context).titles.get(value) ?? "";
  const where = documentName(context.summary.documents[Number(document)]?.name ?? "?");
  return `${name}${letter ? ` of ${letter}` : ""} ${title} · ${where}`;
}

/** @param {string} id @returns {Facet} */
export function facet(id) {
  const found = FACETS.find((each) => each.id === id);
  if (!found) throw new Error(`no facet ${id}`);
  return found;
}

/** @type {WeakMap<import("../types.js").ErrorColumns, Known>} */
const knownOf = new WeakMap();

/** @param {Context} context @returns {Known} */
export function known(context) {
  let found = knownOf.get(context.errors);
  if (!found) knownOf.set(context.errors, (found = findOut(context)));
  return found;
}

/** @param {Context} context @returns {Known} */
function findOut(context) {
  const { errors, summary } = context;
  /** @type {number[]} */
  const firsts = [];
  /** @type {Map<string, string>} */
  const titles = new Map();
  /** @type {Map<string, Map<string, number>>} */
  const written = new Map();
  /** @type {Map<string, string[]>} */
  const letters = new Map();
  for (let row = 0; row < errors.id.length; row++) {
    firsts[errors.system[row]] ??= row;
    titles.set(entityOf(context, row), errors.title[row]);
    count(written, errors.text[row] ?? "");
    const making = letters.get(errors.id[row]) ?? [];
    const { letter } = summary.systems[errors.system[row]];
    if (!making.includes(letter)) letters.set(errors.id[row], [...making, letter]);
  }
  const forms = new Map([...written].map(([text, ways]) => [text, [...ways].sort((a, b) => b[1] - a[1])[0][0]]));
  const makers = errors.id.map((/** @type {string} */ id) => (letters.get(id) ?? []).join(" "));
  return { firsts, titles, forms, makers };
}

/** @param {Map<string, Map<string, number>>} written @param {string} text */
function count(written, text) {
  const small = text.toLowerCase();
  let ways = written.get(small);
  if (!ways) written.set(small, (ways = new Map()));
  ways.set(text, (ways.get(text) ?? 0) + 1);
}

/** The system that the active system is compared with. */
export function versus() {
  const { system, versus: asked } = state();
  if (asked !== null && asked !== system) return asked;
  return system === 0 ? 1 : 0;
}

/**
 * What the other system does instead of an error: it is right, makes the same error, or a different one.
 * @param {Context} context @param {number} row
 */
function changeOf(context, row) {
  const { errors, summary } = context;
  const own = errors.system[row];
  if (own === versus()) return "own";
  const pair = changesOf(summary, own, versus());
  if (!pair) return "same";
  const marks = pair.before === own ? pair.of_before : pair.of_after;
  return CHANGE_MARKS[marks[row - known(context).firsts[own]]];
}

/** The changes between two systems, in either order. @param {import("../types.js").Summary} summary @param {number} one @param {number} other */
export function changesOf(summary, one, other) {
  return summary.changes.find((pair) =>
    (pair.before === one && pair.after === other) || (pair.before === other && pair.after === one));
}

/**
 * The filters and the search, for the selected systems or the active one.
 * @returns {{filters: Record<string, string[]>, search: string}}
 */
export function chosen() {
  const { filters, search, system } = state();
  return { filters: { ...filters, system: filters.system ?? [String(system)] }, search };
}

/** Whether filters or a search are active. */
export function isFiltered() {
  const { filters, search } = state();
  return search.trim() !== "" || Object.keys(filters).some((id) => FACETS.some((each) => each.id === id));
}

/** Whether filters hide some errors of a system; the selection of systems does not count. */
export function isNarrowed() {
  const { filters, search } = state();
  return search.trim() !== "" || FACETS.some(({ id }) => id !== "system" && filters[id]?.length > 0);
}

/** The searchable text of an error, in lower case. @param {Context} context @param {number} row */
export function soughtIn({ errors, summary }, row) {
  return [
    errors.left[row], errors.text[row], errors.right[row], errors.description[row], errors.title[row],
    summary.documents[errors.document[row]].name,
  ].join(" ").toLowerCase();
}

/**
 * Return the rows that match filters and a search, in the order of the table.
 * @param {Context} context
 * @param {{filters: Record<string, string[]>, search: string}} wanted
 * @returns {number[]}
 */
export function rowsMatching(context, { filters, search }) {
  const tests = Object.entries(filters)
    .filter(([id, values]) => values.length && FACETS.some((each) => each.id === id))
    .map(([id, values]) => ({ value: facet(id).value, values: new Set(values) }));
  const text = search.trim().toLowerCase();
  const rows = [];
  for (let row = 0; row < context.errors.id.length; row++) {
    if (!tests.every(({ value, values }) => values.has(value(context, row)))) continue;
    if (text && !soughtIn(context, row).includes(text)) continue;
    rows.push(row);
  }
  return rows;
}

/**
 * Return filters with a value switched on or off.
 * @param {Record<string, string[]>} filters
 * @param {string} id
 * @param {string} value
 * @returns {Record<string, string[]>}
 */
export function toggled(filters, id, value) {
  const values = filters[id] ?? [];
  const others = values.filter((each) => each !== value);
  const { [id]: _, ...rest } = filters;
  const left = others.length < values.length ? others : [...values, value];
  return left.length ? { ...filters, [id]: left } : rest;
}

/**
 * Make another system active, and keep the selected error if that system makes it as well, or else its key entity.
 * @param {Context} context
 * @param {number} number
 * @param {number | null} [error] the selected error
 * @returns {Partial<import("./state.js").State>}
 */
export function forSystem({ errors }, number, error = state().error) {
  const { entity, filters } = state();
  const { system: _, ...others } = filters;
  const change = { system: number, filters: others };
  if (error === null || errors.id[error] === undefined) return { ...change, entity: entity?.startsWith("K") ? entity : null };
  const same = errors.id.findIndex((/** @type {string} */ id, /** @type {number} */ row) =>
    id === errors.id[error] && errors.system[row] === number);
  if (same >= 0) return { ...change, error: same, entity: null };
  return { ...change, error: null, entity: keyEntityOf(errors, error) };
}

/** The key entity of an error, if there is one. @param {import("../types.js").ErrorColumns} errors @param {number} row @returns {string | null} */
export function keyEntityOf(errors, row) {
  return [errors.entity[row], errors.other[row]].find((tag) => tag?.startsWith("K")) ?? null;
}
