/** The checkpoints of one series: a sentence, a chart with its table, and how they were scored. */
import { counted, fill, fixed, h, keepFocus, numbered, percent, points } from "../shared/dom.js";
import { option, state } from "../shared/state.js";
import { chartTone } from "../charts/parts.js";
import { chartLines } from "../charts/lines.js";
import { panelCard, panelSelect } from "../charts/panels.js";

/**
 * @typedef {import("../types.js").HistorySeries} Series
 * @typedef {import("../types.js").HistoryPoint} Point
 * @typedef {import("../charts/panels.js").Cell} Cell
 */

/** All metrics that are fractions, on one axis. */
const ALL = "all";

/** @param {HTMLElement} root @param {import("../types.js").HistoryPage} page */
export function render(root, page) {
  const width = Math.min(1464, Math.max(300, root.clientWidth - 66));
  const drawn = JSON.stringify([state().options, width]);
  if (/** @type {HTMLElement | null} */ (root.firstElementChild)?.dataset.history === drawn) return;
  const asked = Number(option("history.series"));
  const series = page.series[asked] ?? page.series[0];
  const { scrollTop } = root;
  keepFocus(() => fill(root, h("div.history", { dataset: { history: drawn } },
    page.series.length > 1 && seriesMenu(page, page.series.indexOf(series)),
    h("p.history-lead", {}, lead(series)),
    panelCard(scoresPanel(series, width)),
    method(page, series))));
  root.scrollTop = scrollTop;
}

/** A menu of the series, which are never compared with each other. @param {import("../types.js").HistoryPage} page @param {number} chosen */
function seriesMenu(page, chosen) {
  /** @type {Array<[string, string]>} */
  const choices = page.series.map((each, number) => [number ? String(number) : "",
    `${each.key} (${each.key_digest.slice(0, 6)}) · ${each.settings || "default options"} · ${numbered(each.points.length, "checkpoint")}`]);
  return h("div.history-series", {}, h("label", { for: "history-series" }, "Key and options "),
    panelSelect("history.series", "Key and options", choices, chosen ? String(chosen) : ""));
}

/** The value of the figure that is compared. @param {Series} series @param {number | null} value @param {number} metric */
function figure(series, value, metric = 0) {
  if (value === null) return "–";
  return series.units[metric] === "nats" ? fixed(value, 4) : percent(value);
}

/** The best checkpoint and the last one. @param {Series} series */
function lead(series) {
  const [name] = series.names;
  const best = series.points.findLast((each) => each.is_best) ?? series.points[0];
  const last = series.points[series.points.length - 1];
  const text = [`The best of ${numbered(series.points.length, "checkpoint")} by ${name} is `,
    h("b", {}, best.name), ` with ${figure(series, best.f1[0])}.`];
  if (best === last) return series.points.length > 1 ? [...text, " It is the last one."] : text;
  const since = series.points.length - 1 - series.points.indexOf(best);
  const change = (last.f1[0] ?? 0) - (best.f1[0] ?? 0);
  const shown = series.units[0] === "nats" ? fixed(change, 4) : `${points(change)} points`;
  return [...text, ` ${counted(since)} came after it; the last one, ${last.name}, has ${figure(series, last.f1[0])} (${shown}).`];
}

/** @param {Series} series @param {number} width @returns {import("../charts/panels.js").Panel} */
function scoresPanel(series, width) {
  const [first] = series.metrics;
  const chosen = [ALL, ...series.metrics].includes(option("history.metric")) ? option("history.metric") : ALL;
  const shown = series.metrics.map((_, number) => number).filter((number) => chosen === ALL
    ? series.units[number] === series.units[0] : series.metrics[number] === chosen);
  /** @type {Array<[string, string]>} */
  const choices = [["", "All metrics"], ...series.metrics.map(
    (id, number) => /** @type {[string, string]} */ ([id, series.names[number]]))];
  return {
    view: "history", id: "scores", title: "Scores of checkpoints", isBoth: true, file: "history",
    note: [
      "F1, in the order in which checkpoints were scored. ",
      chosen === ALL || chosen === first ? `Large dots were the best by ${series.names[0]} when they were scored.` : ""],
    controls: panelSelect("history.metric", "Metric", choices, chosen === ALL ? "" : chosen),
    chart: () => chartLines({
      names: series.points.map((each) => each.name),
      lines: shown.map((number) => ({
        name: series.names[number], tone: number ? chartTone(number - 1) : "accent",
        values: series.points.map((each) => each.f1[number]),
        marked: number ? [] : series.points.map((each) => each.is_best),
      })),
      text: (value) => figure(series, value, shown[0]),
      isPercent: series.units[shown[0]] !== "nats",
      message: message(series, shown), width,
    }),
    table: () => table(series),
  };
}

/** The chart in words. @param {Series} series @param {number[]} shown */
function message(series, shown) {
  return `Scores of checkpoints. ${shown.map((number) => `${series.names[number]}: ${
    series.points.map((each) => `${each.name} ${figure(series, each.f1[number], number)}`).join(", ")}`).join(". ")}`;
}

/** The latest checkpoint first. @param {Series} series */
function table(series) {
  return {
    head: ["Checkpoint", "scored (UTC)", ...series.names, `best by ${series.names[0]}`, "warnings"],
    rows: series.points.map((each) => [
      each.name, each.scored.replace("T", " ").replace("Z", ""),
      ...each.f1.map((value, number) => cell(series, value, number)),
      each.is_best ? "new best" : "", each.warnings]).reverse(),
  };
}

/** @param {Series} series @param {number | null} value @param {number} metric @returns {Cell} */
function cell(series, value, metric) {
  const scale = series.units[metric] === "nats" ? 1 : 100;
  return { value: value === null ? null : Number((scale * value).toFixed(4)), text: figure(series, value, metric) };
}

/** How the checkpoints were scored. @param {import("../types.js").HistoryPage} page @param {Series} series */
function method(page, series) {
  /** @type {Array<[string, string]>} */
  const said = [
    ["Key", `${series.key}, digest ${series.key_digest}`], ["Options", series.settings || "defaults"],
    ["Signature", series.signature], ["History", page.path], ["corefscope", page.corefscope]];
  return h("section.card", { "aria-labelledby": "history-method" },
    h("h2", { id: "history-method" }, "How they were scored"),
    h("dl.history-method", {}, said.map(([name, value]) => [h("dt", {}, name), h("dd.mono", {}, value)])));
}
