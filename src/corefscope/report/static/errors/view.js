/** Errors: facets with counts beside a table of the errors of the active system, or of several. */
import { counted, fill, h, keepFocus, numbered } from "../shared/dom.js";
import { state, go, option, withOption } from "../shared/state.js";
import { linkTo } from "../shared/links.js";
import { chosen, FACETS, systemName, versus } from "../shared/facets.js";
import { flaggedRows } from "../shared/remarks.js";
import { groupsOf, indexOf, rowOrder, chosenRows, select } from "./index.js";
import { COLUMNS } from "./columns.js";
import {
  activateRow, onClick, drawColumns, drawRows, groupedBy, groupings, onKey,
  moveActive, partedBy, onPoint,
} from "./table.js";
import { clear, drawFacets, onlyFlagged } from "./facets.js";
import { flagRow, importButton, onRemarkClick, writeNote } from "./remarks.js";
import { exportRows, printRows } from "./export.js";
import { panelCard } from "../charts/panels.js";
import { stepsPanel } from "../charts/corrections.js";

/**
 * @typedef {import("../shared/facets.js").Context} Context
 * @typedef {import("./table.js").ErrorsView} ErrorsView
 */

/** @type {ErrorsView | null} */
let openView = null;

/** @param {HTMLElement} root @param {Context} context */
export async function render(root, context) {
  openView ??= frame(context);
  const view = openView;
  const { top } = view;
  const isBack = !root.contains(view.element);
  if (isBack) fill(root, view.element);
  const { system, error, options } = state();
  const shown = JSON.stringify([chosen(), system, versus(), options]);
  const isChanged = shown !== view.shown;
  view.shown = shown;
  // Errors may have been flagged in the document.
  if (isChanged || (isBack && onlyFlagged())) choose(view);
  else if (isBack) {
    view.parts.scroller.scrollTop = top;
    drawFacets(view);
  }
  drawRows(view, isChanged || isBack);
  // Keep the active row visible if it is still shown.
  if (isChanged || isBack) activateRow(view, view.groups || error === null ? -1 : view.rows.indexOf(error));
}

/** Apply the filters of the state. @param {ErrorsView} view */
function choose(view) {
  const { index, parts } = view;
  const { errors, summary } = index.context;
  view.chosen = select(index, chosen(), onlyFlagged() ? new Set(flaggedRows(errors, summary)) : null);
  const sort = option("errors.sort");
  const column = COLUMNS.find(({ id }) => sort === `${id}.asc` || sort === `${id}.desc`);
  // Only flags can have changed.
  if (column?.id === "flag") index.orders.delete(sort);
  view.rows = chosenRows(rowOrder(index, column ? sort : "", column?.key), view.chosen);
  const grouping = groupedBy(summary);
  view.groups = grouping ? groupsOf(index, view.chosen.passes, grouping, partedBy(grouping)) : null;
  parts.scroller.scrollTop = 0;
  /** @type {HTMLSelectElement} */ (parts.group).value = grouping;
  fill(parts.count, countText(view), view.groups && h("span.soft.errors-in", {},
    ` in ${numbered(view.groups.length, "group")}`));
  fill(parts.empty, view.chosen.total ? null : none(view));
  parts.empty.hidden = view.chosen.total > 0;
  keepFocus(() => drawColumns(view));
  drawFacets(view);
  drawSteps(view);
}

/** What correcting all types in order gains, under a heading of its own. @param {ErrorsView} view */
function drawSteps({ index: { context }, parts }) {
  const { summary } = context, { system } = state();
  const steps = /** @type {HTMLDetailsElement} */ (parts.steps);
  const { letter, name } = summary.systems[system];
  const overview = {
    context, summary, system, analysed: summary.errors.systems[system], rows: [], height: 300,
    width: Math.max(420, Math.min(760, parts.scroller.clientWidth - 40)),
    file: `${letter}-${name}`.replace(/[^\w.-]+/g, "_"),
  };
  keepFocus(() => fill(steps,
    h("summary", { id: "errors-steps-summary" }, h("h3", {}, "All corrections in steps")),
    steps.open && panelCard(stepsPanel(overview))));
}

/** The systems whose errors are shown, and the number of their errors. @param {Context} context */
function scope({ errors, summary }) {
  const systems = new Set(chosen().filters.system.map(Number));
  const all = errors.system.filter((/** @type {number} */ each) => systems.has(each)).length;
  return { all, named: systems.size > 1 ? `${systems.size} systems` : systemName(summary, state().system) };
}

/** "12 of 294 errors of A ours". @param {ErrorsView} view */
function countText({ index: { context }, chosen: { total } }) {
  const { all, named } = scope(context);
  const errors = `${numbered(all, "error")} of ${named}`;
  if (onlyFlagged()) return `${counted(total)} flagged of ${errors}`;
  return total === all ? errors : `${counted(total)} of ${errors}`;
}

