/** Spans as numbers, for fast lookup, and lists in maps. */

/** More than any document has. */
const MOST_TOKENS = 1e7;

/** A span as one number. @param {number} first @param {number} last */
function spanKey(first, last) {
  return first * MOST_TOKENS + last;
}

/**
 * The mentions of an entity as numbers: the same for the same mention in other entities. A mention that its first and
 * last token do not identify, such as one with gaps, has a negative number.
 * @param {import("../types.js").EntityText} entity @returns {number[]}
 */
export function mentionKeys({ mentions, marks }) {
  return mentions.map(([first, last], place) => mentionKey(first, last, marks?.[place] ?? null));
}

/** The first mention of an error as such a number. @param {import("../types.js").ErrorColumns} errors @param {number} row */
export function errorKey({ start, end, mark }, row) {
  return mentionKey(start[row], end[row], mark[row]);
}

/** @param {number} first @param {number} last @param {number | null} mark */
function mentionKey(first, last, mark) {
  return mark === null ? spanKey(first, last) : -1 - mark;
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
