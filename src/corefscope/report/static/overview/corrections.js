/** F1 after correcting errors, one type after another. */
import { h, label, metricName, percent, points } from "../shared/dom.js";
import { option } from "../shared/state.js";
import { linkToOnly } from "../shared/links.js";
import { chartWaterfall } from "../charts/bars.js";
import { cellCount, cellPercent, cellPoints, panelSelect } from "../charts/panels.js";
import { wholeNote } from "./scores.js";

/**
 * @typedef {import("./view.js").Overview} Overview
 * @typedef {{type: string, from: number, to: number, alone: number, count: number}} Correction
 */

/** The meaning of the two numbers of each type. */
const GAINS = "Alone: the gain of correcting this type only, once span errors are corrected. "
  + "In steps: the gain once all types above it are corrected; the steps add up to 100 minus F1.";

/** F1 of a metric: CoNLL has no parts. @param {Record<string, import("../types.js").FiguresRecord | number>} record @param {string} metric */
export function f1Of(record, metric) {
  const found = record[metric];
  return typeof found === "number" ? found : found.f1;
}

/**
 * Each type with F1 before and after its correction.
 * @param {Overview} view @param {string} metric @returns {Correction[]}
 */
export function correctionSteps({ analysed }, metric) {
  let at = f1Of(analysed.before, metric);
  const types = /** @type {import("../types.js").ErrorType[]} */ (Object.keys(analysed.impact));
  return types.map((type) => {
    const { alone, step } = analysed.impact[type];
    const from = at;
    at += f1Of(step, metric);
    return { type, from, to: at, alone: f1Of(alone, metric), count: analysed.errors[type] };
  });
}

/** @param {Overview} view @returns {import("../charts/panels.js").Panel} */
export function correctionsPanel(view) {
  const { before } = view.analysed;
  const metrics = Object.keys(before).reverse();
  const metric = metrics.includes(option("overview.metric")) ? option("overview.metric") : "conll";
  const start = f1Of(before, metric), steps = correctionSteps(view, metric);
  const link = (/** @type {Correction} */ { type, count }) => linkToOnly(view.system, { type: [type] }, count);
  return {
    view: "overview", id: "corrections", title: "Gains of corrections", file: `${view.file}-corrections-${metric}`,
    note: [
      `Points of ${metricName(metric)} F1. ${GAINS} The bars show the steps.`,
      other(view, metric), wholeNote()],
    tableNote: [
      GAINS,
      h("span.screen-only", {}, " Click a number to see its errors."), other(view, metric), wholeNote()],
    controls: panelSelect("overview.metric", "Metric of the corrections",
      metrics.map((id) => [id === "conll" ? "" : id, metricName(id)]), metric === "conll" ? "" : metric),
    chart: () => chartWaterfall({
      width: view.width, columns: ["alone", "in steps"],
      message: `${metricName(metric)} F1 rises from ${percent(start)} to 100 as errors are corrected: ${
        steps.map(({ type, from, to, alone }) => `${label(type)} ${points(to - from)} in steps, ${points(alone)} alone`).join("; ")}.`,
      steps: [
        { name: `Uncorrected: ${percent(start)}`, from: 0, to: start, texts: [], title: "", tone: "whole" },
        ...steps.map((each) => ({
          name: label(each.type), from: each.from, to: each.to, link: each.count ? link(each) : null,
          tone: each.to >= each.from ? "good" : "bad",
          texts: [points(each.alone), points(each.to - each.from)],
          title: `${label(each.type)}: alone ${points(each.alone)}, in steps ${points(each.to - each.from)}, to ${
            percent(each.to)}`,
        }))],
    }),
    table: () => ({
      head: ["Correction", "errors", "alone", "in steps", `${metricName(metric)} after`],
      rows: [["Uncorrected", "", "", "", cellPercent(start)], ...steps.map((each) => [
        label(each.type), cellCount(each.count, link(each)),
        cellPoints(each.alone), cellPoints(each.to - each.from), cellPercent(each.to)])],
    }),
  };
}

/**
 * Whether errors were analysed by other rules than scores, so that corrections start at another score.
 * @param {Overview} view @param {string} metric
 */
export function isOther({ summary, analysed, system }, metric) {
  const scored = summary.scores.systems[system];
  const before = metric === "conll" ? scored.conll : scored.metrics[metric].f1;
  return before !== null && Math.abs(before - f1Of(analysed.before, metric)) >= 5e-5;
}

/** @param {Overview} view @param {string} metric */
function other(view, metric) {
  const start = percent(f1Of(view.analysed.before, metric));
  return isOther(view, metric)
    ? ` Errors are analysed without singletons, so F1 starts at ${start}, not at the score above.` : "";
}
