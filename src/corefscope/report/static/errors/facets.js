/** Errors: the facets next to the table; values are counted under the filters of the other facets. */
import { counted, fill, h, keepFocus } from "../shared/dom.js";
import { state, go, option, withOption } from "../shared/state.js";
import { linkTo } from "../shared/links.js";
import { chosen, DISTANCES, FACETS, isFiltered, SIZES, toggled } from "../shared/facets.js";
import { flaggedRows } from "../shared/remarks.js";
import { mark } from "./columns.js";
import { byCount, codedBy, unfiltered } from "./index.js";

/**
 * @typedef {import("./table.js").ErrorsView} ErrorsView
 * @typedef {import("../shared/facets.js").Facet} Facet
 *
 * @typedef {object} ErrorsValue
 * @property {string} value
 * @property {number} code
 * @property {number} count
 */

const FACET_SHORT = 7;
const FACET_LONG = 200;

/** Values with a fixed order; the others are sorted by count. @type {Record<string, string[]>} */
const VALUES = { size: SIZES, distance: DISTANCES };

/** Show all errors of the active system. */
export function clear() {
  go({ filters: {}, search: "", ...withOption("errors.flagged", "") });
}

/** Whether only flagged errors are shown. */
export function onlyFlagged() {
  return option("errors.flagged") !== "";
}

/** @param {ErrorsView} view */
export function drawFacets(view) {
  const { facets: place } = view.parts;
  const { summary } = view.index.context;
  const { scrollTop } = place;
  keepFocus(() => fill(place,
    h("div.errors-facets-head", {}, h("h2", {}, "Filters"), h("button.link.errors-small", {
      id: "errors-clear", onclick: clear, disabled: !isFiltered() && !onlyFlagged(),
    }, "Clear all")),
    flagged(view),
    FACETS.map((facet, at) => facet.isIdle?.(summary) ? null : facetList(view, facet, view.chosen.counts[at]))));
  place.scrollTop = scrollTop;
}

/** The checkbox for flagged errors. @param {ErrorsView} view */
function flagged({ index: { context }, chosen: { passes } }) {
  const count = flaggedRows(context.errors, context.summary).filter((row) => passes[row]).length;
  return h("label.errors-value.errors-flagged", {},
    h("input", {
      id: "errors-flagged", type: "checkbox", checked: onlyFlagged(),
      onchange: () => go(withOption("errors.flagged", onlyFlagged() ? "" : "only")),
    }),
    h("span.errors-mark", { "aria-hidden": "true" }, "★"), h("span.errors-value-name", {}, "Flagged"),
    h("span.errors-value-count", {}, counted(count)));
}

/** @param {ErrorsView} view @param {Facet} facet @param {Int32Array} counts */
function facetList(view, facet, counts) {
  const values = facetValues(view, facet, counts);
  if (!values.length) return null;
  const sought = view.open[facet.id];
  const isOpen = sought !== undefined;
  const found = !sought ? values
    : values.filter(({ value }) => show(view, facet, value).toLowerCase().includes(sought));
  const wanted = ticked(facet.id);
  const shown = isOpen ? FACET_LONG : FACET_SHORT;
  const listed = found.filter(({ value }, place) => place < shown || wanted.includes(value));
  const most = values.reduce((sum, { count }) => Math.max(sum, count), 1);
  const hasMore = values.length > FACET_SHORT;
  const rarer = found.length - listed.length;
  return h("fieldset.errors-facet", {},
    legend(view, facet),
    isOpen && hasMore && find(view, facet),
    h(isOpen ? "div.errors-values.errors-values-open" : "div.errors-values", {},
      listed.map((each) => facetValue(view, facet, each, wanted.includes(each.value), most)),
      !listed.length && h("p.soft", {}, "no matching value")),
    isOpen && rarer > 0 && h("p.soft.errors-small", {}, `and ${counted(rarer)} more; search to find them`),
    facet.id === "system" && allSystems(view),
    hasMore && h("button.link.errors-small", {
      id: `errors-f-${facet.id}-more`, "aria-expanded": String(isOpen),
      onclick: () => unfold(view, facet.id, isOpen ? undefined : ""),
    }, isOpen ? "fewer" : `${counted(values.length - listed.length)} more`));
}

/** The values of a facet that are chosen. @param {string} id @returns {string[]} */
function ticked(id) {
  return chosen().filters[id] ?? [];
}

