/** Scores of all systems, with intervals, differences and significance. */
import { h, metricName, numbered, percent, points, scrolls } from "../shared/dom.js";
import { state, go } from "../shared/state.js";
import { forSystem } from "../shared/facets.js";
import { linkTo } from "../shared/links.js";
import { estimateConfidence, estimateTest, estimateTests, estimateUnits, hasIntervals, hasTests } from "../shared/estimates.js";
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

/** The meaning of small letters and ranks. @param {import("../types.js").ComparisonRecord} comparison */
function tested(comparison) {
  if (!hasTests(comparison)) return "Significance cannot be tested with so few units.";
  const tests = estimateTests(comparison);
  const over = `, corrected over ${numbered(tests, "test")}${comparison.family === "metric" ? " of each metric" : ""}`;
  return `Small letters mark systems that are significantly worse (${estimateTest(comparison)}${
    tests > 1 ? over : ""}); the tests do not separate systems with the same rank. The rank next to a name is that by CoNLL; cells show other ranks.`;
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
      summary.systems.length > 1 && standing(summary.comparison.systems[place], isActive)),
    statistics.map((name) => matrixCell(summary, place, name)));
}

/** The rank of a system by its CoNLL score, and whether it is active. @param {import("../types.js").ComparedSystem} compared @param {boolean} isActive */
function standing({ ranks }, isActive) {
  const said = [isActive && "active", ranks?.conll && `rank ${ranks.conll}`].filter(Boolean);
  return said.length > 0 && h("div.soft.systems-active", { title: "ranks are based on significance tests" }, said.join(" · "));
}

/** @param {import("../types.js").Summary} summary @param {number} place @param {string} statistic */
function matrixCell(summary, place, statistic) {
  const { comparison } = summary;
  const { value, low, high, deviation } = comparison.systems[place].scores[statistic];
  const isKnown = low !== null && low !== undefined;
  return h(`td.number${statistic === "conll" ? ".systems-primary" : ""}`, { dataset: { statistic, system: place } },
    h("div.systems-value", {}, beatenMarks(summary, place, statistic), h("b", {}, percent(value))),
    isKnown && h("div.soft.systems-small", {}, `${percent(low)}–${percent(high)}`),
    deviation !== null && deviation > 0
      && h("div.soft.systems-small", { title: "standard deviation over seeds" }, `± ${percent(deviation)} seeds`),
    rankCell(summary, place, statistic));
}

/**
 * The rank of a system, if it differs from that by CoNLL, and its difference from the active system.
 * @param {import("../types.js").Summary} summary @param {number} place @param {string} statistic
 */
function rankCell({ comparison, systems }, place, statistic) {
  if (systems.length < 2) return null;
  const { ranks } = comparison.systems[place];
  const rank = ranks?.[statistic] === ranks?.conll ? null : ranks?.[statistic];
  const active = state().system;
  const [value, base] = [place, active].map((each) => comparison.systems[each].scores[statistic].value);
  return h("div.systems-small", {},
    rank && h("span.soft", { title: `rank ${rank}, based on significance tests` }, `rank ${rank}`),
    place !== active && [rank ? " · " : "",
      h(tone(points(value - base)), {}, points(value - base))]);
}

/** @param {string} difference */
function tone(difference) {
  if (difference === "+0.00") return "span.soft";
  return difference.startsWith("+") ? "span.systems-better" : "span.systems-worse";
}

/** @param {import("../types.js").Summary} summary @param {number} place @param {string} statistic */
function beatenMarks({ comparison, systems }, place, statistic) {
  const beaten = beatenSystems(comparison, systems[place].name, statistic);
  const marked = systems.filter((each) => beaten.has(each.name));
  if (!marked.length) return null;
  const names = marked.map((each) => each.name).join(", ");
  return h("sup.systems-beaten", { title: `significantly better than ${names}` },
    marked.map((each) => each.letter.toLowerCase()).join(systems.length > 26 ? "," : ""));
}

/**
 * The names of the systems that are significantly worse than one.
 * @param {import("../types.js").ComparisonRecord} comparison @param {string} name @param {string} statistic
 */
function beatenSystems(comparison, name, statistic) {
  const losers = new Set();
  for (const each of comparison.comparisons) {
    if (each.statistic !== statistic || !each.significant) continue;
    if (each.system === name && each.difference > 0) losers.add(each.other);
    if (each.other === name && each.difference < 0) losers.add(each.system);
  }
  return losers;
}

/** The statistics, CoNLL first. @param {import("../types.js").ComparisonRecord} comparison @returns {string[]} */
function statisticsOf(comparison) {
  const names = Object.keys(comparison.systems[0].scores);
  return [...names.filter((name) => name === "conll"), ...names.filter((name) => name !== "conll")];
}
