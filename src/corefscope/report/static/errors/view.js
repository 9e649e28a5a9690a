/** Errors: facets with counts beside a table of the errors of the active system, or of several. */
import { counted, fill, h, keepFocus, numbered } from "../shared/dom.js";
import { state, go, option, withOption } from "../shared/state.js";
import { linkTo } from "../shared/links.js";
import { chosen, FACETS, systemName, versus } from "../shared/facets.js";
import { flaggedRows } from "../shared/remarks.js";
import { errorsGroups, errorsIndex, errorsOrder, errorsRows, errorsSelect } from "./index.js";
import { ERRORS_COLUMNS } from "./columns.js";
import {
  errorsActivate, errorsClick, errorsDrawColumns, errorsDrawRows, errorsGrouping, errorsGroupings, errorsKey,
  errorsMove, errorsParted, errorsPoint,
} from "./table.js";
import { errorsClear, errorsDrawFacets, errorsOnlyFlagged } from "./facets.js";
import { errorsFlag, errorsImport, errorsRemarkClick, errorsWriteNote } from "./remarks.js";
import { errorsExport, errorsPrint } from "./export.js";

/**
 * @typedef {import("../shared/facets.js").Context} Context
 * @typedef {import("./table.js").ErrorsView} ErrorsView
 */

/** @type {ErrorsView | null} */
let errorsView = null;

/** @param {HTMLElement} root @param {Context} context */
export async function renderErrors(root, context) {
  errorsView ??= errorsFrame(context);
  const view = errorsView;
  const { top } = view;
  const isBack = !root.contains(view.element);
  if (isBack) fill(root, view.element);
  const { system, error, options } = state();
  const shown = JSON.stringify([chosen(), system, versus(), options]);
  const isChanged = shown !== view.shown;
  view.shown = shown;
  // In the document others may have been flagged.
  if (isChanged || (isBack && errorsOnlyFlagged())) errorsChoose(view);
  else if (isBack) {
    view.parts.scroller.scrollTop = top;
    errorsDrawFacets(view);
  }
  errorsDrawRows(view, isChanged || isBack);
  // What was looked at stays in sight if it is still there.
  if (isChanged || isBack) errorsActivate(view, view.groups || error === null ? -1 : view.rows.indexOf(error));
}

/** Take the choice of the state. @param {ErrorsView} view */
function errorsChoose(view) {
  const { index, parts } = view;
  const { errors, summary } = index.context;
  view.chosen = errorsSelect(index, chosen(), errorsOnlyFlagged() ? new Set(flaggedRows(errors, summary)) : null);
  const sort = option("errors.sort");
  const column = ERRORS_COLUMNS.find(({ id }) => sort === `${id}.asc` || sort === `${id}.desc`);
  // Flags change; all else stays as it is.
  if (column?.id === "flag") index.orders.delete(sort);
  view.rows = errorsRows(errorsOrder(index, column ? sort : "", column?.key), view.chosen);
  const grouping = errorsGrouping(summary);
  view.groups = grouping ? errorsGroups(index, view.chosen.passes, grouping, errorsParted(grouping)) : null;
  parts.scroller.scrollTop = 0;
  /** @type {HTMLSelectElement} */ (parts.group).value = grouping;
  fill(parts.count, errorsCounted(view), view.groups && h("span.soft.errors-in", {},
    ` in ${numbered(view.groups.length, "group")}`));
  fill(parts.empty, view.chosen.total ? null : errorsNone(view));
  parts.empty.hidden = view.chosen.total > 0;
  keepFocus(() => errorsDrawColumns(view));
  errorsDrawFacets(view);
}

/** The systems whose errors are shown, and how many these are. @param {Context} context */
function errorsScope({ errors, summary }) {
  const systems = new Set(chosen().filters.system.map(Number));
  const all = errors.system.filter((/** @type {number} */ each) => systems.has(each)).length;
  return { all, named: systems.size > 1 ? `${systems.size} systems` : systemName(summary, state().system) };
}

/** "12 of 294 errors of A ours". @param {ErrorsView} view */
function errorsCounted({ index: { context }, chosen: { total } }) {
  const { all, named } = errorsScope(context);
  const errors = `${numbered(all, "error")} of ${named}`;
  if (errorsOnlyFlagged()) return `${counted(total)} flagged of ${errors}`;
  return total === all ? errors : `${counted(total)} of ${errors}`;
}

