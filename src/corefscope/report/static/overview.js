/** Overview: what the active system scores, what it loses most by, and where. */
import { documentName, h, fill, percent, points, label } from "./dom.js";
import { state, go, toHash } from "./state.js";
import { facet, rowsMatching } from "./facets.js";
import {
  chartBars, chartWaterfall, chartDots, chartHistogram, chartWhisker, chartLegend, chartMetric, chartCount, chartTone,
} from "./charts.js";

/**
 * @typedef {object} Overview what the parts of the view are drawn from
 * @property {any} summary
 * @property {any} errors
 * @property {number} system the number of the active system
 * @property {any} analysed the active system in the JSON of errors
 * @property {number[]} rows the errors of the system under the active filters
 * @property {number} width of a panel's drawing
 *
 * @typedef {object} Panel
 * @property {string} id
 * @property {string} title
 * @property {() => string} note
 * @property {() => any} chart
 * @property {() => {head: string[], rows: any[][]}} table
 * @property {any} [controls]
 */

/** What an error type is, in plain words. @type {Record<string, [string, string]>} */
const OVERVIEW_TYPES = {
  span_error: ["span errors", "mentions whose boundaries are wrong"],
  conflated_entities: ["conflated entities", "mentions of different entities put together"],
  extra_mention: ["extra mentions", "mentions that the key does not have"],
  extra_entity: ["extra entities", "whole entities that the key does not have"],
  divided_entity: ["divided entities", "entities of the key torn into several"],
  missing_mention: ["missing mentions", "mentions of the key that were not found"],
  missing_entity: ["missing entities", "whole entities of the key that were not found"],
};
const OVERVIEW_MENTIONS = ["name", "nominal", "pronoun"];
const OVERVIEW_SIZES = ["1", "2", "3–5", "6–10", "more than 10"];
const OVERVIEW_NARROW = 1000;

/** Panels that are shown as tables. @type {Set<string>} */
const overviewTables = new Set();
let overviewMetric = "conll";

/** @param {HTMLElement} root @param {any} context */
export async function renderOverview(root, { summary, errors }) {
  const system = Math.min(state().system, summary.systems.length - 1);
  const isNarrow = root.clientWidth < OVERVIEW_NARROW;
  const width = Math.max(420, Math.round(isNarrow ? root.clientWidth - 66 : (Math.min(1500, root.clientWidth - 32) - 16) / 2 - 34));
  const drawn = JSON.stringify([system, state().filters, state().search, width]);
  if (/** @type {HTMLElement | null} */ (root.firstElementChild)?.dataset.overview === drawn) return;
  const chosen = { filters: { ...state().filters, system: [String(system)] }, search: state().search };
  /** @type {Overview} */
  const view = {
    summary, errors, system, width,
    analysed: summary.errors.systems[system],
    rows: rowsMatching(errors, summary, chosen),
  };
  const { scrollTop } = root;
  const focused = document.activeElement?.id;
  fill(root, h("div.overview", { dataset: { overview: drawn } },
    overviewLead(view), overviewScores(view), overviewCosts(view),
    [overviewTypes(view), overviewCorrections(view), overviewDocuments(view), overviewSizes(view)].map(overviewPanel)));
  root.scrollTop = scrollTop;
  if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus();
}

/**
 * A link that keeps the rest of the state; a plain click takes no new load of the page.
 * @param {Record<string, any>} change
 */
function overviewLink(change) {
  const target = { ...state(), error: null, ...change };
  return {
    href: `#${toHash(target)}`,
    onclick: (/** @type {MouseEvent} */ event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      go({ error: null, ...change });
    },
  };
}

/**
 * A link to the errors of the active system with more filters.
 * @param {Overview} view
 * @param {Record<string, string[]>} filters
 * @param {number} count how many they are
 */
function overviewErrors(view, filters, count) {
  const chosen = { ...state().filters, system: [String(view.system)], ...filters };
  return { ...overviewLink({ tab: "errors", filters: chosen }), dataset: { count } };
}

/** F1 of a metric in a record of impact: CoNLL has no parts. @param {any} record @param {string} id @returns {number} */
function overviewF1(record, id) {
  const value = record[id];
  return typeof value === "number" ? value : value?.f1 ?? 0;
}

