/**
 * Errors: facets with counts beside a table of all errors, of which only the visible rows are drawn.
 *
 * How it is sorted and grouped stands in the address with the filters ("sort", "group"); these are no
 * facets, so that whoever counts rows passes over them.
 */
import { documentName, h, fill, label } from "./dom.js";
import { state, go, toHash } from "./state.js";
import { FACETS, toggled } from "./facets.js";

const ERRORS_ROW_HEIGHT = 32;
/** Rows drawn above and below what is visible, so that a fast scroll shows no gap. */
const ERRORS_OVERSCAN = 10;
const ERRORS_FACET_SHORT = 7;
const ERRORS_FACET_LONG = 200;
const ERRORS_MANY_SYSTEMS = 6;

/** A mark for each type, so that its colour is not alone. @type {Record<string, string>} */
const ERRORS_MARKS = {
  span_error: "↔",
  conflated_entities: "⊕",
  divided_entity: "÷",
  extra_mention: "✕",
  extra_entity: "⊠",
  missing_mention: "○",
  missing_entity: "◎",
};

const ERRORS_GROUPS = [
  ["", "none"],
  ["type", "type"],
  ["text", "text"],
  ["entity", "entity"],
  ["document", "document"],
];

/**
 * @typedef {object} ErrorsIndex
 * @property {any} errors
 * @property {any} summary
 * @property {Array<any>} facets
 * @property {string[][]} values the values of each facet
 * @property {Int32Array[]} codes of each facet, the place of the value of each row
 * @property {string[]} makers letters of the systems that make the error, by row
 * @property {Map<string, Int32Array>} orders rows as a column sorts them
 * @property {string[] | null} lower sentences in lower case, for the search
 */

/** @type {ErrorsIndex | null} */
let errorsIndexed = null;

/** Turn values into numbers, once: every later choice only compares numbers. @returns {ErrorsIndex} */
function errorsIndex(/** @type {any} */ errors, /** @type {any} */ summary) {
  if (errorsIndexed && errorsIndexed.errors === errors) return errorsIndexed;
  const facets = [...FACETS];
  const coded = facets.map((each) =>
    errorsCodes(errors.id.length, (row) => each.value(errors, row, summary)),
  );
  errorsIndexed = {
    errors,
    summary,
    facets,
    values: coded.map(({ values }) => values),
    codes: coded.map(({ codes }) => codes),
    makers: errorsMakers(errors, summary),
    orders: new Map(),
    lower: null,
  };
  return errorsIndexed;
}

/** @param {number} length @param {(row: number) => string} value */
function errorsCodes(length, value) {
  const codes = new Int32Array(length);
  /** @type {Map<string, number>} */
  const places = new Map();
  for (let row = 0; row < length; row++) {
    const found = value(row);
    let place = places.get(found);
    if (place === undefined) places.set(found, (place = places.size));
    codes[row] = place;
  }
  return { codes, values: [...places.keys()] };
}

/** Errors of one id are one error that several systems make. */
function errorsMakers(/** @type {any} */ errors, /** @type {any} */ summary) {
  /** @type {Map<string, string>} */
  const letters = new Map();
  for (let row = 0; row < errors.id.length; row++) {
    const letter = summary.systems[errors.system[row]].letter;
    const before = letters.get(errors.id[row]) ?? "";
    if (!before.split(" ").includes(letter))
      letters.set(errors.id[row], before ? `${before} ${letter}` : letter);
  }
  return errors.id.map((/** @type {string} */ id) => letters.get(id));
}

/**
 * Choose rows and count all facets in one pass: a row that only one facet refuses counts for the values
 * of that facet, since each is counted under the choices of the others.
 * @param {ErrorsIndex} index
 * @param {{filters: Record<string, string[]>, search: string}} chosen
 */
function errorsSelect(index, { filters, search }) {
  const length = index.errors.id.length;
  const wanted = index.facets.map((each, at) => errorsWanted(filters[each.id], index.values[at]));
  const active = wanted.flatMap((each, at) => (each ? [at] : []));
  const counts = index.values.map((values) => new Int32Array(values.length));
  const isFound = errorsFound(index, search);
  const passes = new Uint8Array(length);
  let total = 0;
  for (let row = 0; row < length; row++) {
    if (isFound && !isFound[row]) continue;
    let refused = -1;
    let refusals = 0;
    for (const at of active) {
      if (/** @type {Uint8Array} */ (wanted[at])[index.codes[at][row]]) continue;
      refused = at;
      if (++refusals > 1) break;
    }
    if (refusals === 1) counts[refused][index.codes[refused][row]]++;
    if (refusals) continue;
    passes[row] = 1;
    total++;
    for (let at = 0; at < counts.length; at++) counts[at][index.codes[at][row]]++;
  }
  return { passes, total, counts };
}

