/** Lists of the errors that were fixed or broken, or are the same, or are wrong differently: those side by side. */
import { h, counted, documentName, numbered } from "./dom.js";
import { state, go, withOption } from "./state.js";
import { changesOf, isNarrowed, keyEntityOf, versus } from "./facets.js";
import { linkTo, placeOf } from "./links.js";
import { systemsKindLink, systemsKindTable, systemsKindTotals, systemsKinds } from "./systems-kinds.js";
import { systemsNumber, systemsTypeName } from "./systems-counts.js";

/**
 * @typedef {import("./facets.js").Context} Context
 * @typedef {import("./systems-kinds.js").Kind} Kind
 * @typedef {import("./systems-kinds.js").Kinds} Kinds
 */

const SYSTEMS_MOST_LINES = 200;
/** Errors of one side of an exchange that are shown. */
const SYSTEMS_MOST_EXCHANGED = 6;
const SYSTEMS_WORDS_BEFORE = 4;

/** @param {Context} context */
export function systemsChanges(context) {
  const kinds = systemsKinds(context);
  return [
    h("h3", {}, "Errors"),
    h("p.soft.systems-note", {},
      "Errors are the same if type and mentions are. Where they are not the same, but about a mention in common, both ",
      "systems are wrong, differently. ",
      h("span.screen-only", {}, "A line opens its document, with both systems side by side.")),
    isNarrowed() && h("p.systems-narrowed", { role: "note" },
      `Only errors under the filters above are counted and listed: ${systemsKindTotals(kinds)}. `,
      h("button.chip", { id: "systems-clear", onclick: () => go({ filters: {}, search: "" }) }, "Clear filters")),
    systemsKindTable(context, kinds),
    h("div.systems-changes", {},
      systemsList(context, kinds.fixed), systemsList(context, kinds.broken),
      systemsDifferently(context, kinds), systemsList(context, kinds.same)),
  ];
}

/** A number of a heading: what is under the filters, and of how many. @param {any} summary @param {Kind} kind */
function systemsOfAll(summary, kind) {
  const count = kind.rows.length;
  return [
    systemsNumber(`systems-count-${kind.id}`, kind.what, count, () => systemsKindLink(summary, kind, null, count)),
    isNarrowed() && h("span.soft", {}, ` of ${counted(kind.all.length)}`),
  ];
}

/** @param {Context} context @param {Kind} kind */
function systemsList(context, kind) {
  const { id, title, rows } = kind;
  const lines = rows.slice(0, SYSTEMS_MOST_LINES);
  return h(`section.systems-change.systems-change-${id}`, { dataset: { change: id, rows: rows.length } },
    h("h4", {}, systemsSign(kind), `${title}: `, systemsOfAll(context.summary, kind)),
    h("p.soft.systems-note", {}, kind.what),
    systemsLines(title, lines.map((row) => h("li", {}, systemsLine(context, row, id, row, true)))),
    rows.length > lines.length && h("p.systems-rest", {}, systemsRest(context.summary, kind)));
}

/** @param {Kind} kind */
function systemsSign({ mark }) {
  return h("span.systems-sign", { "aria-hidden": "true" }, mark);
}

/** @param {string} title @param {HTMLElement[]} lines */
function systemsLines(title, lines) {
  if (!lines.length) return h("p.soft", {}, "None.");
  return h("ol.systems-lines", { tabindex: "0", "aria-label": `${title}: errors` }, lines);
}

/** @param {any} summary @param {Kind} kind */
function systemsRest(summary, kind) {
  const count = kind.rows.length;
  const link = systemsKindLink(summary, kind, null, count);
  return h("a", { id: `systems-rest-${kind.id}`, ...link }, `All ${counted(count)} in the table`);
}

/**
 * An error that opens its document: before, the other system, at the left, and the active one at the right.
 * @param {Context} context
 * @param {number} row
 * @param {string} id
 * @param {number} opened the error to be selected: one of the active system, if there is one
 * @param {boolean} isAlone whether its place is told, too
 */
