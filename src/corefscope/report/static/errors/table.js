/** Errors: the table, which draws only visible rows, and its keyboard shortcuts. */
import { counted, fill, h, replaceRows, sortHeading } from "../shared/dom.js";
import { state, go, noteInAddress, option, withOption } from "../shared/state.js";
import { linkTo } from "../shared/links.js";
import { facet } from "../shared/facets.js";
import { partsOf } from "./index.js";
import { COLUMNS, MANY_SYSTEMS, cells, mark, pointAt } from "./columns.js";

/**
 * The view is kept when another tab is opened, so that the reader returns to the same place.
 * @typedef {object} ErrorsView
 * @property {HTMLElement} element
 * @property {Record<string, HTMLElement>} parts
 * @property {import("./index.js").ErrorsIndex} index
 * @property {import("./index.js").ErrorsChosen} chosen
 * @property {Int32Array} rows the chosen ones, in their order
 * @property {import("./index.js").ErrorsGroup[] | null} groups
 * @property {number} active place in the list, -1 for none
 * @property {number} top how far it was scrolled
 * @property {Map<number, HTMLElement>} drawn rows in the page, by place
 * @property {string} shown the filters that were last applied
 * @property {Record<string, string>} open facets that show all values, and the search text in them
 */

const ROW_HEIGHT = 32;
/** How many rows to draw above and below the visible ones, so that scrolling shows no gap. */
const OVERSCAN = 10;

/** The facets that errors can be grouped by. */
const GROUPS = [
  ["type", "Type"], ["text", "Text"], ["entity", "Entity"], ["document", "Document"], ["entity_type", "Entity type"],
  ["mention_type", "Mention type"], ["makers", "Made by"],
];

/** Short names of types. @type {Record<string, string>} */
const IN_WORDS = {
  span_error: "span", conflated_entities: "conflated", divided_entity: "divided", extra_mention: "extra",
  extra_entity: "extra entity", missing_mention: "missing", missing_entity: "missing entity",
};

/** The facets that can group these errors, and their names. @param {import("../types.js").Summary} summary */
export function groupings(summary) {
  return GROUPS.filter(([id]) => !facet(id).isIdle?.(summary));
}

/** The grouping facet, or "". @param {import("../types.js").Summary} summary */
export function groupedBy(summary) {
  return groupings(summary).find(([id]) => id === option("errors.group"))?.[0] ?? "";
}

/** The facet that subdivides groups; types are subdivided by another facet. @param {string} grouping */
export function partedBy(grouping) {
  return grouping === "type" ? "mention_type" : "type";
}

/** How many lines the list has. @param {ErrorsView} view */
function lineCount({ groups, rows }) {
  return (groups ?? rows).length;
}

/** @param {ErrorsView} view */
export function drawColumns({ parts, index }) {
  const { summary } = index.context;
  const grouping = groupedBy(summary);
  parts.scroller.classList.toggle("errors-grouped", grouping !== "");
  const places = Math.min(summary.systems.length, MANY_SYSTEMS);
  parts.scroller.style.setProperty("--errors-systems", `${Math.max(places * 22 + 18, 84)}px`);
  fill(parts.columns, grouping ? groupColumns(grouping) : COLUMNS.map(column));
}

/** @param {string} grouping */
function groupColumns(grouping) {
  const titled = (/** @type {string} */ id) => GROUPS.find(([each]) => each === id)?.[1] ?? "";
  const titles = [titled(grouping), "Errors", `By ${titled(partedBy(grouping)).toLowerCase()}`];
  const looks = [".errors-group-0", ".errors-group-1", ""];
  return titles.map((title, at) => h(`span.errors-cell${looks[at]}`, { role: "columnheader" }, title));
}

/** @param {import("./columns.js").ErrorsColumn} column */
function column({ id, title, hint, isMostFirst }) {
  const { button, order } = sortHeading({
    id: `errors-sort-${id}`, title, hint: `${hint}; click to sort`, name: id === "flag" ? "Flag and note" : null,
    column: id, sort: option("errors.sort"), first: isMostFirst ? "desc" : "asc",
    onsort: (next) => go(withOption("errors.sort", next)),
  });
  return h(`span.errors-cell.errors-${id}`, { role: "columnheader", "aria-sort": order }, button);
}

/** Draw the visible rows, unless they are drawn already. @param {ErrorsView} view @param {boolean} isNew */
export function drawRows(view, isNew) {
  const { parts } = view;
  const count = lineCount(view);
  const top = Math.floor(parts.scroller.scrollTop / ROW_HEIGHT);
  const bottom = top + Math.ceil(parts.scroller.clientHeight / ROW_HEIGHT);
  const spare = view.drawn.has(top) || view.drawn.has(bottom) ? OVERSCAN : 0;
  const [first, last] = [Math.max(0, top - spare), Math.min(count, bottom + spare)];
  const drawn = `${first} ${last}`;
  if (!isNew && parts.spacer.dataset.drawn === drawn) return;
  parts.spacer.dataset.drawn = drawn;
  if (isNew) {
    parts.spacer.style.setProperty("height", `${count * ROW_HEIGHT}px`);
    parts.scroller.setAttribute("aria-rowcount", String(count + 1));
    view.drawn.clear();
  }
  /** @type {Map<number, HTMLElement>} */
  const rows = new Map();
  // When scrolling, most rows stay; only newly visible ones are created.
  for (let place = first; place < last; place++) rows.set(place, view.drawn.get(place) ?? drawLine(view, place));
  replaceRows(parts.spacer, view.drawn, rows);
  view.drawn = rows;
  markActive(view);
}