/** @param {string[] | undefined} chosen @param {string[]} values @returns {Uint8Array | null} */
function errorsWanted(chosen, values) {
  if (!chosen?.length) return null;
  const wanted = new Set(chosen);
  return Uint8Array.from(values, (value) => (wanted.has(value) ? 1 : 0));
}

/** @param {ErrorsIndex} index @param {string} search @returns {Uint8Array | null} */
function errorsFound(index, search) {
  const text = search.trim().toLowerCase();
  if (!text) return null;
  index.lower ??= index.errors.words.map((/** @type {string} */ words) => words.toLowerCase());
  return Uint8Array.from(/** @type {string[]} */ (index.lower), (words) => (words.includes(text) ? 1 : 0));
}

/**
 * @typedef {object} ErrorsColumn
 * @property {string} id
 * @property {string} title
 * @property {string} [hint] what the heading means
 * @property {(index: ErrorsIndex, row: number) => string | number} key what it is sorted by
 * @property {(index: ErrorsIndex, row: number) => any} cell
 */

/** @type {ErrorsColumn[]} */
const ERRORS_COLUMNS = [
  {
    id: "type",
    title: "Type",
    key: ({ errors }, row) => errors.type[row],
    cell: ({ errors }, row) => [errorsMark(errors.type[row]), label(errors.type[row])],
  },
  {
    id: "document",
    title: "Document",
    hint: "in the order of the key, then by place in the document",
    key: ({ errors }, row) => errors.document[row] * 2 ** 32 + (errors.start[row] ?? 0),
    cell: ({ errors, summary }, row) => documentName(summary.documents[errors.document[row]].name),
  },
  {
    id: "text",
    title: "Text",
    hint: "the first mention of the error",
    key: ({ errors }, row) => (errors.text[row] ?? "").toLowerCase(),
    cell: ({ errors }, row) => h("span.errors-quote", { dir: "auto" }, errors.text[row] ?? "·"),
  },
  {
    id: "words",
    title: "What is wrong",
    key: ({ errors }, row) => errors.words[row].toLowerCase(),
    cell: ({ errors }, row) => h("bdi", {}, errors.words[row]),
  },
  {
    id: "mention",
    title: "Mention",
    hint: "type of the mention; errors of parts and entities have none",
    key: ({ errors }, row) => errors.mention_type[row] || "~",
    cell: ({ errors }, row) => errors.mention_type[row] || "–",
  },
  {
    id: "entity",
    title: "Entity",
    hint: "K: entity of the key, R: of the response",
    key: ({ errors }, row) => errorsEntityKey(errors.entity[row]),
    cell: ({ errors }, row) => errors.entity[row],
  },
  {
    id: "other",
    title: "Other",
    hint: "the entity of the other side",
    key: ({ errors }, row) => errorsEntityKey(errors.other[row]),
    cell: ({ errors }, row) => errors.other[row] || "–",
  },
  {
    id: "size",
    title: "Size",
    hint: "mentions of the part",
    key: ({ errors }, row) => errors.size[row],
    cell: ({ errors }, row) => errors.size[row],
  },
  {
    id: "systems",
    title: "Systems",
    hint: "filled: the system of this row; framed: makes the same error",
    key: ({ errors, makers }, row) => `${99 - makers[row].length} ${makers[row]} ${errors.system[row]}`,
    cell: errorsSystems,
  },
];

/** K2 comes before K10. @param {string} name */
function errorsEntityKey(name) {
  return name ? name[0] + name.slice(1).padStart(9, "0") : "~";
}

/** @param {string} type */
function errorsMark(type) {
  const kind = type.startsWith("missing") ? "missing" : type.startsWith("extra") ? "extra" : "other";
  return h(
    `span.errors-mark.errors-mark-${kind}`,
    { "aria-hidden": "true" },
    ERRORS_MARKS[type] ?? label(type)[0],
  );
}

