/** Links inside the page: they have an address that can be copied, but do not reload the page. */
import { state, go, changed, toHash } from "./state.js";
import { versus } from "./facets.js";

/**
 * The properties of a link to another state; everything else stays the same.
 * @param {Partial<import("./state.js").State>} change
 */
export function linkTo(change) {
  const target = { error: null, ...(change.tab === "document" ? { at: null } : {}), ...change };
  return {
    href: `#${toHash(changed(target))}`,
    onclick: (/** @type {MouseEvent} */ event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      go(target);
    },
  };
}

/** The current options without grouping and flags, so that the table shows as many rows as were counted. */
function everyRow() {
  const { "errors.group": _, "errors.flagged": __, ...options } = state().options;
  return options;
}

/**
 * A link to the errors of one system that match the current filters and additional ones.
 * @param {number} system
 * @param {Record<string, string[]>} filters an empty list removes the current filter
 * @param {number} count the number of errors
 * @param {number | null} [other] the system to compare with
 */
export function linkToErrors(system, filters, count, other = state().versus) {
  const { change: became = [], ...others } = state().filters;
  // "own" means the errors of the other system; it is not needed once that system is active.
  const kept = became.includes("own") && system === versus() ? [] : became;
  const asked = Object.entries({ ...others, change: kept, system: [], ...filters }).filter(([, values]) => values.length);
  const change = { tab: "errors", system, versus: other, options: everyRow(), filters: Object.fromEntries(asked) };
  return { ...linkTo(change), dataset: { count } };
}

/**
 * A link to the errors of a system that match these filters; other filters are removed.
 * @param {number} system
 * @param {Record<string, string[]>} filters
 * @param {number} count the number of errors
 */
export function linkToOnly(system, filters, count) {
  return { ...linkTo({ tab: "errors", system, options: everyRow(), search: "", filters }), dataset: { count } };
}

/** The state that shows an error in its document. @param {import("../types.js").ErrorColumns} errors @param {number} row */
export function placeOf(errors, row) {
  return {
    tab: "document", document: errors.document[row], system: errors.system[row], error: row, entity: null, at: null,
  };
}
