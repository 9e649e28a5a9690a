/** Scrolling: to a token, back to where the text was, and the place of the text noted in the address. */
import { pendingBegin, pendingFrame } from "../shared/pending.js";
import { noteInAddress, state } from "../shared/state.js";
import { rowAt } from "./words.js";
import { drawText, fillRows } from "./text.js";
import { topEdge, isTokenSeen, topToken } from "./seen.js";

/**
 * @typedef {import("./open.js").View} View
 * @typedef {object} Anchor a token, and how far below the edge it is seen
 * @property {number} token
 * @property {number} y
 * @property {boolean} isSettled whether this is the place that the address has
 */

/** Rows around a place whose height must be known before it is measured. */
const AROUND = 14;
/** Pixels above the first word that is seen. */
const MARGIN = 8;
/** Milliseconds without scrolling after which the place is noted. */
const REST = 300;

/**
 * Bring a token to the middle, on both sides.
 * @param {View} view @param {number} token
 * @param {boolean} [isExact] also where there is no text around it to be in the middle of: then there is space
 */
export function centre(view, token, isExact = false) {
  const at = rowAt(view.shown.rows, token);
  if (!view.rowElements[at]?.isConnected) {
    view.unfolded.add(at);
    drawText(view);
  }
  // In a narrow window the text is below the list.
  view.scroll.scrollIntoView({ block: "nearest" });
  twice(view, token, () => {
    spaces(view, 0, 0);
    const words = wordsOf(view, token);
    if (!words.length) return;
    const { scroll } = view;
    const middles = words.map((word) => word.getBoundingClientRect()).map(({ top, bottom }) => (top + bottom) / 2);
    const middle = middles.reduce((sum, each) => sum + each, 0) / middles.length;
    const target = scroll.scrollTop + middle - (topEdge(view) + scroll.getBoundingClientRect().bottom) / 2;
    const most = scroll.scrollHeight - scroll.clientHeight;
    if (isExact) spaces(view, Math.max(0, -target), Math.max(0, target - most));
    scroll.scrollTop = Math.max(0, target);
  });
}

/** Bring a token to the top. @param {View} view @param {number} token */
export function toTop(view, token) {
  if (token === 0) {
    spaces(view, 0, 0);
    view.scroll.scrollTop = 0;
  } else moveToken(view, token, MARGIN);
}

/**
 * Where the text is: by the selected error if it is seen, or else by the first word.
 * @param {View} view @returns {Anchor}
 */
export function textAnchor(view) {
  const { start } = view.context.errors;
  const isSeen = view.selected !== null && isTokenSeen(view, start[view.selected]);
  const token = isSeen ? start[/** @type {number} */ (view.selected)] : topToken(view);
  const [word] = wordsOf(view, token);
  return { token, y: word ? word.getBoundingClientRect().top - topEdge(view) : 0, isSettled: isTextSettled(view) };
}

/** Bring a token where it was. @param {View} view @param {Anchor} anchor */
export function returnTo(view, { token, y, isSettled }) {
  moveToken(view, token, y);
  // What was to be noted is still to be.
  if (!isSettled) view.settled = NaN;
}

/** Bring a token to a place below the edge. @param {View} view @param {number} token @param {number} y */
function moveToken(view, token, y) {
  twice(view, token, () => {
    const [word] = wordsOf(view, token);
    if (word) view.scroll.scrollTop += word.getBoundingClientRect().top - topEdge(view) - y;
  });
}

/**
 * The elements of a token, one on each side; of a folded one, the row that comes next.
 * @param {View} view @param {number} token @returns {Element[]}
 */
function wordsOf(view, token) {
  const at = rowAt(view.shown.rows, token);
  const words = [...(view.rowElements[at]?.querySelectorAll(`[data-t="${token}"]`) ?? [])];
  if (words.length) return words;
  const next = view.rowElements.find((row, place) => place >= at && row);
  return next ? [next] : [];
}

/**
 * Move, and move again when what came near has been drawn: rows get their height then.
 * @param {View} view @param {number} token @param {() => void} move
 */
function twice(view, token, move) {
  const { drawn, shown: { rows } } = view;
  const at = rowAt(rows, token);
  fillRows(view, at - AROUND, at + AROUND);
  move();
  const there = view.scroll.scrollTop;
  pendingFrame(() => pendingFrame(() => {
    if (!view.root.isConnected || view.drawn !== drawn || Math.abs(view.scroll.scrollTop - there) > 1) return;
    const isSettled = view.settled === there;
    move();
    if (isSettled) settle(view);
  }));
}

/** The text is where the address says: that need not be noted. @param {View} view */
export function settle(view) {
  view.settled = view.scroll.scrollTop;
}

/** @param {View} view */
function isTextSettled({ scroll, settled }) {
  return Math.abs(scroll.scrollTop - settled) < 2;
}

/** Space above and below the text. @param {View} view @param {number} before @param {number} after */
function spaces(view, before, after) {
  view.before.style.setProperty("height", `${before}px`);
  view.after.style.setProperty("height", `${after}px`);
}

/** When the text rests, drop the space that is out of sight, and note the place. @param {View} view */
export function restText(view) {
  clearTimeout(view.noteSoon);
  view.isResting ??= pendingBegin();
  view.noteSoon = setTimeout(() => {
    onRest(view);
    view.isResting?.();
    view.isResting = null;
  }, REST);
}

/** @param {View} view */
function onRest(view) {
  if (!view.root.isConnected || state().tab !== "document") return;
  dropSpaces(view);
  if (isTextSettled(view)) return;
  settle(view);
  notePlace(view);
}

/** Note the place in the address; the beginning needs no word there. @param {View} view */
export function notePlace(view) {
  view.at = topToken(view) || null;
  noteInAddress({ at: view.at });
}

/** @param {View} view */
function dropSpaces({ scroll, before, after, text }) {
  const isAfterSeen = scroll.scrollTop + scroll.clientHeight > scroll.scrollHeight - after.offsetHeight;
  if (!isAfterSeen) after.style.setProperty("height", "0");
  if (!before.offsetHeight || scroll.scrollTop < before.offsetHeight) return;
  const { top } = text.getBoundingClientRect();
  before.style.setProperty("height", "0");
  scroll.scrollTop += text.getBoundingClientRect().top - top;
}
