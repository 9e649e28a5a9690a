/** Counts of errors by type and mention type, and by size or distance. */
import { counted, h, label, numbered } from "../shared/dom.js";
import { option } from "../shared/state.js";
import { DISTANCES, MENTION_TYPES, SIZES, facet, isNarrowed } from "../shared/facets.js";
import { linkToErrors } from "../shared/links.js";
import { chartBars, chartHistogram } from "../charts/bars.js";
import { cellCount, panelEmpty, panelSelect } from "../charts/panels.js";

/**
 * @typedef {import("./view.js").Overview} Overview
 * @typedef {import("../charts/panels.js").Panel} Panel
 */

/** Hues that colour-blind readers can distinguish; green and red mean gain and loss in another panel. */
const TONES = ["h1", "h5", "h4", "h6", "h8"];

/** A note on what is counted, what a click does, and active filters. @param {Overview} view @param {string} text @param {string} click */
function under(view, text, click) {
  return [
    text, h("span.screen-only", {}, ` ${click}`),
    isNarrowed() && ` With the filters above: ${numbered(view.rows.length, "error")}.`];
}

/** Count the rows by one or two facets. @param {Overview} view @param {string[]} ids @returns {Map<string, number>} */
function countBy(view, ids) {
  const values = ids.map((id) => facet(id).value);
  const counts = new Map();
  for (const row of view.rows) {
    const key = values.map((value) => value(view.context, row)).join("\n");
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** Error types by mention type. @param {Overview} view @returns {Panel} */
export function typesPanel(view) {
  const counts = countBy(view, ["type", "mention_type"]);
  const types = Object.keys(view.analysed.errors);
  const count = (/** @type {string} */ type, /** @type {string} */ mention) => counts.get(`${type}\n${mention}`) ?? 0;
  // Most corpora have words, and no zeros: then nothing says so.
  const mentions = MENTION_TYPES.filter((each, n) => n < 3 || types.some((type) => count(type, each)));
  const sum = (/** @type {string} */ type) => mentions.reduce((total, mention) => total + count(type, mention), 0);
  const all = (/** @type {string} */ type) => linkToErrors(view.system, { type: [type] }, sum(type));
  const some = (/** @type {string} */ type, /** @type {string} */ mention) =>
    linkToErrors(view.system, { type: [type], mention_type: [mention] }, count(type, mention));
  const first = types.reduce((most, type) => sum(type) > sum(most) ? type : most, types[0]);
  return {
    view: "overview", id: "types", title: "Error types", file: `${view.file}-errors`,
    note: under(view, "By the type of the first mention.", "Click a segment to see its errors."),
    tableNote: under(view, "By the type of the first mention.", "Click a number to see its errors."),
    chart: () => view.rows.length ? chartBars({
      width: view.width, noun: "error",
      message: `Error types by mention type: ${numbered(view.rows.length, "error")}, most of them ${label(first)} (${
        counted(sum(first))}).`,
      legend: mentions.map((name, n) => ({ name, tone: TONES[n] })),
      rows: types.map((type) => ({
        name: label(type), link: all(type),
        segments: mentions.map((name, n) => ({
          name, value: count(type, name), tone: TONES[n], link: some(type, name),
        })),
      })),
    }) : panelEmpty("No errors to count."),
    table: () => ({
      head: ["Error type", ...mentions, "all"],
      rows: types.map((type) => [label(type),
        ...mentions.map((each) => cellCount(count(type, each), some(type, each))),
        cellCount(sum(type), all(type))]),
    }),
  };
}

/** The two versions of the last panel. */
const LAST = [
  {
    id: "size", title: "Errors by size", values: SIZES, across: "mentions in the error", head: "Mentions",
    note: "The number of mentions in an error.",
  },
  {
    id: "distance", title: "Errors by distance", values: DISTANCES, across: "tokens to the previous mention",
    head: "Distance",
    note: "The distance of the first mention of an error from the previous mention of its entity.",
  },
];

/** Errors by size or by distance. @param {Overview} view @returns {Panel} */
export function sizesPanel(view) {
  const by = LAST.find(({ id }) => id === option("overview.last")) ?? LAST[0];
  const counts = countBy(view, [by.id]);
  const count = (/** @type {string} */ value) => counts.get(value) ?? 0;
  const link = (/** @type {string} */ value) => linkToErrors(view.system, { [by.id]: [value] }, count(value));
  const share = (/** @type {string} */ value) => (100 * count(value)) / Math.max(1, view.rows.length);
  return {
    view: "overview", id: "sizes", title: by.title, file: `${view.file}-errors-by-${by.id}`,
    note: under(view, by.note, "Click a bar to see its errors."),
    tableNote: under(view, by.note, "Click a number to see its errors."),
    controls: panelSelect("overview.last", "Count errors by",
      [["", "by size"], ["distance", "by distance"]], by.id === "size" ? "" : by.id),
    chart: () => view.rows.length ? chartHistogram({
      width: view.width, height: view.height, across: by.across, noun: "error",
      message: `${by.title} (${by.across}): ${
        by.values.map((value) => `${value}: ${counted(count(value))}`).join("; ")}.`,
      bins: by.values.map((value) => ({ name: value, value: count(value), link: link(value) })),
    }) : panelEmpty("No errors to count."),
    table: () => ({
      head: [by.head, "errors", "share in %"],
      rows: by.values.map((value) => [value, cellCount(count(value), link(value)),
        { value: Number(share(value).toFixed(4)), text: share(value).toFixed(1) }]),
    }),
  };
}
