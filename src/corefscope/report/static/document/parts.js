/** The parts of mentions: a mention with gaps has several, and a zero that the key has no token for has none. */

/**
 * @typedef {[number, number]} Part its first and last token
 *
 * @typedef {object} ZeroPlace where a zero stands that the key has no token for
 * @property {number} order among all such zeros of the document
 * @property {boolean} isBefore whether it stands before the token of its mention, or after it
 */

/** Where zeros stand that the key has no token for, by mark. @param {import("../types.js").ReportText} text */
export function zeroPlaces({ absent }) {
  /** @type {Map<number, ZeroPlace>} */
  const places = new Map();
  absent.forEach(([mark, isBefore], order) => places.set(mark, { order, isBefore }));
  return places;
}

/** Compare zeros by their places. @param {{ zero: ZeroPlace | null }} one @param {{ zero: ZeroPlace | null }} other */
export function inTextOrder({ zero: one }, { zero: other }) {
  return (one?.order ?? 0) - (other?.order ?? 0);
}

/** The tokens of a mention, without those in gaps. @param {Part[]} parts */
export function* tokensOf(parts) {
  for (const [first, last] of parts) for (let token = first; token <= last; token++) yield token;
}

/** @param {Part[]} parts @param {number} token */
export function isIn(parts, token) {
  return parts.some(([first, last]) => first <= token && token <= last);
}

/** The number of tokens. @param {Part[]} parts */
export function sizeOf(parts) {
  return parts.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}

/** The number of tokens that two mentions share. @param {Part[]} parts @param {Part[]} others */
export function sharedTokens(parts, others) {
  let shared = 0;
  for (const [first, last] of parts) {
    for (const [from, to] of others) shared += Math.max(0, Math.min(last, to) - Math.max(first, from) + 1);
  }
  return shared;
}

/**
 * The parts of the first mention of an error.
 * @param {import("../types.js").ReportText} text its document @param {import("../types.js").ErrorColumns} errors @param {number} row
 * @returns {Part[]}
 */
export function partsOfError(text, { start, end, mark }, row) {
  const number = mark[row];
  return number === null ? [[start[row], end[row]]] : text.marked[number];
}