/** @param {ErrorsIndex} index @param {number} row */
function errorsSystems({ errors, summary, makers }, row) {
  const own = summary.systems[errors.system[row]];
  const making = makers[row].split(" ");
  const isMany = summary.systems.length > ERRORS_MANY_SYSTEMS;
  const places = isMany ? making : summary.systems.map((/** @type {any} */ each) => each.letter);
  const others = making.filter((letter) => letter !== own.letter);
  const named = `${own.letter}${others.length ? `, and also ${others.join(", ")}` : ", no other system"}`;
  return h(
    "span.errors-letters",
    { title: `made by ${named}`, role: "img", "aria-label": named },
    places.map((/** @type {string} */ letter) =>
      h(
        `span.errors-letter.errors-letter-${letter === own.letter ? "own" : making.includes(letter) ? "also" : "none"}`,
        {},
        making.includes(letter) ? letter : "·",
      ),
    ),
  );
}

/** Rows in the order of a column, computed once. @param {ErrorsIndex} index @param {string} sort */
function errorsOrder(index, sort) {
  const known = index.orders.get(sort);
  if (known) return known;
  const [id, direction] = sort.split(".");
  const order = Int32Array.from({ length: index.errors.id.length }, (_, row) => row);
  const column = ERRORS_COLUMNS.find((each) => each.id === id);
  if (column) {
    const { codes, values } = errorsCodes(
      order.length,
      /** @type {any} */ ((/** @type {number} */ row) => column.key(index, row)),
    );
    const ranks = new Int32Array(values.length);
    const sorted = values
      .map((_, place) => place)
      .sort((one, other) => (values[one] < values[other] ? -1 : 1));
    sorted.forEach((place, rank) => {
      ranks[place] = direction === "desc" ? -rank : rank;
    });
    order.sort((one, other) => ranks[codes[one]] - ranks[codes[other]] || one - other);
  }
  index.orders.set(sort, order);
  return order;
}

/** @param {ErrorsIndex} index @param {{passes: Uint8Array, total: number}} chosen @param {string} sort */
function errorsRows(index, { passes, total }, sort) {
  const rows = new Int32Array(total);
  let place = 0;
  for (const row of errorsOrder(index, sort)) if (passes[row]) rows[place++] = row;
  return rows;
}

/**
 * Count the chosen rows by the values of a facet, and each of these by type: "it: 131 extra, 39 missing".
 * @param {ErrorsIndex} index
 * @param {Uint8Array} passes
 * @param {string} id
 */
function errorsGroups(index, passes, id) {
  const at = index.facets.findIndex((each) => each.id === id);
  const types = index.facets.findIndex((each) => each.id === "type");
  const width = index.values[types].length;
  const counts = new Int32Array(index.values[at].length * width);
  for (let row = 0; row < passes.length; row++) {
    if (passes[row]) counts[index.codes[at][row] * width + index.codes[types][row]]++;
  }
  const groups = index.values[at].map((value, code) => {
    const byType = [...counts.subarray(code * width, (code + 1) * width)]
      .map((count, type) => /** @type {[string, number]} */ ([index.values[types][type], count]))
      .filter(([, count]) => count)
      .sort((one, other) => other[1] - one[1]);
    return { value, byType, count: byType.reduce((sum, [, count]) => sum + count, 0) };
  });
  return groups
    .filter(({ count }) => count)
    .sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1));
}

/**
 * The view is kept when another tab is opened, so that the way back leads to the same place.
 * @typedef {object} ErrorsView
 * @property {HTMLElement} element
 * @property {Record<string, HTMLElement>} parts
 * @property {ErrorsIndex} index
 * @property {Int32Array} rows
 * @property {Array<{value: string, count: number, byType: Array<[string, number]>}> | null} groups
 * @property {number} active place in the list, -1 for none
 * @property {number} top
 * @property {Map<number, HTMLElement>} drawn rows in the page, by place
 * @property {string} shown what was last chosen
 * @property {Record<string, string>} open facets that show all values, and what is sought in them
 */
/** @type {ErrorsView | null} */
let errorsView = null;

/** @param {HTMLElement} root @param {any} context */
export async function renderErrors(root, { summary, errors }) {
  const index = errorsIndex(errors, summary);
  errorsView ??= errorsFrame(index);
  const view = errorsView;
  const isBack = !root.contains(view.element);
  const top = view.top;
  if (isBack) fill(root, view.element);
  const shown = JSON.stringify([state().filters, state().search]);
  const isChanged = shown !== view.shown;
  if (isChanged) errorsChoose(view);
  view.shown = shown;
  if (isBack && !isChanged) view.parts.scroller.scrollTop = top;
  if (isBack && state().error !== null)
    errorsActivate(view, view.groups ? -1 : view.rows.indexOf(/** @type {number} */ (state().error)));
  errorsDrawRows(view, true);
}

