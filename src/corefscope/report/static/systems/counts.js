/** Counts of errors that match the filters, and links to them. */
import { h, counted, label, typeMark } from "../shared/dom.js";
import { state } from "../shared/state.js";
import { isNarrowed, rowsMatching, versus } from "../shared/facets.js";

/** @typedef {import("../shared/facets.js").Context} Context */

/** @param {import("../types.js").Summary} summary @param {number} place */
export function badge(summary, place) {
  return h("span.systems-badge", { "aria-hidden": "true" }, summary.systems[place].letter);
}

/** A type of errors with its mark. @param {string} type */
export function typeName(type) {
  return [h("span.systems-mark", { "aria-hidden": "true" }, typeMark(type)), label(type)];
}

/** A note if filters are active. */
export function narrowedNote() {
  return isNarrowed() && " Only errors that match the filters above are counted.";
}

/** @type {{of: import("../types.js").ErrorColumns | null, rows: Map<string, number[][]>}} */
let keptRows = { of: null, rows: new Map() };

/**
 * The errors that match the filters, by system. They are cached, because the view is drawn at every change of state.
 * @param {Context} context
 * @returns {number[][]}
 */
export function filteredRows(context) {
  const { summary, errors } = context;
  const { system: _, ...filters } = state().filters;
  const choice = { filters, search: state().search };
  const under = JSON.stringify([choice, state().system, versus()]);
  if (keptRows.of !== errors || keptRows.rows.size > 20) keptRows = { of: errors, rows: new Map() };
  const kept = keptRows.rows.get(under);
  if (kept) return kept;
  /** @type {number[][]} */
  const rows = summary.systems.map(() => []);
  for (const row of rowsMatching(context, choice)) rows[errors.system[row]].push(row);
  keptRows.rows.set(under, rows);
  return rows;
}

/**
 * The system that one is compared with: the active system and its counterpart with each other, any other system with
 * the counterpart.
 * @param {import("../types.js").Summary} summary @param {number} place
 */
export function against(summary, place) {
  if (summary.systems.length < 2) return null;
  return place === versus() ? state().system : versus();
}

/**
 * A number that links to the errors it counts, unless it is 0.
 * @param {string} id
 * @param {string} what is counted, in words
 * @param {number} count
 * @param {() => Record<string, unknown>} link
 */
export function numberLink(id, what, count, link) {
  if (!count) return h("span.soft", { id }, "0");
  return h("a", { id, "aria-label": `${counted(count)} ${what}`, ...link() }, counted(count));
}
