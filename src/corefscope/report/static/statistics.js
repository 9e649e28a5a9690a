/** Statistics: how sure the scores are, and whether systems differ. */
import { h, fill, percent, points } from "./dom.js";
import { chartWhiskers, chartWhisker, chartMetric, chartCount, chartTone } from "./charts.js";

/** @type {Record<string, [string, string]>} */
const STATISTICS_UNITS = { documents: ["document", "documents"], files: ["file", "files"], parts: ["text", "texts"] };
/** Intervals of fewer units are rough. */
const STATISTICS_FEW = 30;
/** More differences than this are shown one statistic at a time. */
const STATISTICS_MOST = 30;
const STATISTICS_ALL = "all";

/** The statistic whose differences are shown; "" is what fits. */
let statisticsChosen = "";

/** @param {HTMLElement} root @param {any} context */
export async function renderStatistics(root, { summary }) {
  const width = Math.min(1180, Math.max(560, root.clientWidth - 66));
  // Nothing here depends on the state: what is drawn stays, with its focus and scroll position.
  if (/** @type {HTMLElement | null} */ (root.firstElementChild)?.dataset.statistics) return;
  const { comparison } = summary;
  fill(root, h("div.statistics", { dataset: { statistics: "drawn" } },
    statisticsMethod(comparison),
    comparison.sentences?.length > 0 && statisticsSentences(comparison),
    statisticsIntervals(summary, width),
    statisticsDifferences(summary)));
}

/** The confidence as text. @param {any} comparison */
function statisticsPercent(comparison) {
  return `${Number((100 * comparison.confidence).toFixed(2))} %`;
}

/** How many of which unit. @param {any} comparison */
function statisticsUnits({ unit, units }) {
  const [one, many] = STATISTICS_UNITS[unit] ?? ["group of documents", "groups of documents"];
  return `${chartCount(units)} ${units === 1 ? one : many}`;
}

/** How p-values came about. @param {any} comparison */
function statisticsTest({ test, exact, units, samples, seed }) {
  if (exact) return `paired randomization, exact: all ${chartCount(2 ** units)} ways to swap the two systems' results`;
  const name = test === "bootstrap" ? "paired bootstrap" : "paired approximate randomization";
  return `${name}, ${chartCount(samples)} samples, seed ${seed}`;
}

/** How p-values were corrected for their number. @param {any} comparison */
function statisticsCorrection({ family, comparisons }) {
  const statistics = new Set(comparisons.map((/** @type {any} */ each) => each.statistic)).size;
  const tests = family === "metric" ? comparisons.length / Math.max(1, statistics) : comparisons.length;
  if (family === "none" || tests <= 1) return "none";
  return `Holm's, over ${chartCount(tests)} tests${family === "metric" ? " of each metric" : " (all pairs and metrics)"}`;
}

/** Whether there were units enough to resample. @param {any} comparison */
function statisticsHasIntervals({ systems }) {
  return systems.some((/** @type {any} */ system) =>
    Object.values(system.scores).some((/** @type {any} */ each) => each.low !== null));
}