/** Take the choice of the state. @param {ErrorsView} view */
function errorsChoose(view) {
  const { index, parts } = view;
  const { filters } = state();
  const chosen = errorsSelect(index, state());
  const before = view.active >= 0 && !view.groups ? view.rows[view.active] : -1;
  const group = errorsChosenGroup();
  view.rows = errorsRows(index, chosen, filters.sort?.[0] ?? "");
  view.groups = group ? errorsGroups(index, chosen.passes, group) : null;
  view.active = -1;
  parts.scroller.scrollTop = 0;
  errorsDrawHead(view, chosen.total, group);
  errorsDrawColumns(view, group);
  errorsDrawFacets(view, chosen.counts);
  // What was looked at stays in sight if it is still there.
  if (before >= 0 && !view.groups) errorsActivate(view, view.rows.indexOf(before));
}

function errorsChosenGroup() {
  const group = state().filters.group?.[0] ?? "";
  return ERRORS_GROUPS.some(([id]) => id === group) ? group : "";
}

/** Set or leave out what is no facet. @param {string} id @param {string} value */
function errorsSet(id, value) {
  const { [id]: _, ...others } = state().filters;
  go({ filters: value ? { ...others, [id]: [value] } : others });
}

function errorsClear() {
  const { sort, group } = state().filters;
  go({ filters: { ...(sort && { sort }), ...(group && { group }) }, search: "" });
}

/** @param {ErrorsIndex} index @returns {ErrorsView} */
function errorsFrame(index) {
  const parts = {
    facets: h("aside.errors-facets", { "aria-label": "Filters" }),
    count: h("span", { role: "status" }),
    columns: h("div.errors-row.errors-columns", { role: "row" }),
    spacer: h("div.errors-spacer", { role: "rowgroup" }),
    empty: h("div.errors-empty"),
    group: errorsGroupSelect(),
    scroller: h("div.errors-table", {
      id: "errors-table",
      role: "grid",
      tabindex: "0",
      "aria-label": "Errors",
    }),
  };
  parts.scroller.append(
    h("div.errors-heading", { role: "rowgroup" }, parts.columns),
    parts.spacer,
    parts.empty,
  );
  const element = h(
    "div.errors",
    {},
    parts.facets,
    h(
      "section.errors-main",
      { "aria-label": "Table of errors" },
      h(
        "div.errors-tools",
        {},
        h("h2.errors-count", {}, parts.count),
        h("label.errors-group", {}, "Group by ", parts.group),
        h(
          "span.errors-export",
          {},
          h("span.soft", {}, "Export"),
          h(
            "button.errors-button",
            { id: "errors-jsonl", onclick: () => errorsExport("jsonl") },
            "JSON lines",
          ),
          h("button.errors-button", { id: "errors-csv", onclick: () => errorsExport("csv") }, "CSV"),
        ),
      ),
      parts.scroller,
    ),
  );
  /** @type {ErrorsView} */
  const view = {
    element,
    parts,
    index,
    rows: new Int32Array(0),
    groups: null,
    active: -1,
    top: 0,
    drawn: new Map(),
    shown: "",
    open: {},
  };
  parts.scroller.addEventListener("scroll", () => {
    view.top = parts.scroller.scrollTop;
    errorsDrawRows(view, false);
  });
  parts.scroller.addEventListener("keydown", (event) => errorsKey(view, event));
  document.addEventListener("view-key", (event) => errorsViewKey(view, /** @type {any} */ (event).detail));
  new ResizeObserver(() => errorsDrawRows(view, false)).observe(parts.scroller);
  return view;
}

function errorsGroupSelect() {
  return h(
    "select.errors-select",
    {
      id: "errors-group",
      onchange: (/** @type {any} */ event) => errorsSet("group", event.target.value),
    },
    ERRORS_GROUPS.map(([id, title]) => h("option", { value: id }, title)),
  );
}

