/** The text: rows of words, each drawn when it comes near, folded where nothing differs, and scrolled to. */
import { h, fill } from "./dom.js";
import { MOST_LANES } from "./lanes.js";
import { docSpace, docRowAt, docCount } from "./document-model.js";
import { docColumns, docFocus } from "./document-open.js";
import { docIsSelected, docBar, docTags, docCarets } from "./document-marks.js";
import { docRowsSeen, docMapBox } from "./document-seen.js";

/**
 * @typedef {import("./document-model.js").Mention} Mention
 * @typedef {import("./document-model.js").Model} Model
 * @typedef {import("./document-model.js").Row} Row
 */

/** Rows are filled when they are so many pixels from what is seen, and kept for so many rows more. */
const DOC_NEAR = 900;
const DOC_KEPT = 60;

/** Draw all rows as empty places; each is filled when it comes near. @param {any} view */
export function docDrawText(view) {
  const { model, mode } = view;
  view.rowElements = [];
  view.filled = new Set();
  view.places = null;
  view.hovered = null;
  view.text.className = `doc-text doc-${docColumns(mode)} doc-mode-${mode}`;
  const parts = mode === "diff" ? docFolded(view) : model.rows.map((/** @type {Row} */ row, /** @type {number} */ at) => docPlaceholder(view, row, at));
  if (!model.rows.length) parts.push(h("p.doc-empty.soft", {}, "This document has no words."));
  if (!model.text.has_text && model.rows.length) {
    parts.unshift(h("p.doc-note.soft", {}, "The files hold no words of this document: tokens stand as dots or names."));
  }
  fill(view.text, docParts(parts));
  docLookSoon(view);
}

/** Put rows into parts that are laid out alone: a change in one of ten thousand rows stays cheap. @param {HTMLElement[]} rows */
function docParts(rows) {
  const parts = [];
  for (let from = 0; from < rows.length; from += DOC_KEPT) parts.push(h("div.doc-part", {}, rows.slice(from, from + DOC_KEPT)));
  return parts;
}

/** @param {any} view @param {Row} row @param {number} at */
function docPlaceholder(view, row, at) {
  const perLine = view.mode === "side" || view.mode === "diff" ? 9 : 18;
  const lines = Math.ceil((row.last - row.first + 1) / perLine);
  const element = h("div.doc-row", { dataset: { row: at }, style: { "min-height": `${lines * 36 + 16}px` } });
  view.rowElements[at] = element;
  view.places = null;
  return element;
}

/** Rows with differences, and buttons for the runs of rows without. @param {any} view */
function docFolded(view) {
  const { rows } = view.model;
  const parts = [];
  for (let at = 0; at < rows.length;) {
    if (rows[at].differs || view.unfolded.has(at)) {
      parts.push(docPlaceholder(view, rows[at], at));
      at++;
      continue;
    }
    const from = at;
    while (at < rows.length && !rows[at].differs && !view.unfolded.has(at)) at++;
    parts.push(docFold(view, from, at));
  }
  return parts;
}

/** @param {any} view @param {number} from @param {number} to */
function docFold(view, from, to) {
  const sentences = new Set(view.model.rows.slice(from, to).map((/** @type {Row} */ row) => row.sentence)).size;
  return h("button.doc-fold", {
    "aria-expanded": "false",
    onclick: (/** @type {Event} */ event) => docUnfold(view, from, to, /** @type {HTMLElement} */ (event.currentTarget)),
  }, `⋯ ${docCount(sentences, "sentence")} without errors`);
}

/** @param {any} view @param {number} from @param {number} to @param {HTMLElement} button */
function docUnfold(view, from, to, button) {
  const elements = [];
  for (let at = from; at < to; at++) {
    view.unfolded.add(at);
    elements.push(docPlaceholder(view, view.model.rows[at], at));
  }
  button.replaceWith(...elements);
  docLookSoon(view);
  // The button is gone: the keyboard goes on from the text.
  view.scroll.focus({ preventScroll: true });
}

/** Look once for all that happens in a frame. @param {any} view */
export function docLookSoon(view) {
  if (view.isLookDue) return;
  view.isLookDue = true;
  requestAnimationFrame(() => {
    view.isLookDue = false;
    if (view.root.isConnected && view.model) docLook(view);
  });
}

/** Fill the rows that are near and empty those that are far. @param {any} view */
function docLook(view) {
  const [first, last] = docRowsSeen(view, DOC_NEAR);
  if (first === undefined) return;
  for (let at = first; at <= last; at++) if (view.rowElements[at]) docFillRow(view, view.rowElements[at]);
  for (const row of view.filled) {
    const at = Number(row.dataset.row);
    if (at < first - DOC_KEPT || at > last + DOC_KEPT) docEmptyRow(view, row);
  }
  docMapBox(view);
}

/** @param {any} view @param {HTMLElement} row */
function docEmptyRow(view, row) {
  if (row.contains(document.activeElement)) return;
  row.style.setProperty("min-height", `${row.offsetHeight}px`);
  row.replaceChildren();
  view.filled.delete(row);
}

