/** Scrolling to a token or a previous position, and keeping the position in the address. */
import { pendingBegin, pendingFrame } from "../shared/pending.js";
import { noteInAddress, state } from "../shared/state.js";
import { rowAt } from "./words.js";
import { drawText, fillRows } from "./text.js";
import { topEdge, isTokenSeen, topToken } from "./seen.js";

/**
 * @typedef {import("./open.js").View} View
 * @typedef {object} Anchor a token, and its distance from the top edge
 * @property {number} token
 * @property {number} y
 * @property {boolean} isSettled whether the address has this position
 */

/** How many rows around a position must be drawn before it is measured. */
const AROUND = 14;
/** Pixels above the first visible word. */
const MARGIN = 8;
/** Milliseconds without scrolling after which the address is updated. */
const REST = 300;

/**
 * Scroll a token to the middle, on both sides.
 * @param {View} view @param {number} token
 * @param {boolean} [isExact] also where there is no text around it to be in the middle of: then there is space
 */
export function centre(view, token, isExact = false) {
  const at = rowAt(view.shown.rows, token);
  if (!view.rowElements[at]?.isConnected) {
    view.unfolded.add(at);
    drawText(view);
  }
  // In a narrow window, the text is below the list.
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

/** Scroll a token to the top. @param {View} view @param {number} token */
export function toTop(view, token) {
  if (token === 0) {
    spaces(view, 0, 0);
    view.scroll.scrollTop = 0;
  } else moveToken(view, token, MARGIN);
}

/**
 * The position of the text: that of the selected error if it is visible, or else of the first word.
 * @param {View} view @returns {Anchor}
 */
export function textAnchor(view) {
  const { start } = view.context.errors;
  const isSeen = view.selected !== null && isTokenSeen(view, start[view.selected]);
  const token = isSeen ? start[/** @type {number} */ (view.selected)] : topToken(view);
  const [word] = wordsOf(view, token);
  return { token, y: word ? word.getBoundingClientRect().top - topEdge(view) : 0, isSettled: isTextSettled(view) };
}

/** Scroll a token to its previous position. @param {View} view @param {Anchor} anchor */
export function returnTo(view, { token, y, isSettled }) {
  moveToken(view, token, y);
  // The address still has to be updated.
  if (!isSettled) view.settled = NaN;
}

/** Scroll a token to a distance below the edge. @param {View} view @param {number} token @param {number} y */
function moveToken(view, token, y) {
  twice(view, token, () => {
    const [word] = wordsOf(view, token);
    if (word) view.scroll.scrollTop += word.getBoundingClientRect().top - topEdge(view) - y;
  });
}

/**
 * The elements of a token, one on each side; for a folded token, the next row.
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
 * Scroll, and scroll again when nearby rows have been drawn, which changes their heights.
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

/** Mark that the text is at the position in the address. @param {View} view */
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

/** When scrolling stops, remove invisible space and update the address. @param {View} view */
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

/** Update the position in the address; the beginning is left out. @param {View} view */
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