/** @param {ErrorsView} view @param {number} total @param {string} group */
function errorsDrawHead({ index, parts, groups }, total, group) {
  const all = index.errors.id.length;
  const number = (/** @type {number} */ value) => value.toLocaleString("en");
  const errors =
    total === all
      ? `${number(all)} ${all === 1 ? "error" : "errors"}`
      : `${number(total)} of ${number(all)} errors`;
  fill(
    parts.count,
    errors,
    groups &&
      h(
        "span.soft.errors-in",
        {},
        ` in ${number(groups.length)} ${groups.length === 1 ? "group" : "groups"}`,
      ),
  );
  /** @type {HTMLSelectElement} */ (parts.group).value = group;
  fill(
    parts.empty,
    total
      ? null
      : all
        ? [
            h("p", {}, "No error matches these filters."),
            h("button.errors-button", { id: "errors-none-clear", onclick: errorsClear }, "Clear all filters"),
          ]
        : h("p", {}, "There are no errors: every response equals the key."),
  );
  parts.empty.hidden = total > 0;
}

/** @param {ErrorsView} view @param {string} group */
function errorsDrawColumns({ parts, index }, group) {
  const focused = document.activeElement?.id ?? "";
  const [sorted, direction] = (state().filters.sort?.[0] ?? "").split(".");
  parts.scroller.classList.toggle("errors-grouped", Boolean(group));
  const systems = Math.min(index.summary.systems.length, ERRORS_MANY_SYSTEMS);
  parts.scroller.style.setProperty("--errors-systems", `${Math.max(systems * 22 + 20, 90)}px`);
  if (group) {
    fill(
      parts.columns,
      [ERRORS_GROUPS.find(([id]) => id === group)?.[1] ?? "", "Errors", "", "By type"].map((title, at) =>
        h(`span.errors-cell.errors-group-${at}`, { role: "columnheader" }, at ? title : label(title)),
      ),
    );
    return;
  }
  fill(
    parts.columns,
    ERRORS_COLUMNS.map((column) => {
      const isSorted = column.id === sorted;
      const next = !isSorted ? `${column.id}.asc` : direction === "asc" ? `${column.id}.desc` : "";
      const order = isSorted ? (direction === "desc" ? "descending" : "ascending") : "none";
      return h(
        `span.errors-cell.errors-${column.id}`,
        { role: "columnheader", "aria-sort": order },
        h(
          "button.errors-sort",
          {
            id: `errors-sort-${column.id}`,
            title: column.hint ?? null,
            onclick: () => errorsSet("sort", next),
          },
          column.title,
          h(
            "span.errors-arrow",
            { "aria-hidden": "true" },
            isSorted ? (direction === "desc" ? "▼" : "▲") : "",
          ),
        ),
      );
    }),
  );
  if (focused.startsWith("errors-sort-")) document.getElementById(focused)?.focus();
}

/** Draw the rows in sight, unless they stand there. @param {ErrorsView} view @param {boolean} isNew */
function errorsDrawRows(view, isNew) {
  const { parts, groups } = view;
  const count = groups ? groups.length : view.rows.length;
  const seen = Math.ceil(parts.scroller.clientHeight / ERRORS_ROW_HEIGHT);
  const first = Math.max(0, Math.floor(parts.scroller.scrollTop / ERRORS_ROW_HEIGHT) - ERRORS_OVERSCAN);
  const last = Math.min(count, first + seen + 2 * ERRORS_OVERSCAN);
  const drawn = `${first} ${last}`;
  if (!isNew && parts.spacer.dataset.drawn === drawn) return;
  parts.spacer.dataset.drawn = drawn;
  parts.spacer.style.setProperty("height", `${count * ERRORS_ROW_HEIGHT}px`);
  parts.scroller.setAttribute("aria-rowcount", String(count + 1));
  const most = groups?.[0]?.count ?? 1;
  if (isNew) view.drawn.clear();
  /** @type {Map<number, HTMLElement>} */
  const rows = new Map();
  for (let place = first; place < last; place++) {
    // While scrolling most rows stay: only those that come into sight are made.
    rows.set(
      place,
      view.drawn.get(place) ?? (groups ? errorsGroupRow(view, place, most) : errorsRow(view, place)),
    );
  }
  errorsReplace(parts.spacer, view.drawn, rows);
  view.drawn = rows;
  errorsMarkActive(view);
}

/**
 * Take rows out of sight out of the page, and put in the new ones in the order of the list.
 * @param {HTMLElement} spacer @param {Map<number, HTMLElement>} before @param {Map<number, HTMLElement>} now
 */
