/** The document: key and response side by side, with every difference marked in its place. */
import { announce, h, fill, keepFocus } from "../shared/dom.js";
import { documentOf } from "../shared/store.js";
import { state, go } from "../shared/state.js";
import { modelOf } from "./model.js";
import {
  VIEWS, leftSystem, selectedError, viewMode, focusedEntity, focusedChain, listedErrors, pin, pinTag,
  openError, steps, turnDocument,
} from "./open.js";
import { HINT, markSelected, showMention, light } from "./marks.js";
import { isTokenSeen, topToken } from "./seen.js";
import { drawText, fillRows, lookSoon } from "./text.js";
import { textAnchor, centre, notePlace, restText, returnTo, settle, toTop } from "./scroll.js";
import { drawPick, drawList, nextRow, scrollList, tickLines } from "./navigator.js";
import { mapFrame, drawMap, drawTimeline } from "./timeline.js";
import { drawTools } from "./tools.js";
import { drawColumns, columnSeparator } from "./columns.js";
import { drawInspector, flagError, writeNote } from "./inspector.js";

/**
 * @typedef {import("../shared/facets.js").Context} Context
 * @typedef {import("./model.js").Model} Model
 * @typedef {import("./open.js").View} View
 * @typedef {import("./scroll.js").Anchor} Anchor
 *
 * @typedef {object} Last the last state, also from before another tab was opened
 * @property {import("../types.js").ReportText} text
 * @property {number | null} error
 * @property {string | null} entity
 */

/** @type {View | null} */
let openView = null;
let lastTicket = 0;
/** @type {number | null} */
let lastError = null;
/** @type {Last | null} */
let lastShown = null;

/** @param {HTMLElement} root @param {Context} context */
export async function render(root, context) {
  const ticket = ++lastTicket;
  if (!context.summary.documents.length) return fill(root, h("p.soft", {}, "The key has no documents."));
  if (followsError(context)) return;
  const text = await documentOf(state().document);
  // The state changed while the document was loading; another call draws it.
  if (ticket !== lastTicket || state().tab !== "document") return;
  if (!openView || openView.root.parentNode !== root) openView = frame(root, context);
  update(openView, text);
}

/** Open the document and system of a newly selected error. @param {Context} context */
function followsError({ errors }) {
  const row = state().error;
  const isNew = row !== lastError;
  lastError = row;
  if (!isNew || row === null || errors.id[row] === undefined) return false;
  const place = { document: errors.document[row], system: errors.system[row] };
  if (place.document === state().document && place.system === state().system) return false;
  go(place, { replace: true });
  return true;
}

/** @param {HTMLElement} root @param {Context} context */
function frame(root, context) {
  openView?.resized.disconnect();
  /** @type {unknown} */
  const parts = {
    context, rowElements: [], filled: new Set(), unfolded: new Set(), lit: new Set(), hovered: null, drawn: "", rows: [],
    lines: new Map(), linesOf: null, isResting: null,
    lost: null, selected: null, at: null, settled: 0, widths: {}, separators: {},
    pick: h("div.doc-pick"), errorsHead: h("div.doc-errors-head"), list: h("div.doc-list", { tabindex: "-1" }),
    tools: h("div.doc-tools"), timeline: h("div.doc-timeline"),
    heads: h("div.doc-heads"), text: h("div.doc-text"),
    before: h("div.doc-space.doc-space-before", { "aria-hidden": "true" }, h("span", {}, "beginning of the document")),
    after: h("div.doc-space", { "aria-hidden": "true" }, h("span", {}, "end of the document")),
    inspector: h("aside.doc-inspector", { id: "doc-inspector", "aria-label": "Inspector" }),
    readout: h("div.doc-readout", {}, HINT),
  };
  const view = /** @type {View} */ (parts);
  view.scroll = h("div.doc-scroll", { id: "doc-scroll", tabindex: "0", role: "region", "aria-label": "Text" },
    view.heads, view.before, view.text, view.after);
  view.map = mapFrame(view);
  view.root = h("div.doc", {},
    h("nav.doc-nav", { id: "doc-nav", "aria-label": "Documents and errors" }, view.pick, view.errorsHead, view.list),
    columnSeparator(view, "nav"),
    h("section.doc-main", { "aria-label": "Document" }, view.tools, view.timeline,
      h("div.doc-stage", {}, view.scroll, view.map), view.readout),
    columnSeparator(view, "inspector"), view.inspector);
  fill(root, view.root);
  listen(view);
  return view;
}

