/** Errors of all systems by type; darker cells have more errors. */
import { h, counted, label, numbered, scrolls } from "../shared/dom.js";
import { linkToErrors } from "../shared/links.js";
import { against, badge, narrowedNote, filteredRows, typeName } from "./counts.js";

/** @param {import("../shared/facets.js").Context} context */
export function typesCard(context) {
  const { summary, errors } = context;
  const rows = filteredRows(context);
  const types = Object.keys(summary.errors.systems[0].errors);
  const places = [...summary.systems.keys()];
  const counts = rows.map((of) => byType(errors, of));
  const most = Math.max(1, ...counts.flatMap((each) => [...each.values()]));
  return h("section.card", { "aria-labelledby": "systems-heat-title" },
    h("h2", { id: "systems-heat-title" }, "Errors by type"),
    h("p.soft.systems-note", {}, h("span.screen-only", {}, "Click a count to see the errors."), narrowedNote()),
    scrolls("Table: errors by type", h("table.systems-heat", {
      style: { "min-width": `${160 + 78 * places.length}px`, "max-width": `${160 + 220 * places.length}px` },
    },
      h("thead", {}, h("tr", {}, h("td", {}), places.map((place) =>
        h("th.number", { scope: "col", title: summary.systems[place].name },
          badge(summary, place), " ", h("span", {}, summary.systems[place].name))))),
      h("tbody", {}, types.map((type) => h("tr", {},
        h("th", { scope: "row" }, typeName(type)),
        places.map((place) =>
          h("td", {}, typeCell(summary, type, place, counts[place].get(type) ?? 0, most)))))),
      h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, "All"),
        places.map((place) => h("td", {}, typeCell(summary, null, place, rows[place].length, 0))))))));
}

/** @param {import("../types.js").ErrorColumns} errors @param {number[]} rows */
export function byType(errors, rows) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const row of rows) counts.set(errors.type[row], (counts.get(errors.type[row]) ?? 0) + 1);
  return counts;
}

/**
 * @param {import("../types.js").Summary} summary
 * @param {string | null} type none for all
 * @param {number} place
 * @param {number} count
 * @param {number} most the count that is darkest; 0 for no colour
 */
function typeCell(summary, type, place, count, most) {
  const id = `systems-heat-${type ?? "all"}-${place}`;
  if (!count) return h("span.systems-cell.soft", { id }, "0");
  /** @type {Record<string, string[]>} */
  const filters = type ? { type: [type] } : {};
  return h("a.systems-cell", {
    id, style: { "--shade-of": `${most ? Math.round((45 * count) / most) : 0}%` },
    "aria-label": `${numbered(count, "error")} of ${summary.systems[place].name}${type ? `: ${label(type)}` : ""}`,
    ...linkToErrors(place, filters, count, against(summary, place)),
  }, counted(count));
}
