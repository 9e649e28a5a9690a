/** The visible part of the document: its rows, its first token, and its box on the mini-map. */

/**
 * @typedef {import("./open.js").View} View
 */

/** How many pixels of the first line may be hidden. */
const SLACK = 6;

/** The top of the visible text, below the names of the sides. @param {View} view */
export function topEdge(view) {
  return view.scroll.getBoundingClientRect().top + view.heads.offsetHeight;
}

/** The first visible token. @param {View} view */
export function topToken(view) {
  const at = rowsSeen(view)[0];
  if (at === undefined) return 0;
  const edge = topEdge(view) + SLACK;
  const words = /** @type {NodeListOf<HTMLElement>} */ (
    view.rowElements[at].querySelectorAll(".doc-cell:nth-child(2) [data-t]"));
  for (const word of words) if (word.getBoundingClientRect().bottom > edge) return Number(word.dataset.t);
  // Only the edge of the row is visible, but none of its words.
  const { first, last } = view.shown.rows[at];
  return words.length ? Math.min(last + 1, view.shown.text.words.length - 1) : first;
}

/** The first and last visible row. @param {View} view @param {number} [margin] pixels @returns {number[]} */
export function rowsSeen(view, margin = 0) {
  const parts = [...view.text.children].filter((part) => part.getElementsByClassName("doc-row").length);
  if (!parts.length) return [];
  const find = (/** @type {number} */ y) => {
    const rows = [...lastAbove(parts, y).getElementsByClassName("doc-row")];
    return Number(/** @type {HTMLElement} */ (lastAbove(rows, y)).dataset.row);
  };
  return [find(topEdge(view) + 1 - margin), find(view.scroll.getBoundingClientRect().bottom - 1 + margin)];
}

/**
 * The last element that begins above a position, or the first.
 * @param {Element[]} elements @param {number} y
 */
function lastAbove(elements, y) {
  let [low, high] = [0, elements.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (elements[middle].getBoundingClientRect().top <= y) low = middle;
    else high = middle - 1;
  }
  return elements[low];
}

/** Whether a token is visible on either side. @param {View} view @param {number} token */
export function isTokenSeen(view, token) {
  const { bottom } = view.scroll.getBoundingClientRect();
  const edge = topEdge(view);
  return [...view.text.querySelectorAll(`[data-t="${token}"]`)].some((word) => {
    const place = word.getBoundingClientRect();
    return place.top >= edge && place.bottom <= bottom;
  });
}

/** Mark the visible part of the document on the mini-map. @param {View} view @param {number[]} [seen] the first and last row */
export function mapBox(view, seen = rowsSeen(view)) {
  const { rows, text: { words } } = view.shown;
  const [first, last] = seen;
  if (first === undefined || !view.box) return;
  const [from, to] = [rows[first].first / words.length, (rows[last].last + 1) / words.length];
  view.box.setAttribute("y", `${from * 100}%`);
  view.box.setAttribute("height", `${Math.max(0.8, (to - from) * 100)}%`);
  view.map.setAttribute("aria-valuenow", String(Math.round(from * 100)));
  view.map.setAttribute("aria-valuetext", `sentence ${rows[first].sentence}`);
}
