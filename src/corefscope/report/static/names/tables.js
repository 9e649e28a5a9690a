/** The scores of named entity coreference: in the layout of Tables 3 and 4 of Agarwal et al. (2019), and all together. */
import { h, numbered, percent } from "../shared/dom.js";
import { state } from "../shared/state.js";
import { forSystem, systemName } from "../shared/facets.js";
import { linkTo } from "../shared/links.js";
import { namesLost } from "../shared/named-entities.js";

/**
 * @typedef {object} NamesColumn
 * @property {string} title
 * @property {(score: import("../types.js").TypeScore) => number | null | undefined} value
 * @property {"high" | "low"} wanted
 * @property {(score: import("../types.js").TypeScore) => string} [hint]
 *
 * @typedef {object} NamesSystem a system that was measured
 * @property {number} number its number among all systems
 * @property {import("../types.js").NecSystem} measured
 * @property {string} title letter and name
 * @property {boolean} isActive
 * @property {Partial<import("../shared/state.js").State>} change the change of state that makes it active
 */

/** @type {Record<string, string>} */
const TYPES = { PER: "persons", ORG: "organisations", GPE: "places", ALL: "all names" };

/** The description of a type; "" if it is unknown. @param {string} type */
function inWords(type) {
  return TYPES[type] ?? "";
}

/** A percentage, or a dash if there is nothing to measure. @param {number | null | undefined} value */
export function percentOrDash(value) {
  return percent(value) || "–";
}

/** The systems that were measured. @param {import("../shared/facets.js").Context} context @returns {NamesSystem[]} */
export function measuredSystems(context) {
  const { nec, systems } = context.summary;
  return (nec?.systems ?? []).map((measured) => {
    const number = systems.findIndex((each) => each.name === measured.name);
    return {
      number, measured, title: systemName(context.summary, number),
      isActive: number === state().system, change: forSystem(context, number),
    };
  });
}

/** The types that some system has, all together last. @param {NamesSystem[]} systems @returns {string[]} */
function typesOf(systems) {
  const types = new Set(systems.flatMap(({ measured }) => Object.keys(measured.types)));
  return [...[...types].filter((type) => type !== "ALL"), "ALL"];
}

/** Table 3. @type {NamesColumn[]} */
export const BY_TYPE = [
  { title: "Not found %", value: (score) => score.not_found, wanted: "low" },
  { title: "NEC F1", value: (score) => score.f1, wanted: "high" },
  { title: "CoNLL", value: (score) => score.conll, wanted: "high" },
];

/** @type {import("../types.js").MentionType[]} */
const MENTION_KINDS = ["name", "pronoun", "nominal", "zero"];

/** Table 4; zeros only if some entity has any. @param {NamesSystem[]} systems @returns {NamesColumn[]} */
export function byMention(systems) {
  const kinds = MENTION_KINDS.filter((kind) => systems.some(({ measured }) => measured.types.ALL?.by_mention_type[kind]));
  return kinds.map((kind) => ({
    title: kind[0].toUpperCase() + kind.slice(1), wanted: "high",
    value: (score) => score.by_mention_type[kind]?.f1,
    hint: (score) => {
      const chains = score.by_mention_type[kind]?.chains ?? 0;
      return `${numbered(chains, "entity has", "entities have")} a ${kind}`;
    },
  }));
}

/**
 * A table with a row per system and a group of columns per type.
 * @param {NamesSystem[]} systems @param {NamesColumn[]} columns @param {string} title
 */
export function figureTable(systems, columns, title) {
  const types = typesOf(systems);
  return h("table.names-table.names-grouped", { "aria-label": title },
    h("thead", {},
      h("tr", {}, h("td"), types.map((type) => h("th.names-type", { scope: "colgroup", colspan: columns.length },
        type, h("span.names-chains", {}, ` ${chainCount(systems, type)}`)))),
      h("tr", {}, h("th", { scope: "col" }, "System"), types.map(() => columns.map((column, place) =>
        h(place ? "th.number" : "th.number.names-first", { scope: "col" }, column.title))))),
    h("tbody", {}, systems.map((system) => h("tr", { "aria-current": system.isActive ? "true" : null },
      h("th.names-system", { scope: "row" }, system.title),
      types.map((type) => columns.map((column, place) => cell(systems, system, type, column, place === 0)))))));
}