function systemsLine({ summary, errors }, row, id, opened, isAlone) {
  const left = withOption("document.left", String(versus()));
  return h("a.systems-line", {
    id: `systems-${id}-${row}`, title: errors.description[row],
    ...linkTo({ ...systemsPlaceOf(errors, opened), versus: versus(), ...left }),
  },
  h("span.systems-line-text", { dir: "auto" },
    h("span.soft", {}, systemsBefore(errors.left[row])), h("b", {}, systemsText(errors, row)),
    h("span.soft", {}, ` ${errors.right[row]}`)),
  h("span.soft.systems-line-place", {},
    systemsTypeName(errors.type[row]), isAlone && ` · ${systemsWhere({ summary, errors }, row)}`));
}

/** Where an error is seen; of one that the active system does not make, its place. @param {any} errors @param {number} row */
function systemsPlaceOf(errors, row) {
  const { system } = state();
  if (errors.system[row] === system) return placeOf(errors, row);
  return { ...placeOf(errors, row), system, error: null, entity: keyEntityOf(errors, row), at: errors.start[row] };
}

/** The words of an error's first mention, or where there are none, its tokens. @param {any} errors @param {number} row */
function systemsText({ text, start, end }, row) {
  return text[row] || `tokens ${start[row]}–${end[row]}`;
}

/** The last words before a mention: it should be seen at the beginning of the line. @param {string} left */
function systemsBefore(left) {
  const words = left.split(" ");
  if (words.length > SYSTEMS_WORDS_BEFORE) return `… ${words.slice(-SYSTEMS_WORDS_BEFORE).join(" ")} `;
  return left && `${left} `;
}

/** The document and the sentence of an error. @param {Context} context @param {number} row */
function systemsWhere({ summary, errors }, row) {
  const sentence = errors.sentence[row];
  return documentName(summary.documents[errors.document[row]].name) + (sentence === null ? "" : ` : ${sentence}`);
}

/** Errors about the same mentions side by side, theirs and then ours. @param {Context} context @param {Kinds} kinds */
function systemsDifferently(context, { before, after }) {
  const { summary } = context;
  const exchanges = systemsExchanges(context, before, after);
  const shown = exchanges.slice(0, SYSTEMS_MOST_LINES);
  const [theirs, ours] = [before, after].map((kind) => summary.systems[kind.system]);
  const dataset = { change: "differently", rows: exchanges.length };
  return h("section.systems-change.systems-change-differently", { dataset },
    h("h4", {}, systemsSign(before), `${before.title}: `,
      systemsOfAll(summary, before), ` in ${theirs.letter} → `, systemsOfAll(summary, after), ` in ${ours.letter}`),
    h("p.soft.systems-note", {}, `${numbered(exchanges.length, "place")} where both are wrong: at the left the errors of `,
      `${theirs.name}, at the right those of ${ours.name} about the same mentions`),
    systemsLines(before.title, shown.map((pair) => systemsExchange(context, pair))),
    exchanges.length > shown.length && h("p.systems-rest", {}, `The first ${shown.length} places. `,
      systemsRest(summary, before), ` of ${theirs.name} · `, systemsRest(summary, after), ` of ${ours.name}`));
}

/**
 * Exchanges of which any error is under the filters.
 * @param {Context} context @param {Kind} before @param {Kind} after @returns {number[][][]}
 */
function systemsExchanges({ summary }, before, after) {
  const pair = changesOf(summary, before.system, after.system);
  const shown = new Set([...before.rows, ...after.rows]);
  return pair.exchanges
    .map((/** @type {number[][]} */ sides) => (pair.before === before.system ? sides : [...sides].reverse()))
    .filter((/** @type {number[][]} */ sides) => sides.flat().some((row) => shown.has(row)));
}

/** @param {Context} context @param {number[][]} sides */
function systemsExchange(context, [theirs, ours]) {
  const side = (/** @type {number[]} */ rows) => h("div.systems-side", {},
    rows.slice(0, SYSTEMS_MOST_EXCHANGED).map((row) => systemsLine(context, row, "differently", ours[0], false)),
    rows.length > SYSTEMS_MOST_EXCHANGED
      && h("span.soft.systems-others", {}, `and ${counted(rows.length - SYSTEMS_MOST_EXCHANGED)} more`));
  return h("li.systems-exchange", {},
    h("span.soft.systems-exchange-place", {}, systemsWhere(context, theirs[0])),
    side(theirs), h("span.systems-arrow", { "aria-hidden": "true" }, "→"), side(ours));
}
