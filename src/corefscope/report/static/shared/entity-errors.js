/** The errors of a document, and of an entity: their number and types, and a link to them. */
import { counted, h, label } from "./dom.js";
import { facet } from "./facets.js";
import { linkToOnly } from "./links.js";
import { addTo } from "./spans.js";

/**
 * @typedef {import("./facets.js").Context} Context
 */

/** Rows of a table of errors, by system, document and entity. @type {WeakMap<import("../types.js").ErrorColumns, Map<string, number[]>>} */
const errorRows = new WeakMap();

/**
 * The errors of a system in a document.
 * @param {Context} context @param {number} system @param {string} name of the document
 */
export function documentErrors({ errors, summary }, system, name) {
  const document = summary.documents.findIndex((each) => each.name === name);
  const rows = [];
  for (let row = 0; row < errors.id.length; row++) {
    if (errors.document[row] === document && errors.system[row] === system) rows.push(row);
  }
  return rows;
}

/**
 * The errors of a system that concern an entity.
 * @param {Context} context @param {number} system @param {number} document @param {string} entity
 */
export function entityErrors(context, system, document, entity) {
  const { errors } = context;
  let found = errorRows.get(errors);
  if (!found) errorRows.set(errors, (found = findErrors(errors)));
  return found.get(`${system} ${document} ${entity}`) ?? [];
}

/** @param {import("../types.js").ErrorColumns} errors @returns {Map<string, number[]>} */
function findErrors(errors) {
  /** @type {Map<string, number[]>} */
  const found = new Map();
  for (let row = 0; row < errors.id.length; row++) {
    addTo(found, `${errors.system[row]} ${errors.document[row]} ${errors.entity[row]}`, row);
  }
  return found;
}

/**
 * A link to all errors of an entity, with their number or other contents.
 * @param {Context} context @param {number[]} rows @param {import("./dom.js").Child} [content]
 */
export function entityErrorLink(context, rows, content = counted(rows.length)) {
  const [first] = rows;
  const filters = { entity: [facet("entity").value(context, first)] };
  return h("a", linkToOnly(context.errors.system[first], filters, rows.length), content);
}

/** Errors by type: "2 × missing mention". @param {import("../types.js").ErrorColumns} errors @param {number[]} rows */
export function entityErrorTypes(errors, rows) {
  /** @type {Map<string, number>} */
  const types = new Map();
  for (const row of rows) types.set(errors.type[row], (types.get(errors.type[row]) ?? 0) + 1);
  return [...types].map(([type, count]) => `${counted(count)} × ${label(type).toLowerCase()}`).join(", ");
}
