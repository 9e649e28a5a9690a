/** Estimates as text: units, confidence and intervals. */
import { fixed, numbered, percent } from "./dom.js";

/** @typedef {{value: number, low: number | null, high: number | null}} Estimate */

/** @type {Record<string, [string, string]>} */
const UNITS = { documents: ["document", "documents"], files: ["file", "files"], parts: ["text", "texts"] };
/** Intervals of fewer units are rough. */
const FEW_UNITS = 30;

/** The confidence as text. @param {import("../types.js").ComparisonRecord} comparison */
export function estimateConfidence({ confidence }) {
  return `${Number(fixed(100 * confidence, 2))} %`;
}

/** The number and kind of units. @param {import("../types.js").ComparisonRecord} comparison */
export function estimateUnits(comparison) {
  return numbered(comparison.units, ...estimateUnitNames(comparison));
}

/** The singular and plural name of a unit. @param {import("../types.js").ComparisonRecord} comparison @returns {[string, string]} */
export function estimateUnitNames({ unit }) {
  return UNITS[unit] ?? ["group of documents", "groups of documents"];
}

/** Whether there were enough units to resample. @param {import("../types.js").ComparisonRecord} comparison */
export function hasIntervals({ systems }) {
  return systems.some((system) =>
    Object.values(system.scores).some((each) => each.low !== null));
}

/** Whether any difference could be tested. @param {import("../types.js").ComparisonRecord} comparison */
export function hasTests({ comparisons }) {
  return comparisons.some((each) => each.p !== null);
}

/** The test of differences. @param {import("../types.js").ComparisonRecord} comparison */
export function estimateTest({ test, exact }) {
  if (exact) return "paired randomization, exact";
  return test === "bootstrap" ? "paired bootstrap" : "paired approximate randomization";
}

/** The number of tests that p-values are corrected for; 1 without correction. @param {import("../types.js").ComparisonRecord} comparison */
export function estimateTests({ family, comparisons }) {
  if (family === "none") return 1;
  const statistics = new Set(comparisons.map((each) => each.statistic)).size;
  return family === "metric" ? comparisons.length / Math.max(1, statistics) : comparisons.length;
}

/** A warning about few units; "" if there are enough. @param {import("../types.js").ComparisonRecord} comparison @param {string} what */
export function estimateWarning(comparison, what) {
  const isRough = comparison.units < FEW_UNITS && hasIntervals(comparison);
  return isRough ? `⚠ ${what} of only ${estimateUnits(comparison)} are rough.` : "";
}

/** The limits of an interval of scores. @param {number} low @param {number} high */
export function estimateLimits(low, high) {
  return `${fixed(100 * low, 1)}–${fixed(100 * high, 1)}`;
}

/** A score with its interval. @param {Estimate} estimate */
export function estimateText({ value, low, high }) {
  return low === null || high === null ? percent(value) : `${percent(value)}  ${estimateLimits(low, high)}`;
}
