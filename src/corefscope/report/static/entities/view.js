/** Tables of the key and response entities of a document. */
import { counted, documentName, fill, h, keepFocus, numbered, scrolls, sortHeading } from "../shared/dom.js";
import { go, option, state, withOption } from "../shared/state.js";
import { documentOf } from "../shared/store.js";
import { systemName } from "../shared/facets.js";
import { modelOf } from "./model.js";
import { columnsFor } from "./columns.js";

/**
 * @typedef {import("./model.js").EntityRow} EntityRow
 * @typedef {import("./model.js").EntitiesModel} EntitiesModel
 * @typedef {import("./columns.js").EntitiesColumn} EntitiesColumn
 * @typedef {import("./columns.js").EntitiesView} EntitiesView
 */

/** How many rows are drawn at first. */
const MOST_ROWS = 100;

/** @type {Array<[string, string, (row: EntityRow) => boolean]>} */
const CHOICES = [
  ["", "All", () => true],
  ["errors", "Not perfect", (row) => row.f1 < 1],
  ["lost", "Nothing found", (row) => row.lost === row.mentions.length],
  ["name", "Named, not found", (row) => row.isNameLost],
];

/** The filters of key entities; that of names only if names were measured. @param {EntitiesModel} model */
function choices(model) {
  return CHOICES.filter(([id]) => id !== "name" || model.isNamed);
}

/** @param {EntityRow[]} rows @param {EntitiesColumn[]} columns @param {string} sort @param {EntitiesView} view */
function sortedRows(rows, columns, sort, view) {
  const [id, direction] = sort.split(".");
  const column = columns.find((each) => each.id === id);
  if (!column) return rows;
  const sign = direction === "desc" ? -1 : 1;
  return rows.map((row) => /** @type {[any, EntityRow]} */ ([column.key(row, view), row]))
    .sort(([one], [other]) => one === other ? 0 : one < other ? -sign : sign)
    .map(([, row]) => row);
}

/**
 * @param {"key" | "response"} side @param {EntityRow[]} rows @param {EntitiesColumn[]} columns
 * @param {EntitiesView} view @param {string} title
 */
function table(side, rows, columns, view, title) {
  const sort = option(`entities.${side}-sort`);
  const sorted = sortedRows(rows, columns, sort, view);
  const shown = option(`entities.${side}-all`) ? sorted : sorted.slice(0, MOST_ROWS);
  return [
    scrolls(title, h("table.entities-table.entities-wide", { id: `entities-${side}`, "aria-label": title },
      h("thead", {}, h("tr", {}, columns.map((column) => heading(side, column, sort)))),
      h("tbody", {}, shown.map((row) => h("tr", { dataset: { entity: row.name } },
        columns.map((column) => cell(row, column, view)))))), ".entities-scroll"),
    shown.length < sorted.length && h("p", {}, h("button.link", {
      id: `entities-${side}-all`, onclick: () => go(withOption(`entities.${side}-all`, "yes")),
    }, `Show all ${counted(sorted.length)}`)),
  ];
}

/** @param {EntityRow} row @param {EntitiesColumn} column @param {EntitiesView} view */
function cell(row, column, view) {
  return h(column.isNumber ? "td.number" : "td", column.about?.(row, view), column.cell(row, view));
}

/** @param {string} side @param {EntitiesColumn} column @param {string} sort */
function heading(side, { id, title, hint, isNumber, isMostFirst }, sort) {
  const { button, order } = sortHeading({
    id: `entities-${side}-${id}`, title, hint, column: id, sort, first: isMostFirst ? "desc" : "asc",
    onsort: (next) => go(withOption(`entities.${side}-sort`, next)),
  });
  return h(isNumber ? "th.number" : "th", { scope: "col", dataset: { column: id }, "aria-sort": order }, button);
}

/** The list of documents, made once because there may be thousands. @type {HTMLSelectElement | null} */
let select = null;

/** @param {import("../types.js").ReportDocument[]} documents */
function documentOptions(documents) {
  return /** @type {HTMLSelectElement} */ (h("select.entities-select", {
    id: "entities-document", onchange: (/** @type {import("../shared/dom.js").Changed} */ event) => openDocument(Number(event.target.value)),
  }, documents.map(({ name }, number) => h("option", { value: number }, documentName(name)))));
}

