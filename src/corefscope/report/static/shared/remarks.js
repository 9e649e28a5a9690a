/**
 * Flags and notes of errors. The browser stores them for a key and a response, independent of the report; without
 * storage, they last until the page is closed. An export includes them, and an import reads them.
 */
import { h } from "./dom.js";

/**
 * @typedef {object} Remark a flag and a note on an error
 * @property {boolean} flag
 * @property {string} note
 */

/**
 * By system: all remarks, and those that could not be stored.
 * @type {Map<number, {known: Map<string, Remark>, unsaved: Map<string, Remark>}>}
 */
const remarksBySystem = new Map();
const NO_REMARK = Object.freeze({ flag: false, note: "" });

/**
 * The storage key of the remarks on a system, made of the files and the signature. Data that did not come from files
 * cannot be identified and has no storage key.
 * @param {import("../types.js").Summary} summary @param {number} system @returns {string | null}
 */
function storageKey({ files, signature }, system) {
  const key = files.find((file) => file.role === "key");
  const response = files.filter((file) => file.role === "response")[system];
  return key?.sha256 && response.sha256 ? ["corefscope", signature, key.sha256, response.sha256].join(" ") : null;
}

/** @param {import("../types.js").Summary} summary @param {number} system */
function remarksOf(summary, system) {
  return (remarksBySystem.get(system) ?? mergeRemarks(summary, system)).known;
}

/**
 * Read the stored remarks again, because the report may be open twice, and add those that could not be stored.
 * @param {import("../types.js").Summary} summary @param {number} system
 */
function mergeRemarks(summary, system) {
  const { known, unsaved } = remarksBySystem.get(system) ?? { known: new Map(), unsaved: new Map() };
  const merged = { known: new Map([...readRemarks(storageKey(summary, system)) ?? known, ...unsaved]), unsaved };
  remarksBySystem.set(system, merged);
  return merged;
}

/** @param {string | null} place @returns {Map<string, Remark> | null} null if nothing valid is stored */
function readRemarks(place) {
  try {
    const kept = JSON.parse((place && localStorage.getItem(place)) ?? "null");
    return kept && new Map(Object.entries(kept).map(([id, each]) => [id, asRemark(each)]));
  } catch {
    return null;
  }
}

/** A remark from untrusted data. @param {{flag?: unknown, note?: unknown} | null | undefined} given @returns {Remark} */
function asRemark(given) {
  const note = typeof given?.note === "string" ? given.note.trim() : "";
  return { flag: given?.flag === true, note };
}

/**
 * Change remarks on errors of a system.
 * @param {import("../types.js").Summary} summary @param {number} system @param {Array<[string, (before: Remark) => Remark]>} changes by error
 */
function changeRemark(summary, system, changes) {
  const { known, unsaved } = mergeRemarks(summary, system);
  for (const [id, change] of changes) {
    const remark = change(known.get(id) ?? NO_REMARK);
    known.set(id, remark);
    unsaved.set(id, remark);
  }
  if (isWritten(storageKey(summary, system), known)) unsaved.clear();
}

/** @param {string | null} place @param {Map<string, Remark>} known */
function isWritten(place, known) {
  if (!place) return false;
  try {
    const said = [...known].filter(([, { flag, note }]) => flag || note);
    localStorage.setItem(place, JSON.stringify(Object.fromEntries(said)));
    return true;
  } catch {
    // There is no storage, or it is full; the page still has the remarks.
    return false;
  }
}

/** @param {import("../types.js").ErrorColumns} errors @param {import("../types.js").Summary} summary @param {number} row @returns {Remark} */
export function remarkOn(errors, summary, row) {
  return remarksOf(summary, errors.system[row]).get(errors.id[row]) ?? NO_REMARK;
}

/** @param {import("../types.js").ErrorColumns} errors @param {import("../types.js").Summary} summary @param {number} row */
export function toggleFlag(errors, summary, row) {
  // The opposite of what is shown.
  const flag = !remarkOn(errors, summary, row).flag;
  changeRemark(summary, errors.system[row], [[errors.id[row], (before) => ({ ...before, flag })]]);
}

/** @param {import("../types.js").ErrorColumns} errors @param {import("../types.js").Summary} summary @param {number} row @param {string} text "" for none */
function writeNote(errors, summary, row, text) {
  changeRemark(summary, errors.system[row], [[errors.id[row], (before) => ({ ...before, note: text.trim() })]]);
}

/** @param {import("../types.js").ErrorColumns} errors @param {import("../types.js").Summary} summary @returns {number[]} */
export function flaggedRows(errors, summary) {
  const remarks = summary.systems.map((_, system) => remarksOf(summary, system));
  // Usually there are no remarks.
  if (!remarks.some((/** @type {Map<string, Remark>} */ each) => each.size)) return [];
  const rows = /** @type {number[]} */ ([...errors.id.keys()]);
  return rows.filter((row) => remarks[errors.system[row]].get(errors.id[row])?.flag);
}

/**
 * Add the flags and notes of an export; existing ones are not removed.
 * @param {import("../types.js").ErrorColumns} errors
 * @param {import("../types.js").Summary} summary
 * @param {string} text records as JSON lines: {system, id, flag, note}
 * @returns {{taken: number, unknown: number}} the numbers of imported and of unknown errors
 */
export function importRemarks(errors, summary, text) {
  const said = text.split("\n").map(record).filter((each) => each !== null);
  const numbers = new Map(summary.systems.map(({ name }, at) => [name, at]));
  const ids = new Set(Array.from(errors.id, (id, row) => `${errors.system[row]} ${id}`));
  const here = said.filter(({ system, id }) => ids.has(`${numbers.get(system)} ${id}`));
  for (const name of new Set(here.map(({ system }) => system))) {
    changeRemark(summary, numbers.get(name) ?? 0, here.filter(({ system }) => system === name).map(({ id, remark }) =>
      [id, (before) => ({ flag: before.flag || remark.flag, note: remark.note || before.note })]));
  }
  return { taken: here.length, unknown: said.length - here.length };
}

/** A line of an export, if it has a flag or a note. @param {string} line */
function record(line) {
  try {
    const { system, id, ...given } = JSON.parse(line);
    const remark = asRemark(given);
    return remark.flag || remark.note ? { system, id, remark } : null;
  } catch {
    return null;
  }
}

/**
 * The input of a note.
 * @param {import("./facets.js").Context} context @param {number} row
 * @param {() => void} done draws the note @param {() => void} leave takes the focus elsewhere
 */
export function noteInput({ errors, summary }, row, done, leave) {
  const before = remarkOn(errors, summary, row).note;
  const keep = (/** @type {string} */ text) => writeNote(errors, summary, row, text);
  const input = /** @type {HTMLInputElement} */ (h("input.errors-writing", {
    id: "errors-note", value: before, placeholder: "Note: Enter saves it, Esc discards it",
    "aria-label": "Note on this error",
    // Saved at once, in case the row is scrolled out of view.
    oninput: () => keep(input.value),
    onblur: done,
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Enter" && event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      if (event.key === "Escape") keep(before);
      // The input loses the focus, and the note is drawn.
      leave();
    },
  }));
  return input;
}