/** Show more values of a facet, or fewer. @param {ErrorsView} view @param {string} id @param {string} [sought] */
function unfold(view, id, sought) {
  if (sought === undefined) delete view.open[id];
  else view.open[id] = sought.toLowerCase();
  drawFacets(view);
}

/** @param {ErrorsView} view @param {Facet} facet */
function legend({ index: { context } }, { id, title }) {
  const { [id]: wanted, ...others } = state().filters;
  return h("legend", {}, title(context), wanted?.length > 0 && h("button.link.errors-small", {
    id: `errors-f-${id}-clear`, "aria-label": `Clear ${title(context)}`, onclick: () => go({ filters: others }),
  }, "clear"));
}

/** @param {ErrorsView} view @param {Facet} facet */
function find(view, { id, title }) {
  return h("input.errors-find", {
    id: `errors-f-${id}-find`, type: "search", value: view.open[id], placeholder: "Find a value",
    "aria-label": `Find a value of ${title(view.index.context)}`,
    oninput: (/** @type {import("../shared/dom.js").Changed} */ event) => {
      unfold(view, id, event.target.value);
      const again = /** @type {HTMLInputElement | null} */ (document.getElementById(`errors-f-${id}-find`));
      again?.setSelectionRange(again.value.length, again.value.length);
    },
  });
}

/** @param {ErrorsView} view @param {Facet} facet @param {string} value */
function show({ index: { context } }, facet, value) {
  return facet.show(value, context) || "(no text)";
}

/**
 * Values that occur, and selected ones. Their order does not depend on filters, so that nothing moves under the
 * pointer.
 * @param {ErrorsView} view @param {Facet} facet @param {Int32Array} counts @returns {ErrorsValue[]}
 */
function facetValues({ index }, { id }, counts) {
  const wanted = new Set(ticked(id));
  const coded = codedBy(index, id);
  const isListed = (/** @type {number} */ code) =>
    counts[code] > 0 || id === "system" || wanted.has(coded.values[code]);
  const codes = byCount(coded, unfiltered(index, id, chosen().filters.system), isListed).filter(isListed);
  const values = codes.map((code) => ({ value: coded.values[code], code, count: counts[code] }));
  const order = VALUES[id];
  if (order) return values.sort((one, other) => order.indexOf(one.value) - order.indexOf(other.value));
  return id === "system" ? values.sort((one, other) => Number(one.value) - Number(other.value)) : values;
}

/**
 * @param {ErrorsView} view @param {Facet} facet @param {ErrorsValue} each
 * @param {boolean} isChosen @param {number} most
 */
function facetValue(view, facet, { value, code, count }, isChosen, most) {
  const name = show(view, facet, value);
  return h("label.errors-value", { title: name, style: { "--share": `${(100 * count) / most}%` } },
    h("input", {
      type: "checkbox", id: `errors-f-${facet.id}-${code}`, name: facet.id, value, checked: isChosen,
      onchange: (/** @type {import("../shared/dom.js").Changed} */ event) => tick(facet.id, value, event.target),
    }),
    facet.id === "type" && mark(value),
    // Document names may wrap after a slash.
    h("bdi.errors-value-name", {}, name.split(/(?<=\/)/).map((part) => [part, h("wbr")])),
    h("span.errors-value-count", {}, counted(count)));
}

/** @param {string} id @param {string} value @param {HTMLInputElement} box */
function tick(id, value, box) {
  const filters = toggled(id === "system" ? chosen().filters : state().filters, id, value);
  // One system is always shown.
  if (id === "system" && !filters.system) box.checked = true;
  else go({ filters });
}

/** @param {ErrorsView} view */
function allSystems({ index: { context: { summary } } }) {
  const all = summary.systems.map((_, number) => String(number));
  if (chosen().filters.system.length === all.length) return null;
  const { href, onclick } = linkTo({ filters: { ...state().filters, system: all } });
  return h("a.errors-small", {
    id: "errors-all-systems", href,
    onclick: (/** @type {MouseEvent} */ event) => {
      onclick(event);
      // The link is gone then, so the focus moves to the systems above it.
      const first = /** @type {HTMLElement | null} */ (document.querySelector('[id^="errors-f-system-"]'));
      if (event.defaultPrevented) first?.focus();
    },
  }, "all systems");
}
