/** A panel: a chart that can be shown as a table and saved as CSV or SVG. */
import { asCsv, counted, fill, h, percent, points, saveAs, scrolls } from "../shared/dom.js";
import { go, option, withOption } from "../shared/state.js";
import { isNarrowed } from "../shared/facets.js";
import { chartFile } from "./save.js";

/**
 * @typedef {import("./parts.js").Link} Link
 * @typedef {string | {value: number | null, text: string, link?: Link | null} | {value: string, link: Link}} Cell
 *     numbers have the value to save and the text to show
 *
 * @typedef {object} Panel
 * @property {string} view the view of the panel, as in option names
 * @property {string} id
 * @property {string} title
 * @property {import("../shared/dom.js").Child} [note] a description of the chart
 * @property {import("../shared/dom.js").Child} [tableNote] a description of the table
 * @property {import("../shared/dom.js").Child} [controls]
 * @property {() => import("../shared/dom.js").Child} chart
 * @property {() => {head: string[], rows: Cell[][]}} table
 * @property {boolean} [isBoth] whether the table is always shown below the chart
 * @property {string} file the name of saved files, without extension
 */

/** A note for parts that ignore filters, if there are any filters. */
export function wholeNote() {
  return isNarrowed() && h("span.overview-whole", {}, " All errors; filters are ignored here.");
}

/** @param {Panel} panel */
export function panelCard(panel) {
  const { id, title, isBoth } = panel;
  const isTable = !isBoth && panelTables(panel).includes(id);
  const name = `${panel.view}-${id}`;
  const body = h("div.panel-body");
  fill(body, isTable ? null : panel.chart());
  const drawing = /** @type {SVGElement | null} */ (body.querySelector("svg.chart-drawing"));
  if (isTable || isBoth) body.append(panelTable(title, panel.table()));
  return h("section.card.panel", { id: name, "aria-labelledby": `${name}-title` },
    h("header", {}, h("h2", { id: `${name}-title` }, title),
      h("div.panel-controls", {}, panel.controls, !isBoth && panelToggle(panel, isTable),
        panelButton(`${name}-csv`, "CSV", `Save ${title} as CSV`,
          () => saveAs(`${panel.file}.csv`, panelCsv(panel.table()), "text/csv")),
        drawing && panelButton(`${name}-svg`, "SVG", `Save ${title} as SVG`,
          () => saveAs(`${panel.file}.svg`, chartFile(drawing), "image/svg+xml")))),
    h("p.panel-note", {}, isTable ? panel.tableNote ?? panel.note : panel.note), body);
}

/** The panels of a view that are shown as tables. @param {Panel} panel */
function panelTables({ view }) {
  return option(`${view}.tables`).split(",").filter(Boolean);
}

/** @param {Panel} panel @param {boolean} isTable */
function panelToggle(panel, isTable) {
  const { view, id, title } = panel;
  const others = panelTables(panel).filter((each) => each !== id);
  const tables = isTable ? others : [...others, id].sort();
  const toggle = panelButton(`${view}-toggle-${id}`, "Table", `${title} as a table`,
    () => go(withOption(`${view}.tables`, tables.join(","))));
  toggle.classList.add("panel-toggle");
  toggle.setAttribute("aria-pressed", String(isTable));
  return toggle;
}

/** @param {string} id @param {string} text @param {string} label @param {() => void} onclick */
function panelButton(id, text, label, onclick) {
  return h("button.panel-button", { id, "aria-label": label, title: label, onclick }, text);
}

/**
 * A menu in a panel; its value is in the address.
 * @param {string} name of the option @param {string} label
 * @param {Array<[string, string]>} choices values and texts @param {string} chosen
 */
export function panelSelect(name, label, choices, chosen) {
  return h("select.panel-select", {
    id: name.replace(".", "-"), "aria-label": label,
    onchange: (/** @type {import("../shared/dom.js").Changed} */ event) => go(withOption(name, event.target.value)),
  }, choices.map(([value, text]) => h("option", { value, selected: value === chosen }, text)));
}

/** @param {string} text */
export function panelEmpty(text) {
  return h("p.panel-empty", {}, text);
}

/**
 * A count that links to its errors, unless it is 0.
 * @param {number} value @param {Link | null} link @returns {Cell}
 */
export function cellCount(value, link = null) {
  return { value, text: counted(value), link: value ? link : null };
}

/** @param {number | null} value a fraction @returns {Cell} */
export function cellPercent(value) {
  return { value: value === null ? null : Number((100 * value).toFixed(4)), text: percent(value) || "–" };
}

/** @param {number | null} value a difference of fractions @returns {Cell} */
export function cellPoints(value) {
  return { value: value === null ? null : Number((100 * value).toFixed(4)), text: points(value) || "–" };
}

/** @param {Cell} cell */
function cellValue(cell) {
  return typeof cell === "string" ? cell : cell.value;
}

/** @param {Cell} cell */
function cellShown(cell) {
  if (typeof cell === "string") return cell;
  const text = "text" in cell ? cell.text : cell.value;
  return cell.link ? h("a", cell.link, text) : cell.value ? text : h("span.soft", {}, text);
}

/** @param {{head: string[], rows: Cell[][]}} table */
function panelCsv({ head, rows }) {
  return asCsv([head, ...rows.map((row) => row.map(cellValue))]);
}

/** @param {string} title @param {{head: string[], rows: Cell[][]}} table the first cell of a row is its name */
function panelTable(title, { head, rows }) {
  const isNumber = head.map((_, column) =>
    rows.some(({ [column]: cell }) => typeof cell === "object" && "text" in cell));
  const cell = (/** @type {string} */ tag, /** @type {number} */ column) => isNumber[column] ? `${tag}.number` : tag;
  return scrolls(`Table: ${title}`, h("table", {},
    h("thead", {}, h("tr", {}, head.map((text, n) => h(cell("th", n), { scope: "col" }, text)))),
    h("tbody", {}, rows.map(([name, ...others]) => h("tr", {},
      h("th", { scope: "row" }, cellShown(name)),
      others.map((each, n) => h(cell("td", n + 1), {}, cellShown(each))))))), ".panel-table");
}
