/** Which part of the document is seen: its rows, its first token, and its box on the mini-map. */

/** The first token that is seen. @param {any} view */
export function docTopToken(view) {
  const at = docRowsSeen(view)[0];
  return at === undefined ? 0 : view.model.rows[at].first;
}

/** The first and last row that are seen. @param {any} view @param {number} [margin] pixels @returns {number[]} */
export function docRowsSeen(view, margin = 0) {
  const places = view.places ??= Object.keys(view.rowElements).map(Number);
  if (!places.length) return [];
  const { top, bottom } = view.scroll.getBoundingClientRect();
  const find = (/** @type {number} */ y) => {
    let [low, high] = [0, places.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (view.rowElements[places[middle]].getBoundingClientRect().top <= y) low = middle;
      else high = middle - 1;
    }
    return places[low];
  };
  return [find(top + view.heads.offsetHeight + 1 - margin), find(bottom - 1 + margin)];
}

/** Show which part of the document is seen. @param {any} view */
export function docMapBox(view) {
  if (!view.model?.rows.length || !view.box) return;
  const [first, last] = docRowsSeen(view);
  if (first === undefined) return;
  const { rows, text: { words } } = view.model;
  const [from, to] = [rows[first].first / words.length, (rows[last].last + 1) / words.length];
  view.box.setAttribute("y", `${from * 100}%`);
  view.box.setAttribute("height", `${Math.max(0.8, (to - from) * 100)}%`);
  view.map.setAttribute("aria-valuenow", String(Math.round(from * 100)));
  view.map.setAttribute("aria-valuetext", `sentence ${rows[first].sentence}`);
}