/** @param {import("../types.js").Summary} summary */
function picker({ documents }) {
  const { document: open } = state();
  select ??= documentOptions(documents);
  select.value = String(open);
  return h("div.entities-picker", {},
    h("label.soft", { for: "entities-document" }, "Document"),
    step(documents, open - 1, { id: "entities-before", title: "Previous document" }, "‹"),
    select,
    step(documents, open + 1, { id: "entities-after", title: "Next document" }, "›"));
}

/** @param {import("../types.js").ReportDocument[]} documents @param {number} to @param {{id: string, title: string}} named @param {string} sign */
function step(documents, to, named, sign) {
  const disabled = documents[to] === undefined;
  return h("button.entities-button", {
    ...named, "aria-label": named.title, disabled, onclick: () => openDocument(to),
  }, sign);
}

/** Another document has other entities and errors. @param {number} number */
function openDocument(number) {
  go({ document: number, entity: null, error: null });
}

document.addEventListener("view-key", (event) => {
  const { key } = /** @type {CustomEvent} */ (event).detail;
  // The buttons are disabled if there is no other document.
  const id = key === "J" ? "entities-after" : key === "K" ? "entities-before" : null;
  if (id && state().tab === "entities") document.getElementById(id)?.click();
});

/** The filters of key entities. @param {EntitiesModel} model @param {string} chosen */
function choice(model, chosen) {
  return h("div.entities-choice", { role: "group", "aria-label": "Key entities shown" },
    choices(model).map(([id, title, isChosen]) => h("button.entities-button", {
      id: `entities-choice-${id || "all"}`, "aria-pressed": String(id === chosen),
      onclick: () => go(withOption("entities.show", id)),
    }, title, " ", h("span.entities-count", {}, counted(model.key.filter(isChosen).length)))));
}

/** A summary of the tables in one sentence. @param {EntityRow[]} rows @param {string} system */
function story(rows, system) {
  const whole = rows.filter((row) => row.f1 === 1).length;
  const lost = rows.filter((row) => row.lost === row.mentions.length).length;
  const divided = rows.filter((row) => row.parts.length > 1).length;
  return h("p.entities-story", {}, h("b", {}, system),
    ` has ${counted(whole)} of ${numbered(rows.length, "key entity", "key entities")} exactly right, `,
    `divides ${counted(divided)}, and misses ${counted(lost)} entirely.`);
}

/** @param {HTMLElement} root @param {import("../shared/facets.js").Context} context */
export async function render(root, context) {
  const { summary } = context;
  if (!summary.documents.length) return fill(root, h("p.entities-empty", {}, "This corpus has no documents."));
  const number = state().document;
  const text = await documentOf(number);
  // A document that loads slowly must not replace one that was selected later.
  if (state().tab !== "entities" || state().document !== number) return;
  const { system } = state();
  const { scrollTop } = root;
  keepFocus(() => fill(root, frame({ context, document: number, system, text })));
  root.scrollTop = scrollTop;
}

/** @param {EntitiesView} view */
function frame(view) {
  const { summary } = view.context;
  const model = modelOf(summary, view.text, view.system);
  return h("div.entities", {},
    h("div.entities-head", {}, picker(summary), model.key.length > 0
      && story(model.key, systemName(summary, view.system))),
    keySection(view, model), responseSection(view, model, summary.systems[view.system].name));
}

/** @param {EntitiesView} view @param {EntitiesModel} model */
function keySection(view, model) {
  const asked = choices(model).find(([each]) => each === option("entities.show"));
  const [id, , isChosen] = asked ?? CHOICES[0];
  const rows = model.key.filter(isChosen);
  return section("Key entities", model.key.length > 0 && choice(model, id),
    !model.key.length ? h("p.entities-empty", {}, "The key has no entities in this document.")
      : !rows.length ? h("p.entities-empty", {}, "No entity of this document matches.")
        : table("key", rows, columnsFor("key", model.isNamed), view, "Key entities"));
}

/** @param {EntitiesView} view @param {EntitiesModel} model @param {string} name */
function responseSection(view, { response, isNamed }, name) {
  const title = `Entities of ${name}`;
  return section(title, h("span.soft", {}, counted(response.length)), response.length
    ? table("response", response, columnsFor("response", isNamed), view, title)
    : h("p.entities-empty", {}, `${name} has no entities in this document.`));
}

/** @param {string} title @param {import("../shared/dom.js").Child} beside @param {import("../shared/dom.js").Child} content */
function section(title, beside, content) {
  return h("section.entities-section", {}, h("div.entities-title", {}, h("h2", {}, title), beside), content);
}