/** The biggest loss in one sentence. @param {Overview} view */
function overviewLead(view) {
  const { name, letter } = view.summary.systems[view.system];
  const { errors, impact } = view.analysed;
  const total = Object.values(errors).reduce((/** @type {number} */ sum, /** @type {any} */ count) => sum + count, 0);
  const who = h("strong", {}, `${letter} ${name}`);
  if (!total) return h("p.overview-lead", {}, who, " has no errors: nothing is lost.");
  const types = Object.keys(impact ?? {}).filter((type) => errors[type]);
  const gain = (/** @type {string} */ type) => overviewF1(impact[type].alone, "conll");
  types.sort((one, other) => gain(other) - gain(one));
  const [worst] = types;
  if (!worst || gain(worst) <= 0) return h("p.overview-lead", {}, who, ` has ${chartCount(total)} errors.`);
  const [many, meaning] = OVERVIEW_TYPES[worst] ?? [label(worst).toLowerCase(), ""];
  const only = overviewLink({ tab: "errors", search: "", filters: { system: [String(view.system)], type: [worst] } });
  return h("p.overview-lead", {},
    "The biggest loss of ", who, " is ", h("strong", {}, many), meaning && ` (${meaning})`, ": ",
    h("a", { id: "overview-worst", dataset: { count: errors[worst] }, ...only }, `${chartCount(errors[worst])} of ${chartCount(total)} errors`),
    ` (${Math.round((100 * errors[worst]) / total)}\u00a0%); correcting them alone would gain `,
    h("strong", {}, `${(100 * gain(worst)).toFixed(1)} CoNLL points`),
    // Each type but span errors is measured on mentions whose spans are right.
    worst !== "span_error" && errors.span_error > 0 && " once span errors are corrected", ".");
}

/** @param {Overview} view */
function overviewScores(view) {
  const scored = view.summary.scores.systems[view.system];
  const estimates = view.summary.comparison.systems[view.system].scores;
  const confidence = `${100 * view.summary.comparison.confidence} %`;
  const metrics = Object.entries(scored.metrics);
  const limits = Object.values(estimates).flatMap((/** @type {any} */ each) => [each.low, each.high, each.value]);
  // One axis for all cells, so that they can be compared down the column.
  const to = Math.max(0.1, Math.ceil(10 * Math.max(...limits)) / 10);
  const interval = (/** @type {string} */ id) => overviewInterval(chartMetric(id), estimates[id], to, confidence);
  return h("section.card.overview-scores", { "aria-labelledby": "overview-scores" },
    h("h2", { id: "overview-scores" }, "Scores"),
    h("div.overview-scroll", { tabindex: "0", role: "region", "aria-label": "Table of scores" }, h("table", {},
      h("thead", {}, h("tr", {},
        h("th", { scope: "col" }, "Metric"), h("th.number", { scope: "col" }, "Recall"),
        h("th.number", { scope: "col" }, "Precision"), h("th.number", { scope: "col" }, "F1"),
        h("th", { scope: "col", colspan: 2 }, `${confidence} interval of F1`))),
      h("tbody", {},
        metrics.map(([id, value]) => h("tr", {},
          h("th", { scope: "row" }, chartMetric(id)),
          overviewPart(value.recall, value.recall_counts), overviewPart(value.precision, value.precision_counts),
          h("td.number", {}, percent(value.f1)), interval(id))),
        "conll" in scored && h("tr.overview-total", {},
          h("th", { scope: "row" }, chartMetric("conll")),
          h("td.soft.overview-mean", { colspan: 2 }, "mean F1 of MUC, B³ and CEAFe"),
          h("td.number", {}, percent(scored.conll)), interval("conll"))))),
    overviewCoverage(scored.documents),
    h("p.mono.soft.overview-signature", {}, scored.signature));
}

/** A recall or precision with what was counted. @param {number} value @param {[number, number] | undefined} counts */
function overviewPart(value, counts) {
  const show = (/** @type {number} */ count) => Number.isInteger(count) ? chartCount(count) : count.toFixed(1);
  return h("td.number", {}, percent(value), counts && h("span.overview-counts", {}, `${show(counts[0])} / ${show(counts[1])}`));
}

/** @param {string} name @param {any} estimate @param {number} to @param {string} confidence */
function overviewInterval(name, estimate, to, confidence) {
  if (!estimate || estimate.low === null) return h("td.soft", { colspan: 2 }, "no interval");
  const text = `${(100 * estimate.low).toFixed(1)}–${(100 * estimate.high).toFixed(1)}`;
  const message = `${name} F1 ${percent(estimate.value)}, ${confidence} interval ${text}`;
  return [
    h("td.overview-whisker", {}, chartWhisker({ ...estimate, from: 0, to, message, width: 170 })),
    h("td.number.soft", {}, text)];
}