/** @param {View} view */
function listen(view) {
  view.resized = new ResizeObserver(() => lookSoon(view));
  view.resized.observe(view.scroll);
  view.list.addEventListener("scroll", () => {
    scrollList(view);
    tickLines(view);
  }, { passive: true });
  view.scroll.addEventListener("scroll", () => {
    lookSoon(view);
    restText(view);
  }, { passive: true });
  /** @returns {HTMLElement | null} */
  const marked = (/** @type {Event} */ event) => /** @type {Element} */ (event.target).closest("[data-m]");
  const mentionOf = (/** @type {HTMLElement | null} */ element) =>
    element && view.shown.mentions[Number(element.dataset.m)];
  const hover = (/** @type {Event} */ event) => showMention(view, mentionOf(marked(event)), marked(event) ?? undefined);
  view.text.addEventListener("pointerover", hover);
  view.text.addEventListener("focusin", hover);
  view.text.addEventListener("pointerleave", () => showMention(view, null));
  view.text.addEventListener("focusout", () => showMention(view, null));
  view.text.addEventListener("click", (event) => {
    const mention = mentionOf(marked(event));
    if (mention) pin(pinTag(view, mention));
  });
  view.text.addEventListener("keydown", (event) => walk(view.text, ".doc-tag", event));
  view.timeline.addEventListener("keydown", (event) => {
    const line = /** @type {Element} */ (event.target).closest(".doc-timeline-line");
    if (line) walk(line, ".doc-tick", event);
  });
}

/**
 * Tags, and the ticks of a line, are one stop of the Tab key; arrow keys move between them.
 * @param {Element} among @param {string} what @param {KeyboardEvent} event
 */
function walk(among, what, event) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const from = /** @type {HTMLElement} */ (event.target);
  if (!step || !from.matches(what)) return;
  const all = /** @type {HTMLElement[]} */ ([...among.querySelectorAll(what)]);
  const to = all[all.indexOf(from) + step];
  if (!to) return;
  event.preventDefault();
  from.tabIndex = -1;
  to.tabIndex = 0;
  to.focus();
}

document.addEventListener("view-key", (event) => {
  if (state().tab === "document" && openView) onKey(openView, /** @type {CustomEvent} */ (event).detail);
});

// For printing, everything is drawn.
window.addEventListener("beforeprint", () => {
  if (openView?.root.isConnected) fillRows(openView, 0, Infinity);
});

/** @param {View} view @param {KeyboardEvent} event */
function onKey(view, event) {
  const views = VIEWS.map(([id]) => id);
  if (event.key === "j") stepError(view, 1);
  else if (event.key === "k") stepError(view, -1);
  else if (event.key === "J") turnDocument(view, 1);
  else if (event.key === "K") turnDocument(view, -1);
  else if (event.key === "f") flagError(view);
  else if (event.key === "n") writeNote(view, event);
  else if (event.key === "v") go({ view: views[(views.indexOf(viewMode()) + 1) % views.length] });
  else if (event.key === "x") go({ view: viewMode() === "diff" ? "side" : "diff" });
  else if (event.key === "Escape" && (state().entity !== null || state().error !== null)) letGo(view);
}

/** Deselect error and entity without scrolling. @param {View} view */
function letGo(view) {
  view.at = topToken(view) || null;
  go({ entity: null, error: null, at: view.at });
}

/** Go to the next error, or announce that there is none. @param {View} view @param {number} step */
function stepError(view, step) {
  const row = nextRow(view, step);
  if (row !== undefined) return openError(view, row);
  const { entity, document: number } = state();
  const rows = steps(view);
  if (!rows.length) return announce("No errors here.");
  const which = step > 0 ? "Last" : "First";
  if (rows !== view.rows) return announce(`${which} error of ${entity}; Esc unpins it.`);
  const isTurned = view.context.summary.documents[number + step] !== undefined;
  const turn = step > 0 ? "J opens the next document" : "K opens the previous document";
  announce(`${which} error of this document${isTurned ? `; ${turn}` : ""}.`);
}