/** Why nothing is shown, and the way out. @param {ErrorsView} view */
function errorsNone({ index, chosen: { counts } }) {
  const { summary } = index.context;
  const { all, named } = errorsScope(index.context);
  if (!all) return h("p", {}, `No errors of ${named}: what it found is what the key has.`);
  if (errorsOnlyFlagged()) {
    return [
      h("p", {}, "No such error is flagged. Press f on a row, or click its star."),
      h("button.errors-button", {
        id: "errors-unflagged", onclick: () => go(withOption("errors.flagged", "")),
      }, "Show the others, too"),
    ];
  }
  const elsewhere = counts[FACETS.findIndex(({ id }) => id === "system")].reduce((sum, count) => sum + count, 0);
  const systems = summary.systems.map((/** @type {any} */ _, /** @type {number} */ number) => String(number));
  return [
    h("p", {}, `No error of ${named} matches these filters.`),
    elsewhere > 0 && h("p", {}, h("a", linkTo({ filters: { ...state().filters, system: systems } }),
      `Other systems have ${counted(elsewhere)}`)),
    h("button.errors-button", { id: "errors-none-clear", onclick: errorsClear }, "Clear all filters"),
  ];
}

/** @param {Context} context @returns {ErrorsView} */
function errorsFrame(context) {
  const parts = {
    facets: h("aside.errors-facets", { "aria-label": "Filters" }),
    count: h("span", { role: "status" }),
    said: h("span.soft.errors-said", { role: "status" }),
    columns: h("div.errors-row.errors-columns", { role: "row" }),
    spacer: h("div.errors-spacer", { role: "rowgroup" }),
    empty: h("div.errors-empty"),
    print: h("div.errors-print"),
    group: errorsGroupSelect(context),
    scroller: h("div.errors-table", { id: "errors-table", role: "grid", tabindex: "0", "aria-label": "Errors" }),
  };
  parts.scroller.append(h("div.errors-heading", { role: "rowgroup" }, parts.columns), parts.spacer, parts.empty);
  /** @type {ErrorsView} */
  const view = {
    element: h("div.errors"), parts, index: errorsIndex(context), rows: new Int32Array(0), groups: null,
    chosen: { passes: new Uint8Array(0), total: 0, counts: [] },
    active: -1, top: 0, drawn: new Map(), shown: "", open: {},
  };
  fill(view.element, parts.facets,
    h("section.errors-main", { "aria-label": "Table of errors" }, errorsTools(view), parts.scroller), parts.print);
  errorsListen(view);
  return view;
}

/** @param {ErrorsView} view */
function errorsListen(view) {
  const { scroller, spacer, print } = view.parts;
  scroller.addEventListener("scroll", () => {
    view.top = scroller.scrollTop;
    errorsDrawRows(view, false);
  });
  scroller.addEventListener("keydown", (event) => errorsKey(view, event));
  spacer.addEventListener("mouseover", (event) => errorsPoint(view, event));
  spacer.addEventListener("click", (event) => {
    errorsRemarkClick(view, event);
    errorsClick(view, event);
  });
  document.addEventListener("view-key", (event) => errorsViewKey(view, /** @type {any} */ (event).detail));
  new ResizeObserver(() => errorsDrawRows(view, false)).observe(scroller);
  window.addEventListener("beforeprint", () => { if (state().tab === "errors") errorsPrint(view); });
  window.addEventListener("afterprint", () => print.replaceChildren());
}

/** @param {ErrorsView} view */
function errorsTools(view) {
  const { parts, index: { context } } = view;
  const imported = (/** @type {string} */ said) => {
    view.shown = "";
    go({});
    parts.said.textContent = said;
  };
  return h("div.errors-tools", {},
    h("h2.errors-count", {}, parts.count), parts.said,
    h("label.errors-group", {}, "Group by ", parts.group),
    h("span.errors-export", {}, h("span.soft", {}, "Export"),
      h("button.errors-button", { id: "errors-jsonl", onclick: () => errorsExport(view, "jsonl") }, "JSON lines"),
      h("button.errors-button", { id: "errors-csv", onclick: () => errorsExport(view, "csv") }, "CSV"),
      errorsImport(context, imported)));
}

/** @param {Context} context */
function errorsGroupSelect(context) {
  return h("select.errors-select", {
    id: "errors-group", onchange: (/** @type {any} */ event) => go(withOption("errors.group", event.target.value)),
  }, h("option", { value: "" }, "nothing"),
  errorsGroupings(context.summary).map(([id, title]) => h("option", { value: id }, title.toLowerCase())));
}

/** These keys work from anywhere in the view. @param {ErrorsView} view @param {KeyboardEvent} event */
function errorsViewKey(view, event) {
  if (state().tab !== "errors" || !["j", "k", "f", "n"].includes(event.key)) return;
  event.preventDefault();
  view.parts.scroller.focus();
  if (event.key === "f") errorsFlag(view, view.active);
  else if (event.key === "n") errorsWriteNote(view, view.active);
  else errorsMove(view, view.active + (event.key === "j" ? 1 : -1));
}