/** @param {NamesSystem[]} systems @param {string} type */
function chainCount(systems, type) {
  const chains = systems.find(({ measured }) => measured.types[type])?.measured.types[type].chains ?? 0;
  return [inWords(type), numbered(chains, "entity", "entities")].filter(Boolean).join(", ");
}

/**
 * A cell; the best of its column is bold and has a star.
 * @param {NamesSystem[]} systems @param {NamesSystem} system @param {string} type @param {NamesColumn} column
 * @param {boolean} isFirst
 */
function cell(systems, system, type, column, isFirst) {
  const value = (/** @type {NamesSystem} */ { measured }) =>
    measured.types[type] ? column.value(measured.types[type]) ?? null : null;
  const values = systems.map(value).filter((each) => each !== null);
  // No system is best if there is only one, or if all are equal.
  const isBest = new Set(values).size > 1
    && value(system) === (column.wanted === "high" ? Math.max(...values) : Math.min(...values));
  const score = system.measured.types[type];
  return h(`td.number${isFirst ? ".names-first" : ""}${isBest ? ".names-best" : ""}`, {
    title: score && column.hint ? column.hint(score) : null,
  }, percentOrDash(value(system)), isBest && h("span.names-star", { role: "img", "aria-label": "best" }, "*"));
}

/** All scores, with a row per system and type. @param {NamesSystem[]} systems */
export function figures(systems) {
  const columns = [
    "Entities", "Not found %", "F1 0 %", "NEC F1", "Recall", "Precision", "CoNLL", "Over-split", "Over-combined",
  ];
  const types = typesOf(systems);
  return h("table.names-table", { "aria-label": "All figures" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "System"), h("th", { scope: "col" }, "Type"),
      columns.map((column) => h("th.number", { scope: "col" }, column)))),
    systems.map((system) => {
      const own = types.filter((type) => system.measured.types[type]);
      return h("tbody", { "aria-current": system.isActive ? "true" : null }, own.map((type, place) => h("tr", {},
        !place && h("th.names-system", { scope: "rowgroup", rowspan: own.length }, system.title),
        h("th.names-row", { scope: "row" }, type), figureCells(system, type))));
    }));
}

/** @param {NamesSystem} system @param {string} type */
function figureCells(system, type) {
  const score = system.measured.types[type];
  const listed = type === "ALL" ? "" : type;
  const lost = namesLost(system.measured, listed).length;
  const spread = (/** @type {string} */ list, /** @type {import("../types.js").ChainSpread} */ { chains, rate, excess }) =>
    h("td.number", { title: `${excess} too many` }, toList(system, listed, list, chains, chains),
      h("span.soft", {}, ` (${percentOrDash(rate)} %)`));
  return [
    h("td.number", {}, score.chains),
    h("td.number", { title: `${lost} of ${score.chains}` },
      toList(system, listed, "lost", lost, percentOrDash(score.not_found))),
    ...[score.zero_f1, score.f1, score.recall, score.precision, score.conll].map((value) =>
      h("td.number", {}, percentOrDash(value))),
    spread("split", score.over_split), spread("combined", score.over_combined),
  ];
}

/**
 * A count that links to the list of these entities, unless it is 0.
 * @param {NamesSystem} system @param {string} type "" for all
 * @param {string} list @param {number} count @param {import("../shared/dom.js").Child} content
 */
export function toList(system, type, list, count, content) {
  if (!count) return h("span", {}, content);
  const { "names.type": _, ...others } = state().options;
  const link = linkTo({ ...system.change, options: type ? { ...others, "names.type": type } : others });
  return h("a", {
    href: link.href, dataset: { count, list },
    onclick: (/** @type {MouseEvent} */ event) => {
      link.onclick(event);
      if (event.defaultPrevented) showList(list);
    },
  }, content);
}

/** Scroll to a list and focus its heading. @param {string} list */
function showList(list) {
  const heading = document.getElementById(`names-${list}`);
  heading?.scrollIntoView({ block: "start" });
  heading?.focus({ preventScroll: true });
}
