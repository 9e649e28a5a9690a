/** Systems: who is better, at what, and which errors they share. */
import { h, fill, percent, points, label } from "./dom.js";
import { state, go } from "./state.js";
import { FACETS, rowsMatching } from "./facets.js";

const SYSTEMS_MOST_LINES = 200;
const SYSTEMS_MOST_SETS = 24;
const SYSTEMS_MOST_BARS = 60;
const SYSTEMS_NAMES = /** @type {Record<string, string>} */ ({
  mentions: "Mentions", muc: "MUC", b3: "B³", ceafm: "CEAFm", ceafe: "CEAFe", blanc: "BLANC", lea: "LEA",
  conll: "CoNLL",
});

/** Whether all bars of a long corpus are asked for; it matters for no link. */
let systemsAllBars = false;

/**
 * Draw the view, and leave the reader where they were.
 * @param {HTMLElement} root
 * @param {{summary: any, errors: any}} context
 */
export async function renderSystems(root, context) {
  const focused = document.activeElement?.id;
  const scrolled = root.scrollTop;
  const isSingle = context.summary.systems.length < 2;
  fill(root, h("div.systems", {},
    isSingle && systemsAlone(),
    systemsMatrix(context.summary),
    h("div.systems-pair-of-cards", {}, systemsHeatMap(context), !isSingle && systemsShared(context)),
    !isSingle && systemsSetList(context),
    !isSingle && systemsPair(context)));
  root.scrollTop = scrolled;
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

function systemsAlone() {
  return h("section.card.systems-alone", {},
    h("h2", {}, "One system, so there is nothing to compare it with"),
    h("p", {}, "Name more responses, and this view shows which of them is better, and which errors they share: ",
      h("code.mono", {}, "corefscope report KEY A B -o report.html")));
}

/* ---- who is better: the matrix ---- */

/** @param {any} summary */
function systemsMatrix(summary) {
  const { comparison } = summary;
  const statistics = systemsStatistics(comparison);
  const active = comparison.systems[systemsActive(summary)];
  const isSingle = summary.systems.length < 2;
  const confidence = Math.round(100 * comparison.confidence);
  return h("section.card", { "aria-labelledby": "systems-matrix-title" },
    h("h2", { id: "systems-matrix-title" }, "Scores"),
    h("p.soft.systems-note", {},
      `F1 in percent on ${comparison.units.toLocaleString("en")} ${comparison.unit}, with ${confidence} % intervals. `,
      !isSingle && [
        `Small letters name the systems that are significantly beaten (paired ${comparison.test}${comparison.exact ? ", exact" : ""}, `,
        `corrected over ${comparison.comparisons.length} tests); systems of one rank are not told apart. Differences are to `,
        h("b", {}, active.name), ", the active system."]),
    h("div.systems-scroll", { tabindex: "0", role: "region", "aria-label": "Scores by system" },
      h("table.systems-matrix", {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "System"),
          statistics.map((name) => h("th.number", { scope: "col" }, systemsName(name))))),
        h("tbody", {}, summary.systems.map((/** @type {any} */ _, /** @type {number} */ place) =>
          systemsMatrixRow(summary, place, statistics))))));
}

/** @param {any} summary @param {number} place @param {string[]} statistics */
function systemsMatrixRow(summary, place, statistics) {
  const isActive = place === systemsActive(summary);
  return h("tr", { "aria-current": isActive ? "true" : null },
    h("th", { scope: "row" },
      h("button.systems-name", {
        id: `systems-choose-${place}`, title: "Make this the active system", "aria-pressed": String(isActive),
        onclick: () => go({ system: place }),
      }, systemsBadge(summary, place), h("span", {}, summary.systems[place].name)),
      isActive && summary.systems.length > 1 && h("div.soft.systems-active", {}, "active")),
    statistics.map((name) => systemsMatrixCell(summary, place, name)));
}