/** Why nothing is shown, and what to do. @param {ErrorsView} view */
function none({ index, chosen: { counts } }) {
  const { summary } = index.context;
  const { all, named } = scope(index.context);
  if (!all) return h("p", {}, `No errors of ${named}: the response equals the key.`);
  if (onlyFlagged()) {
    return [
      h("p", {}, "None of these errors is flagged. Press f on a row, or click its star."),
      h("button.errors-button", {
        id: "errors-unflagged", onclick: () => go(withOption("errors.flagged", "")),
      }, "Show errors without flags"),
    ];
  }
  const elsewhere = counts[FACETS.findIndex(({ id }) => id === "system")].reduce((sum, count) => sum + count, 0);
  const systems = summary.systems.map((_, number) => String(number));
  return [
    h("p", {}, `No error of ${named} matches these filters.`),
    elsewhere > 0 && h("p", {}, h("a", linkTo({ filters: { ...state().filters, system: systems } }),
      `Show ${numbered(elsewhere, "error")} of other systems`)),
    h("button.errors-button", { id: "errors-none-clear", onclick: clear }, "Clear all filters"),
  ];
}

/** @param {Context} context @returns {ErrorsView} */
function frame(context) {
  const parts = {
    facets: h("aside.errors-facets", { "aria-label": "Filters" }),
    count: h("span", { role: "status" }),
    said: h("span.soft.errors-said", { role: "status" }),
    columns: h("div.errors-row.errors-columns", { role: "row" }),
    spacer: h("div.errors-spacer", { role: "rowgroup" }),
    empty: h("div.errors-empty"),
    steps: h("details.errors-steps", { id: "errors-steps" }),
    print: h("div.errors-print"),
    group: groupSelect(context),
    scroller: h("div.errors-table", { id: "errors-table", role: "grid", tabindex: "0", "aria-label": "Errors" }),
  };
  parts.scroller.append(h("div.errors-heading", { role: "rowgroup" }, parts.columns), parts.spacer, parts.empty);
  /** @type {ErrorsView} */
  const view = {
    element: h("div.errors"), parts, index: indexOf(context), rows: new Int32Array(0), groups: null,
    chosen: { passes: new Uint8Array(0), total: 0, counts: [] },
    active: -1, top: 0, drawn: new Map(), shown: "", open: {},
  };
  fill(view.element, parts.facets,
    h("section.errors-main", { "aria-label": "Table of errors" }, tools(view), parts.steps, parts.scroller), parts.print);
  listen(view);
  return view;
}

/** @param {ErrorsView} view */
function listen(view) {
  const { scroller, spacer, steps, print } = view.parts;
  steps.addEventListener("toggle", () => drawSteps(view));
  scroller.addEventListener("scroll", () => {
    view.top = scroller.scrollTop;
    drawRows(view, false);
  });
  scroller.addEventListener("keydown", (event) => onKey(view, event));
  spacer.addEventListener("mouseover", (event) => onPoint(view, event));
  spacer.addEventListener("click", (event) => {
    onRemarkClick(view, event);
    onClick(view, event);
  });
  document.addEventListener("view-key", (event) => onViewKey(view, /** @type {CustomEvent} */ (event).detail));
  new ResizeObserver(() => drawRows(view, false)).observe(scroller);
  window.addEventListener("beforeprint", () => { if (state().tab === "errors") printRows(view); });
  window.addEventListener("afterprint", () => print.replaceChildren());
}

/** @param {ErrorsView} view */
function tools(view) {
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
      h("button.errors-button", { id: "errors-jsonl", onclick: () => exportRows(view, "jsonl") }, "JSON lines"),
      h("button.errors-button", { id: "errors-csv", onclick: () => exportRows(view, "csv") }, "CSV"),
      importButton(context, imported)));
}

/** @param {Context} context */
function groupSelect(context) {
  return h("select.errors-select", {
    id: "errors-group", onchange: (/** @type {import("../shared/dom.js").Changed} */ event) => go(withOption("errors.group", event.target.value)),
  }, h("option", { value: "" }, "nothing"),
  groupings(context.summary).map(([id, title]) => h("option", { value: id }, title.toLowerCase())));
}

/** These keys work from anywhere in the view. @param {ErrorsView} view @param {KeyboardEvent} event */
function onViewKey(view, event) {
  if (state().tab !== "errors" || !["j", "k", "f", "n"].includes(event.key)) return;
  event.preventDefault();
  view.parts.scroller.focus();
  if (event.key === "f") flagRow(view, view.active);
  else if (event.key === "n") writeNote(view, view.active);
  else moveActive(view, view.active + (event.key === "j" ? 1 : -1));
}
