/** Scores and differences with their intervals and distributions over resamples. */
import { metricName, points } from "../shared/dom.js";
import { state } from "../shared/state.js";
import { systemName } from "../shared/facets.js";
import { chartAxisOver, chartPercent, chartTone } from "../charts/parts.js";
import { chartRidges, chartWhiskers } from "../charts/intervals.js";
import { estimateConfidence, estimateText, hasIntervals, hasTests } from "../shared/estimates.js";
import { cellPercent, cellPoints } from "../charts/panels.js";

/**
 * @typedef {object} Statistics
 * @property {import("../types.js").Summary} summary
 * @property {string} metric the selected metric, or "all"
 * @property {string[]} metrics the metrics that are shown
 * @property {number} width
 *
 * @typedef {import("../charts/panels.js").Panel} Panel
 * @typedef {import("../charts/panels.js").Cell} Cell
 * @typedef {import("../charts/intervals.js").Whisker} Whisker
 * @typedef {import("../charts/intervals.js").Histogram} Histogram
 * @typedef {import("../charts/parts.js").Axis} Axis
 */

/** With more systems than this, there are too many pairs to show all. */
const MOST_SYSTEMS = 12;
/** The smallest range of an axis, so that a narrow interval does not look wide. */
const LEAST_SPAN = 0.1;

/** Whether only the pairs with the active system are shown. @param {import("../types.js").Summary} summary */
export function isMany({ systems }) {
  return systems.length > MOST_SYSTEMS;
}

/** @param {Statistics} view @returns {Panel} */
export function scoresPanel(view) {
  const { comparison, systems } = view.summary;
  const isSure = hasIntervals(comparison);
  const limits = isSure ? estimateConfidence(comparison) : "";
  const overlap = systems.length > 1 && isSure
    && " Intervals that overlap do not mean that systems are equal: the test of differences is paired.";
  return {
    view: "statistics", id: "scores", title: isSure ? `Scores with ${limits} intervals` : "Scores",
    file: `scores-${view.metric}`,
    note: [`${f1Title(view)} in percent.`, range(view), isSure && spread(view), overlap],
    tableNote: [`${f1Title(view)} in percent.`, overlap],
    chart: () => chart(view, "Scores", (id) => systemWhiskers(view, id),
      (found) => found.systems),
    table: () => ({
      head: ["System", "metric", "F1", ...(isSure ? [`${limits} interval from`, "to"] : [])],
      rows: view.metrics.flatMap((id) => systemWhiskers(view, id).map(({ name, value, low, high }) => [
        name, metricName(id), cellPercent(value), ...(isSure ? [cellPercent(low), cellPercent(high)] : [])])),
    }),
  };
}

/** The name of the measured score. @param {Statistics} view */
function f1Title({ metric }) {
  return metric === "all" ? "F1" : metric === "conll" ? "CoNLL score" : `${metricName(metric)} F1`;
}

/** A note on the range of the axis. @param {Statistics} view */
function range(view) {
  const { low, high } = scoreAxis(view);
  return low > 0 || high < 1 ? ` The axis shows ${chartPercent(low)} to ${chartPercent(high)}.` : "";
}

/** A note on the curves. @param {Statistics} view */
function spread({ summary, metric }) {
  return summary.distributions?.[metric] && [
    " Curves show the distribution of the score over resampled corpora; all have the same height. The line ",
    "below each is the interval, which is slightly wider than the percentiles of the curve."];
}

/** The systems' scores by a metric. @param {Statistics} view @param {string} id @returns {Whisker[]} */
function systemWhiskers({ summary }, id) {
  return summary.comparison.systems.map((each, number) => ({
    ...each.scores[id], name: systemName(summary, number), tone: chartTone(number),
    text: estimateText(each.scores[id]),
  }));
}

/** The meaning of grey. @param {import("../types.js").CompareResult} comparison */
function grey(comparison) {
  if (!hasTests(comparison)) return "All are grey, because no difference was tested.";
  return "Colour means significant.";
}

/** @param {Statistics} view @returns {Panel} */
export function differencesPanel(view) {
  const { comparison } = view.summary;
  return {
    view: "statistics", id: "differences", title: "Differences between systems", isBoth: true,
    file: `differences-${view.metric}`,
    note: [
      `${f1Title(view)} of the first system minus that of the second, in points. `,
      grey(comparison),
      isMany(view.summary) && " Only the pairs with the active system are shown."],
    chart: () => chart(view, "Differences", (id) => pairs(view, id),
      ({ differences }) => differences),
    table: () => ({
      head: [
        "System", "against", "metric", "difference", "interval from", "to", "level", "p", "corrected p", "verdict"],
      rows: view.metrics.flatMap((id) => comparisonsBy(view, id).map((each) => [
        systemTitle(view, each.system), systemTitle(view, each.other), metricName(id),
        cellPoints(each.difference), cellPoints(each.low), cellPoints(each.high),
        estimateConfidence(each), cellP(each.p), cellP(each.p_corrected), each.verdict ?? "exploratory"])),
    }),
  };
}

