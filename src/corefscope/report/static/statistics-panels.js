/** Scores and differences with their intervals, and how they spread when units are resampled. */
import { metricName, points } from "./dom.js";
import { systemName } from "./facets.js";
import { chartTone } from "./charts.js";
import { chartRidges, chartWhiskers } from "./charts-intervals.js";
import { estimateConfidence, estimateText, hasIntervals } from "./estimates.js";
import { cellPercent, cellPoints } from "./panels.js";

/**
 * @typedef {object} Statistics
 * @property {any} summary
 * @property {string} metric the chosen one, or "all"
 * @property {string[]} metrics those that are shown
 * @property {number} width
 *
 * @typedef {import("./panels.js").Panel} Panel
 * @typedef {import("./panels.js").Cell} Cell
 * @typedef {import("./charts-intervals.js").Whisker} Whisker
 * @typedef {import("./charts-intervals.js").Range} Range
 */

/** @param {Statistics} view @returns {Panel} */
export function statisticsScores(view) {
  const { comparison, systems } = view.summary;
  const isSure = hasIntervals(comparison);
  const limits = isSure ? estimateConfidence(comparison) : "";
  const overlap = systems.length > 1 && isSure
    && " Intervals that overlap do not mean that systems are equal: the test of differences is paired.";
  return {
    view: "statistics", id: "scores", title: isSure ? `Scores with ${limits} intervals` : "Scores",
    file: `scores-${view.metric}`,
    note: [`${statisticsF1(view)} in percent.`, isSure && statisticsSpread(view), overlap],
    tableNote: [`${statisticsF1(view)} in percent.`, overlap],
    chart: () => statisticsChart(view, "Scores", (id) => statisticsSystems(view, id),
      (found) => [found, found.systems]),
    table: () => ({
      head: ["System", "metric", "F1", ...(isSure ? [`${limits} interval from`, "to"] : [])],
      rows: view.metrics.flatMap((id) => statisticsSystems(view, id).map(({ name, value, low, high }) => [
        name, metricName(id), cellPercent(value), ...(isSure ? [cellPercent(low), cellPercent(high)] : [])])),
    }),
  };
}

/** What is measured. @param {Statistics} view */
function statisticsF1({ metric }) {
  return metric === "all" ? "F1" : metric === "conll" ? "CoNLL score" : `${metricName(metric)} F1`;
}

/** What the curves are. @param {Statistics} view */
function statisticsSpread({ summary, metric }) {
  return summary.distributions?.[metric] && [
    " Curves are the scores of resampled corpora; the line below each is the interval, ",
    "a little wider than the middle of the curve, as few units need it."];
}

/** The systems' scores by a metric. @param {Statistics} view @param {string} id @returns {Whisker[]} */
function statisticsSystems({ summary }, id) {
  return summary.comparison.systems.map((/** @type {any} */ each, /** @type {number} */ number) => ({
    ...each.scores[id], name: systemName(summary, number), tone: chartTone(number),
    text: estimateText(each.scores[id]),
  }));
}

/** @param {Statistics} view @returns {Panel} */
export function statisticsDifferences(view) {
  const { comparison } = view.summary;
  const limits = estimateConfidence(comparison);
  return {
    view: "statistics", id: "differences", title: "Differences between systems", isBoth: true,
    file: `differences-${view.metric}`,
    note: [
      `${statisticsF1(view)} in points, the first system's less the second's; at 0 they are equal. `,
      "Grey is not significant."],
    chart: () => statisticsChart(view, "Differences", (id) => statisticsPairs(view, id),
      ({ differences }) => [differences, differences.pairs]),
    table: () => ({
      head: [
        "System", "against", "metric", "difference", `${limits} interval from`, "to",
        "p", "corrected p", "significant"],
      rows: view.metrics.flatMap((id) => statisticsOf(view, id).map((each) => [
        statisticsName(view, each.system), statisticsName(view, each.other), metricName(id),
        cellPoints(each.difference), cellPoints(each.low), cellPoints(each.high),
        statisticsP(each.p), statisticsP(each.p_corrected), statisticsMark(each)])),
    }),
  };
}

/** The comparisons by a metric. @param {Statistics} view @param {string} id @returns {any[]} */
function statisticsOf({ summary }, id) {
  return summary.comparison.comparisons.filter((/** @type {any} */ each) => each.statistic === id);
}

/** @param {Statistics} view @param {string} name of a system */
function statisticsName({ summary }, name) {
  return systemName(summary, summary.systems.findIndex((/** @type {any} */ each) => each.name === name));
}

/** The pairs' differences by a metric. @param {Statistics} view @param {string} id @returns {Whisker[]} */
function statisticsPairs(view, id) {
  return statisticsOf(view, id).map(({ system, other, difference, low, high, significant }) => ({
    name: `${statisticsName(view, system)} − ${statisticsName(view, other)}`, value: difference, low, high,
    tone: significant ? "accent" : "whole",
    text: points(difference) + (low === null ? "" : `  ${points(low)} to ${points(high)}`),
  }));
}

/**
 * One metric as distributions, where there are any; all of them as intervals.
 * @param {Statistics} view @param {string} what @param {(id: string) => Whisker[]} rowsOf
 * @param {(found: any) => [Range, number[][]]} countsOf the range and the counts of a distribution
 */
function statisticsChart(view, what, rowsOf, countsOf) {
  const groups = view.metrics.map((id) => ({ name: metricName(id), rows: rowsOf(id) }));
  const rows = groups.flatMap((group) => group.rows);
  const message = `${what}. ${groups.map((group) => `${group.name}: ${
    group.rows.map((each) => `${each.name} ${each.text}`).join("; ")}`).join(". ")}`;
  const found = view.summary.distributions?.[view.metric];
  const [bins, counts] = found ? countsOf(found) : [null, []];
  const common = { message, width: view.width, axis: statisticsAxis(rows, bins, what === "Differences") };
  if (!bins) return chartWhiskers({ ...common, groups });
  return chartRidges({ ...common, bins, rows: rows.map((row, number) => ({ ...row, counts: counts[number] })) });
}

/**
 * An axis with round ends for all values. Zero is on that of differences: whether an interval holds it is what
 * one looks for.
 * @param {Whisker[]} rows @param {Range | null} bins @param {boolean} isDifference
 * @returns {Range}
 */
function statisticsAxis(rows, bins, isDifference) {
  const ends = rows.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value]);
  if (bins) ends.push(bins.low, bins.high);
  if (isDifference) ends.push(-0.02, 0.02);
  const least = Math.min(...ends), most = Math.max(...ends);
  const step = most - least > 0.2 ? 0.1 : 0.02;
  const low = Math.floor(least / step + 1e-9) * step, high = Math.ceil(most / step - 1e-9) * step;
  return { low, high: high > low ? high : low + step };
}

/** @param {number | null} p @returns {Cell} */
function statisticsP(p) {
  if (p === null) return { value: null, text: "–" };
  return { value: p, text: p >= 0.00005 ? p.toFixed(4) : p.toExponential(1).replace("-", "−") };
}

/** @param {any} each */
function statisticsMark({ p_corrected: p, significant }) {
  return p === null ? "no test" : !significant ? "no" : p < 0.01 ? "at 0.01" : "at 0.05";
}