function errorsReplace(spacer, before, now) {
  if (!before.size || ![...before.keys()].some((place) => now.has(place))) {
    spacer.replaceChildren(...now.values());
    return;
  }
  for (const [place, element] of before) if (!now.has(place)) element.remove();
  const kept = spacer.firstElementChild;
  const first = [...now.values()].indexOf(/** @type {HTMLElement} */ (kept));
  [...now.values()].forEach((element, at) => {
    if (element.parentNode) return;
    if (at < first) spacer.insertBefore(element, kept);
    else spacer.append(element);
  });
}

/** @param {number} place */
function errorsRowProperties(place) {
  return {
    id: `errors-row-${place}`,
    role: "row",
    "aria-rowindex": place + 2,
    style: { transform: `translateY(${place * ERRORS_ROW_HEIGHT}px)` },
  };
}

/** @param {ErrorsView} view @param {number} place */
function errorsRow({ index, rows }, place) {
  const row = rows[place];
  // A link, so that an error can be opened in a tab of its own.
  return h(
    "a.errors-row.errors-item",
    {
      ...errorsRowProperties(place),
      tabindex: "-1",
      href: `#${toHash({ ...state(), ...errorsTarget(index, row) })}`,
      onclick: (/** @type {MouseEvent} */ event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        errorsOpen(place);
      },
    },
    ERRORS_COLUMNS.map((column) => {
      const content = column.cell(index, row);
      return h(
        `span.errors-cell.errors-${column.id}`,
        { role: "gridcell", title: errorsTip(index, row, column.id) },
        content,
      );
    }),
  );
}

/** Say in full what a narrow cell may cut. @param {ErrorsIndex} index @param {number} row @param {string} id */
function errorsTip({ errors, summary }, row, id) {
  if (id === "words") return errors.words[row];
  if (id === "text") return errors.text[row];
  return id === "document" ? summary.documents[errors.document[row]].name : null;
}

/** @param {ErrorsView} view @param {number} place @param {number} most */
function errorsGroupRow({ index, groups }, place, most) {
  const { value, count, byType } = /** @type {any} */ (groups)[place];
  return h(
    "div.errors-row.errors-item",
    { ...errorsRowProperties(place), onclick: () => errorsOpen(place) },
    h(
      "span.errors-cell.errors-group-0",
      { role: "gridcell", dir: "auto", title: errorsShow(index, errorsChosenGroup(), value) },
      errorsChosenGroup() === "type" && errorsMark(value),
      errorsShow(index, errorsChosenGroup(), value),
    ),
    h("span.errors-cell.errors-group-1", { role: "gridcell" }, count.toLocaleString("en")),
    h(
      "span.errors-cell.errors-group-2",
      { role: "gridcell", "aria-hidden": "true" },
      h("span.errors-bar", { style: { width: `${(100 * count) / most}%` } }),
    ),
    h(
      "span.errors-cell.errors-group-3",
      { role: "gridcell" },
      byType.map((/** @type {[string, number]} */ [type, number]) => h("span.errors-part", {}, errorsMark(type), `${number} ${label(type)}`)),
    ),
  );
}

/** @param {ErrorsIndex} index @param {string} id @param {string} value */
function errorsShow({ facets, summary }, id, value) {
  const text = facets.find((each) => each.id === id).show(value, summary);
  if (id === "system") return `${summary.systems[Number(value)].letter} ${text}`;
  return id === "document" ? documentName(text) : text || "(no text)";
}

/** Where an error is seen. @param {ErrorsIndex} index @param {number} row */
function errorsTarget({ errors }, row) {
  return {
    tab: "document",
    document: errors.document[row],
    system: errors.system[row],
    error: row,
    entity: null,
  };
}

/** Open an error in its document, or a group as a filter. @param {number} place */
function errorsOpen(place) {
  const view = /** @type {ErrorsView} */ (errorsView);
  view.active = place;
  if (!view.groups) return go(errorsTarget(view.index, view.rows[place]));
  const { group, ...others } = state().filters;
  go({ filters: { ...others, [errorsChosenGroup()]: [view.groups[place].value] } });
}

/** Make a row the active one, in sight. @param {ErrorsView} view @param {number} place */
function errorsActivate(view, place) {
  const { scroller, columns } = view.parts;
  view.active = place;
  if (place >= 0) {
    view.parts.spacer.style.setProperty(
      "height",
      `${(view.groups ?? view.rows).length * ERRORS_ROW_HEIGHT}px`,
    );
    const top = place * ERRORS_ROW_HEIGHT;
    const height = scroller.clientHeight - columns.offsetHeight;
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    else if (top + ERRORS_ROW_HEIGHT > scroller.scrollTop + height)
      scroller.scrollTop = top + ERRORS_ROW_HEIGHT - height;
  }
  errorsDrawRows(view, false);
  errorsMarkActive(view);
}

