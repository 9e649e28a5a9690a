/** F1 after correcting errors: what each action gains alone, and all types one after another. */
import { h, label, metricName, percent, points } from "../shared/dom.js";
import { option } from "../shared/state.js";
import { linkToOnly } from "../shared/links.js";
import { chartWaterfall } from "./bars.js";
import { cellCount, cellPercent, cellPoints, panelSelect, wholeNote } from "./panels.js";

/**
 * @typedef {import("../overview/view.js").Overview} Overview
 * @typedef {{type: string, from: number, to: number, alone: number, count: number}} Correction
 */

/** What an action is. */
const ACTIONS = "Each bar: the gain of correcting this alone, once span errors are corrected. "
  + "Wrong links are divided and conflated entities together, because a mention in the wrong entity is both.";
/** What a step is. */
const STEPS = "The gain once all types above it are corrected; the steps depend on this order, and add up to 100 minus F1.";

/** F1 of a metric: CoNLL has no parts. @param {Record<string, import("../types.js").FiguresRecord | number>} record @param {string} metric */
export function f1Of(record, metric) {
  const found = record[metric];
  return typeof found === "number" ? found : found.f1;
}

/**
 * Each type with F1 before and after its correction.
 * @param {Overview} view @param {string} metric @returns {Correction[]}
 */
function correctionSteps({ analysed }, metric) {
  let at = f1Of(analysed.before, metric);
  const types = /** @type {import("../types.js").ErrorType[]} */ (Object.keys(analysed.impact));
  return types.map((type) => {
    const { alone, step } = analysed.impact[type];
    const from = at;
    at += f1Of(step, metric);
    return { type, from, to: at, alone: f1Of(alone, metric), count: analysed.errors[type] };
  });
}

/** The metric that gains are shown in, and the control that chooses it. @param {Overview} view */
function chosenMetric({ analysed }) {
  const metrics = Object.keys(analysed.before).reverse();
  const metric = metrics.includes(option("overview.metric")) ? option("overview.metric") : "conll";
  const controls = panelSelect("overview.metric", "Metric of the corrections",
    metrics.map((id) => [id === "conll" ? "" : id, metricName(id)]), metric === "conll" ? "" : metric);
  return { metric, controls };
}

/** What each action gains alone. @param {Overview} view @returns {import("./panels.js").Panel} */
export function correctionsPanel(view) {
  const { metric, controls } = chosenMetric(view);
  const { before, actions } = view.analysed, start = f1Of(before, metric);
  const link = (/** @type {import("../types.js").ActionRecord} */ { types, errors }) =>
    linkToOnly(view.system, { type: types }, errors);
  const gained = (/** @type {import("../types.js").ActionRecord} */ { gain }) => f1Of(gain, metric);
  const spans = actions.find(({ action }) => action === "span_error");
  // All others begin where span errors are corrected.
  const base = (/** @type {import("../types.js").ActionRecord} */ each) =>
    start + (each === spans || !spans ? 0 : gained(spans));
  return {
    view: "overview", id: "corrections", title: "What to correct first", file: `${view.file}-corrections-${metric}`,
    note: [`Points of ${metricName(metric)} F1. ${ACTIONS}`, other(view, metric), wholeNote()],
    tableNote: [
      ACTIONS, h("span.screen-only", {}, " Click a number to see its errors."), other(view, metric), wholeNote()],
    controls,
    chart: () => chartWaterfall({
      width: view.width, columns: ["gain"], isJoined: false,
      message: `Gain in ${metricName(metric)} F1, now ${percent(start)}, of correcting each alone: ${
        actions.map((each) => `${label(each.action)} ${points(gained(each))}`).join("; ")}.`,
      steps: [
        { name: `Uncorrected: ${percent(start)}`, from: 0, to: start, texts: [], title: "", tone: "whole" },
        ...actions.map((each) => ({
          name: label(each.action), from: base(each), to: base(each) + gained(each), link: each.errors ? link(each) : null,
          tone: gained(each) >= 0 ? "good" : "bad",
          texts: [points(gained(each))],
          title: `${label(each.action)}: ${points(gained(each))}, to ${percent(base(each) + gained(each))}`,
        }))],
    }),
    table: () => ({
      head: ["Correction", "errors", "gain alone", `${metricName(metric)} after`],
      rows: [["Uncorrected", "", "", cellPercent(start)], ...actions.map((each) => [
        label(each.action), cellCount(each.errors, link(each)), cellPoints(gained(each)),
        cellPercent(base(each) + gained(each))])],
    }),
  };
}

/** F1 while all types are corrected in order. @param {Overview} view @returns {import("./panels.js").Panel} */
export function stepsPanel(view) {
  const { metric, controls } = chosenMetric(view);
  const start = f1Of(view.analysed.before, metric), steps = correctionSteps(view, metric);
  const link = (/** @type {Correction} */ { type, count }) => linkToOnly(view.system, { type: [type] }, count);
  return {
    view: "errors", id: "steps", title: "All corrections in steps", file: `${view.file}-steps-${metric}`,
    note: [`Points of ${metricName(metric)} F1. ${STEPS}`, other(view, metric), wholeNote()],
    tableNote: [STEPS, other(view, metric), wholeNote()],
    controls,
    chart: () => chartWaterfall({
      width: view.width, columns: ["step"],
      message: `${metricName(metric)} F1 rises from ${percent(start)} to 100 as errors are corrected: ${
        steps.map(({ type, from, to }) => `${label(type)} ${points(to - from)}`).join("; ")}.`,
      steps: [
        { name: `Uncorrected: ${percent(start)}`, from: 0, to: start, texts: [], title: "", tone: "whole" },
        ...steps.map((each) => ({
          name: label(each.type), from: each.from, to: each.to, link: each.count ? link(each) : null,
          tone: each.to >= each.from ? "good" : "bad",
          texts: [points(each.to - each.from)],
          title: `${label(each.type)}: ${points(each.to - each.from)}, to ${percent(each.to)}`,
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

/** How errors were analysed, if not as scores were computed. @param {Overview} view */
export function rules({ summary, analysed, system }) {
  const scored = summary.scores.systems[system].signature.split("|");
  const names = scored.map((rule) => rule.split(":")[0]).filter((name) => name !== "profile" && name !== "docs");
  const others = analysed.signature.split("|").filter((rule) =>
    !scored.includes(rule) && names.includes(rule.split(":")[0]));
  const how = others.length ? [`with ${others.join(", ")}`] : [];
  if (!how.length || names.includes("scorer")) how.unshift("by our own rules");
  return summary.units ? `in whole documents, ${how.join(" and ")}` : how.join(" and ");
}

/** @param {Overview} view @param {string} metric */
function other(view, metric) {
  const start = percent(f1Of(view.analysed.before, metric));
  return isOther(view, metric)
    ? ` Errors are analysed ${rules(view)}, so F1 starts at ${start}, not at the score above.` : "";
}
