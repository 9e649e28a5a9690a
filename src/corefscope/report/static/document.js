/** The document: key and response side by side, with every difference marked in its place. */
import { documentName, h, fill } from "./dom.js";
import { documentOf } from "./store.js";
import { state, go } from "./state.js";
import { docModel, docCount } from "./document-model.js";
import {
  DOC_VIEWS, docNumber, docSystem, docSelected, docMode, docColumns, docFocus, docListed, docPin, docOpenError,
  docTurn, docKeepFocus,
} from "./document-open.js";
import { DOC_HINT, docMarkSelected, docHover, docLight } from "./document-marks.js";
import { docTopToken } from "./document-seen.js";
import { docDrawText, docLookSoon, docScrollTo } from "./document-text.js";
import { docDrawPick, docDrawList, docListWindow } from "./document-navigator.js";
import { docHasTimeline, docMapFrame, docDrawMap, docToggleTimeline, docDrawTimeline } from "./document-timeline.js";
import { docDrawInspector } from "./document-inspector.js";

/**
 * @typedef {import("./document-model.js").Model} Model
 */

/** @type {any} */
let docView = null;
let docTicket = 0;
/** @type {number | null} */
let docLastError = null;

/** @param {HTMLElement} root @param {any} context */
export async function renderDocument(root, context) {
  const ticket = ++docTicket;
  if (!context.summary.documents.length) return fill(root, h("p.soft", {}, "The key has no documents."));
  if (docFollowsError(context)) return;
  const text = await documentOf(docNumber(context));
  // Another change came while the document was read: its own call draws.
  if (ticket !== docTicket || state().tab !== "document") return;
  if (!docView || docView.root.parentNode !== root) docView = docFrame(root, context);
  docUpdate(docView, docModel(text, docSystem(context), context.errors));
}

/** Open the document and system of a newly selected error. @param {any} context */
function docFollowsError({ errors }) {
  const row = state().error;
  const isNew = row !== docLastError;
  docLastError = row;
  if (!isNew || row === null || errors.id[row] === undefined) return false;
  const place = { document: errors.document[row], system: errors.system[row] };
  if (place.document === state().document && place.system === state().system) return false;
  go(place, { replace: true });
  return true;
}

/** @param {HTMLElement} root @param {any} context */
function docFrame(root, context) {
  docView?.resized?.disconnect();
  /** @type {any} */
  const view = {
    context, rowElements: [], unfolded: new Set(), lit: null, hovered: null, drawn: "", rows: [],
    pick: h("div.doc-pick"), errorsHead: h("div.doc-errors-head"),
    list: h("div.doc-list", { tabindex: "-1" }), tools: h("div.doc-tools"), timeline: h("div.doc-timeline"),
    heads: h("div.doc-heads"), text: h("div.doc-text"),
    inspector: h("aside.doc-inspector", { "aria-label": "Inspector" }),
    readout: h("div.doc-readout", {}, DOC_HINT),
  };
  view.scroll = h("div.doc-scroll", { id: "doc-scroll", tabindex: "0", role: "region", "aria-label": "Text" }, view.heads, view.text);
  view.map = docMapFrame(view);
  view.root = h("div.doc", {},
    h("nav.doc-nav", { "aria-label": "Documents and errors" }, view.pick, view.errorsHead, view.list),
    h("section.doc-main", { "aria-label": "Document" }, view.tools, view.timeline,
      h("div.doc-stage", {}, view.scroll, view.map), view.readout),
    view.inspector);
  fill(root, view.root);
  docListen(view);
  return view;
}

/** @param {any} view */
function docListen(view) {
  view.resized = new ResizeObserver(() => docLookSoon(view));
  view.resized.observe(view.scroll);
  view.list.addEventListener("scroll", () => docListWindow(view), { passive: true });
  view.scroll.addEventListener("scroll", () => docLookSoon(view), { passive: true });
  const mentionOf = (/** @type {any} */ event) => {
    const id = event.target.closest?.("[data-m]")?.dataset.m;
    return id === undefined ? null : view.model.mentions[Number(id)];
  };
  view.text.addEventListener("pointerover", (/** @type {Event} */ event) => docHover(view, mentionOf(event)));
  view.text.addEventListener("pointerleave", () => docHover(view, null));
  view.text.addEventListener("focusin", (/** @type {Event} */ event) => docHover(view, mentionOf(event)));
  view.text.addEventListener("focusout", () => docHover(view, null));
  view.text.addEventListener("click", (/** @type {Event} */ event) => {
    const mention = mentionOf(event);
    if (mention) docPin(mention.tag);
  });
  view.text.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => docWalk(view, event));
}

