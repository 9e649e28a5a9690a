/** Spans as numbers, for fast lookup, and lists in maps. */

/** More than any document has. */
const MOST_TOKENS = 1e7;

/** A span as one number. @param {number} first @param {number} last */
export function spanKey(first, last) {
  return first * MOST_TOKENS + last;
}

/**
 * Add a value to the list under a name.
 * @template Name, Value
 * @param {Map<Name, Value[]>} lists @param {Name} name @param {Value} value
 */
export function addTo(lists, name, value) {
  const found = lists.get(name);
  if (found) found.push(value);
  else lists.set(name, [value]);
}

/** "tokens 3–4". @param {import("../types.js").ErrorColumns} errors @param {number} row */
export function spanText({ start, end }, row) {
  return start[row] === end[row] ? `token ${start[row]}` : `tokens ${start[row]}–${end[row]}`;
}
