/** Errors: export and printing. */
import { asCsv, fill, h, label, saveAs } from "../shared/dom.js";
import { chosen, known } from "../shared/facets.js";
import { remarkOn } from "../shared/remarks.js";
import { inContext, where } from "./columns.js";

/**
 * @typedef {import("../shared/facets.js").Context} Context
 * @typedef {import("./table.js").ErrorsView} ErrorsView
 */

/** How many errors are printed if none is flagged. */
const PRINTED = 200;

/** Save the rows that are shown, in order. @param {ErrorsView} view @param {"jsonl" | "csv"} format */
export function exportRows({ index: { context }, rows }, format) {
  const records = Array.from(rows, (row) => record(context, row));
  const name = `${fileName(context)}.${format}`;
  const lines = () => records.map((each) => `${JSON.stringify(each)}\n`).join("");
  const table = () => asCsv([fields(context), ...records.map((each) => Object.values(each).map(plain))]);
  if (format === "jsonl") saveAs(name, lines(), "application/jsonl");
  else saveAs(name, table(), "text/csv");
}

/** "errors-ours" or "errors-ours-theirs". @param {Context} context */
function fileName({ summary }) {
  const names = chosen().filters.system.map((number) => summary.systems[Number(number)].name);
  const named = names.length > 3 ? `${names.length}-systems` : names.join("-");
  return `errors-${named.replace(/[^\p{L}\p{N}._-]+/gu, "-")}`;
}

/** @param {Context} context */
function fields({ errors }) {
  return [...Object.keys(errors), "made_by", "flag", "note"];
}

/** @param {Context} context @param {number} row @returns {Record<string, unknown>} */
function record(context, row) {
  const { errors, summary } = context;
  const values = Object.entries(errors).map(([name, column]) => [name, column[row] ?? null]);
  return {
    ...Object.fromEntries(values),
    system: summary.systems[errors.system[row]].name,
    document: summary.documents[errors.document[row]].name,
    made_by: known(context).makers[row],
    ...remarkOn(errors, summary, row),
  };
}

/** A cell of CSV; a list as JSON. @param {unknown} value */
function plain(value) {
  return Array.isArray(value) ? JSON.stringify(value) : value;
}

/** Print the flagged errors among those that are shown, or else the first ones. @param {ErrorsView} view */
export function printRows({ parts, index: { context }, rows }) {
  const { errors, summary } = context;
  const flagged = rows.filter((row) => remarkOn(errors, summary, row).flag);
  const printed = flagged.length ? flagged : rows.slice(0, PRINTED);
  const of = parts.count.textContent;
  const said = flagged.length ? `${flagged.length} flagged, of ${of}`
    : printed.length < rows.length ? `The first ${printed.length} of ${of}` : of;
  const titles = ["Type", "Document", "In context", "What is wrong", "Made by", "Note"];
  fill(parts.print, h("table", {}, h("caption", {}, said), h("thead", {}, tableLine("th", titles)),
    h("tbody", {}, Array.from(printed, (row) => tableLine("td", printedRow(context, row))))));
}

/** @param {string} tag @param {import("../shared/dom.js").Child[]} cells */
function tableLine(tag, cells) {
  return h("tr", {}, cells.map((each) => h(tag, {}, each)));
}

/** @param {Context} context @param {number} row */
function printedRow(context, row) {
  const { errors, summary } = context;
  const [left, text, right] = inContext(errors, row);
  return [
    label(errors.type[row]), where(context, row), h("bdi", {}, left, " ", h("b", {}, text), " ", right),
    errors.description[row], known(context).makers[row], remarkOn(errors, summary, row).note,
  ];
}