/** @param {any} view @param {HTMLElement} element */
function docFillRow(view, element) {
  if (element.firstChild || !element.isConnected) return;
  const row = view.model.rows[Number(element.dataset.row)];
  element.style.removeProperty("min-height");
  view.filled.add(element);
  const gutter = h("div.doc-gutter", {},
    row.speaker && !row.isContinued && h("span.doc-speaker", { title: row.speaker, dir: "auto" }, row.speaker),
    h("span.doc-number", {}, row.isContinued ? "…" : row.sentence));
  const sides = docColumns(view.mode) === "two" ? ["K", "R"] : ["KR"];
  const cells = sides.map((side) => docCell(view, row, side));
  // Lines are as high on one side as on the other, so that they stay level.
  element.className = `doc-row doc-lanes-${Math.max(...cells.map(({ lanes }) => lanes))}`;
  fill(element, gutter, cells.map(({ cell }) => cell));
  if (!view.text.querySelector('.doc-tag[tabindex="0"]')) {
    element.querySelector(".doc-tag")?.setAttribute("tabindex", "0");
  }
}

/** @param {any} view @param {Row} row @param {string} side */
function docCell(view, row, side) {
  const only = view.mode === "read" ? docFocus(view)?.chain ?? "" : null;
  const parts = [];
  let [above, below] = [0, 0];
  for (let token = row.first; token <= row.last; token++) {
    const mentions = docMentionsAt(view.model, token, side, only);
    for (const { lane, side: at } of mentions) {
      if (side === "KR" && at === "K") above = Math.max(above, lane + 1);
      else below = Math.max(below, lane + 1);
    }
    parts.push(docWord(view, token, mentions, side), token < row.last ? docSpace(view.model.text.words, token) : "");
  }
  const lanes = Math.min(MOST_LANES, below) + Math.min(MOST_LANES, above);
  return { lanes, cell: h("div.doc-cell", { dir: "auto" }, parts) };
}

/** @param {Model} model @param {number} token @param {string} side @param {string | null} only a chain */
function docMentionsAt(model, token, side, only) {
  const found = side === "KR" ? [...(model.cover.K[token] ?? []), ...(model.cover.R[token] ?? [])]
    : model.cover[/** @type {"K" | "R"} */ (side)][token] ?? [];
  return only === null ? found : found.filter((mention) => mention.chain === only);
}

/** @param {any} view @param {number} token @param {Mention[]} mentions @param {string} side */
function docWord(view, token, mentions, side) {
  const { model } = view;
  const isSpaced = docSpace(model.text.words, token) !== "";
  const classes = [
    side !== "KR" && model.hatched.has(token) && "doc-hatched", model.text.words[token].length > 24 && "doc-long", docIsSelected(view, token) && "doc-selected",
  ].filter(Boolean).map((name) => `.${name}`).join("");
  const isBare = !mentions.length && !classes && !(side !== "KR" && model.carets[/** @type {"K"} */ (side)].has(token));
  // Jumps need the element of a token, hovers that of a mention: bare words are both elements too, but no more.
  if (isBare) return h("span.doc-word", { dataset: { t: token } }, model.text.words[token]);
  const shown = mentions.filter((mention) => mention.lane < MOST_LANES);
  return h(`span.doc-word${classes}`, { dataset: { t: token, ...(mentions.length ? { m: mentions[0].id } : {}) } },
    model.text.words[token],
    shown.map((mention) => docBar(view, mention, token, isSpaced, side === "KR" && mention.side === "K")),
    docTags(view, token, mentions), docCarets(model, token, side));
}

/** Bring a token into view. @param {any} view @param {number} token @param {"start" | "center"} where */
export function docScrollTo(view, token, where) {
  const { rows } = view.model;
  if (!rows.length) return;
  if (token === 0 && where === "start") return void (view.scroll.scrollTop = 0);
  const at = docRowAt(rows, token);
  if (!view.rowElements[at]?.isConnected && where === "center") {
    view.unfolded.add(at);
    docDrawText(view);
  }
  const row = view.rowElements[at];
  if (!row) return;
  // Rows above may get another height when they are drawn: so draw the near ones before, and look again after.
  for (let near = Math.max(0, at - 6); near <= Math.min(rows.length - 1, at + 6); near++) {
    if (view.rowElements[near]) docFillRow(view, view.rowElements[near]);
  }
  const move = () => {
    const target = (where === "center" && row.querySelector(`[data-t="${token}"]`)) || row;
    const { top, height } = target.getBoundingClientRect();
    const from = view.scroll.getBoundingClientRect().top;
    const space = where === "center" ? (view.scroll.clientHeight - height) / 2 : view.heads.offsetHeight;
    view.scroll.scrollTop += top - from - space;
  };
  move();
  requestAnimationFrame(() => requestAnimationFrame(() => row.isConnected && move()));
}
