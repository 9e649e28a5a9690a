/** Scores of all systems, with intervals, differences and verdicts. */
import { h, metricName, percent, points, scrolls } from "../shared/dom.js";
import { state, go } from "../shared/state.js";
import { forSystem } from "../shared/facets.js";
import { linkTo } from "../shared/links.js";
import { estimateConfidence, estimateUnits, hasIntervals, plannedOf } from "../shared/estimates.js";
import { badge } from "./counts.js";

/** @param {import("../shared/facets.js").Context} context */
export function matrixCard(context) {
  const { summary } = context;
  const statistics = statisticsOf(summary.comparison);
  return h("section.card", { "aria-labelledby": "systems-matrix-title" },
    h("h2", { id: "systems-matrix-title" }, "Scores"),
    matrixNote(summary),
    scrolls("Table: scores by system",
      h("table.systems-matrix", {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "System"),
          statistics.map((name) => h("th.number", { scope: "col" }, metricName(name))))),
        h("tbody", {}, summary.systems.map((_, place) =>
          matrixRow(context, place, statistics)))), ".systems-tall"));
}

/** @param {import("../types.js").Summary} summary */
function matrixNote(summary) {
  const { comparison } = summary;
  return h("p.soft.systems-note", {},
    `F1 in percent on ${estimateUnits(comparison)}`,
    hasIntervals(comparison) && `, with ${estimateConfidence(comparison)} intervals`, ". ",
    summary.systems.length > 1 && [
      tested(comparison), " Differences are from ", h("b", {}, summary.systems[state().system].name), ", the active system. ",
      h("a", { id: "systems-to-statistics", ...linkTo({ tab: "statistics" }) }, "How this was tested"), "."]);
}

/** What was tested. @param {import("../types.js").CompareResult} comparison */
function tested({ method }) {
  return method.Planned ? `Tested: ${method.Planned}.` : "Differences cannot be tested with so few units.";
}

/** @param {import("../shared/facets.js").Context} context @param {number} place @param {string[]} statistics */
function matrixRow(context, place, statistics) {
  const { summary } = context;
  const isActive = place === state().system;
  return h("tr", { "aria-current": isActive ? "true" : null },
    h("th", { scope: "row" },
      h("button.systems-name", {
        id: `systems-choose-${place}`, title: "Make this the active system", "aria-pressed": String(isActive),
        onclick: () => go(forSystem(context, place)),
      }, badge(summary, place), h("span", {}, summary.systems[place].name)),
      summary.systems.length > 1 && isActive && h("div.soft.systems-active", {}, "active")),
    statistics.map((name) => matrixCell(summary, place, name)));
}

/** @param {import("../types.js").Summary} summary @param {number} place @param {string} statistic */
function matrixCell(summary, place, statistic) {
  const { comparison } = summary;
  const { value, low, high, deviation } = comparison.systems[place].scores[statistic];
  const isKnown = low !== null && low !== undefined;
  return h(`td.number${statistic === "conll" ? ".systems-primary" : ""}`, { dataset: { statistic, system: place } },
    h("div.systems-value", {}, h("b", {}, percent(value))),
    isKnown && h("div.soft.systems-small", {}, `${percent(low)}–${percent(high)}`),
    deviation !== null && deviation > 0
      && h("div.soft.systems-small", { title: "standard deviation over seeds" }, `± ${percent(deviation)} seeds`),
    differenceCell(summary, place, statistic));
}

/**
 * The difference of a system from the active one, and the verdict on its difference from the baseline.
 * @param {import("../types.js").Summary} summary @param {number} place @param {string} statistic
 */
function differenceCell({ comparison, systems }, place, statistic) {
  if (systems.length < 2) return null;
  const active = state().system;
  const [value, base] = [place, active].map((each) => comparison.systems[each].scores[statistic].value);
  const found = plannedOf(comparison).find((each) => each.system === systems[place].name && each.statistic === statistic);
  return h("div.systems-small", {},
    place !== active && h(tone(points(value - base)), {}, points(value - base)),
    found && h("div.soft", { title: `against ${comparison.baseline}, the baseline` }, found.verdict));
}

/** @param {string} difference */
function tone(difference) {
  if (difference === "+0.00") return "span.soft";
  return difference.startsWith("+") ? "span.systems-better" : "span.systems-worse";
}

/** The statistics, CoNLL first. @param {import("../types.js").CompareResult} comparison @returns {string[]} */
function statisticsOf(comparison) {
  const names = Object.keys(comparison.systems[0].scores);
  return [...names.filter((name) => name === "conll"), ...names.filter((name) => name !== "conll")];
}