/** @param {any} comparison */
function statisticsMethod(comparison) {
  const isTested = comparison.comparisons.some((/** @type {any} */ each) => each.p !== null);
  /** @type {Array<[string, any]>} */
  const said = [
    ["Units", `${statisticsUnits(comparison)}, resampled as wholes: what is in one is not independent`],
    ["Intervals", !statisticsHasIntervals(comparison) ? "none: a single unit cannot be resampled" : `${statisticsPercent(comparison)}, expanded percentiles of a bootstrap: ${
      chartCount(comparison.samples)} samples of the units with replacement, widened as few units need it`],
  ];
  if (isTested) {
    said.push(["Test", statisticsTest(comparison)], ["Correction", statisticsCorrection(comparison)]);
  } else if (comparison.comparisons.length) said.push(["Test", "none: so few units allow no test"]);
  said.push(["Seed", String(comparison.seed)], ["Signature", h("span.mono", {}, comparison.signature)]);
  return h("section.card", { "aria-labelledby": "statistics-method" },
    h("h2", { id: "statistics-method" }, "How it was computed"),
    h("dl.statistics-method", {}, said.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
    comparison.units < STATISTICS_FEW && h("p.statistics-warning", {},
      `⚠ Intervals and p-values of fewer than ${STATISTICS_FEW} units are rough.`));
}

/** @param {any} comparison */
function statisticsSentences(comparison) {
  const status = h("span.statistics-status", { role: "status" });
  return h("section.card", { "aria-labelledby": "statistics-sentences" },
    h("h2", { id: "statistics-sentences" }, "For the paper", status),
    h("ul.statistics-sentences", {}, comparison.sentences.map((/** @type {string} */ text, /** @type {number} */ number) => h("li", {},
      h("p", { id: `statistics-sentence-${number}` }, text),
      h("button.statistics-copy", {
        id: `statistics-copy-${number}`, "aria-describedby": `statistics-sentence-${number}`,
        onclick: async () => {
          const isCopied = await statisticsCopy(text, `statistics-sentence-${number}`);
          fill(status, isCopied ? "Copied." : "The sentence is selected: press Ctrl+C.");
        },
      }, "Copy")))));
}

/**
 * Copy a text; where the browser forbids it, select it.
 * @param {string} text @param {string} id the element that shows it
 */
async function statisticsCopy(text, id) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const shown = document.getElementById(id);
    if (shown) getSelection()?.selectAllChildren(shown);
    return false;
  }
}

/** Statistics in order of importance: the mean first, then the parts. @param {string[]} ids */
function statisticsOrder(ids) {
  return [...ids].sort((one, other) => Number(other === "conll") - Number(one === "conll"));
}

/** @param {any} summary @param {number} width */
function statisticsIntervals({ comparison, systems }, width) {
  const ids = statisticsOrder(Object.keys(comparison.systems[0]?.scores ?? {}));
  const all = comparison.systems.flatMap((/** @type {any} */ each) => Object.values(each.scores));
  const ends = all.flatMap((/** @type {any} */ each) => [each.value, each.low ?? each.value, each.high ?? each.value]);
  const low = Math.max(0, Math.floor(10 * Math.min(...ends)) / 10);
  const high = Math.min(1, Math.ceil(10 * Math.max(...ends)) / 10);
  const row = (/** @type {any} */ each, /** @type {number} */ number, /** @type {string} */ id) => ({
    ...each.scores[id], name: `${systems[number].letter} ${each.name}`, tone: chartTone(number),
    text: statisticsEstimate(each.scores[id]),
  });
  const groups = ids.map((id) => ({
    name: chartMetric(id),
    rows: comparison.systems.map((/** @type {any} */ each, /** @type {number} */ number) => row(each, number, id)),
  }));
  const said = groups.map((group) => `${group.name}: ${
    group.rows.map((/** @type {any} */ each) => `${each.name} ${each.text}`).join("; ")}`).join(". ");
  return h("section.card", { "aria-labelledby": "statistics-intervals" },
    h("h2", { id: "statistics-intervals" },
      statisticsHasIntervals(comparison) ? `Scores with ${statisticsPercent(comparison)} intervals` : "Scores"),
    h("p.overview-note", {}, "F1 in percent.", systems.length > 1 && statisticsHasIntervals(comparison)
      && " Intervals that overlap do not mean that systems are equal: the test below is paired."),
    chartWhiskers({ groups, width, low, high: high > low ? high : low + 0.1, message: said }));
}

/** A score with its interval, as text. @param {{value: number, low: number | null, high: number | null}} estimate */
function statisticsEstimate({ value, low, high }) {
  return low === null || high === null ? percent(value) : `${percent(value)}  ${(100 * low).toFixed(1)}–${(100 * high).toFixed(1)}`;
}