/** @param {any} summary @param {number} place @param {string} statistic */
function systemsMatrixCell(summary, place, statistic) {
  const { comparison, systems } = summary;
  const { value, low, high, deviation } = comparison.systems[place].scores[statistic];
  const rank = comparison.systems[place].ranks?.[statistic];
  const beaten = systemsBeaten(summary, place, statistic);
  const active = systemsActive(summary);
  const difference = value - comparison.systems[active].scores[statistic].value;
  return h(`td.number${statistic === "conll" ? ".systems-primary" : ""}`, { dataset: { statistic, system: place } },
    h("div.systems-value", {},
      beaten.length > 0 && h("sup.systems-beaten", {
        title: `significantly better than ${beaten.map((other) => systems[other].name).join(", ")}`,
      }, beaten.map((other) => systems[other].letter.toLowerCase()).join(systems.length > 26 ? "," : "")),
      h("b", {}, percent(value))),
    low !== null && low !== undefined && h("div.soft.systems-interval", {}, `${percent(low)}–${percent(high)}`),
    deviation ? h("div.soft.systems-interval", {}, `± ${percent(deviation)} over seeds`) : null,
    systems.length > 1 && h("div.systems-interval", {},
      rank && h("span.soft", { title: `rank ${rank} by significance` }, `rank ${rank}`),
      place !== active && [rank ? " · " : "", h(difference < 0 ? "span.systems-worse" : "span.systems-better", {}, points(difference))]));
}

/** The systems that one beats significantly. @param {any} summary @param {number} place @param {string} statistic */
function systemsBeaten(summary, place, statistic) {
  const { name } = summary.systems[place];
  const losers = new Set();
  for (const each of summary.comparison.comparisons) {
    if (each.statistic !== statistic || !each.significant) continue;
    if (each.system === name && each.difference > 0) losers.add(each.other);
    if (each.other === name && each.difference < 0) losers.add(each.system);
  }
  return [...summary.systems.keys()].filter((other) => losers.has(summary.systems[other].name));
}

/** The statistics, the one that is reported first. @param {any} comparison @returns {string[]} */
function systemsStatistics(comparison) {
  const names = Object.keys(comparison.systems[0].scores);
  return [...names.filter((name) => name === "conll"), ...names.filter((name) => name !== "conll")];
}

/** @param {string} statistic */
function systemsName(statistic) {
  return SYSTEMS_NAMES[statistic] ?? label(statistic);
}

/** The active system; a link may name one that this report does not have. @param {any} summary */
function systemsActive(summary) {
  return Math.min(state().system, summary.systems.length - 1);
}

/** @param {any} summary @param {number} place */
function systemsBadge(summary, place) {
  return h("span.systems-badge", { "aria-hidden": "true" }, summary.systems[place].letter);
}

/* ---- at what: error types by system ---- */

/** @param {{summary: any, errors: any}} context */
function systemsHeatMap(context) {
  const { summary } = context;
  const counts = systemsCounts(context);
  const types = Object.keys(summary.errors.systems[0].errors);
  const places = [...summary.systems.keys()];
  const most = Math.max(1, ...types.flatMap((type) => places.map((place) => counts(type, place))));
  const total = (/** @type {number} */ place) => types.reduce((sum, type) => sum + counts(type, place), 0);
  return h("section.card", { "aria-labelledby": "systems-heat-title" },
    h("h2", { id: "systems-heat-title" }, "Errors by type"),
    h("p.soft.systems-note", {}, "A count opens these errors.", systemsUnderFilters(["system", "type"])),
    h("div.systems-scroll", {}, h("table.systems-heat", { style: { "max-width": `${160 + 240 * places.length}px` } },
      h("thead", {}, h("tr", {}, h("td", {}), places.map((place) =>
        h("th.number", { scope: "col", title: summary.systems[place].name }, systemsBadge(summary, place), " ", summary.systems[place].name)))),
      h("tbody", {}, types.map((type) => h("tr", {}, h("th", { scope: "row" }, label(type)),
        places.map((place) => h("td", {}, systemsHeatCell(summary, type, place, counts(type, place), most)))))),
      h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, "All"),
        places.map((place) => h("td", {}, systemsHeatCell(summary, null, place, total(place), 0))))))));
}

/**
 * @param {any} summary
 * @param {string | null} type none for all
 * @param {number} place
 * @param {number} count
 * @param {number} most the count that is darkest; 0 for no colour
 */