/** @param {ErrorsView} view */
function errorsMarkActive({ parts, active }) {
  parts.spacer.querySelector("[aria-selected]")?.removeAttribute("aria-selected");
  const row = active < 0 ? null : document.getElementById(`errors-row-${active}`);
  row?.setAttribute("aria-selected", "true");
  if (row) parts.scroller.setAttribute("aria-activedescendant", row.id);
  else parts.scroller.removeAttribute("aria-activedescendant");
}

/** @param {ErrorsView} view @param {KeyboardEvent} event */
function errorsKey(view, event) {
  const last = (view.groups ?? view.rows).length - 1;
  const page = Math.max(1, Math.floor(view.parts.scroller.clientHeight / ERRORS_ROW_HEIGHT) - 2);
  /** @type {Record<string, number>} */
  const moves = {
    ArrowDown: view.active + 1,
    ArrowUp: view.active - 1,
    PageDown: view.active + page,
    PageUp: view.active - page,
    Home: 0,
    End: last,
  };
  // Buttons of the heading keep their own keys.
  if (event.target !== view.parts.scroller && event.key === "Enter") return;
  if (event.key === "Enter" && view.active >= 0) errorsOpen(view.active);
  else if (event.key in moves && last >= 0)
    errorsActivate(view, Math.min(Math.max(moves[event.key], 0), last));
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** j and k move from anywhere in the view. @param {ErrorsView} view @param {KeyboardEvent} event */
function errorsViewKey(view, event) {
  if (state().tab !== "errors" || !["j", "k"].includes(event.key) || !(view.groups ?? view.rows).length)
    return;
  view.parts.scroller.focus();
  const last = (view.groups ?? view.rows).length - 1;
  errorsActivate(view, Math.min(Math.max(view.active + (event.key === "j" ? 1 : -1), 0), last));
}

/** @param {ErrorsView} view @param {Int32Array[]} counts */
function errorsDrawFacets(view, counts) {
  const { facets: place } = view.parts;
  const focused = document.activeElement?.id ?? "";
  const { scrollTop } = place;
  const isChosen = view.index.facets.some((each) => state().filters[each.id]?.length) || state().search;
  fill(
    place,
    h(
      "div.errors-facets-head",
      {},
      h("h2", {}, "Filters"),
      h(
        "button.link.errors-small",
        { id: "errors-clear", onclick: errorsClear, disabled: !isChosen },
        "Clear all",
      ),
    ),
    view.index.facets.map((each, at) => errorsFacet(view, at, counts)),
  );
  place.scrollTop = scrollTop;
  if (!focused.startsWith("errors-f-")) return;
  const again = /** @type {HTMLInputElement | null} */ (document.getElementById(focused));
  again?.focus();
  if (again?.type === "search") again.setSelectionRange(again.value.length, again.value.length);
}

/** @param {ErrorsView} view @param {number} at @param {Int32Array[]} counts */
function errorsFacet(view, at, counts) {
  const facet = view.index.facets[at];
  const chosen = state().filters[facet.id] ?? [];
  const values = errorsFacetValues(view.index, at, counts[at], chosen);
  if (!values.length) return null;
  const sought = view.open[facet.id];
  const isOpen = sought !== undefined;
  const found = !sought
    ? values
    : values.filter(({ value }) =>
        errorsShow(view.index, facet.id, value).toLowerCase().includes(sought.toLowerCase()),
      );
  const listed = found.slice(0, isOpen ? ERRORS_FACET_LONG : Math.max(ERRORS_FACET_SHORT, chosen.length));
  const most = values.reduce((sum, { count }) => Math.max(sum, count), 1);
  const redraw = () => errorsDrawFacets(view, counts);
  const open = (/** @type {string | undefined} */ text) => {
    if (text === undefined) delete view.open[facet.id];
    else view.open[facet.id] = text;
    redraw();
  };
  const hasMore = values.length > ERRORS_FACET_SHORT;
  return h(
    "fieldset.errors-facet",
    {},
    h(
      "legend",
      {},
      facet.title,
      chosen.length > 0 &&
        h(
          "button.link.errors-small",
          {
            id: `errors-f-${facet.id}-clear`,
            "aria-label": `Clear ${facet.title}`,
            onclick: () => errorsSet(facet.id, ""),
          },
          "clear",
        ),
    ),
    isOpen &&
      hasMore &&
      h("input.errors-find", {
        id: `errors-f-${facet.id}-find`,
        type: "search",
        value: sought,
        placeholder: "Find a value",
        "aria-label": `Find a value of ${facet.title}`,
        oninput: (/** @type {any} */ event) => open(event.target.value),
      }),
    h(
      isOpen ? "div.errors-values.errors-values-open" : "div.errors-values",
      {},
      listed.map((each) => errorsValue(view.index, at, each, chosen, most)),
      !listed.length && h("p.soft", {}, "no such value"),
    ),
    isOpen &&
      found.length > listed.length &&
      h(
        "p.soft.errors-small",
        {},
        `and ${(found.length - listed.length).toLocaleString("en")} rarer ones: find them by name`,
      ),
    hasMore &&
      h(
        "button.link.errors-small",
        {
          id: `errors-f-${facet.id}-more`,
          "aria-expanded": String(isOpen),
          onclick: () => open(isOpen ? undefined : ""),
        },
        isOpen ? "fewer" : `${(values.length - listed.length).toLocaleString("en")} more`,
      ),
  );
}

/** Values that some row has, and those that are chosen; chosen ones first, so that none hides. */
function errorsFacetValues(
  /** @type {ErrorsIndex} */ index,
  /** @type {number} */ at,
  /** @type {Int32Array} */ counts,
  /** @type {string[]} */ chosen,
) {
  const isChosen = new Set(chosen);
  const values = [];
  for (let code = 0; code < counts.length; code++) {
    const value = index.values[at][code];
    if (counts[code] || isChosen.has(value)) values.push({ value, code, count: counts[code] });
  }
  values.sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1));
  // In a long list only: a short one keeps its order, so that nothing jumps away under the pointer.
  if (values.length > ERRORS_FACET_SHORT && chosen.length) {
    values.sort((one, other) => Number(isChosen.has(other.value)) - Number(isChosen.has(one.value)));
  }
  return values;
}