/**
 * The comparisons by a metric; with many systems, only those of the active system, which comes first in each.
 * @param {Statistics} view @param {string} id @returns {import("../types.js").Difference[]}
 */
function comparisonsBy({ summary }, id) {
  const found = summary.comparison.comparisons.filter((each) => each.statistic === id);
  if (!isMany(summary)) return found;
  const { name } = summary.systems[state().system];
  return found.filter(({ system, other }) => [system, other].includes(name))
    .map((each) => each.system === name ? each : turned(each));
}

/** The same comparison, seen from the other system. @param {import("../types.js").Difference} each */
function turned(each) {
  const [low, high] = [each.high, each.low].map((end) => end === null ? null : -end);
  return { ...each, system: each.other, other: each.system, difference: -each.difference, low, high };
}

/** @param {Statistics} view @param {string} name of a system */
function systemTitle({ summary }, name) {
  return systemName(summary, summary.systems.findIndex((each) => each.name === name));
}

/** The pairs' differences by a metric. @param {Statistics} view @param {string} id @returns {Whisker[]} */
function pairs(view, id) {
  return comparisonsBy(view, id).map(({ system, other, difference, low, high, verdict }) => ({
    name: `${systemTitle(view, system)} − ${systemTitle(view, other)}`, value: difference, low, high,
    tone: verdict === "significant" ? "accent" : "whole",
    text: points(difference) + (low === null ? "" : `  ${points(low)} to ${points(high)}`),
  }));
}

/**
 * One metric as distributions, where there are any; all of them as intervals.
 * @param {Statistics} view @param {string} what @param {(id: string) => Whisker[]} rowsOf
 * @param {(found: import("../types.js").Distributions) => Histogram[] | null} histogramsOf what is known of the resamples of a metric
 */
function chart(view, what, rowsOf, histogramsOf) {
  const groups = view.metrics.map((id) => ({ name: metricName(id), rows: rowsOf(id) }));
  const rows = groups.flatMap((group) => group.rows);
  const message = `${what}. ${groups.map((group) => `${group.name}: ${
    group.rows.map((each) => `${each.name} ${each.text}`).join("; ")}`).join(". ")}`;
  const found = view.summary.distributions?.[view.metric];
  const histograms = found ? histogramsOf(found) : null;
  const axis = what === "Differences" ? differenceAxis(rows, histograms) : scoreAxis(view);
  const common = { message, width: view.width, axis };
  if (!histograms) return chartWhiskers({ ...common, groups });
  return chartRidges({ ...common, rows: rows.map((row, number) => ({ ...row, histogram: histograms[number] })) });
}

/** The smallest and largest value that is drawn. @param {Whisker[]} rows @param {Histogram[] | null} histograms */
function endsOf(rows, histograms) {
  const ends = [
    ...rows.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value]),
    ...(histograms ?? []).flatMap(({ low, high }) => [low, high])];
  return [Math.min(...ends), Math.max(...ends)];
}

/** An axis for all scores that are shown; it goes beyond 0 or 100 only if they do. @param {Statistics} view @returns {Axis} */
function scoreAxis(view) {
  const rows = view.metrics.flatMap((id) => systemWhiskers(view, id));
  let [least, most] = endsOf(rows, view.summary.distributions?.[view.metric]?.systems ?? null);
  if (most - least < LEAST_SPAN) {
    const middle = (least + most) / 2;
    least = Math.max(0, Math.min(middle - LEAST_SPAN / 2, 1 - LEAST_SPAN));
    most = least + LEAST_SPAN;
  }
  return chartAxisOver(least, most, 6);
}

/**
 * An axis for differences. It includes zero, because readers check whether an interval contains it.
 * @param {Whisker[]} rows @param {Histogram[] | null} histograms @returns {Axis}
 */
function differenceAxis(rows, histograms) {
  const [least, most] = endsOf(rows, histograms);
  return chartAxisOver(Math.min(least, -0.02), Math.max(most, 0.02), 6);
}

/** @param {number | null} p @returns {Cell} */
function cellP(p) {
  if (p === null) return { value: null, text: "–" };
  return { value: p, text: p >= 0.00005 ? p.toFixed(4) : p.toExponential(1).replace("-", "−") };
}
