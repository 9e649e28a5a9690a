/** Lists of errors that were fixed, broken, the same, or different; the latter side by side. */
import { h, counted, documentName, numbered } from "../shared/dom.js";
import { state, go, withOption } from "../shared/state.js";
import { changesOf, isNarrowed, keyEntityOf, versus } from "../shared/facets.js";
import { linkTo, placeOf } from "../shared/links.js";
import { kindLink, kindTable, kindTotals, kindsOf } from "./kinds.js";
import { numberLink, typeName } from "./counts.js";

/**
 * @typedef {import("../shared/facets.js").Context} Context
 * @typedef {import("./kinds.js").Kind} Kind
 * @typedef {import("./kinds.js").Kinds} Kinds
 */

const MOST_LINES = 200;
/** How many errors of one side of an exchange are shown. */
const MOST_EXCHANGED = 6;
const WORDS_BEFORE = 4;

/** @param {Context} context */
export function changeLists(context) {
  const kinds = kindsOf(context);
  return [
    h("h3", {}, "Errors"),
    h("p.soft.systems-note", {},
      "Two errors are the same if their types and mentions are. If they differ but share a mention, both systems are ",
      "wrong in different ways. ",
      h("span.screen-only", {}, "Click a line to open its document with both systems side by side.")),
    isNarrowed() && h("p.systems-narrowed", { role: "note" },
      `Only errors that match the filters above are counted and listed: ${kindTotals(kinds)}. `,
      h("button.chip", { id: "systems-clear", onclick: () => go({ filters: {}, search: "" }) }, "Clear filters")),
    kindTable(context, kinds),
    h("div.systems-changes", {},
      list(context, kinds.fixed), list(context, kinds.broken),
      differently(context, kinds), list(context, kinds.same)),
  ];
}

/** The number in a heading: how many errors match the filters, and of how many. @param {import("../types.js").Summary} summary @param {Kind} kind */
function ofAll(summary, kind) {
  const count = kind.rows.length;
  return [
    numberLink(`systems-count-${kind.id}`, kind.what, count, () => kindLink(summary, kind, null, count)),
    isNarrowed() && h("span.soft", {}, ` of ${counted(kind.all.length)}`),
  ];
}

/** @param {Context} context @param {Kind} kind */
function list(context, kind) {
  const { id, title, rows } = kind;
  const lines = rows.slice(0, MOST_LINES);
  return h(`section.systems-change.systems-change-${id}`, { dataset: { change: id, rows: rows.length } },
    h("h4", {}, sign(kind), `${title}: `, ofAll(context.summary, kind)),
    h("p.soft.systems-note", {}, kind.what),
    lineList(title, lines.map((row) => h("li", {}, line(context, row, id, row, true)))),
    rows.length > lines.length && h("p.systems-rest", {}, rest(context.summary, kind)));
}

/** @param {Kind} kind */
function sign({ mark }) {
  return h("span.systems-sign", { "aria-hidden": "true" }, mark);
}

/** @param {string} title @param {HTMLElement[]} lines */
function lineList(title, lines) {
  if (!lines.length) return h("p.soft", {}, "None.");
  return h("ol.systems-lines", { tabindex: "0", "aria-label": `${title}: errors` }, lines);
}

/** @param {import("../types.js").Summary} summary @param {Kind} kind */
function rest(summary, kind) {
  const count = kind.rows.length;
  const link = kindLink(summary, kind, null, count);
  return h("a", { id: `systems-rest-${kind.id}`, ...link }, `All ${counted(count)} in the table`);
}

/**
 * An error that links to its document, with the other system on the left and the active one on the right.
 * @param {Context} context
 * @param {number} row
 * @param {string} id
 * @param {number} opened the error to be selected: one of the active system, if there is one
 * @param {boolean} isAlone whether to show its place as well
 */
