/** Estimates as text: units, confidence and intervals. */
import { fixed, percent } from "./dom.js";

/** @typedef {{value: number, low: number | null, high: number | null}} Estimate */

/** Intervals of fewer units are rough. */
const FEW_UNITS = 30;

/** The confidence as text. @param {{confidence: number}} level */
export function estimateConfidence({ confidence }) {
  return `${Number(fixed(100 * confidence, 2))} %`;
}

/** The number and kind of units. @param {import("../types.js").CompareResult} comparison */
export function estimateUnits(comparison) {
  return comparison.method.Units;
}

/** Whether there were enough units to resample. @param {import("../types.js").CompareResult} comparison */
export function hasIntervals({ systems }) {
  return systems.some((system) =>
    Object.values(system.scores).some((each) => each.low !== null));
}

/** Whether any difference could be tested. @param {import("../types.js").CompareResult} comparison */
export function hasTests({ comparisons }) {
  return comparisons.some((each) => each.p !== null);
}

/** The planned comparisons, which have verdicts. @param {import("../types.js").CompareResult} comparison */
export function plannedOf({ comparisons }) {
  return comparisons.filter((each) => each.verdict !== null);
}

/** A warning about few units; "" if there are enough. @param {import("../types.js").CompareResult} comparison @param {string} what */
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
