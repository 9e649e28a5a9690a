/** Links inside the page: an address that can be copied, and no new load when it is clicked. */
import { state, go, changed, toHash } from "./state.js";
import { versus } from "./facets.js";

/**
 * The properties of a link to another state; what is not changed stays.
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

/** The options of the moment, but all errors and each by itself: as many rows as were counted. */
function everyRow() {
  const { "errors.group": _, "errors.flagged": __, ...options } = state().options;
  return options;
}

/**
 * A link to errors: of one system, under the filters of the moment and some more.
 * @param {number} system
 * @param {Record<string, string[]>} filters an empty one takes that of the moment away
 * @param {number} count how many they are
 * @param {number | null} [other] the system that they are compared with
 */
export function linkToErrors(system, filters, count, other = state().versus) {
  const { change: became = [], ...others } = state().filters;
  // All errors of the other system are its own; once it is the active one, no filter says so.
  const kept = became.includes("own") && system === versus() ? [] : became;
  const asked = Object.entries({ ...others, change: kept, system: [], ...filters }).filter(([, values]) => values.length);
  const change = { tab: "errors", system, versus: other, options: everyRow(), filters: Object.fromEntries(asked) };
  return { ...linkTo(change), dataset: { count } };
}

/**
 * A link to all errors of a system that some filters choose, whatever else is filtered.
 * @param {number} system
 * @param {Record<string, string[]>} filters
 * @param {number} count how many they are
 */
export function linkToOnly(system, filters, count) {
  return { ...linkTo({ tab: "errors", system, options: everyRow(), search: "", filters }), dataset: { count } };
}

/** Where an error is seen. @param {import("../types.js").ErrorColumns} errors @param {number} row */
export function placeOf(errors, row) {
  return {
    tab: "document", document: errors.document[row], system: errors.system[row], error: row, entity: null, at: null,
  };
}