/** @param {View} view @param {import("../types.js").ReportText} text the document */
function update(view, text) {
  const { context } = view;
  const anchor = view.model?.text === text && view.rowElements.length ? textAnchor(view) : null;
  const { document: number, system } = state();
  const [left, mode] = [leftSystem(context), viewMode()];
  const before = { selected: view.selected, drawn: view.drawn };
  followLost(view, text, system);
  const model = modelOf(context, text, system, null);
  const shown = left === null ? model : modelOf(context, text, system, left);
  Object.assign(view, { model, shown, mode, selected: selectedError(context) });
  view.drawn = `${number} ${system} ${left} ${mode} ${mode === "read" ? focusedChain(view) : ""}`;
  listedErrors(view);
  drawColumns(view);
  keepFocus(() => {
    drawPick(view);
    drawList(view, view.selected !== null && view.selected !== before.selected);
    drawTools(view);
    drawInspector(view);
    drawTimeline(view);
  });
  if (view.drawn !== before.drawn) {
    if (!anchor) view.unfolded = new Set();
    drawText(view);
  } else markSelected(view);
  light(view);
  drawMap(view);
  placeText(view, anchor, view.drawn !== before.drawn);
  lookSoon(view);
}

/**
 * Remember the selected error if the newly selected system does not make it.
 * @param {View} view @param {import("../types.js").ReportText} text @param {number} system
 */
function followLost(view, text, system) {
  const isHere = view.model?.text === text;
  if (selectedError(view.context) !== null) view.lost = null;
  else if (isHere && view.model.system !== system) view.lost ??= view.selected;
  else if (!isHere || state().entity !== lastShown?.entity) view.lost = null;
}

/**
 * Scroll the text to a newly opened error or entity, to the position in the address, or to where it was.
 * @param {View} view @param {Anchor | null} anchor where it was; null if this document was not drawn
 * @param {boolean} isRedrawn
 */
function placeText(view, anchor, isRedrawn) {
  const { context: { errors }, selected } = view;
  const { at, entity } = state();
  const last = lastShown;
  lastShown = { text: view.model.text, error: selected, entity };
  const isHere = last !== null && last.text === view.model.text;
  const isOpened = selected !== null && !(isHere && isSame(errors, last.error, selected));
  const isEntityOpened = last !== null && !anchor && entity !== last.entity;
  const isAsked = !anchor || at !== view.at;
  view.at = at;
  // Without a position in the address, the reader goes back to a state without selection.
  const isReleased = last !== null && last.error !== null && selected === null && at === null && view.lost === null;
  if (isOpened && last) centre(view, errors.start[selected], true);
  else if (isAsked || isReleased) goTo(view, isOpened || isEntityOpened);
  else if (isRedrawn) returnTo(view, anchor);
  const isStill = anchor && !isOpened && !isAsked && !isReleased;
  if (!isStill || (isRedrawn && anchor.isSettled)) settle(view);
  if (view.lost !== null && at === null) notePlace(view);
}

/**
 * Whether two rows are the same error, possibly of different systems.
 * @param {import("../types.js").ErrorColumns} errors @param {number | null} one @param {number} other
 */
function isSame(errors, one, other) {
  return one !== null && errors.id[one] === errors.id[other];
}

/**
 * The first tokens of the mentions of an entity: names first, then nominals, then pronouns.
 * @param {import("./model.js").Mention[]} mentions
 */
function namesFirst(mentions) {
  return [...mentions].sort((one, other) => one.type - other.type).map(({ first }) => first);
}

/**
 * Scroll to the position in the address; if a newly opened error or entity is not visible there, scroll to it.
 * @param {View} view @param {boolean} isOpened
 */
function goTo(view, isOpened) {
  const { at } = state();
  if (at !== null) toTop(view, Math.min(at, Math.max(0, view.shown.text.words.length - 1)));
  const starts = view.selected !== null ? [view.context.errors.start[view.selected]]
    : namesFirst(focusedEntity(view)?.mentions ?? []);
  if (!starts.length) {
    if (at === null) toTop(view, 0);
  } else if (at === null || (isOpened && !starts.some((token) => isTokenSeen(view, token)))) {
    centre(view, starts[0], view.selected !== null);
  }
}
