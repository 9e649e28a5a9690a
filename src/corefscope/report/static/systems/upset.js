/** Which errors systems share: a column for each set of systems, as in an UpSet plot. */
import { h, counted, numbered, scrolls } from "../shared/dom.js";
import { known } from "../shared/facets.js";
import { linkToErrors } from "../shared/links.js";
import { against, badge, narrowedNote, filteredRows } from "./counts.js";

/**
 * @typedef {import("../shared/facets.js").Context} Context
 * @typedef {{letters: string, places: number[], count: number}} Makers systems, and the number of errors that exactly these make
 */

const MOST_SETS = 24;

/** @param {Context} context */
export function sharedCard(context) {
  const sets = systemSets(context);
  const shown = sets.slice(0, MOST_SETS);
  const all = sets.reduce((sum, { count }) => sum + count, 0);
  return h("section.card", { "aria-labelledby": "systems-shared-title" },
    h("h2", { id: "systems-shared-title" }, "Shared errors"),
    h("p.soft.systems-note", {},
      `${numbered(all, "different error")}. Each bar counts the errors that exactly the systems with a dot make. `,
      h("span.screen-only", {}, "Click a bar to see its errors. "),
      "Errors are shared if they have the same type and first mention. This is a weaker condition than for “the same” ",
      "errors below, where all mentions must be equal.",
      sets.length > shown.length && ` Only the ${shown.length} largest of ${counted(sets.length)} sets are shown.`,
      narrowedNote()),
    shown.length ? upset(context.summary, shown) : h("p.soft", {}, "No errors."));
}

/**
 * Sets of systems, largest first. Each error is counted once, in the form of its first system.
 * @param {Context} context
 */
function systemSets(context) {
  const { makers } = known(context);
  /** @type {string[]} */
  const letters = context.summary.systems.map((each) => each.letter);
  /** @type {Map<string, Makers>} */
  const sets = new Map();
  filteredRows(context).forEach((rows, system) => {
    for (const row of rows) {
      let set = sets.get(makers[row]);
      if (!set) {
        const places = makers[row].split(" ").map((letter) => letters.indexOf(letter));
        sets.set(makers[row], (set = { letters: makers[row], places, count: 0 }));
      }
      if (set.places[0] === system) set.count++;
    }
  });
  return [...sets.values()].filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count || (one.letters < other.letters ? -1 : 1));
}

/** @param {import("../types.js").Summary} summary @param {Makers[]} sets */
function upset(summary, sets) {
  const most = sets[0].count;
  return scrolls("Sets of shared errors",
    h("div.systems-upset", {},
      h("div.systems-upset-names", { "aria-hidden": "true" },
        summary.systems.map(({ name }, place) =>
          h("span", {}, h("span.systems-upset-name", { title: name }, name), badge(summary, place)))),
      sets.map((set) => column(summary, set, most))), ".systems-tall");
}

/** @param {import("../types.js").Summary} summary @param {Makers} set @param {number} most */
function column(summary, { letters, places, count }, most) {
  const [first, last] = [places[0], places[places.length - 1]];
  const what = `${numbered(count, "error")} made by ${makersText(summary, places)}`;
  return h("a.systems-set", {
    id: `systems-set-${places.join("-")}`, "aria-label": what, title: what,
    ...linkToErrors(first, { makers: [letters] }, count, against(summary, first)),
  },
  h("span.systems-bar-room", {}, h("span", {}, counted(count)),
    h("span.systems-bar", { style: { height: `${Math.max(2, Math.round((130 * count) / most))}px` } })),
  summary.systems.map((_, place) => h("span.systems-dot-room", {},
    place >= first && place < last && h("span.systems-dot-line", {}),
    h(places.includes(place) ? "span.systems-dot.systems-dot-on" : "span.systems-dot", {}))));
}

/** "a, b and c", or "b only". @param {import("../types.js").Summary} summary @param {number[]} places */
function makersText(summary, places) {
  const names = places.map((place) => summary.systems[place].name);
  const joined = names.length < 2 ? names[0] : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
  return places.length === summary.systems.length ? joined : `${joined} only`;
}