/** Say of which documents the scores are. @param {{scored: number, missing: string[], extra: string[]}} documents */
function overviewCoverage({ scored, missing, extra }) {
  const names = (/** @type {string[]} */ list) =>
    list.slice(0, 5).map(documentName).join(", ") + (list.length > 5 ? ` and ${list.length - 5} more` : "");
  return h("p.overview-coverage", {},
    h("span", {}, `${chartCount(scored)} ${scored === 1 ? "document" : "documents"} scored`),
    missing.length
      ? h("strong.overview-missing", {}, `⚠ ${chartCount(missing.length)} of them missing in the response: ${names(missing)}`)
      : h("span.soft", {}, "none missing"),
    extra.length > 0 && h("span.soft", {}, `${chartCount(extra.length)} not in the key: ${names(extra)}`));
}

/** The entities that cost most. @param {Overview} view */
function overviewCosts(view) {
  const costs = view.analysed.dearest ?? [];
  const most = Math.max(...costs.map((/** @type {any} */ cost) => cost.share));
  const place = new Map(view.summary.documents.map((/** @type {any} */ each, /** @type {number} */ n) => [each.name, n]));
  return h("section.card", { "aria-labelledby": "overview-costs" },
    h("h2", { id: "overview-costs" }, "What costs most"),
    h("p.overview-note", {}, costs.length
      ? "Points of recall (entities of the key) or precision (entities of the response) of the CoNLL score."
      : "No entity costs anything."),
    h("ol.overview-costs", {}, costs.map((/** @type {any} */ cost, /** @type {number} */ number) => h("li", {},
      h("span.overview-tag", {}, cost.entity),
      h("a.overview-entity", {
        id: `overview-cost-${number}`, dir: "auto", title: `${cost.title} (${cost.document})`,
        ...overviewLink({ tab: "document", document: place.get(cost.document) ?? 0, entity: cost.entity }),
      }, cost.title),
      h("span.overview-fate", { title: cost.document }, `${overviewFate(cost)} · ${documentName(cost.document)}`),
      h("span.overview-share", {}, `${(100 * cost.share).toFixed(2)} ${cost.loses}`),
      h("span.overview-bar", { "aria-hidden": "true" },
        h("span", { style: { width: `${(100 * cost.share) / most}%` } }))))));
}

/** What became of an entity's mentions. @param {any} cost */
function overviewFate({ side, size, unmatched, pieces }) {
  const found = size - unmatched;
  if (!found) return `${size} mentions, none in the ${side === "key" ? "response" : "key"}`;
  const absent = unmatched ? `, ${unmatched} ${side === "key" ? "not found" : "not in the key"}` : "";
  return `${size} mentions: ${found} in ${pieces === 1 ? "1 entity" : `${pieces} entities`}${absent}`;
}

/** A drawing that can be turned into a table. @param {Panel} panel */
function overviewPanel(panel) {
  const body = h("div.overview-body"), note = h("p.overview-note");
  const draw = () => {
    fill(note, panel.note());
    fill(body, overviewTables.has(panel.id) ? overviewTable(panel.table()) : panel.chart());
  };
  const toggle = h("button.overview-toggle", {
    id: `overview-toggle-${panel.id}`, "aria-pressed": String(overviewTables.has(panel.id)),
    "aria-label": `${panel.title} as a table`,
    onclick: () => {
      if (!overviewTables.delete(panel.id)) overviewTables.add(panel.id);
      toggle.setAttribute("aria-pressed", String(overviewTables.has(panel.id)));
      draw();
    },
  }, "Table");
  if (panel.controls) panel.controls.addEventListener("change", draw);
  draw();
  return h("section.card.overview-panel", { id: `overview-${panel.id}`, "aria-label": panel.title },
    h("header", {}, h("h2", {}, panel.title), panel.controls, toggle),
    note, body);
}

/** @param {{head: string[], rows: any[][]}} table the first cell of a row is its name */
function overviewTable({ head, rows }) {
  return h("div.overview-scroll.overview-table", {}, h("table", {},
    h("thead", {}, h("tr", {}, head.map((text, n) => h(n ? "th.number" : "th", { scope: "col" }, text)))),
    h("tbody", {}, rows.map(([name, ...cells]) => h("tr", {},
      h("th", { scope: "row" }, name), cells.map((cell) => h("td.number", {}, cell)))))));
}

/** A count that leads to its errors; nothing to go to where it is none. @param {number} count @param {any} link */
function overviewNumber(count, link) {
  return count ? h("a", link, chartCount(count)) : h("span.soft", {}, "0");
}

