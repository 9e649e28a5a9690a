/** What is open: the document, the system, the view, the selected error and the pinned entity; and how to open others. */
import { state, go } from "./state.js";
import { rowsMatching } from "./facets.js";

/**
 * @typedef {import("./document-model.js").Model} Model
 */

export const DOC_VIEWS = [
  ["side", "Side by side"], ["overlay", "Overlay"], ["diff", "Differences"], ["read", "Read"],
];

/** @param {any} context */
export function docNumber({ summary }) {
  return Math.min(state().document, summary.documents.length - 1);
}

/** @param {any} context */
export function docSystem({ summary }) {
  return Math.min(state().system, summary.systems.length - 1);
}

/** The selected error, if it is one of what is open. @param {any} context @returns {number | null} */
export function docSelected(context) {
  const { errors } = context;
  const row = state().error;
  if (row === null || errors.id[row] === undefined) return null;
  const isHere = errors.document[row] === docNumber(context) && errors.system[row] === docSystem(context);
  return isHere ? row : null;
}

export function docMode() {
  return DOC_VIEWS.some(([id]) => id === state().view) ? state().view : "side";
}

/** @param {string} mode */
export function docColumns(mode) {
  return mode === "side" || mode === "diff" ? "two" : "one";
}

/** The entity that is pinned or that the selected error is about. @param {any} view @param {Model} [model] */
export function docFocus(view, model = view.model) {
  const row = docSelected(view.context);
  const tag = state().entity ?? (row === null ? null : view.context.errors.entity[row]);
  return tag === null ? null : model.entities.get(tag) ?? null;
}

/** The errors of the open document under the filters, in the order of the text. @param {any} view */
export function docListed(view) {
  const { errors, summary } = view.context;
  const rows = rowsMatching(errors, summary, { filters: docHere(view), search: state().search });
  return rows.sort((a, b) => errors.start[a] - errors.start[b] || a - b);
}

/** The filters, for the open document and system only. @param {any} view */
export function docHere(view) {
  const [number, system] = [docNumber(view.context), docSystem(view.context)];
  return { ...state().filters, document: [String(number)], system: [String(system)] };
}

/** @param {string} tag */
export function docPin(tag) {
  go({ entity: state().entity === tag ? null : tag });
}

/** @param {number | undefined} row */
export function docOpenError(row) {
  if (row !== undefined) go({ error: row, entity: null });
}

/** Open another document. @param {any} view @param {number} step */
export function docTurn(view, step) {
  const to = docNumber(view.context) + step;
  if (to >= 0 && to < view.context.summary.documents.length) go({ document: to, error: null, entity: null });
}

/** Draw, and give the focus back to the element of the same id. @param {() => void} draw */
export function docKeepFocus(draw) {
  const id = document.activeElement?.id;
  draw();
  if (id && document.activeElement?.id !== id) document.getElementById(id)?.focus({ preventScroll: true });
}
