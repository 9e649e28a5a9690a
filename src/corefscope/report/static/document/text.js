/** The text: rows of words, which are drawn when they are nearly visible, and folded if nothing differs. */
import { h, fill, numbered } from "../shared/dom.js";
import { pendingFrame } from "../shared/pending.js";
import { MOST_LANES } from "./lanes.js";
import { inTextOrder } from "./parts.js";
import { ZERO, space } from "./words.js";
import { SIDES } from "./model.js";
import { columnsIn, focusedChain } from "./open.js";
import { showMention, isSelected, absentZeros, bar, carets, gapsAt, tagsAt } from "./marks.js";
import { rowsSeen, mapBox } from "./seen.js";
import { tickLines } from "./navigator.js";

/**
 * @typedef {import("./model.js").Mention} Mention
 * @typedef {import("./model.js").Model} Model
 * @typedef {import("./model.js").Side} Side
 * @typedef {import("./words.js").Row} Row
 * @typedef {import("./open.js").View} View
 */

/** How many pixels before they are visible rows are drawn, and for how many rows more they are kept. */
const NEAR = 900;
const KEPT = 20;
const PART = 40;
/** The assumed height of a line until it is drawn. */
const LINE_HEIGHT = 36;

/** Draw all rows empty; each is filled when it is nearly visible. @param {View} view */
export function drawText(view) {
  const { shown, mode } = view;
  view.rowElements = [];
  view.filled = new Set();
  showMention(view, null);
  view.text.className = `doc-text doc-${columnsIn(mode)} doc-mode-${mode}${shown.left === null ? "" : " doc-of-two"}`;
  const parts = mode === "diff" ? folded(view) : shown.rows.map((row, at) => placeholder(view, row, at));
  if (!shown.rows.length) parts.push(h("p.doc-empty.soft", {}, "This document has no words."));
  if (!shown.text.has_text && shown.rows.length) {
    parts.unshift(h("p.doc-note.soft", {}, "The files have no words for this document: tokens are shown as dots or names."));
  }
  const hadFocus = view.text.contains(document.activeElement);
  fill(view.text, partsOf(parts));
  if (hadFocus) view.scroll.focus({ preventScroll: true });
  lookSoon(view);
}

/**
 * Put rows into parts, so that browsers skip invisible ones and a book is as fast as a page.
 * @param {HTMLElement[]} rows
 */
function partsOf(rows) {
  const parts = [];
  for (let from = 0; from < rows.length; from += PART) {
    const those = rows.slice(from, from + PART);
    const height = those.reduce((sum, row) => sum + (Number.parseFloat(row.style.minHeight) || LINE_HEIGHT), 0);
    parts.push(h("div.doc-part", { style: { "contain-intrinsic-size": `auto 100px auto ${height}px` } }, those));
  }
  return parts;
}

/** @param {View} view @param {Row} row @param {number} at */
function placeholder(view, row, at) {
  const perLine = columnsIn(view.mode) === "two" ? 9 : 18;
  const lines = Math.ceil((row.last - row.first + 1) / perLine);
  // Created directly for speed: a book has ten thousand rows.
  const element = document.createElement("div");
  element.className = "doc-row";
  element.dataset.row = String(at);
  element.style.minHeight = `${lines * LINE_HEIGHT + 16}px`;
  view.rowElements[at] = element;
  return element;
}

/** Rows with differences, and buttons for the rows between them. @param {View} view */
function folded(view) {
  const { rows } = view.shown;
  const parts = [];
  for (let at = 0; at < rows.length;) {
    if (rows[at].differs || view.unfolded.has(at)) {
      parts.push(placeholder(view, rows[at], at));
      at++;
      continue;
    }
    const from = at;
    while (at < rows.length && !rows[at].differs && !view.unfolded.has(at)) at++;
    parts.push(fold(view, from, at));
  }
  return parts;
}

/** @param {View} view @param {number} from @param {number} to */
function fold(view, from, to) {
  const sentences = new Set(view.shown.rows.slice(from, to).map(({ sentence }) => sentence)).size;
  return h("button.doc-fold", {
    "aria-expanded": "false",
    onclick: (/** @type {import("../shared/dom.js").Changed} */ event) => unfold(view, from, to, event.currentTarget),
  }, `⋯ ${numbered(sentences, "sentence")} without ${view.shown.left === null ? "errors" : "differences"}`);
}

/** @param {View} view @param {number} from @param {number} to @param {HTMLElement} button */
function unfold(view, from, to, button) {
  const elements = [];
  for (let at = from; at < to; at++) {
    view.unfolded.add(at);
    elements.push(placeholder(view, view.shown.rows[at], at));
  }
  button.replaceWith(...elements);
  lookSoon(view);
  // The button is gone, so the text gets the focus.
  view.scroll.focus({ preventScroll: true });
}

/** Check visible rows at most once per frame. @param {View} view */
export function lookSoon(view) {
  if (view.isLookDue) return;
  view.isLookDue = true;
  pendingFrame(() => {
    view.isLookDue = false;
    if (view.root.isConnected && view.model) lookNow(view);
  });
}

/** Fill rows near the visible part and empty distant ones. @param {View} view */
function lookNow(view) {
  const [first, last] = rowsSeen(view, NEAR);
  if (first === undefined) return;
  const isFar = (/** @type {number} */ at) => at < first - KEPT || at > last + KEPT;
  // All heights are read before anything changes, so that the page is laid out once.
  const far = [...view.filled].filter((row) => isFar(Number(row.dataset.row)) && !row.contains(document.activeElement))
    .map((row) => ({ row, height: row.offsetHeight }));
  fillRows(view, first, last);
  for (const { row, height } of far) emptyRow(view, row, height);
  const seen = rowsSeen(view);
  mapBox(view, seen);
  tickLines(view, seen);
}