/** @param {any} summary */
function statisticsDifferences({ comparison, systems }) {
  const { comparisons } = comparison;
  const title = h("h2", { id: "statistics-differences" }, "Differences between systems");
  if (!comparisons.length) {
    return h("section.card", { "aria-labelledby": "statistics-differences" }, title,
      h("p.soft", {}, "There is one system only; give the report several responses to compare them."));
  }
  const ids = statisticsOrder([...new Set(comparisons.map((/** @type {any} */ each) => each.statistic))]);
  statisticsChosen ||= comparisons.length > STATISTICS_MOST ? ids[0] : STATISTICS_ALL;
  const body = h("div.overview-scroll", { tabindex: "0", role: "region", "aria-label": "Table of differences" });
  const draw = () => fill(body, statisticsTable(comparison, systems, ids));
  draw();
  return h("section.card", { "aria-labelledby": "statistics-differences" },
    h("header.statistics-header", {}, title,
      h("select.overview-select", {
        id: "statistics-chosen", "aria-label": "Metric of the differences",
        onchange: (/** @type {any} */ event) => {
          statisticsChosen = event.target.value;
          draw();
        },
      }, [STATISTICS_ALL, ...ids].map((id) => h("option", { value: id, selected: id === statisticsChosen },
        id === STATISTICS_ALL ? "All metrics" : chartMetric(id))))),
    body,
    h("p.overview-note", {}, "* significant (corrected p < 0.05), ** corrected p < 0.01, n.s. not significant. Differences are in points of F1."));
}

/** @param {any} comparison @param {any[]} systems @param {string[]} ids */
function statisticsTable(comparison, systems, ids) {
  const shown = ids.filter((id) => statisticsChosen === STATISTICS_ALL || id === statisticsChosen);
  const of = (/** @type {string} */ id) => comparison.comparisons.filter((/** @type {any} */ each) => each.statistic === id);
  const ends = shown.flatMap(of).flatMap((each) => [each.difference, each.low ?? 0, each.high ?? 0]);
  // Zero is on the axis always: whether an interval holds it is what one looks for.
  const from = Math.min(-0.02, ...ends), to = Math.max(0.02, ...ends);
  const letter = new Map(systems.map((each) => [each.name, each.letter]));
  const named = (/** @type {string} */ name) => `${letter.get(name) ?? ""} ${name}`.trim();
  const limits = statisticsPercent(comparison);
  return h("table.statistics-table", {},
    h("thead", {}, h("tr", {},
      ["Metric", "System", "against"].map((text) => h("th", { scope: "col" }, text)),
      h("th.number", { scope: "col" }, "difference"),
      h("th", { scope: "colgroup", colspan: 2 }, `${limits} interval`),
      h("th.number", { scope: "col" }, "p"), h("th.number", { scope: "col" }, "corrected p"),
      h("th", { scope: "col" }, "mark"))),
    shown.map((id) => h("tbody", {}, of(id).map((/** @type {any} */ each, /** @type {number} */ number, /** @type {any[]} */ rows) => h("tr", {},
      !number && h("th", { scope: "rowgroup", rowspan: rows.length }, chartMetric(id)),
      h("td", {}, named(each.system)), h("td", {}, named(each.other)),
      h("td.number", {}, points(each.difference)),
      statisticsLimits(each, from, to),
      h("td.number", {}, statisticsP(each.p)), h("td.number", {}, statisticsP(each.p_corrected)),
      h("td", {}, statisticsMark(each)))))));
}

/** The cells of an interval: drawn, and as text. @param {any} each @param {number} from @param {number} to */
function statisticsLimits(each, from, to) {
  if (each.low === null) return h("td.soft", { colspan: 2 }, "no interval");
  const text = `${points(each.low)} to ${points(each.high)}`;
  const message = `${each.system} against ${each.other}: ${points(each.difference)}, interval ${text}`;
  return [
    h("td", {}, chartWhisker({
      value: each.difference, low: each.low, high: each.high, from, to, message, width: 220,
      tone: each.significant ? "accent" : "whole",
    })),
    h("td.number.soft", {}, text)];
}

/** @param {number | null} p */
function statisticsP(p) {
  if (p === null || p === undefined) return "";
  return p >= 0.00005 ? p.toFixed(4) : p.toExponential(1);
}

/** @param {any} each */
function statisticsMark({ p_corrected: p, significant }) {
  if (p === null || p === undefined) return h("span.soft", {}, "no test");
  if (!significant) return h("span.soft", {}, "n.s.");
  return h("strong", {}, p < 0.01 ? "**" : "*");
}
