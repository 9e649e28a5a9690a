/** The state of the page, which is kept in the address, so that every view has a link. */

/**
 * @typedef {object} State
 * @property {string} tab overview, systems, errors, document, entities, names, statistics, data
 * @property {number} document the number of the open document
 * @property {number} system the active system, whose errors are shown
 * @property {number | null} versus the system that it is compared with; null for the first other one
 * @property {number | null} error the row of the selected error
 * @property {string | null} entity the pinned entity: "K3" or "R7"
 * @property {number | null} at the first visible token of the document
 * @property {string} view side, overlay, diff or read
 * @property {Record<string, string[]>} filters selected values by facet; "system" only if several are selected
 * @property {string} search
 * @property {Record<string, string>} options other settings of views: sorting, grouping, drawing
 */

/** @type {State} */
const INITIAL = {
  tab: "overview", document: 0, system: 0, versus: null, error: null, entity: null, at: null, view: "side",
  filters: {}, search: "", options: {},
};
/** @type {Array<"tab" | "document" | "system" | "versus" | "error" | "entity" | "at" | "view" | "search">} */
const IN_ADDRESS = ["tab", "document", "system", "versus", "error", "entity", "at", "view", "search"];

/** @type {State} */
let current = { ...INITIAL };
/** @type {Array<(state: State, before: State) => void>} */
const listeners = [];

/** The limits of the state; values beyond them are replaced by the first. */
let bounds = { tabs: /** @type {string[]} */ ([]), documents: Infinity, systems: Infinity };

/** @param {{tabs: string[], documents: number, systems: number}} known */
export function setBounds(known) {
  bounds = known;
}

/** @returns {State} */
export function state() {
  return current;
}

/** The value of an option; "" is the default. @param {string} name "errors.sort" */
export function option(name) {
  return current.options[name] ?? "";
}

/**
 * Return the options with one of them changed; "" is the default.
 * @param {string} name
 * @param {string} value
 */
export function withOption(name, value) {
  const { [name]: _, ...others } = current.options;
  return { options: value ? { ...others, [name]: value } : others };
}

/** Register a listener for changes. @param {(state: State, before: State) => void} listener */
export function onChange(listener) {
  listeners.push(listener);
}

/**
 * Change the state and the address.
 * @param {Partial<State>} change
 * @param {{replace?: boolean}} [how] replace: without a step in the history
 */
export function go(change, how = {}) {
  const before = current;
  current = changed(change);
  writeAddress(toHash(current), how.replace === true);
  for (const listener of listeners) listener(current, before);
}

/** Update the address without redrawing. @param {Partial<State>} change */
export function noteInAddress(change) {
  current = { ...current, ...change };
  writeAddress(toHash(current), true);
}

/** The state after a change. @param {Partial<State>} change @returns {State} */
export function changed(change) {
  const isTurned = change.document !== undefined && change.document !== current.document;
  return settled({ ...current, ...(isTurned ? { at: null } : {}), ...change });
}

/** Normalize the state: a single selected system is the active one, not a filter. @param {State} asked @returns {State} */
function settled(asked) {
  const { system, ...filters } = asked.filters;
  const known = (system ?? []).filter((each) => /^\d+$/.test(each) && Number(each) < bounds.systems).map(Number);
  const chosen = [...new Set(known)];
  const active = chosen.includes(asked.system) ? asked.system : chosen[0] ?? asked.system;
  if (chosen.length < 2) return { ...asked, system: active, filters };
  return { ...asked, system: active, filters: { ...asked.filters, system: chosen.map(String) } };
}

/** @param {string} hash @param {boolean} replace */
function writeAddress(hash, replace) {
  // Compared without "#", because an address without a hash is the initial state.
  if (hash === location.hash.slice(1)) return;
  try {
    if (replace) history.replaceState(null, "", `#${hash}`);
    else history.pushState(null, "", `#${hash}`);
  } catch {
    // A frame in a notebook has no address; the state is only kept in memory.
  }
}

/** Read the state from the address. */
export function readAddress() {
  const before = current;
  current = settled(fromHash(location.hash.slice(1)));
  for (const listener of listeners) listener(current, before);
}

/** @param {State} shown */
export function toHash(shown) {
  const parts = new URLSearchParams();
  for (const name of IN_ADDRESS) {
    if (shown[name] !== INITIAL[name]) parts.set(name, String(shown[name]));
  }
  for (const [facet, values] of Object.entries(shown.filters)) {
    for (const value of values) parts.append(`f.${facet}`, value);
  }
  for (const [name, value] of Object.entries(shown.options)) parts.set(`o.${name}`, value);
  return parts.toString();
}

/** @param {string} hash @returns {State} */
function fromHash(hash) {
  const parts = new URLSearchParams(hash);
  // Without a prototype, because an address may name any facet, even "constructor".
  /** @type {Record<string, string[]>} */
  const filters = Object.create(null);
  /** @type {Record<string, string>} */
  const options = Object.create(null);
  for (const [name, value] of parts) {
    if (name.startsWith("f.")) (filters[name.slice(2)] ??= []).push(value);
    if (name.startsWith("o.")) options[name.slice(2)] = value;
  }
  return {
    tab: bounds.tabs.find((tab) => tab === parts.get("tab")) ?? INITIAL.tab,
    document: numberIn(parts, "document", bounds.documents) ?? 0,
    system: numberIn(parts, "system", bounds.systems) ?? 0,
    versus: numberIn(parts, "versus", bounds.systems),
    error: numberIn(parts, "error", Infinity),
    entity: parts.get("entity"),
    at: numberIn(parts, "at", Infinity),
    view: parts.get("view") ?? INITIAL.view,
    filters,
    search: parts.get("search") ?? "",
    options,
  };
}

/** A number below a limit, or null. @param {URLSearchParams} parts @param {string} name @param {number} count */
function numberIn(parts, name, count) {
  const asked = parts.get(name) ?? "";
  return /^\d+$/.test(asked) && Number(asked) < count ? Number(asked) : null;
}