/** @param {View} view @param {HTMLElement} row @param {number} height */
function emptyRow(view, row, height) {
  row.style.setProperty("min-height", `${height}px`);
  row.replaceChildren();
  view.filled.delete(row);
}

/** Draw the words of some rows. @param {View} view @param {number} first @param {number} last */
export function fillRows(view, first, last) {
  for (let at = Math.max(0, first); at <= Math.min(view.shown.rows.length - 1, last); at++) {
    const element = view.rowElements[at];
    if (element && !element.firstChild && element.isConnected) fillRow(view, element, at);
  }
  // The stop of the Tab key may have been in a row that was emptied.
  if (!view.text.querySelector('.doc-tag[tabindex="0"]')) {
    view.text.querySelector(".doc-tag")?.setAttribute("tabindex", "0");
  }
}

/** @param {View} view @param {HTMLElement} element @param {number} at */
function fillRow(view, element, at) {
  const row = view.shown.rows[at];
  // The speaker is shown when it changes, and after a fold.
  const isSaid = !view.rowElements[at - 1] || view.shown.rows[at - 1].speaker !== row.speaker;
  element.style.removeProperty("min-height");
  view.filled.add(element);
  const gutter = h("div.doc-gutter", {},
    row.speaker && isSaid && h("span.doc-speaker", { title: row.speaker, dir: "auto" }, row.speaker),
    h("span.doc-number", {}, row.isContinued ? "…" : row.sentence));
  const sides = columnsIn(view.mode) === "two" ? SIDES : [null];
  const cells = sides.map((side) => rowCell(view, row, side));
  // Lines have the same height on both sides.
  element.className = `doc-row doc-lanes-${Math.max(...cells.map(({ lanes }) => lanes))}`;
  fill(element, gutter, cells.map(({ cell }) => cell));
}

/** @param {View} view @param {Row} row @param {Side | null} side null for both in one */
function rowCell(view, row, side) {
  const only = view.mode === "read" ? focusedChain(view) ?? "" : null;
  const parts = [];
  let [above, below] = [0, 0];
  for (let token = row.first; token <= row.last; token++) {
    const mentions = mentionsAt(view.shown, token, side, only);
    for (const { lane, side: at } of mentions) {
      if (!side && at === "L") above = Math.max(above, lane + 1);
      else below = Math.max(below, lane + 1);
    }
    const absent = absentAt(view.shown, token, side, only);
    for (const { side: at } of absent) {
      if (!side && at === "L") above = Math.max(above, 1);
      else below = Math.max(below, 1);
    }
    parts.push(absentZeros(view, token, absent, side, true), wordSpan(view, token, mentions, side),
      absentZeros(view, token, absent, side, false), token < row.last ? space(view.shown.text.words, token) : "");
  }
  const lanes = Math.min(MOST_LANES, below) + Math.min(MOST_LANES, above);
  return { lanes, cell: h("div.doc-cell", { dir: "auto" }, parts) };
}

/** @param {Model} model @param {number} token @param {Side | null} side @param {string | null} only a chain */
function mentionsAt(model, token, side, only) {
  const { L, R } = model.cover;
  const found = side ? model.cover[side][token] ?? [] : [...(L[token] ?? []), ...(R[token] ?? [])];
  return only === null ? found : found.filter((mention) => mention.chain === only);
}

/**
 * Zeros beside a token that the key has no token for, in the order of the text.
 * @param {Model} model @param {number} token @param {Side | null} side @param {string | null} only a chain
 */
function absentAt({ absent: { L, R } }, token, side, only) {
  const ofSide = (/** @type {Side} */ at) => (side !== null && side !== at ? [] : (at === "L" ? L : R).get(token) ?? []);
  return [...ofSide("L"), ...ofSide("R")].filter(({ chain }) => only === null || chain === only).sort(inTextOrder);
}

/** A word; the sign of an empty node has its lemma behind it. @param {Model} model @param {number} token */
function shownWord({ text: { words }, zeros }, token) {
  const lemma = zeros.get(token);
  return [words[token] === ZERO || !zeros.has(token) ? words[token] : `${ZERO} ${words[token]}`,
    lemma && h("small.doc-lemma", {}, lemma)];
}

/** @param {View} view @param {number} token @param {Mention[]} mentions @param {Side | null} side */
function wordSpan(view, token, mentions, side) {
  const { shown } = view;
  const word = shown.text.words[token];
  const isSpaced = space(shown.text.words, token) !== "";
  const classes = [
    shown.zeros.has(token) && "doc-zero", side && shown.hatched.has(token) && "doc-hatched", word.length > 24 && "doc-long",
    mentions.some(({ head }) => head === token) && "doc-headword", isSelected(view, token) && "doc-selected",
  ].filter(Boolean).map((name) => `.${name}`).join("");
  const isBare = !mentions.length && !classes && !(side && shown.carets[side].has(token));
  // Jumps need an element for each token, and hovering one for each mention.
  if (isBare) return h("span.doc-word", { dataset: { t: token } }, word);
  const drawn = mentions.filter((mention) => mention.lane < MOST_LANES);
  const dataset = { t: token, ...(mentions.length ? { m: mentions[0].id } : {}) };
  const title = shown.zeros.has(token) ? "a zero: not in the text" : null;
  return h(`span.doc-word${classes}`, { dataset, title }, shownWord(shown, token),
    drawn.map((mention) => bar(view, mention, token, isSpaced, !side && mention.side === "L")),
    gapsAt(token, mentions), tagsAt(view, token, mentions), side && carets(shown, token, side));
}
