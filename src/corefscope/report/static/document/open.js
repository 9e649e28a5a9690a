/**
 * The open document, system, view, error and entity, and functions that open others.
 */
import { state, go, option } from "../shared/state.js";
import { chosen, rowsMatching, versus } from "../shared/facets.js";

/**
 * @typedef {import("../shared/facets.js").Context} Context
 * @typedef {import("./model.js").Model} Model
 * @typedef {import("./model.js").Mention} Mention
 *
 * @typedef {object} View the drawn document: its elements and their state
 * @property {Context} context
 * @property {Model} model the active system compared with the key, for errors and inspector
 * @property {Model} shown the model of the text: the same, or with another system on the left
 * @property {string} mode side, overlay, diff or read
 * @property {string} drawn the state that the text was drawn for
 * @property {number[]} rows the errors of the list
 * @property {Map<number, HTMLElement>} lines of the list that are drawn, by row
 * @property {number[] | null} linesOf the list of these lines
 * @property {string} listed the state that the errors were listed for
 * @property {number | null} selected
 * @property {number | null} lost the error that was selected before switching to a system that does not make it
 * @property {number | null} at the first visible token, as in the address
 * @property {number} settled the scroll position that an address gave, which need not be noted again
 * @property {Set<string>} lit the highlighted chains: the pinned one, and the one under the pointer
 * @property {Mention | null} hovered
 * @property {HTMLElement[]} rowElements by number of the row; folded rows have none
 * @property {Set<HTMLElement>} filled rows whose words are drawn
 * @property {Set<number>} unfolded
 * @property {boolean} isLookDue
 * @property {ReturnType<typeof setTimeout> | undefined} noteSoon
 * @property {(() => void) | null} isResting called when the address is updated; null if no update is due
 * @property {string} picked the state that the picker was drawn for
 * @property {string} timelined the state that the timeline was drawn for
 * @property {string} inspected the state that the inspector was drawn for
 * @property {string} inspectedTag
 * @property {Record<string, string>} widths of columns before they were collapsed
 * @property {Record<string, HTMLElement>} separators by column
 * @property {ResizeObserver} resized
 * @property {SVGElement} box the visible part on the mini-map
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

/** The system on the left; null for the key. @param {Context} context */
export function leftSystem(context) {
  const asked = option("document.left");
  const isKnown = /^\d+$/.test(asked) && Number(asked) < context.summary.systems.length;
  return isKnown && Number(asked) !== state().system ? Number(asked) : null;
}

/** The selected error, if it belongs to the open document and system. @param {Context} context @returns {number | null} */
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

/** The pinned entity, or that of the selected error. @param {View} view */
export function focusedEntity({ context, model, shown }) {
  const row = selectedError(context);
  const tag = state().entity ?? (row === null ? null : context.errors.entity[row]);
  return tag === null ? null : model.entities.get(tag) ?? shown.entities.get(tag) ?? null;
}

/** The pinned chain of the text. @param {View} view */
export function focusedChain(view) {
  const focus = focusedEntity(view);
  return focus ? (view.shown.entities.get(focus.tag) ?? focus).chain : null;
}

/** List the errors of the open document and system that match the filters, in the order of the text. @param {View} view */
export function listedErrors(view) {
  const { context } = view;
  const { document: number, system } = state();
  const { filters, search } = chosen();
  const { document: _, system: __, ...others } = /** @type {Record<string, string[]>} */ (filters);
  // Document and system are checked first, because they exclude most rows.
  const wanted = { filters: { document: [String(number)], system: [String(system)], ...others }, search };
  const listed = JSON.stringify([wanted, versus()]);
  // Only the error or entity changed: there are too many errors to check all of them again.
  if (view.listed === listed) return;
  const { start } = context.errors;
  view.listed = listed;
  const rows = rowsMatching(context, wanted).sort((a, b) => start[a] - start[b] || a - b);
  // An unchanged list is kept with its lines.
  if (String(rows) !== String(view.rows)) view.rows = rows;
}

/** Whether an error concerns an entity. @param {View} view @param {number} row @param {string | null} tag */
function isAbout({ context: { errors } }, row, tag) {
  return tag !== null && (errors.entity[row] === tag || errors.other[row] === tag);
}

/**
 * The errors that j and k move through: those of the pinned entity, or all if it has none.
 * @param {View} view
 */
export function steps(view) {
  const ofEntity = view.rows.filter((row) => isAbout(view, row, state().entity));
  return ofEntity.length ? ofEntity : view.rows;
}

/** Pin an entity, or unpin it. @param {string} tag */
export function pin(tag) {
  go({ entity: state().entity === tag ? null : tag });
}

/**
 * The entity that a click on a mention pins. For another system on the left, this is the corresponding entity of the
 * key or of the active system, which the inspector can show.
 * @param {View} view @param {Mention} mention
 */
export function pinTag({ model, shown }, mention) {
  if (shown === model || mention.side === "R") return mention.tag;
  return model.chains.get(mention.chain)?.[0].tag ?? mention.tag;
}

/** Open an error; its entity stays pinned. @param {View} view @param {number | undefined} row */
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
