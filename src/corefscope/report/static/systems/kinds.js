/** Errors of two systems by kind: fixed, different, the same, broken. */
import { h, counted, label, scrolls } from "../shared/dom.js";
import { state } from "../shared/state.js";
import { CHANGE_MARKS, changesOf, known, versus } from "../shared/facets.js";
import { linkToErrors } from "../shared/links.js";
import { byType } from "./types.js";
import { against, numberLink, filteredRows, typeName } from "./counts.js";

/**
 * @typedef {import("../shared/facets.js").Context} Context
 *
 * @typedef {object} Kind errors of one system with the same outcome in the other
 * @property {string} id
 * @property {string} mark
 * @property {string} title
 * @property {string} what a description
 * @property {number} system whose errors they are
 * @property {string} change the value of the facet that chooses them
 * @property {number[]} all
 * @property {number[]} rows those under the filters
 *
 * @typedef {Record<"fixed" | "before" | "same" | "after" | "broken", Kind>} Kinds
 */

/** The errors of both systems by kind. @param {Context} context @returns {Kinds} */
export function kindsOf(context) {
  const { summary } = context;
  const [ours, theirs] = [state().system, versus()];
  const [us, them] = [summary.systems[ours].name, summary.systems[theirs].name];
  const rows = filteredRows(context);
  const [mine, other] = [new Set(rows[ours]), new Set(rows[theirs])];
  /** @type {(id: string, mark: string, title: string, what: string, system: number, change: string) => Kind} */
  const kind = (id, mark, title, what, system, change) => {
    const all = marked(context, system, system === ours ? theirs : ours, change);
    const matching = system === ours ? mine : other;
    return { id, mark, title, what, system, change, all, rows: all.filter((row) => matching.has(row)) };
  };
  const differently = "Different error";
  const [otherwiseHere, otherwiseThere] = [us, them].map((name) => `where ${name} makes a different error`);
  return {
    fixed: kind("fixed", "✓", "Fixed", `${them} is wrong, ${us} is right`, theirs, "right"),
    before: kind("before", "~", differently, `errors of ${them} ${otherwiseHere}`, theirs, "differently"),
    same: kind("same", "=", "The same", "both are wrong in the same way", ours, "same"),
    after: kind("after", "~", differently, `errors of ${us} ${otherwiseThere}`, ours, "differently"),
    broken: kind("broken", "✗", "Broken", `${us} is wrong, ${them} is right`, ours, "right"),
  };
}

/**
 * The rows of a system whose errors have an outcome in another system.
 * @param {Context} context @param {number} system @param {number} other @param {string} change
 */
function marked(context, system, other, change) {
  const pair = changesOf(context.summary, system, other);
  const marks = (pair?.before === system ? pair.of_before : pair?.of_after) ?? "";
  const first = known(context).firsts[system];
  const rows = [];
  for (let at = 0; at < marks.length; at++) if (CHANGE_MARKS[marks[at]] === change) rows.push(first + at);
  return rows;
}

/** @param {import("../types.js").Summary} summary @param {Kind} kind @param {string | null} type none for all @param {number} count */
export function kindLink(summary, kind, type, count) {
  const filters = { change: [kind.change], ...(type ? { type: [type] } : {}) };
  return linkToErrors(kind.system, filters, count, against(summary, kind.system));
}

/**
 * Fixed, changed and broken errors by type, as in `corefscope compare --changes`.
 * @param {Context} context @param {Kinds} kinds
 */
export function kindTable({ summary, errors }, kinds) {
  const columns = Object.values(kinds);
  const types = Object.keys(summary.errors.systems[0].errors);
  const counts = columns.map((kind) => byType(errors, kind.rows));
  const cells = (/** @type {string | null} */ type) => columns.map((kind, at) => h("td.number", {},
    kindNumber(summary, kind, type, type ? counts[at].get(type) ?? 0 : kind.rows.length)));
  return scrolls("Table: fixed, changed and broken errors by type",
    h("table.systems-kinds", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Type"),
        columns.map((kind) => h(`th.number.systems-of-${kind.id}`, { scope: "col", title: kind.what },
          h("span", { "aria-hidden": "true" }, `${kind.mark} `), kind.title,
          kind.change === "differently" && ` (${summary.systems[kind.system].letter})`)))),
      h("tbody", {}, types.map((type) => h("tr", {},
        h("th", { scope: "row" }, typeName(type)), cells(type)))),
      h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, "All"), cells(null)))));
}

/** @param {import("../types.js").Summary} summary @param {Kind} kind @param {string | null} type @param {number} count */
function kindNumber(summary, kind, type, count) {
  const what = `${kind.title}, ${type ? label(type) : "all types"}: ${kind.what}`;
  const link = () => kindLink(summary, kind, type, count);
  return numberLink(`systems-${kind.id}-${type ?? "all"}`, what, count, link);
}

/** The number of errors that match the filters. @param {Kinds} kinds */
export function kindTotals(kinds) {
  const sum = (/** @type {"rows" | "all"} */ name) =>
    Object.values(kinds).reduce((total, kind) => total + kind[name].length, 0);
  return `${counted(sum("rows"))} of ${counted(sum("all"))}`;
}