/** The tags are one stop of the Tab key; arrows go from one to the next. @param {any} view @param {KeyboardEvent} event */
function docWalk(view, event) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const from = /** @type {HTMLElement} */ (event.target);
  if (!step || !from.matches(".doc-tag")) return;
  const tags = [...view.text.querySelectorAll(".doc-tag")];
  const to = tags[tags.indexOf(from) + step];
  if (!to) return;
  event.preventDefault();
  from.tabIndex = -1;
  to.tabIndex = 0;
  to.focus();
}

document.addEventListener("view-key", (event) => {
  if (state().tab === "document" && docView) docKey(docView, /** @type {any} */ (event).detail);
});

/** @param {any} view @param {KeyboardEvent} event */
function docKey(view, event) {
  const views = DOC_VIEWS.map(([id]) => id);
  if (event.key === "j") docStep(view, 1);
  else if (event.key === "k") docStep(view, -1);
  else if (event.key === "J") docTurn(view, 1);
  else if (event.key === "K") docTurn(view, -1);
  else if (event.key === "v") go({ view: views[(views.indexOf(state().view) + 1) % views.length] });
  else if (event.key === "Escape" && (state().entity !== null || state().error !== null)) {
    go({ entity: null, error: null });
  }
}

/** Go to the next error of the list, or the first after what is selected. @param {any} view @param {number} step */
function docStep(view, step) {
  const { rows, context: { errors } } = view;
  const selected = docSelected(view.context);
  let at = rows.indexOf(selected);
  if (at < 0 && selected !== null) {
    const after = rows.findIndex((/** @type {number} */ row) => errors.start[row] >= errors.start[selected]);
    at = (after < 0 ? rows.length : after) - (step > 0 ? 1 : 0);
  } else if (at < 0 && step < 0) at = rows.length;
  docOpenError(rows[at + step]);
}

/** @param {any} view @param {Model} model */
function docUpdate(view, model) {
  const isOther = view.model?.text !== model.text;
  const mode = docMode();
  const drawn = `${docNumber(view.context)} ${model.system} ${mode} ${mode === "read" ? docFocus(view, model)?.chain : ""}`;
  const selected = docSelected(view.context);
  const isMoved = selected !== null && selected !== view.selected;
  const isRedrawn = drawn !== view.drawn;
  const at = isRedrawn && !isOther && view.rowElements.length ? docTopToken(view) : 0;
  Object.assign(view, { model, drawn, selected, mode, rows: docListed(view) });
  docKeepFocus(() => {
    docDrawPick(view);
    docDrawList(view, isMoved);
    docDrawTools(view);
    docDrawInspector(view);
    docDrawTimeline(view);
  });
  if (isRedrawn) {
    if (isOther) view.unfolded = new Set();
    docDrawText(view);
    if (selected === null || !isMoved) docScrollTo(view, at, "start");
  } else docMarkSelected(view);
  docLight(view);
  docDrawMap(view);
  if (isMoved) docScrollTo(view, view.context.errors.start[selected], "center");
}

/** @param {any} view */
function docDrawTools(view) {
  const { summary } = view.context;
  const system = summary.systems[view.model.system];
  fill(view.tools,
    h("div.doc-views", { role: "group", "aria-label": "View of the text (v)" }, DOC_VIEWS.map(([id, title]) => h("button", {
      id: `doc-view-${id}`, "aria-pressed": String(view.mode === id), onclick: () => go({ view: id }),
    }, title))),
    h("button.doc-toggle", {
      id: "doc-timeline-toggle", "aria-pressed": String(docHasTimeline),
      onclick: () => {
        docToggleTimeline();
        docKeepFocus(() => docDrawTools(view));
        docDrawTimeline(view);
      },
    }, "Timeline"),
    h("span.doc-tools-name.soft", { title: view.model.text.name }, documentName(view.model.text.name)));
  const sizes = (/** @type {"K" | "R"} */ side) => {
    const entities = [...view.model.entities.values()].filter((entity) => entity.side === side);
    const mentions = entities.reduce((sum, entity) => sum + entity.mentions.length, 0);
    return h("span.soft", {}, `${docCount(mentions, "mention")}, ${docCount(entities.length, "entity", "entities")}`);
  };
  const key = h("div.doc-head", {}, h("b", {}, "Key"), sizes("K"));
  const response = h("div.doc-head", {}, h("b", {}, `${system.letter} ${system.name}`), sizes("R"));
  const notes = /** @type {Record<string, string>} */ ({ overlay: "key above the words", read: "only the pinned entity" });
  view.root.classList.toggle("doc-spoken", view.model.text.speakers !== null);
  view.heads.className = `doc-heads doc-${docColumns(view.mode)}`;
  fill(view.heads, h("div"), docColumns(view.mode) === "two" ? [key, response]
    : h("div.doc-head", {}, h("b", {}, view.mode === "read" ? "Text" : `Key and ${system.letter} ${system.name}`),
      h("span.soft", {}, view.mode === "overlay" ? `${notes.overlay}, ${system.name} below` : notes.read)));
}
