/** Lists of the entities that were not found, split or combined. */
import { counted, documentName, h, numbered, scrolls } from "../shared/dom.js";
import { go, option, withOption } from "../shared/state.js";
import { linkTo } from "../shared/links.js";
import { entityErrorLink, entityErrors, entityErrorTypes } from "../shared/entity-errors.js";
import { namesCombined, namesLost, namesSplit } from "../shared/named-entities.js";

/**
 * @typedef {import("../shared/named-entities.js").NamedRow} NamedRow
 *
 * @typedef {object} NamesView the data of the lists
 * @property {import("../shared/facets.js").Context} context
 * @property {import("./tables.js").NamesSystem} system the active one
 * @property {string} type "" for all
 * @property {Map<string, number>} documents numbers by name
 *
 * @typedef {object} NamesList
 * @property {string} id
 * @property {string} title
 * @property {string} note
 * @property {string[]} columns
 * @property {Array<() => import("../shared/dom.js").Child[]>} rows each returns its cells, which are made when they are shown
 */

/** How many rows of a list are drawn at first. */
const MOST_ROWS = 100;

/**
 * The lists of the active system.
 * @param {import("../shared/facets.js").Context} context @param {import("./tables.js").NamesSystem} system
 */
export function lists(context, system) {
  const types = listedTypes(system);
  const asked = option("names.type");
  const documents = new Map(
    context.summary.documents.map((each, number) => [each.name, number]));
  /** @type {NamesView} */
  const view = { context, system, documents, type: types.includes(asked) ? asked : "" };
  return h("section", { "aria-labelledby": "names-lists" },
    h("div.entities-title", {},
      h("h2", { id: "names-lists" }, `Names that ${system.title} does not find, splits or combines`), choice(view, types)),
    [lostList(view), splitList(view), combinedList(view)].map(listed));
}

/** @param {import("./tables.js").NamesSystem} system */
function listedTypes({ measured }) {
  return Object.keys(measured.types).filter((type) => type !== "ALL" && measured.types[type].chains > 0);
}

/**
 * The choice of types, with the numbers of rows.
 * @param {NamesView} view @param {string[]} types
 */
function choice({ system, type }, types) {
  return h("div.entities-choice", { role: "group", "aria-label": "Types listed" }, ["", ...types].map((each) => {
    const { measured } = system;
    const { chains } = measured.types[each || "ALL"];
    const [lost, split, combined] = [namesLost, namesSplit, namesCombined].map((of) => of(measured, each).length);
    return h("button.entities-button", {
      id: `names-type-${each || "ALL"}`, "aria-pressed": String(each === type),
      title: `${lost} not found, ${split} over-split, ${combined} over-combined; `
        + `${numbered(chains, "key entity has", "key entities have")} a name${each ? ` of the type ${each}` : ""}`,
      onclick: () => go(withOption("names.type", each)),
    }, each || "All", " ", h("span.entities-count", {}, counted(lost + split + combined)));
  }));
}

/** A description of the listed key entities. @param {NamesView} view */
function whose({ system, type }) {
  const { chains } = system.measured.types[type || "ALL"];
  return `${numbered(chains, "entity", "entities")} with a name${type && ` of the type ${type}`}`;
}

/** @param {NamesView} view @returns {NamesList} */
function lostList(view) {
  const rows = namesLost(view.system.measured, view.type);
  return {
    id: "lost", title: `Not found: ${counted(rows.length)}`,
    note: rows.length
      ? `Of ${whose(view)}, those whose name is in no response entity. Largest first.`
      : `All found: ${whose(view)}.`,
    columns: ["Entity", "Type", "Document", "Mentions", "Errors about it"],
    rows: rows.map((row) => () => [...who(view, row), errorsCell(view, row)]),
  };
}

/** @param {NamesView} view @returns {NamesList} */
function splitList(view) {
  const rows = namesSplit(view.system.measured, view.type);
  return {
    id: "split", title: `Over-split: ${counted(rows.length)}`,
    note: rows.length ? "Key entities whose name heads mentions of several response entities."
      : "No name is in several response entities.",
    columns: ["Entity", "Type", "Document", "Mentions", "Its name is in", "Errors about it"],
    rows: rows.map((row) => () => [...who(view, row), pieces(view, row), errorsCell(view, row)]),
  };
}