/** A line of the list: an error or a group. @param {ErrorsView} view @param {number} place */
function drawLine(view, place) {
  return h("div.errors-row.errors-item", {
    id: `errors-row-${place}`, role: "row", "aria-rowindex": place + 2, dataset: { place },
    style: { transform: `translateY(${place * ROW_HEIGHT}px)` },
  }, view.groups ? groupCells(view, place) : cells(view.index.context, view.rows[place]));
}

/** @param {ErrorsView} view @param {number} place */
function groupCells({ index, groups }, place) {
  const { context } = index;
  const grouping = groupedBy(context.summary);
  const parted = partedBy(grouping);
  const [first, group] = [groups?.[0], groups?.[place]];
  if (!first || !group) return [];
  const { value, count } = group;
  const named = facet(grouping).show(value, context) || "(no text)";
  const link = (/** @type {Record<string, string[]>} */ filters, /** @type {number} */ errors) => ({
    ...linkTo({ filters: { ...state().filters, ...filters }, ...withOption("errors.group", "") }),
    dataset: { count: errors }, tabindex: "-1",
  });
  return [
    h("span.errors-cell.errors-group-0", { role: "gridcell", title: named }, grouping === "type" && mark(value),
      h("a.errors-plain", link({ [grouping]: [value] }, count), h("bdi", {}, named))),
    h("span.errors-cell.errors-group-1", { role: "gridcell" }, h("span", {}, counted(count)),
      h("span.errors-bar", { style: { width: `${(100 * count) / first.count}%` } })),
    h("span.errors-cell", { role: "gridcell" },
      partsOf(index, group, parted).map(([part, number]) =>
        h("a.errors-plain.errors-part", link({ [grouping]: [value], [parted]: [part] }, number),
          parted === "type" && mark(part), `${counted(number)} ${IN_WORDS[part] ?? part}`))),
  ];
}

/** Draw one row again. @param {ErrorsView} view @param {number} place */
export function redrawRow(view, place) {
  const before = view.drawn.get(place);
  if (!before) return;
  const now = drawLine(view, place);
  view.drawn.set(place, now);
  before.replaceWith(now);
  markActive(view);
}

/** Do what a click on a row does: follow its link. @param {ErrorsView} view @param {number} place */
function openRow(view, place) {
  activateRow(view, place);
  view.drawn.get(place)?.querySelector("a")?.click();
}

/** Make a row active and visible, and note it in the address. @param {ErrorsView} view @param {number} place */
export function activateRow(view, place) {
  const { scroller, columns } = view.parts;
  view.active = place;
  if (place >= 0) {
    const top = place * ROW_HEIGHT;
    const height = scroller.clientHeight - columns.offsetHeight;
    const bottom = top + ROW_HEIGHT;
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    else if (bottom > scroller.scrollTop + height) scroller.scrollTop = bottom - height;
    if (!view.groups && state().error !== view.rows[place]) noteInAddress({ error: view.rows[place], entity: null });
  }
  drawRows(view, false);
  markActive(view);
}

/** @param {ErrorsView} view */
function markActive({ parts, drawn, active }) {
  parts.spacer.querySelector("[aria-selected]")?.removeAttribute("aria-selected");
  const row = drawn.get(active);
  row?.setAttribute("aria-selected", "true");
  if (row) parts.scroller.setAttribute("aria-activedescendant", row.id);
  else parts.scroller.removeAttribute("aria-activedescendant");
}

/** Move by some lines. @param {ErrorsView} view @param {number} to */
export function moveActive(view, to) {
  const last = lineCount(view) - 1;
  if (last >= 0) activateRow(view, Math.min(Math.max(to, 0), last));
}

/** @param {ErrorsView} view @param {KeyboardEvent} event */
export function onKey(view, event) {
  const { active, parts: { scroller } } = view;
  const target = /** @type {HTMLElement} */ (event.target);
  // Buttons in the heading and the input of a note handle their own keys.
  if (target.closest("input") || (target !== scroller && event.key === "Enter")) return;
  const page = Math.max(1, Math.floor(scroller.clientHeight / ROW_HEIGHT) - 2);
  /** @type {Record<string, number>} */
  const moves = {
    ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + page, PageUp: active - page,
    Home: 0, End: lineCount(view) - 1,
  };
  if (event.key === "Enter" && active >= 0) openRow(view, active);
  else if (event.key in moves) moveActive(view, moves[event.key]);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** The pointer is over a row. @param {ErrorsView} view @param {MouseEvent} event */
export function onPoint({ index, groups, rows }, event) {
  const line = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (event.target).closest("[data-place]"));
  if (line && !groups) pointAt(index.context, rows[Number(line.dataset.place)], line);
}

/** A click next to the links of a row opens it. @param {ErrorsView} view @param {MouseEvent} event */
export function onClick(view, event) {
  const target = /** @type {HTMLElement} */ (event.target);
  const line = /** @type {HTMLElement | null} */ (target.closest("[data-place]"));
  // The user has selected text, probably to copy it.
  if (!line || target.closest("a, button, input") || String(getSelection())) return;
  openRow(view, Number(line.dataset.place));
}
