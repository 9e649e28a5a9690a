/**
 * Flags and notes of errors. The browser keeps them for a key and a response, whatever report these are in;
 * where it keeps nothing, they last as long as the page. An export takes them along, and an import reads them.
 */

/**
 * @typedef {object} Remark what a reader says of an error
 * @property {boolean} flag
 * @property {string} note
 */

/** By place in the browser's store: remarks by error. @type {Map<string, Map<string, Remark>>} */
const flagsKept = new Map();
const FLAGS_NONE = Object.freeze({ flag: false, note: "" });

/** Where the remarks on a system are kept: by what is compared, and how. @param {any} summary @param {number} system */
function flagsPlace({ files, signature }, system) {
  const named = (/** @type {any} */ file) => file.sha256 ?? file.path;
  const key = files.find((/** @type {any} */ file) => file.role === "key");
  const responses = files.filter((/** @type {any} */ file) => file.role === "response");
  return ["corefscope", signature, named(key), named(responses[system])].join(" ");
}

/** @param {string} place */
function flagsOf(place) {
  const known = flagsKept.get(place) ?? flagsRead(place) ?? new Map();
  flagsKept.set(place, known);
  return known;
}

/** @param {string} place @returns {Map<string, Remark> | null} null where nothing is kept, or nothing of ours */
function flagsRead(place) {
  try {
    const kept = JSON.parse(localStorage.getItem(place) ?? "null");
    return kept && new Map(Object.entries(kept).map(([id, each]) => [id, flagsSaid(each)]));
  } catch {
    return null;
  }
}

/** A remark from outside. @param {any} given @returns {Remark} */
function flagsSaid(given) {
  const note = typeof given?.note === "string" ? given.note.trim() : "";
  return { flag: given?.flag === true, note };
}

/** @param {any} errors @param {any} summary @param {number} row @param {Partial<Remark>} change */
function flagsChange(errors, summary, row, change) {
  const place = flagsPlace(summary, errors.system[row]);
  // Read afresh: the same report may be open twice.
  const remarks = flagsRead(place) ?? flagsOf(place);
  const remark = { ...(remarks.get(errors.id[row]) ?? FLAGS_NONE), ...change };
  if (remark.flag || remark.note) remarks.set(errors.id[row], remark);
  else remarks.delete(errors.id[row]);
  flagsKept.set(place, remarks);
  flagsWrite(place);
}

/** @param {string} place */
function flagsWrite(place) {
  try {
    localStorage.setItem(place, JSON.stringify(Object.fromEntries(flagsOf(place))));
  } catch {
    // No store, or a full one: the page itself still knows.
  }
}

/** @param {any} errors @param {any} summary @param {number} row @returns {Remark} */
export function remarkOn(errors, summary, row) {
  return flagsOf(flagsPlace(summary, errors.system[row])).get(errors.id[row]) ?? FLAGS_NONE;
}

/** @param {any} errors @param {any} summary @param {number} row */
export function isFlagged(errors, summary, row) {
  return remarkOn(errors, summary, row).flag;
}

/** @param {any} errors @param {any} summary @param {number} row */
export function toggleFlag(errors, summary, row) {
  flagsChange(errors, summary, row, { flag: !isFlagged(errors, summary, row) });
}

/** @param {any} errors @param {any} summary @param {number} row @param {string} text "" for none */
export function writeNote(errors, summary, row, text) {
  flagsChange(errors, summary, row, { note: text.trim() });
}

/** @param {any} errors @param {any} summary @returns {number[]} */
export function flaggedRows(errors, summary) {
  const remarks = summary.systems.map((/** @type {any} */ _, /** @type {number} */ system) =>
    flagsOf(flagsPlace(summary, system)));
  // Mostly there are none, and then there is no need to look.
  if (!remarks.some((/** @type {Map<string, Remark>} */ each) => each.size)) return [];
  const rows = /** @type {number[]} */ ([...errors.id.keys()]);
  return rows.filter((row) => remarks[errors.system[row]].get(errors.id[row])?.flag);
}

/**
 * Take over flags and notes of an export; nothing is taken away.
 * @param {any} errors
 * @param {any} summary
 * @param {string} text records as JSON lines: {system, id, flag, note}
 * @returns {{taken: number, unknown: number}} how many were taken, and how many are of no error here
 */
export function importRemarks(errors, summary, text) {
  const said = text.split("\n").map(flagsRecord).filter((each) => each !== null);
  const numbers = new Map(summary.systems.map((/** @type {any} */ { name }, /** @type {number} */ at) => [name, at]));
  const ids = new Set(Array.from(errors.id, (id, row) => `${errors.system[row]} ${id}`));
  const here = said.filter(({ system, id }) => ids.has(`${numbers.get(system)} ${id}`));
  const places = new Set();
  for (const { system, id, remark } of here) {
    const place = flagsPlace(summary, numbers.get(system));
    const before = flagsOf(place).get(id) ?? FLAGS_NONE;
    flagsOf(place).set(id, { flag: before.flag || remark.flag, note: remark.note || before.note });
    places.add(place);
  }
  places.forEach(flagsWrite);
  return { taken: here.length, unknown: said.length - here.length };
}

/** A line of an export, if it has a flag or a note. @param {string} line */
function flagsRecord(line) {
  try {
    const { system, id, ...given } = JSON.parse(line);
    const remark = flagsSaid(given);
    return remark.flag || remark.note ? { system, id, remark } : null;
  } catch {
    return null;
  }
}