function systemsHeatCell(summary, type, place, count, most) {
  const shade = most ? Math.round((45 * count) / most) : 0;
  if (!count) return h("span.systems-cell.soft", {}, "0");
  return h("button.systems-cell", {
    id: `systems-heat-${type ?? "all"}-${place}`,
    style: { "--shade-of": `${shade}%` },
    dataset: { count },
    "aria-label": `${count} errors of ${summary.systems[place].name}${type ? `: ${label(type)}` : ""}`,
    onclick: () => go({ tab: "errors", error: null, filters: systemsFilters(type, place) }),
  }, count.toLocaleString("en"));
}

/** The filters of the moment, but for this type and system, and ungrouped: as many rows as were counted. @param {string | null} type @param {number} place */
function systemsFilters(type, place) {
  const { system: _, type: __, group: ___, ...others } = state().filters;
  return type ? { ...others, system: [String(place)], type: [type] } : { ...others, system: [String(place)] };
}

/** Count errors by type and system under the other filters. @param {{summary: any, errors: any}} context */
function systemsCounts({ summary, errors }) {
  const chosen = systemsChoice(["system", "type"]);
  return systemsOnce("counts", errors, chosen, () => {
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const row of rowsMatching(errors, summary, chosen)) {
      const name = `${errors.type[row]} ${errors.system[row]}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return (/** @type {string} */ type, /** @type {number} */ place) => counts.get(`${type} ${place}`) ?? 0;
  });
}

/** What is filtered and searched for, but for some facets. @param {string[]} except */
function systemsChoice(except) {
  const heeded = FACETS.filter(({ id }) => !except.includes(id) && state().filters[id]?.length);
  return {
    filters: Object.fromEntries(heeded.map(({ id }) => [id, state().filters[id]])),
    search: state().search,
  };
}

/** @type {Map<string, {of: any, under: string, value: any}>} */
const systemsKept = new Map();

/**
 * Compute something again only when the filters are others: the view is drawn at every change of state.
 * @template T
 * @param {string} name
 * @param {any} errors
 * @param {any} chosen
 * @param {() => T} compute
 * @returns {T}
 */
function systemsOnce(name, errors, chosen, compute) {
  const under = JSON.stringify(chosen);
  const kept = systemsKept.get(name);
  if (kept && kept.of === errors && kept.under === under) return kept.value;
  const value = compute();
  systemsKept.set(name, { of: errors, under, value });
  return value;
}

/** Say when less than all is counted. @param {string[]} except facets that are not heeded */
function systemsUnderFilters(except) {
  const { filters, search } = systemsChoice(except);
  return search || Object.keys(filters).length ? " Counted under the filters above." : "";
}

/* ---- which errors they share ---- */

/**
 * The systems that make each error, as a list of places, with a row of each.
 * An error is the same where its id is: one type at one place of one document.
 * @typedef {{places: number[], rows: number[]}} Made
 */

/** @param {{summary: any, errors: any}} context @returns {Map<string, Made>} */
function systemsMade({ summary, errors }) {
  const chosen = systemsChoice(["system"]);
  return systemsOnce("made", errors, chosen, () => {
    /** @type {Map<string, Made>} */
    const made = new Map();
    for (const row of rowsMatching(errors, summary, chosen)) {
      const found = made.get(errors.id[row]);
      if (!found) made.set(errors.id[row], { places: [errors.system[row]], rows: [row] });
      else if (!found.places.includes(errors.system[row])) {
        found.places.push(errors.system[row]);
        found.rows.push(row);
      }
    }
    return made;
  });
}

/** Sets of systems with the errors that just these make. @param {{summary: any, errors: any}} context */
function systemsSets(context) {
  return systemsOnce("sets", context.errors, systemsChoice(["system"]), () => systemsSorted(systemsMade(context)));
}

/** The greatest set first. @param {Map<string, Made>} made */
function systemsSorted(made) {
  /** @type {Map<string, number[]>} */
  const sets = new Map();
  for (const { places, rows } of made.values()) {
    const name = places.join(" ");
    const found = sets.get(name);
    if (found) found.push(rows[0]);
    else sets.set(name, [rows[0]]);
  }
  return [...sets].map(([name, rows]) => ({ name, rows, places: name.split(" ").map(Number) }))
    .sort((one, other) => other.rows.length - one.rows.length || (one.name < other.name ? -1 : 1));
}

/** @param {{summary: any, errors: any}} context */
function systemsShared(context) {
  const { summary } = context;
  const made = systemsMade(context);
  const all = systemsSets(context);
  const shown = all.slice(0, SYSTEMS_MOST_SETS);
  const chosen = systemsChosen(all);
  return h("section.card", { "aria-labelledby": "systems-shared-title" },
    h("h2", { id: "systems-shared-title" }, "Shared errors"),
    h("p.soft.systems-note", {},
      `${made.size.toLocaleString("en")} different errors (same type, same place); each bar is made by just the systems with a dot.`,
      all.length > shown.length && ` The ${shown.length} largest of ${all.length} sets.`, systemsUnderFilters(["system"])),
    shown.length ? systemsUpset(summary, shown, chosen) : h("p.soft", {}, "No errors."));
}

/** @param {any} summary @param {ReturnType<typeof systemsSets>} sets @param {any} chosen */
function systemsUpset(summary, sets, chosen) {
  const most = sets[0].rows.length;
  return h("div.systems-scroll", {}, h("div.systems-upset", { role: "group", "aria-label": "Sets of shared errors" },
    h("div.systems-upset-names", { "aria-hidden": "true" },
      summary.systems.map((/** @type {any} */ system, /** @type {number} */ place) =>
        h("span", {}, h("span", {}, system.name), systemsBadge(summary, place)))),
    sets.map((each) => systemsUpsetColumn(summary, each, most, chosen === each))));
}

/** @param {any} summary @param {any} set @param {number} most @param {boolean} isChosen */
function systemsUpsetColumn(summary, set, most, isChosen) {
  const count = set.rows.length;
  const first = Math.min(...set.places);
  const last = Math.max(...set.places);
  return h("button.systems-set", {
    id: `systems-set-${set.name.replaceAll(" ", "-")}`,
    "aria-pressed": String(isChosen),
    "aria-label": `${count} errors made by ${systemsMakers(summary, set.places)}`,
    title: `${count} made by ${systemsMakers(summary, set.places)}`,
    dataset: { setCount: count },
    onclick: () => systemsRemember("shared", isChosen ? null : set.name),
  },
  h("span.systems-bar-room", {},
    h("span.systems-bar-count", {}, count.toLocaleString("en")),
    h("span.systems-bar", { style: { height: `${Math.max(2, Math.round((110 * count) / most))}px` } })),
  summary.systems.map((/** @type {any} */ _, /** @type {number} */ place) => h("span.systems-dot-room", {},
    place >= first && place < last && h("span.systems-dot-line", {}),
    h(set.places.includes(place) ? "span.systems-dot.systems-dot-on" : "span.systems-dot", {}))));
}

/** The set whose errors are listed. @param {ReturnType<typeof systemsSets>} sets */
function systemsChosen(sets) {
  return sets.find((each) => each.name === state().filters.shared?.[0]);
}

/** The errors of the chosen set, if there is one. @param {{summary: any, errors: any}} context */
function systemsSetList(context) {
  const set = systemsChosen(systemsSets(context));
  if (!set) return null;
  return h("section.card.systems-set-list", { "aria-labelledby": "systems-set-title" },
    h("div.systems-pair-head", {},
      h("h2", { id: "systems-set-title" },
        `Made by ${systemsMakers(context.summary, set.places)}: ${set.rows.length.toLocaleString("en")}`),
      h("button.systems-more", { id: "systems-close-set", onclick: () => systemsRemember("shared", null) }, "Close")),
    systemsLines(context, set.rows, "set"));
}

/** @param {any} summary @param {number[]} places */
function systemsMakers(summary, places) {
  const joined = systemsJoined(summary, places);
  return places.length === summary.systems.length ? joined : `${joined} only`;
}

/** @param {any} summary @param {number[]} places */
function systemsJoined(summary, places) {
  const names = places.map((place) => summary.systems[place].name);
  return names.length < 2 ? names[0] : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}

/** Keep a choice of this view in the address, beside the filters. @param {string} name @param {string | null} value */
function systemsRemember(name, value) {
  const { [name]: _, ...others } = state().filters;
  go({ filters: value === null ? others : { ...others, [name]: [value] } });
}

/**
 * Errors as lines, each of which opens its document.
 * @param {{summary: any, errors: any}} context
 * @param {number[]} rows
 * @param {string} id
 */
function systemsLines({ summary, errors }, rows, id) {
  if (!rows.length) return h("p.soft", {}, "None.");
  return [
    h("ol.systems-lines", { dataset: { lines: id }, tabindex: "0", "aria-label": "Errors" },
      rows.slice(0, SYSTEMS_MOST_LINES).map((row) => h("li", {}, h("button.systems-line", {
        id: `systems-${id}-${row}`,
        title: errors.words[row],
        onclick: () => systemsOpen(errors, row),
      },
      h("span.systems-line-text", { dir: "auto" }, errors.text[row] || "(no text)"),
      h("span.soft", {}, label(errors.type[row])),
      h("span.soft.systems-line-document", {}, summary.documents[errors.document[row]].name))))),
    rows.length > SYSTEMS_MOST_LINES && h("p.soft.systems-note", {},
      `The first ${SYSTEMS_MOST_LINES} of ${rows.length.toLocaleString("en")}.`),
  ];
}

/** @param {any} errors @param {number} row */
function systemsOpen(errors, row) {
  go({ tab: "document", document: errors.document[row], system: errors.system[row], error: row, entity: null });
}

/* ---- one against another ---- */

/** The system that the active one is compared with. @param {any} summary */
function systemsOther(summary) {
  const asked = Number(state().filters.versus?.[0] ?? NaN);
  const active = systemsActive(summary);
  if (Number.isInteger(asked) && asked in summary.systems && asked !== active) return asked;
  return active === 0 ? 1 : 0;
}

/** @param {{summary: any, errors: any}} context */
function systemsPair(context) {
  const { summary } = context;
  const active = systemsActive(summary);
  const other = systemsOther(summary);
  return h("section.card", { "aria-labelledby": "systems-pair-title" },
    h("div.systems-pair-head", {},
      h("h2", { id: "systems-pair-title" }, systemsBadge(summary, active), ` ${summary.systems[active].name} against `),
      systemsPicker(summary, active, other)),
    h("p.systems-note", {}, systemsSentence(summary, active, other)),
    systemsBars(summary, active, other),
    systemsChanges(context, active, other));
}

/** @param {any} summary @param {number} active @param {number} other */
function systemsPicker(summary, active, other) {
  return h("select.systems-picker", {
    id: "systems-versus", "aria-label": "The system to compare with",
    onchange: (/** @type {any} */ event) => systemsRemember("versus", event.target.value),
  }, summary.systems.map((/** @type {any} */ system, /** @type {number} */ place) => place !== active
    && h("option", { value: place, selected: place === other }, `${system.letter} ${system.name}`)));
}

/** What the comparison says of a pair; its sentences stand in the order of the pairs. */
function systemsSentence(/** @type {any} */ summary, /** @type {number} */ active, /** @type {number} */ other) {
  const { comparisons, sentences } = summary.comparison;
  const names = [summary.systems[active].name, summary.systems[other].name];
  const pairs = comparisons.filter((/** @type {any} */ each) => each.statistic === comparisons[0].statistic);
  const at = pairs.findIndex((/** @type {any} */ each) => names.includes(each.system) && names.includes(each.other));
  return pairs.length === sentences.length && at >= 0 ? sentences[at] : "";
}

/** @param {any} summary @param {number} active @param {number} other */
function systemsBars(summary, active, other) {
  const differences = summary.documents
    .map((/** @type {any} */ document, /** @type {number} */ number) => ({
      number, name: document.name, by: document.conll[active] - document.conll[other],
      values: [document.conll[active], document.conll[other]],
    }))
    .sort((/** @type {any} */ one, /** @type {any} */ next) => next.by - one.by || one.number - next.number);
  const [least, most] = [Math.min(0, differences.at(-1).by), Math.max(0, differences[0].by)];
  const scale = { zero: -least / (most - least || 1), width: most - least || 1 };
  const wins = differences.filter((/** @type {any} */ each) => each.by > 0).length;
  const losses = differences.filter((/** @type {any} */ each) => each.by < 0).length;
  const hidden = systemsAllBars ? 0 : Math.max(0, differences.length - SYSTEMS_MOST_BARS);
  const half = SYSTEMS_MOST_BARS / 2;
  const bar = (/** @type {any} */ each) => systemsBar(summary, each, scale, active, other);
  return [
    h("h3", {}, "CoNLL by document"),
    h("p.soft.systems-note", {}, `${summary.systems[active].name} is better on ${wins}, worse on ${losses}, `,
      `equal on ${differences.length - wins - losses}. A bar opens its document.`),
    h("div.systems-bars", {}, hidden
      ? [differences.slice(0, half).map(bar), h("button.systems-more", {
        id: "systems-all-bars",
        onclick: () => {
          systemsAllBars = true;
          go({}, { replace: true });
        },
      }, `${hidden} documents between these: show all`), differences.slice(-half).map(bar)]
      : differences.map(bar)),
  ];
}

/**
 * @param {any} summary
 * @param {any} each
 * @param {{zero: number, width: number}} scale where no difference is, from 0 to 1; the difference that fills it
 * @param {number} active
 * @param {number} other
 */
function systemsBar(summary, each, scale, active, other) {
  const width = `${(100 * Math.abs(each.by)) / scale.width}%`;
  const zero = 100 * scale.zero;
  const [mine, theirs] = each.values.map(percent);
  return h("button.systems-document", {
    id: `systems-document-${each.number}`,
    "aria-label": `${each.name}: ${points(each.by)} points, ${mine} against ${theirs}`,
    onclick: () => go({ tab: "document", document: each.number, error: null, entity: null }),
  },
  h("span.systems-document-name", { title: each.name }, each.name),
  h("span.systems-track", {}, h("span.systems-zero", { style: { left: `${zero}%` } }), h(each.by < 0 ? "span.systems-minus" : "span.systems-plus", {
    style: each.by < 0 ? { width, right: `${100 - zero}%` } : { width, left: `${zero}%` },
  })),
  h("span.systems-points", {}, points(each.by)),
  h("span.soft.systems-points", {}, `${summary.systems[active].letter} ${mine}`),
  h("span.soft.systems-points", {}, `${summary.systems[other].letter} ${theirs}`));
}

/** @param {{summary: any, errors: any}} context @param {number} active @param {number} other */
function systemsChanges(context, active, other) {
  const { summary } = context;
  const [mine, theirs] = [summary.systems[active].name, summary.systems[other].name];
  /** @type {Record<string, number[]>} */
  const rows = { fixed: [], broken: [], same: [] };
  for (const made of systemsMade(context).values()) {
    const [inMine, inTheirs] = [made.places.indexOf(active), made.places.indexOf(other)];
    if (inMine >= 0 && inTheirs >= 0) rows.same.push(made.rows[inMine]);
    else if (inMine >= 0) rows.broken.push(made.rows[inMine]);
    else if (inTheirs >= 0) rows.fixed.push(made.rows[inTheirs]);
  }
  return [
    h("h3", {}, "Errors"),
    h("p.soft.systems-note", {}, `By the same type at the same place, seen from ${mine}.`, systemsUnderFilters(["system"])),
    h("div.systems-changes", {},
      systemsChange(context, "✓", "Fixed", `only ${theirs} makes them`, rows.fixed, "fixed"),
      systemsChange(context, "✗", "Broken", `only ${mine} makes them`, rows.broken, "broken"),
      systemsChange(context, "=", "Same", "both make them", rows.same, "same")),
  ];
}

/**
 * @param {{summary: any, errors: any}} context
 * @param {string} mark
 * @param {string} title
 * @param {string} what
 * @param {number[]} rows
 * @param {string} id
 */
function systemsChange(context, mark, title, what, rows, id) {
  return h(`section.systems-change.systems-change-${id}`, { dataset: { change: id, rows: rows.length } },
    h("h4", {}, h("span", { "aria-hidden": "true" }, `${mark} `), `${title}: ${rows.length.toLocaleString("en")}`),
    h("p.soft.systems-note", {}, what),
    systemsLines(context, rows, id));
}
