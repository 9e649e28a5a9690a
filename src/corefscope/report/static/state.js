/** What is shown, kept in the address: every view is a link. */

/**
 * @typedef {object} State
 * @property {string} tab overview, systems, errors, document, entities, names, statistics, data
 * @property {number} document the number of the open document
 * @property {number} system the active system
 * @property {number | null} error the row of the selected error
 * @property {string | null} entity the pinned entity: "K3" or "R7"
 * @property {string} view side, overlay, diff or read
 * @property {Record<string, string[]>} filters chosen values by facet
 * @property {string} search
 */

/** @type {State} */
const INITIAL = {
  tab: "overview", document: 0, system: 0, error: null, entity: null, view: "side", filters: {}, search: "",
};

/** @type {State} */
let current = { ...INITIAL };
/** @type {Array<(state: State, before: State) => void>} */
const listeners = [];

/** What there is to show: an address that asks for more gets the first. */
let bounds = { tabs: /** @type {string[]} */ ([]), documents: Infinity, systems: Infinity };

/** @param {{tabs: string[], documents: number, systems: number}} known */
export function setBounds(known) {
  bounds = known;
}

/** @returns {State} */
export function state() {
  return current;
}

/** Hear of every change. @param {(state: State, before: State) => void} listener */
export function onChange(listener) {
  listeners.push(listener);
}

/**
 * Change what is shown, and the address with it.
 * @param {Partial<State>} change
 * @param {{replace?: boolean}} [how] replace: without a step in the history
 */
export function go(change, how = {}) {
  const before = current;
  current = { ...current, ...change };
  writeAddress(`#${toHash(current)}`, how.replace === true);
  for (const listener of listeners) listener(current, before);
}

/** @param {string} address @param {boolean} replace */
function writeAddress(address, replace) {
  if (address === location.hash) return;
  try {
    if (replace) history.replaceState(null, "", address);
    else history.pushState(null, "", address);
  } catch {
    // A frame of a notebook has no address of its own: there the state is only kept.
  }
}

/** Take the state from the address. */
export function readAddress() {
  const before = current;
  current = fromHash(location.hash.slice(1));
  for (const listener of listeners) listener(current, before);
}

/** @param {State} shown */
export function toHash(shown) {
  const parts = new URLSearchParams();
  for (const name of ["tab", "document", "system", "error", "entity", "view", "search"]) {
    const value = /** @type {any} */ (shown)[name];
    if (value !== /** @type {any} */ (INITIAL)[name]) parts.set(name, String(value));
  }
  for (const [facet, values] of Object.entries(shown.filters)) {
    for (const value of values) parts.append(`f.${facet}`, value);
  }
  return parts.toString();
}

/** @param {string} hash @returns {State} */
export function fromHash(hash) {
  const parts = new URLSearchParams(hash);
  // Without a prototype: an address may name any facet, "constructor" as well.
  /** @type {Record<string, string[]>} */
  const filters = Object.create(null);
  for (const [name, value] of parts) {
    if (name.startsWith("f.")) (filters[name.slice(2)] ??= []).push(value);
  }
  const number = (/** @type {string} */ name, /** @type {number} */ count) => {
    const found = Math.max(0, parseInt(parts.get(name) ?? "0", 10) || 0);
    return found < count ? found : 0;
  };
  const error = parts.get("error");
  return {
    tab: bounds.tabs.find((tab) => tab === parts.get("tab")) ?? INITIAL.tab,
    document: number("document", bounds.documents),
    system: number("system", bounds.systems),
    error: error === null || error === "null" ? null : Number(error),
    entity: parts.get("entity"),
    view: parts.get("view") ?? INITIAL.view,
    filters,
    search: parts.get("search") ?? "",
  };
}