function line({ summary, errors }, row, id, opened, isAlone) {
  const left = withOption("document.left", String(versus()));
  return h("a.systems-line", {
    id: `systems-${id}-${row}`, title: errors.description[row],
    ...linkTo({ ...errorPlace(errors, opened), versus: versus(), ...left }),
  },
  h("span.systems-line-text", { dir: "auto" },
    h("span.soft", {}, wordsBefore(errors.left[row])), h("b", {}, errorText(errors, row)),
    h("span.soft", {}, ` ${errors.right[row]}`)),
  h("span.soft.systems-line-place", {},
    typeName(errors.type[row]), isAlone && ` · ${where({ summary, errors }, row)}`));
}

/** The state that shows an error, or its place if the active system does not make it. @param {import("../types.js").ErrorColumns} errors @param {number} row */
function errorPlace(errors, row) {
  const { system } = state();
  if (errors.system[row] === system) return placeOf(errors, row);
  return { ...placeOf(errors, row), system, error: null, entity: keyEntityOf(errors, row), at: errors.start[row] };
}

/** The words of an error's first mention, or its tokens if there are no words. @param {import("../types.js").ErrorColumns} errors @param {number} row */
function errorText({ text, start, end }, row) {
  return text[row] || `tokens ${start[row]}–${end[row]}`;
}

/** The last words before a mention; only few, so that the mention is near the beginning of the line. @param {string} left */
function wordsBefore(left) {
  const words = left.split(" ");
  if (words.length > WORDS_BEFORE) return `… ${words.slice(-WORDS_BEFORE).join(" ")} `;
  return left && `${left} `;
}

/** The document and the sentence of an error. @param {Context} context @param {number} row */
function where({ summary, errors }, row) {
  const sentence = errors.sentence[row];
  return documentName(summary.documents[errors.document[row]].name) + (sentence === null ? "" : ` : ${sentence}`);
}

/** Errors on the same mentions side by side, theirs and then ours. @param {Context} context @param {Kinds} kinds */
function differently(context, { before, after }) {
  const { summary } = context;
  const exchanges = exchangesOf(context, before, after);
  const shown = exchanges.slice(0, MOST_LINES);
  const [theirs, ours] = [before, after].map((kind) => summary.systems[kind.system]);
  const dataset = { change: "differently", rows: exchanges.length };
  return h("section.systems-change.systems-change-differently", { dataset },
    h("h4", {}, sign(before), `${before.title}: `,
      ofAll(summary, before), ` in ${theirs.letter} → `, ofAll(summary, after), ` in ${ours.letter}`),
    h("p.soft.systems-note", {}, `${numbered(exchanges.length, "place")} where both are wrong: on the left the errors of `,
      `${theirs.name}, on the right those of ${ours.name} on the same mentions`),
    lineList(before.title, shown.map((pair) => exchange(context, pair))),
    exchanges.length > shown.length && h("p.systems-rest", {}, `Only the first ${shown.length} places are shown. `,
      rest(summary, before), ` of ${theirs.name} · `, rest(summary, after), ` of ${ours.name}`));
}

/**
 * Exchanges with an error that matches the filters.
 * @param {Context} context @param {Kind} before @param {Kind} after @returns {number[][][]}
 */
function exchangesOf({ summary }, before, after) {
  const pair = changesOf(summary, before.system, after.system);
  const shown = new Set([...before.rows, ...after.rows]);
  return (pair?.exchanges ?? [])
    .map((sides) => (pair?.before === before.system ? sides : [...sides].reverse()))
    .filter((sides) => sides.flat().some((row) => shown.has(row)));
}

/** @param {Context} context @param {number[][]} sides */
function exchange(context, [theirs, ours]) {
  const side = (/** @type {number[]} */ rows) => h("div.systems-side", {},
    rows.slice(0, MOST_EXCHANGED).map((row) => line(context, row, "differently", ours[0], false)),
    rows.length > MOST_EXCHANGED
      && h("span.soft.systems-others", {}, `and ${counted(rows.length - MOST_EXCHANGED)} more`));
  return h("li.systems-exchange", {},
    h("span.soft.systems-exchange-place", {}, where(context, theirs[0])),
    side(theirs), h("span.systems-arrow", { "aria-hidden": "true" }, "→"), side(ours));
}
