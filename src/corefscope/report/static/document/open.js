/**
 * What is open: the document, the system, the view, the selected error and the pinned entity; and how to open
 * others.
 */
import { state, go, option } from "../shared/state.js";
import { chosen, rowsMatching, versus } from "../shared/facets.js";

/**
 * @typedef {import("../shared/facets.js").Context} Context
 * @typedef {import("./model.js").Model} Model
 * @typedef {import("./model.js").Mention} Mention
 *
 * @typedef {object} View the drawn document: its parts, and what they show
 * @property {Context} context
 * @property {Model} model the active system against the key: what errors and inspector speak of
 * @property {Model} shown what the text shows: the same, or another system at the left
 * @property {string} mode side, overlay, diff or read
 * @property {string} drawn what the text was drawn for
 * @property {number[]} rows the errors of the list
 * @property {Map<number, HTMLElement>} lines of the list that are drawn, by row
 * @property {number[] | null} linesOf the list that these lines are of
 * @property {string} listed what the errors of the list were found for
 * @property {number | null} selected
 * @property {number | null} lost the error that was selected until a system was chosen that does not make it
 * @property {number | null} at the first token seen, as the address has it
 * @property {number} settled where the text was scrolled to by an address, so that it is not noted again
 * @property {string | null} lit the chain that is lit
 * @property {Mention | null} hovered
 * @property {HTMLElement[]} rowElements by place of the row; folded rows have none
 * @property {Set<HTMLElement>} filled rows whose words are drawn
 * @property {Set<number>} unfolded
 * @property {boolean} isLookDue
 * @property {ReturnType<typeof setTimeout> | undefined} noteSoon
 * @property {(() => void) | null} isResting called when the place is noted; null where none is to be
 * @property {string} picked what the picker was drawn for
 * @property {string} timelined what the timeline was drawn for
 * @property {string} inspected what the inspector was drawn for
 * @property {string} inspectedTag
 * @property {Record<string, string>} widths of columns before they were collapsed
 * @property {Record<string, HTMLElement>} separators by column
 * @property {ResizeObserver} resized
 * @property {SVGElement} box the part of the mini-map that is seen
 * @property {SVGElement} map
 * @property {HTMLElement} root
 * @property {HTMLElement} pick
 * @property {HTMLElement} errorsHead
 * @property {HTMLElement} list
 * @property {HTMLElement} tools
 * @property {HTMLElement} timeline
 * @property {HTMLElement} scroll
 * @property {HTMLElement} heads
 * @property {HTMLElement} before space above the text, while it is needed
 * @property {HTMLElement} text
 * @property {HTMLElement} after space below the text, while it is needed
 * @property {HTMLElement} inspector
 * @property {HTMLElement} readout
 */

export const VIEWS = [
  ["side", "Side by side"], ["overlay", "Overlay"], ["diff", "Differences"], ["read", "Read"],
];

/** The system at the left; null for the key. @param {Context} context */
export function leftSystem(context) {
  const asked = option("document.left");
  const isKnown = /^\d+$/.test(asked) && Number(asked) < context.summary.systems.length;
  return isKnown && Number(asked) !== state().system ? Number(asked) : null;
}

/** The selected error, if it is one of what is open. @param {Context} context @returns {number | null} */
export function selectedError({ errors }) {
  const { document: number, error: row, system } = state();
  if (row === null || errors.id[row] === undefined) return null;
  const isHere = errors.document[row] === number && errors.system[row] === system;
  return isHere ? row : null;
}

export function viewMode() {
  return VIEWS.some(([id]) => id === state().view) ? state().view : "side";
}

/** @param {string} mode */
export function columnsIn(mode) {
  return mode === "side" || mode === "diff" ? "two" : "one";
}

/** The entity that is pinned or that the selected error is about. @param {View} view */
export function focusedEntity({ context, model, shown }) {
  const row = selectedError(context);
  const tag = state().entity ?? (row === null ? null : context.errors.entity[row]);
  return tag === null ? null : model.entities.get(tag) ?? shown.entities.get(tag) ?? null;
}

/** The chain that is pinned, as the text has it. @param {View} view */
export function focusedChain(view) {
  const focus = focusedEntity(view);
  return focus ? (view.shown.entities.get(focus.tag) ?? focus).chain : null;
}

/** List the errors of the open document and system under the filters, in the order of the text. @param {View} view */
export function listedErrors(view) {
  const { context } = view;
  const { document: number, system } = state();
  const { filters, search } = chosen();
  const { document: _, system: __, ...others } = /** @type {Record<string, string[]>} */ (filters);
  // What is open comes first: it leaves out most rows.
  const wanted = { filters: { document: [String(number)], system: [String(system)], ...others }, search };
  const listed = JSON.stringify([wanted, versus()]);
  // Another error or entity of the same list: there are too many errors to look at all of them again.
  if (view.listed === listed) return;
  const { start } = context.errors;
  view.listed = listed;
  const rows = rowsMatching(context, wanted).sort((a, b) => start[a] - start[b] || a - b);
  // A list that is still the same stays, and so do its lines.
  if (String(rows) !== String(view.rows)) view.rows = rows;
}

/** Whether an error is about an entity. @param {View} view @param {number} row @param {string | null} tag */
function isAbout({ context: { errors } }, row, tag) {
  return tag !== null && (errors.entity[row] === tag || errors.other[row] === tag);
}

/**
 * The errors that j and k go through: of the pinned entity where there are some, or else all of the list.
 * @param {View} view
 */
export function steps(view) {
  const ofEntity = view.rows.filter((row) => isAbout(view, row, state().entity));
  return ofEntity.length ? ofEntity : view.rows;
}

/** Pin an entity, or let it go. @param {string} tag */
export function pin(tag) {
  go({ entity: state().entity === tag ? null : tag });
}

/**
 * The entity that a click on a mention pins: of another system at the left, the one of the key or of the
 * active system that it is aligned with, since that is what the inspector knows.
 * @param {View} view @param {Mention} mention
 */
export function pinTag({ model, shown }, mention) {
  if (shown === model || mention.side === "R") return mention.tag;
  return model.chains.get(mention.chain)?.[0].tag ?? mention.tag;
}

/** Open an error; a pinned entity that it is about stays. @param {View} view @param {number | undefined} row */
export function openError(view, row) {
  if (row === undefined) return;
  const { entity } = state();
  go({ error: row, entity: isAbout(view, row, entity) ? entity : null, at: null });
}

/** Open another document. @param {View} view @param {number} step */
export function turnDocument(view, step) {
  const to = state().document + step;
  if (to >= 0 && to < view.context.summary.documents.length) go({ document: to, error: null, entity: null });
}
