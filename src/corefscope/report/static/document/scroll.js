/** Scrolling: to a token, back to where the text was, and the place of the text noted in the address. */
import { pendingBegin, pendingFrame } from "../shared/pending.js";
import { noteInAddress, state } from "../shared/state.js";
import { docRowAt } from "./words.js";
import { docDrawText, docFillRows } from "./text.js";
import { docEdge, docIsSeen, docTopToken } from "./seen.js";

/**
 * @typedef {import("./open.js").View} View
 * @typedef {object} Anchor a token, and how far below the edge it is seen
 * @property {number} token
 * @property {number} y
 * @property {boolean} isSettled whether this is the place that the address has
 */

/** Rows around a place whose height must be known before it is measured. */
const DOC_AROUND = 14;
/** Pixels above the first word that is seen. */
const DOC_MARGIN = 8;
/** Milliseconds without scrolling after which the place is noted. */
const DOC_REST = 300;

/**
 * Bring a token to the middle, on both sides.
 * @param {View} view @param {number} token
 * @param {boolean} [isExact] also where there is no text around it to be in the middle of: then there is space
 */
export function docCentre(view, token, isExact = false) {
  const at = docRowAt(view.shown.rows, token);
  if (!view.rowElements[at]?.isConnected) {
    view.unfolded.add(at);
    docDrawText(view);
  }
  // In a narrow window the text is below the list.
  view.scroll.scrollIntoView({ block: "nearest" });
  docTwice(view, token, () => {
    docSpaces(view, 0, 0);
    const words = docWordsOf(view, token);
    if (!words.length) return;
    const { scroll } = view;
    const middles = words.map((word) => word.getBoundingClientRect()).map(({ top, bottom }) => (top + bottom) / 2);
    const middle = middles.reduce((sum, each) => sum + each, 0) / middles.length;
    const target = scroll.scrollTop + middle - (docEdge(view) + scroll.getBoundingClientRect().bottom) / 2;
    const most = scroll.scrollHeight - scroll.clientHeight;
    if (isExact) docSpaces(view, Math.max(0, -target), Math.max(0, target - most));
    scroll.scrollTop = Math.max(0, target);
  });
}

/** Bring a token to the top. @param {View} view @param {number} token */
export function docToTop(view, token) {
  if (token === 0) {
    docSpaces(view, 0, 0);
    view.scroll.scrollTop = 0;
  } else docMove(view, token, DOC_MARGIN);
}

/**
 * Where the text is: by the selected error if it is seen, or else by the first word.
 * @param {View} view @returns {Anchor}
 */
export function docAnchor(view) {
  const { start } = view.context.errors;
  const isSeen = view.selected !== null && docIsSeen(view, start[view.selected]);
  const token = isSeen ? start[/** @type {number} */ (view.selected)] : docTopToken(view);
  const [word] = docWordsOf(view, token);
  return { token, y: word ? word.getBoundingClientRect().top - docEdge(view) : 0, isSettled: docIsSettled(view) };
}

/** Bring a token where it was. @param {View} view @param {Anchor} anchor */
export function docReturn(view, { token, y, isSettled }) {
  docMove(view, token, y);
  // What was to be noted is still to be.
  if (!isSettled) view.settled = NaN;
}

/** Bring a token to a place below the edge. @param {View} view @param {number} token @param {number} y */
function docMove(view, token, y) {
  docTwice(view, token, () => {
    const [word] = docWordsOf(view, token);
    if (word) view.scroll.scrollTop += word.getBoundingClientRect().top - docEdge(view) - y;
  });
}

/**
 * The elements of a token, one on each side; of a folded one, the row that comes next.
 * @param {View} view @param {number} token @returns {Element[]}
 */
function docWordsOf(view, token) {
  const at = docRowAt(view.shown.rows, token);
  const words = [...(view.rowElements[at]?.querySelectorAll(`[data-t="${token}"]`) ?? [])];
  if (words.length) return words;
  const next = view.rowElements.find((row, place) => place >= at && row);
  return next ? [next] : [];
}

/**
 * Move, and move again when what came near has been drawn: rows get their height then.
 * @param {View} view @param {number} token @param {() => void} move
 */
function docTwice(view, token, move) {
  const { drawn, shown: { rows } } = view;
  const at = docRowAt(rows, token);
  docFillRows(view, at - DOC_AROUND, at + DOC_AROUND);
  move();
  const there = view.scroll.scrollTop;
  pendingFrame(() => pendingFrame(() => {
    if (!view.root.isConnected || view.drawn !== drawn || Math.abs(view.scroll.scrollTop - there) > 1) return;
    const isSettled = view.settled === there;
    move();
    if (isSettled) docSettle(view);
  }));
}

/** The text is where the address says: that need not be noted. @param {View} view */
export function docSettle(view) {
  view.settled = view.scroll.scrollTop;
}

/** @param {View} view */
function docIsSettled({ scroll, settled }) {
  return Math.abs(scroll.scrollTop - settled) < 2;
}

/** Space above and below the text. @param {View} view @param {number} before @param {number} after */
function docSpaces(view, before, after) {
  view.before.style.setProperty("height", `${before}px`);
  view.after.style.setProperty("height", `${after}px`);
}

/** When the text rests, drop the space that is out of sight, and note the place. @param {View} view */
export function docRest(view) {
  clearTimeout(view.noteSoon);
  view.isResting ??= pendingBegin();
  view.noteSoon = setTimeout(() => {
    docRested(view);
    view.isResting?.();
    view.isResting = null;
  }, DOC_REST);
}

/** @param {View} view */
function docRested(view) {
  if (!view.root.isConnected || state().tab !== "document") return;
  docDropSpaces(view);
  if (docIsSettled(view)) return;
  docSettle(view);
  docNote(view);
}

/** Note the place in the address; the beginning needs no word there. @param {View} view */
export function docNote(view) {
  view.at = docTopToken(view) || null;
  noteInAddress({ at: view.at });
}

/** @param {View} view */
function docDropSpaces({ scroll, before, after, text }) {
  const isAfterSeen = scroll.scrollTop + scroll.clientHeight > scroll.scrollHeight - after.offsetHeight;
  if (!isAfterSeen) after.style.setProperty("height", "0");
  if (!before.offsetHeight || scroll.scrollTop < before.offsetHeight) return;
  const { top } = text.getBoundingClientRect();
  before.style.setProperty("height", "0");
  scroll.scrollTop += text.getBoundingClientRect().top - top;
}
