/** Errors: flags and notes, and importing them from an export. */
import { h, numbered } from "../shared/dom.js";
import { noteInput, importRemarks, toggleFlag } from "../shared/remarks.js";
import { activateRow, redrawRow } from "./table.js";
import { drawFacets } from "./facets.js";

/** @typedef {import("./table.js").ErrorsView} ErrorsView */

/** A row whose flag is removed stays until the filters change. @param {ErrorsView} view @param {number} place */
function remarked(view, place) {
  redrawRow(view, place);
  drawFacets(view);
}

/** @param {ErrorsView} view @param {number} place */
export function flagRow(view, place) {
  const { errors, summary } = view.index.context;
  if (view.groups || !(place in view.rows)) return;
  toggleFlag(errors, summary, view.rows[place]);
  remarked(view, place);
}

/** Write a note in the row: Enter saves it, Esc discards it. @param {ErrorsView} view @param {number} place */
export function writeNote(view, place) {
  if (view.groups || !(place in view.rows)) return;
  activateRow(view, place);
  const input = noteInput(view.index.context, view.rows[place], () => redrawRow(view, place),
    () => view.parts.scroller.focus({ preventScroll: true }));
  view.drawn.get(place)?.lastElementChild?.append(input);
  input.focus({ preventScroll: true });
  input.setSelectionRange(input.value.length, input.value.length);
}

/** A click on a star or a pen. @param {ErrorsView} view @param {MouseEvent} event */
export function onRemarkClick(view, event) {
  const button = /** @type {HTMLElement} */ (event.target).closest("button");
  const line = /** @type {HTMLElement | null} */ (button?.closest("[data-place]"));
  if (!button || !line) return;
  const place = Number(line.dataset.place);
  if (button.dataset.does === "flag") flagRow(view, place);
  else writeNote(view, place);
}

/**
 * A button that reads flags and notes from a file.
 * @param {import("../shared/facets.js").Context} context
 * @param {(said: string) => void} done receives a message about what was read
 */
export function importButton({ errors, summary }, done) {
  const input = /** @type {HTMLInputElement} */ (h("input.errors-file", {
    id: "errors-import-file", type: "file", accept: ".jsonl", tabindex: "-1", "aria-label": "File to import",
    onchange: async () => {
      const text = await input.files?.[0]?.text();
      input.value = "";
      if (text === undefined) return;
      const { taken, unknown } = importRemarks(errors, summary, text);
      if (!taken && !unknown) return done("No flags or notes found. Expected an export as JSON lines.");
      const others = unknown ? `; ${unknown} ${unknown === 1 ? "is" : "are"} not in this report` : "";
      done(`Imported flags and notes on ${numbered(taken, "error")}${others}.`);
    },
  }));
  return [
    h("button.errors-button", {
      id: "errors-import", title: "Import flags and notes from an export as JSON lines", onclick: () => input.click(),
    }, "Import"),
    input,
  ];
}