/**
 * @param {ErrorsIndex} index @param {number} at @param {{value: string, code: number, count: number}} each
 * @param {string[]} chosen @param {number} most
 */
function errorsValue(index, at, { value, code, count }, chosen, most) {
  const { id } = index.facets[at];
  const name = errorsShow(index, id, value);
  return h(
    "label.errors-value",
    { title: name, style: { "--share": `${(100 * count) / most}%` } },
    h("input", {
      type: "checkbox",
      id: `errors-f-${id}-${code}`,
      checked: chosen.includes(value),
      onchange: () => go({ filters: toggled(state().filters, id, value) }),
    }),
    id === "type" && errorsMark(value),
    h("span.errors-value-name", { dir: "auto" }, name),
    h("span.errors-value-count", {}, count.toLocaleString("en")),
  );
}

/** Save the rows that are shown, in their order. @param {"jsonl" | "csv"} format */
function errorsExport(format) {
  const { index, rows } = /** @type {ErrorsView} */ (errorsView);
  const records = Array.from(rows, (row) => errorsRecord(index, row));
  const text =
    format === "csv" ? errorsCsv(records) : records.map((record) => `${JSON.stringify(record)}\n`).join("");
  const url = URL.createObjectURL(
    new Blob([text], { type: format === "csv" ? "text/csv" : "application/jsonl" }),
  );
  h("a", { href: url, download: `errors.${format}` }).click();
  // The download has begun by then; the text is not kept longer.
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** @param {ErrorsIndex} index @param {number} row @returns {Record<string, any>} */
function errorsRecord({ errors, summary, makers }, row) {
  /** @type {Record<string, any>} */
  const record = {};
  for (const name of Object.keys(errors)) record[name] = errors[name][row] ?? null;
  record.system = summary.systems[errors.system[row]].name;
  record.document = summary.documents[errors.document[row]].name;
  record.made_by = makers[row];
  return record;
}

/** @param {Array<Record<string, any>>} records */
function errorsCsv(records) {
  if (!records.length) return "";
  const quote = (/** @type {any} */ value) => {
    const text = String(value ?? "");
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = [Object.keys(records[0]), ...records.map((record) => Object.values(record))];
  return lines.map((line) => `${line.map(quote).join(",")}\r\n`).join("");
}