/** @param {NamesView} view @returns {NamesList} */
function combinedList(view) {
  const rows = namesCombined(view.system.measured, view.type);
  // A response entity counts for the types of all its names, including those of no key entity.
  const some = view.type ? `, and a name of the type ${view.type}` : "";
  return {
    id: "combined", title: `Over-combined: ${counted(rows.length)}`,
    note: rows.length ? `Response entities that have the names of several key entities${some}.`
      : `No response entity has the names of several key entities${some}.`,
    columns: ["Entity", "Document", "Has the names of"],
    rows: rows.map(({ document, entity, held }) => () => [
      pin(view, document, entity), documentLink(view, document),
      h("span.entities-parts", {}, held.map((row) => heldEntity(view, row, entity))),
    ]),
  };
}

/**
 * A link to the document with an entity pinned.
 * @param {NamesView} view @param {string} document @param {string} entity
 * @param {HTMLElement} [name] instead of its tag
 */
function pin({ documents }, document, entity, name) {
  const number = documents.get(document) ?? 0;
  return h(name ? "a" : "a.names-tag", linkTo({ tab: "document", document: number, entity }), name ?? entity);
}

/** @param {NamesView} view @param {string} document */
function documentLink({ documents }, document) {
  const number = documents.get(document) ?? 0;
  return h("a", linkTo({ tab: "document", document: number, entity: null }), documentName(document));
}

/** The longest name of an entity is its first. @param {NamedRow} row */
function ordered({ names }) {
  return [...names].sort((one, other) => other.length - one.length);
}

/** The names, type, document and size of an entity. @param {NamesView} view @param {NamedRow} row */
function who(view, row) {
  const [name, ...others] = ordered(row);
  const also = others.length > 0 && h("span.soft", {}, " also ", h("bdi", {}, others.join(", ")));
  return [
    h("span.names-who", { title: row.names.join(", ") }, pin(view, row.document, row.entity), " ",
      pin(view, row.document, row.entity, h("bdi.entities-words", {}, name ?? "?")), also),
    row.type, documentLink(view, row.document), counted(row.mentions)];
}

/**
 * The response entities that have its name, with the overlap of the best one.
 * @param {NamesView} view @param {NamedRow} row
 */
function pieces(view, row) {
  return h("span.entities-parts", {}, row.split.map((entity) => h("span.entities-part", {},
    pin(view, row.document, entity),
    row.best === entity && h("span.soft", {},
      ` best: ${counted(row.common)} of ${numbered(row.mentions, "mention")}`))));
}

/**
 * A key entity in a response entity that combines it with others.
 * @param {NamesView} view @param {NamedRow} row @param {string} entity
 */
function heldEntity(view, row, entity) {
  const share = row.best === entity ? `${counted(row.common)} of ${numbered(row.mentions, "mention")}`
    : `best in ${row.best ?? "none"}`;
  return h("span.entities-part", { title: row.names.join(", ") }, pin(view, row.document, row.entity), " ",
    h("bdi.entities-words", {}, ordered(row)[0] ?? "?"), h("span.soft", {}, ` ${row.type}, ${share}`));
}

/** @param {NamesView} view @param {NamedRow} row */
function errorsCell({ context, system, documents }, row) {
  const rows = entityErrors(context, system.number, documents.get(row.document) ?? 0, row.entity);
  if (!rows.length) return h("span.soft", {}, "none");
  return entityErrorLink(context, rows, entityErrorTypes(context.errors, rows));
}

/** @param {NamesList} list */
function listed({ id, title, note, columns, rows }) {
  const shown = option(`names.${id}-all`) ? rows : rows.slice(0, MOST_ROWS);
  const numbers = columns.map((column) => column === "Mentions" ? ".number" : "");
  return h("section.names-list", { "aria-labelledby": `names-${id}` },
    h("h3", { id: `names-${id}`, tabindex: "-1" }, title), h("p.soft", {}, note),
    rows.length > 0 && scrolls(title, h("table.entities-table", { "aria-labelledby": `names-${id}` },
      h("thead", {}, h("tr", {}, columns.map((column, at) => h(`th${numbers[at]}`, { scope: "col" }, column)))),
      h("tbody", {}, shown.map((cells) => h("tr", {}, cells().map((cell, at) => h(`td${numbers[at]}`, {}, cell)))))),
    ".entities-scroll"),
    shown.length < rows.length && h("p", {}, h("button.link", {
      id: `names-${id}-all`, onclick: () => go(withOption(`names.${id}-all`, "yes")),
    }, `Show all ${counted(rows.length)}`)));
}