/** Say that filters hold here, too. @param {Overview} view @param {string} text */
function overviewUnder(view, text) {
  const others = Object.keys(state().filters).filter((id) => id !== "system").length;
  return others || state().search ? `${text} Under the active filters: ${chartCount(view.rows.length)} errors.` : text;
}

/** Count the rows by one or two facets. @param {Overview} view @param {string[]} ids @returns {Map<string, number>} */
function overviewCounts(view, ids) {
  const values = ids.map((id) => facet(id).value);
  const counts = new Map();
  for (const row of view.rows) {
    const key = values.map((value) => value(view.errors, row, view.summary)).join("\n");
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** Error types by mention type. @param {Overview} view @returns {Panel} */
function overviewTypes(view) {
  const counts = overviewCounts(view, ["type", "mention"]);
  const found = new Set([...counts.keys()].map((key) => key.split("\n")[1]));
  const whole = facet("mention").value({ mention_type: [""] }, 0, view.summary);
  const others = [...found].filter((each) => !OVERVIEW_MENTIONS.includes(each) && each !== whole).sort();
  const mentions = [...OVERVIEW_MENTIONS, ...others, whole].filter((each) => found.has(each));
  const tone = (/** @type {string} */ each) =>
    each === whole ? "whole" : chartTone([...OVERVIEW_MENTIONS, ...others].indexOf(each));
  const types = Object.keys(view.analysed.errors);
  const count = (/** @type {string} */ type, /** @type {string} */ mention) => counts.get(`${type}\n${mention}`) ?? 0;
  const sum = (/** @type {string} */ type) => mentions.reduce((total, mention) => total + count(type, mention), 0);
  const of = (/** @type {string} */ type, /** @type {string} */ mention) =>
    overviewErrors(view, { type: [type], mention: [mention] }, count(type, mention));
  const first = [...types].sort((one, other) => sum(other) - sum(one))[0];
  return {
    id: "types", title: "Error types",
    note: () => overviewUnder(view, "By the type of the mention; click a part for its errors."),
    chart: () => view.rows.length ? [
      chartLegend(mentions.map((each) => ({ name: each, tone: tone(each) }))),
      chartBars({
        width: view.width, noun: "errors",
        message: `Error types by mention type: ${chartCount(view.rows.length)} errors, most of them ${label(first)} (${chartCount(sum(first))}).`,
        rows: types.map((type) => ({
          name: label(type), link: overviewErrors(view, { type: [type] }, sum(type)),
          segments: mentions.map((each) => ({ name: each, value: count(type, each), tone: tone(each), link: of(type, each) })),
        })),
      })] : overviewEmpty("No errors to count."),
    table: () => ({
      head: ["Error type", ...mentions, "all"],
      rows: types.map((type) => [label(type),
        ...mentions.map((each) => overviewNumber(count(type, each), of(type, each))),
        overviewNumber(sum(type), overviewErrors(view, { type: [type] }, sum(type)))]),
    }),
  };
}

/** @param {string} text */
function overviewEmpty(text) {
  return h("p.overview-empty", {}, text);
}

/** What is gained by correcting one type after the other. @param {Overview} view @returns {Panel} */
function overviewCorrections(view) {
  const impact = view.analysed.impact ?? {};
  const types = Object.keys(impact);
  const metrics = types.length ? Object.keys(impact[types[0]].step).reverse() : [];
  if (!metrics.includes(overviewMetric)) overviewMetric = metrics[0] ?? "conll";
  const gain = (/** @type {string} */ type) => overviewF1(impact[type].step, overviewMetric);
  // All corrections together make the response the key, which scores 1.
  const base = () => 1 - types.reduce((sum, type) => sum + gain(type), 0);
  const link = (/** @type {string} */ type) => view.analysed.errors[type]
    ? overviewLink({ tab: "errors", search: "", filters: { system: [String(view.system)], type: [type] } }) : null;
  const steps = () => {
    let at = base();
    return types.map((type) => {
      const from = at;
      at += gain(type);
      return { type, from, to: at };
    });
  };
  return {
    id: "corrections", title: "What corrections gain",
    note: () => `F1 after each type is corrected, one after the other; the table has each alone, span errors corrected first.${overviewOther(view, base)}`,
    controls: h("select.overview-select", {
      id: "overview-metric", "aria-label": "Metric of the corrections",
      onchange: (/** @type {any} */ event) => { overviewMetric = event.target.value; },
    }, metrics.map((id) => h("option", { value: id, selected: id === overviewMetric }, chartMetric(id)))),
    chart: () => types.length ? chartWaterfall({
      width: view.width,
      message: `${chartMetric(overviewMetric)} F1 rises from ${percent(base())} to 100 as errors are corrected: ${
        types.map((type) => `${label(type)} ${points(gain(type))}`).join(", ")}.`,
      steps: [
        { name: "As it is", from: 0, to: base(), text: percent(base()), tone: "whole" },
        ...steps().map(({ type, from, to }) => ({
          name: label(type), from, to, link: link(type), tone: to >= from ? "good" : "bad",
          text: `${points(to - from)} → ${(100 * to).toFixed(1)}`,
        }))],
    }) : overviewEmpty("Corrections were not computed."),
    table: () => ({
      head: ["Correction", "errors", "alone", "step", `${chartMetric(overviewMetric)} after`],
      rows: [["As it is", "", "", "", percent(base())], ...steps().map(({ type, from, to }) => [
        label(type), overviewNumber(view.analysed.errors[type] ?? 0, link(type)),
        points(overviewF1(impact[type].alone, overviewMetric)), points(to - from), percent(to)])],
    }),
  };
}

/**
 * Say so where errors were analysed in another way than scored, and the steps begin at another score.
 * @param {Overview} view @param {() => number} base
 */
function overviewOther(view, base) {
  const scored = view.summary.scores.systems[view.system];
  const before = overviewMetric === "conll" ? scored.conll : scored.metrics[overviewMetric]?.f1;
  const isSame = typeof before !== "number" || Math.abs(before - base()) < 5e-5;
  return isSame ? "" : ` Errors are of entities without singletons: it begins at ${percent(base())}, not at ${percent(before)}.`;
}

/** Documents as dots. @param {Overview} view @returns {Panel} */
function overviewDocuments(view) {
  const documents = view.summary.documents.map((/** @type {any} */ each, /** @type {number} */ number) => ({
    number, name: documentName(each.name), mentions: each.mentions, score: each.conll[view.system] ?? 0,
    link: overviewLink({ tab: "document", document: number, entity: null }),
  }));
  const inOrder = [...documents].sort((one, other) => one.score - other.score);
  const range = inOrder.length ? `from ${percent(inOrder[0].score)} (${inOrder[0].name}) to ${
    percent(inOrder[inOrder.length - 1].score)} (${inOrder[inOrder.length - 1].name})` : "";
  return {
    id: "documents", title: "Documents",
    note: () => "Each dot is a document, the three worst with their names; click to open it.",
    chart: () => documents.length ? chartDots({
      width: view.width, height: 260, across: "mentions of the key", up: "CoNLL",
      message: `CoNLL score against number of mentions of ${documents.length} documents: ${range}.`,
      dots: documents.map((/** @type {any} */ each) => ({
        x: each.mentions, y: each.score, name: each.name, link: each.link,
        title: `${each.name}: CoNLL ${percent(each.score)}, ${chartCount(each.mentions)} mentions`,
      })),
    }) : overviewEmpty("No documents."),
    table: () => ({
      head: ["Document", "mentions", "CoNLL"],
      rows: inOrder.map((each) => [h("a", each.link, each.name), chartCount(each.mentions), percent(each.score)]),
    }),
  };
}

/** Errors by the size of the part that is wrong. @param {Overview} view @returns {Panel} */
function overviewSizes(view) {
  const counts = overviewCounts(view, ["size"]);
  const sizes = [...new Set([...OVERVIEW_SIZES, ...counts.keys()])];
  const count = (/** @type {string} */ size) => counts.get(size) ?? 0;
  const link = (/** @type {string} */ size) => overviewErrors(view, { size: [size] }, count(size));
  const share = (/** @type {string} */ size) => `${((100 * count(size)) / Math.max(1, view.rows.length)).toFixed(1)} %`;
  return {
    id: "sizes", title: "Size of the part",
    note: () => overviewUnder(view, "How many mentions an error is about; click a bar for its errors."),
    chart: () => view.rows.length ? chartHistogram({
      width: view.width, height: 260, across: "mentions in the wrong part", noun: "errors",
      message: `Errors by size of the part: ${sizes.map((size) => `${size} mentions ${count(size)}`).join(", ")}.`,
      bins: sizes.map((size) => ({ name: size, value: count(size), link: link(size) })),
    }) : overviewEmpty("No errors to count."),
    table: () => ({
      head: ["Mentions", "errors", "share"],
      rows: sizes.map((size) => [size, overviewNumber(count(size), link(size)), share(size)]),
    }),
  };
}
